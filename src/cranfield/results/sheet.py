"""Rows of named columns as text: a table for people, and the formats that other programs read."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield import escaping
from cranfield._text import cut, in_full, quoted, shown
from cranfield.errors import InputError
from cranfield.results.table_text import Grid

if TYPE_CHECKING:
    import pandas as pd

Cell = str | float
"""Truth values are numbers to Python."""
FORMATS = ("table", "tsv", "csv", "json", "latex", "markdown")
P_VALUES = (
    *("p", "p_adjusted", "p_difference", "p_noninferior", "p_equivalent", "p_preference", "p_worst", "p_signs"),
)
"""Columns whose smallest numbers are shown as such: no p is 0.0000."""
TEXT_WIDTH, POINTS = 345, 5.2
"""The text of LaTeX's article, and a character of it."""
SIZES = (("", 1.0, 6), ("small", 0.925, 4), ("footnotesize", 0.85, 3), ("scriptsize", 0.8, 2))
"""Sizes of letters, the width of a digit in Computer Modern relative to the usual, and the space beside a column."""
LABELS = ("label",)
"""Columns of labels, most of which are whole numbers."""


class IntervalColumns(NamedTuple):
    """The limits of an interval, which people read in one cell."""

    low: float
    high: float


class Note(NamedTuple):
    """A sentence on a table, which people read above or below it, and programs in json.

    Args:
        code: what it says: the ``answer``, in which ``direction`` scores are better, from which ``relevance-level`` on
            documents count as relevant, or a line of the ``caption``.
        text: the sentence.
    """

    code: str
    text: str


@dataclass(frozen=True)
class Sheet:
    """The output of a command.

    Args:
        columns: their names.
        rows: whole numbers, numbers, truth values and names.
        caption: the text below the table.
        signature: all that changes these numbers, for json.
        best: (row, column) of the cells that latex and markdown set in bold.
        marks: (row, column) -> what they write above and behind a cell.
        answer: the sentence before the table, for people.
        absent: the word for NaN, for people.
        nested: name -> of each row what json alone has room for, such as rows of another table.
        notes: the sentences on the table, for json.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    caption: str
    signature: dict[str, Any]
    best: Collection[tuple[int, int]] = ()
    marks: Mapping[tuple[int, int], str] = field(default_factory=dict)
    answer: str = ""
    absent: str = "nan"
    nested: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    notes: Sequence[Note] = ()

    @classmethod
    def from_frame(
        cls, frame: pd.DataFrame, caption: str, signature: dict[str, Any], integers: Collection[str] = ()
    ) -> Sheet:
        """A data frame without its index; what is missing is nan.

        The finite values of columns that are ``integers`` are whole numbers.
        """
        columns = [str(name) for name in frame.columns]
        rows = []
        for row in frame.astype(object).where(frame.notna(), math.nan).itertuples(index=False):
            cells = [value.item() if hasattr(value, "item") else value for value in row]
            rows.append(
                [
                    int(cell) if name in integers and math.isfinite(cell) else cell
                    for name, cell in zip(columns, cells, strict=True)
                ]
            )
        return cls(columns, rows, caption, signature)

    def text(self, format: str, *, plain: bool = False) -> str:
        """The sheet in one of ``FORMATS``. ``plain`` is for files: no colours.

        Raises:
            InputError: a name that the format cannot hold.
        """
        match format:
            case "table":
                return _table(join_intervals(self), plain=plain)
            case "tsv":
                return "".join("\t".join(map(_tsv, row)) + "\n" for row in (self.columns, *self.rows))
            case "csv":
                return "".join(",".join(map(_csv, row)) + "\n" for row in (self.columns, *self.rows))
            case "latex":
                return _latex(join_intervals(self))
            case "markdown":
                return _markdown(join_intervals(self))
        import json

        lines = ",\n".join("  " + json.dumps(row, allow_nan=False) for row in self.json_rows())
        notes = f',\n "notes": {json.dumps([note._asdict() for note in self.notes])}' if self.notes else ""
        return f'{{"signature": {json.dumps(self.signature, allow_nan=False)},\n "rows": [\n{lines}\n]{notes}}}\n'

    def json_rows(self) -> list[dict[str, Any]]:
        """Rows as JSON holds them: NaN is None, and what is infinite is a text."""
        return [
            dict(zip(self.columns, map(_json, row), strict=True))
            | {name: parts[at] for name, parts in self.nested.items()}
            for at, row in enumerate(self.rows)
        ]


def join_intervals(sheet: Sheet) -> Sheet:
    """Join each two columns of limits, ``low`` and ``high`` or ``Phi_low`` and ``Phi_high``, for people.

    The column is called ``interval``, or ``Phi_interval``.
    """
    titles = {name: name.removesuffix("low") + "interval" for name in sheet.columns if re.fullmatch(r"(.+_)?low", name)}
    following = zip(sheet.columns, (*sheet.columns[1:], ""), strict=True)
    starts = [at for at, (low, high) in enumerate(following) if low in titles and high == low[:-3] + "high"]
    if not starts:
        return sheet
    kept = [at for at in range(len(sheet.columns)) if at - 1 not in starts]
    moved = {before: after for after, before in enumerate(kept)}

    def join(row: Sequence[Any]) -> list[Any]:
        return [IntervalColumns(row[at], row[at + 1]) if at in starts else row[at] for at in kept]

    return replace(
        sheet,
        columns=[titles[sheet.columns[at]] if at in starts else sheet.columns[at] for at in kept],
        rows=[join(row) for row in sheet.rows],
        best={(row, moved[column]) for row, column in sheet.best if column in moved},
        marks={(row, moved[column]): mark for (row, column), mark in sheet.marks.items() if column in moved},
    )


def shorten_signature(signature: Mapping[str, Any]) -> str:
    """A signature in a few letters: the version, and the start of the SHA-256 of its JSON with sorted keys."""
    import hashlib
    import json

    text = json.dumps(signature, sort_keys=True)
    return f"cranfield {signature['cranfield']}, signature {hashlib.sha256(text.encode()).hexdigest()[:12]}"


def label_table(text: str, name: str) -> str:
    """Give the first table of a LaTeX text a label by which the paper refers to it.

    Args:
        text: tables with captions.
        name: of the label, as ``pairs`` of ``tab:pairs``, or of the file; what a label cannot hold becomes a hyphen.
    """
    stem = re.sub(r"(\.(tex|txt))?(\.(gz|bz2|xz|zst))?$", "", re.split(r"[/\\]", name)[-1])
    label = re.sub(r"[^A-Za-z0-9.:_-]+", "-", stem).strip("-") or "table"
    return re.sub(r"(?m)^\\caption\{.*\}$", lambda found: f"{found[0]}\n\\label{{tab:{label}}}", text, count=1)


def _tsv(cell: Cell) -> str:
    if isinstance(cell, str) and any(char in cell for char in "\t\n\r"):
        text = f"the name {quoted(cell)} holds a tab or a line end, which tsv cannot: use csv or json"
        raise InputError(text, code="unfit-name", value=cut(cell))
    return cell if isinstance(cell, str) else _exact(cell)


def _csv(cell: Cell) -> str:
    return escaping.csv(cell) if isinstance(cell, str) else _exact(cell)


def _json(cell: Cell) -> Cell | None:
    """JSON has no number for what is not finite."""
    if isinstance(cell, float) and not math.isfinite(cell):
        return None if math.isnan(cell) else _exact(cell)
    return cell


def _exact(value: float) -> str:
    """Digits that read back exactly."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def _table(sheet: Sheet, *, plain: bool) -> str:
    grid = Grid([(shown(name, 200), not _words(sheet, number)) for number, name in enumerate(sheet.columns)])
    for row in sheet.rows:
        grid.add(*(readable(cell, name, sheet.absent) for cell, name in zip(row, sheet.columns, strict=True)))
    return grid.page(sheet.caption, answer=sheet.answer, plain=plain)


def _words(sheet: Sheet, number: int) -> bool:
    """Return whether a column is read, not compared."""
    return all(isinstance(row[number], (str, bool)) for row in sheet.rows)


def readable(cell: Cell | IntervalColumns, column: str, absent: str = "nan") -> str:
    """Return what a person reads; ``absent`` stands for NaN."""
    if isinstance(cell, str):
        return in_full(cell)
    if isinstance(cell, IntervalColumns):
        return "none" if cell.low != cell.low else f"[{readable(cell.low, column)}, {readable(cell.high, column)}]"
    if isinstance(cell, bool):
        return "yes" if cell else ""
    if isinstance(cell, int):
        return f"{cell:,}"
    if not math.isfinite(cell):
        return absent if math.isnan(cell) else repr(cell)
    if column in LABELS and cell.is_integer():
        return f"{cell:,.0f}"
    if column in P_VALUES and 0 < cell < 5e-5:
        return "<.0001"
    text = f"{cell:.4f}"
    return "0.0000" if text == "-0.0000" else text


def _latex(sheet: Sheet) -> str:
    """A tabular with the rules of booktabs; with a caption, in a table that floats."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join(cells) + r" \\"

    align = "".join("l" if _words(sheet, number) else "r" for number in range(len(sheet.columns)))
    rows = [
        [_in_latex(sheet, row_number, number, cell) for number, cell in enumerate(row)]
        for row_number, row in enumerate(sheet.rows)
    ]
    head = [rf"\begin{{tabular}}{{{align}}}", r"\toprule", line([escaping.latex(name, 200) for name in sheet.columns])]
    tabular = [*head, r"\midrule", *map(line, rows), r"\bottomrule", r"\end{tabular}"]
    if sheet.caption:
        caption = rf"\caption{{{escaping.latex(join_lines(sheet.caption), 4096)}}}"
        fitted = fit_text([list(map(str, sheet.columns)), *rows], tabular)
        tabular = [r"\begin{table}", r"\centering", caption, *fitted, r"\end{table}"]
    return "\n".join(tabular) + "\n"


def fit_text(rows: Sequence[Sequence[str]], tabular: Sequence[str]) -> list[str]:
    """Make a table of LaTeX no wider than the text of an article: in smaller letters, scaled where even those are wide.

    Scaling needs the package ``graphicx``; without it the table is as wide as its smallest letters make it.

    Args:
        rows: cells in LaTeX, the names of columns among them.
        tabular: the lines of the table.
    """
    widths = [max(len(re.sub(r"\\[a-z]+|[{}$\\]", "", cell)) for cell in column) for column in zip(*rows, strict=True)]
    fit = [scale * sum(widths) * POINTS + 2 * gap * len(widths) <= TEXT_WIDTH for _, scale, gap in SIZES]
    size, _, gap = SIZES[fit.index(True) if any(fit) else -1]
    lines = [rf"\{size}\setlength{{\tabcolsep}}{{{gap}pt}}"] if size else []
    if any(fit):
        return [*lines, *tabular]
    return [
        *lines,
        r"\providecommand{\resizebox}[3]{#3}",
        r"\resizebox{\linewidth}{!}{%",
        *tabular[:-1],
        tabular[-1] + "}",
    ]


def _in_latex(sheet: Sheet, row: int, number: int, cell: Cell) -> str:
    """Names are escaped; numbers with a sign are mathematics, where it is not a hyphen."""
    text = escaping.latex(cell, 4096) if isinstance(cell, str) else readable(cell, sheet.columns[number], sheet.absent)
    if not isinstance(cell, str):
        text = text.replace("inf", r"\infty")
        text = f"${text}$" if text[:1] in ("-", "<", "\\", "[") else text
    text = rf"\textbf{{{text}}}" if (row, number) in sheet.best else text
    mark = sheet.marks.get((row, number), "")
    return rf"{text}\rlap{{\textsuperscript{{{escaping.latex(mark)}}}}}" if mark else text


def _markdown(sheet: Sheet) -> str:
    """A table of GitHub's Markdown, and the caption in a paragraph."""

    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cells)} |"

    align = [":--" if _words(sheet, number) else "--:" for number in range(len(sheet.columns))]
    rows = [
        [_in_markdown(sheet, row_number, number, cell) for number, cell in enumerate(row)]
        for row_number, row in enumerate(sheet.rows)
    ]
    lines = [line([escaping.markdown(name, 200) for name in sheet.columns]), line(align), *map(line, rows)]
    caption = ["", escaping.markdown(join_lines(sheet.caption), 4096)] if sheet.caption else []
    answer = [escaping.markdown(join_lines(sheet.answer), 4096), ""] if sheet.answer else []
    return "\n".join([*answer, *lines, *caption]) + "\n"


def _in_markdown(sheet: Sheet, row: int, number: int, cell: Cell) -> str:
    text = escaping.markdown(readable(cell, sheet.columns[number], sheet.absent), 4096)
    text = f"**{text}**" if (row, number) in sheet.best else text
    return text + escaping.markdown(sheet.marks.get((row, number), ""))


def join_lines(caption: str) -> str:
    """The lines of a caption in one, parted by semicolons where they do not end as sentences do."""
    lines = [line for line in caption.splitlines() if line]
    return " ".join([line if line.endswith((".", ";", ":", "?")) else f"{line};" for line in lines[:-1]] + lines[-1:])
