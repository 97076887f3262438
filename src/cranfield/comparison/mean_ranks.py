"""Mean ranks of systems: ``compare_mean_ranks``, with Friedman's test and Nemenyi's critical difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cranfield._text import counted, shown
from cranfield.comparison.ranked_systems import WHY_MEANS, RankedSystems, rank_scores
from cranfield.comparison.result import LETTERS, letters
from cranfield.declarations.analysis import FromScores, Groups, View, analysis
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import AlphaOption, MissingScoresOption
from cranfield.results.columns import Column
from cranfield.results.result import Result
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import Needs, open_scores
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.mean_ranks import MeanRanks

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class MeanRankComparison(Result):
    """Systems compared by their mean ranks.

    Args:
        systems: one row a system, the best mean rank first.
        pairs: one row a pair, the better mean rank first.
        tests: of the hypothesis that all systems are equal.
        measure: what was compared.
        ranked: the same numbers, for sentences and charts.
        settings: the options.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "systems": (
            Column("system"),
            Column("mean_rank", "1 for a system that is best on every topic"),
            Column("mean", "of its scores"),
            Column("groups", "letters: systems that share one do not differ significantly; up to 20 systems"),
        ),
        "pairs": (
            Column("system", shown="first"),
            Column("other", "with a larger mean rank", shown="first"),
            Column("difference", "of mean ranks", shown="first"),
            Column("statistic", "the difference in standard errors"),
            Column("p_adjusted", "by Nemenyi's test, of all pairs together", shown="first"),
            Column("significant", "whether p_adjusted < alpha", shown="first"),
        ),
        "tests": (
            Column("test", "Friedman, Iman-Davenport, and Cochran's Q of yes/no scores"),
            Column("statistic", "chi-square, F or Q; F is infinite where all topics agree"),
            Column("df", "degrees of freedom"),
            Column("df_error", "those below the line, of F"),
            Column("p", "that all systems are equal"),
        ),
    }
    systems: pd.DataFrame
    pairs: pd.DataFrame
    tests: pd.DataFrame
    measure: str
    ranked: RankedSystems = field(compare=False)
    settings: dict[str, Any]
    signature: dict[str, Any]

    def answer(self, table: str) -> str:
        """Which systems the first one is told from."""
        first, others = self.ranked.systems[0], len(self.ranked.systems) - 1
        worse = int(self.ranked.different[0].sum())
        text = f"{shown(first)} has the best mean rank ({self.ranked.mean_ranks[0]:.4g}) and is significantly better "
        return f"{text}than {'all' if worse == others else f'{worse:,} of the'} {counted(others, 'other')}."

    def caption(self, table: str) -> str:
        """The tests, the critical difference, and what is sharper."""
        topics = counted(self.ranked.topics, "topic")
        return "\n".join([f"{shown(self.measure)}, {topics}", *self.ranked.describe(), WHY_MEANS])


@analysis(
    "compare friedman",
    "Test mean ranks: Friedman, Iman-Davenport, Nemenyi.",
    FromScores(directed=True),
    views=(
        View("systems", "mean ranks, with letters."),
        View("pairs", "Nemenyi's test of each two systems.", pairs="in the order of mean ranks"),
        View("tests", "tests of all systems at once."),
    ),
    groups=Groups(tested=True),
    words=("nemenyi", "iman_davenport", "critical_difference", "cochran", "cochran_q", "cochran's_q"),
    examples=("qrels.txt runs/*.run", "--scores scores.csv --show tests"),
    guide="""Compare systems by their mean ranks over topics, as the field of machine learning does.

Friedman's test, or the sharper one of Iman and Davenport, says whether systems differ at all; Nemenyi's critical
difference says which do. For yes/no scores there is Cochran's Q. The test of means that `cranfield compare --test
permutation` makes finds more.""",
)
def compare_mean_ranks(
    scores: ScoresLike | Scores,
    *,
    alpha: AlphaOption = 0.05,
    missing_scores: MissingScoresOption = None,
) -> MeanRankComparison:
    """Compare systems by their mean ranks over topics.

    On each topic systems are ranked, 1 for the best; equal ones share the mean of their ranks.

    - ``Friedman``: chi-square, corrected for ties, as SciPy's ``friedmanchisquare``.
    - ``Iman-Davenport``: F = (n - 1) chi2 / (n (k - 1) - chi2), which is less
      cautious. Where all n topics order the systems alike, F is infinite, and
      p is exact: 1 / m^(n - 1), with m orders that a topic can have.
    - ``Cochran's Q``: of yes/no scores; it is Friedman's test of them. With
      two systems it is McNemar's test without correction, of which
      ``compare(test="mcnemar")`` gives the exact one.

    Two systems differ where their mean ranks do by Nemenyi's critical
    difference, q sqrt(k (k + 1) / (6 n)), with sqrt(2) q the quantile of the
    studentised range of k normal values: the error of all pairs together is
    alpha. Ties make it cautious.

    Mean ranks know nothing of the size of differences, and the rank of a pair
    depends on the other systems: a pair may gain or lose significance as a
    third system comes or goes. ``compare(test="permutation")`` tests means,
    holds the error of all pairs too, and is the better choice where scores
    may be averaged at all.

    Args:
        scores: of one measure, dims (topic, system), complete.

    Raises:
        UsageError: alpha outside (0, 1).
        InputError: fewer than two systems or topics, or a missing score.

    References:
        Friedman 1937. doi:10.1080/01621459.1937.10503522
        Iman & Davenport 1980. doi:10.1080/03610928008827904
        Cochran 1950. doi:10.1093/biomet/37.3-4.256
        Demsar 2006, Statistical comparisons of classifiers over multiple data
        sets. JMLR 7.
        Benavoli, Corani & Mangili 2016, Should we really use post-hoc tests
        based on mean-ranks? JMLR 17.
    """
    import pandas as pd

    needs = Needs("mean ranks", topics=2, systems=2, complete=True)
    opened = open_scores(scores, needs, missing_scores=missing_scores)
    ranked = rank_scores(opened, alpha)
    means = dict(zip(opened.systems, opened.means.tolist(), strict=True))
    systems = pd.DataFrame({"system": ranked.systems, "mean_rank": ranked.mean_ranks})
    systems["mean"] = [means[name] for name in ranked.systems]
    place = {name: at for at, name in enumerate(opened.systems)}
    columns = np.array([place[name] for name in ranked.systems])
    pairs = Contrasts.all_pairs(len(columns))
    ordered = MeanRanks.of((opened.values if opened.larger_is_better else -opened.values)[:, columns])
    statistic, p = ordered.nemenyi(pairs)
    names = np.array(ranked.systems, dtype=object)
    table = pd.DataFrame(
        {"system": names[pairs.left], "other": names[pairs.right]}
        | {"difference": ordered.means[pairs.left] - ordered.means[pairs.right], "statistic": statistic}
        | {"p_adjusted": p, "significant": p < alpha}
    )
    if len(columns) <= LETTERS:
        different = np.zeros((len(columns), len(columns)), dtype=bool)
        different[pairs.left, pairs.right] = different[pairs.right, pairs.left] = p < alpha
        systems["groups"] = letters(different)
    tests = pd.DataFrame(ranked.tests).rename(columns={"name": "test"})
    settings = record_options(compare_mean_ranks, locals())
    signature = opened.signature("compare_mean_ranks", **settings)
    return MeanRankComparison(systems, table, tests, opened.measure, ranked, settings, signature)
