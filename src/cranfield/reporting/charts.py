"""What the page's script can draw, each form as plain numbers: it chooses sizes, colours and labels by itself.

Systems and topics are numbers of the page's names, so that a chart links to their pages.

The charts of a section, and what could not be drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias, TypeVar

from cranfield.reporting.content import Figure, Gap, Section, Table
from cranfield.reporting.redaction import PathRedactor
from cranfield.reporting.runner import AnalysisOutcome, reason
from cranfield.reporting.tables import cell

Form: TypeAlias = dict[str, Any]
Mark: TypeAlias = tuple[Literal["x", "y"], float, str]
DIGITS = 5
"""Significant digits of numbers in charts, more than a screen shows."""


def short(form: Form) -> Form:
    """A form with short numbers; what is unknown is None."""
    return {key: _short(value) for key, value in form.items()}


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_short(item) for item in value]
    plain = cell(value)
    return float(f"{plain:.{DIGITS}g}") if isinstance(plain, float) else plain


def lines(
    x: str,
    y: str,
    series: Mapping[str, Sequence[Sequence[float]]],
    *,
    marks: Iterable[Mark] = (),
    step: bool = False,
    percent: bool = False,
) -> Form:
    """Curves.

    Args:
        x, y: titles of the axes.
        series: name -> points (x, y) or (x, y, low, high).
        marks: dashed lines: across which axis, where, and what they are.
        step: whether a curve keeps its height up to the next point.
        percent: whether y is a share.
    """
    curves = [[name, points] for name, points in series.items()]
    return short(
        {"form": "lines", "x": x, "y": y, "series": curves, "marks": list(marks), "step": step, "percent": percent}
    )


def matrix(names: Sequence[str], values: Iterable[Iterable[float]]) -> Form:
    """Coefficients of every two, rows by columns."""
    return short({"form": "matrix", "names": list(names), "values": [list(row) for row in values]})


def strips(
    x: str, rows: Sequence[str], kinds: Sequence[str], marks: Iterable[Sequence[Any]], *, numbered: bool = False
) -> Form:
    """A line for each row with marks on it.

    Args:
        x: title of the axis.
        rows, kinds: names of rows and of kinds of marks.
        marks: (row, kind, value), with (low, high) where there is an interval, or (None, None, system).
        numbered: whether values are written beside the marks.
    """
    found = {"form": "strips", "x": x, "rows": list(rows), "kinds": list(kinds), "marks": list(marks)}
    return short(found | {"numbered": numbered})


def points(
    x: str, y: str, places: Iterable[Sequence[float]], *, shade: str = "", contours: Iterable[Sequence[Any]] = ()
) -> Form:
    """Systems in a plane.

    Args:
        x, y: titles of the axes.
        places: (system, x, y), with a number to shade by where ``shade`` names it.
        shade: what the shades are.
        contours: (group, x, y, x, y) of straight lines.
    """
    found = {"form": "points", "x": x, "y": y, "points": list(places), "shade": shade, "contours": list(contours)}
    return short(found)


def tree(x: str, leaves: Sequence[int], joints: Iterable[Sequence[float]]) -> Form:
    """Systems joined: (height, place of one part, where it begins, place of the other, where it begins)."""
    return short({"form": "tree", "x": x, "leaves": list(leaves), "joints": list(joints)})


def boxes(y: str, floor: float, classes: Sequence[str], found: Iterable[Sequence[Any]]) -> Form:
    """Box plots of topics: (topic, low, q1, median, q3, high, ease, class, outliers)."""
    return short({"form": "boxes", "y": y, "floor": floor, "classes": list(classes), "boxes": list(found)})


def heat(measure: str, systems: Sequence[int], topics: Sequence[int], values: Any = None, *, smaller: bool) -> Form:
    """Cells of systems by topics; those of the page's own scores by ``measure`` where no values are given."""
    found: Form = {"form": "heat", "measure": measure, "systems": list(systems), "topics": list(topics)}
    return short(found | {"smaller": smaller} | ({} if values is None else {"values": values}))


def ranges(y: str, topics: Sequence[int], found: Iterable[Sequence[float]]) -> Form:
    """Of each topic one system's score among those of all: (score, best, median, worst)."""
    return short({"form": "ranges", "y": y, "topics": list(topics), "ranges": list(found)})


T = TypeVar("T")


class Drawings:
    """The charts of a section, and what could not be drawn.

    Args:
        public: how a text that names files is written on a page.
    """

    def __init__(self, public: PathRedactor) -> None:
        self.public = public
        self.figures: list[Figure] = []
        self.missing: list[Gap] = []

    def add(self, answer: AnalysisOutcome[T], what: str, draw: Callable[[T], Figure]) -> None:
        """Draw a result, or give the reason why there is none; nothing where it was not asked.

        Args:
            answer: of the analysis.
            what: the figure in words, for the reason.
            draw: of the result.
        """
        result = answer.result
        if answer.reason is not None:
            self.leave_out(what, answer.reason)
        elif result is not None:
            self.draw(what, lambda: draw(result))

    def draw(self, what: str, figure: Callable[[], Figure]) -> None:
        """Draw what needs no analysis of its own, or say why it is not drawn."""
        try:
            self.figures.append(figure())
        except Exception as error:
            self.leave_out(what, self.public(reason(error)))

    def leave_out(self, what: str, why: str, *, warned: bool = True) -> None:
        """Say that something is not shown, and why; see ``Gap``."""
        gap = Gap(what, why, warned)
        if gap not in self.missing:
            self.missing.append(gap)

    def section(self, empty: Section, words: Sequence[str] = (), tables: Sequence[Table] = ()) -> Section:
        """A section with these charts, its words and tables."""
        figures, missing = tuple(self.figures), tuple(self.missing)
        return replace(empty, words=tuple(words), figures=figures, tables=tuple(tables), missing=missing)
