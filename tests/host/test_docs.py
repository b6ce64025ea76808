"""The page on the API names every problem, with its status."""

from pathlib import Path

from host.problems import PROBLEMS

API_PAGE = Path(__file__).parents[2] / "docs" / "api.md"


def test_every_problem_stands_on_the_page() -> None:
    page = API_PAGE.read_text(encoding="utf-8")
    for slug, (status, title) in PROBLEMS.items():
        assert f"| `{slug}` | {status} | {title} |" in page
