"""What a chart is, before anything is drawn: its words, its axes and plain numbers.

The page's script and ``cranfield.plot`` draw the same forms. A form names systems and topics as the results do; how
names are written, shortened and escaped is decided where they are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

UNKNOWN = float("nan")
"""A number that there is not; it is not drawn."""


@dataclass(frozen=True)
class Axis:
    """An axis of numbers.

    Args:
        label: what is counted or measured.
        unit: of the numbers; empty where they have none.
        share: whether they are shares, written in percent.
    """

    label: str
    unit: str = ""
    share: bool = False

    def __str__(self) -> str:
        """The label with its unit, as both drawings write it.

        >>> str(Axis("information tau", "bits"))
        'information tau, bits'
        """
        return f"{self.label}, {self.unit}" if self.unit else self.label


@dataclass(frozen=True, kw_only=True)
class Form:
    """A chart: its words. A subclass adds the axes and numbers of one kind of marks.

    Args:
        title: what is shown.
        sentence: what can be seen in it.
        counts: of how much it is, such as ``50 topics, 6 systems``.
        notes: how to read the marks, a short sentence each.
        remarks: what else to know before something is concluded from it, where there is room for a paragraph.
    """

    title: str
    sentence: str
    counts: str
    notes: tuple[str, ...] = ()
    remarks: str = ""


class CurvePoint(NamedTuple):
    """A point of a curve, with the ends of its interval; ``hollow`` where the number is to be read with care."""

    x: float
    y: float
    low: float = UNKNOWN
    high: float = UNKNOWN
    hollow: bool = False


class Rule(NamedTuple):
    """A dashed line across an axis at a value, with its label."""

    axis: Literal["x", "y"]
    value: float
    label: str


@dataclass(frozen=True, kw_only=True)
class Lines(Form):
    """A curve for each series.

    Args:
        x, y: the axes.
        of: what the series are.
        series: name -> its points, from the left.
        rules: dashed lines.
        step: whether a curve holds its height up to the next point.
        interval: the way that intervals are drawn.
    """

    x: Axis
    y: Axis
    of: str
    series: Mapping[str, tuple[CurvePoint, ...]]
    rules: tuple[Rule, ...] = ()
    step: bool = False
    interval: Literal["bar", "band"] = "bar"


@dataclass(frozen=True, kw_only=True)
class Matrix(Form):
    """A cell for every two names, the stronger the larger its number.

    Args:
        of: what the numbers are.
        names: of rows and columns.
        values: rows by columns; what is undefined stays empty.
    """

    of: str
    names: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]


class StripMark(NamedTuple):
    """A mark on the line of a row, of a kind; with the ends of its interval, and the system that it is of."""

    row: int
    kind: int
    value: float
    low: float = UNKNOWN
    high: float = UNKNOWN
    system: str = ""


@dataclass(frozen=True, kw_only=True)
class Strips(Form):
    """A line for each row with marks of several kinds on it.

    Args:
        x: the axis.
        rows: the names in each row's label, one or two.
        kinds: names of the kinds of marks.
        marks: in any order.
        numbered: whether values are written beside marks that are not of a system.
    """

    x: Axis
    rows: tuple[tuple[str, ...], ...]
    kinds: tuple[str, ...]
    marks: tuple[StripMark, ...]
    numbered: bool = False


class Box(NamedTuple):
    """A box plot of one topic: Tukey's numbers, the ease, the class, and what lies beyond the whiskers.

    Args:
        topic: its name.
        low, q1, median, q3, high: ends of the whiskers and of the box, and the line in it.
        ease: of the topic.
        class_: number of its class.
        beyond: values beyond the whiskers, by system.
    """

    topic: str
    low: float
    q1: float
    median: float
    q3: float
    high: float
    ease: float
    class_: int
    beyond: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class Boxes(Form):
    """A box plot for each topic.

    Args:
        y: the axis.
        floor: lower end of the axis; what lies below is drawn there.
        classes: names of the classes, which the colours show.
        boxes: from the left.
    """

    y: Axis
    floor: float
    classes: tuple[str, ...]
    boxes: tuple[Box, ...]
