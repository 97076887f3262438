"""Tests of differences between systems, of all pairs or against baselines: ``compare``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield._executor import ExecutorLike, each_on
from cranfield._message import setting
from cranfield._text import counted, quoted
from cranfield._validation import check_integer, share, word
from cranfield.comparison.clusters import (
    refuse_for_runs,
    refuse_for_units,
    warn_of_estimands,
    without_small_pairs,
)
from cranfield.comparison.comparison_text import ComparedScores
from cranfield.comparison.loss_margins import choose_margin_correction, margin_table
from cranfield.comparison.outcome import (
    BLOCKWISE,
    DRAWN,
    MAX_T,
    UNSIGNED,
    Adjustment,
    IntervalKind,
    PairedOutcome,
    Procedure,
    choose_correction,
    count_resamples,
    find_exact,
    has_own_interval,
    judge_pairs,
    pair_by_pair,
    paired_outcome,
    refuse_unattainable,
    simultaneous_outcome,
    warn_of_degenerate_pairs,
    welch_outcome,
    without_flat_pairs,
)
from cranfield.comparison.pair_choice import choose_pairs, list_baselines
from cranfield.comparison.ranked_systems import rank_for, require_yes_no, with_mean_ranks
from cranfield.comparison.result import Comparison, leaderboard_means, pair_table
from cranfield.declarations.analysis import Derived, FromScores, Groups, View, analysis
from cranfield.declarations.checks import GIVEN, Idle, Rule
from cranfield.declarations.executor import ExecutorOption
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import (
    AlphaOption,
    BaselineOption,
    LargerIsBetterSaid,
    MeanOverOption,
    MissingScoresOption,
    ReplicatesOption,
    SeedOption,
    SmallerIsBetterSaid,
    TopicClustersOption,
    TopicWeightsOption,
)
from cranfield.errors import InputError, UsageError
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores, describe_directions
from cranfield.scores.missing_scores import REMEDY
from cranfield.scores.opening import Needs, open_scores
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.list_preference import Preference
from cranfield.statistics.power import POWER
from cranfield.statistics.test_names import SIMULTANEOUS, TEST_RESAMPLES, Test

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.comparison.preference import ListPreferences


UNITS = "{{{option}}} takes each {unit} by itself: leave it out, or {{{units}}}"


@analysis(
    "compare",
    "Test which differences between systems are more than chance.",
    FromScores(streamed=True, holes=("estimate",), directed=True),
    views=(
        View("pairs", pairs="the largest differences first"),
        View(
            "margins",
            flags=("--margin",),
            given="margin",
            pairs="the largest differences first",
            unused=("interval", "difference", "power", "preference"),
        ),
        View(
            "groups",
            "Print the leaderboard with letters, up to 20 systems.",
            ("--groups",),
            unused=("preference",),
        ),
    ),
    rules=(
        *(
            Rule({option: GIVEN, units: GIVEN}, UNITS.format(option=option, unit=unit, units=units))
            for option in ("preference", "difference", "power")
            for units, unit in (("topic_clusters", "topic"), ("replicates", "run"), ("topic_weights", "topic"))
        ),
        Rule(
            {"table": "groups", "baseline": GIVEN},
            "groups need all pairs of systems: leave --groups or {baseline} out",
        ),
        *(
            Rule(
                {"test": test, "across_groups": "holm"},
                f"--across-groups holm needs a p-value for each pair by itself, and {{test={test}}} tests all pairs "
                "together: choose a test of pairs",
            )
            for test in SIMULTANEOUS
        ),
        Rule(
            {"test": "nemenyi", "correction": GIVEN},
            "{test=nemenyi} holds the error of all pairs together: leave {correction} out",
        ),
        Rule(
            {"margin": GIVEN, "across_groups": "holm"},
            "--across-groups corrects tests of differences, not of a margin: leave one of them out",
        ),
    ),
    idle=(
        Idle(
            ("seed",),
            {
                "test": ("t", "wilcoxon", "sign", "mcnemar", "welch", "tukey", "dunnett", "nemenyi"),
                "interval": (None, "t"),
            },
            "with {test}, which draws nothing at random",
        ),
    ),
    derived=(
        Derived(
            "preference",
            {},
            "cranfield.comparison.preference:prefer",
            of_value=("baseline", "alpha"),
        ),
    ),
    groups=Groups(tested=True, across=True),
    words=(
        "p",
        "p_value",
        "significance",
        "t_test",
        "ttest",
        "test",
        "permutation",
        "bootstrap --test bootstrap",
        "mcnemar --test mcnemar",
        "holm",
        "max_t",
        "effect_size",
        "d_pair",
    ),
    examples=("qrels.txt runs/*.run --baseline bm25",),
    formats=("latex", "markdown"),
    guide="Test differences between systems, with intervals and effect sizes.",
)
def compare(
    scores: ScoresLike | Scores,
    *,
    test: Annotated[Test, Option("Test.", heading="Test")] = "t",
    correction: Annotated[
        Adjustment | None,
        Option(
            "Correction.",
            metavar="HOW",
            default="max-t by resampling, else holm",
            heading="Test",
        ),
    ] = None,
    baseline: BaselineOption = (),
    alpha: AlphaOption = 0.05,
    margin: Annotated[
        float | None,
        Option(
            "Also test non-inferiority and equivalence by this margin.",
            low=0,
            open=True,
            heading="Test",
        ),
    ] = None,
    interval: Annotated[
        IntervalKind | None,
        Option("Pair by pair: t, percentile or bca.", default="joint", metavar="NAME", heading="Test"),
    ] = None,
    level: Annotated[
        float | None,
        Option("Coverage of the intervals.", low=0, high=1, open=True, default="1 - alpha", shell=False),
    ] = None,
    preference: Annotated[
        Union[Preference, "ListPreferences", None],  # noqa: UP007, UP037
        Option("Also compare lists.", recorded=False),  # the preferences have settings of their own
    ] = None,
    difference: Annotated[
        float | None,
        Option("Also print the topics that detect this difference.", low=0, open=True, below=("table",)),
    ] = None,
    power: Annotated[
        float | None,
        Option("Power of what topics detect.", low=0, high=1, open=True, default="0.8", below=("table",)),
    ] = None,
    resamples: Annotated[
        int | None, Option("Resamples.", low=1, default="1,000 to 10,000, by the method", heading="Test")
    ] = None,
    seed: SeedOption = 1,
    missing_scores: MissingScoresOption = None,
    executor: ExecutorOption = None,
    topic_clusters: TopicClustersOption = None,
    mean_over: MeanOverOption = "topics",
    replicates: ReplicatesOption = None,
    topic_weights: TopicWeightsOption = None,
    larger_is_better: LargerIsBetterSaid = (),
    smaller_is_better: SmallerIsBetterSaid = (),
) -> Comparison:
    """Test which differences between the means of systems are more than chance.

    All pairs of systems are compared, or each system with the ``baseline``.

    - ``t``: paired t-test.
    - ``wilcoxon``: signed ranks, as in SciPy.
    - ``sign``: wins against losses. ``mcnemar`` is the same of yes/no scores,
      McNemar's exact test; with more systems Cochran's Q is printed too.
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

    - ``nemenyi``: mean ranks over topics, after Friedman's test; intervals
      are still of means. See ``compare_mean_ranks`` for what is sharper.

    The last four hold the error of all pairs together at alpha.

    ``max-t`` corrects by the largest |t| of all pairs on the same resamples,
    in a single step; ``max-t-step-down`` never finds fewer pairs; ``bh``
    controls the share of false findings instead. Tests of all systems adjust
    for their pairs themselves and take none. By default 1,000 samples are
    drawn for bootstrap, 10,000 for permutation and randomized-tukey, and
    2,000 for an interval beside another test.

    Identical systems have p 1 and effect 0. A difference that is not 0 and
    the same on every topic has standard error 0 and an infinite effect: the
    interval, the verdict, and p of tests that divide by the error (t, welch,
    bootstrap, tukey, dunnett) are NaN, and a warning names the pairs. Beside
    them ``p_signs`` is that of the exact test of signs, 2^(1 - n). Pairs
    are compared on the topics that both systems have, and a warning names
    the gaps; the last four tests and max-t refuse gaps.

    Topics in clusters, such as turns of a conversation, err alike and carry
    less information than independent topics. With ``topic_clusters`` the
    standard error is that of clusters (CR2, with Bell and McCaffrey's degrees
    of freedom); permutation and bootstrap draw clusters and studentise each
    resample; wilcoxon and sign take cluster means
    (``mean_over="clusters"``); mcnemar, welch and the last four tests are refused.
    If each topic is its own cluster, the numbers are those without clusters.

    With ``topic_weights``, such as how often a query is asked, means and
    differences are weighted, and a topic of weight w is a cluster of size w:
    the standard error is CR2's, sqrt(sum h^2 (d - mean)^2 / (1 - h)) with h
    the share of a topic, on Bell and McCaffrey's degrees of freedom.
    permutation and bootstrap flip and draw whole topics and studentise each
    resample; other tests are refused. Equal weights change nothing. Wins and
    losses, and the spread of ``d_residual``, count topics alike.

    An ``interval`` of each pair by itself is Student's (``t``), or of the
    bootstrap over topics (``percentile``, ``bca``). At nominal 95%, ``t``
    covers .93-.95; ``percentile`` and ``bca`` .85-.90 with 10 topics, and
    .90-.93 with 25. By default the interval is that of the family:
    simultaneous for tests of all systems at once and max-t; Bonferroni's t
    intervals for other corrections; Student's or Welch's without one.

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
    _check(test, interval, alpha, margin)
    correction = choose_correction(test, correction)
    baseline_names = list_baselines(test, baseline)
    if replicates is not None:
        refuse_for_runs(test, interval)
    scores = open_scores(
        scores,
        Needs("a comparison", topics=2, systems=2, blockwise=test in BLOCKWISE),
        missing_scores=missing_scores,
        topic_clusters=topic_clusters,
        mean_over=mean_over,
        replicates=replicates,
        topic_weights=topic_weights,
        larger_is_better=larger_is_better,
        smaller_is_better=smaller_is_better,
    )
    refuse_for_units(test, interval, scores.units, alpha)
    pairs = choose_pairs(scores, baseline_names)
    coverage = 1.0 - alpha if level is None else level
    kind = _name_interval(test, correction, interval, len(pairs))
    pair_level = 1.0 - (1.0 - coverage) / len(pairs) if kind == "bonferroni" else coverage
    levels = pair_level, alpha if level is None else 1.0 - level
    procedure = Procedure(test, interval, *levels, count_resamples(test, interval, resamples), seed, correction)
    outcome = _test_on(executor, scores, pairs, procedure, alpha)
    if baseline_names:
        # A baseline is on the left of its pairs, and is what a system is compared with.
        pairs, outcome = Contrasts(pairs.right, pairs.left), outcome.negated(keep_statistic=test in UNSIGNED)
    verdicts = judge_pairs(outcome, procedure, alpha)
    table = pair_table(scores, pairs, outcome, verdicts, coverage)
    _warn_of_pairs(scores, pairs, procedure, table, alpha)
    chosen = {"baseline": baseline_names, "interval": kind, "level": coverage}
    chosen |= {"power": POWER if power is None else power}
    chosen |= _describe_draws(outcome, procedure) | describe_directions([scores])
    if procedure.resamples:
        chosen |= scores.storage.resampling_settings
    corrected = None if margin is None else choose_margin_correction(procedure)
    settings = record_options(compare, locals(), margin_correction=corrected, **chosen, **scores.units.settings)
    signature = scores.signature("compare", **settings)
    means, unsettled = leaderboard_means(scores), int(verdicts.unsettled.sum())
    margins = None if margin is None else margin_table(scores, pairs, outcome, procedure, alpha, margin)
    about = ComparedScores.of(scores, difference, power)
    if about.plan.is_requested:
        about.plan.lines(settings, len(table))
    ranked = rank_for(test, scores, alpha)
    table = with_mean_ranks(table, ranked) if ranked is not None and test == "nemenyi" else table
    found = Comparison(table, scores.measure, means, unsettled, margins, settings, signature, about, ranked)
    return found if preference is None else _add_preferences(found, preference)


def _add_preferences(comparison: Comparison, preference: Preference | ListPreferences) -> Comparison:
    from cranfield.comparison.preference import add_preferences

    if isinstance(preference, str):
        raise UsageError(
            f"{setting('preference', preference)} compares lists, and there are scores alone: give what "
            "cranfield.comparison.prefer makes of the runs"
        )
    return add_preferences(comparison, preference)


def _warn_of_pairs(scores: Scores, pairs: Contrasts, procedure: Procedure, table: pd.DataFrame, alpha: float) -> None:
    """Warn of pairs that the bootstrap's max-T leaves out, and of those whose answer depends on the estimand."""
    if scores.units.clusters is None:
        warn_of_degenerate_pairs(procedure, table["wins"] + table["losses"], scores.topic_count)
        return
    warn_of_degenerate_pairs(procedure, scores.differing_clusters(pairs), scores.unit_count, "clusters")
    warn_of_estimands(scores, pairs, procedure, alpha)


def find_significant(
    scores: ScoresLike | Scores, *, test: Test, correction: Adjustment, alpha: float, seed: int
) -> tuple[Scores, Contrasts, NDArray[np.bool_]]:
    """Which pairs ``compare`` finds significant, without what else it says of them.

    Args:
        scores, test, correction, alpha, seed: as in ``compare``; topics of a matrix may be in clusters.

    Returns:
        The scores, all pairs with the better system on the left, and whether each is significant.

    Raises:
        UsageError, InputError: see ``compare``.
    """
    word("test", test, get_args(Test))
    share(alpha=alpha)
    check_integer(0, seed=seed)
    if test == "dunnett":
        raise UsageError(
            f"{setting('test', 'dunnett')} compares every system with one baseline, and here is none: choose another"
        )
    matrix = open_scores(scores, Needs("a comparison", topics=2, systems=2))
    pairs = choose_pairs(matrix, [])
    procedure = Procedure(test, None, 1.0 - alpha, alpha, count_resamples(test, None, None), seed, correction)
    outcome = test_pairs(matrix, pairs, procedure, alpha)
    if matrix.units.clusters is not None:
        refuse_for_units(test, None, matrix.units, alpha)
        outcome = without_small_pairs(matrix, pairs, outcome)
    outcome = without_flat_pairs(outcome, procedure)
    return matrix, pairs, judge_pairs(outcome, procedure, alpha).significant


def _check(test: Test, interval: IntervalKind | None, alpha: float, margin: float | None) -> None:
    """Raise UsageError for a margin at a level that no one-sided test has, or an interval that a test does not have."""
    if margin is not None and alpha >= 0.5:
        raise UsageError(f"{setting('alpha', alpha)} should be below 0.5 for a margin")
    if test == "welch" and interval not in (None, "t"):
        raise UsageError(
            f"{setting('interval', interval)} resamples topics that pairs share, and welch has no pairs: use t"
        )


def _describe_draws(outcome: PairedOutcome, procedure: Procedure) -> dict[str, Any]:
    """Describe what was drawn: no seed where everything was enumerated, and nothing where nothing is drawn."""
    drawn = procedure.resamples
    exact = int(find_exact(outcome.units, procedure).sum()) if procedure.test == "permutation" else None
    all_exact = exact == len(outcome.topics) and procedure.interval not in DRAWN
    seed = None if all_exact or not drawn else procedure.seed
    return {"resamples": drawn or None, "seed": seed, "exact_pairs": exact}


def _test_on(
    executor: ExecutorLike | None, scores: Scores, pairs: Contrasts, procedure: Procedure, alpha: float
) -> PairedOutcome:
    """Test the pairs, on an executor where one is given, and warn of gaps."""
    if executor is None:
        outcome = test_pairs(scores, pairs, procedure, alpha)
    elif procedure.test not in TEST_RESAMPLES:
        raise UsageError(
            f"{setting('executor')} works on the resamples of a test, and {setting('test', procedure.test)} draws "
            "none: leave it out, or take "
            f"one of {setting('test', *TEST_RESAMPLES)}"
        )
    else:
        with each_on(executor) as each:
            outcome = test_pairs(scores, pairs, replace(procedure, each=each), alpha)
    if scores.units.clusters is not None:
        outcome = without_small_pairs(scores, pairs, outcome)
    outcome = without_flat_pairs(outcome, procedure)
    scores.warn_of_gaps(paired=procedure.test != "welch")
    return outcome


def _name_interval(test: Test, correction: Adjustment, interval: IntervalKind | None, pairs: int) -> str:
    """Return the name of the interval in ``Comparison.settings``."""
    if interval is not None:
        return interval
    if has_own_interval(test) or correction in MAX_T:
        return "simultaneous"
    return "t" if (correction == "none" and test != "nemenyi") or pairs == 1 else "bonferroni"


def test_pairs(scores: Scores, pairs: Contrasts, procedure: Procedure, alpha: float) -> PairedOutcome:
    """The outcome of a test for each pair, left minus right.

    Raises:
        UsageError: no pair can be significant, whatever the scores.
        InputError: a pair shares fewer than two topics, or a score is missing where none may be.
    """
    if procedure.test == "mcnemar":
        require_yes_no(scores)
    if procedure.test in SIMULTANEOUS:
        scores.require_complete(f"{setting(f'test={procedure.test}')}", "use a test of pairs")
        refuse_unattainable(procedure, alpha, np.full(len(pairs), scores.topic_count))
        return simultaneous_outcome(scores.values, pairs, procedure)
    if procedure.correction in MAX_T:
        scores.require_complete(
            f"{setting(f'correction={procedure.correction}')}", f"take {setting('correction', 'holm')}"
        )
    if procedure.test == "welch":
        scored = scores.scored_topics
        for column in np.flatnonzero(scored < 2):
            name = quoted(scores.systems[column])
            raise InputError(f"{name} has a score on {counted(int(scored[column]), 'topic')}, of 2 needed")
        return welch_outcome(scores.values, pairs, procedure)
    shared = scores.shared_topics(pairs)
    few = np.flatnonzero(shared < 2)
    if len(few):
        names = f"{quoted(scores.systems[pairs.left[few[0]]])} and {quoted(scores.systems[pairs.right[few[0]]])}"
        text = (
            f"{names} share {counted(int(shared[few[0]]), 'topic')}, of 2 needed; "
            f"{setting('test', 'welch')} needs no pairs, and {REMEDY}"
        )
        raise InputError(text, code="too-few")
    noun = "topics" if scores.units.clusters is None else "clusters"
    resampled = shared if scores.units.clusters is None else scores.shared_clusters(pairs)
    refuse_unattainable(procedure, alpha, resampled, noun)
    if scores.is_complete:
        return paired_outcome(scores.differences(pairs), procedure)
    return pair_by_pair(scores, pairs, procedure)
