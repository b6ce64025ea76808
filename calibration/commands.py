"""``croupier mat``."""

import json
from pathlib import Path

import click

from calibration.mat import PAPERS
from calibration.mat_pdf import mat_pdf
from calibration.mat_png import mat_png
from calibration.mat_svg import mat_svg

_SUFFIXES = (".pdf", ".svg", ".png")
_DEFAULT_DPI = 300


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--paper",
    type=click.Choice(list(PAPERS), case_sensitive=False),
    default="a4",
    show_default=True,
    help="The sheet.",
)
@click.option(
    "--dpi", type=click.IntRange(50, 1200), help=f"Pixels per inch, for a .png only.  [default: {_DEFAULT_DPI}]"
)
@click.option("--json", "as_json", is_flag=True, help="Print what was written as one line of JSON.")
def mat(out: Path, paper: str, dpi: int | None, as_json: bool) -> None:
    """Write the croupier mat to OUT, a .pdf, .svg or .png file.

    Print it at its true size (100 %, not "fit to page"), in colour, on matt paper, and check that the ruler at its
    lower edge measures 50 mm.
    """
    suffix = out.suffix.lower()
    if suffix not in _SUFFIXES:
        raise click.UsageError(f"{out}: the name must end in .pdf, .svg or .png")
    if dpi is not None and suffix != ".png":
        raise click.UsageError(f"--dpi is for .png only; a {suffix} has no pixels")
    sheet = PAPERS[paper.lower()]
    if suffix == ".pdf":
        content = mat_pdf(sheet)
    elif suffix == ".svg":
        content = mat_svg(sheet)
    else:
        dpi = dpi or _DEFAULT_DPI
        content = mat_png(sheet, dpi)
    try:
        out.write_bytes(content)
    except OSError as error:
        raise click.ClickException(f"could not write {out}: {error.strerror}") from None
    if as_json:
        size = {"width_mm": sheet.width_mm, "height_mm": sheet.height_mm, "dpi": dpi}
        click.echo(json.dumps({"file": str(out), "paper": paper.lower(), "format": suffix[1:], **size}))
    else:
        click.echo(f"{out}: the croupier mat on {sheet.name}. Print it at 100 %; its ruler must measure 50 mm.")
