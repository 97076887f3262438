"""The verdict of a gate on each system by each measure: the tests, the reasons, and the topics that lose most.

The first system of every table is the baseline. A gain is a mean of the new system minus the baseline's, larger being
better whichever way the measure goes; a margin is the loss that is tolerated. In the order of the file:

1. ``GateTests`` tests two hypotheses for each system and measure: that the loss is the margin or more, and that it is
   the margin or less. ``judge`` corrects their p and makes a verdict of them: no regression where the first is
   rejected, a regression where the second is, and otherwise cannot tell.
2. ``find_worst_topics`` and ``find_topic_gains`` go through the scores by topic: the largest losses, and the gains that
   are equal on all topics but few, which have too little spread for t and are decided by exact signs.
3. ``build_rows`` makes the table. Its verdict is that of the tests, and then of the rules that tests do not know: a
   single topic that loses too much, topics without a score, a baseline that has nothing to lose. ``_decided`` applies
   them and words the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr, stdtrit

from cranfield._text import counted, listed, shown
from cranfield._typing import Floats, Mask
from cranfield.comparison.outcome import PairedOutcome, find_flat
from cranfield.scores.measure_scores import PLAIN, Scores, SharedScores
from cranfield.scores.topic_table import TopicTable
from cranfield.statistics.paired_tests import noninferiority_power, within_margin
from cranfield.statistics.power import POWER
from cranfield.statistics.rounding import NOISE, cleared, find_common, is_noise, signs_p, units_needed

if TYPE_CHECKING:
    import pandas as pd


Verdict = Literal["no regression", "regression", "cannot tell"]
PASSED, FAILED, OPEN = get_args(Verdict)
MOST_TOPICS = 1 << 20
"""No collection has more."""


@dataclass(frozen=True)
class GateTests:
    """Statistics from which the tests of a gate are made, [..., systems, measures].

    Args:
        gain: means of the new systems minus those of the baseline, larger being better.
        error: their standard errors; where one is zero and the gain is not, an exact test decides.
        df: their degrees of freedom.
        margin: the loss that is tolerated, above 0, [measures].
        constant_p: one-sided p of that exact test; see ``PairedOutcome.constant_p``. 1 where there is none.
        slack: differences of a gain and the margin that are rounding, [measures].
        topic_gains: where all topics but few gain the same, the smallest gain, that one, and the largest; else NaN;
            [3, ..., systems, measures].
    """

    gain: Floats
    error: Floats
    df: Floats
    margin: Floats
    constant_p: Floats
    slack: Floats
    topic_gains: Floats = field(default_factory=lambda: np.full(3, np.nan))

    @property
    def is_flat(self) -> Mask:
        """Return whether a system gains the same nonzero amount on every topic, which leaves no spread to judge by."""
        flat: Mask = (self.error == 0) & (self.gain != 0)
        return flat

    def by_t(self) -> tuple[Floats, Floats]:
        """As ``p``, by t-tests alone; where a gain has no spread they say nothing."""
        # Each measure has a margin of its own, in units of which gains and errors are.
        tests = within_margin(self.gain / self.margin, self.error / self.margin, self.df, 1.0)
        return tests.p_lower, stdtr(self.df, tests.t_lower)

    def p(self) -> tuple[Floats, Floats]:
        """p of the hypotheses that the loss is the margin or more, and that it is the margin or less; not corrected.

        Where a gain has no spread they are those of the exact test, by whether every topic loses less than the margin,
        or more; both are 1 where each loses just the margin. Such a gain counts in corrections as any other. Where all
        topics but few gain the same, exact signs decide if they agree; else t does, but it is never surer than they
        could be. Where that same gain is 0, which needs no test, they only help.
        """
        least, common, most = self.topic_gains
        differs = ~self.is_flat & (common != 0) & ~np.isnan(common)
        p = []
        for below, by_t in zip((least + self.margin, -self.margin - most), self.by_t(), strict=True):
            agree = below > self.slack
            nearly = np.where(differs, np.where(agree, self.constant_p, np.maximum(by_t, self.constant_p)), by_t)
            nearly = np.where(agree & (common == 0), np.minimum(by_t, self.constant_p), nearly)
            p.append(np.where(self.is_flat, np.where(agree, self.constant_p, 1.0), nearly))
        return p[0], p[1]


@dataclass(frozen=True)
class GateVerdicts:
    """The verdict on each system by each measure, [..., systems, measures].

    Args:
        low: lower limit of the gain, of all systems together; above -margin exactly where there is no regression.
            This and ``high`` are NaN where a gain has no spread, or where exact signs decide otherwise than t.
        high: upper limit, of all systems and measures together; below -margin exactly where there is a regression.
        p_no_regression: of the hypothesis that the loss is the margin or more, corrected for the number of systems.
        p_regression: of the hypothesis that it is the margin or less, corrected for those of systems and measures.
        verdicts: ``Verdict`` of each.
        passing: level at which no regression was decided.
        failing: level at which a regression was.
    """

    low: Floats
    high: Floats
    p_no_regression: Floats
    p_regression: Floats
    verdicts: NDArray[np.object_]
    passing: float
    failing: float

    def difference_limits(self, system: int, measure: int, larger_is_better: bool) -> tuple[float, float]:
        """Both limits as those of the difference of means, new minus baseline."""
        low, high = float(self.low[system, measure]), float(self.high[system, measure])
        return (low, high) if larger_is_better else (0.0 - high, 0.0 - low)


def judge(tests: GateTests, alpha: float) -> GateVerdicts:
    """One-sided t-tests of each mean gain against -margin, in both directions.

    All measures must show that a system is not a regression, for which measures need no correction (the test of a union
    of hypotheses is the intersection of their tests), and systems Bonferroni's. One measure is enough for a
    regression, so that both are corrected for. Hence the probability that any system is wrongly called no regression is
    at most alpha, and so is the probability that any is wrongly called a regression.

    Args:
        tests: what is tested.
        alpha: level of each kind of verdict, in (0, .5).

    References:
        Berger 1982, Multiparameter hypothesis testing and acceptance sampling. doi:10.1080/00401706.1982.10487790
        Piaggio et al. 2012, Reporting of noninferiority and equivalence randomized trials.
        doi:10.1001/jama.2012.87802
    """
    systems, rows = tests.gain.shape[-2], tests.gain.shape[-2] * tests.gain.shape[-1]
    superior, inferior = tests.p()
    corrected = np.minimum(1.0, systems * superior), np.minimum(1.0, rows * inferior)
    return judged_at(tests, (alpha / systems, alpha / rows), corrected)


def judged_at(tests: GateTests, levels: tuple[float, float], corrected: tuple[Floats, Floats]) -> GateVerdicts:
    """Verdicts at given levels.

    Args:
        tests: what is tested.
        levels: at which no regression, and a regression, is decided.
        corrected: p of the two, corrected for as much as the levels are.
    """
    passing, failing = levels
    superior, inferior = tests.p()
    verdicts = np.full(tests.gain.shape, OPEN, dtype=object)
    verdicts[superior < passing], verdicts[inferior < failing] = PASSED, FAILED
    low, high = (sign * stdtrit(tests.df, level) * tests.error for sign, level in ((1, passing), (-1, failing)))
    by_signs = tests.is_flat
    for p, by_t, level in zip((superior, inferior), tests.by_t(), levels, strict=True):
        by_signs = by_signs | ((p < level) != (by_t < level))
    low, high = (np.where(by_signs, np.nan, tests.gain + half) for half in (low, high))
    return GateVerdicts(low, high, *corrected, verdicts, passing, failing)


def topics_needed(deviation: float, margin: float, level: float) -> float:
    """The smallest number of topics that shows the margin in 80% of cases if both systems are equal.

    Args:
        deviation: standard deviation of the differences.
        margin: above 0.
        level: of the test.

    Returns:
        At least 2; infinite where no collection has that many.
    """

    def enough(topics: int) -> bool:
        error = np.array([deviation / np.sqrt(topics)])
        return bool(noninferiority_power(error, np.array([topics - 1.0]), margin, level)[0] >= POWER)

    if not enough(MOST_TOPICS):
        return np.inf
    # By quantiles of t it is known to within a few topics, so that the integral is computed for few numbers.
    ratio = deviation / margin
    low = 1 + _topics_by(ratio, ndtri(level) - ndtri(POWER))
    low = max(1, _topics_by(ratio, stdtrit(low, level) - stdtrit(low, POWER)) - 2)
    step = 1
    while low > 1 and enough(low):
        low, step = max(1, low - step), 2 * step
    high, step = low + 1, 1
    while not enough(high):
        low, high, step = high, high + step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return float(high)


def _topics_by(ratio: float, quantile: float) -> int:
    """Return the number of topics that put a mean ``quantile`` standard errors away from the margin."""
    return int(min((ratio * quantile) ** 2, MOST_TOPICS))


def overall(verdicts: list[str]) -> Verdict:
    """The verdict of several: a regression where one is, no regression where none is and all can tell."""
    if FAILED in verdicts:
        return "regression"
    return "cannot tell" if OPEN in verdicts else "no regression"


WORST = 5
"""Topics that are named of each system and measure."""


def find_worst_topics(tables: Sequence[Scores]) -> pd.DataFrame:
    """The topics on which each system loses most against the first, the largest loss first; none that loses nothing.

    Args:
        tables: of each measure, the baseline in the first column.
    """
    import pandas as pd

    columns: dict[str, list[Any]] = {
        name: [] for name in ("system", "measure", "topic", "score", "score_baseline", "loss")
    }
    lost = [_lost_most(table) for table in tables]
    topics = [
        table.topic_names({number for losses in by_system for _, number, *_ in losses})
        for table, by_system in zip(tables, lost, strict=True)
    ]
    for at, system in enumerate(tables[0].systems[1:]):
        for table, by_system, called in zip(tables, lost, topics, strict=True):
            for loss, number, score, of_baseline in by_system[at]:
                row = system, table.measure, called[number], score, of_baseline, loss
                for name, cell in zip(columns, row, strict=True):
                    columns[name].append(cell)
    return pd.DataFrame(columns)


def _lost_most(table: Scores) -> list[list[tuple[float, int, float, float]]]:
    """For each system but the first: losses, numbers of topics, scores and the baseline's, the largest loss first."""
    sign, slack = 1.0 if table.larger_is_better else -1.0, NOISE * table.largest
    worst: list[list[tuple[float, int, float, float]]] = [[] for _ in table.systems[1:]]
    begin = 0
    for block in table.blocks():
        for at, scores in enumerate(block[1:]):
            loss = np.nan_to_num(sign * (block[0] - scores), nan=0.0)
            order = np.argsort(-loss, kind="stable")[:WORST]
            more = [
                (float(loss[topic]), begin + topic, float(scores[topic]), float(block[0, topic]))
                for topic in order[loss[order] > slack].tolist()
            ]
            # What comes first stays first among equal losses.
            worst[at] = sorted([*worst[at], *more], key=lambda row: -row[0])[:WORST]
        begin += block.shape[1]
    return worst


def find_topic_gains(table: Scores, gain: Floats, error: Floats) -> Floats:
    """The smallest, the usual and the largest gain of a topic, of each system but the first, [3, systems].

    NaN where more than few topics gain something else, and where topics are in clusters or systems have several runs,
    unless all gain the same.

    Args:
        table: the baseline in the first column.
        gain: means, larger being better, [systems].
        error: their standard errors, [systems].
    """
    found = np.where((error == 0) & (gain != 0), gain, np.full((3, len(gain)), np.nan))
    if table.units is not PLAIN or not isinstance(table.storage, TopicTable):
        return found
    sign, slack = 1.0 if table.larger_is_better else -1.0, NOISE * table.largest
    for at in np.flatnonzero(error > 0):
        gains = sign * (table.values[:, at + 1] - table.values[:, 0])
        gains = cleared(gains[~np.isnan(gains)], table.largest)
        found[:, at] = gains.min(), find_common(gains, slack), gains.max()
    return np.where(np.isnan(found[1]), np.nan, found)


NOTHING_TO_LOSE = (
    "the baseline has 0 on every topic, so that nothing can be lost: is it of this collection, and is a document "
    "relevant?"
)


def has_nothing_to_lose(table: Scores) -> bool:
    """Return whether the baseline (first column) has 0 on every topic and no system less, larger being better.

    Runs and judgments of different collections look like this.
    """
    if not table.larger_is_better:
        return False
    return not any(np.nan_to_num(block[0]).any() or np.nanmin(block, initial=0.0) < 0 for block in table.blocks())


def explain_gaps(shared: SharedScores) -> list[str]:
    """Say on which topics a system (left), or the baseline (right), has no score: such a system cannot pass."""
    gone = [f"no score on {listed(shared.only_right)} of the baseline's"] if shared.only_right else []
    new = [f"the baseline has no score on {listed(shared.only_left)}"] if shared.only_left else []
    return gone + new


def worst_by_row(worst: pd.DataFrame) -> dict[tuple[str, str], Any]:
    """System and measure -> the first row of ``find_worst_topics`` on them, which has the largest loss."""
    return {(str(row.system), str(row.measure)): row for row in reversed(list(worst.itertuples(index=False)))}


def lost_too_much(lost: Any, most: float | None) -> str:
    """Why a loss of a single topic is a regression; empty where it is none.

    Args:
        lost: the row of ``find_worst_topics`` with the largest loss; None where no topic loses.
        most: the loss that is tolerated; any where None.
    """
    if most is None or lost is None or lost.loss <= most + NOISE * max(abs(lost.score), abs(lost.score_baseline)):
        return ""
    return f"topic {shown(lost.topic)} loses {lost.loss:.4f}, more than {most:g}"


def build_rows(
    tables: Sequence[Scores],
    settings: Mapping[str, Any],
    outcomes: Sequence[PairedOutcome],
    judged: GateVerdicts,
    worst: pd.DataFrame,
) -> pd.DataFrame:
    """One row a system and measure, as ``Gate.rows`` says.

    Args:
        tables: of each measure, the baseline in the first column.
        settings: of the gate.
        outcomes: of each measure, its tests.
        judged: all of them together.
        worst: from ``find_worst_topics``.
    """
    import pandas as pd

    level = judged.passing
    empty = [has_nothing_to_lose(table) for table in tables]
    power = [
        _find_power(outcome, settings["margin"][table.measure], level)
        for table, outcome in zip(tables, outcomes, strict=True)
    ]
    first = worst_by_row(worst)
    rows = []
    for at, system in enumerate(tables[0].systems[1:]):
        for number, (table, outcome) in enumerate(zip(tables, outcomes, strict=True)):
            shared = table.shared_scores(at + 1, 0)
            low, high = judged.difference_limits(at, number, table.larger_is_better)
            lost = first.get((system, table.measure))
            row = {
                "system": system,
                "measure": table.measure,
                "verdict": judged.verdicts[at, number],
                "mean": shared.left_mean,
                "mean_baseline": shared.right_mean,
                "difference": outcome.difference[at],
                "low": low,
                "high": high,
                "margin": settings["margin"][table.measure],
                "p_no_regression": judged.p_no_regression[at, number],
                "p_regression": judged.p_regression[at, number],
                "power": power[number][at],
                "topics": int(outcome.topics[at]),
                "missing": len(shared.only_right),
                "missing_baseline": len(shared.only_left),
                "worst_topic": "" if lost is None else lost.topic,
                "worst_loss": 0.0 if lost is None else lost.loss,
            }
            if outcome.clusters is not None:
                row["clusters"] = int(outcome.clusters[at])
            facts = RowFacts.of(outcome, at, judged, number, table.larger_is_better)
            decided = _decided(row, settings, shared, lost, facts)
            if empty[number] and decided["verdict"] == PASSED:
                decided |= {"verdict": OPEN, "reason": NOTHING_TO_LOSE}
            rows.append(decided)
    return pd.DataFrame(rows)


@dataclass(frozen=True)
class RowFacts:
    """Facts that explain the verdict of a row, beside those in the row itself.

    Args:
        deviation: standard deviation of the differences of topics, as far as the error says it.
        is_flat: whether these are equal and not 0.
        by_signs: whether exact signs decided: of such differences, or of those that are equal but for few.
        constant_p: one-sided p of the exact test, not corrected.
        units: topics or clusters.
        levels: at which no regression, and a regression, was decided.
        most: upper limit of the gain.
        loss: what a loss of this measure is called.
    """

    deviation: float
    is_flat: bool
    by_signs: bool
    constant_p: float
    units: int
    levels: tuple[float, float]
    most: float
    loss: str

    @classmethod
    def of(cls, outcome: PairedOutcome, at: int, judged: GateVerdicts, number: int, larger_is_better: bool) -> RowFacts:
        """Gather them of the system at a place in the outcome, by the measure of this number."""
        assert outcome.constant_p is not None, "a gate tests pairs"
        deviation = float(outcome.error[at] * np.sqrt(outcome.topics[at]))
        return cls(
            deviation,
            bool(find_flat(outcome)[at]),
            bool(np.isnan(judged.low[at, number])),
            float(outcome.constant_p[at]),
            int(outcome.units[at]),
            (judged.passing, judged.failing),
            float(judged.high[at, number]),
            "drop" if larger_is_better else "rise",
        )


def _find_power(outcome: PairedOutcome, margin: float, level: float) -> Floats:
    """The power against the margin, [systems]; NaN where a gain has no spread."""
    power = noninferiority_power(outcome.error, outcome.df, margin, level)
    return np.where(find_flat(outcome), np.nan, power)


def _decided(
    row: dict[str, Any], settings: Mapping[str, Any], shared: SharedScores, lost: Any, facts: RowFacts
) -> dict[str, Any]:
    """The row with its verdict by all rules, and the reason for it."""
    reasons = [_explain_signs(row, facts)] if facts.by_signs else []
    if row["verdict"] == FAILED and not facts.by_signs:
        how_much = f"{abs(row['difference']):.4f}, significantly more than the margin of {row['margin']:g}"
        reasons.append(f"the mean {facts.loss}s by {how_much}")
    if broken := lost_too_much(lost, settings["worst_topic"]):
        reasons.append(broken)
        row["verdict"] = FAILED
    if row["verdict"] == OPEN and not facts.by_signs:
        reasons.append(_why_open(row, facts, equal_weights="topic_weights" not in settings))
    if not shared.is_complete:
        reasons += explain_gaps(shared)
        row["verdict"] = OPEN if row["verdict"] == PASSED else row["verdict"]
    elif row["verdict"] == PASSED and facts.deviation == 0 and row["difference"] == 0:
        reasons.append("the same score on every topic")
    return row | {"reason": "; ".join(reasons)}


def _explain_signs(row: Mapping[str, Any], facts: RowFacts) -> str:
    """Explain what an exact test says, or why it cannot, of a difference that is equal on all or nearly all topics."""
    same = f"differs by the same amount, {row['difference']:.4f}, on every topic, which leaves no spread to judge by"
    if not facts.is_flat:
        same = "differs by the same amount on all topics but few, which leaves too little spread to judge by"
    margin = f"the margin of {row['margin']:g}"
    if row["verdict"] == FAILED:
        return f"{same}; by exact signs the {facts.loss} is more than {margin} (p {row['p_regression']:.2g})"
    if row["verdict"] == PASSED:
        return f"{same}; by exact signs no {facts.loss} by {margin} (p {row['p_no_regression']:.2g})"
    above = row["difference"] * (1.0 if facts.loss == "drop" else -1.0) + row["margin"]
    if is_noise(above, max(abs(row["mean"]), abs(row["mean_baseline"]))):
        return f"{same}; the {facts.loss} is just {margin}"
    p, level = (row["p_no_regression"], facts.levels[0]) if above > 0 else (row["p_regression"], facts.levels[1])
    if facts.constant_p > float(signs_p(np.array(facts.units))):
        return f"{same}; its runs are too few, or too uncertain, for an exact test (p {p:.2g})"
    units = "clusters" if "clusters" in row else "topics"
    needed = f"{units_needed(level):,} {units} would do"
    return f"{same}; exact signs of {facts.units:,} {units} have p {p:.2g}, and {needed}"


def _why_open(row: Mapping[str, Any], facts: RowFacts, *, equal_weights: bool) -> str:
    """Explain why these topics cannot decide, and how many would where topics have ``equal_weights``."""
    worse = "worse, but not significantly by more than the margin; " if facts.most < 0 else ""
    topics = counted(row["topics"], "topic")
    if row["power"] >= POWER:
        return f"{worse}the difference is too close to the margin to decide with {topics}"
    loss, chance = f"a {facts.loss} of {row['margin']:g}", f"{row['power']:.0%} of the time"
    if "clusters" in row:
        many = f"{topics} in {counted(row['clusters'], 'cluster')}"
        return f"{worse}if both systems were equal, {many} would rule out {loss} {chance}"
    if not equal_weights:
        return f"{worse}if both systems were equal, {topics} of such weights would rule out {loss} {chance}"
    needed = topics_needed(facts.deviation, row["margin"], facts.levels[0])
    enough = f"{needed:,.0f} topics give {POWER:.0%}" if np.isfinite(needed) else "no number of topics suffices"
    return f"{worse}if both systems were equal, {topics} would rule out {loss} {chance}; {enough}"
