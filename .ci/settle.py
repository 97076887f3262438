"""Give the project its public addresses: `python .ci/settle.py REPOSITORY DOCUMENTATION`, once.

The addresses are written into `pyproject.toml` and `CITATION.cff`, and `docs/install.md`, the one page that names a
package index, says from then on that cranfield is there. `.ci/publishable.py` refuses a release before that.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACEHOLDER = re.compile(r"https://[\w.-]+\.example(/|$)")
NOT_YET = re.compile(r"cranfield is not on a package index yet.*?(?=\n\n)", re.DOTALL)
PUBLISHED = "    pip install cranfield\n\nOr install it from a copy of the project:"


def settle(files: dict[str, str], repository: str, documentation: str) -> dict[str, str]:
    """Replace the placeholders in the text of each file.

    Args:
        files: texts of `pyproject.toml`, `CITATION.cff` and `docs/install.md`, by name.
        repository: address of the public repository, without a slash at its end.
        documentation: address of the documentation, without one too.

    Raises:
        ValueError: the addresses are no placeholders any more.
    """
    project, citation, installing = (files[name] for name in ("pyproject.toml", "CITATION.cff", "docs/install.md"))
    placeholders = tomllib.loads(project)["project"]["urls"]
    if not PLACEHOLDER.match(placeholders["Source"]):
        raise ValueError("pyproject.toml has no placeholders any more")
    project = project.replace(placeholders["Source"], repository)
    project = project.replace(placeholders["Documentation"], documentation)
    project = project.replace(f'"{repository}/CHANGELOG.md"', f'"{repository}/blob/main/CHANGELOG.md"')
    project = re.sub(r"(?<=\[project.urls\]\n)(# .*\n)+", "", project)
    citation = re.sub(r"^# repository-code .*\n?", "", citation, flags=re.MULTILINE)
    citation += f"repository-code: {repository}\nurl: {documentation}\n"
    return {
        "pyproject.toml": project,
        "CITATION.cff": citation,
        "docs/install.md": NOT_YET.sub(PUBLISHED, installing),
    }


def main() -> None:
    """Rewrite the three files, or refuse where they are settled already."""
    repository, documentation = (address.rstrip("/") for address in sys.argv[1:])
    names = ("pyproject.toml", "CITATION.cff", "docs/install.md")
    try:
        settled = settle({name: (ROOT / name).read_text(encoding="utf-8") for name in names}, repository, documentation)
    except ValueError as error:
        sys.exit(f"nothing was changed: {error}")
    for name, text in settled.items():
        (ROOT / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"settled: {name}")


if __name__ == "__main__":
    main()
