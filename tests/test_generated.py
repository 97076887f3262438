"""What ``make stub`` writes is what the declarations say now."""

from __future__ import annotations

from pathlib import Path

import cranfield
from cranfield.cli._completion import make_names_module
from cranfield.measures._stub import FILES, files, stub
from cranfield.measures.laws import LAWS

SOURCE = Path(cranfield.__file__).parent
DOCS = SOURCE.parents[1] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_measures_in_the_stub_are_not_stale() -> None:
    for path, text in {SOURCE / "__init__.pyi": stub(), FILES: files()}.items():
        assert path.read_text(encoding="utf-8") == text, "write it again: python -m cranfield.measures._stub"


def test_the_names_that_shells_complete_are_not_stale() -> None:
    assert (SOURCE / "cli" / "_measure_names.py").read_text(encoding="utf-8") == make_names_module()


def test_every_law_is_defined() -> None:
    prose = page("measure-facts.md")
    for law in LAWS.values():
        assert f"**{law.name.capitalize()}**" in prose
