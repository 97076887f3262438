"""Runs and judgments as lines of TREC text."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cranfield._text import cut, quoted
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.collection.sampled_qrels import SampledQrels
from cranfield.engine import compiled
from cranfield.errors import InputError, UsageError

BLANKS = " \t\n\r\0"
"""What separates fields and lines, and the byte that ends words elsewhere."""


def trec_lines(data: Run | Qrels) -> list[bytes]:
    """What ``write`` writes, in blocks of whole lines.

    Raises:
        InputError: an id holds a blank or begins a comment, which TREC text cannot hold; or a document occurs twice.
        UsageError: ``data`` is neither a Run nor Qrels.
    """
    if isinstance(data, Run):
        return _run_lines(data)
    if isinstance(data, Qrels):
        return ["".join(_lines_of_qrels(data)).encode()]
    raise UsageError(f"write takes a Run or Qrels, not {type(data).__name__}")


def can_stand(run: Run) -> bool:
    """Whether every topic and document of a run is a word that TREC text can hold."""
    try:
        for topic in run.topics:
            _word(topic, "topic", first=True)
    except InputError:
        return False
    blank = any((run.documents.data == ord(char)).any() for char in BLANKS)
    return not blank and bool(np.diff(run.documents.offsets).all())


def _run_lines(run: Run) -> list[bytes]:
    tag = _word(run.tag or run.name.replace(" ", "_"), "tag")
    engine = compiled()
    columns = list(run.topics), run.starts, run.documents.data, run.documents.offsets, run.score, run.rank
    blocks = None if engine is None else engine.run_lines(*columns, tag)
    return ["".join(_lines_of_run(run, tag)).encode()] if blocks is None else blocks


def _lines_of_run(run: Run, tag: str) -> Iterator[str]:
    run.check_unrepeated()
    documents, scores, bounds = run.documents.tolist(), run.score.tolist(), run.starts.tolist()
    for number, name in enumerate(run.topics):
        topic = _word(name, "topic", first=True)
        rows = range(bounds[number], bounds[number + 1])
        by_id = sorted(rows, key=lambda row: documents[row].encode(), reverse=True)
        place = {row: rank for rank, row in enumerate(sorted(by_id, key=lambda row: -scores[row]), 1)}
        for row in rows:
            rank = place[row] if run.rank is None else run.rank[row]
            yield f"{topic} Q0 {_word(documents[row], 'document')} {rank} {_number(scores[row])} {tag}\n"


def _lines_of_qrels(qrels: Qrels) -> Iterator[str]:
    if isinstance(qrels, SampledQrels):
        yield from _lines_of_sample(qrels)
        return
    for topic, iteration, document, label in zip(*qrels.rows(), strict=True):
        words = _word(topic, "topic", first=True), _word(iteration, "field 2"), _word(document, "document")
        yield f"{' '.join(words)} {_number(float(label))}\n"


def _lines_of_sample(qrels: SampledQrels) -> Iterator[str]:
    for topic, iteration, document, stratum, label in qrels.sampled_rows():
        words = _word(topic, "topic", first=True), _word(iteration, "field 2"), _word(document, "document")
        yield f"{' '.join(words)} {_word(stratum, 'stratum')} {_number(label)}\n"


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _word(text: str, what: str, *, first: bool = False) -> str:
    if not text or any(char in text for char in BLANKS) or (first and text.startswith(("#", "\ufeff"))):
        said = f"the {what} {quoted(text)} cannot stand in TREC text: blanks separate fields, # begins a comment"
        raise InputError(said, code="unfit-name", value=cut(text))
    return text
