"""The table of the documentation that is made from the declarations."""

from __future__ import annotations

from cranfield.io.formats import all_formats

HEAD = "| format | what it is | how it is told | example |\n| --- | --- | --- | --- |\n"


def markdown() -> str:
    """Every format, how it is told, and a command that reads it."""
    rows = (
        (f"`{name}`", form.holds, form.told or "not: ask for it", f"`cranfield {form.example}`")
        for name, form in all_formats().items()
    )
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)
