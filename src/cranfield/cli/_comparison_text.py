"""What stands below a table of pairs: what was done, what an interval is, and what these topics could find.

Ranks with their intervals, as commands print them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield._text import counted, drawn, shown
from cranfield.comparison.outcome import SIMULTANEOUS
from cranfield.comparison.paper_table import across_of
from cranfield.comparison.topic_set_size import estimate_detectable_difference, estimate_topics_needed
from cranfield.errors import InputError

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.comparison.ranks import RankIntervals
    from cranfield.comparison.result import Comparison
    from cranfield.results.sheet import Sheet
    from cranfield.streaming.scores import StreamedScores


def way_of(how: dict[str, Any]) -> str:
    """Test, correction and what was drawn."""
    together = "all pairs together" if how["test"] in SIMULTANEOUS else f"correction={how['correction']}"
    return f"test={how['test']}, {together}{across_of(how)}{drawn(how)}"


def interval_of(how: dict[str, Any]) -> str:
    """What ``low`` and ``high`` are."""
    across = how.get("across_groups")
    if across and how["level"] > 1 - how["alpha"]:
        joint = 1 - (1 - how["level"]) * across["groups"]
        return f"low to high: {100 * joint:.4g}% intervals of the differences, simultaneous for all pairs of all groups"
    of_all = "of the differences, simultaneous for all pairs"
    said = {
        "simultaneous": of_all + (" (single step)" if how["correction"] == "max-t-step-down" else ""),
        "bonferroni": f"{of_all} (t, Bonferroni)",
    }
    each = f"of each pair by itself ({how['interval']})"
    return f"low to high: {100 * how['level']:.4g}% intervals {said.get(how['interval'], each)}"


def margin_of(how: dict[str, Any]) -> str:
    """What the columns of margins say."""
    each = "of each pair by itself"
    of_all = "of the differences, simultaneous for all pairs (t, Bonferroni)"
    which = each if how["margin_correction"] == "none" else of_all
    return (
        f"margin {how['margin']:g}, one-sided t-tests at {how['alpha']:g}, correction={how['margin_correction']}; "
        f"low to high: {100 - 200 * how['alpha']:.4g}% intervals {which}"
    )


def said_of(
    array: xr.DataArray | StreamedScores, found: Comparison, difference: float | None, power: float, *, groups: bool
) -> list[str]:
    """The lines of a caption."""
    how, pairs = found.settings, counted(len(found.pairs), "pair")
    direction = direction_of(array)
    topics = topics_compared(found, array.sizes["topic"])
    scope = f"{shown(found.measure)}, {topics}{f', {direction}' if direction else ''}"
    if found.margins is not None and not groups:
        inside = ", ".join(f"{int(found.margins[name].sum()):,} {name}" for name in ("noninferior", "equivalent"))
        return [f"{scope}: of {pairs} {inside}", margin_of(how)]
    few = int(found.pairs["significant"].sum())
    lines = [f"{scope}: {few:,} of {pairs} significant at {how['alpha']:g} ({way_of(how)})"]
    lines += ["systems that share a letter do not differ significantly"] if groups else [interval_of(how)]
    return lines + _planned(array, found, difference, power)


def topics_compared(found: Comparison, topics: int) -> str:
    """On how many of all topics pairs are compared: on those that both systems of a pair have."""
    least, most = int(found.pairs["topics"].min()), int(found.pairs["topics"].max())
    if least >= topics or found.settings["test"] == "welch":
        return f"{topics:,} topics"
    return f"{f'{least:,}' if least == most else f'{least:,} to {most:,}'} of {topics:,} topics"


def direction_of(array: xr.DataArray | StreamedScores) -> str:
    """Which scores are taken as better, where the measure is none of ours."""
    from cranfield.scores.scale import Scale
    from cranfield.streaming.scores import StreamedScores

    if isinstance(array, StreamedScores):
        return Scale(array.measure, {"larger_is_better": array.larger_is_better}).direction
    return Scale(str(array.name), array.attrs).direction


def _planned(
    array: xr.DataArray | StreamedScores, found: Comparison, difference: float | None, power: float
) -> list[str]:
    """What these topics find, and how many topics find what is asked for: as it is planned, which is by t-tests."""
    how, pairs = found.settings, len(found.pairs)
    alone: Any = {"alpha": how["alpha"], "power": power, "correction": "none"}
    family: Any = alone | {name: how[name] for name in ("test", "correction", "baselines")}
    cases, known = f"in {100 * power:.4g}% of cases", ""
    if how["test"] not in ("t", *SIMULTANEOUS):
        cases += " by paired t-tests"
        known = f"; how many test={how['test']} finds is not estimated"
    by_itself = " (by a paired t-test)" if how["test"] in SIMULTANEOUS else ""
    plans = {f"one pair by itself{by_itself}": alone}
    corrected = how["test"] in SIMULTANEOUS or (pairs > 1 and family["correction"] != "none")
    if corrected and "across_groups" not in how and "drawn_at_a_time" not in how:  # which would need all scores
        by_family = " (by tukey)" if how["test"] == "randomized-tukey" else ""
        plans = {f"any one of {pairs:,} pairs, corrected for all{by_family}": family} | plans
    lines = []
    try:
        least = {what: estimate_detectable_difference(array, **plan).difference for what, plan in plans.items()}
        said = ", and ".join(f"of {value:.4f} in {what}" for what, value in least.items())
        lines.append(f"so many topics find, {cases}, a true difference {said}{known}")
    except InputError:
        if difference is not None:
            raise
    if difference is not None:
        for what, plan in plans.items():
            needed = estimate_topics_needed(array, difference, **plan)
            lines.append(f"{needed.topics:,} topics find, {cases}, a difference of {difference:g} in {what}")
        needed = estimate_topics_needed(array, difference, design="anova", power=power, alpha=how["alpha"])
        lines.append(
            f"{needed.topics:,} topics find it, as often, between the best and the worst system by ANOVA of all systems"
        )
    return lines


READ = ("table", "latex", "markdown")
"""Formats for people, in which an interval stands behind its rank."""
DRAWN = {"flips": "sign flips", "normal": "normal samples", "bootstrap": "bootstrap resamples"}


def sheet_of_ranks(found: RankIntervals, format_: str, topics: int) -> Sheet:
    """One row a system: ``3 (1-9)`` for people, the ends in columns of their own for programs; below, what they mean.

    Args:
        found: by ``estimate_ranks``.
        format_: in which it will be printed.
        topics: on how many.
    """
    from cranfield.results.sheet import Sheet, mark_of

    if format_ not in READ:
        return Sheet.of_frame(found.to_frame(), "", found.signature)
    own = [f"{low}-{high}" for low, high in found.table[["marginal_low", "marginal_high"]].itertuples(index=False)]
    frame = found.table[["mean"]].assign(rank=found.written(), alone=own).reset_index()
    caption = _caption(found, topics) + ("" if format_ == "table" else f"\n{mark_of(found.signature)}")
    return Sheet.of_frame(frame, caption, found.signature)


def _caption(found: RankIntervals, topics: int) -> str:
    from cranfield._text import counted, shown

    how, best = found.settings, found.among_best(1)
    level = f"{1 - how['alpha']:.4g}"
    seed = f", seed {how['seed']}" if how["seed"] is not None else " (all there are)"
    names = ", ".join(map(shown, best[:5])) + (f" and {len(best) - 5:,} more" if len(best) > 5 else "")
    return "\n".join(
        [
            f"{shown(found.measure)}, {counted(topics, 'topic')}; {how['resamples']:,} {DRAWN[how['method']]}{seed}",
            f"rank: on these topics; in brackets the ranks it may have on all such topics (coverage {level} for all "
            "systems)",
            "alone: the same for one system that was chosen before looking at the scores",
            f"the best may be {'any of ' if len(best) > 1 else ''}{names}",
        ]
    )
