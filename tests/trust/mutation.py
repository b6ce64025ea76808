"""A protection, and how to take it out: the test that is named must notice."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Mutation:
    """One protection. ``search`` stands once in ``file``, and without the protection it is ``replace``."""

    name: str
    file: str
    search: str
    replace: str
    test: str

    def patched(self, root: Path) -> str:
        """The file's text without the protection. Raises ``ValueError`` where the patch does not apply any more."""
        text = (root / self.file).read_text(encoding="utf-8")
        if text.count(self.search) != 1:
            raise ValueError(f"{self.name}: what it takes out stands {text.count(self.search)} times in {self.file}")
        return text.replace(self.search, self.replace)
