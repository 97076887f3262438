"""The result of ``compare``: its tables, effect sizes, and letters for a leaderboard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cranfield._message import setting
from cranfield._text import quoted, shown, warn
from cranfield._typing import Floats, Ints
from cranfield.comparison.comparison_text import (
    ComparedScores,
    choose_pairs,
    describe_first,
    describe_interval,
    describe_margin,
    describe_margins,
    describe_pairs,
    describe_preferences,
    describe_test,
    describe_topics,
)
from cranfield.comparison.outcome import ERRORS, PairedOutcome, Verdicts, sign_p
from cranfield.comparison.ranked_systems import RankedSystems
from cranfield.errors import UsageError
from cranfield.results.columns import Column
from cranfield.results.frames import sort_by_size, tidy
from cranfield.results.result import Result, Tables
from cranfield.results.sheet import Sheet, shorten_signature
from cranfield.scores.measure_scores import Scores
from cranfield.scores.missing_scores import UNEVEN
from cranfield.statistics.anova import AdditiveResidual
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.paired_tests import ratio
from cranfield.statistics.power import effect_interval

if TYPE_CHECKING:
    import pandas as pd


NAMES = (Column("system", shown="first"), Column("other", "the system that it is compared with", shown="first"))
DIFFERENCE = (
    Column("difference", "mean of the system minus that of the other", shown="first"),
    Column("low", "its interval", shown="first"),
    Column("high", shown="first"),
)
FOR_PAPER = (
    *("system", "other", "mean", "mean_other", "difference", "low", "high", "d_pair", "p_adjusted"),
    *("preference", "p_preference"),
)
"""Columns that fit into a paper; the others are in csv and json."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Pairs of systems, tested.

    Args:
        pairs: one row a pair, the better system first, or each system and its baseline. ``settings["interval"]`` says
            what their intervals are. Of topics in clusters also ``clusters``; effect sizes have no intervals where each
            topic weighs the same, and means, spread and wins are of cluster means where each cluster does. Of systems
            with several runs all is of run means, and of weighted topics all but wins, ties, losses and
            ``d_residual`` is weighted; effect sizes have no intervals.
        measure: what was compared.
        means: of every ``system`` over its topics, the ``mean``, best first.
        unsettled: how many pairs lie within two Monte Carlo standard errors of alpha, so that another seed may decide
            otherwise.
        margins: of the same pairs, whether they are non-inferior or equivalent by a margin; intervals have coverage
            1 - 2 alpha. None where no margin was given.
        about: what is said of the scores.
        ranked: mean ranks and the tests of all systems at once, of ``nemenyi``, and of ``mcnemar`` with more than two.
        settings: of the test: among them ``interval``: ``simultaneous`` (all hold together, and are without 0 exactly
            where the pair is significant; under max-t-step-down, where the single step finds it), ``bonferroni`` (all
            hold together; without 0 only where the pair is significant by a t-test), or ``t``, ``percentile`` and
            ``bca`` of each pair by itself; ``resamples``, drawn for the test and for the interval (None where nothing
            was drawn), and under ``permutation`` ``exact_pairs``, of how many pairs p is from all sign flips.
        signature: all that changes these numbers.
    """

    on_request: ClassVar[tuple[str, ...]] = ("groups",)
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "pairs": (
            *NAMES,
            Column("mean", "of the system, over the topics of the test"),
            Column("mean_other", "of the other"),
            *DIFFERENCE,
            Column("d_pair", "the difference in standard deviations of the pair's differences"),
            Column("d_pair_low", "its interval, of the pair by itself", shown="never"),
            Column("d_pair_high", shown="never"),
            Column("d_residual", "the difference in standard deviations of the residual of topics and systems"),
            Column("d_residual_low", "its interval, of the pair by itself", shown="never"),
            Column("d_residual_high", shown="never"),
            Column("statistic", "of the test", shown="never"),
            Column("p", "of the hypothesis that there is no difference"),
            Column("p_standard_error", "its Monte Carlo standard error, 0 where nothing was drawn"),
            Column("p_adjusted", "p, corrected for the number of pairs", shown="first"),
            Column("p_adjusted_standard_error", "its Monte Carlo standard error", shown="never"),
            Column("significant", "whether p_adjusted < alpha", shown="first"),
            Column("wins", "topics on which the system is better"),
            Column("ties", "topics on which both have the same score"),
            Column("losses", "topics on which it is worse"),
            Column("topics", "that the test used", shown="varying"),
            Column("clusters", "of topics that it used", shown="varying"),
            Column("p_signs", "p of the exact test of signs, not corrected, of pairs without spread, which have no p"),
            Column("mean_rank", "of the system over topics, 1 for the best on every topic"),
            Column("mean_rank_other", "of the other; Nemenyi's test is of their difference"),
            Column("preference", "above 0 where the system's lists are preferred"),
            Column("p_preference", "of its sign test, corrected"),
        ),
        "margins": (
            *NAMES,
            *DIFFERENCE,
            Column("p_noninferior", "of the hypothesis that the system is worse by the margin or more"),
            Column("noninferior", "whether it lies below alpha"),
            Column("p_equivalent", "of the hypothesis that both differ by the margin or more"),
            Column("equivalent", "whether it lies below alpha"),
            Column("power_noninferior", "the probability that these topics would have found it, of equal systems"),
            Column("power_equivalent", "the same of equivalence"),
            Column("topics", shown="varying"),
        ),
        "groups": (
            Column("system"),
            Column("mean"),
            Column("topics", "on which the system has a score, where some are missing", shown="varying"),
            Column("groups", "letters: systems that share one do not differ significantly"),
        ),
    }
    pairs: pd.DataFrame
    measure: str
    means: pd.Series[float]
    unsettled: int
    margins: pd.DataFrame | None
    settings: dict[str, Any]
    signature: dict[str, Any]
    about: ComparedScores = field(compare=False)
    ranked: RankedSystems | None = field(default=None, compare=False)

    @property
    def undrawn(self) -> tuple[str, ...]:
        """Mean ranks are drawn where the test is of them."""
        return ("critical_difference",) if self.ranked is None else ()

    def _tables(self) -> Tables:
        tables = {"pairs": lambda: tidy(self.pairs), "means": lambda: tidy(self.means.rename("mean"))}
        if self.margins is not None:
            margins = self.margins
            tables["margins"] = lambda: tidy(margins)
        return tables | {"groups": self._letters}

    def _letters(self) -> pd.DataFrame:
        """The leaderboard with letters, and the number of topics of each mean where some lack."""
        rows = tidy(self.groups())
        if self.about.topics_of:
            rows.insert(2, "topics", rows["system"].map(self.about.topics_of))
        return rows

    def answer(self, table: str) -> str:
        """Which systems differ."""
        text = describe_first(self) if table in ("pairs", "groups") else ""
        return f"{text}." if text else ""

    def caption(self, table: str) -> str:
        """The test, the intervals, and the power of these topics."""
        if table == "margins" and self.margins is not None:
            return "\n".join(describe_margins(self, self.margins))
        if table not in ("pairs", "groups"):
            return ""
        lines = describe_pairs(self, lettered=table == "groups")
        lines += [UNEVEN] if table == "groups" and self.about.topics_of else []
        return "\n".join([*lines, *describe_preferences(self)])

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The largest differences first."""
        rows = self.to_frame(table)
        return sort_by_size(rows) if table in ("pairs", "margins") else rows

    def first_pairs(self, table: str, rows: pd.DataFrame, most: int) -> tuple[pd.DataFrame, str]:
        """Pairs of the first place, neighbours, and the smallest significant differences."""
        if table != "pairs" or self.margins is not None or self.settings["baseline"]:
            return super().first_pairs(table, rows, most)
        order = "of the first place, of neighbours in the ranking, and the smallest significant differences"
        return choose_pairs(self, most), order

    def for_people(self, table: str, rows: pd.DataFrame) -> pd.DataFrame:
        """Without errors of p where nothing was drawn."""
        shown = super().for_people(table, rows)
        silent = [name for name in ("p_standard_error",) if name in shown and not shown[name].any()]
        return shown.drop(columns=silent)

    def for_paper(self, table: str, rows: pd.DataFrame) -> Sheet:
        """A leaderboard with the best mean in bold, or pairs with marks of significance, and the test in words."""
        marks: dict[tuple[int, int], str] = {}
        best: set[tuple[int, int]] = set()
        alpha = self.settings["alpha"]
        tests = f"{shown(self.measure)}, {describe_topics(self)}; {describe_test(self.settings)}"
        if table == "margins":
            caption = f"{shown(self.measure)}, {self.about.topics:,} topics; {describe_margin(self.settings)}"
        elif table == "groups":
            caption = f"{tests}; systems that share a letter do not differ significantly at {alpha:g}"
            caption += f"; {UNEVEN}" if "topics" in rows else "; bold: best"
            best = {(row, 1) for row, mean in enumerate(rows["mean"]) if mean == rows["mean"][0]}
            best = set() if "topics" in rows else best
        else:
            caption = f"{tests}; * significant: adjusted p < {alpha:g}; {describe_interval(self)}"
            names = [name for name in FOR_PAPER if name in rows]
            column = names.index("difference")
            marks = {(row, column): "*" for row, significant in enumerate(rows["significant"]) if significant}
            rows = rows[names]
        sheet = Sheet.from_frame(rows, f"{caption}; {shorten_signature(self.signature)}", self.signature)
        return replace(sheet, best=best, marks=marks)

    def corrected(self, adjusted: Floats, across: dict[str, int]) -> Comparison:
        """This comparison with p adjusted over more comparisons than its own; see ``results.across``.

        Args:
            adjusted: p of each pair, [pairs].
            across: of how many ``groups`` and ``comparisons``.
        """
        table, alpha = self.pairs, float(self.settings["alpha"])
        p = table["p"].to_numpy(dtype=np.float64)
        error = table["p_standard_error"].to_numpy() * np.divide(adjusted, p, out=np.ones(len(p)), where=p > 0)
        columns = {"p_adjusted": adjusted, "p_adjusted_standard_error": error, "significant": adjusted < alpha}
        return replace(
            self,
            pairs=table.assign(**columns),
            unsettled=int(((error > 0) & (np.abs(adjusted - alpha) <= ERRORS * error)).sum()),
            settings=self.settings | {"across_groups": across},
            signature=self.signature | {"across_groups": across},
        )

    def groups(self) -> pd.DataFrame:
        """Systems from best to worst with letters: two systems share one exactly if they do not differ significantly.

        Raises:
            UsageError: not all pairs were compared, or more systems than letters can be read for.
        """
        import pandas as pd

        systems = list(self.means.index)
        if len(self.pairs) != len(systems) * (len(systems) - 1) // 2:
            raise UsageError(f"groups need all pairs of systems: leave {setting('baseline')} out")
        refuse_letters(len(systems))
        row = {system: at for at, system in enumerate(systems)}
        different = np.zeros((len(systems), len(systems)), dtype=bool)
        significant = self.pairs[self.pairs["significant"]]
        for left, right in zip(significant["system"], significant["other"], strict=True):
            different[row[left], row[right]] = different[row[right], row[left]] = True
        return pd.DataFrame({"mean": self.means, "groups": letters(different)}, index=self.means.index)


def refuse_letters(systems: int) -> None:
    """Raises: UsageError: so many systems that nobody can read their letters."""
    if systems > LETTERS:
        raise UsageError(
            f"{systems:,} systems are too many to mark with letters: compare {LETTERS} or fewer, or look at the pairs"
        )


def named_pairs(scores: Scores, pairs: Contrasts) -> dict[str, Any]:
    """The columns ``system`` and ``other``."""
    names = np.array(scores.systems, dtype=object)
    return {"system": names[pairs.left], "other": names[pairs.right]}


def pair_table(
    scores: Scores, pairs: Contrasts, outcome: PairedOutcome, verdicts: Verdicts, level: float
) -> pd.DataFrame:
    """One row a pair, as ``Comparison.pairs`` says; effect sizes with intervals of this coverage."""
    import pandas as pd

    facts = scores.summarize_pairs(pairs)
    wins, losses = (facts.above, facts.below) if scores.larger_is_better else (facts.below, facts.above)
    effects = effect_sizes(facts.rows, facts.mean, facts.deviation, scores.residual, level)
    clusters = {} if outcome.clusters is None else {"clusters": outcome.clusters}
    of_topics = outcome.clusters is not None and not scores.units.weighs_clusters
    if of_topics or scores.units.replicates is not None or scores.units.topic_weights is not None:
        effects |= {name: np.full(len(pairs), np.nan) for name in effects if name.endswith(("_low", "_high"))}
    _warn_of_pairs(scores, pairs, (wins + losses == 0) & (facts.equal > 0), outcome.topics, "have the same scores")
    by_signs = sign_p(outcome)
    without = ", which leaves no spread to judge by: no interval" + ", no p" * bool(np.isnan(outcome.p).any())
    without += _describe_signs(by_signs)
    _warn_of_pairs(scores, pairs, np.isinf(effects["d_pair"]), outcome.topics, "differ by the same amount", without)
    signs = {} if np.isnan(by_signs).all() else {"p_signs": by_signs}
    return pd.DataFrame(
        named_pairs(scores, pairs)
        | {
            "mean": facts.left_mean,
            "mean_other": facts.right_mean,
            "difference": outcome.difference,
            "low": outcome.interval.low,
            "high": outcome.interval.high,
        }
        | effects
        | {
            "statistic": outcome.statistic,
            "p": outcome.p,
            "p_standard_error": verdicts.p_error,
            "p_adjusted": verdicts.adjusted,
            "p_adjusted_standard_error": verdicts.adjusted_error,
            "significant": verdicts.significant,
            "wins": wins,
            "ties": facts.equal,
            "losses": losses,
            "topics": outcome.topics,
        }
        | clusters
        | signs
    )


def _describe_signs(p: Floats) -> str:
    """Describe what exact signs say of pairs without another p; empty where there are none."""
    known = p[~np.isnan(p)]
    if not len(known):
        return ""
    low, high = f"{known.min():.2g}", f"{known.max():.2g}"
    return f"; by exact signs p is {low if low == high else f'{low} to {high}'} (p_signs, not corrected)"


def effect_sizes(
    count: Floats, mean: Floats, deviation: Floats, residual: AdditiveResidual, level: float
) -> dict[str, Floats]:
    """``d_pair`` and ``d_residual`` of each pair with their intervals, over the topics that both systems have.

    - ``d_pair``: mean difference over the standard deviation of the pair's own differences. t = sqrt(n) d has n - 1
      degrees of freedom.
    - ``d_residual``: over the standard deviation of the residual of topics and systems, the same for all pairs. t =
      sqrt(n / 2) d has the residual's degrees of freedom.

    Intervals are of each pair by itself, from the noncentral t distribution. What cannot be computed is NaN; where the
    standard deviation is zero, d is 0 of equal means, else infinite.

    Args:
        count: topics that a pair shares, [pairs].
        mean: of its differences, [pairs].
        deviation: of its differences, [pairs].
        residual: of topics and systems.
        level: coverage, in (0, 1).

    References:
        Cohen 1988, Statistical power analysis for the behavioral sciences, 2.3.5.
        Cumming & Finch 2001, A primer on the understanding, use, and calculation of confidence intervals that are
        based on central and noncentral distributions. doi:10.1177/0013164401614002
    """
    pairs = len(count)
    enough = count >= 2
    d_pair = np.where(enough, ratio(mean, deviation), np.nan)
    pair_low, pair_high = np.full((2, pairs), np.nan)
    for n in np.unique(count[enough]):
        chosen = count == n
        ends = effect_interval(np.sqrt(n) * d_pair[chosen], 1.0 / np.sqrt(n), n - 1.0, level)
        pair_low[chosen], pair_high[chosen] = ends
    spread = np.full(pairs, np.sqrt(residual.mean_square))
    d_residual, residual_low, residual_high = ratio(mean, spread), *np.full((2, pairs), np.nan)
    known = (count >= 1) & (residual.df >= 1)
    if known.any():
        n = count[known]
        ends = effect_interval(np.sqrt(n / 2.0) * d_residual[known], np.sqrt(2.0 / n), residual.df, level)
        residual_low[known], residual_high[known] = ends
    return {
        "d_pair": d_pair,
        "d_pair_low": pair_low,
        "d_pair_high": pair_high,
        "d_residual": np.where(known, d_residual, np.nan),
        "d_residual_low": residual_low,
        "d_residual_high": residual_high,
    }


def _warn_of_pairs(
    scores: Scores, pairs: Contrasts, which: NDArray[np.bool_], topics: Ints, what: str, then: str = ""
) -> None:
    """Warn of pairs whose result is a convention, or that have none."""
    if which.any():
        named = [
            f"{quoted(scores.systems[left])} and {quoted(scores.systems[right])}"
            for left, right in zip(pairs.left[which], pairs.right[which], strict=True)
        ]
        # Where systems lack topics, nothing is known of the others.
        all_topics = "on every topic" if topics[which].min() >= scores.topic_count else "on every topic that both have"
        warn(f"{scores.called}: {_list_first(named)} {what} {all_topics}{then}")


def _list_first(names: Iterable[str]) -> str:
    listed = list(names)
    others = len(listed) - 3
    more = f" (and {others:,} more {'pair' if others == 1 else 'pairs'})" if others > 0 else ""
    return "; ".join(listed[:3]) + more


def leaderboard_means(scores: Scores) -> pd.Series[float]:
    """The mean of every system over its topics, best first."""
    import pandas as pd

    order = scores.leaderboard
    index = pd.Index([scores.systems[at] for at in order], name="system", dtype=object)
    return pd.Series(scores.means[order], index=index, name=scores.measure)


LETTERS = 20
"""Systems whose letters can still be read."""
MOST = 2
"""Groups for each item. Tests by one yardstick need at most one; with others the number can grow without bound."""


def letters(different: NDArray[np.bool_]) -> list[str]:
    """Letters such that two items share one exactly if they are not different, with as few groups as absorption finds.

    Each pair that differs splits every group that holds both; groups inside others are dropped.

    Args:
        different: symmetric, [items, items].

    Returns:
        The letters of each item, ``a`` for the group of the first item; after ``z`` come ``aa``, ``ab``, ...

    Raises:
        UsageError: more than twice as many groups as items, which no reader follows.

    Reference:
        Piepho 2004, An algorithm for a letter-based representation of all-pairwise comparisons.
        doi:10.1198/1061860043515
    """
    items = len(different)
    groups = {(1 << items) - 1} if items else set()
    for item in range(items):
        against = sum(1 << later for later in range(item + 1, items) if different[item, later])
        if not against:
            continue
        holding = {group for group in groups if group >> item & 1 and group & against}
        groups = _absorb(
            (groups - holding) | {group & ~(1 << item) for group in holding} | {group & ~against for group in holding}
        )
        most = MOST * max(items, 26)
        if len(groups) > most:
            raise UsageError(
                f"{items:,} systems fall into more than {most:,} groups, which nobody could read: take "
                f"{setting('test', 'tukey')}, "
                "whose yardstick is the same for all pairs, or fewer systems"
            )
    ordered = sorted(groups, key=lambda group: [at for at in range(items) if group >> at & 1])
    names = [_name(at) for at in range(len(ordered))]
    separator = "" if len(names) <= 26 else " "
    return [
        separator.join(name for name, group in zip(names, ordered, strict=True) if group >> at & 1)
        for at in range(items)
    ]


def _absorb(groups: set[int]) -> set[int]:
    """The groups that lie inside no other one."""
    largest: list[int] = []
    for group in sorted(groups, key=lambda group: (-group.bit_count(), group)):
        if not any(group & larger == group for larger in largest):
            largest.append(group)
    return set(largest)


def _name(at: int) -> str:
    name = chr(97 + at % 26)
    return name if at < 26 else _name(at // 26 - 1) + name
