"""All analyses of one evaluation, each computed once from runs that are read once; a refused one leaves its reason."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cranfield.checking import check
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import Reading
from cranfield.comparison.pairwise import compare
from cranfield.comparison.ranks import estimate_ranks
from cranfield.errors import InputError, UsageError
from cranfield.evaluation import to_dataset
from cranfield.findings.findings import Findings
from cranfield.findings.place import STDIN
from cranfield.information.difference import compute_information_difference
from cranfield.information.experiment import prepare_experiment
from cranfield.information.tau import compute_information_taus
from cranfield.io.runs import PathLike, QrelsLike, RunsLike, qrels_of
from cranfield.io.source import as_text
from cranfield.measures import Measure, parse_measure
from cranfield.reporting.desk import Desk, Stage
from cranfield.reporting.publishing import Published
from cranfield.scores.fingerprint import fingerprint
from cranfield.scoring import DEFAULT, Evaluation, MeasuresLike, Progress, measures_of, score
from cranfield.standardization.factors import StandardizationFactors, read_factors, standardize
from cranfield.synthesis.diversity import map_diversity
from cranfield.synthesis.headroom import estimate_headroom
from cranfield.synthesis.judge_agreement import compare_judges
from cranfield.synthesis.measure_audit import audit
from cranfield.synthesis.ranking_agreement import compare_rankings
from cranfield.threads import beside
from cranfield.topic_difficulty.estimation import compute_difficulty
from cranfield.trust.reliability import estimate_reliability
from cranfield.trust.sensitivity import estimate_sensitivity
from cranfield.trust.stability import estimate_stability
from cranfield.wording import counted, listed, quoted

MOST_OF_PAIRS = 32
"""Systems of the information map: the best ones. Work grows with the square of their number."""
MOST_OF_FUSION = 8
"""Systems of the headroom: the best ones."""
OF_HEADROOM: dict[str, Any] = {"candidates": 10, "permutations": 10}
"""Pairs that are fused, and permutations of the labels: half of the usual, which costs as much as all else."""
SIZES = 12
"""Numbers of topics at which error rates are looked up, about."""
JUDGED = "Judged@10"


@dataclass(frozen=True)
class Question:
    """What is asked; see ``cranfield.report``."""

    qrels: QrelsLike
    runs: RunsLike
    measures: MeasuresLike = ()
    baselines: tuple[str, ...] = ()
    factors: PathLike | StandardizationFactors | None = None
    judges: tuple[QrelsLike, ...] = ()
    reading: Reading = field(default_factory=Reading)
    seed: int = 1

    @property
    def paths(self) -> tuple[str, ...]:
        """Files and patterns, as they were given."""
        several = self.runs if isinstance(self.runs, (list, tuple)) else (self.runs,)
        given = (self.qrels, *several, self.reading.intent_weights, self.factors, *self.judges)
        return tuple(as_text(path) for path in given if isinstance(path, (str, os.PathLike)))

    @property
    def files(self) -> tuple[str, list[str]] | None:
        """The judgments and the runs, where all are files that can be read once more."""
        several = self.runs if isinstance(self.runs, (list, tuple)) else (self.runs,)
        paths = [as_text(path) for path in (self.qrels, *several) if isinstance(path, (str, os.PathLike))]
        return (paths[0], paths[1:]) if len(paths) == 1 + len(several) and STDIN not in paths else None


@dataclass(frozen=True)
class Analyses:
    """What was found.

    Args:
        question: what was asked.
        table: scores in plain arrays, with what was noticed in the files.
        scores: of the asked measures, an ``xarray.Dataset``.
        measures: the means among them: those that analyses look at; the first is what systems are ordered by.
        undefined: those without a score on any topic, which are left out.
        found: name -> result.
        refused: name -> why there is none.
        remarked: what analyses warned of.
        checked: what ``cranfield check`` says of the files; None where they are no files, or come from standard input.
        others: kind, path and SHA-256 of files beside qrels and runs.
        public: how a text that names files is written on a page.
    """

    question: Question
    table: Evaluation
    scores: Any
    measures: tuple[str, ...]
    undefined: tuple[str, ...]
    found: Mapping[str, Any]
    refused: Mapping[str, str]
    remarked: tuple[str, ...]
    checked: Findings | None
    others: tuple[tuple[str, str, str], ...]
    public: Published

    @property
    def first(self) -> str:
        """The measure that systems are ordered by."""
        return self.measures[0]

    def get(self, name: str) -> Any:
        """A result, or None where it was refused."""
        return self.found.get(name)


def analyse(question: Question, *, stage: Stage | None = None, progress: Progress | None = None) -> Analyses:
    """Read everything, score, and ask every analysis that can be asked.

    Args:
        question: files, measures and policies.
        stage: called with the name of each stage as it begins.
        progress: called as ``progress(done, total)`` while runs are read.

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: a policy under which systems have ranges of scores, or an unknown measure or baseline.
    """
    if question.reading.policy.ties == "bounds":
        raise UsageError("ties='bounds' gives a range for each score, and a report needs one: choose another order")
    say = stage or (lambda _: None)
    asked = measures_of(question.measures or DEFAULT, question.reading.rel)
    factors = question.factors
    if isinstance(factors, (str, os.PathLike)):
        factors = read_factors(factors)
    judges = [qrels_of(judge, question.reading.input_format) for judge in question.judges]
    others = tuple(("judge", judge.name, fingerprint(judge)) for judge in judges)
    if factors is not None:
        path = question.factors if isinstance(question.factors, (str, os.PathLike)) else "factors"
        others += (("factors", as_text(path), factors.sha256),)
    judged = parse_measure(JUDGED)
    say("reading and scoring runs")
    table = score(
        question.runs,
        question.qrels,
        asked if judged in asked else (*asked, judged),
        reading=question.reading,
        progress=progress,
        keep_rankings=True,
    )
    for name in question.baselines:
        if name not in table.systems:
            raise UsageError(f"no system is called {quoted(name)}: a baseline is one of the runs given")
    scores = to_dataset(table)
    means, without = _means(asked, scores)
    public = Published([*question.paths, *(run.data for run in table.runs if isinstance(run.data, str))])
    desk = Desk(say, public)
    checking = None
    files = question.files
    if files is not None:
        checking = beside(lambda: check(files[1], files[0], reading=question.reading))
    _of_scores(desk, question, scores, means, factors)
    _of_lists(desk, question, table, scores, means)
    if judges:
        _of_judges(desk, question, table, means[0], judges)
    checked = None if checking is None else desk.ask("checked", "checking files", checking.result)
    remarked = tuple(dict.fromkeys(desk.remarked))
    return Analyses(
        question, table, scores, means, without, desk.found, desk.refused, remarked, checked, others, public
    )


def best_first(scores: Any) -> list[str]:
    """Systems by their means of one measure, equal ones by name."""
    from cranfield.scores.matrix import matrix_of

    matrix = matrix_of(scores)
    return [matrix.systems[at] for at in matrix.leaderboard]


def _means(asked: Sequence[Measure], scores: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The measures that analyses look at, and those among them that are undefined on every topic.

    Raises:
        InputError: all are.
    """
    looked_at = tuple(str(measure) for measure in asked if _is_effectiveness(measure)) or (str(asked[0]),)
    means = tuple(name for name in looked_at if scores[name].notnull().any())
    if not means:
        raise InputError(
            f"{listed(looked_at, 'measure')}: undefined on every topic, which leaves nothing to report: ask for others "
            "with -m"
        )
    return means, tuple(name for name in looked_at if name not in means)


def _is_effectiveness(measure: Measure) -> bool:
    """Whether systems can be compared by its mean: no sum, and no share of what was judged."""
    return measure.declaration.summary == "mean" and measure.declaration.effectiveness


def _of_scores(desk: Desk, question: Question, scores: Any, means: Sequence[str], factors: Any) -> None:
    """Analyses that look at scores alone."""
    first, several = scores[means[0]], scores[list(means)]
    seed = question.seed
    desk.ask("ranks", "ranking systems", lambda: estimate_ranks(first, seed=seed))
    top = best_first(first)[:2]
    if len(top) == 2:
        desk.ask("leaders", "comparing systems", lambda: compare(first.sel(system=top), test="t"))
    if question.baselines:
        desk.ask("baselines", "comparing systems", lambda: compare(first, test="t", baselines=question.baselines))
    scale = standardize if factors is None else factors.apply
    desk.ask("standardized", "standardizing scores", lambda: scale(several))
    desk.ask("audit", "auditing measures", lambda: audit(several, seed=seed))
    desk.ask("reliability", "reliability", lambda: [estimate_reliability(scores[name]) for name in means])
    sizes = _sizes(scores.sizes["topic"])
    desk.ask(
        "stability",
        "error rates",
        lambda: [estimate_stability(scores[name], topics=sizes, seed=seed) for name in means],
    )
    desk.ask("sensitivity", "discriminative power", lambda: estimate_sensitivity(several, seed=seed))
    if len(means) > 1:
        desk.ask("agreement", "agreement of measures", lambda: compare_rankings(several, seed=seed))
    if len(means) > 2:
        desk.ask("taus", "agreement of measures", lambda: _taus(several, seed))


def _taus(several: Any, seed: int) -> Any:
    """Of the measures that distinguish systems: one that ties all pairs would leave none to the others."""
    telling = [name for name, array in several.items() if (array.max("system") > array.min("system")).any()]
    if len(telling) < 3:
        raise InputError(f"it needs three measures that distinguish systems, and there are {len(telling)}")
    return compute_information_taus(several[telling], resamples=200, seed=seed)


def _sizes(topics: int) -> list[int] | None:
    """Numbers of topics; None leaves the choice to the analysis, where there are few."""
    if topics <= 5 * SIZES:
        return None
    step = round(topics / SIZES)
    return sorted({*range(step, topics, step), topics // 2, topics})


def _of_lists(desk: Desk, question: Question, table: Evaluation, scores: Any, means: Sequence[str]) -> None:
    """Analyses that look at rankings, or at runs again."""
    order = best_first(scores[means[0]])
    place = {run.name: run.data for run in table.runs}
    desk.ask(
        "difficulty",
        "difficulty of topics",
        lambda: compute_difficulty(_named(table), unjudged=question.reading.policy.unjudged),
    )
    if len(order) > 1:
        some = order[:MOST_OF_PAIRS]

        def difference() -> Any:
            return compute_information_difference(prepare_experiment(_named(table), table.qrels).of_systems(some))

        desk.ask("difference", f"information of pairs of {counted(len(some), 'system')}", difference)
        few = {name: place[name] for name in order[:MOST_OF_FUSION]}
        desk.ask(
            "headroom",
            f"fusing {counted(len(few), 'system')}",
            lambda: estimate_headroom(
                few,
                table.qrels,
                means,
                reading=question.reading.weighed,
                seed=question.seed,
                **OF_HEADROOM,
            ),
        )
    if question.reading.intent_weights is not None or any(
        measure.declaration.needs_intents for measure in table.measures
    ):
        desk.ask(
            "diversity",
            "coverage of intents",
            # The plane has a level of its own: an intent is covered by a document of label 1 or more.
            lambda: map_diversity(place, table.qrels, reading=replace(question.reading.weighed, rel=None)),
        )


def _of_judges(desk: Desk, question: Question, table: Evaluation, measure: str, judges: Sequence[Any]) -> None:
    """The same runs by other labels."""
    runs = {run.name: run.data for run in table.runs}
    # Judges have the level that the report asks them by; the weights of intents are those of the first judgments.
    reading = Reading(question.reading.policy, question.reading.input_format)

    def ask() -> Any:
        return compare_judges(runs, [table.qrels, *judges], measure, reading=reading, seed=question.seed)

    desk.ask("judges", "agreement of judges", ask)


def _named(table: Evaluation) -> Rankings:
    """The lists under the names of the leaderboard, which may be tags."""
    rankings = table.rankings
    assert rankings is not None
    if rankings.systems == table.systems:
        return rankings
    return replace(rankings, systems=tuple(table.systems))
