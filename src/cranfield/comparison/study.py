"""Testing the tests: how often each one errs, and what it finds, on scores like those of a collection.

In a trial the true means are known, so that it is known too which pairs a test rightly calls different.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield._executor import choose_executor, map_on
from cranfield._message import name_value, setting
from cranfield._text import shown
from cranfield._typing import Floats, Ints
from cranfield._validation import one_or_more
from cranfield.comparison.outcome import (
    FOR_MAX_T,
    MAX_T,
    Adjustment,
    Procedure,
    choose_correction,
    paired_outcome,
    refuse_unattainable,
    welch_outcome,
)
from cranfield.declarations.analysis import FromScores, Groups, analysis
from cranfield.declarations.executor import ExecutorOption
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import AlphaOption, SeedOption
from cranfield.errors import UsageError
from cranfield.results.columns import Column
from cranfield.results.result import Result
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import Needs, open_scores
from cranfield.simulation.fitted import FittedScores
from cranfield.statistics.anova import two_way
from cranfield.statistics.contrasts import Contrasts, noise
from cranfield.statistics.multiple_testing import adjust
from cranfield.statistics.paired_differences import TableDifferences
from cranfield.statistics.paired_tests import ratio
from cranfield.statistics.simultaneous import null_ranges, randomized_tukey, tukey_quantile
from cranfield.statistics.test_names import SIMULTANEOUS, TEST_RESAMPLES, Test
from cranfield.threads import cpus, side_by_side

if TYPE_CHECKING:
    import pandas as pd


Significances = NDArray[np.bool_]

BLOCK = 16
"""Trials of one task; a constant, so that the bits do not depend on who works on it."""
NEEDS = Needs("testing the tests", topics=4, systems=2)
LEVEL = 0.95
"""Level of the intervals that a test computes too; a study does not use them."""


class CorrectedTest(NamedTuple):
    """A test and its correction for the number of pairs."""

    test: Test
    correction: Adjustment


class TrialShares(NamedTuple):
    """Outcomes of a trial as shares of its pairs; NaN for a share of no pairs.

    Args:
        false: of the pairs without a true difference, those called different.
        any_false: whether there is one.
        reversed: of the pairs with a true difference, those called different in the wrong direction.
        right: of these, those called different in the right one.
    """

    false: Floats
    any_false: Floats
    reversed: Floats
    right: Floats


def find_significant(
    methods: Sequence[CorrectedTest], tables: Floats, alpha: float, resamples: int, seeds: Sequence[int]
) -> Significances:
    """Which pairs each method calls different, [methods, trials, pairs]: all i < j, in the order of ``all_pairs``.

    Args:
        methods: tests and corrections.
        tables: scores of each trial, [trials, topics, systems].
        alpha: level of significance.
        resamples: of the tests that draw any.
        seeds: of each trial; ``compare`` with it draws the same.
    """
    pairs = Contrasts.all_pairs(tables.shape[2])
    out = np.empty((len(methods), len(tables), len(pairs)), dtype=np.bool_)
    together: dict[Test, Floats] = {}
    for number, (test, correction) in enumerate(methods):
        if test == "tukey":
            out[number] = _by_tukey(tables, pairs, alpha)
        elif test in FOR_MAX_T or test == "randomized-tukey":
            for at, (table, seed) in enumerate(zip(tables, seeds, strict=True)):
                procedure = Procedure(test, None, LEVEL, alpha, resamples, seed, correction)
                out[number, at] = _resampled(table, pairs, procedure) < alpha
        else:
            if test not in together:
                together[test] = _compute_all_p(tables, pairs, test)
            for at, p in enumerate(together[test]):
                out[number, at] = adjust(p, correction) < alpha  # type: ignore[arg-type]
    return out


def _compute_all_p(tables: Floats, pairs: Contrasts, test: Test) -> Floats:
    """p of each pair of all trials, whose systems are tested as columns of one wide table, [trials, pairs]."""
    trials, topics, systems = tables.shape
    wide = np.ascontiguousarray(tables.transpose(1, 0, 2)).reshape(topics, trials * systems)
    first = np.arange(trials)[:, None] * systems
    every = Contrasts((first + pairs.left).ravel(), (first + pairs.right).ravel())
    settings = Procedure(test, None, LEVEL, 1.0 - LEVEL, 0, 0)
    if test == "welch":
        outcome = welch_outcome(wide, every, settings)
    else:
        outcome = paired_outcome(TableDifferences(wide, every), settings)
    return outcome.p.reshape(trials, len(pairs))


def _resampled(table: Floats, pairs: Contrasts, procedure: Procedure) -> Floats:
    """p of each pair, adjusted."""
    if procedure.test == "randomized-tukey":
        return randomized_tukey(table, null_ranges(table, procedure.resamples, procedure.rng()), pairs)
    outcome = paired_outcome(TableDifferences(table, pairs), procedure)
    if procedure.correction in MAX_T:
        assert outcome.adjusted is not None, "max-t takes all pairs together"
        return outcome.adjusted
    return adjust(outcome.p, procedure.correction)  # type: ignore[arg-type]


def _by_tukey(tables: Floats, pairs: Contrasts, alpha: float) -> Significances:
    """Which studentised ranges pass the critical value, which is the same in all trials, [trials, pairs]."""
    _, topics, systems = tables.shape
    out = np.empty((len(tables), len(pairs)), dtype=np.bool_)
    critical = _critical_range(alpha, systems, (topics - 1) * (systems - 1))
    for at, table in enumerate(tables):
        error = np.full(len(pairs), np.sqrt(two_way(table).ms_residual / topics))
        out[at] = ratio(np.abs(_differences(table, pairs)), error) > critical
    return out


@lru_cache(maxsize=16)
def _critical_range(alpha: float, systems: int, df: int) -> float:
    return tukey_quantile(alpha, systems, df)


def _differences(table: Floats, pairs: Contrasts) -> Floats:
    """Differences of means, exactly 0 where only rounding is left, [pairs]."""
    mean, slack = table.mean(axis=0), noise(table)
    difference = mean[pairs.left] - mean[pairs.right]
    return np.where(np.abs(difference) <= np.maximum(slack[pairs.left], slack[pairs.right]), 0.0, difference)


def counted(significant: Significances, tables: Floats, truth: Ints) -> TrialShares:
    """Shares of pairs by what is true of them, [methods, trials] each.

    Args:
        significant: from ``find_significant``.
        tables: scores of each trial, [trials, topics, systems].
        truth: the order of the systems' true means in each trial, equal where these are equal, [trials, systems].
    """
    pairs = Contrasts.all_pairs(tables.shape[2])
    true = np.sign(truth[:, pairs.left] - truth[:, pairs.right])
    seen = np.stack([np.sign(_differences(table, pairs)) for table in tables])
    none, different = true == 0, true != 0
    false = (significant & none).sum(axis=2)
    any_false = np.where(none.any(axis=1), false > 0, np.nan)
    of_none, of_some = (which.sum(axis=1).astype(np.float64) for which in (none, different))
    wrong = (significant & different & (seen == -true)).sum(axis=2)
    right = (significant & different & (seen == true)).sum(axis=2)
    return TrialShares(_share(false, of_none), any_false, _share(wrong, of_some), _share(right, of_some))


def _share(count: Ints, of: Floats) -> Floats:
    share: Floats = np.divide(count, of, out=np.full(count.shape, np.nan), where=of > 0)
    return share


@dataclass(frozen=True)
class StudyTrials:
    """Draws trials a block at a time and tests them; it can be sent to another process.

    Args:
        null: imitates the systems with equal means.
        apart: for each true difference, imitates them with the lower and with the higher mean.
        methods: tests and corrections.
        alpha: level of significance.
        resamples: of the tests that draw any.
        seed: of everything.
    """

    null: FittedScores
    apart: tuple[tuple[FittedScores, FittedScores], ...]
    methods: tuple[CorrectedTest, ...]
    alpha: float
    resamples: int
    seed: int

    def __call__(self, block: tuple[int, int, int]) -> Floats:
        """Counts of the trials ``start`` to ``stop`` with that many topics, [1 + differences, 4, methods, trials]."""
        topics, start, stop = block
        seeds = [self.derive_seed(topics, trial) for trial in range(start, stop)]
        return np.stack(
            [
                np.stack(
                    counted(find_significant(self.methods, tables, self.alpha, self.resamples, seeds), tables, truth)
                )
                for tables, truth in self.drawn(block)
            ]
        )

    def derive_seed(self, topics: int, trial: int) -> int:
        """With which ``compare`` draws as this trial does."""
        return int(np.random.SeedSequence((self.seed, topics, trial, 1)).generate_state(1)[0])

    def drawn(self, block: tuple[int, int, int]) -> list[tuple[Floats, Ints]]:
        """Scores, [trials, topics, systems], and the order of the true means, [trials, systems]: without a difference,
        and with each true difference between a random half of the systems and the others.

        The same topics, in the sense of the same uniform values, serve them all.
        """
        topics, start, stop = block
        trials, systems = stop - start, len(self.null.systems)
        rng = np.random.default_rng((self.seed, topics, start, 0))
        uniform = self.null.uniform(trials * topics, rng)
        halves = rng.permuted(np.tile(np.arange(systems) < systems // 2, (trials, 1)), axis=1)
        shape = trials, topics, systems
        matrices = [(self.null.scores(uniform).reshape(shape), np.zeros((trials, systems), dtype=np.int64))]
        for low, high in self.apart:
            scores = [fitted.scores(uniform).reshape(shape) for fitted in (low, high)]
            matrices.append((np.where(halves[:, None], scores[1], scores[0]), halves.astype(np.int64)))
        return matrices


Studied = Literal["t", "wilcoxon", "sign", "permutation", "bootstrap", "welch", "tukey", "randomized-tukey"]
NullHypothesis = Literal["means", "exchangeable"]

DEFAULT = (
    CorrectedTest("t", "holm"),
    CorrectedTest("t", "none"),
    CorrectedTest("wilcoxon", "holm"),
    CorrectedTest("sign", "holm"),
    CorrectedTest("permutation", "max-t"),
    CorrectedTest("bootstrap", "max-t"),
    CorrectedTest("tukey", "none"),
    CorrectedTest("randomized-tukey", "none"),
)
"""The tests that are studied by default."""
MOST_SYSTEMS = 40
"""Systems where no number is asked for, drawn at random where there are more."""


@dataclass(frozen=True, eq=False, repr=False)
class TestStudy(Result):
    """Error rates and power of tests.

    Args:
        rates: a row for each ``test`` and its ``correction``, number of ``topics`` and true ``difference``. Where that
            is 0, all systems have the same true mean; otherwise a random half of them, another in each trial, lies so
            much above the others, and pairs within a half still have no true difference. NaN where there are no such
            pairs.
        measure: whose scores were imitated.
        systems: that were imitated, in their order.
        available: how many systems the scores have.
        mean: true mean of all systems where there is no difference, of both halves together where there is one.
        settings: of the study.
        signature: all that changes these numbers.
    """

    __test__: ClassVar[bool] = False
    """It is none of pytest's classes, whatever its name."""

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "rates": (
            Column("topics", shown="varying"),
            Column("type_1", "share of the pairs without a true difference that are significant"),
            Column("type_1_standard_error", shown="never"),
            Column("family_wise", "share of trials with any such pair"),
            Column("family_wise_standard_error", "and the like: Monte Carlo standard errors"),
            Column("type_3", "share of the pairs with a true difference that are significant in the wrong direction"),
            Column("type_3_standard_error", shown="never"),
            Column("power", "in the right one"),
            Column("power_standard_error"),
        )
    }
    rates: pd.DataFrame
    measure: str
    systems: tuple[str, ...]
    available: int
    mean: float
    settings: dict[str, Any]
    signature: dict[str, Any]

    def answer(self, table: str) -> str:
        """The most powerful test among those that keep to the level.

        A test keeps to it where the share of trials with a false positive is at most alpha, or within two Monte Carlo
        standard errors. Power is that of the smallest difference on the most topics.
        """
        alpha, rates = self.settings["alpha"], self.rates
        excess = rates["family_wise"] - 2 * rates["family_wise_standard_error"].fillna(0) - alpha
        methods = excess.groupby([rates["test"], rates["correction"]], sort=False).max()
        names = {method: f"{method[0]} ({method[1]})" for method in methods.index}
        keeping = [method for method in methods.index if not methods[method] > 0]
        above = [names[method] for method in methods.index if methods[method] > 0]
        rule = f"a false positive in at most {100 * alpha:g}% of trials, within two standard errors"
        if not keeping:
            return f"None of these tests had {rule}."
        others = f"; more often: {', '.join(above)}" if above else ""
        effects = [effect for effect in self.settings["effects"] if effect]
        if not effects:
            return f"Tests with {rule}: {', '.join(names[method] for method in keeping)}{others}."
        most = max(self.settings["n_topics"])
        smallest = rates[(rates["difference"] == min(effects)) & (rates["topics"] == most)]
        power = smallest.set_index(["test", "correction"])["power"]
        best = max(keeping, key=lambda method: float(power[method]))
        found = f"its power is {power[best]:.3f} for a difference of {min(effects):g} on {most:,} topics"
        scope = "is the only test" if len(keeping) == 1 else f"has the largest power of the {len(keeping)} tests"
        return f"{names[best]} {scope} with {rule}: {found}{others}."

    def caption(self, table: str) -> str:
        """The simulation."""
        settings = self.settings
        topics = " and ".join(f"{n:,}" for n in settings["n_topics"])
        drawn_from = "" if settings["n_systems"] == self.available else f" of {self.available:,}, drawn at random,"
        alike = {
            "means": "each with its own distribution moved to this mean, and with the correlations observed",
            "exchangeable": "all with the distribution of all scores moved to this mean, and the mean correlation",
        }[settings["null"]]
        apart = ", ".join(f"{effect:g}" for effect in settings["effects"])
        halves = f"; or two random halves, {apart} apart" if apart else ""
        drawn = f", {settings['resamples']:,} resamples each" if settings["resamples"] else ""
        nothing = [
            f"{column} is empty where no pair of systems has {'a' if column == 'power' else 'no'} true difference"
            for column in ("type_1", "power")
            if self.rates[column].isna().any()
        ]
        lines = [
            f"{shown(self.measure)}, simulated: {settings['trials']:,} trials of {settings['n_systems']:,} systems"
            f"{drawn_from} on {topics} topics, alpha {settings['alpha']:g}{drawn}, seed {settings['seed']}",
            f"true mean {self.mean:.4f} of all systems, {alike}{halves}",
            *nothing,
        ]
        return "\n".join(lines)


@analysis(
    "audit study-tests",
    "Simulate how often each significance test errs, and its power.",
    FromScores(),
    groups=Groups(refused="a study draws the topics of its trials at random, and a group would only be a smaller pool"),
    progress="trials",
    steps=lambda options: options["trials"] * max(1, len(set(options["n_topics"] or ()))),
    words=("power", "type_i"),
    examples=("--scores scores.csv", "--scores scores.csv --test t --effect 0.02"),
)
def study_tests(
    scores: ScoresLike,
    *,
    tests: Annotated[
        Studied | Sequence[Studied] | None,
        Option("Tests of `compare`.", flags=("--test",), default="all but welch", heading="Test"),
    ] = None,
    corrections: Annotated[
        Adjustment | Sequence[Adjustment] | None,
        Option(
            "Corrections of `compare`; each is studied with every test that has it, and tests of all systems at once "
            "without one.",
            flags=("--correction",),
            default="each test's own; t also none",
        ),
    ] = None,
    alpha: AlphaOption = 0.05,
    n_topics: Annotated[
        int | Sequence[int] | None, Option("Topics per trial.", low=2, flags=("-n",), default="those of the scores")
    ] = None,
    n_systems: Annotated[
        int | None, Option("Systems per trial, drawn at random.", low=2, default="all, up to 40")
    ] = None,
    effects: Annotated[
        float | Sequence[float],
        Option("True difference of two halves of the systems.", low=0, open=True, flags=("--effect",)),
    ] = (0.05, 0.1),
    null: Annotated[
        NullHypothesis,
        Option(
            "What systems share where there is no true difference. means: each keeps the shape of its own "
            "distribution, moved to the common mean. exchangeable: all have the distribution of all scores together."
        ),
    ] = "means",
    trials: Annotated[int, Option("Simulated score matrices.", low=1)] = 500,
    resamples: Annotated[int, Option("Resamples per test and trial.", low=1)] = 500,
    seed: SeedOption = 1,
    executor: ExecutorOption = None,
    progress: Callable[[int, int], None] | None = None,
) -> TestStudy:
    """Which test for this collection? Each on simulated scores with its margins and dependence, and a known truth.

    A trial is a matrix of scores on new topics, made as by ``simulate_scores``, of which all pairs of systems are
    tested. All systems have the same true mean, the one of all scores; then, for each effect, on the same random
    numbers, a random half lies half the effect above it and the other half below.

    A resampling test draws anew in each trial. With (hits + 1) / (resamples + 1) it keeps its level with few resamples,
    and loses a little power against the 10,000 that ``compare`` draws.

    Args:
        scores: of one measure, dims (topic, system), complete, in [0, 1]: what to imitate.
        progress: called with the trials that are done and all of them.

    Raises:
        InputError: scores outside [0, 1], a missing score, fewer than two systems or four topics, or a system whose
            scores are all equal.
        UsageError: an unknown word, numbers outside their range, an effect that the mean has no room for, or too few
            resamples for a correction.

    References:
        Urbano, Lima & Hanjalic 2019, Statistical significance testing in information retrieval: an empirical analysis
        of type I, type II and type III errors. doi:10.1145/3331184.3331259
        Ferro & Sanderson 2022, How do you test a test? A multifaceted examination of significance tests.
        doi:10.1145/3488560.3498406
        Urbano & Nagler 2018, Stochastic simulation of test collections: evaluation scores. doi:10.1145/3209978.3210043
    """
    differences = list(effects) if isinstance(effects, Sequence) else [effects]
    methods = list_methods(tests, corrections)
    full = open_scores(scores, NEEDS)
    matrix = _drawn(full, n_systems, seed)
    sizes = _sizes(n_topics, len(matrix.topics))
    _refuse_unattainable(methods, alpha, resamples, len(matrix.systems), min(sizes))
    mean = float(matrix.values.mean())
    imitation = FittedScores.fit(matrix, NEEDS.what, exchangeable=null == "exchangeable")
    equal, shifted = _imitations(imitation, mean, differences)
    work = StudyTrials(equal, shifted, methods, alpha, resamples, seed)
    with choose_executor(executor) as pool:
        counts = _run(work, sizes, trials, pool, progress)
    settings = record_options(
        study_tests,
        locals(),
        tests=[method.test for method in methods],
        corrections=[method.correction for method in methods],
        n_topics=sizes,
        n_systems=len(matrix.systems),
        effects=list(map(float, differences)),
        resamples=resamples if any(method.test in TEST_RESAMPLES for method in methods) else None,
    )
    rates = _table(methods, sizes, [0.0, *settings["effects"]], counts)
    signature = matrix.signature("testing the tests", **settings)
    return TestStudy(rates, matrix.measure, matrix.systems, len(full.systems), mean, settings, signature)


def _refuse_unattainable(
    methods: Sequence[CorrectedTest], alpha: float, resamples: int, systems: int, topics: int
) -> None:
    """Refuse what ``compare`` refuses: a correction that no p of that many resamples could pass."""
    pairs = systems * (systems - 1) // 2
    for test, correction in methods:
        refuse_unattainable(
            Procedure(test, None, LEVEL, alpha, resamples, 0, correction), alpha, np.full(pairs, topics)
        )


def list_methods(
    tests: Studied | Sequence[Studied] | None, corrections: Adjustment | Sequence[Adjustment] | None
) -> tuple[CorrectedTest, ...]:
    """Every test with every correction that it has.

    Raises:
        UsageError: an unknown word, none at all, or a correction that no test has, or a test without any of them.
    """
    if tests is None and corrections is None:
        return DEFAULT
    named = [method.test for method in DEFAULT] if tests is None else one_or_more(tests)
    chosen = list(dict.fromkeys(named))
    corrections = None if corrections is None else one_or_more(corrections)
    if not chosen or (corrections is not None and not corrections):
        raise UsageError("name at least one test, and one correction, or leave them out")
    methods: list[CorrectedTest] = []
    for test in chosen:
        if corrections is None or test in SIMULTANEOUS:
            methods.append(CorrectedTest(test, choose_correction(test, None)))
            continue
        for correction in dict.fromkeys(corrections):
            if correction not in MAX_T or test in ("permutation", "bootstrap"):
                methods.append(CorrectedTest(test, correction))
    used, studied = {method.correction for method in methods}, {method.test for method in methods}
    for correction in corrections or ():
        if correction not in used:
            raise UsageError(f"corrections: {name_value(correction)} belongs to none of the tests {', '.join(chosen)}")
    for test in chosen:
        if test not in studied:
            raise UsageError(f"tests: {name_value(test)} has none of the corrections {', '.join(corrections or ())}")
    return tuple(methods)


def _drawn(matrix: Scores, systems: int | None, seed: int) -> Scores:
    """``systems`` systems at random, in their order."""
    available = len(matrix.systems)
    count = min(available, MOST_SYSTEMS) if systems is None else systems
    if count > available:
        raise UsageError(f"{setting('n_systems', count)} should be at most {available}, as many as the scores have")
    if count == available:
        return matrix
    columns = np.sort(np.random.default_rng((seed, 0)).choice(available, count, replace=False))
    return matrix.select_systems(columns.tolist())


def _sizes(topics: int | Sequence[int] | None, available: int) -> list[int]:
    sizes = [available] if topics is None else list(topics) if isinstance(topics, Sequence) else [topics]
    if not sizes:
        raise UsageError(f"{setting('n_topics', [])} should name at least one number")
    return list(dict.fromkeys(sizes))


def _imitations(
    imitation: FittedScores, mean: float, effects: Sequence[float]
) -> tuple[FittedScores, tuple[tuple[FittedScores, FittedScores], ...]]:
    """With one mean, and with those of both halves for each effect."""
    systems = len(imitation.systems)
    most = 2.0 * min(mean, 1.0 - mean)
    for effect in effects:
        if effect >= most:
            raise UsageError(
                f"effects={effect:g}: the mean of these scores is {mean:.4g}, and half the effect above and below it "
                f"should lie between 0 and 1: take less than {most:.4g}"
            )
    ends = [(mean - effect / 2.0, mean + effect / 2.0) for effect in effects]
    shifted = [(imitation.with_means([low] * systems), imitation.with_means([high] * systems)) for low, high in ends]
    return imitation.with_means([mean] * systems), tuple(shifted)


def _run(
    work: StudyTrials,
    sizes: Sequence[int],
    trials: int,
    executor: Executor | None,
    progress: Callable[[int, int], None] | None,
) -> list[Floats]:
    """For each number of topics the counts of all trials, [1 + effects, 4, methods, trials]."""
    blocks = [(n, start, min(trials, start + BLOCK)) for n in sizes for start in range(0, trials, BLOCK)]
    results = side_by_side(work, blocks, cpus()) if executor is None else map_on(executor, work, blocks)
    parts: dict[int, list[Floats]] = {n: [] for n in sizes}
    done = 0
    for (n, start, stop), part in zip(blocks, results, strict=True):
        parts[n].append(part)
        done += stop - start
        if progress is not None:
            progress(done, trials * len(sizes))
    return [np.concatenate(parts[n], axis=-1) for n in sizes]


def _table(
    methods: Sequence[CorrectedTest], sizes: Sequence[int], differences: Sequence[float], results: Sequence[Floats]
) -> pd.DataFrame:
    import pandas as pd

    rows = []
    for number, (test, correction) in enumerate(methods):
        for n, of_size in zip(sizes, results, strict=True):
            for difference, counts in zip(differences, of_size, strict=True):
                row = {"test": test, "correction": correction, "topics": n, "difference": difference}
                of = TrialShares(*counts[:, number])
                named = {"type_1": of.false, "family_wise": of.any_false, "type_3": of.reversed, "power": of.right}
                for name, values in named.items():
                    row |= {name: float(values.mean()), f"{name}_standard_error": _error(values)}
                rows.append(row)
    return pd.DataFrame(rows)


def _error(values: Floats) -> float:
    """Standard error of a mean over trials."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")
