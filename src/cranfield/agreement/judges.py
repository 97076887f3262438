"""Several judges by name: their judgments, the reference among them, and the level from which each calls relevant."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from cranfield._message import setting
from cranfield._text import quoted, warn
from cranfield._validation import one_or_more
from cranfield.collection.ids import refuse_equal_keys
from cranfield.collection.qrels import Qrels
from cranfield.errors import InputError, UsageError
from cranfield.io.formats.quepid import list_judges
from cranfield.io.inputs import QrelsLike, convert_qrels
from cranfield.io.source import as_text
from cranfield.io.system_names import system_names, warn_of_copies
from cranfield.memory import require
from cranfield.scores.signature import sign_qrels

Judges = Mapping[str, QrelsLike] | Sequence[QrelsLike]
Levels = float | Mapping[str, float]
CombineBy: TypeAlias = Literal["majority", "votes", "weighted", "plurality", "median", "mean", "dawid-skene"]
"""The method by which labels of several judges are combined."""
CombinedBy: TypeAlias = CombineBy | Sequence[CombineBy]


def warn_of_irrelevant(judgments: Mapping[str, Qrels], levels: Mapping[str, float]) -> None:
    """Warn of a judge without any relevant document."""
    for name, qrels in judgments.items():
        if len(qrels.grade) and qrels.grade.max() < levels[name]:
            warn(f"{quoted(name)} has no label of {levels[name]:g} or more, and so no relevant document")


def name_judges(judges: Judges, *, least: int = 2, **options: Any) -> dict[str, Qrels]:
    """Return judgments by name.

    Raises:
        InputError: two of one name.
        UsageError: fewer than ``least``.
    """
    if isinstance(judges, Mapping):
        refuse_equal_keys(judges, "the judges", "judge")
        named = {str(name): convert_qrels(judge, **options) for name, judge in judges.items()}
    else:
        named = {}
        sources = one_or_more(judges)
        if all(isinstance(judge, (str, os.PathLike)) for judge in sources):
            # As for runs: files of one name are called by their folders too.
            paths = [path for judge in sources for path in list_judges(as_text(judge))]
            return name_judges(dict(zip(system_names(paths, "judgments"), paths, strict=True)), least=least, **options)
        for judge in sources:
            qrels = convert_qrels(judge, **options)
            if qrels.name in named:
                raise InputError(f"two judgments are called {quoted(qrels.name)}: give them as name -> judgments")
            named[qrels.name] = qrels
    if len(named) < least:
        number = {1: "one set of", 2: "two"}.get(least, f"{least}")
        raise UsageError(f"agreement needs at least {number} judgments, and there is {len(named)}")
    return named


def choose_reference(judges: Mapping[str, object], reference: str | None) -> str:
    """Return the name of the reference, by default the first."""
    if reference is None:
        return next(iter(judges))
    if reference not in judges:
        names = ", ".join(map(quoted, judges))
        raise UsageError(f"no judge is called {quoted(reference)}: the reference must be one of {names}")
    return reference


def choose_levels(judges: Mapping[str, object], rel: Levels) -> dict[str, float]:
    """Return the smallest relevant label of each judge."""
    if not isinstance(rel, Mapping):
        return dict.fromkeys(judges, float(rel))
    for name in rel:
        if name not in judges:
            raise UsageError(
                f"{setting('rel')} names {quoted(name)}, and the judges are {', '.join(map(quoted, judges))}"
            )
    return {name: float(rel.get(name, 1.0)) for name in judges}


def sign_judges(judgments: Mapping[str, Qrels]) -> dict[str, dict[str, str]]:
    """Return the name and the hash of each judge's judgments."""
    return {name: sign_qrels(qrels) for name, qrels in judgments.items()}


LABEL = 300
"""Bytes that a label takes with its topic and document, about as many as were measured."""


def require_memory_of_labels(judgments: Mapping[str, Qrels]) -> None:
    """Refuse labels that do not fit into the memory allowed.

    Raises:
        InputError: they do not.
    """
    count = sum(len(qrels.grade) for qrels in judgments.values())
    require(LABEL * count, f"{count:,} labels of {len(judgments)} judges", "give fewer judges, or fewer topics")


def list_labels(judgments: Mapping[str, Qrels]) -> dict[str, dict[tuple[str, str], float]]:
    """Return judge -> (topic, document) -> label.

    Raises:
        InputError: they would not fit into the memory allowed.
    """
    require_memory_of_labels(judgments)
    return {
        name: {(topic, document): label for topic, pool in qrels.to_dict().items() for document, label in pool.items()}
        for name, qrels in judgments.items()
    }


def warn_of_equal_judges(judgments: Mapping[str, Qrels], levels: Mapping[str, float]) -> None:
    """Warn of a judge under two names; the same labels at two levels of relevance are two judges."""
    warn_of_copies((name, f"{qrels.digest} {levels[name]}", len(qrels.grade)) for name, qrels in judgments.items())
