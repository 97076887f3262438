"""Scores of answers by the nuggets that they hold, as the nugget evaluation of TREC's RAG track defines them.

A nugget is a fact that an answer should state, ``vital`` or ``okay``; an answer supports it, supports a part of it, or
does not (Pradeep et al. 2024, Initial nugget evaluation results for the TREC 2024 RAG track, arXiv:2411.09607).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cranfield._text import cut, quoted
from cranfield.errors import FormatError
from cranfield.findings.location import Location
from cranfield.scores.labels import named
from cranfield.scores.rows import ReadRow

IMPORTANCE = ("vital", "okay")
CREDIT = {"support": 1.0, "partial_support": 0.5, "not_support": 0.0}
"""What an answer gets for a nugget; strict scores leave the half away."""
SCORES = ("strict_vital_score", "strict_all_score", "vital_score", "all_score")
"""As nuggetizer calls them; the track's V_strict, A_strict, V and A."""


def has_nuggets(content: object) -> bool:
    """Whether an object of JSON is an answer with the nuggets that were assigned to it."""
    return isinstance(content, Mapping) and {"qid", "nuggets"} <= content.keys()


def has_nugget_scores(content: object) -> bool:
    """Whether an object of JSON holds the four scores of an answer, as nuggetizer's script writes them."""
    return isinstance(content, Mapping) and {"qid", *SCORES} <= content.keys()


def rows_of_nugget_scores(where: Location, system: str, content: Any) -> Iterator[ReadRow]:
    """The four scores of an answer, as they were computed; those of the topic ``all`` are means.

    Args:
        where: the line.
        system: that is scored where the line does not say (``run_id``).
        content: the object of JSON.

    Raises:
        FormatError: the line has no such scores, or one is not a number between 0 and 1.
    """
    if not has_nugget_scores(content):
        text = f"expected an object with qid, {', '.join(SCORES)}, as nuggetizer writes it"
        raise FormatError(text, where, code="fields", value=cut(str(content)))
    run, topic = _ids(where, system, content)
    for name in SCORES:
        value = content[name]
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            text = f"the {name} {quoted(str(value))} is no number between 0 and 1"
            raise FormatError(text, where, code="score", value=cut(str(value)))
        yield where, run, topic, name, float(value)


def _ids(where: Location, system: str, content: Mapping[str, Any]) -> tuple[str, str]:
    """Run and topic of an answer."""
    run, topic = content.get("run_id", system), content["qid"]
    for key, name in (("run_id", run), ("qid", topic)):
        if not isinstance(name, str) and not (key == "qid" and type(name) is int):
            raise FormatError(f"the {key} {quoted(str(name))} is no text", where, code="id", value=cut(str(name)))
    return named(run, "system", where), named(str(topic), "topic", where)


def rows_of_nuggets(where: Location, system: str, content: Any) -> Iterator[ReadRow]:
    """The four scores of an answer.

    A topic without vital nuggets, or without any, has the score 0 there, as nuggetizer gives it.

    Args:
        where: the line of the answer.
        system: that gave it where the line does not say (``run_id``).
        content: the object of JSON.

    Raises:
        FormatError: the line is no such answer, or a nugget's importance or assignment is none of the known ones.
    """
    if not has_nuggets(content) or not isinstance(content["nuggets"], Sequence) or isinstance(content["nuggets"], str):
        text = "expected an answer with qid and a list of nuggets, as nuggetizer writes it"
        raise FormatError(text, where, code="fields", value=cut(str(content)))
    run, topic = _ids(where, system, content)
    judged = [_judged(where, number, nugget) for number, nugget in enumerate(content["nuggets"], 1)]
    vital = [credit for importance, credit in judged if importance == "vital"]
    every = [credit for _, credit in judged]
    values = (_strict(vital), _strict(every), _mean(vital), _mean(every))
    for name, value in zip(SCORES, values, strict=True):
        yield where, run, topic, name, value


def _judged(where: Location, number: int, nugget: Any) -> tuple[str, float]:
    """Importance of a nugget, and what the answer gets for it."""
    content = nugget if isinstance(nugget, Mapping) else {}
    for key, known in (("importance", IMPORTANCE), ("assignment", tuple(CREDIT))):
        value = content.get(key)
        if value not in known:
            problem = f"has no {key}" if value is None else f"has the {key} {quoted(str(value))}"
            text = f"nugget {number} {problem}: it should be one of {', '.join(known)}"
            raise FormatError(text, where, code="label", value=cut(str(value)))
    return content["importance"], CREDIT[content["assignment"]]


def _mean(credits: Sequence[float]) -> float:
    return sum(credits) / len(credits) if credits else 0.0


def _strict(credits: Sequence[float]) -> float:
    return _mean([float(credit == 1.0) for credit in credits])
