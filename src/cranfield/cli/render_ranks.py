"""Ranks with their intervals, as commands print them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.comparison.ranks import RankIntervals
    from cranfield.results.sheet import Sheet

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
