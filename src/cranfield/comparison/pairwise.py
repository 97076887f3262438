"""Tests of differences between systems, of all pairs or against baselines: ``compare``."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield._dask import DaskLike, each_on
from cranfield._message import setting
from cranfield._text import counted, quoted, warn
from cranfield._typing import Floats
from cranfield._validation import above, check_integer, list_names, share, word
from cranfield.comparison.clusters import (
    refuse_for_clusters,
    refuse_for_runs,
    warn_of_estimands,
    without_small_pairs,
)
from cranfield.comparison.loss_margins import warn_of_vain
from cranfield.comparison.outcome import (
    BLOCKWISE,
    DRAWN,
    MAX_T,
    RESAMPLES,
    SIMULTANEOUS,
    UNSIGNED,
    Adjustment,
    IntervalKind,
    Outcome,
    Procedure,
    choose_correction,
    count_resamples,
    find_exact,
    find_flat,
    judge_pairs,
    pair_by_pair,
    paired_outcome,
    refuse_unattainable,
    simultaneous_outcome,
    warn_of_degenerate_pairs,
    welch_outcome,
    without_flat_pairs,
)
from cranfield.comparison.result import Comparison, leaderboard_means, named_pairs, pair_table
from cranfield.errors import InputError, UsageError
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, MeasureScores, make_matrix
from cranfield.scores.missing_scores import REMEDY, MissingScores
from cranfield.scores.system_runs import average_runs, join_clusters
from cranfield.scores.topic_clusters import ClusteredMatrix, MeanOver, refuse_mean_over
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.intervals import t_interval
from cranfield.statistics.multiple_testing import Correction, adjust
from cranfield.statistics.paired_tests import margin_power, within_margin
from cranfield.statistics.rounding import NOISE
from cranfield.statistics.test_names import Test
from cranfield.streaming.scores import open_measure

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.scores.topic_groups import GroupsLike


def compare(
    scores: ScoresLike | MeasureScores,
    *,
    test: Test = "t",
    correction: Adjustment | None = None,
    baseline: str | Sequence[str] = (),
    alpha: float = 0.05,
    margin: float | None = None,
    interval: IntervalKind | None = None,
    level: float | None = None,
    resamples: int | None = None,
    seed: int = 1,
    missing_scores: MissingScores | None = None,
    dask: DaskLike | None = None,
    topic_clusters: GroupsLike | None = None,
    mean_over: MeanOver = "topics",
    replicates: GroupsLike | None = None,
) -> Comparison:
    """Test which differences between the means of systems are more than chance.

    All pairs of systems are compared, or each system with the ``baseline``.

    - ``t``: paired t-test.
    - ``wilcoxon``: signed ranks, as in SciPy.
    - ``sign``: wins against losses.
    - ``permutation``: random signs of the differences,
      p = (hits + 1) / (resamples + 1); exact where 2^(topics - 1) <= resamples.
    - ``bootstrap``: Sakai's studentised paired bootstrap,
      p = (hits + 1) / (resamples + 1).
    - ``welch``: t-test without pairing, for systems scored on different
      topics; NaN where a system has no score.
    - ``tukey``: Tukey's honestly significant differences, from a two-way
      analysis of variance that removes the effect of topics.
    - ``randomized-tukey``: the same without normality, from the largest
      difference after the scores of each topic are dealt to systems anew.
    - ``dunnett``: all systems against one baseline, with the residual
      variance of the same analysis.

    The last three hold the error of all pairs together at alpha.

    Identical systems have p 1 and effect 0. A difference that is not 0 and
    the same on every topic has standard error 0 and an infinite effect: the
    interval, the verdict, and p of tests that divide by the error (t, welch,
    bootstrap, tukey, dunnett) are NaN, and a warning names the pairs. Beside
    them ``p_signs`` is that of the exact test of signs, 2^(1 - n). Pairs
    are compared on the topics that both systems have, and a warning names
    the gaps; the last three tests and max-t refuse gaps.

    Topics in clusters, such as turns of a conversation, err alike and carry
    less information than independent topics. With ``topic_clusters`` the
    standard error is that of clusters (CR2, with Bell and McCaffrey's degrees
    of freedom); permutation and bootstrap draw clusters and studentise each
    resample; wilcoxon and sign take cluster means
    (``mean_over="clusters"``); welch and the last three tests are refused.
    If each topic is its own cluster, the numbers are those without clusters.

    Several runs of a system, such as seeds of a model, are one system with
    ``replicates``: its score on a topic is their mean, and the variance of a
    difference is that of topics and of runs together,
    V = max(V_T + V_A + V_B - E_A - E_B, V_T, V_A + V_B), with V_T of the mean
    over topics (or clusters), V_A = var(run means of A) / R_A of R_A runs, and
    E_A = MS(run x topic) / (n R_A), which V_T and V_A both hold; its degrees
    of freedom are Satterthwaite's. Then the test is ``t``. A system lacks a
    topic that one of its runs lacks.

    Args:
        scores: of one measure, dims (topic, system). Above 131,072 topics
            without gaps, ``t`` and ``sign`` take exact sums in blocks, and
            ``bootstrap`` draws 4,096 topics at a time.
        test: the name of a test.
        correction: for the number of pairs. ``max-t``, the default of
            permutation and bootstrap: the largest |t| of all pairs on the
            same resamples, in a single step; ``max-t-step-down`` never finds
            fewer pairs. ``holm``, the default of the other tests of pairs;
            ``bonferroni``; ``bh``, which controls the share of false findings
            instead; ``none``. Tests of all systems at once adjust for their
            pairs themselves and take none.
        baseline: names of systems with which every other one is compared;
            all pairs where it is empty.
        alpha: level of significance, in (0, 1).
        margin: above 0, in units of the measure: also test whether systems
            are worse by less than this margin, and equivalent within it.
        interval: of the mean difference: ``t``, ``percentile`` or ``bca``
            (bootstrap over topics), each for one pair alone. At nominal 95%,
            ``t`` covers .93-.95; ``percentile`` and ``bca`` .85-.90 with 10
            topics, and .90-.93 with 25. By default the interval of the
            family: simultaneous for tests of all systems at once and max-t;
            Bonferroni's t intervals for other corrections; Student's or
            Welch's without a correction.
        level: coverage of the interval, 1 - alpha by default.
        resamples: the number for the test, and for the interval: by default
            1,000 for bootstrap, 10,000 for permutation and randomized-tukey,
            and 2,000 for an interval beside another test. Refused where
            nothing is drawn, or where it is too small for any p to pass the
            correction.
        seed: the same seed gives the same bits, on any number of workers.
        dask: workers for the resamples: a client or a cluster of Dask, its
            address, or ``"local"``.
        missing_scores: ``drop-topics``, ``drop-systems`` or ``refuse``, where
            systems lack scores; see ``read_scores``.
        topic_clusters: topic -> cluster, a Series with topics in its index,
            or a file with lines ``topic cluster``, or ``FILE#COLUMN``; five
            clusters or more, and one for every topic.
        mean_over: ``topics`` gives topics equal weight, ``clusters`` gives
            clusters equal weight. A warning names pairs whose answers differ.
        replicates: run -> its system, a Series with runs in its index, or a file
            with lines ``run system``, or ``FILE#COLUMN``; two runs or more of
            each system. ``baseline`` then names systems.

    Raises:
        UsageError: an unknown word or system, numbers outside their range,
            too few resamples, or a test or interval that does not work with
            clusters or replicates.
        InputError: fewer than two systems, fewer than two topics that a pair
            shares, fewer than five clusters, a topic without a cluster, a run
            without a system, or a system with one run.

    References:
        Sakai 2006, Evaluating evaluation metrics based on the bootstrap.
        doi:10.1145/1148170.1148261
        Smucker, Allan & Carterette 2007, A comparison of statistical
        significance tests for information retrieval evaluation.
        doi:10.1145/1321440.1321528
        Carterette 2012, Multiple testing in statistical analysis of
        systems-based information retrieval experiments.
        doi:10.1145/2094072.2094076
        Phipson & Smyth 2010, Permutation p-values should never be zero.
        doi:10.2202/1544-6115.1585
        Romano & Wolf 2005, Exact and approximate stepdown methods for
        multiple hypothesis testing. doi:10.1198/016214504000000539
        Bell & McCaffrey 2002, Bias reduction in standard errors for linear
        regression with multi-stage samples. Survey Methodology 28.
        Pustejovsky & Tipton 2018, Small-sample methods for cluster-robust
        variance estimation and hypothesis testing in fixed effects models.
        doi:10.1080/07350015.2016.1247004

    >>> import cranfield
    >>> made = cranfield.simulation.simulate_runs(n_systems=3, n_topics=50)
    >>> scores = cranfield.evaluate(made.runs, made.qrels, "nDCG@10")
    >>> result = cranfield.compare(scores)
    >>> result.pairs[["system", "other", "difference", "low", "high", "p_adjusted", "significant"]].round(3)
        system    other  difference    low   high  p_adjusted  significant
    0  system3  system2       0.385  0.313  0.457         0.0         True
    1  system3  system1       0.650  0.592  0.709         0.0         True
    2  system2  system1       0.265  0.195  0.335         0.0         True
    """
    _check(test, interval, alpha, level, margin, resamples, seed)
    correction = choose_correction(test, correction)
    baseline_names = list_baselines(test, baseline)
    scores = _open(scores, missing_scores, (test, interval, alpha), topic_clusters, mean_over, replicates)
    pairs = choose_pairs(scores, baseline_names)
    coverage = 1.0 - alpha if level is None else level
    kind = _name_interval(test, correction, interval, len(pairs))
    pair_level = 1.0 - (1.0 - coverage) / len(pairs) if kind == "bonferroni" else coverage
    levels = pair_level, alpha if level is None else 1.0 - level
    procedure = Procedure(test, interval, *levels, count_resamples(test, interval, resamples), seed, correction)
    outcome = _test_on(dask, scores, pairs, procedure, alpha)
    if baseline_names:
        # A baseline is on the left of its pairs, and is what a system is compared with.
        pairs, outcome = Contrasts(pairs.right, pairs.left), outcome.negated(keep_statistic=test in UNSIGNED)
    verdicts = judge_pairs(outcome, procedure, alpha)
    table = pair_table(scores, pairs, outcome, verdicts, coverage)
    _warn_of_pairs(scores, pairs, procedure, table, alpha)
    settings = _settings(scores, procedure, outcome, baseline_names, alpha, margin, kind, coverage)
    signature = scores.signature("compare", **settings)
    means, unsettled = leaderboard_means(scores), int(verdicts.unsettled.sum())
    margins = None if margin is None else margin_table(scores, pairs, outcome, procedure, alpha, margin)
    return Comparison(table, scores.measure, means, unsettled, margins, settings, signature)


def _open(
    scores: ScoresLike | MeasureScores,
    missing_scores: MissingScores | None,
    tested: tuple[Test, IntervalKind | None, float],
    topic_clusters: GroupsLike | None,
    mean_over: MeanOver,
    replicates: GroupsLike | None,
) -> MeasureScores:
    """The scores of a comparison, with the clusters of their topics and the runs of their systems where there are any.

    Raises:
        UsageError: the test, or the interval, does not work with clusters, or with runs.
    """
    test, interval, alpha = tested
    if topic_clusters is None and mean_over != "topics":
        refuse_mean_over(mean_over)
    if topic_clusters is None and replicates is None:
        return open_measure(scores, missing_scores, blockwise=test in BLOCKWISE)
    if replicates is not None:
        refuse_for_runs(test, interval)
    matrix = open_measure(scores, missing_scores, blockwise=False).in_memory()
    matrix = join_clusters(
        matrix if replicates is None else average_runs(matrix, replicates), topic_clusters, mean_over
    )
    if isinstance(matrix, ClusteredMatrix):
        refuse_for_clusters(test, interval, matrix.clusters, alpha)
    return matrix


def _warn_of_pairs(
    scores: MeasureScores, pairs: Contrasts, procedure: Procedure, table: pd.DataFrame, alpha: float
) -> None:
    """Warn of pairs that the bootstrap's max-T leaves out, and of those whose answer depends on the estimand."""
    if not isinstance(scores, ClusteredMatrix):
        warn_of_degenerate_pairs(procedure, table["wins"] + table["losses"], scores.topic_count)
        return
    warn_of_degenerate_pairs(procedure, scores.differing_clusters(pairs), scores.clusters.count, "clusters")
    warn_of_estimands(scores, pairs, procedure, alpha)


def find_significant(
    scores: ScoresLike | Matrix, *, test: Test, correction: Adjustment, alpha: float, seed: int
) -> tuple[Matrix, Contrasts, NDArray[np.bool_]]:
    """Which pairs ``compare`` finds significant, without what else it says of them.

    Args:
        scores, test, correction, alpha, seed: as in ``compare``; topics of a matrix may be in clusters.

    Returns:
        The scores, all pairs with the better system on the left, and whether each is significant.

    Raises:
        UsageError, InputError: see ``compare``.
    """
    _check(test, None, alpha, None, None, None, seed)
    if test == "dunnett":
        raise UsageError(
            f"{setting('test', 'dunnett')} compares every system with one baseline, and here is none: choose another"
        )
    matrix = scores if isinstance(scores, Matrix) else make_matrix(scores)
    pairs = choose_pairs(matrix, [])
    procedure = Procedure(test, None, 1.0 - alpha, alpha, count_resamples(test, None, None), seed, correction)
    outcome = test_pairs(matrix, pairs, procedure, alpha)
    if isinstance(matrix, ClusteredMatrix):
        refuse_for_clusters(test, None, matrix.clusters, alpha)
        outcome = without_small_pairs(matrix, pairs, outcome)
    outcome = without_flat_pairs(outcome, procedure)
    return matrix, pairs, judge_pairs(outcome, procedure, alpha).significant


def _check(
    test: Test,
    interval: IntervalKind | None,
    alpha: float,
    level: float | None,
    margin: float | None,
    resamples: int | None,
    seed: int,
) -> None:
    word("test", test, get_args(Test))
    share(alpha=alpha)
    share(level=1.0 - alpha if level is None else level)
    check_integer(1, resamples=1 if resamples is None else resamples)
    check_integer(0, seed=seed)
    if margin is not None:
        above(0, margin=margin)
        if alpha >= 0.5:
            raise UsageError(f"alpha={alpha:g} should be below 0.5 for a margin")
    if interval is not None:
        word("interval", interval, get_args(IntervalKind))
        if test == "welch" and interval != "t":
            raise UsageError(
                f"{setting('interval', interval)} resamples topics that pairs share, and welch has no pairs: use t"
            )


def _settings(
    scores: MeasureScores,
    procedure: Procedure,
    outcome: Outcome,
    baseline: list[str],
    alpha: float,
    margin: float | None,
    interval: str,
    level: float,
) -> dict[str, Any]:
    """``Comparison.settings``: the arguments of the call with their defaults, and what was drawn."""
    drawn = procedure.resamples
    exact = int(find_exact(outcome.units, procedure).sum()) if procedure.test == "permutation" else None
    all_exact = exact == len(outcome.topics) and procedure.interval not in DRAWN
    return {
        **(scores.resampling_settings if drawn else {}),
        "test": procedure.test,
        "correction": procedure.correction,
        "baseline": baseline,
        "alpha": alpha,
        "margin": margin,
        "margin_correction": None if margin is None else choose_margin_correction(procedure),
        "interval": interval,
        "level": level,
        "resamples": drawn or None,
        "exact_pairs": exact,
        "seed": None if all_exact or not drawn else procedure.seed,
        **scores.unit_settings,
    }


def _test_on(
    dask: DaskLike | None, scores: MeasureScores, pairs: Contrasts, procedure: Procedure, alpha: float
) -> Outcome:
    """Test the pairs, on a cluster where there is one, and warn of gaps."""
    if dask is None:
        outcome = test_pairs(scores, pairs, procedure, alpha)
    elif procedure.test not in RESAMPLES:
        raise UsageError(
            f"{setting('dask')} works on the resamples of a test, and {setting('test', procedure.test)} draws "
            "none: leave it out, or take "
            f"one of {setting('test', *RESAMPLES)}"
        )
    else:
        with each_on(dask) as each:
            outcome = test_pairs(scores, pairs, replace(procedure, each=each), alpha)
    if isinstance(scores, ClusteredMatrix):
        outcome = without_small_pairs(scores, pairs, outcome)
    outcome = without_flat_pairs(outcome, procedure)
    scores.warn_of_gaps(paired=procedure.test != "welch")
    return outcome


def _name_interval(test: Test, correction: Adjustment, interval: IntervalKind | None, pairs: int) -> str:
    """What the interval is called in ``Comparison.settings``."""
    if interval is not None:
        return interval
    if test in SIMULTANEOUS or correction in MAX_T:
        return "simultaneous"
    return "t" if correction == "none" or pairs == 1 else "bonferroni"


def test_pairs(scores: MeasureScores, pairs: Contrasts, procedure: Procedure, alpha: float) -> Outcome:
    """The outcome of a test for each pair, left minus right.

    Raises:
        UsageError: no pair can be significant, whatever the scores.
        InputError: a pair shares fewer than two topics, or a score is missing where none may be.
    """
    if procedure.test in SIMULTANEOUS:
        table = scores.in_memory().complete(f"{setting(f'test={procedure.test}')}", "use a test of pairs")
        refuse_unattainable(procedure, alpha, np.full(len(pairs), len(table)))
        return simultaneous_outcome(table, pairs, procedure)
    if procedure.correction in MAX_T:
        scores.require_complete(
            f"{setting(f'correction={procedure.correction}')}", f"take {setting('correction', 'holm')}"
        )
    if procedure.test == "welch":
        scored = scores.scored_topics
        for column in np.flatnonzero(scored < 2):
            name = quoted(scores.systems[column])
            raise InputError(f"{name} has a score on {counted(int(scored[column]), 'topic')}, of 2 needed")
        return welch_outcome(scores.in_memory().values, pairs, procedure)
    shared = scores.shared_topics(pairs)
    few = np.flatnonzero(shared < 2)
    if len(few):
        names = f"{quoted(scores.systems[pairs.left[few[0]]])} and {quoted(scores.systems[pairs.right[few[0]]])}"
        text = (
            f"{names} share {counted(int(shared[few[0]]), 'topic')}, of 2 needed; "
            f"{setting('test', 'welch')} needs no pairs, and {REMEDY}"
        )
        raise InputError(text, code="too-few")
    noun = "clusters" if isinstance(scores, ClusteredMatrix) else "topics"
    refuse_unattainable(procedure, alpha, scores.resampled_units(pairs), noun)
    if scores.is_complete:
        return paired_outcome(scores.differences(pairs), procedure)
    return pair_by_pair(scores.in_memory(), pairs, procedure)


ENOUGH = 0.8
"""Power below which not having found a margin says little."""


def choose_margin_correction(procedure: Procedure) -> Correction:
    """The test's own correction, where it is one of single p-values; else Holm's."""
    if procedure.correction in MAX_T or procedure.test in SIMULTANEOUS:
        return "holm"
    return procedure.correction  # type: ignore[return-value]


def margin_table(
    scores: MeasureScores, pairs: Contrasts, outcome: Outcome, procedure: Procedure, alpha: float, margin: float
) -> pd.DataFrame:
    """One-sided t-tests of each pair's mean difference against a margin, whatever the test of the difference was.

    Warns where no mean could lose as much, and where topics are too few to show it.

    Args:
        scores: whose direction says which system is better.
        pairs: left the systems that are to be no worse, right what they are compared with.
        outcome: of these pairs: topics, differences, standard errors.
        procedure: of the comparison; its correction is that of these p-values too, or Holm's where it has none of its
            own.
        alpha: level of the one-sided tests, in (0, 1).
        margin: above 0, in units of the measure.

    Returns:
        One row a pair: ``system``, ``other``, ``difference`` and its interval ``low`` to ``high``, of coverage
        1 - 2 alpha (Bonferroni's where p is corrected): inside the margins only where both are equivalent;
        ``p_noninferior`` of the hypothesis that the system is worse by the margin or more, ``p_equivalent`` of the one
        that they differ by the margin or more, both corrected; ``noninferior`` and ``equivalent`` where these lie
        below alpha; where a pair differs by the same amount, not 0, on every topic, there is no interval, and p is that
        of exact signs, as in ``gate``;
        ``power_noninferior``, ``power_equivalent``: the probability that this number of topics would have found it if
        the systems were equal; ``topics``.
    """
    import pandas as pd

    warn_of_vain(scores, margin, "every system is no worse than any other by so much")
    sign = 1.0 if scores.larger_is_better else -1.0
    correction = choose_margin_correction(procedure)
    pair_alpha = alpha if correction == "none" else alpha / max(1, len(pairs))
    tests = within_margin(sign * outcome.difference, outcome.error, outcome.df, margin)
    power = margin_power(outcome.error, outcome.df, margin, pair_alpha)
    interval = t_interval(outcome.difference, outcome.error, outcome.df, 1.0 - 2.0 * pair_alpha)
    flat = find_flat(outcome)
    low, high = (np.where(flat, np.nan, end) for end in interval)
    exact = _exact_margins(scores, sign * outcome.difference, outcome, margin)
    p_noninferior, p_equivalent = (
        adjust(np.where(flat, by_signs, p), correction)
        for by_signs, p in zip(exact, (tests.p_lower, tests.p_equivalence), strict=True)
    )
    for what, powers, missed in (
        ("non-inferiority by", power.noninferiority, p_noninferior >= alpha),
        ("equivalence within", power.equivalence, p_equivalent >= alpha),
    ):
        weak = int((missed & (powers < ENOUGH)).sum())
        if weak:
            warn(
                f"{scores.called}: {weak:,} of {counted(len(pairs), 'pair')}: even if the systems were equal, "
                f"{max(outcome.topics):,} topics would show {what} {margin:g} in fewer than {ENOUGH:.0%} of cases"
            )
    return pd.DataFrame(
        named_pairs(scores, pairs)
        | {
            "difference": outcome.difference,
            "low": low,
            "high": high,
            "p_noninferior": p_noninferior,
            "noninferior": np.asarray(p_noninferior < alpha),
            "p_equivalent": p_equivalent,
            "equivalent": np.asarray(p_equivalent < alpha),
            "power_noninferior": power.noninferiority,
            "power_equivalent": power.equivalence,
            "topics": outcome.topics,
        }
    )


def _exact_margins(scores: MeasureScores, gain: Floats, outcome: Outcome, margin: float) -> tuple[Floats, Floats]:
    """p of no worse than a margin, and of within it, of pairs whose differences do not vary, [pairs] each."""
    if outcome.constant_p is None:
        return np.full(len(gain), np.nan), np.full(len(gain), np.nan)
    slack = NOISE * scores.largest
    return (
        np.where(gain + margin > slack, outcome.constant_p, 1.0),
        np.where(margin - np.abs(gain) > slack, outcome.constant_p, 1.0),
    )


SHOWN = 5
"""Names of systems in a message, at the most."""


def list_baselines(test: Test, baseline: str | Sequence[str]) -> list[str]:
    """The names of the baselines.

    Raises:
        UsageError: Dunnett's test with none, or with several.
    """
    named = list_names(baseline=baseline)
    if test == "dunnett" and len(set(named)) != 1:
        raise UsageError(
            f"{setting('test', 'dunnett')} compares every system with one baseline: name one with {setting('baseline')}"
        )
    return named


def choose_pairs(scores: MeasureScores, baselines: Sequence[str]) -> Contrasts:
    """All pairs, the better system first; or each baseline and every other system.

    Raises:
        UsageError: an unknown system.
        InputError: fewer than two systems or topics.
    """
    scores.at_least(2, 2, "a comparison")
    if baselines:
        return Contrasts.against(len(scores.systems), find_columns(scores.systems, baselines))
    order = np.array(scores.leaderboard)
    pairs = Contrasts.all_pairs(len(scores.systems))
    return Contrasts(order[pairs.left], order[pairs.right])


def find_columns(systems: Sequence[str], names: Sequence[str]) -> list[int]:
    """The columns of the systems with these names, each once.

    Raises:
        UsageError: there is no such system.
    """
    columns = {system: column for column, system in enumerate(systems)}
    for name in names:
        if name not in columns:
            close = difflib.get_close_matches(name, columns, 1)
            hint = f"did you mean {quoted(close[0])}?" if close else f"there are {_list_first(systems)}"
            raise UsageError(f"no system is called {quoted(name)}; {hint}")
    return [columns[name] for name in dict.fromkeys(names)]


def _list_first(systems: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(systems) - SHOWN:,} more" if len(systems) > SHOWN else ""
    return ", ".join(map(quoted, systems[:SHOWN])) + more
