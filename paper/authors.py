"""Copy who signs the paper from ``pyproject.toml`` into it: ``python paper/authors.py``, from the project's root.

``[tool.cranfield.paper]`` is the one place for authors, affiliations and tools. What is still a placeholder there is
printed, and the exit status is then 1: such a paper must not be submitted.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAPER = HERE / "paper.md"
TITLE = "cranfield: Evaluating Retrieval Runs, and Then Evaluating the Evaluation"
DISCLOSURE = """\
Generative AI wrote the code, the tests, the documentation and this text. Tools: {tools}. Review by the authors:
{review}. No number rests on what a model states. Each has a witness outside the code (see Software design), the two
engines are compared on arbitrary bytes, scripts recompute the reproductions, and a test compares the numbers of this
paper with them.
"""
ACKNOWLEDGEMENTS = """\
The collections are those of TREC and of the authors who published runs, judgments and scores. Financial support:
{funding}.
"""


def main() -> None:
    """Write the paper's metadata and its disclosure, and end with status 1 if any of it is a placeholder."""
    signed = read_signed()
    PAPER.write_text(sign(PAPER.read_text(encoding="utf-8"), signed), encoding="utf-8", newline="\n")
    left = placeholders(signed)
    for line in left:
        print(f"not ready: {line}; docs/releasing.md says what to do", file=sys.stderr)
    if not left:
        print("paper/paper.md is signed")
    sys.exit(bool(left))


def read_signed() -> dict[str, Any]:
    """Read ``[tool.cranfield.paper]`` and the keywords of the package."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    signed: dict[str, Any] = project["tool"]["cranfield"]["paper"]
    return signed | {"tags": ["Python", "Rust", *project["project"]["keywords"]]}


def sign(paper: str, signed: dict[str, Any]) -> str:
    """Replace the metadata and the disclosure of a paper."""
    body = paper.split("\n---\n", 1)[1]
    sections = {
        "AI usage disclosure": DISCLOSURE.format(tools=signed["ai-tools"], review=signed["ai-review"]),
        "Acknowledgements": ACKNOWLEDGEMENTS.format(funding=signed["funding"]),
    }
    for title, text in sections.items():
        before, heading, rest = body.partition(f"\n# {title}\n")
        body = f"{before}{heading}\n{text}\n# " + rest.partition("\n# ")[2]
    return f"---\n{metadata(signed)}---\n{body}"


def metadata(signed: dict[str, Any]) -> str:
    """Metadata of the paper in YAML, in the journal's form."""
    lines = [f"title: '{TITLE}'", "tags:", *(f"  - {tag}" for tag in signed["tags"]), "authors:"]
    for author in signed["authors"]:
        lines += _entry({name: f'"{value}"' if name == "affiliation" else value for name, value in author.items()})
    lines.append("affiliations:")
    for affiliation in signed["affiliations"]:
        lines += _entry(affiliation)
    return "\n".join([*lines, f"date: {signed['date']}", "bibliography: paper.bib", ""])


def _entry(fields: dict[str, Any]) -> list[str]:
    written = [f"{name}: {str(value).lower() if isinstance(value, bool) else value}" for name, value in fields.items()]
    return [f"{'  - ' if number == 0 else '    '}{line}" for number, line in enumerate(written)]


def placeholders(signed: dict[str, Any]) -> list[str]:
    """Names of what must be replaced before the paper is submitted."""
    named = {f"the affiliation {part['index']}": part["name"] for part in signed["affiliations"]}
    named |= {name: signed[name] for name in ("ai-tools", "ai-review", "funding")}
    left = [f"{name} is a placeholder, {value!r}" for name, value in named.items() if value.endswith(".example")]
    for author in signed["authors"]:
        if not is_orcid(author.get("orcid", "")):
            left.append(f"{author['name']!r} has no valid ORCID, but {author.get('orcid')!r}")
    return left


def is_orcid(text: str) -> bool:
    """Whether the last character is the check digit (ISO 7064, MOD 11-2) of the others."""
    if not re.fullmatch(r"(\d{4}-){3}\d{3}[\dX]", text):
        return False
    total = 0
    for digit in text.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    expected = (12 - total % 11) % 11
    return text[-1] == ("X" if expected == 10 else str(expected))


if __name__ == "__main__":
    main()
