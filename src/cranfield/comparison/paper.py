"""Systems by measures as LaTeX, Markdown and HTML: best and second, marks, and a caption that says what was done."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield import escaping
from cranfield._text import counted, drawn, shown
from cranfield.scores.scale import Scale

if TYPE_CHECKING:
    import pandas as pd

TESTS = {
    "t": "paired t-tests",
    "wilcoxon": "Wilcoxon's signed-rank tests",
    "sign": "sign tests",
    "permutation": "paired permutation tests",
    "bootstrap": "paired bootstrap tests",
    "welch": "Welch's t-tests",
    "tukey": "Tukey's HSD test",
    "randomized-tukey": "the randomized Tukey HSD test",
    "dunnett": "Dunnett's test",
}
CORRECTIONS = {
    "max-t": "corrected by the largest |t|",
    "max-t-step-down": "corrected by the largest |t|, stepping down",
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "bonferroni": "Bonferroni's correction",
    "none": "without correction",
}
ALL_AT_ONCE = ("tukey", "randomized-tukey", "dunnett")
LONGEST = 4096


@dataclass(frozen=True)
class Cell:
    """A mean as it is printed, its mark, and whether it is the best (1) or second (2) of its column, else 0."""

    text: str
    mark: str
    place: int


@dataclass(frozen=True)
class Layout:
    """What every format prints.

    Args:
        measures: heads of the columns.
        systems: heads of the rows, with letters where marks are letters.
        cells: [systems][measures].
        baselines: so many rows at the top are baselines.
        caption: in plain words.
    """

    measures: Sequence[str]
    systems: Sequence[tuple[str, str]]
    cells: Sequence[Sequence[Cell]]
    baselines: int
    caption: str

    @classmethod
    def of(
        cls,
        rows: pd.DataFrame,
        larger_is_better: Mapping[str, bool],
        digits: int,
        how: Mapping[str, Any],
        signature: str,
        lettered: bool,
    ) -> Layout:
        """The rows of ``MeasureComparison``, with numbers of so many digits."""
        measures = list(larger_is_better)
        systems = list(dict.fromkeys(zip(rows["system"], rows["letter"], strict=True)))
        columns = []
        for measure in measures:
            some = rows[rows["measure"] == measure]
            texts = [_printed(mean, digits) for mean in some["mean"]]
            places = places_of(texts, larger_is_better[measure])
            if measure in how["uneven"]:
                texts = [f"{text} ({topics:,})" for text, topics in zip(texts, some["topics"], strict=True)]
                places = [0] * len(texts)
            columns.append([Cell(*cell) for cell in zip(texts, some["mark"], places, strict=True)])
        caption = caption_of(how, lettered, signature, directions_of(larger_is_better))
        return cls(measures, systems, [*zip(*columns, strict=True)], len(how["baselines"]), caption)


def _printed(mean: float, digits: int) -> str:
    text = f"{mean:.{digits}f}"
    return text[1:] if text.startswith("-") and float(text) == 0 else text


def places_of(texts: Sequence[str], larger_is_better: bool) -> list[int]:
    """1 for the best, 2 for the next, of numbers as printed: equal ones alike, and none where all are equal."""
    values = [float(text) for text in texts]
    distinct = sorted({value for value in values if not math.isnan(value)}, reverse=larger_is_better)
    if len(distinct) < 2:
        return [0] * len(texts)
    return [distinct.index(value) + 1 if value in distinct[:2] else 0 for value in values]


def directions_of(larger_is_better: Mapping[str, bool]) -> str:
    """Which scores are taken as better, a sentence; nothing of measures that are known."""
    said = {name: Scale(name, {"larger_is_better": larger}).direction for name, larger in larger_is_better.items()}
    unknown = [f"{shown(name)}: {direction}" for name, direction in said.items() if direction]
    return f" {'; '.join(unknown)}." if unknown else ""


def caption_of(how: Mapping[str, Any], lettered: bool, signature: str, directions: str = "") -> str:
    """Topics, marks, test, correction, alpha and version."""
    baselines = how["baselines"]
    if lettered:
        of = "all pairs" if not baselines else f"each system and {', '.join(map(shown, baselines))}"
        marks = "Letters: significantly better than the system with that letter"
    else:
        of = f"each system and {shown(baselines[0])}"
        marks = f"+ and -: significantly better and worse than {shown(baselines[0])}"
    corrected = "" if how["test"] in ALL_AT_ONCE else f", {CORRECTIONS[how['correction']]}{across_of(how)}"
    best = ", best in bold, second underlined" if len(how["uneven"]) < how["measures"] else ""
    uneven = (
        f" By {', '.join(map(shown, how['uneven']))}, systems have scores on different topics (how many stands behind "
        "each mean), so that none is the best; tests are on the topics that both have."
        if how["uneven"]
        else ""
    )
    return (
        f"{counted(how['systems'], 'system')} on {counted(how['topics'], 'topic')}{best}.{uneven}{directions} "
        f"{marks} ({TESTS[how['test']]} of {of} within each measure{corrected}{drawn(how)}, alpha = {how['alpha']:g}). "
        f"{signature[:1].upper()}{signature[1:]}."
    )


def across_of(how: Mapping[str, Any]) -> str:
    """Over which comparisons p was adjusted, where that are those of several groups of topics."""
    across = how.get("across_groups")
    return f" over all {across['comparisons']:,} comparisons of {counted(across['groups'], 'group')}" if across else ""


def latex(layout: Layout) -> str:
    """A floating table with the rules of booktabs."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join(cells) + r" \\"

    def cell(one: Cell) -> str:
        text = f"${one.text}$" if one.text.startswith("-") else one.text
        text = {0: text, 1: rf"\textbf{{{text}}}", 2: rf"\underline{{{text}}}"}[one.place]
        mark = "$-$" if one.mark == "-" else escaping.latex(one.mark)
        return text + (rf"\textsuperscript{{{mark}}}" if one.mark else "")

    def name(system: str, letter: str) -> str:
        return escaping.latex(system, 200) + (rf" (\textsuperscript{{{letter}}})" if letter else "")

    rows = [
        line([name(*system), *map(cell, cells)]) for system, cells in zip(layout.systems, layout.cells, strict=True)
    ]
    if 0 < layout.baselines < len(rows):
        rows.insert(layout.baselines, r"\midrule")
    parts = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaping.latex(layout.caption, LONGEST)}}}",
        rf"\begin{{tabular}}{{l{'l' * len(layout.measures)}}}",
        r"\toprule",
        line(["System", *(escaping.latex(measure, 200) for measure in layout.measures)]),
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(parts) + "\n"


def markdown(layout: Layout) -> str:
    """A table of GitHub's Markdown, which has no underlining of its own but takes that of HTML."""
    around = {0: "{}", 1: "**{}**", 2: "<u>{}</u>"}
    head = ["system", *(escaping.markdown(measure, 200) for measure in layout.measures)]
    rows = [head, [":--"] * len(head)]
    rows += _bodies(layout, lambda name: escaping.markdown(name, 200), around)
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, "", escaping.markdown(layout.caption, LONGEST)]) + "\n"


def html(layout: Layout) -> str:
    """A table to be put into a page."""
    around = {0: "{}", 1: "<strong>{}</strong>", 2: "<u>{}</u>"}
    head = "".join(f'<th scope="col">{escaping.html(measure, 200)}</th>' for measure in ("system", *layout.measures))
    lines = [
        "<table>",
        f"<caption>{escaping.html(layout.caption, LONGEST)}</caption>",
        f"<thead><tr>{head}</tr></thead>",
    ]
    lines.append("<tbody>")
    for name, *cells in _bodies(layout, lambda name: escaping.html(name, 200), around):
        lines.append(f'<tr><th scope="row">{name}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>')
    return "\n".join([*lines, "</tbody>", "</table>"]) + "\n"


def _bodies(layout: Layout, escaped: Callable[[str], str], around: Mapping[int, str]) -> list[list[str]]:
    """Rows of cells for formats that have HTML's elements."""
    rows = []
    for (system, letter), cells in zip(layout.systems, layout.cells, strict=True):
        name = escaped(system) + (f" (<sup>{letter}</sup>)" if letter else "")
        marks = [f"<sup>{'−' if cell.mark == '-' else cell.mark}</sup>" if cell.mark else "" for cell in cells]
        texts = [around[cell.place].format(cell.text) for cell in cells]
        rows.append([name, *(text + mark for text, mark in zip(texts, marks, strict=True))])
    return rows
