"""Prose of the reproductions: numbers and verdicts come from the tables, so that no sentence outlives its table.

    python reproductions/prose.py

A page with such numbers is written from ``NAME.template`` beside it, where ``{{name}}`` stands for a value. The values
of a folder are made by its ``values.py`` from the tables that its scripts wrote: ``compute_values``, each of which is
used, and ``compute_cells``, cells of its tables by systematic names. ``{{folder.name}}`` is a value of another folder,
``{{printed.name}}`` a number that a paper prints, of ``printed.toml``, and ``{{once.name}}`` one that was measured and
that no script writes, of ``once.toml``. ``run.py`` writes the pages after the scripts,
and a test compares them.

No decimal and no percentage is typed into the prose of a template. What is allowed, since no table can contradict it:
the numbers of sections and equations; a parameter after its name (p = .95, gamma .5, "at .05" for a level); and what
stands in code, links and addresses. ``tests/test_reproductions_prose.py`` holds the rule. Words that a table could
contradict ("as printed", "the lowest of each") are values too: ``claim`` gives them only while they are true.
"""

from __future__ import annotations

import functools
import importlib.util
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

HERE = Path(__file__).resolve().parent
PLACE = re.compile(r"\{\{([\w.#+-]+)\}\}")


def main() -> None:
    """Write every page that has a template."""
    for path, text in pages():
        path.write_text(text, encoding="utf-8")


def pages() -> Iterator[tuple[Path, str]]:
    """Every page that has a template, with its text."""
    known = {path.parent.name: values_of(path) | cells_of(path) for path in sorted(HERE.glob("*/values.py"))}
    everywhere = {f"{folder}.{name}": value for folder, values in known.items() for name, value in values.items()}
    for kind in ("printed", "once"):
        everywhere |= {f"{kind}.{name}": value for name, value in constants(kind).items()}
    for template in sorted([*HERE.glob("*.template"), *HERE.glob("*/*.template")]):
        own = known.get(template.parent.name, {})
        text = fill(template, {**everywhere, **own, "counts": "{{counts}}"})
        yield template.with_suffix(".md"), text.replace("{{counts}}", counts(text))


VERDICTS = ("yes", "in part", "no", "not testable")


def counts(page: str) -> str:
    """Count the rows of each paper on the page of all reproductions by their verdict."""
    rows = {}
    for part in page.split("\n### ")[1:]:
        lines = [re.split(r"(?<!\\)\|", line) for line in part.splitlines() if line.startswith("|")][2:]
        words = [line[3].strip() for line in lines]
        rows[part.partition("\n")[0]] = [len(words), *(words.count(verdict) for verdict in VERDICTS)]
    rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    lines = [["paper", "rows", *VERDICTS], ["---"] * 6, *([name, *map(str, row)] for name, row in rows.items())]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


@functools.cache
def values_of(path: Path) -> dict[str, str]:
    """Import the ``values.py`` of a folder and compute its values."""
    values: dict[str, str] = _module(path).compute_values()
    return values


def cells_of(path: Path) -> dict[str, str]:
    """Cells of the tables of a folder, by systematic names."""
    compute = getattr(_module(path), "compute_cells", dict)
    cells: dict[str, str] = compute()
    return cells


def constants(kind: str) -> dict[str, str]:
    """Numbers that the papers print, as they print them ("printed"), or that no script writes ("once")."""
    found: dict[str, str] = {}
    for paper, numbers in tomllib.loads((HERE / f"{kind}.toml").read_text(encoding="utf-8")).items():
        if again := found.keys() & numbers.keys():
            raise ValueError(f"{kind}.toml: {', '.join(again)} of {paper} is the name of another paper's number too")
        found |= numbers
    return found


@functools.cache
def _module(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"values_of_{path.parent.name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fill(template: Path, values: Mapping[str, str]) -> str:
    """Fill a template.

    Raises:
        KeyError: a value is not computed.
    """

    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise KeyError(f"{template}: nothing computes {match[1]!r}")
        return values[match[1]]

    return PLACE.sub(value, template.read_text(encoding="utf-8"))


def read_tables(path: Path) -> dict[str, pd.DataFrame]:
    """Read the tables of a page: "heading / heading below" -> cells as text, the first column being the index."""
    return dict(_tables(path))


@functools.cache
def _tables(path: Path) -> dict[str, pd.DataFrame]:
    found: dict[str, pd.DataFrame] = {}
    headings: dict[int, str] = {}
    lines: list[list[str]] = []  # of a table, as Markdown or as commands print it
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            headings = {depth: text for depth, text in headings.items() if depth < level} | {level: line.strip("# ")}
        elif line.startswith("|"):
            lines.append([cell.strip() for cell in line.strip("|").split("|")])
        elif "   " in line and (lines or not line.startswith(" ")):  # numbers of a first column stand to the right
            lines.append(re.split(r"\s{3,}", line.strip()))
        elif line.startswith("─"):
            lines.append([])
        elif lines:
            head, _, *rows = lines
            name = " / ".join(headings.values())
            table = pd.DataFrame(rows, columns=head).set_index(head[0])
            found[name if name not in found else f"{name} / {head[0]}"] = table
            lines = []
    return found


def short(value: float, digits: int = 3) -> str:
    """A number without its leading zero: .905, 1, -.27."""
    text = _rounded(value, digits)
    whole = text.rstrip("0").rstrip(".") if "." in text and float(text) == round(float(text)) else text
    return re.sub(r"^(-?)0\.", r"\1.", whole)


def _rounded(value: float, digits: int) -> str:
    """Round what a table has rounded already: where that left a 5 at the end, nobody knows which way, and it stays."""
    left = abs(abs(value) * 10**digits % 1 - 0.5) < 1e-9
    return f"{value:.{digits + left}f}"


def span(values: Iterable[float], digits: int = 2) -> str:
    """The least and the largest: .86 to .93; one number where they are the same."""
    every = list(values)
    low, high = short(min(every), digits), short(max(every), digits)
    return low if low == high else f"{low} to {high}"


def listed(values: Iterable[str]) -> str:
    """Names or numbers in a sentence: a, b and c."""
    *before, last = values
    return f"{', '.join(before)} and {last}" if before else last


def fixed(value: float, digits: int = 2) -> str:
    """All of its digits, without the leading zero: 1.00, .90, -.01."""
    return re.sub(r"^(-?)0\.", r"\1.", _rounded(value, digits))


def percent(share: float) -> str:
    """A share as a whole percentage, without its sign."""
    return f"{100 * share:.0f}"


def together(name: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Cells of one kind: ``name.key`` for each, ``name.every`` with commas, ``name.every_and`` with a last "and"."""
    every = list(texts.values())
    one = {f"{name}.{key}": text for key, text in texts.items()}
    return {**one, f"{name}.every": ", ".join(every), f"{name}.every_and": listed(every)}


def claim(words: str, holds: object) -> str:
    """Words that are true of the tables.

    Raises:
        ValueError: they are not, any more: the sentence around them is to be written anew.
    """
    if not holds:
        raise ValueError(f"the tables contradict {words!r}: write its sentence anew")
    return words


def where(holds: Mapping[str, bool], every: str, none: str, preposition: str = "in") -> str:
    """Where something holds: ``every`` or ``none``, or "in 2009 and 2011, not in 2010"."""
    yes, no = [name for name, held in holds.items() if held], [name for name, held in holds.items() if not held]
    if not no:
        return every
    return f"{preposition} {listed(yes)}, not {preposition} {listed(no)}" if yes else none


def verdict(holds: Iterable[bool]) -> str:
    """The word of the page of all reproductions: a claim holds wherever it was computed, in part, or nowhere."""
    every = list(holds)
    return "yes" if all(every) else "in part" if any(every) else "no"


if __name__ == "__main__":
    main()
