"""In words: which system is best, and how certain that is; among equal systems none is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield._text import counted, shown
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.leading import Leading
from cranfield.reporting.tabling import listed_names
from cranfield.scores.matrix import Matrix, matrix_of
from cranfield.scores.missing_scores import gaps_in_words, gaps_of


def verdict(analyses: Analyses) -> str:
    """Which system leads, and whether its lead over the next is significant."""
    matrix = matrix_of(analyses.scores[analyses.first])
    leading = Leading.of(matrix)
    if len(matrix.systems) == 1:
        return f"The only system is {_with_mean(matrix, leading.best)}, so there is nothing to compare it with."
    if leading.following is None:
        return f"{_all(matrix)} have the same scores on every topic ({_mean(matrix, 0)}): none is better than another."
    gaps = gaps_of(matrix.values)
    lead = _uneven(matrix, leading, gaps) if gaps.any() else _lead(matrix, leading)
    leaders = analyses.by_scores.leaders
    if leaders.result is None:
        return f"{lead} Whether they differ significantly could not be determined: {leaders.reason}."
    together = _together(analyses, matrix, leading)
    return f"{lead} {_tested(analyses, matrix, leading)}" + (
        f" With all pairs tested together, {together}." if together else ""
    )


def tested_pairs(analyses: Analyses) -> dict[str, Any]:
    """What tests of every two systems say, for the comparison of two: plain data, or the reason why there is none."""
    answer = analyses.by_scores.pairs
    if answer.result is None:
        return {"reason": shown(answer.reason, 1000)} if answer.reason else {}
    found, settings = answer.result.pairs, answer.result.settings
    number = {name: at for at, name in enumerate(analyses.table.systems)}
    columns = (
        [number[name] for name in found["system"]],
        [number[name] for name in found["other"]],
        *(
            [_plain(value) for value in found[name].tolist()]
            for name in ("difference", "low", "high", "p", "p_adjusted")
        ),
        found["significant"].tolist(),
        found["topics"].tolist(),
        np.isinf(found["d_pair"].to_numpy()).tolist(),
    )
    return {
        "measure": shown(answer.result.measure),
        "level": f"{settings['level']:.0%}",
        "alpha": f"{settings['alpha']:g}",
        "rows": [list(row) for row in zip(*columns, strict=True)],
    }


def _plain(value: float) -> float | None:
    """A number that JSON has; None for the others."""
    return float(f"{value:.6g}") if math.isfinite(value) else None


def _lead(matrix: Matrix, leading: Leading) -> str:
    """The best and the next."""
    assert leading.following is not None
    best, following = leading.best, leading.following
    if following in leading.level:
        every = len(leading.level) == len(matrix.systems)
        who = f"{_all(matrix)} have the same" if every else f"{_named(matrix, leading.level)} have the best"
        return f"{who} mean ({_mean(matrix, best[0])}), but not the same scores on every topic."
    after = f"followed by {shown(matrix.systems[following])} ({_number(matrix, following)})."
    if len(best) == 1:
        return f"{_with_mean(matrix, best)} is the best system, {after}"
    return f"{_with_mean(matrix, best)} have the same scores on every topic and are the best systems, {after}"


def _uneven(matrix: Matrix, leading: Leading, gaps: NDArray[np.bool_]) -> str:
    """The first two by their means, where these are over different topics."""
    assert leading.following is not None
    first = leading.best[:1]
    return (
        "Systems have scores on different topics, so that their means do not rank them, and none is the best: "
        f"{gaps_in_words(gaps, matrix.topics, matrix.systems)}. First by its mean comes {_with_mean(matrix, first)}, "
        f"followed by {shown(matrix.systems[leading.following])} ({_number(matrix, leading.following)})."
    )


def _tested(analyses: Analyses, matrix: Matrix, leading: Leading) -> str:
    """What a test says of the best and the next, on the topics that both have."""
    leaders = analyses.by_scores.leaders.result
    assert leaders is not None
    assert leading.following is not None
    pair, settings = leaders.pairs.iloc[0], leaders.settings
    difference = float(pair["difference"])
    verdict = "is" if pair["significant"] else "is not"
    chosen = f", not corrected for choosing these two among {count:,}" if (count := len(matrix.systems)) > 2 else ""
    spread = (
        f"The difference of {difference:.4f} is the same on every topic, which leaves no spread to judge by: it has no "
        "interval and no p, and whether it is more than chance is unknown."
    )
    said = (
        spread
        if math.isnan(pair["p"])
        else f"The difference of {difference:.4f} {verdict} significant at {settings['alpha']:g} (95% interval "
        f"{pair['low']:.4f} to {pair['high']:.4f}; paired t-test, p = {pair['p']:.3g}{chosen})."
    )
    if int(pair["topics"]) < max(_topics(matrix, at) for at in (leading.best[0], leading.following)):
        both = f"On the {counted(int(pair['topics']), 'topic')} that both have"
        ahead = difference if matrix.larger_is_better else -difference
        whose = f", {shown(pair['other'])} is ahead: t" if ahead < 0 else ", t"
        said = f"{both}{whose}{said[1:]}"
    return said


def _together(analyses: Analyses, matrix: Matrix, leading: Leading) -> str:
    """What tests of all pairs say, a clause; nothing of two systems."""
    ranks = analyses.by_scores.ranks.result
    if ranks is None or len(matrix.systems) == 2:
        return ""
    candidates, best = ranks.among_best(1), [matrix.systems[at] for at in leading.best]
    if not set(candidates) <= set(best):
        return f"any of {counted(len(candidates), 'system')} may be the best"
    them = f"{shown(best[0])} is" if len(best) == 1 else "they are"
    return f"{them} significantly better than every other system"


def _all(matrix: Matrix) -> str:
    count = len(matrix.systems)
    return "Both systems" if count == 2 else f"All {count:,} systems"


def _named(matrix: Matrix, places: Sequence[int]) -> str:
    return listed_names([matrix.systems[at] for at in places])


def _with_mean(matrix: Matrix, places: Sequence[int]) -> str:
    return f"{_named(matrix, places)} ({_mean(matrix, places[0])})"


def _mean(matrix: Matrix, place: int) -> str:
    return f"{matrix.measure} {_number(matrix, place)}"


def _number(matrix: Matrix, place: int) -> str:
    """A mean, and over how many topics it is where systems have different ones."""
    over = f" over {counted(_topics(matrix, place), 'topic')}" if np.isnan(matrix.values).any() else ""
    return f"{matrix.exact_means[place]:.4f}{over}"


def _topics(matrix: Matrix, place: int) -> int:
    """On how many topics a system has a score."""
    return int((~np.isnan(matrix.values[:, place])).sum())
