"""The tables of the documentation that are made from declarations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cranfield.findings.refusals import REFUSALS
from cranfield.findings.table import TABLE

CODES = """
## Codes of errors

The attribute `code` of an error that concerns data is one of these.

"""


def markdown() -> str:
    """Every kind of finding, with its severity, meaning and remedy; then every code of an error."""
    kinds = ((f"`{code}`", kind.severity, kind.meaning, kind.remedy) for code, kind in TABLE.items())
    codes = ((f"`{code}`", meaning) for code, meaning in REFUSALS.items())
    return _table(("finding", "severity", "meaning", "what to do"), kinds) + CODES + _table(("code", "meaning"), codes)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in lines)
