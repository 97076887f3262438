"""Text around the tables of a comparison: the answer, the test, the intervals, and the power of its topics."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from cranfield._text import counted, drawn, join_first, shown
from cranfield.comparison.topic_set_size import estimate_detectable_difference, estimate_topics_needed
from cranfield.errors import InputError
from cranfield.results.sheet import readable
from cranfield.scores.measure_scores import weighted_means
from cranfield.scores.system_runs import describe_runs
from cranfield.scores.topic_clusters import describe_clusters
from cranfield.scores.topic_weights import describe_weights, difficulty_without
from cranfield.statistics.monte_carlo import passes
from cranfield.statistics.paired_tests import EXACT_TIED, least_sign_p
from cranfield.statistics.power import POWER
from cranfield.statistics.test_names import BY_SIGNS, SIMULTANEOUS

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.comparison.ranked_systems import RankedSystems
    from cranfield.scores.measure_scores import Scores


@dataclass(frozen=True)
class ComparedScores:
    """Facts about the compared scores that a comparison reports.

    Args:
        topics: how many there are.
        topics_of: system -> on how many topics it has a score, where some are missing.
        direction: which scores are taken as better, where the measure is not one of ours.
        plan: of comparisons on other numbers of topics.
        moved: where topics are weighted by difficulty, the most by which a difference of means moves when one system
            is left out of the weights; else None.
    """

    topics: int
    topics_of: Mapping[str, int]
    direction: str
    plan: TopicPlan
    moved: float | None = None

    @classmethod
    def of(cls, scores: Scores, difference: float | None, power: float | None) -> ComparedScores:
        """Describe scores; see ``TopicPlan`` for the difference and the power."""
        has_gaps = scores.has_gaps and "replicates" not in scores.units.settings
        topics_of = dict(zip(scores.systems, scores.scored_topics.tolist(), strict=True)) if has_gaps else {}
        plan = TopicPlan(scores, difference, power)
        return cls(scores.topic_count, topics_of, scores.direction, plan, _leave_out_systems(scores))


def _leave_out_systems(scores: Scores) -> float | None:
    """The most by which a difference of means moves when one system is left out of estimated weights of topics."""
    weights = scores.units.topic_weights
    if weights is None or "estimated" not in weights.source or len(scores.systems) < 3:
        return None
    values, means = scores.values, scores.means
    moves = (
        np.ptp(weighted_means(values, difficulty_without(values, left_out)) - means)
        for left_out in range(len(scores.systems))
    )
    return float(max(moves))


class Compared(Protocol):
    """The object described: a ``Comparison``."""

    @property
    def pairs(self) -> pd.DataFrame:
        """A row a pair."""

    @property
    def measure(self) -> str:
        """The measure that was compared."""

    @property
    def means(self) -> pd.Series[float]:
        """The mean of every system, best first."""

    @property
    def margins(self) -> pd.DataFrame | None:
        """The same pairs by a margin."""

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the test."""

    @property
    def ranked(self) -> RankedSystems | None:
        """The mean ranks, where they were tested."""

    @property
    def about(self) -> ComparedScores:
        """The scores."""


class TopicPlan:
    """The smallest difference that these topics detect, and how many topics detect another one, by t-tests.

    It is made when it is read. A copy that is pickled keeps no scores, and has nothing to say.
    """

    def __init__(self, scores: Scores | None, difference: float | None, power: float | None) -> None:
        """Keep what is needed.

        Args:
            scores: a pilot.
            difference: that is to be detected.
            power: of the tests; 0.8 by default.
        """
        self.scores, self.difference, self.power = scores, difference, power

    def __reduce__(self) -> tuple[Any, ...]:
        return TopicPlan, (None, self.difference, self.power)

    @property
    def is_requested(self) -> bool:
        """Return whether a call asked for the plan, so that failing to make it is an error."""
        return self.difference is not None or self.power is not None

    def lines(self, settings: Mapping[str, Any], pairs: int) -> list[str]:
        """Describe the plan of a comparison.

        Args:
            settings: of the comparison.
            pairs: how many there are.

        Raises:
            InputError: it is requested, and the scores do not vary.
        """
        if self.scores is None or {"topic_clusters", "replicates", "topic_weights"} & settings.keys():
            return []
        power = POWER if self.power is None else self.power
        chance, known, plans = self._choose(settings, pairs, power)
        lines = []
        try:
            least = {
                what: estimate_detectable_difference(self.scores, **plan).difference for what, plan in plans.items()
            }
            sizes = ", ".join(f"{value:.4f} ({what})" for what, value in least.items())
            lines.append(f"smallest true difference that these topics detect {chance}: {sizes}{known}")
            lines += self._describe_widest(plans, pairs)
        except InputError:
            if self.is_requested:
                raise
        if self.difference is not None:
            for what, plan in plans.items():
                needed = estimate_topics_needed(self.scores, self.difference, **plan)
                lines.append(f"{needed.topics:,} topics detect a difference of {self.difference:g} {chance} ({what})")
            # Of two systems, a test that leaves the spread of topics in would answer the same question worse.
            if len(self.scores.systems) > 2:
                anova: Any = {"design": "anova", "power": power, "alpha": settings["alpha"]}
                needed = estimate_topics_needed(self.scores, self.difference, **anova)
                lines.append(
                    f"{needed.topics:,} topics detect it with the same power between the best and the worst system by "
                    "one-way ANOVA of all systems, which, unlike tests of pairs, does not remove what topics have in "
                    "common"
                )
        return lines

    def _describe_widest(self, plans: Mapping[str, Any], pairs: int) -> list[str]:
        """Describe the plans of the pair whose differences vary most; the others are for pairs of average spread."""
        alike = {what: plan for what, plan in plans.items() if plan.get("test") not in SIMULTANEOUS}
        if pairs < 2 or self.scores is None or not alike:
            return []
        parts = []
        for what, plan in alike.items():
            least = estimate_detectable_difference(self.scores, **plan, spread="largest").difference
            text = f"{least:.4f}"
            if self.difference is not None:
                needed = estimate_topics_needed(self.scores, self.difference, **plan, spread="largest")
                text += f", or {needed.topics:,} topics for {self.difference:g}"
            parts.append(f"{text} ({what})")
        return [f"these are for pairs of average spread; for the pair that varies most: {'; '.join(parts)}"]

    @staticmethod
    def _choose(settings: Mapping[str, Any], pairs: int, power: float) -> tuple[str, str, dict[str, Any]]:
        """Choose for what to plan: with which chance, what is not known, and the options of each plan."""
        alone: Any = {"alpha": settings["alpha"], "power": power, "correction": "none"}
        alone |= {"baseline": settings["baseline"]}
        family: Any = alone | {name: settings[name] for name in ("test", "correction")}
        chance, known = f"with {100 * power:.4g}% power", ""
        if settings["test"] not in ("t", *SIMULTANEOUS):
            chance += " by paired t-tests"
            known = f"; the power of test={settings['test']} is not estimated"
        by_itself = ", by a paired t-test" if settings["test"] in SIMULTANEOUS else ""
        plans = {f"one pair alone{by_itself}": alone}
        corrected = settings["test"] in SIMULTANEOUS or (pairs > 1 and family["correction"] != "none")
        # Tests across groups, and of topics drawn in part, would need all scores.
        if corrected and not {"across_groups", "drawn_at_a_time"} & set(settings):
            by_family = ", by tukey" if settings["test"] in ("randomized-tukey", "nemenyi") else ""
            plans = {f"any one of {pairs:,} pairs, corrected for all{by_family}": family} | plans
        return chance, known, plans


def describe_scope(settings: Mapping[str, Any]) -> str:
    """Describe over which comparisons p was adjusted, where they are of several groups of topics."""
    across = settings.get("across_groups")
    return f" over all {across['comparisons']:,} comparisons of {counted(across['groups'], 'group')}" if across else ""


def describe_test(settings: dict[str, Any]) -> str:
    """Describe test, correction and resamples."""
    together = "all pairs together" if settings["test"] in SIMULTANEOUS else f"correction={settings['correction']}"
    return f"test={settings['test']}, {together}{describe_scope(settings)}{drawn(settings)}"


def describe_interval(comparison: Compared) -> str:
    """Describe what ``low`` and ``high`` are, and which of them hold 0 though the pair is significant."""
    settings, pairs = comparison.settings, comparison.pairs
    across = settings.get("across_groups")
    if across and settings["level"] > 1 - settings["alpha"]:
        joint = 1 - (1 - settings["level"]) * across["groups"]
        return f"interval: {100 * joint:.4g}% intervals of the differences, simultaneous for all pairs of all groups"
    of_all = "of the differences, simultaneous for all pairs"
    scopes = {
        "simultaneous": of_all + (" (single step)" if settings["correction"] == "max-t-step-down" else ""),
        "bonferroni": f"{of_all} (t, Bonferroni)",
    }
    each = f"of each pair by itself ({settings['interval']})"
    text = f"interval: {100 * settings['level']:.4g}% intervals {scopes.get(settings['interval'], each)}"
    wide = int((pairs["significant"] & (pairs["low"] <= 0) & (pairs["high"] >= 0)).sum())
    if settings["interval"] in scopes and wide:
        text += f"; {counted(wide, 'significant pair')} with 0 inside, as the test is less strict than these intervals"
    return text


def describe_margin(settings: dict[str, Any]) -> str:
    """Describe the test of a margin and its intervals."""
    correction, alpha = settings["margin_correction"], settings["alpha"]
    of_all = "of the differences, simultaneous for all pairs (t, Bonferroni)"
    which = "of each pair by itself" if correction == "none" else of_all
    return (
        f"margin {settings['margin']:g}, one-sided t-tests at {alpha:g}, correction={correction}; "
        f"interval: {100 - 200 * alpha:.4g}% intervals {which}"
    )


def describe_topics(comparison: Compared) -> str:
    """Describe on how many topics pairs are compared: on those that both systems of a pair have."""
    settings, topics = comparison.settings, comparison.about.topics
    within = f" {describe_clusters(settings)}" if "topic_clusters" in settings else ""
    within += f", {describe_runs(settings)}" if "replicates" in settings else ""
    within += f", {describe_weights(settings)}" if "topic_weights" in settings else ""
    least, most = int(comparison.pairs["topics"].min()), int(comparison.pairs["topics"].max())
    if least >= topics or settings["test"] == "welch":
        return f"{topics:,} topics{within}"
    return f"{f'{least:,}' if least == most else f'{least:,} to {most:,}'} of {topics:,} topics{within}"


def describe_pairs(comparison: Compared, *, lettered: bool) -> list[str]:
    """Describe how many pairs differ, by which test, and with which power.

    Args:
        comparison: of pairs.
        lettered: whether the table is the leaderboard with letters, which has no intervals.
    """
    settings, pairs = comparison.settings, counted(len(comparison.pairs), "pair")
    few = int(comparison.pairs["significant"].sum())
    lines = [
        f"{_describe_scores(comparison)}: {few:,} of {pairs} significant at {settings['alpha']:g} "
        f"({describe_test(settings)})"
    ]
    lines += _describe_attainable(comparison)
    lines += (
        ["systems that share a letter do not differ significantly"] if lettered else [describe_interval(comparison)]
    )
    if comparison.about.moved is not None:
        lines.append(
            f"weights are estimated from the systems that are compared: leaving any one of these out of them moves a "
            f"difference by at most {comparison.about.moved:.4f}"
        )
    if comparison.ranked is not None:
        lines += comparison.ranked.describe_for(settings["test"])
    return lines + comparison.about.plan.lines(settings, len(comparison.pairs))


def _describe_attainable(comparison: Compared) -> Iterator[str]:
    """Say that no pair can be significant, whatever the scores, where the signs of so few topics decide."""
    settings, pairs = comparison.settings, comparison.pairs
    clusters = settings["topic_clusters"]["clusters"] if "topic_clusters" in settings else None
    test, n = settings["test"], int(pairs["topics"].max()) if clusters is None else clusters
    signed = test in BY_SIGNS or (test == "wilcoxon" and n <= EXACT_TIED) or settings["exact_pairs"] == len(pairs)
    comparisons = settings["across_groups"]["comparisons"] if "across_groups" in settings else len(pairs)
    factor = comparisons if settings["correction"] in ("holm", "bonferroni") else 1
    least = float(least_sign_p(np.array(n)))
    if signed and not passes(least, factor, settings["alpha"]):
        of_all = f", and {min(1.0, least * factor):g} corrected" if factor > 1 else ""
        units = counted(n, "topic" if clusters is None else "cluster")
        yield f"{units}: p is at least {least:g}{of_all}, so that nothing can be significant, whatever the scores"


def describe_margins(comparison: Compared, margins: pd.DataFrame) -> list[str]:
    """Describe how many pairs are shown to lie within the margin, and by which test."""
    inside = ", ".join(f"{int(margins[name].sum()):,} {name}" for name in ("noninferior", "equivalent"))
    pairs = counted(len(margins), "pair")
    return [f"{_describe_scores(comparison)}: of {pairs} {inside}", describe_margin(comparison.settings)]


def _describe_scores(comparison: Compared) -> str:
    direction = comparison.about.direction
    return f"{shown(comparison.measure)}, {describe_topics(comparison)}{f', {direction}' if direction else ''}"


def choose_pairs(comparison: Compared, most: int) -> pd.DataFrame:
    """Choose the pairs of many that a reader looks for, in the order of the ranking.

    Pairs of the first place, neighbours in the ranking and the smallest significant differences are taken in turn.

    Args:
        comparison: of all pairs.
        most: how many to choose.
    """
    pairs = comparison.pairs
    rank = {system: at for at, system in enumerate(comparison.means.index)}
    systems = zip(pairs["system"], pairs["other"], strict=True)
    places = [tuple(sorted((rank[left], rank[right]))) for left, right in systems]
    order = sorted(range(len(pairs)), key=places.__getitem__)
    sizes = pairs["difference"].abs().tolist()
    lists = (
        [at for at in order if places[at][0] == 0],
        [at for at in order if places[at][1] - places[at][0] == 1],
        sorted(np.flatnonzero(pairs["significant"]).tolist(), key=sizes.__getitem__),
    )
    turns = chain.from_iterable(zip_longest(*lists))
    chosen = list(dict.fromkeys(at for at in turns if at is not None))[:most]
    return pairs.iloc[sorted(chosen, key=places.__getitem__)].reset_index(drop=True)


def describe_first(comparison: Compared) -> str:
    """Describe which system is first, and which others it is not separated from; of a single pair, the difference.

    Nothing is said where rows say it: with baselines or a margin, or where pairs have topics of their own.
    """
    means, pairs, settings = comparison.means, comparison.pairs, comparison.settings
    if len(pairs) == 1 and comparison.margins is None:
        return _describe_pair(comparison)
    ranked = len(means) > 2 and not settings["baseline"] and comparison.margins is None
    if not ranked or pairs["topics"].nunique() > 1 or not pairs["difference"].notna().all():
        return ""
    best, value = str(means.index[0]), means.iloc[0]
    extreme = "largest" if value >= means.iloc[-1] else "smallest"
    with_best = pairs[(pairs["system"] == best) | (pairs["other"] == best)]
    untested = _name_others(comparison, with_best[with_best["p_adjusted"].isna()], best)
    names = _name_others(comparison, with_best[~with_best["significant"]], best)
    names = [name for name in names if name not in untested]
    better = len(with_best) - len(names) - len(untested)
    others = "all" if better == len(with_best) else f"{better:,} of the"
    said = f"; {comparison.about.direction}" if comparison.about.direction else ""
    text = f"{shown(best)} has the {extreme} mean ({value:.4f}{said}) and is significantly better than {others} "
    text += f"{len(with_best):,} others" if better == len(with_best) else counted(len(with_best), "other")
    text += f", but not separated from {join_first(names)}" if names else ""
    return text + (
        f"; no test tells it from {join_first(untested)}, whose differences have no spread" if untested else ""
    )


def _name_others(comparison: Compared, pairs: pd.DataFrame, best: str) -> list[str]:
    """Name the systems of some pairs with the best one, in the order of the leaderboard."""
    found = {*pairs["system"], *pairs["other"]} - {best}
    return [shown(str(system)) for system in comparison.means.index if system in found]


def _describe_pair(comparison: Compared) -> str:
    """Describe the difference of two systems, with its interval and verdict."""
    pair, settings = comparison.pairs.iloc[0], comparison.settings
    if math.isnan(pair["difference"]) or math.isnan(pair["p_adjusted"]):
        return ""
    system, other, difference = shown(str(pair["system"])), shown(str(pair["other"])), float(pair["difference"])
    if difference == 0:
        return f"{system} and {other} have the same mean"
    side = "above" if difference > 0 else "below"
    verdict = "a significant difference" if pair["significant"] else "not a significant difference"
    interval = ""
    if not math.isnan(pair["low"]):
        interval = f"{100 * settings['level']:.4g}% interval {pair['low']:.4f} to {pair['high']:.4f}; "
    p = readable(float(pair["p_adjusted"]), "p_adjusted")
    p = f"p {p}" if p.startswith("<") else f"p = {p}"
    size = f"The mean of {system} is {abs(difference):.4f} {side} that of {other}"
    said = f" ({comparison.about.direction})" if comparison.about.direction else ""
    return f"{size}{said}, {verdict} at {settings['alpha']:g} ({interval}{p})"


def describe_preferences(comparison: Compared) -> list[str]:
    """Describe whether preferences, where there are any, agree with the test of scores."""
    if "preferences" not in comparison.settings:
        return []
    settings, pairs = comparison.settings["preferences"], comparison.pairs
    sure = pairs["p_preference"] < settings["alpha"]
    both = sure & pairs["significant"]
    against = both & (pairs["preference"] * pairs["difference"] < 0)
    correction = "" if settings["correction"] == "none" else f", {settings['correction']}"
    contradicted = f", {int(against.sum()):,} of these in the opposite direction" if against.any() else ""
    return [
        f"preference, p_preference: {settings['preference']}, and its sign test{correction}: {int(sure.sum()):,} pairs "
        f"significant at {settings['alpha']:g}, {int(both.sum()):,} by the measure too{contradicted}"
    ]
