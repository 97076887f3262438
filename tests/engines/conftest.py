"""The reference engine, which is asked of one text by several orders of ties, reads it once for all of them."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import pytest

from cranfield.engine import Facts
from cranfield.errors import EngineError
from cranfield.reference_engine import judging
from cranfield.reference_engine.text import RunRow, rows_by_topic


@functools.lru_cache(maxsize=2)
def read(text: bytes, layout: str, need_rank: bool) -> tuple[dict[bytes, list[RunRow]] | EngineError, Facts]:
    facts: Facts = {"noticed": {}}
    try:
        return rows_by_topic(text, layout, need_rank, facts), facts
    except EngineError as error:
        return error, facts


def rows_as_read(text: bytes, layout: str, need_rank: bool, facts: Facts) -> dict[bytes, list[RunRow]]:
    """As new: whoever gets lists sorts them, and adds to the facts."""
    assert facts == {"noticed": {}}
    found, noticed = read(text, layout, need_rank)
    facts.update(noticed | {"noticed": {name: dict(said) for name, said in noticed["noticed"].items()}})
    if isinstance(found, EngineError):
        raise EngineError(found.code, found.line, found.value, found.number, found.more)
    return {topic: list(rows) for topic, rows in found.items()}


@pytest.fixture(scope="session", autouse=True)
def once() -> Iterator[None]:
    """For all tests of engines."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(judging, "rows_by_topic", rows_as_read)
        yield
    read.cache_clear()
