"""Every entrance by which bytes of strangers reach an engine, and what came of each."""

from __future__ import annotations

import itertools
from typing import Any

from files import LAYOUTS, TIES
from outcomes import Judge, Refused, read_qrels, read_run

from cranfield.errors import EngineError
from cranfield.findings import Location
from cranfield.io.error_messages import refusal


def everything(judge: Judge, data: bytes) -> dict[tuple[str, ...], Any]:
    """Entrance and options -> the outcome."""
    engine = judge.engine
    found: dict[tuple[str, ...], Any] = {}
    for layout in LAYOUTS:
        found["qrels", layout] = read_qrels(engine, data, layout)
        for duplicate in ("error", "first"):
            found["run", layout, duplicate] = read_run(engine, data, layout, duplicate)
    for layout, ties in itertools.product(("trec", "msmarco"), TIES):
        for duplicate in ("error", "first"):
            found["file", layout, duplicate, ties] = judge.file(data, ties, layout, duplicate)
            if not isinstance(found["run", layout, duplicate], Refused):
                found["memory", layout, duplicate, ties] = judge.memory(data, ties, layout, duplicate)
    return found


def assert_worded(found: dict[tuple[str, ...], Any]) -> None:
    """Every refusal is a sentence of one line that any terminal may show."""
    for (entrance, layout, *_), outcome in found.items():
        if isinstance(outcome, Refused) and entrance != "memory":
            code = "damaged" if outcome.code == "unreadable" else outcome.code
            error = EngineError(code, outcome.line, outcome.value, outcome.number, outcome.more)
            text = str(refusal(error, Location("name"), "qrels" if entrance == "qrels" else "run", layout))
            assert text.startswith("name:")
            assert text.isprintable()
            assert len(text) < 1000
