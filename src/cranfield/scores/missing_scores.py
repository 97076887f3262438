"""Scores that are missing: which systems lack which topics, and what to do if an analysis cannot use such scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield._message import setting
from cranfield._text import counted, cut, quoted, warn
from cranfield._typing import Floats
from cranfield._validation import word
from cranfield.errors import InputError
from cranfield.scores.dataset import ScoresLike, as_dataset, make_table
from cranfield.scores.signature import carried

MissingScores = Literal["drop-topics", "drop-systems", "refuse"]
"""The treatment of a system that has no score on a topic on which others have one."""
REMEDY = (
    f"{setting('missing_scores', 'drop-topics')} takes the topics that all systems have, and "
    f"{setting('missing_scores', 'drop-systems')} the "
    "systems that have all topics"
)
BOARD = "`cranfield board` (in Python `cranfield.board`) ranks systems whose scores have gaps"
"""The remedy where the scores are of no runs, as those of models by tasks."""
UNEVEN = "means are over different topics and do not rank systems"
DETAILED = 3
"""Systems with gaps that a message names, at the most."""


def find_gaps(values: Floats) -> NDArray[np.bool_]:
    """Mark the cells where a system lacks a score on a topic on which another has one, [topics, systems]."""
    missing = np.isnan(values)
    gaps: NDArray[np.bool_] = missing & ~missing.all(axis=1, keepdims=True)
    return gaps


def gaps_in_words(gaps: NDArray[np.bool_], topics: Sequence[str], systems: Sequence[str]) -> str:
    """Name the systems that lack topics, and the first few of their topics.

    Args:
        gaps: [topics, systems], at least one.
        topics, systems: their names.
    """
    lacking: list[int] = np.flatnonzero(gaps.any(axis=0)).tolist()
    scored = int((~gaps.all(axis=1)).sum())
    sentences = [
        f"{quoted(systems[at])} has no score on {int(gaps[:, at].sum()):,} of {counted(scored, 'topic')} "
        f"({', '.join(_few([topics[row] for row in np.flatnonzero(gaps[:, at]).tolist()]))})"
        for at in lacking[:DETAILED]
    ]
    summary = [f"{counted(len(lacking) - DETAILED, 'more system')} lack some too"] if len(lacking) > DETAILED else []
    return "; ".join(sentences + summary)


def warn_of_gaps(
    called: str,
    values: Floats,
    topics: Sequence[str],
    systems: Sequence[str],
    *,
    paired: bool = True,
    remedies: Sequence[str] = (),
) -> None:
    """Warn where systems have scores on different topics.

    Args:
        called: name of what is measured, safe to print.
        values: [topics, systems].
        topics, systems: their names.
        paired: whether pairs are compared on the topics that both have.
        remedies: beside the usual one.
    """
    gaps = find_gaps(values)
    if gaps.any():
        tests = ", and pairs are compared on the topics that both have" if paired else ""
        description = gaps_in_words(gaps, topics, systems)
        instead = "; ".join([REMEDY, *remedies])
        warn(f"{called}: {description}; means over different topics do not rank systems{tests}: {instead}")


def fill_gaps(scores: ScoresLike, missing_scores: MissingScores | None) -> ScoresLike:
    """Scores without gaps, by leaving out topics or systems; a warning says which.

    Topics on which no system has a score by a measure are not gaps of that measure, and measures without scores of
    topics have none.

    Args:
        scores: dims (topic, system), by one measure or several.
        missing_scores: ``drop-topics`` keeps the topics that all systems have by all measures, ``drop-systems`` the
            systems that have all topics, ``refuse`` refuses; None leaves everything as it is.

    Raises:
        UsageError: an unknown word.
        InputError: there are gaps, which are to be refused, or nothing is left.
    """
    if missing_scores is None:
        return scores
    dataset = as_dataset(scores)
    word("missing_scores", missing_scores, get_args(MissingScores))
    table = make_table(dataset)
    of_topics = [number for number, scale in enumerate(table.scales) if scale.has_topics]
    gaps = np.zeros(table.values.shape[1:], dtype=np.bool_)
    for number in of_topics:
        gaps |= find_gaps(table.values[number])
    if not gaps.any():
        return dataset
    description = gaps_in_words(gaps, table.topics, table.systems)
    if missing_scores == "refuse":
        text = f"{description}, and missing scores are to be refused ({setting('missing_scores', 'refuse')}): {REMEDY}"
        topic = table.topics[int(np.argwhere(gaps)[0, 0])]
        raise InputError(text, code="missing-score", value=cut(topic))
    dim, axis = ("topic", 1) if missing_scores == "drop-topics" else ("system", 0)
    dropped = gaps.any(axis=axis)
    names = table.topics if dim == "topic" else table.systems
    if dropped.all():
        raise InputError(
            f"no {dim} is left without gaps ({description}): {setting('missing_scores', missing_scores)} leaves "
            "nothing to "
            "compare",
            code="missing-score",
        )
    left = [names[at] for at in np.flatnonzero(dropped).tolist()]
    warn(
        f"{len(left):,} of {counted(len(names), dim)} left out, with scores missing "
        f"({', '.join(_few(left))}; {setting('missing_scores', missing_scores)})"
    )
    complete = dataset.isel({dim: np.flatnonzero(~dropped)})
    for scale in table.scales:
        source = scale.source if isinstance(scale.source, dict) else {}
        complete[scale.name].attrs.update(carried({**source, "missing_scores": missing_scores}))
    return complete.drop_attrs(deep=False)


def _few(names: Sequence[str]) -> list[str]:
    return [quoted(name) for name in names[:5]] + ["..."] * (len(names) > 5)
