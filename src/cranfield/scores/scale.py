"""The scale of a measure's scores: its name, its summary over topics, its direction, and their signature.

The one summary of a measure's scores over topics, and the one order of systems: by their means, best first, equal ones
by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np

from cranfield._text import cut, shown
from cranfield._typing import Floats, Ints
from cranfield.errors import InputError, MeasureError
from cranfield.findings.location import Location
from cranfield.measures import Measure, Summary, parse_measures, summary
from cranfield.scores.named_direction import ENDS, read_name

DECIMALS = 12
"""Means that are equal by rights differ further behind the point, by the order in which their scores were added."""


def comparable(means: Floats, larger_is_better: bool = True) -> Floats:
    """Means without the noise of their summation, larger is better."""
    signed = means if larger_is_better else -means
    with np.errstate(over="ignore", invalid="ignore"):
        rounded: Floats = np.round(signed, DECIMALS)
    # Rounding multiplies first, which the largest numbers do not survive.
    return np.where(np.isfinite(rounded), rounded, signed)


def best_first(means: Floats, names: Sequence[str], larger_is_better: bool = True) -> list[int]:
    """Ranks of the means from best to worst, equal ones by name, NaN last."""
    keys = _nan_last(comparable(means, larger_is_better)).tolist()
    return sorted(range(len(names)), key=lambda index: (-keys[index], names[index]))


def ranks(means: Floats, larger_is_better: bool = True) -> Ints:
    """1 for the best; equal ones share the smallest, NaN is last."""
    keys = _nan_last(comparable(means, larger_is_better))
    # Ranks from the worst, counted from behind.
    from_best: Ints = len(keys) + 1 - np.searchsorted(np.sort(keys), keys, side="right")
    return from_best


def _nan_last(means: Floats) -> Floats:
    return np.where(np.isnan(means), -np.inf, means)


HUGE = 1e100
"""Sums of squares of scores below this, and above its reciprocal, neither overflow nor vanish."""


def refuse_out_of_range(measure: str, largest: float) -> None:
    """Raises: InputError: scores go up to numbers whose squares are lost."""
    if largest and not 1 / HUGE < largest < HUGE:
        text = f"{shown(measure)} goes up to {largest:g}, whose square is lost: rescale the scores"
        raise InputError(text, code="overflow", value=f"{largest:g}")


@dataclass(frozen=True)
class Scale:
    """The scale of a measure, ours or a third party's: attributes by which its scores are read.

    Args:
        name: of the measure.
        attributes: ``summary`` over topics, whether ``larger_is_better``, and where a peer's quirk
            gives one number for all systems, that ``peer_summary`` of that many ``peer_summary_topics``.
        source: signature of what made the scores; None where nothing is known.
    """

    name: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    source: Any = None

    @classmethod
    def called(cls, name: str, source: Any = None) -> Scale:
        """Return the scale of a measure by its name; an unknown one is averaged, and its direction stays unsaid."""
        if parsed := _parsed(name):
            return cls(name, parsed[0].declaration.attributes, source)
        return cls(name, {"summary": "mean"}, source)

    @classmethod
    def from_metadata(cls, name: str, own: Mapping[str, Any], where: Location) -> Scale:
        """The scale of a measure that a file describes by attributes of its ``own``.

        Raises:
            InputError: it says something else of a measure whose facts are known.
        """
        measure, _, end = name.rpartition(" ")
        known = cls.called(measure if end in ENDS else name)
        if is_known(name):
            for fact in ("larger_is_better", "summary"):
                if fact in own and own[fact] != known.attributes[fact]:
                    text = (
                        f"{shown(name)}: the file says {fact} {shown(str(own[fact]))}, and of {shown(name)} it is "
                        f"{known.attributes[fact]}: correct the file, or call these scores otherwise"
                    )
                    raise InputError(text, where, code="contradiction", value=cut(str(own[fact])))
        return cls(name, {**known.attributes, **own})

    @property
    def direction(self) -> str:
        """The direction in words, and its source, for captions; empty where the measure is known."""
        if is_known(self.name):
            return ""
        if not self.says_direction and read_name(self.name) is None:
            return "larger is better, as nothing says otherwise"
        better = "larger is better" if self.larger_is_better else "smaller is better"
        return better if self.says_direction else better + ", by its name"

    @property
    def summary(self) -> Summary:
        """The summary of scores over topics; the mean, where nothing else is known."""
        declared = self.attributes.get("summary")
        return declared if isinstance(declared, str) and declared in get_args(Summary) else "mean"  # type: ignore[return-value]

    @property
    def larger_is_better(self) -> bool:
        """True if larger scores are better: as is said, or by the words of the name, or else by default."""
        said = self.attributes.get("larger_is_better")
        return read_name(self.name) is not False if said is None else bool(said)

    @property
    def says_direction(self) -> bool:
        """True if the direction is said and not a default; see ``scores.direction``."""
        return "larger_is_better" in self.attributes

    @property
    def has_topics(self) -> bool:
        """True if a topic has a value, as it has none in a geometric mean."""
        return self.summary != "geometric mean"


def is_known(name: str) -> bool:
    """Tell whether a name is of one of our measures, so that direction and summary are facts; "AP lower" as AP."""
    measure, _, end = name.rpartition(" ")
    return bool(_parsed(measure if end in ENDS else name))


def _parsed(name: str) -> list[Measure]:
    """The measure of this name; nothing where there is none, or several."""
    try:
        parsed = list(parse_measures(name))
    except MeasureError:
        return []
    return parsed if len(parsed) == 1 else []


def summarize_scores(scale: Scale, cells: Floats) -> Floats:
    """Each system's summary over topics, [topics, systems] -> [systems]; NaN cells are left out.

    A peer's one number for all systems holds for the topics that it was made of, and no others.
    """
    peer = scale.attributes.get("peer_summary")
    if peer is not None and scale.attributes.get("peer_summary_topics") == len(cells):
        return np.full(cells.shape[1], peer, dtype=np.float64)
    return summary(scale.summary, cells.T)
