"""The direction of a measure, larger or smaller is better, and its source: a verdict never guesses it.

It is known of measures of this package, and of what the scores or the call say; some names say it by a word, as
``latency_ms`` or ``answer_relevancy``. Otherwise it is unknown: ``find_direction`` gives None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from cranfield._message import setting
from cranfield._text import quoted, shown
from cranfield._validation import list_names
from cranfield.errors import InputError, UsageError
from cranfield.scores.named_direction import ENDS, read_name
from cranfield.scores.scale import Scale, is_known

How = Literal["measure", "said", "name"]


class Direction(NamedTuple):
    """The direction in which scores of a measure are better.

    Args:
        larger_is_better: whether larger ones are.
        how: that is known: it is a ``measure`` of this package; the scores or the call have ``said`` so; or its
            ``name`` says so.
    """

    larger_is_better: bool
    how: How

    @property
    def sentence(self) -> str:
        """The direction in words, for captions; empty for a measure of this package, of which it is known."""
        if self.how == "measure":
            return ""
        better = "larger is better" if self.larger_is_better else "smaller is better"
        return better + ", by its name" * (self.how == "name")


def find_direction(name: str, *, larger_is_better: bool, said: bool) -> Direction | None:
    """The direction of a measure; None where nothing says it.

    Args:
        name: of the measure.
        larger_is_better: what its scores are taken for.
        said: whether the scores themselves say so, so that this is not a default.
    """
    if is_known(name):
        measure, _, end = name.rpartition(" ")
        fact = Scale.called(measure if end in ENDS else name).larger_is_better
        if not said or larger_is_better == fact:
            return Direction(fact, "measure")
    if said:
        return Direction(larger_is_better, "said")
    named = read_name(name)
    return None if named is None else Direction(named, "name")


def choose_directions(
    known: Mapping[str, Direction | None], larger: str | Sequence[str], smaller: str | Sequence[str]
) -> dict[str, Direction | None]:
    """The directions of measures, where a call says some of them.

    Args:
        known: measure -> its direction without that.
        larger: measures of which the call says that larger is better.
        smaller: those of which it says that smaller is.

    Raises:
        UsageError: a name is none of the measures, in both, or of a measure of which the opposite is known.
    """
    chosen = dict(known)
    for option, names, is_larger in (("larger_is_better", larger, True), ("smaller_is_better", smaller, False)):
        for name in list_names(**{option: names}):
            if name not in known:
                raise UsageError(
                    f"{setting(option)}: {quoted(name)} is none of the measures {', '.join(map(shown, known))}"
                )
            before = known[name]
            if before is not None and before.how == "measure" and before.larger_is_better != is_larger:
                better = "larger" if before.larger_is_better else "smaller"
                raise UsageError(
                    f"{setting(option)}: {shown(name)} is a measure of which {better} is better: call other scores "
                    "otherwise"
                )
            if not is_larger and name in list_names(larger_is_better=larger):
                raise UsageError(f"{setting('larger_is_better')} and {setting('smaller_is_better')} both name {name}")
            if before is None or before.how != "measure":
                chosen[name] = Direction(is_larger, "said")
    return chosen


def require_directions(directions: Mapping[str, Direction | None], what: str) -> dict[str, Direction]:
    """The directions, all of which a verdict needs.

    Args:
        directions: measure -> its direction.
        what: needs them.

    Raises:
        InputError: nothing says the direction of a measure.
    """
    unknown = [name for name, direction in directions.items() if direction is None]
    if unknown:
        raise InputError(
            f"{what} needs to know whether larger or smaller is better, and nothing says so of "
            f"{', '.join(map(shown, unknown))}: give each of these names with {setting('larger_is_better')} or "
            f"{setting('smaller_is_better')}",
            code="no-direction",
            value=unknown[0],
        )
    return {name: direction for name, direction in directions.items() if direction is not None}
