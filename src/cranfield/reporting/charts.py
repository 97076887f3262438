"""The charts of a section: each form that the page's script can draw, as plain numbers, and what cannot be drawn.

The script chooses sizes, colours and labels. Systems and topics are numbers of the page's names, by which a chart links
to their pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeAlias

from cranfield._typing import Returned
from cranfield.charts import form as forms
from cranfield.io.redaction import PathRedactor
from cranfield.reporting.content import (
    CellContent,
    Figure,
    FilledColumns,
    Gap,
    PageColumn,
    Picture,
    Section,
    Table,
    make_cell,
    map_plain,
)
from cranfield.reporting.runner import AnalysisOutcome, error_message

FormData: TypeAlias = dict[str, Any]
DIGITS = 5
"""Significant digits of numbers in charts: more than a screen shows."""


class SectionCharts:
    """Draws the charts of a section, and notes what cannot be drawn.

    Args:
        redact: rewrites texts that name files for a page.
    """

    def __init__(self, redact: PathRedactor) -> None:
        self.redact = redact
        self.figures: list[Figure] = []
        self.missing: list[Gap] = []

    def add(self, outcome: AnalysisOutcome[Returned], what: str, draw: Callable[[Returned], Figure]) -> None:
        """Draw a result, or note why there is none; nothing where the analysis was not requested.

        Args:
            outcome: of the analysis.
            what: a noun for the figure, for the reason.
            draw: makes the figure of the result.
        """
        result = outcome.result
        if outcome.reason is not None:
            self.omit(what, outcome.reason)
        elif result is not None:
            self.draw(what, lambda: draw(result))

    def draw(self, what: str, figure: Callable[[], Figure]) -> None:
        """Draw a figure that needs no analysis of its own, or note why it cannot be drawn."""
        try:
            self.figures.append(figure())
        except Exception as error:
            self.omit(what, self.redact(error_message(error)))

    def omit(self, what: str, why: str, *, warned: bool = True) -> None:
        """Note that something is not shown, and why; see ``Gap``."""
        gap = Gap(what, why, warned)
        if gap not in self.missing:
            self.missing.append(gap)

    def complete(self, section: Section, paragraphs: Sequence[str] = (), tables: Sequence[Table] = ()) -> Section:
        """Return the section with these charts, its paragraphs and tables."""
        figures, missing = tuple(self.figures), tuple(self.missing)
        return replace(section, paragraphs=tuple(paragraphs), figures=figures, tables=tuple(tables), missing=missing)


def make_figure(
    id_: str,
    form: forms.Form,
    systems: Mapping[str, int] = MappingProxyType({}),
    topics: Mapping[str, int] = MappingProxyType({}),
    *,
    held: bool = False,
) -> Figure:
    """Return a form as a figure of the page.

    Args:
        id_: names it on the page and as a file.
        form: what is drawn.
        systems, topics: name -> its number among the names of the page, where the form has any.
        held: whether the page holds the numbers of its cells anyway, as scores.
    """
    drawn = _list_numbers(form, systems, topics, held=held)
    notes = " ".join(filter(None, [f"{form.counts}.", *form.notes, form.remarks]))
    return Figure(id_, form.title, form.sentence, notes, drawn)


def make_row_picture(form: forms.Intervals, columns: tuple[str, str, str]) -> Picture:
    """Return a form as drawings in the rows of a table that has its numbers: ``columns`` of the point and the ends."""
    return Picture(f"{form.value}, {form.interval}", columns, columns[1])


def make_ranks(form: forms.Intervals, names: Sequence[str], *, hidden: bool) -> tuple[FilledColumns, Picture]:
    """Return columns of ranks, and of the ends of their intervals, with their drawing.

    Args:
        form: of the ranks.
        names: in the order of the rows.
        hidden: whether the ends are shown where a reader chooses them.
    """
    rows = {row.system: row for row in form.rows}
    ends = f"end of the {form.interval} of the rank, all {form.of}s together"
    columns: FilledColumns = [
        (PageColumn("rank", "whole"), [int(rows[name].value) for name in names]),
        (PageColumn("best rank", "whole", f"upper {ends}", hidden), [int(rows[name].low) for name in names]),
        (PageColumn("worst rank", "whole", f"lower {ends}", hidden), [int(rows[name].high) for name in names]),
    ]
    return columns, make_row_picture(form, ("rank", "best rank", "worst rank"))


def _list_numbers(form: forms.Form, systems: Mapping[str, int], topics: Mapping[str, int], *, held: bool) -> FormData:
    """Return what the script draws; see ``make_figure``."""
    match form:
        case forms.Lines():
            return _form(
                "lines",
                x=str(form.x),
                y=str(form.y),
                series=[[name, [_trim(point) for point in curve]] for name, curve in form.series.items()],
                marks=form.rules,
                step=form.step,
                band=form.interval == "band",
                percent=form.y.share,
            )
        case forms.Matrix():
            return _form("matrix", names=form.names, values=form.values)
        case forms.Strips():
            return _form(
                "strips",
                x=str(form.x),
                rows=[" · ".join(names) for names in form.rows],
                kinds=form.kinds,
                marks=[_link(mark, systems) for mark in form.marks],
                numbered=form.numbered,
            )
        case forms.Boxes():
            boxes = [_place(one, topics[one.topic], form.floor) for one in form.boxes]
            return _form("boxes", y=str(form.y), floor=form.floor, classes=form.classes, boxes=boxes)
        case _:
            return _list_names_and_numbers(form, systems, topics, held=held)


def _list_names_and_numbers(
    form: forms.Form, systems: Mapping[str, int], topics: Mapping[str, int], *, held: bool
) -> FormData:
    """Return what the script draws of forms whose marks are of a system, of a topic, or of both."""
    match form:
        case forms.Intervals():
            rows = [(systems[row.system], *row[1:-1], *filter(None, row[-1:])) for row in form.rows]
            names = {name: getattr(form, name) for name in ("value", "interval", "outer", "tick")}
            return _form("intervals", x=str(form.x), whole=form.x.whole, rows=rows, **names)
        case forms.Heat():
            return _form(
                "heat",
                measure=form.of.label,
                systems=[systems[name] for name in form.systems],
                topics=[topics[name] for name in form.topics],
                smaller=form.smaller,
                domain=form.domain,
                sizes=form.sizes,
                parts=form.parts,
                **({} if held else {"values": form.values}),
            )
        case forms.Points():
            numbers = systems if form.of == "system" else topics
            return _form(
                "points",
                x=str(form.x),
                y=str(form.y),
                kind=form.of,
                points=[_shorten_point(point, numbers) for point in form.points],
                shade=form.shade,
                contours=form.contours,
                group=form.group,
                diagonal=form.diagonal,
            )
        case forms.Tree():
            return _form("tree", x=str(form.x), leaves=[systems[name] for name in form.leaves], joints=form.joints)
        case forms.Bars():
            bars = [(topics[bar.topic], *bar[1:]) for bar in form.bars]
            return _form("bars", y=str(form.y), kind="topic", signed=True, bars=bars, rules=form.rules)
        case forms.SystemBars():
            scores = [(systems[bar.system], bar.value) for bar in form.bars]
            return _form("bars", y=str(form.y), kind="system", bars=scores)
        case forms.SystemRanges():
            lines = [(topics[line.topic], *line[1:5]) for line in form.ranges]
            return _form("ranges", y=str(form.y), kinds=form.kinds, smaller=form.smaller, ranges=lines)
        case _:
            raise TypeError(type(form).__name__)


def _trim(point: forms.CurvePoint) -> tuple[float, ...]:
    """Return a point without the ends of an interval that it does not have."""
    return point[: 5 if point.hollow else 4 if point.low == point.low else 2]


def _link(mark: forms.StripMark, numbers: Mapping[str, int]) -> tuple[object, ...]:
    """Return a mark with the number of its system, or with no more than it has."""
    if mark.system:
        return (mark.row, mark.kind, mark.value, None, None, numbers[mark.system])
    return mark[: 5 if mark.low == mark.low else 3]


def _shorten_point(point: forms.Point, numbers: Mapping[str, int]) -> tuple[object, ...]:
    """Return a point with its number, without a shade and a note that it does not have."""
    rest: tuple[object, ...] = (point.shade, point.note) if point.note or point.shade == point.shade else ()
    return (numbers[point.name], point.x, point.y, *rest)


def _place(box: forms.Box, topic: int, floor: float) -> tuple[object, ...]:
    """Return a box with the number of its topic; what lies below the floor is drawn there, once."""
    return (topic, *box[1:8], sorted({max(floor, value) for value in box.beyond.values()}))


def _form(name: str, **values: Any) -> FormData:
    """Return a form with short numbers."""
    return {"form": name, **{key: map_plain(value, _shorten) for key, value in values.items()}}


def _shorten(value: object) -> CellContent:
    """Round a number; one that is unknown becomes None."""
    cell = make_cell(value)
    return float(f"{cell:.{DIGITS}g}") if isinstance(cell, float) else cell
