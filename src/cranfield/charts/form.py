"""The forms of charts: words, axes and plain numbers, before anything is drawn.

The page's script and ``cranfield.plot`` draw the same forms. A form names systems and topics as the results do; how
names are written, shortened and escaped is decided where they are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from cranfield.statistics.chart_statistics import Bracket

UNKNOWN = float("nan")
"""A number that there is not; it is not drawn."""


@dataclass(frozen=True)
class Axis:
    """An axis of numbers.

    Args:
        label: what is counted or measured.
        unit: of the numbers; empty where they have none.
        share: whether they are shares, written in percent.
        whole: whether they are whole numbers from 1, such as ranks.
    """

    label: str
    unit: str = ""
    share: bool = False
    whole: bool = False

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


class RuleLine(NamedTuple):
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
    rules: tuple[RuleLine, ...] = ()
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


class Interval(NamedTuple):
    """A row: a system's number, its interval, a wider one and a number to compare it with, where there are any.

    ``note`` is what else is to be said of it.
    """

    system: str
    value: float
    low: float
    high: float
    outer_low: float = UNKNOWN
    outer_high: float = UNKNOWN
    tick: float = UNKNOWN
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Intervals(Form):
    """A row for each system: a bar for its interval, with a point in it that never hides the bar.

    Args:
        x: the axis.
        rows: from the top.
        value, interval: what the points and the bars are.
        outer, tick: what the thin lines and the ticks are; empty where there are none.
        of: what the rows are.
    """

    x: Axis
    rows: tuple[Interval, ...]
    value: str
    interval: str
    outer: str = ""
    tick: str = ""
    of: Literal["system", "team"] = "system"


@dataclass(frozen=True, kw_only=True)
class Heat(Form):
    """A cell for each system and topic, the stronger the better its number.

    Args:
        of: what the numbers are.
        systems, topics: from the top, and from the left.
        values: systems by topics; a cell that is undefined stays empty.
        smaller: whether the smaller number is the better one.
        domain: ends of the scale; those of the numbers where None.
        sizes: how many ``parts`` each topic has, of which the numbers are shares; empty where there are none.
        parts: their name.
    """

    of: Axis
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    smaller: bool = False
    domain: tuple[float, float] | None = None
    sizes: tuple[int, ...] = ()
    parts: str = ""


class Point(NamedTuple):
    """A system or a topic in a plane; with a number to shade it by, and what else is to be said of it."""

    name: str
    x: float
    y: float
    shade: float = UNKNOWN
    note: str = ""


class Contour(NamedTuple):
    """A straight line on which something has the same level."""

    group: str
    level: float
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, kw_only=True)
class Points(Form):
    """Points in a plane, with names where they have room.

    Args:
        x, y: the axes.
        of: what the points are.
        points: those that are named first come first.
        shade: what the shades are; empty without any.
        contours: lines below them.
        group: what distinguishes contours; empty without any.
        diagonal: whether both axes are the same, with a line on which both numbers are equal.
    """

    x: Axis
    y: Axis
    of: Literal["system", "topic"]
    points: tuple[Point, ...]
    shade: str = ""
    contours: tuple[Contour, ...] = ()
    group: str = ""
    diagonal: bool = False


@dataclass(frozen=True, kw_only=True)
class Tree(Form):
    """A tree of systems.

    Args:
        x: the axis of heights.
        leaves: names from the top.
        joints: of two parts each.
    """

    x: Axis
    leaves: tuple[str, ...]
    joints: tuple[Bracket, ...]


class Bar(NamedTuple):
    """A topic's difference of two scores, and these."""

    topic: str
    value: float
    first: float
    second: float


@dataclass(frozen=True, kw_only=True)
class Bars(Form):
    """A bar for each topic, up or down from 0.

    Args:
        y: the axis.
        names: of the two systems.
        bars: from the left.
        rules: dashed lines across.
    """

    y: Axis
    names: tuple[str, str]
    bars: tuple[Bar, ...]
    rules: tuple[RuleLine, ...] = ()


class Range(NamedTuple):
    """A system's score on a topic beside those of all systems, and whether it is worse than their median."""

    topic: str
    value: float
    best: float
    median: float
    worst: float
    under: bool


@dataclass(frozen=True, kw_only=True)
class SystemRanges(Form):
    """A line for each topic from the worst to the best score, with the median and one system's own.

    Args:
        y: the axis.
        kinds: names of the system's score, of one worse than the median, of the median and of the line.
        ranges: from the left.
        smaller: whether the smaller number is the better one.
    """

    y: Axis
    kinds: tuple[str, ...]
    ranges: tuple[Range, ...]
    smaller: bool = False


class SystemBar(NamedTuple):
    """A system's score."""

    system: str
    value: float


@dataclass(frozen=True, kw_only=True)
class SystemBars(Form):
    """A bar for each system.

    Args:
        y: the axis.
        bars: from the left.
    """

    y: Axis
    bars: tuple[SystemBar, ...]
