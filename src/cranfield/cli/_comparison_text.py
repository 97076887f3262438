"""Captions of ``cranfield compare``: the test, the intervals, the power of these topics, and ranks with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield._text import counted, drawn, shown
from cranfield.comparison.outcome import SIMULTANEOUS
from cranfield.comparison.paper_table import describe_scope
from cranfield.comparison.result import Comparison
from cranfield.comparison.topic_set_size import estimate_detectable_difference, estimate_topics_needed
from cranfield.errors import InputError
from cranfield.results.sheet import Sheet, shorten_signature
from cranfield.scores.matrix import MeasureScores
from cranfield.scores.scale import Scale
from cranfield.scores.system_runs import describe_runs
from cranfield.scores.topic_clusters import describe_clusters

if TYPE_CHECKING:
    from cranfield.comparison.ranks import RankIntervals


POWER = 0.8
"""The power where none is requested."""


def describe_test(settings: dict[str, Any]) -> str:
    """Describe test, correction and resamples."""
    together = "all pairs together" if settings["test"] in SIMULTANEOUS else f"correction={settings['correction']}"
    return f"test={settings['test']}, {together}{describe_scope(settings)}{drawn(settings)}"


def describe_interval(settings: dict[str, Any]) -> str:
    """Describe what ``low`` and ``high`` are."""
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
    return f"interval: {100 * settings['level']:.4g}% intervals {scopes.get(settings['interval'], each)}"


def describe_margin(settings: dict[str, Any]) -> str:
    """Describe the test of a margin and its intervals."""
    correction, alpha = settings["margin_correction"], settings["alpha"]
    of_all = "of the differences, simultaneous for all pairs (t, Bonferroni)"
    which = "of each pair by itself" if correction == "none" else of_all
    return (
        f"margin {settings['margin']:g}, one-sided t-tests at {alpha:g}, correction={correction}; "
        f"interval: {100 - 200 * alpha:.4g}% intervals {which}"
    )


def describe_comparison(
    scores: MeasureScores,
    comparison: Comparison,
    difference: float | None,
    power: float | None,
    *,
    groups: bool,
) -> list[str]:
    """Return the lines of the caption below a table of pairs or groups."""
    settings, pairs = comparison.settings, counted(len(comparison.pairs), "pair")
    direction = _describe_direction(scores)
    topics = describe_topics(comparison, scores.topic_count)
    scope = f"{shown(comparison.measure)}, {topics}{f', {direction}' if direction else ''}"
    if comparison.margins is not None and not groups:
        inside = ", ".join(f"{int(comparison.margins[name].sum()):,} {name}" for name in ("noninferior", "equivalent"))
        return [f"{scope}: of {pairs} {inside}", describe_margin(settings)]
    few = int(comparison.pairs["significant"].sum())
    lines = [f"{scope}: {few:,} of {pairs} significant at {settings['alpha']:g} ({describe_test(settings)})"]
    lines += ["systems that share a letter do not differ significantly"] if groups else [describe_interval(settings)]
    return lines + _describe_power(scores, comparison, difference, power)


def describe_topics(comparison: Comparison, topics: int) -> str:
    """Describe on how many topics pairs are compared: on those that both systems of a pair have."""
    within = f" {describe_clusters(comparison.settings)}" if "topic_clusters" in comparison.settings else ""
    within += f", {describe_runs(comparison.settings)}" if "replicates" in comparison.settings else ""
    return _describe_topic_count(comparison, topics) + within


def _describe_topic_count(comparison: Comparison, topics: int) -> str:
    least, most = int(comparison.pairs["topics"].min()), int(comparison.pairs["topics"].max())
    if least >= topics or comparison.settings["test"] == "welch":
        return f"{topics:,} topics"
    return f"{f'{least:,}' if least == most else f'{least:,} to {most:,}'} of {topics:,} topics"


def _describe_direction(scores: MeasureScores) -> str:
    """Describe which scores count as better, where the measure is not one of ours."""
    return Scale(scores.measure, {"larger_is_better": scores.larger_is_better}).direction


def _describe_power(
    scores: MeasureScores, comparison: Comparison, difference: float | None, power: float | None
) -> list[str]:
    """Describe the smallest difference that these topics detect, and how many topics detect a requested one.

    Both are planned for t-tests.
    """
    settings, pairs = comparison.settings, len(comparison.pairs)
    if {"topic_clusters", "replicates"} & settings.keys():
        return []
    is_requested = difference is not None or power is not None
    power = POWER if power is None else power
    alone: Any = {"alpha": settings["alpha"], "power": power, "correction": "none"}
    family: Any = alone | {name: settings[name] for name in ("test", "correction", "baseline")}
    chance, known = f"with {100 * power:.4g}% power", ""
    if settings["test"] not in ("t", *SIMULTANEOUS):
        chance += " by paired t-tests"
        known = f"; the power of test={settings['test']} is not estimated"
    by_itself = ", by a paired t-test" if settings["test"] in SIMULTANEOUS else ""
    plans = {f"one pair alone{by_itself}": alone}
    corrected = settings["test"] in SIMULTANEOUS or (pairs > 1 and family["correction"] != "none")
    # Tests across groups, and of topics drawn in part, would need all scores.
    if corrected and not {"across_groups", "drawn_at_a_time"} & set(settings):
        by_family = ", by tukey" if settings["test"] == "randomized-tukey" else ""
        plans = {f"any one of {pairs:,} pairs, corrected for all{by_family}": family} | plans
    lines = []
    try:
        least = {what: estimate_detectable_difference(scores, **plan).difference for what, plan in plans.items()}
        sizes = ", ".join(f"{value:.4f} ({what})" for what, value in least.items())
        lines.append(f"smallest true difference that these topics detect {chance}: {sizes}{known}")
    except InputError:
        if is_requested:
            raise
    if difference is not None:
        for what, plan in plans.items():
            needed = estimate_topics_needed(scores, difference, **plan)
            lines.append(f"{needed.topics:,} topics detect a difference of {difference:g} {chance} ({what})")
        needed = estimate_topics_needed(scores, difference, design="anova", power=power, alpha=settings["alpha"])
        lines.append(
            f"{needed.topics:,} topics detect it with the same power between the best and the worst system by ANOVA of "
            "all systems"
        )
    return lines


READ = ("table", "latex", "markdown")
"""Formats for people, in which an interval follows its rank."""
DRAWN = {"flips": "sign flips", "normal": "normal samples", "bootstrap": "bootstrap resamples"}


def tabulate_ranks(ranks: RankIntervals, format_: str, topics: int) -> Sheet:
    """Tabulate systems with their ranks: ``3 (1-9)`` for people, the ends in columns of their own for programs.

    Args:
        ranks: the result of ``estimate_ranks``.
        format_: the format in which they will be printed.
        topics: the number of topics.
    """
    if format_ not in READ:
        return Sheet.from_frame(ranks.to_frame(), "", ranks.signature)
    own = [f"{low}-{high}" for low, high in ranks.table[["marginal_low", "marginal_high"]].itertuples(index=False)]
    frame = ranks.table[["mean"]].assign(rank=ranks.written(), alone=own).reset_index()
    caption = _write_caption(ranks, topics) + ("" if format_ == "table" else f"\n{shorten_signature(ranks.signature)}")
    return Sheet.from_frame(frame, caption, ranks.signature)


def _write_caption(ranks: RankIntervals, topics: int) -> str:
    settings, best = ranks.settings, ranks.among_best(1)
    level = f"{1 - settings['alpha']:.4g}"
    drawn = f"{settings['resamples']:,} {DRAWN[settings['procedure']]}"
    seed = f", seed {settings['seed']}" if settings["seed"] is not None else " (all there are)"
    within = f" {describe_clusters(settings)}" if "topic_clusters" in settings else ""
    names = ", ".join(map(shown, best[:5])) + (f" and {len(best) - 5:,} more" if len(best) > 5 else "")
    return "\n".join(
        [
            f"{shown(ranks.measure)}, {counted(topics, 'topic')}{within}; {drawn}{seed}",
            f"rank: on these topics; in brackets, the interval of its rank over all such topics (coverage {level} for "
            "all systems jointly)",
            "alone: the same for a single system that was chosen before looking at the scores",
            f"the best may be {'any of ' if len(best) > 1 else ''}{names}",
        ]
    )
