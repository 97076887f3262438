"""Builds the package that pyproject.toml describes, with a README whose links lead somewhere on a package index's page.

In the repository the README links to the files beside it. An index shows it without them: there its links lead to the
files of this version in the public repository, `Source` of `[project.urls]`.
"""

import re
import tomllib
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).resolve().parent
RELATIVE = re.compile(r"(?P<picture>!?)(?P<text>\[[^]]*\])\((?!https?:|#)(?P<path>[^)\s]+)\)")
"""A link, or a picture, whose target is a file of the repository."""


def describe(readme: str, source: str, version: str) -> str:
    """Make the long description of the package: the README with absolute links.

    Args:
        readme: text of `README.md`.
        source: address of the public repository.
        version: of the package, whose tag is that of the files.
    """

    def link(match: re.Match[str]) -> str:
        kind = "raw" if match["picture"] else "blob"
        return f"{match['picture']}{match['text']}({source}/{kind}/v{version}/{match['path']})"

    return RELATIVE.sub(link, readme)


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    setup(
        long_description=describe(
            (ROOT / "README.md").read_text(encoding="utf-8"), project["urls"]["Source"], project["version"]
        ),
        long_description_content_type="text/markdown",
    )
