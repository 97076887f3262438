"""Estimates from the fitted labels of unjudged documents: scores, differences, and what to judge next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._executor import ExecutorLike
from cranfield._text import counted, join_first, shown
from cranfield._typing import Floats, Progress
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import InputOptions
from cranfield.comparison.regression_gate.result import Gate
from cranfield.comparison.regression_gate.with_holes import HoleVariances
from cranfield.declarations.analysis import with_options
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import LevelOption, SeedOption, TopicSampleOption
from cranfield.errors import UsageError
from cranfield.holes.draws import LabelModel, spawn_blocks
from cranfield.holes.features import DEPTH, SHARED_DEPTH, HoleDocuments, feature_names, share_holes
from cranfield.holes.options import BudgetOption, DrawsOption
from cranfield.holes.result import HoleComparison, HoleJudgments, HoleScores
from cranfield.holes.sampling import BlockSampler, sample_scores, topic_intervals
from cranfield.holes.scoring import CompletedRuns, get_cutoff, score_completed
from cranfield.io.inputs import RunsLike
from cranfield.measures import Measure, MeasureLike, MeasuresLike, is_additive, shares
from cranfield.results.result import signed
from cranfield.scores.unjudged import MANY

if TYPE_CHECKING:
    import pandas as pd


LEAST_SURE = 0.05
"""P(A > B) from here to 1 minus this leaves the order of neighbours open."""


class Holes:
    """Probabilities of the labels of unjudged documents, fitted on the judged ones, and what follows from them.

    Made by ``cranfield.estimate_holes``.
    """

    def __init__(
        self,
        model: LabelModel,
        runs: RunsLike,
        names: Sequence[str],
        qrels: Qrels,
        reading: InputOptions,
        facts: dict[str, Any],
    ) -> None:
        self._model, self._runs, self._names = model, runs, names
        self._qrels, self._reading, self._facts = qrels, reading, facts

    def __repr__(self) -> str:
        count = int((~self._model.documents.judged).sum())
        return f"Holes({counted(count, 'candidate')}, mode={self._facts['mode']}, depth={self._facts['depth']})"

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the evaluated runs."""
        return tuple(self._names)

    @cached_property
    def probabilities(self) -> pd.DataFrame:
        """P(label >= level) of every candidate: columns ``topic``, ``document``, ``level``, ``p``."""
        import pandas as pd

        documents = self._model.documents
        wanted = ~documents.judged
        topics = [documents.pools.topics[at] for at in documents.topic[wanted]]
        names = [documents.pools.documents[at] for at in documents.index[wanted]]
        parts = [
            pd.DataFrame({"topic": topics, "document": names, "level": model.level, "p": p})
            for model, p in zip(self._model.levels, self._model.probabilities(), strict=True)
        ]
        return pd.concat(parts, ignore_index=True)

    @cached_property
    def coefficients(self) -> pd.DataFrame:
        """Coefficients of every level: ``level``, ``name`` (intercept, features, topics), ``value`` and ``error``."""
        import pandas as pd

        rows = []
        for model in self._model.levels:
            if model.constant is not None:
                rows.append((model.level, "constant", model.constant, float("nan")))
                continue
            features = feature_names(self._model.documents, pool=self._facts["mode"] == "pool")
            names = ["intercept", *features, *(f"topic {name}" for name in self._model.documents.pools.topics)]
            errors = np.sqrt(np.diag(model.covariance))
            rows += [(model.level, *row) for row in zip(names, model.coefficients, errors, strict=True)]
        return pd.DataFrame(rows, columns=["level", "name", "value", "error"])

    @with_options()
    def evaluate(
        self,
        measures: MeasuresLike = "nDCG@10",
        *,
        draws: DrawsOption = 1000,
        seed: SeedOption = 1,
        level: LevelOption = 0.95,
        topic_sample: TopicSampleOption = "fixed",
        executor: ExecutorLike | None = None,
        progress: Progress | None = None,
    ) -> HoleScores:
        """Estimate what the runs would score if every document in their first ``depth`` were judged.

        Args:
            measures: whose kernels need only labels: none about which documents are judged, and none of diversity.
            executor: scores blocks of draws, see ``cranfield.evaluate``; threads where None. The result is the
                same with any.
            progress: called with the blocks of draws that are done, and their number.

        Raises:
            UsageError: a measure that looks at which documents are judged, or numbers outside their range.
        """
        import pandas as pd

        completed, zero = self._scored(measures)
        scores = sample_scores(BlockSampler(self._model, completed, topic_sample), draws, seed, executor, progress)
        sampled = scores.summaries
        tail = (1.0 - level) / 2.0
        lower, upper = np.quantile(sampled, [tail, 1.0 - tail], axis=1)
        names, systems = [str(measure) for measure in completed.evaluation.measures], completed.evaluation.systems
        index = pd.MultiIndex.from_product([names, systems], names=["measure", "system"])
        holes = share_holes(self._model.documents.pools, systems, self._facts["depth"])
        columns = {"zero": zero.ravel(), "estimate": (zero + (sampled - zero[:, None]).mean(axis=1)).ravel()}
        columns |= {"lower": lower.ravel(), "upper": upper.ravel(), "holes": np.tile(holes, len(names))}
        columns |= topic_intervals(scores.cells, level)
        settings = self._facts | record_options(Holes.evaluate, locals())
        caveats, signature = self._caveats(completed), self._signature("holes", settings, names)
        table = pd.DataFrame(columns, index=index)
        return HoleScores(table, _neighbours(table, sampled, names, systems), caveats, settings, signature)

    @with_options()
    def compare(
        self,
        system: str,
        other: str,
        measure: MeasureLike = "nDCG@10",
        *,
        draws: DrawsOption = 1000,
        seed: SeedOption = 1,
        level: LevelOption = 0.95,
        topic_sample: TopicSampleOption = "fixed",
        executor: ExecutorLike | None = None,
        progress: Progress | None = None,
    ) -> HoleComparison:
        """The difference of two of the runs, by the same draws of labels.

        Args:
            system: name of a run.
            other: name of the run that it is compared with.
            measure: what they are compared by.
            executor: scores blocks of draws, see ``cranfield.evaluate``; threads where None. The result is the
                same with any.
            progress: called with the blocks of draws that are done, and their number.

        Raises:
            UsageError: an unknown run, or numbers outside their range.
        """
        numbers: dict[str, Any] = {"draws": draws, "seed": seed, "level": level, "topic_sample": topic_sample}
        return self.compare_pairs([(system, other)], measure, **numbers, executor=executor, progress=progress)[0]

    @with_options()
    def compare_pairs(
        self,
        pairs: Sequence[tuple[str, str]] | None = None,
        measure: MeasureLike = "nDCG@10",
        *,
        draws: DrawsOption = 1000,
        seed: SeedOption = 1,
        level: LevelOption = 0.95,
        topic_sample: TopicSampleOption = "fixed",
        executor: ExecutorLike | None = None,
        progress: Progress | None = None,
    ) -> tuple[HoleComparison, ...]:
        """The differences of several pairs of runs, all by the same draws of labels.

        Args:
            pairs: names of the first and the second run of each; all pairs where None.
            measure: what they are compared by.
            executor: scores blocks of draws, see ``cranfield.evaluate``; threads where None. The result is the
                same with any.
            progress: called with the blocks of draws that are done, and their number.

        Raises:
            UsageError: an unknown run, or numbers outside their range.
        """
        completed, zero = self._scored(measure)
        systems = list(completed.evaluation.systems)
        pairs = list(combinations(systems, 2)) if pairs is None else pairs
        columns = [(self._column(systems, first), self._column(systems, second)) for first, second in pairs]
        sampler = BlockSampler(self._model, completed, topic_sample)
        sampled = sample_scores(sampler, draws, seed, executor, progress).summaries[0]
        settings = self._facts | record_options(Holes.compare_pairs, locals())
        name = str(completed.evaluation.measures[0])
        signature = self._signature("hole comparison", settings, [name])
        caveats = self._caveats(completed)
        results = []
        for (system, other), (left, right) in zip(pairs, columns, strict=True):
            difference, plain = sampled[:, left] - sampled[:, right], float(zero[0, left] - zero[0, right])
            tail = (1.0 - level) / 2.0
            lower, upper = np.quantile(difference, [tail, 1.0 - tail]).tolist()
            middle, better = float(difference.mean()), _prob_better(difference)
            numbers = (plain, middle, lower, upper, better)
            results.append(HoleComparison(system, other, name, *numbers, caveats, settings, signature))
        return tuple(results)

    @with_options()
    def gate(
        self,
        baseline: str,
        measures: MeasuresLike = "nDCG@10",
        *,
        margin: float | Mapping[str, float] = 0.01,
        alpha: float = 0.05,
        draws: DrawsOption = 1000,
        seed: SeedOption = 1,
        executor: ExecutorLike | None = None,
        progress: Progress | None = None,
    ) -> Gate:
        """Test whether the other runs are worse than a baseline by more than a margin, as ``comparison.gate`` does.

        What missing labels leave open is added to what topics leave open, by Rubin's rules. A verdict ``cannot tell``
        whose ``reason`` begins with "because of holes" would be another one if labels were known.

        Args:
            baseline: name of the run that the others are compared with.
            measures: as of ``evaluate``.
            margin: the loss of a mean that is tolerated, above 0; one for all measures, or of each.
            alpha: level of the tests, in (0, .5).
            executor: as of ``evaluate``.
            progress: called with the blocks of draws that are done, and their number.

        Raises:
            UsageError: an unknown run, or numbers outside their range.
            InputError: fewer than two runs or topics.

        References:
            Rubin 1987, Multiple Imputation for Nonresponse in Surveys. doi:10.1002/9780470316696
            Barnard & Rubin 1999, Small-sample degrees of freedom with multiple imputation. doi:10.1093/biomet/86.4.948
        """
        import xarray as xr

        completed, _ = self._scored(measures)
        systems = list(completed.evaluation.systems)
        column = self._column(systems, baseline)
        sampler = BlockSampler(self._model, completed, "fixed", column)
        scores = sample_scores(sampler, draws, seed, executor, progress)
        assert scores.variances is not None, "a baseline was named"
        names = [str(measure) for measure in completed.evaluation.measures]
        cells = {name: (("topic", "system"), block.T) for name, block in zip(names, scores.cells, strict=True)}
        means = xr.Dataset(cells, {"topic": list(completed.rankings.pool.topics), "system": systems})
        first = [column, *(at for at in range(len(systems)) if at != column)]
        differences = scores.summaries - scores.summaries[:, :, column : column + 1]
        variances = HoleVariances(scores.variances[:, first], differences.var(axis=1, ddof=1)[:, first], draws)
        settings = self._facts | record_options(Holes.gate, locals())
        return variances.judge(
            means,
            baseline=baseline,
            margin=margin,
            alpha=alpha,
            settings=settings,
            signature=self._signature("gate", settings, names),
            caveats=self._caveats(completed),
            policies=self._reading.policy.as_dict(),
        )

    @with_options()
    def judge_next(
        self,
        system: str,
        other: str,
        measure: MeasureLike = "nDCG@10",
        budget: BudgetOption = 50,
        *,
        draws: DrawsOption = 1000,
        seed: SeedOption = 1,
    ) -> HoleJudgments:
        """List the unjudged documents whose labels would say most about the difference of two runs.

        The value of a document is (w_A - w_B)^2 Var(gain), with w the discount at its rank in a list divided by the
        ideal of the judged documents, and the variance over the draws: the reduction of the variance of the difference
        that its label brings, but for what labels share. It clearly beats a random order, and rank order by little.

        Args:
            system: name of a run.
            other: name of the run that it is compared with.
            measure: a sum of what each document adds at its rank, such as nDCG or P.

        Raises:
            UsageError: an unknown run, a measure that is not such a sum, or numbers outside their range.

        References:
            Carterette, Allan & Sitaraman 2006, Minimal test collections for retrieval evaluation.
            doi:10.1145/1148170.1148219
        """
        import pandas as pd

        completed, _ = self._scored(measure)
        name = completed.evaluation.measures[0]
        if not is_additive(name):
            raise UsageError(f"{name} is not a sum of what each document adds at its rank: choose nDCG, DCG, P or RBP")
        columns = [self._column(completed.evaluation.systems, run) for run in (system, other)]
        labels = np.concatenate([self._model.draw(size, rng) for size, rng in spawn_blocks(draws, seed)])
        values = _differences(completed, name, columns, labels).var(axis=0)
        documents = self.probabilities.iloc[: len(values)]
        table = pd.DataFrame({"topic": documents["topic"], "document": documents["document"], "value": values})
        table = table[table["value"] > 0].sort_values(["value", "topic", "document"], ascending=[False, True, True])
        settings = self._facts | record_options(Holes.judge_next, locals())
        settings |= {"system": system, "other": other, "measure": str(name)}
        signature = self._signature("what to judge next", settings, [str(name)])
        table = table.head(budget).reset_index(drop=True)
        return HoleJudgments(table, self._caveats(completed), settings, signature)

    # ---- parts

    def _caveats(self, completed: CompletedRuns) -> tuple[str, ...]:
        systems = completed.evaluation.systems
        holes = share_holes(self._model.documents.pools, systems, self._facts["depth"]).tolist()
        check_run = dict(zip(systems, holes, strict=True))
        return list_caveats(self._model.documents, self._facts, check_run, completed.evaluation.measures)

    def _column(self, systems: Sequence[str], name: str) -> int:
        if name not in systems:
            raise UsageError(f"no evaluated run is called {shown(name)}: there are {', '.join(map(shown, systems))}")
        return list(systems).index(name)

    def _scored(self, measures: MeasuresLike) -> tuple[CompletedRuns, Floats]:
        """The runs with candidates judged 0, and summaries by the judgments as they are, [measures, systems]."""
        documents = self._model.documents
        wanted = ~documents.judged
        candidates = [
            (documents.pools.topics[topic], documents.pools.documents[row])
            for topic, row in zip(documents.topic[wanted], documents.index[wanted], strict=True)
        ]
        return score_completed(self._runs, self._qrels, candidates, measures, self._reading)

    def _signature(self, analysis: str, settings: dict[str, Any], measures: Sequence[str]) -> dict[str, Any]:
        inputs = self._model.documents.pools.inputs() | self._reading.policy.as_dict()
        return signed(analysis, settings, measures=list(measures), **inputs)


def _prob_better(difference: Floats) -> float:
    return float((difference > 0).mean() + (difference == 0).mean() / 2)


def _neighbours(table: pd.DataFrame, sampled: Floats, names: Sequence[str], systems: Sequence[str]) -> pd.DataFrame:
    """Neighbours by estimate, P(the first is better), and whether holes leave their order open.

    It is open where the order by zero is another one, or .05 < P < .95.
    """
    import pandas as pd

    rows = []
    estimates, zeros = (table[column].to_numpy().reshape(len(names), -1) for column in ("estimate", "zero"))
    for draws, name, estimate, zero in zip(sampled, names, estimates, zeros, strict=True):
        for left, right in pairwise(np.argsort(-estimate, kind="stable").tolist()):
            p = _prob_better(draws[:, left] - draws[:, right])
            is_open = bool(zero[left] < zero[right] or (LEAST_SURE < p < 1.0 - LEAST_SURE))
            is_open &= not (draws[:, left] == draws[:, right]).all()
            rows.append((name, systems[left], systems[right], p, is_open))
    return pd.DataFrame(rows, columns=["measure", "system", "other", "prob_better", "open"])


def _differences(completed: CompletedRuns, measure: Measure, columns: Sequence[int], labels: Floats) -> Floats:
    """Return what candidates with their drawn labels add to the first run minus the second, [draws, candidates].

    Args:
        completed: the runs, with candidates judged 0, whose pool has the ideal of the judged documents.
        measure: an additive one.
        columns: of the two runs.
        labels: of the candidates, [draws, candidates].
    """
    rankings = completed.rankings
    candidate = np.full(len(rankings.pool.grade), -1)
    candidate[completed.candidate] = np.arange(len(completed.candidate))
    at = candidate[rankings.document]
    system = rankings.segment // len(rankings.pool.size)
    added = np.zeros((int(labels.max(initial=0.0)) + 1, len(completed.candidate)))
    for level in range(1, len(added)):
        value = shares(measure, replace(rankings, grade=np.where(at >= 0, float(level), rankings.grade)))
        for sign, column in zip((1.0, -1.0), columns, strict=True):
            rows = (at >= 0) & (system == column)
            np.add.at(added[level], at[rows], sign * value[rows])
    return added[labels.astype(np.int64), np.arange(len(completed.candidate))]


# ---- What estimates of runs with holes rest on: sentences for the caption.


TOO_MANY = 0.4
"""Share of holes above which an estimate is not for ranking; above ``MANY`` it rests on the assumption."""
FEW_ROWS = 20
"""Judged documents of a topic below which its labels say little."""


def list_caveats(
    documents: HoleDocuments, settings: Mapping[str, Any], holes: Mapping[str, float], measures: Sequence[Measure]
) -> tuple[str, ...]:
    """List what the estimates of these runs rest on.

    Args:
        documents: rows and candidates.
        settings: ``mode`` and ``hole_offset``.
        holes: run -> its share of unjudged documents.
        measures: that are estimated.
    """
    lines = []
    if settings["mode"] == "blind":
        offset = ", ".join(f"{value:g}" for value in settings["hole_offset"])
        lines.append(f"blind: assumes that holes are less relevant than judged documents by {offset} (logit, by level)")
        lines += _ask_how_chosen(documents, settings)
    else:
        lines.append(
            "pool: assumes that unjudged documents are as often relevant as judged ones that as many teams retrieved "
            "at similar ranks"
        )
    if settings["mode"] == "pool" and (unlike := _unsupported(documents, holes)):
        lines.append(f"unlike the pool, more than half of the first {SHARED_DEPTH} in no other team: {_names(unlike)}")
    several = [name for name, value in holes.items() if MANY < value <= TOO_MANY]
    most = [name for name, value in holes.items() if value > TOO_MANY]
    if several:
        lines.append(
            f"rests on the assumption, more than {MANY:.0%} of the documents being unjudged: {_names(several)}"
        )
    if most:
        lines.append(f"not for ranking, more than {TOO_MANY:.0%} of the documents being unjudged: {_names(most)}")
    topics = documents.pools.topics
    rows = np.bincount(documents.topic[documents.judged], minlength=len(topics))
    few = [topics[at] for at in np.flatnonzero(rows < FEW_ROWS)]
    if few:
        what = counted(len(few), "topic")
        lines.append(f"fewer than {FEW_ROWS} judged documents that were retrieved, in {what}: {_names(few)}")
    deep = [str(measure) for measure in measures if get_cutoff(measure) is None]
    if deep:
        lines.append(f"the interval is not calibrated for measures without a cutoff: {', '.join(deep)}")
    return tuple(lines)


NEAR, ALIKE, SURE = 3, 0.05, 0.05
"""First ranks whose judged share is compared with that of the next, how much larger it may be in any case, and the
largest error of one that can tell."""


def _ask_how_chosen(documents: HoleDocuments, settings: Mapping[str, Any]) -> list[str]:
    """Ask where as many documents are judged at the top as below, as in a random sample and not in a pool."""
    best = documents.best.min(axis=1)
    near, next_ = best <= NEAR, (best > NEAR) & (best <= settings["depth"])
    if not any(settings["hole_offset"]) or not near.any() or not next_.any():
        return []
    first, second = float(documents.judged[near].mean()), float(documents.judged[next_].mean())
    error = (first * (1 - first) / near.sum() + second * (1 - second) / next_.sum()) ** 0.5
    if not 0 < first < 1 or error > SURE or first - second > max(ALIKE, 2 * error):
        return []
    return [
        f"{first:.0%} of the documents of the first {NEAR} ranks are judged, and {second:.0%} of the next: if they "
        "were drawn at random, holes are as relevant as they are: a hole offset of 0 (--hole-offset 0) says so"
    ]


def _unsupported(documents: HoleDocuments, systems: Mapping[str, float]) -> list[str]:
    """Runs of whose first twenty more than half were retrieved by no other team."""
    pools = documents.pools
    rankings = pools.rankings
    system = rankings.segment // len(pools.topics)
    team_of = np.array([documents.teams.index(team) for team in documents.team_of_run])
    near = rankings.rank <= DEPTH
    pairs = np.unique(rankings.document[near] * len(documents.teams) + team_of[system[near]])
    teams = np.bincount(pairs // len(documents.teams), minlength=len(pools.label))
    first = rankings.rank <= SHARED_DEPTH
    unlike = []
    for name in systems:
        own = first & (system == pools.systems.index(name))
        if own.any() and (teams[rankings.document[own]] < 2).mean() > 0.5:
            unlike.append(name)
    return unlike


def _names(names: Sequence[str]) -> str:
    return join_first([shown(name) for name in names])
