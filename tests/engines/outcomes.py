"""What an engine does with a source, in a form in which two engines can be compared bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from cranfield.engine import Engine, Judged, QrelsColumns
from cranfield.errors import EngineError


class Refused(NamedTuple):
    """Every field of an ``EngineError``."""

    code: str
    line: int
    value: str
    number: int
    more: str


def plain(value: Any) -> Any:
    """A result with each array as its type, its bytes and, to be read by people, its values."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        assert value.ndim == 1 and value.flags.c_contiguous
        return str(value.dtype), value.tobytes(), value[:100].tolist()
    return value


UNREADABLE = ("truncated", "damaged")
"""Codes between which two decompressors need not agree."""


def outcome(call: Callable[..., Any], *arguments: Any) -> Any:
    """The result, or why there is none; truncated and damaged archives are not told apart."""
    try:
        return plain(call(*arguments))
    except EngineError as error:
        code = "unreadable" if error.code in UNREADABLE else error.code
        return Refused(code, error.line, error.value, error.number, error.more)


def read_run(engine: Engine, source: str | bytes, layout: str = "trec", on_duplicate: str = "error") -> Any:
    return outcome(engine.read_run, source, layout, 0, on_duplicate)


def read_qrels(engine: Engine, source: str | bytes, layout: str = "trec") -> Any:
    return outcome(engine.read_qrels, source, layout, 0)


def index_of(engine: Engine, qrels: QrelsColumns) -> Any:
    return engine.index(qrels["topics"], qrels["starts"], qrels["data"], qrels["offsets"])


class Judge(NamedTuple):
    """One engine and its index of some judgments."""

    engine: Engine
    index: Any

    @classmethod
    def of(cls, engine: Engine, qrels: bytes) -> Judge:
        return cls(engine, index_of(engine, engine.read_qrels(qrels, "trec", 0)))

    def file(
        self, source: str | bytes, ties: str, layout: str = "trec", on_duplicate: str = "error", threads: int = 1
    ) -> Any:
        return outcome(self.engine.judge_file, source, layout, 0, self.index, ties, on_duplicate, threads, True)

    def memory(self, source: bytes, ties: str, layout: str = "trec", on_duplicate: str = "error") -> Any:
        """The other entrance: read a run, then judge it."""

        def both() -> Judged:
            run = self.engine.read_run(source, layout, 0, on_duplicate)
            columns = run["topics"], run["starts"], run["data"], run["offsets"], run["score"], run["rank"]
            (judged,) = self.engine.judge_run(*columns, self.index, [ties], on_duplicate)
            return judged

        return outcome(both)
