"""``compute_dominance_shares``: how much of what a measure says of two systems every consistent measure must say."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cranfield._text import counted, quoted, shown
from cranfield._typing import Floats, Ints
from cranfield.collection.reading import InputOptions
from cranfield.comparison.dominance import (
    BETTER,
    CHANCES,
    CLEAREST,
    POLICIES,
    RULES,
    WORSE,
    DiscountOption,
    DiscountShape,
    UnjudgedLabel,
    UnjudgedOption,
    VerdictCodes,
    count_verdicts,
    describe_depth,
    encode_verdicts,
    rank_unjudged,
    read_lists,
    select_lists,
    shares,
    sort_by_clarity,
)
from cranfield.declarations.analysis import FromRuns, Groups, View, analysis
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import AlphaOption
from cranfield.errors import UsageError
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.measures import Measure, MeasuresLike
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.scoring import Evaluation, Progress, read_measures
from cranfield.statistics.contrasts import Contrasts, pair_noise
from cranfield.statistics.paired_tests import paired_t

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class DominanceShares(Result):
    """Shares of the differences by each measure that hold whatever the measure.

    Args:
        table: a row a measure.
        pairs: a row a measure and pair.
        settings: the options.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("measure"),
            Column("cutoff", "of the lists that it reads; NaN for whole lists"),
            Column("decided", "share of all comparisons of two lists that have the same winner by every measure"),
            Column("equal", "share of those that are equal by every measure"),
            Column("undecided", "share of those that depend on the measure"),
            Column("differences", "of this measure on one topic that are not zero"),
            Column(
                "dominated", "share of these where one list dominates the other: every consistent measure gives them"
            ),
            Column("contradicted", "how many contradict such a verdict; none if the measure is consistent"),
            Column("pairs", "of systems"),
            Column("significant", "how many of them differ significantly by a paired t-test"),
            Column("supported", "of these by the sign test on dominance"),
            Column("opposed", "by that test"),
            Column("robust", "significant by p_worst in the same direction"),
        ),
        "pairs": (
            Column("measure"),
            Column("system"),
            Column("other"),
            Column("difference", "of means"),
            Column("p_difference", "of the paired t-test"),
            *CHANCES,
            Column(
                "conclusion",
                "of a significant difference robust, supported, opposed or the measure's own; else none",
            ),
        ),
    }
    table: pd.DataFrame
    pairs: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The clearest verdicts first."""
        return sort_by_clarity(self.to_frame(table)) if table == "pairs" else self.to_frame(table)

    def caption(self, table: str) -> str:
        """Count the differences by each measure that hold whatever the measure."""
        if table != "pairs":
            return ""
        return "\n".join(self._describe(row) for row in self.table.to_dict("records"))

    def _describe(self, row: dict[Hashable, Any]) -> str:
        """Describe the findings for one measure."""
        depth = describe_depth(None if math.isnan(row["cutoff"]) else int(row["cutoff"]))
        return (
            f"{shown(row['measure'])}: of {counted(row['differences'], 'difference')} on one topic, "
            f"{row['dominated']:.1%} are not its own: every consistent measure that reads {depth} must give them\n"
            f"of {counted(row['pairs'], 'pair')}, {row['significant']:,} differ significantly (paired t-test, "
            f"{self.settings['alpha']:g}, not corrected): {row['supported']:,} supported by p, {row['opposed']:,} "
            f"opposed; {row['robust']:,} hold whatever the measure (p_worst)"
        )

    @classmethod
    def from_evaluation(
        cls,
        evaluation: Evaluation,
        *,
        alpha: float = 0.05,
        unjudged: UnjudgedLabel = "zero",
        discount: DiscountShape = "any",
        unknown: Sequence[Ints] | None = None,
    ) -> DominanceShares:
        """Count them for scores with their lists; measures that are not known to be consistent are left out.

        Args:
            evaluation: with its lists.
            alpha: level of both tests.
            unjudged: as in ``compare_dominance``.
            discount: as in ``compare_dominance``.
            unknown: by topic the ranks of unjudged documents, for ``unjudged="any"``.
        """
        import pandas as pd

        rows, frames = [], []
        encoded: dict[tuple[int | None, float | None], VerdictCodes] = {}
        for values, measure in zip(evaluation.values, evaluation.measures, strict=True):
            if not measure.is_consistent:
                continue
            cutoff = read_cutoff(measure)
            rel = float(measure.parameters["rel"]) if measure.declaration.binary else None
            if (cutoff, rel) not in encoded:
                lists = select_lists(evaluation, unjudged, cutoff)
                encoded[cutoff, rel] = encode_verdicts(lists, cutoff, rel, discount, unknown)
            codes = encoded[cutoff, rel]
            pairs = pd.DataFrame(count_verdicts(evaluation.systems, codes))
            difference, p, by_topic = _test_differences(values, len(evaluation.systems))
            pairs.insert(2, "difference", difference)
            pairs.insert(3, "p_difference", p)
            pairs["conclusion"] = _conclude(pairs, alpha)
            pairs.insert(0, "measure", str(measure))
            frames.append(pairs)
            rows.append(dict(_summarize(str(measure), cutoff, codes, by_topic, pairs, alpha)))
        settings = record_options(compute_dominance_shares, locals())
        signature = signed("dominance shares", settings, scores=evaluation.source)
        every = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
        return cls(pd.DataFrame(rows), every, settings, signature)


@analysis(
    "compare dominance",
    "",
    FromRuns(
        measures="several",
        policies=POLICIES,
        of_measures="Also say which differences by this measure hold whatever the measure, over the ranks that it "
        "reads; repeat.",
    ),
    given=("measures",),
    views=(View("pairs", pairs=CLEAREST),),
    rules=RULES,
    groups=Groups(tested=True),
)
def compute_dominance_shares(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = ("nDCG@10",),
    *,
    alpha: AlphaOption = 0.05,
    unjudged: UnjudgedOption = "zero",
    discount: DiscountOption = "any",
    reading: InputOptions | None = None,
    progress: Progress | None = None,
) -> DominanceShares:
    """Count how many differences of measures every consistent measure must give; see ``compare_dominance``.

    Each measure is compared with verdicts on what it reads itself: the first 10 ranks for nDCG@10, whole lists for AP,
    and relevant or not for a binary measure. A difference between two systems is *supported* if the sign test on
    verdicts is significant in the same direction. It is *robust* if that test still is where all undecided topics
    go to the other system: then no strictly consistent measure that reads as many ranks can reverse the sign test.
    p are not corrected for the number of pairs.

    Args:
        runs: two or more.
        qrels: their judgments.
        measures: consistent ones, as ``cranfield measures NAME`` says.
        reading: how files are read.
        progress: called with (done, of all) after each run.

    Raises:
        UsageError: a measure that is not consistent, a number outside its range, or an unknown word.
        InputError: fewer than two runs, or a file that cannot be read.

    References:
        Moffat & Mackenzie 2024, How much freedom does an effectiveness metric really have? JASIST 75(6).
        arXiv:2309.09477
    """
    chosen = reading or InputOptions()
    refuse_inconsistent(read_measures(measures, chosen.rel))
    evaluation = read_lists(runs, qrels, measures, chosen, progress)
    unknown = None
    if unjudged == "any":
        depths = [read_cutoff(measure) for measure in evaluation.measures]
        deepest = None if None in depths else max(depth for depth in depths if depth is not None)
        unknown = rank_unjudged(runs, qrels, deepest, chosen, evaluation.topics)
    return DominanceShares.from_evaluation(
        evaluation, alpha=alpha, unjudged=unjudged, discount=discount, unknown=unknown
    )


def refuse_inconsistent(measures: Sequence[Measure]) -> None:
    """Refuse measures that do not declare that they are consistent."""
    for measure in measures:
        if not measure.is_consistent:
            raise UsageError(
                f"{quoted(str(measure))} is not known to be consistent, so that it may contradict what all consistent "
                "measures say: `cranfield measures NAME` says which measures are"
            )


def read_cutoff(measure: Measure) -> int | None:
    """Return the number of ranks that a measure reads; None for all."""
    cutoff = measure.parameters.get("cutoff")
    return None if cutoff is None else int(cutoff)


def _test_differences(values: Floats, systems: int) -> tuple[Floats, Floats, Floats]:
    """Mean differences, p of the paired t-test on topics that all systems have, and differences with 0 for rounding."""
    pairs = Contrasts.all_pairs(systems)
    complete = values[~np.isnan(values).any(axis=1)]
    noise = pair_noise(complete, pairs)
    by_topic = values[:, pairs.left] - values[:, pairs.right]
    by_topic[np.abs(by_topic) <= noise] = 0.0
    differences = complete[:, pairs.left] - complete[:, pairs.right]
    if len(complete) < 2:
        return differences.mean(axis=0), np.full(len(noise), np.nan), by_topic
    return differences.mean(axis=0), paired_t(differences, noise).p, by_topic


def _conclude(pairs: pd.DataFrame, alpha: float) -> Any:
    """Classify each difference by what dominance says of it."""
    significant = (pairs["p_difference"] < alpha) & (pairs["difference"] != 0)
    same = np.sign(pairs["won"] - pairs["lost"]) == np.sign(pairs["difference"])
    supported, opposed = (pairs["p"] < alpha) & same, (pairs["p"] < alpha) & ~same
    robust = (pairs["p_worst"] < alpha) & same
    choices = [~significant, robust, supported, opposed]
    return np.select(choices, ["none", "robust", "supported", "opposed"], default="own")


def _summarize(
    measure: str, cutoff: int | None, codes: VerdictCodes, by_topic: Floats, pairs: pd.DataFrame, alpha: float
) -> Iterator[tuple[str, Any]]:
    sign = np.sign(np.nan_to_num(by_topic))
    better, worse = codes == BETTER, codes == WORSE
    differs = int((sign != 0).sum())
    conclusions = pairs["conclusion"].value_counts()
    yield "measure", measure
    yield "cutoff", np.nan if cutoff is None else float(cutoff)
    yield from zip(("decided", "equal", "undecided"), shares(codes), strict=True)
    yield "differences", differs
    yield "dominated", float(((sign != 0) & (better | worse)).sum() / differs) if differs else np.nan
    yield "contradicted", int(((sign > 0) & worse).sum() + ((sign < 0) & better).sum())
    yield "pairs", len(pairs)
    yield "significant", int((pairs["conclusion"] != "none").sum())
    robust = int(conclusions.get("robust", 0))
    yield "supported", robust + int(conclusions.get("supported", 0))
    yield "opposed", int(conclusions.get("opposed", 0))
    yield "robust", robust
