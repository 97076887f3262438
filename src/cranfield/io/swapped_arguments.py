"""Runs given in the place of judgments and judgments in the place of runs, wherever that can be seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cranfield._validation import is_number
from cranfield.collection.column_names import Columns
from cranfield.collection.frames import Table, has_value, is_frame
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.errors import UsageError
from cranfield.io.error_messages import ORDER

LARGEST = 10
"""Labels are rarely larger, and the scores of a run seldom all as small."""
SEVERAL = 3
"""That many different labels of one topic that are not whole numbers are scores, and one less if the scores look like
labels."""

Numbers = list[Any]


def refuse_qrels(runs: Any, columns: Columns = None) -> None:
    """Raises: UsageError: judgments in the place of a run."""
    if isinstance(runs, Qrels):
        raise UsageError(f"Qrels are given as a run: are runs and qrels exchanged? {ORDER}")
    if isinstance(runs, Table) and has_value(runs, "label", columns) and not has_value(runs, "score", columns):
        raise UsageError(f"a frame with labels and no scores is given as a run: is this a qrels? {ORDER}")


def refuse_run(qrels: Any, columns: Columns = None) -> None:
    """Raises: UsageError: a run in the place of judgments."""
    if isinstance(qrels, Run):
        raise UsageError(f"a Run is given as qrels: are runs and qrels exchanged? {ORDER}")
    if isinstance(qrels, Mapping) and any(
        type(value) is not dict and (isinstance(value, Run) or is_frame(value)) for value in qrels.values()
    ):
        raise UsageError(f"several runs are given as qrels: are runs and qrels exchanged? {ORDER}")
    if isinstance(qrels, (list, tuple)) and any(isinstance(item, (Run, Mapping)) or is_frame(item) for item in qrels):
        raise UsageError(f"a {type(qrels).__name__} is no qrels: are these the runs? {ORDER}")
    if isinstance(qrels, Table) and has_value(qrels, "score", columns) and not has_value(qrels, "label", columns):
        raise UsageError(f"a frame with scores and no labels is given as qrels: is this a run? {ORDER}")


def refuse_exchanged(runs: Any, qrels: Any) -> None:
    """Refuse two dicts whose numbers say that each is in the place of the other.

    That is so where no two labels of a topic are equal and some topic has two that are not whole numbers, as is usual
    of scores, while all scores are whole numbers of at most ``LARGEST`` in size, as is usual of labels; and where
    beside this the scores hold a zero, a number below it or equal ones in a topic, or a topic has ``SEVERAL`` labels
    that are not whole numbers and some label is not a probability. Scores that count ranks up or down are never taken
    for labels, and ``Run`` and ``Qrels`` are taken at their word.

    Raises:
        UsageError: they are exchanged.
    """
    if not isinstance(qrels, Mapping) or _has_integer_labels(qrels):
        return
    labels = _pools(qrels)
    if labels is None or all(_is_integer(label) for pool in labels for label in pool):
        return
    candidates = [runs] if isinstance(runs, Mapping) else runs if isinstance(runs, (list, tuple)) else []
    scores: list[Numbers] = []
    for candidate in candidates:
        pools = _pools(candidate)
        if pools is None:
            return
        scores += pools
    if not scores or any(len(set(pool)) < len(pool) for pool in labels):
        return
    if not all(_is_integer(score) and abs(score) <= LARGEST for pool in scores for score in pool) or _follows_ranks(
        scores
    ):
        return
    most = max(sum(not _is_integer(label) for label in pool) for pool in labels)
    like_labels = any(min(pool) <= 0 or len(set(pool)) < len(pool) for pool in scores)
    like_scores = any(not 0 <= label <= 1 for pool in labels for label in pool)
    if most >= SEVERAL - like_labels and (like_labels or like_scores):
        odd = next(label for pool in labels for label in pool if not _is_integer(label))
        raise UsageError(
            f"labels such as {float(odd):g} are not whole numbers, and all scores are: are runs and qrels exchanged? "
            f"{ORDER}. If they are not, give Run.from_dict(...) and Qrels.from_dict(...)"
        )


def _has_integer_labels(qrels: Mapping[Any, Any]) -> bool:
    """Whether all labels are whole, where that is quickly seen: ints, or floats without a fraction, in two levels."""
    for pool in qrels.values():
        if not isinstance(pool, Mapping):
            return False
        kinds = set(map(type, pool.values()))
        if not (kinds <= {int} or (kinds == {float} and all(map(float.is_integer, pool.values())))):
            return False
    return True


def _pools(nested: Any) -> list[Numbers] | None:
    """The numbers of each innermost mapping; None where anything else than mappings of numbers is found."""
    try:
        return [pool for pool in _innermost(nested, 3) if pool]
    except TypeError:
        return None


def _innermost(nested: Any, levels: int) -> Iterator[Numbers]:
    """Raises: TypeError: something that is not a number, or too many levels."""
    if not isinstance(nested, Mapping) or not levels:
        raise TypeError
    values: Iterable[Any] = nested.values()
    inner = [value for value in values if isinstance(value, Mapping)]
    if len(inner) == len(nested):
        for value in inner:
            yield from _innermost(value, levels - 1)
    elif inner or not all(is_number(value) for value in nested.values()):
        raise TypeError
    else:
        yield list(nested.values())


def _follows_ranks(scores: list[Numbers]) -> bool:
    """Whether scores follow from ranks: each list holds consecutive numbers, and all begin or all end with the same."""
    if any(len(set(pool)) < len(pool) or max(pool) - min(pool) >= len(pool) for pool in scores):
        return False
    return len({min(pool) for pool in scores}) == 1 or len({max(pool) for pool in scores}) == 1


def _is_integer(value: Any) -> bool:
    return bool(value == int(value))
