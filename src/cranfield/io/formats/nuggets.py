"""Answers with the nuggets assigned to them, as nuggetizer writes them: what a judge says of a nugget is its label."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cranfield._text import cut, quoted
from cranfield.errors import FormatError
from cranfield.findings.location import Location
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import read_objects
from cranfield.io.formats._search_tools import Rated, field_in, list_in, load_rated

LABELS = {"support": 2, "partial_support": 1, "not_support": 0}
"""The words of nuggetizer for what an answer says of a nugget, as labels."""
SHAPE = '"qid": ..., "run_id": ..., "nuggets": [{"text": ..., "assignment": "support"}]'


def _qrels(file: File) -> Loaded:
    answers = [(file.location.at(line), answer) for line, answer in read_objects(file)]
    topics = [field_in(answer, "qid", where, SHAPE) for where, answer in answers]
    rated = (
        rated
        for (where, answer), topic in zip(answers, topics, strict=True)
        for rated in _read_nuggets(answer, topic, where)
    )
    return load_rated(file, rated, topics)


def _read_nuggets(answer: dict[str, Any], topic: Any, where: Location) -> Iterator[Rated]:
    """The nuggets of an answer as documents ``RUN/TEXT``: two judges are compared on nuggets with the same words.

    Raises:
        InputError: a nugget has no text, or its assignment is none of the known ones.
    """
    run = answer.get("run_id", "")
    for nugget in list_in(answer, "nuggets", where, SHAPE):
        text, said = (field_in(nugget, key, where, SHAPE) for key in ("text", "assignment"))
        if not isinstance(said, str) or said not in LABELS:
            message = f"the nugget {quoted(str(text))} has the assignment {quoted(str(said))}: it should be one of "
            raise FormatError(message + ", ".join(LABELS), where, code="label", value=cut(str(said)))
        yield Rated(where, topic, f"{run}/{text}" if run else text, LABELS[said])


FORMAT = Format(
    holds="answers with the nuggets assigned to them, as nuggetizer writes them: judgments of documents `RUN/NUGGET` "
    "with the labels 0 (not supported), 1 (in part) and 2, to compare judges",
    recognized_by="the first line is an object with the keys `qid` and `nuggets`",
    example="judges people.jsonl model.jsonl --show labels",
    is_here=lambda file: file.kind == "qrels" and {"qid", "nuggets"} <= file.first_object.keys(),
    qrels=_qrels,
    layout={"run": "trec"},
)
