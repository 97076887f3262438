"""The table of a paper: systems by measures, with marks of what is significant, as LaTeX, Markdown and HTML."""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, get_args

import numpy as np

from cranfield import escaping
from cranfield._text import counted, drawn, in_full, shown
from cranfield._typing import Floats
from cranfield._validation import check_integer, list_names
from cranfield.comparison.comparison_text import describe_scope
from cranfield.comparison.outcome import Adjustment
from cranfield.comparison.pairwise import compare
from cranfield.comparison.result import LETTERS, Comparison
from cranfield.comparison.unbeaten import describe_unbeaten, find_unbeaten, weighs_costs
from cranfield.declarations.analysis import FromScores, Groups, analysis
from cranfield.declarations.checks import GIVEN, Rule
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import (
    AlphaOption,
    BaselineOption,
    LargerIsBetterSaid,
    MissingScoresOption,
    SeedOption,
    SmallerIsBetterSaid,
    TopicWeightsOption,
)
from cranfield.errors import UsageError
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.results.sheet import fit_text, label_table, shorten_signature
from cranfield.results.table_text import Grid
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores, describe_directions
from cranfield.scores.opening import Needs, open_measures
from cranfield.scores.premises import describe_premises
from cranfield.scores.signature import together
from cranfield.scores.topic_weights import describe_weights
from cranfield.statistics.test_names import SIMULTANEOUS, TEST_RESAMPLES, Test

if TYPE_CHECKING:
    import pandas as pd


BETTER, WORSE = "+", "-"
"""Marks of a difference from the only baseline."""
FROM_COMPARE = ("system", "other", "difference", "p", "p_adjusted", "significant", "topics")


@dataclass(frozen=True, eq=False, repr=False)
class MeasureComparison(Result):
    """Systems by measures, tested.

    Args:
        rows: one row a system and measure, baselines first, then the best by the first measure.
        pairs: those that were tested, by each measure.
        larger_is_better: of each measure.
        settings: of the tests, as in ``Comparison``; ``systems``, ``measures`` and ``topics``, how many there are; and
            ``uneven``, the measures by which systems have scores on different topics, so that none is the best.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "rows": (
            Column("system"),
            Column("letter", "by which others name it, where marks are letters"),
            Column("measure"),
            Column("mean"),
            Column(
                "mark",
                "with one baseline + where it is significantly better and - where it is worse; else the letters of the "
                "systems that it is significantly better than",
            ),
            Column("topics", "over how many the mean is"),
            Column(
                "unbeaten",
                "where measures have both directions, whether no other system is as good by every measure and better "
                "by one",
            ),
        ),
        "pairs": (
            Column("system"),
            Column("other"),
            Column("difference", "of their means"),
            Column("p"),
            Column("p_adjusted", "for the number of pairs"),
            Column("significant"),
            Column("topics", "on which both have a score"),
            Column("measure"),
        ),
    }
    rows: pd.DataFrame
    pairs: pd.DataFrame
    larger_is_better: dict[str, bool]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def own_text(
        self,
        format: str,
        table: str,
        *,
        plain: bool,
        digits: Annotated[int, Option("Digits after the decimal point.", low=0, high=15, heading="Output")] = 4,
    ) -> str | None:
        """Write the table of a paper; for people the best has a star, and the second an underscore."""
        writers: dict[str, Callable[[Layout], str]] = {"latex": latex, "markdown": markdown, "html": html}
        writers["table"] = partial(screen, plain=plain)
        return writers[format](self.layout(digits)) if format in writers else None

    def caption(self, table: str) -> str:
        """The sentences on the test, the marks, the directions of measures, and the systems that none beats."""
        if table != "rows":
            return ""
        lettered = bool(self.rows["letter"].ne("").any())
        directions = _say_directions(self.settings) + _name_unbeaten(self.rows)
        return _write_caption(self.settings, lettered, "", directions, best="").strip()

    def _paper_text(self, format: str, table: str | None) -> str:
        own = self.own_text(format, "rows", plain=True) if table in (None, "rows") else None
        return own if own is not None else super()._paper_text(format, table)

    def corrected(self, adjusted: Floats, across: dict[str, int]) -> MeasureComparison:
        """This comparison with p adjusted over more comparisons than its own; see ``results.across``.

        Args:
            adjusted: p of each pair, [pairs].
            across: of how many ``groups`` and ``comparisons`` of each measure.
        """
        pairs = self.pairs.assign(p_adjusted=adjusted, significant=adjusted < self.settings["alpha"])
        letters = {row["system"]: row["letter"] for row in self.rows.to_dict("records") if row["letter"]}
        against = self.settings["baseline"]
        marks = [
            _mark(system, pairs[pairs["measure"] == measure], self.larger_is_better[measure], against, letters)
            for system, measure in zip(self.rows["system"], self.rows["measure"], strict=True)
        ]
        more = {"across_groups": across}
        rows = self.rows.assign(mark=marks)
        return replace(self, rows=rows, pairs=pairs, settings=self.settings | more, signature=self.signature | more)

    def to_latex(self, digits: int = 4, *, caption: str = "", label: str = "") -> str:
        """A table for LaTeX with booktabs, and graphicx where it is wide: best bold, second underlined, marks, caption.

        Args:
            digits: behind the point. Numbers that are printed alike are best, or second, alike.
            caption: what stands before the sentences on test and marks, as ``Systems on Robust 2003.``
            label: by which the paper refers to it, as ``main`` of ``tab:main``; none where it is empty.

        Raises:
            UsageError: no number of digits.
        """
        layout = self.layout(digits)
        text = latex(replace(layout, caption=f"{caption} {layout.caption}".strip()))
        return label_table(text, label.removeprefix("tab:")) if label else text

    def to_markdown(self, digits: int = 4) -> str:
        """The table for Markdown, which underlines by HTML's element; see ``to_latex``."""
        return markdown(self.layout(digits))

    def to_html(self, digits: int = 4) -> str:
        """The table for HTML; see ``to_latex``."""
        return html(self.layout(digits))

    def layout(self, digits: int = 4) -> Layout:
        """The cells and the caption that every format prints; see ``to_latex``."""
        check_integer(0, digits=digits)
        lettered = bool(self.rows["letter"].ne("").any())
        premises = [premise.as_sentence() for premise in describe_premises(self.signature)]
        signature = shorten_signature(self.signature)
        remarks = " ".join(f"{text}." for text in (*premises, f"{signature[0].upper()}{signature[1:]}"))
        return Layout.from_rows(self.rows, self.larger_is_better, digits, self.settings, remarks, lettered)


def refuse_too_many(systems: int, options: Mapping[str, Any]) -> None:
    """Raises: UsageError: there are more baselines, or without one systems, than letters can be read for."""
    lettered = len(options["baseline"]) or systems
    if lettered > LETTERS:
        raise UsageError(
            f"{lettered:,} systems are too many to mark with letters: name a baseline, or give {LETTERS} or fewer"
        )


@analysis(
    "table",
    "Print systems by measures as a paper does, with significance.",
    FromScores("all", default=(), ranges=False, streamed=True, directed=True),
    groups=Groups(tested=True, across=True),
    rules=(
        Rule(
            {"seed": GIVEN, "test": tuple(name for name in get_args(Test) if name not in TEST_RESAMPLES)},
            "{seed} changes nothing with a test that draws nothing at random: leave it out",
        ),
    ),
    guide="Print systems by measures: the best in bold, the second underlined, and marks of significant differences."
    "\n\nWith one --baseline, + and - mark scores that are significantly better and worse than its own. With several, "
    "or none, systems have letters, and the marks of a score are the letters of the systems that it is significantly "
    "better than. The caption describes the test.",
    formats=("latex", "markdown", "html"),
    check_systems=refuse_too_many,
    words=("latex -f latex",),
    examples=("qrels.txt runs/*.run --baseline bm25 -f latex", "--scores scores.csv --digits 3"),
)
def compare_measures(
    scores: ScoresLike | Sequence[Scores],
    *,
    baseline: BaselineOption = (),
    test: Annotated[Test, Option("Test, as in `cranfield compare`.", metavar="TEST", heading="Test")] = "t",
    correction: Annotated[
        Adjustment | None,
        Option(
            "Correction within each measure.",
            default="as in `cranfield compare`",
            metavar="NAME",
            heading="Test",
        ),
    ] = None,
    alpha: AlphaOption = 0.05,
    resamples: Annotated[
        int | None,
        Option("Permutations or bootstrap samples.", low=1, default="as in `cranfield compare`", heading="Test"),
    ] = None,
    seed: SeedOption = 1,
    missing_scores: MissingScoresOption = None,
    topic_weights: TopicWeightsOption = None,
    larger_is_better: LargerIsBetterSaid = (),
    smaller_is_better: SmallerIsBetterSaid = (),
) -> MeasureComparison:
    """Compare systems by several measures, each by ``compare``: the table of a paper, with its caption.

    The tests are corrected within each measure. With one baseline, marks say what is significantly better and worse;
    with several, or with none of them, where all pairs are tested, each of them has a letter, and marks are the letters
    of the systems that one is significantly better than. Where systems lack scores, none is the best by a measure by
    which they have scores on different topics.

    Args:
        scores: dims (topic, system), by one measure or several. Of more than 131,072 topics they are gone through in
            blocks, as in ``compare``.

    Raises:
        UsageError: as in ``compare``, or more systems than letters can be read for.
        InputError: as in ``compare``.
    """
    import pandas as pd

    needs = Needs(blockwise=True)
    tables = open_measures(
        scores,
        needs,
        missing_scores=missing_scores,
        topic_weights=topic_weights,
        larger_is_better=larger_is_better,
        smaller_is_better=smaller_is_better,
    )
    against = list(dict.fromkeys(list_names(baseline=baseline)))
    refuse_too_many(len(tables[0].systems), {"baseline": against})
    how: dict[str, Any] = {"test": test, "correction": correction, "alpha": alpha, "resamples": resamples, "seed": seed}
    comparisons = [compare(table, baseline=against, **how) for table in tables]
    order = [*against, *(name for name in comparisons[0].means.index if name not in against)]
    lettered = against or order
    letters = {} if len(against) == 1 else dict(zip(lettered, string.ascii_lowercase, strict=False))
    rows = _rows(order, tables, comparisons, against, letters)
    pairs = [
        comparison.pairs[list(FROM_COMPARE)].assign(measure=table.measure)
        for comparison, table in zip(comparisons, tables, strict=True)
    ]
    exact_pairs = sum(comparison.settings["exact_pairs"] or 0 for comparison in comparisons)
    uneven = [table.measure for table in tables if table.has_gaps]
    tested = comparisons[0].settings | {"exact_pairs": exact_pairs or None}
    sizes = {"systems": len(order), "measures": len(tables), "topics": tables[0].topic_count}
    settings = record_options(
        compare_measures, locals(), **(tested | sizes | describe_directions(tables)), uneven=uneven
    )
    if weighs_costs([table.larger_is_better for table in tables]) and not settings["uneven"]:
        _tell_unbeaten(rows, tables)
    sources = together([(table.measure, table.source) for table in tables])
    signature = signed("compare_measures", settings, measures=[table.measure for table in tables], scores=sources)
    directions = {table.measure: table.larger_is_better for table in tables}
    return MeasureComparison(pd.DataFrame(rows), pd.concat(pairs, ignore_index=True), directions, settings, signature)


def _rows(
    order: Sequence[str],
    tables: Sequence[Scores],
    comparisons: Sequence[Comparison],
    against: Sequence[str],
    letters: dict[str, str],
) -> list[dict[str, Any]]:
    """A row for each system and measure; see ``MeasureComparison``."""
    columns = [table.scored_topics for table in tables]
    return [
        {
            "system": system,
            "letter": letters.get(system, ""),
            "measure": table.measure,
            "mean": float(table.means[table.systems.index(system)]),
            "mark": _mark(system, comparison.pairs, table.larger_is_better, against, letters),
            "topics": int(topics[table.systems.index(system)]),
        }
        for system in order
        for table, comparison, topics in zip(tables, comparisons, columns, strict=True)
    ]


def _tell_unbeaten(rows: Sequence[dict[str, Any]], tables: Sequence[Scores]) -> None:
    """Add to each row whether its system is beaten by none; see ``find_unbeaten``."""
    means = np.column_stack([table.means for table in tables])
    found = find_unbeaten(means, [table.larger_is_better for table in tables])
    unbeaten = dict(zip(tables[0].systems, found.tolist(), strict=True))
    for row in rows:
        row["unbeaten"] = unbeaten[row["system"]]


def _mark(
    system: str, pairs: pd.DataFrame, larger_is_better: bool, baselines: Sequence[str], letters: dict[str, str]
) -> str:
    """The mark above a system's mean."""
    sign = 1.0 if larger_is_better else -1.0
    table = pairs[pairs["significant"]]
    gains: dict[str, float] = {}
    for left, right, difference in zip(table["system"], table["other"], table["difference"], strict=True):
        if left == system:
            gains[right] = sign * difference
        elif right == system:
            gains[left] = -sign * difference
    if letters:
        return "".join(sorted(letters[right] for right, gain in gains.items() if gain > 0 and right in letters))
    if system in baselines:
        return ""
    return "".join(BETTER if gain > 0 else WORSE for gain in gains.values() if np.isfinite(gain))


TESTS = {
    "t": "paired t-tests",
    "wilcoxon": "Wilcoxon's signed-rank tests",
    "sign": "sign tests",
    "mcnemar": "McNemar's exact tests",
    "permutation": "paired permutation tests",
    "bootstrap": "paired bootstrap tests",
    "welch": "Welch's t-tests",
    "tukey": "Tukey's HSD test",
    "randomized-tukey": "the randomized Tukey HSD test",
    "dunnett": "Dunnett's test",
    "nemenyi": "Nemenyi's test of mean ranks",
}
CORRECTIONS = {
    "max-t": "corrected by the largest |t|",
    "max-t-step-down": "corrected by the largest |t|, stepping down",
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "bonferroni": "Bonferroni's correction",
    "none": "without correction",
}
LONGEST = 4096


@dataclass(frozen=True)
class PrintedMean:
    """A mean as it is printed, its mark, and whether it is the best (1) or second (2) of its column, else 0."""

    text: str
    mark: str
    rank: int


@dataclass(frozen=True)
class Layout:
    """The cells and the caption that every format prints.

    Args:
        measures: heads of the columns.
        systems: heads of the rows, with letters where marks are letters.
        cells: [systems][measures].
        baselines: the number of rows at the top that are baselines.
        caption: in plain words.
        directions: which scores are taken as better, where measures are not ours, as people read it first.
    """

    measures: Sequence[str]
    systems: Sequence[tuple[str, str]]
    cells: Sequence[Sequence[PrintedMean]]
    baselines: int
    caption: str
    directions: str = ""

    @classmethod
    def from_rows(
        cls,
        rows: pd.DataFrame,
        larger_is_better: Mapping[str, bool],
        digits: int,
        settings: Mapping[str, Any],
        remarks: str,
        lettered: bool,
    ) -> Layout:
        """The rows of ``MeasureComparison``, with numbers of ``digits`` digits."""
        measures = list(larger_is_better)
        systems = list(dict.fromkeys(zip(rows["system"], rows["letter"], strict=True)))
        columns = []
        for measure in measures:
            measure_rows = rows[rows["measure"] == measure]
            texts = [_printed(mean, digits) for mean in measure_rows["mean"]]
            text_ranks = rank_texts(texts, larger_is_better[measure])
            if measure in settings["uneven"]:
                texts = [f"{text} ({topics:,})" for text, topics in zip(texts, measure_rows["topics"], strict=True)]
                text_ranks = [0] * len(texts)
            columns.append([PrintedMean(*cell) for cell in zip(texts, measure_rows["mark"], text_ranks, strict=True)])
        directions = _say_directions(settings)
        best = ", best in bold, second underlined" if len(settings["uneven"]) < settings["measures"] else ""
        caption = _write_caption(settings, lettered, remarks, directions + _name_unbeaten(rows), best)
        cells = [*zip(*columns, strict=True)]
        return cls(measures, systems, cells, len(settings["baseline"]), caption, directions.strip())


def _printed(mean: float, digits: int) -> str:
    text = f"{mean:.{digits}f}"
    return text[1:] if text.startswith("-") and float(text) == 0 else text


def rank_texts(texts: Sequence[str], larger_is_better: bool) -> list[int]:
    """1 for the best, 2 for the next, of numbers as printed: equal ones alike, and none where all are equal."""
    values = [float(text) for text in texts]
    distinct = sorted({value for value in values if not math.isnan(value)}, reverse=larger_is_better)
    if len(distinct) < 2:
        return [0] * len(texts)
    return [distinct.index(value) + 1 if value in distinct[:2] else 0 for value in values]


def _say_directions(settings: Mapping[str, Any]) -> str:
    """Which scores are taken as better, as sentences; empty for known measures."""
    unknown = [f"{shown(name)}: {direction}" for name, direction in settings.get("directions", {}).items()]
    return f" {'; '.join(unknown)}." if unknown else ""


def _name_unbeaten(rows: pd.DataFrame) -> str:
    """The systems that none beats by all measures, as a sentence; empty where measures have one direction."""
    if "unbeaten" not in rows:
        return ""
    return f" {describe_unbeaten(rows.loc[rows['unbeaten'], 'system'].unique().tolist())}"


def _write_caption(settings: Mapping[str, Any], lettered: bool, remarks: str, directions: str, best: str) -> str:
    """The caption: topics, marks, test, correction and alpha, and the sentences behind them."""
    baselines = settings["baseline"]
    if lettered:
        compared = "all pairs" if not baselines else f"each system and {', '.join(map(shown, baselines))}"
        marks = "Letters: significantly better than the system with that letter"
    else:
        compared = f"each system and {shown(baselines[0])}"
        marks = f"+ and -: significantly better and worse than {shown(baselines[0])}"
    corrected = (
        "" if settings["test"] in SIMULTANEOUS else f", {CORRECTIONS[settings['correction']]}{describe_scope(settings)}"
    )
    weighted = f" Topics are {describe_weights(dict(settings))}." if "topic_weights" in settings else ""
    uneven = ""
    if settings["uneven"]:
        measures = ", ".join(map(shown, settings["uneven"]))
        uneven = (
            f" By {measures}, systems have scores on different topics (how many stands behind each mean), so that none "
            "is the best; tests are on the topics that both have."
        )
    systems, topics = counted(settings["systems"], "system"), counted(settings["topics"], "topic")
    tests = f"{TESTS[settings['test']]} of {compared} within each measure{corrected}{drawn(settings)}"
    return (
        f"{systems} on {topics}{best}.{weighted}{uneven}{directions} {marks} ({tests}, alpha = {settings['alpha']:g}). "
        f"{remarks}"
    )


def latex(layout: Layout) -> str:
    """A floating table with the rules of booktabs."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join(cells) + r" \\"

    def cell(printed: PrintedMean) -> str:
        text = f"${printed.text}$" if printed.text.startswith("-") else printed.text
        text = {0: text, 1: rf"\textbf{{{text}}}", 2: rf"\underline{{{text}}}"}[printed.rank]
        mark = "$-$" if printed.mark == "-" else escaping.latex(printed.mark)
        return text + (rf"\textsuperscript{{{mark}}}" if printed.mark else "")

    def name(system: str, letter: str) -> str:
        return escaping.latex(system, 200) + (rf" (\textsuperscript{{{letter}}})" if letter else "")

    rows = [[name(*system), *map(cell, cells)] for system, cells in zip(layout.systems, layout.cells, strict=True)]
    head = ["System", *(escaping.latex(measure, 200) for measure in layout.measures)]
    lines = list(map(line, rows))
    if 0 < layout.baselines < len(lines):
        lines.insert(layout.baselines, r"\midrule")
    tabular = [
        rf"\begin{{tabular}}{{l{'l' * len(layout.measures)}}}",
        r"\toprule",
        line(head),
        r"\midrule",
        *lines,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    caption = rf"\caption{{{escaping.latex(layout.caption, LONGEST)}}}"
    parts = [r"\begin{table}", r"\centering", caption, *fit_text([head, *rows], tabular), r"\end{table}"]
    return "\n".join(parts) + "\n"


def screen(layout: Layout, *, plain: bool) -> str:
    """A table for a terminal: the best has a star, the second an underscore."""
    grid = Grid([("system", False), *((shown(measure, 200), False) for measure in layout.measures)])
    for (system, letter), cells in zip(layout.systems, layout.cells, strict=True):
        texts = [f"{cell.text}{' *_'[cell.rank]}{cell.mark}".rstrip() for cell in cells]
        best = {number for number, cell in enumerate(cells, 1) if cell.rank == 1}
        grid.add(in_full(system) + (f" ({letter})" if letter else ""), *texts, bold=best)
    caption = layout.caption.replace("best in bold, second underlined", "* best, _ second")
    if layout.directions:
        caption = caption.replace(f" {layout.directions}", "", 1)
    text = grid.page(caption, plain=plain)
    return f"{layout.directions}\n\n{text}" if layout.directions else text


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
        texts = [around[cell.rank].format(cell.text) for cell in cells]
        rows.append([name, *(text + mark for text, mark in zip(texts, marks, strict=True))])
    return rows
