"""How to read the scores of one measure: its name, its summary over topics, its direction, and their signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, get_args

from cranfield.errors import MeasureError
from cranfield.measures import Measure, Summary, parse_measures
from cranfield.records import record

ENDS = ("lower", "upper")
"""Of the interval of a score, in this order everywhere; "AP lower" is the least that AP could be."""


@record(frozen=True)
class Scale:
    """What the scores of a measure, ours or a third party's, say of it.

    Args:
        name: of the measure.
        attributes: ``summary`` over topics, whether ``larger_is_better``, and where a peer's quirk
            gives one number for all systems, that ``peer_summary`` of so many ``peer_summary_topics``.
        source: signature of what made the scores; None where nothing is known.
    """

    name: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    source: Any = None

    @classmethod
    def of(cls, measure: Measure, more: Mapping[str, Any], source: Any) -> Scale:
        """The scale of one of our measures, with ``more`` attributes."""
        return cls(str(measure), {**measure.declaration.attributes, **more}, source)

    @classmethod
    def called(cls, name: str, source: Any = None) -> Scale:
        """What is known of a measure by its name; anything unknown is averaged, and more is better."""
        try:
            parsed = parse_measures(name)
        except MeasureError:
            parsed = []
        if len(parsed) == 1:
            return cls(name, parsed[0].declaration.attributes, source)
        return cls(name, {"summary": "mean", "larger_is_better": 1}, source)

    @property
    def summary(self) -> Summary:
        """How the scores of topics make one; the mean, where nothing else is known."""
        given = self.attributes.get("summary")
        return given if isinstance(given, str) and given in get_args(Summary) else "mean"  # type: ignore[return-value]

    @property
    def larger_is_better(self) -> bool:
        """Whether it is."""
        return bool(self.attributes.get("larger_is_better", 1))

    @property
    def has_topics(self) -> bool:
        """Whether it has a value of a topic, which a geometric mean has not."""
        return self.summary != "geometric mean"
