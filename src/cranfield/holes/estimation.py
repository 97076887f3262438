"""``holes``: what runs would score if their unjudged documents were judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from cranfield._text import counted, shown, warn
from cranfield._typing import Floats, Ints
from cranfield._validation import check_integer, share, word
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import Reading
from cranfield.errors import InputError, UsageError
from cranfield.holes.draws import BLOCK, LabelModel, Spread
from cranfield.holes.features import DEPTH, Documents, gather_documents
from cranfield.holes.model import fit_level, team_offsets
from cranfield.holes.scoring import CompletedRuns, cutoff_of
from cranfield.io.inputs import QrelsLike, RunsLike, named_runs, qrels_of
from cranfield.measures import Measure, MeasureLike, MeasuresLike
from cranfield.pooling.pools import Pools
from cranfield.pooling.reusability import assign_teams
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.scoring import score

if TYPE_CHECKING:
    import pandas as pd

Topics: TypeAlias = Literal["fixed", "sampled"]
BLIND_OFFSET = (-1.5, -0.5)
"""What is added to eta of levels 1 and 2 where the runs that made the pool are not known: an assumption."""
LEAST_DRAWS, LEAST_CONTRIBUTORS = 200, 3
MANY, TOO_MANY = 0.2, 0.4
"""Shares of holes from which on an estimate rests on the assumption, and is not for ranking."""


@dataclass(frozen=True, eq=False, repr=False)
class HoleScores(Result):
    """Scores of runs with holes, each with an interval.

    Args:
        table: of each ``measure`` and ``system`` (the index): ``zero`` (holes count as not relevant), ``estimate``,
            ``lower`` and ``upper`` (what the missing labels leave open), ``holes``, the share of unjudged documents in
            the first ``depth``.
        caveats: what the numbers rest on.
        settings: ``mode``, ``depth``, ``hole_offset``, ``draws``, ``level``, ``topics``, ``seed``, and the spreads.
        signature: all that changes these numbers.
    """

    table: pd.DataFrame
    caveats: tuple[str, ...]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"table": lambda: tidy(self.table)}


@dataclass(frozen=True, eq=False, repr=False)
class HoleComparison(Result):
    """The difference of two runs with holes.

    Args:
        system: the first run.
        other: the second one.
        measure: what they are compared by.
        zero: the difference if holes count as not relevant.
        estimate: the mean of the draws.
        lower: end of the interval.
        upper: end of the interval.
        prob_better: share of draws in which the first one is better, half of equal ones.
        settings: as of ``HoleScores``.
        signature: all that changes these numbers.
    """

    system: str
    other: str
    measure: str
    zero: float
    estimate: float
    lower: float
    upper: float
    prob_better: float
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {}


class Holes:
    """Probabilities of the labels of unjudged documents, fitted on the judged ones, and what follows from them.

    Made by ``cranfield.holes``.
    """

    def __init__(
        self, model: LabelModel, runs: RunsLike, qrels: Qrels, reading: Reading, facts: dict[str, Any]
    ) -> None:
        self._model, self._runs, self._qrels, self._reading, self._facts = model, runs, qrels, reading, facts

    def __repr__(self) -> str:
        count = int((~self._model.documents.judged).sum())
        return f"Holes({counted(count, 'candidate')}, mode={self._facts['mode']}, depth={self._facts['depth']})"

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
            slopes = model.design.shape[1]
            names = ["intercept", *FEATURES[slopes], *(f"topic {name}" for name in self._model.documents.pools.topics)]
            errors = np.sqrt(np.diag(model.covariance))
            rows += [(model.level, *row) for row in zip(names, model.coefficients, errors, strict=True)]
        return pd.DataFrame(rows, columns=["level", "name", "value", "error"])

    def evaluate(
        self,
        measures: MeasuresLike = "nDCG@10",
        *,
        draws: int = 1000,
        seed: int = 0,
        level: float = 0.95,
        topics: Topics = "fixed",
    ) -> HoleScores:
        """Estimate what the runs would score if every document in their first ``depth`` were judged.

        Args:
            measures: whose kernels need only labels: none about which documents are judged, and none of diversity.
            draws: of labels, at least 200.
            seed: the same seed gives the same bytes.
            level: of the intervals.
            topics: ``sampled`` resamples topics in each draw, too; its interval is wider and about other topics.

        Raises:
            UsageError: a measure that looks at which documents are judged, or numbers outside their range.
        """
        import pandas as pd

        check_integer(LEAST_DRAWS, draws=draws)
        check_integer(0, seed=seed)
        share(level=level)
        word("topics", topics, get_args(Topics))
        completed, zero = self._scored(measures)
        sampled = self._sample(completed, draws, seed, topics)
        tail = (1.0 - level) / 2.0
        lower, upper = np.quantile(sampled, [tail, 1.0 - tail], axis=1)
        names, systems = [str(measure) for measure in completed.evaluation.measures], completed.evaluation.systems
        index = pd.MultiIndex.from_product([names, systems], names=["measure", "system"])
        holes = np.tile(self._holes(systems), len(names))
        columns = {"zero": zero.ravel(), "estimate": (zero + (sampled - zero[:, None]).mean(axis=1)).ravel()}
        columns |= {"lower": lower.ravel(), "upper": upper.ravel(), "holes": holes}
        settings = self._facts | {"draws": draws, "level": level, "topics": topics, "seed": seed}
        caveats = self._caveats(dict(zip(systems, self._holes(systems), strict=True)), completed.evaluation.measures)
        return HoleScores(
            pd.DataFrame(columns, index=index), caveats, settings, self._signature("holes", settings, names)
        )

    def compare(
        self,
        system: str,
        other: str,
        measure: MeasureLike = "nDCG@10",
        *,
        draws: int = 1000,
        seed: int = 0,
        level: float = 0.95,
        topics: Topics = "fixed",
    ) -> HoleComparison:
        """The difference of two of the runs, by the same draws of labels.

        Args:
            system: name of a run.
            other: name of the run that it is compared with.
            measure: what they are compared by.
            draws: of labels, at least 200.
            seed: the same seed gives the same bytes.
            level: of the interval.
            topics: ``sampled`` resamples topics in each draw, too.

        Raises:
            UsageError: an unknown run, or numbers outside their range.
        """
        check_integer(LEAST_DRAWS, draws=draws)
        share(level=level)
        word("topics", topics, get_args(Topics))
        completed, zero = self._scored(measure)
        columns = [self._column(completed.evaluation.systems, name) for name in (system, other)]
        sampled = self._sample(completed, draws, seed, topics)[0]
        difference = sampled[:, columns[0]] - sampled[:, columns[1]]
        tail = (1.0 - level) / 2.0
        lower, upper = np.quantile(difference, [tail, 1.0 - tail])
        better = float((difference > 0).mean() + (difference == 0).mean() / 2)
        settings = self._facts | {"draws": draws, "level": level, "topics": topics, "seed": seed}
        name = str(completed.evaluation.measures[0])
        return HoleComparison(
            system,
            other,
            name,
            float(zero[0, columns[0]] - zero[0, columns[1]]),
            float(difference.mean()),
            float(lower),
            float(upper),
            better,
            settings,
            self._signature("hole comparison", settings, [name]),
        )

    # ---- parts

    def _column(self, systems: Sequence[str], name: str) -> int:
        if name not in systems:
            raise UsageError(f"no evaluated run is called {shown(name)}: there are {', '.join(map(shown, systems))}")
        return list(systems).index(name)

    def _scored(self, measures: MeasuresLike) -> tuple[CompletedRuns, Floats]:
        """The runs with candidates judged 0, and summaries by the judgments as they are, [measures, systems]."""
        from cranfield.scores.scale import summary_of

        documents = self._model.documents
        wanted = ~documents.judged
        topics, _, names, labels = self._qrels.rows()
        rows = list(zip(topics, names, labels.tolist(), strict=True))
        added = [
            (documents.pools.topics[topic], documents.pools.documents[row], 0.0)
            for topic, row in zip(documents.topic[wanted], documents.index[wanted], strict=True)
        ]
        qrels = Qrels.from_rows([*rows, *added], name=self._qrels.name)
        evaluation = score(self._runs, qrels, measures, reading=self._reading, keep_rankings=True, sign=False)
        self._refuse_measures(evaluation.measures)
        plain = score(self._runs, self._qrels, measures, reading=self._reading, sign=False)
        zero = np.stack([summary_of(scale, cells) for scale, cells in zip(plain.scales, plain.values, strict=True)])
        return CompletedRuns.of(evaluation, _pool_rows(qrels, added)), zero

    def _refuse_measures(self, measures: Sequence[Measure]) -> None:
        for measure in measures:
            looks = not measure.declaration.effectiveness or measure.declaration.name in JUDGED_ONLY
            if looks or measure.parameters.get("judged_only"):
                raise UsageError(f"{measure} looks at which documents are judged: holes cannot be estimated for it")

    def _sample(self, completed: CompletedRuns, draws: int, seed: int, topics: Topics) -> Floats:
        """Summaries of every draw, [measures, draws, systems]."""
        blocks = [min(BLOCK, draws - start) for start in range(0, draws, BLOCK)]
        generators = np.random.default_rng(seed).spawn(len(blocks))
        parts = []
        for size, rng in zip(blocks, generators, strict=True):
            labels = self._model.draw(size, rng)
            cells = completed.cells(labels)
            chosen: Ints | None = None
            if topics == "sampled":
                count = cells.shape[3]
                chosen = rng.integers(0, count, (size, count))
            parts.append(completed.means(cells, chosen))
        return np.concatenate(parts, axis=1)

    def _holes(self, systems: Sequence[str]) -> Floats:
        """The share of unjudged documents among the first ``depth`` of each evaluated run, [systems]."""
        pools, depth = self._model.documents.pools, self._facts["depth"]
        rankings = pools.rankings
        near = rankings.rank <= depth
        system = rankings.segment[near] // len(pools.topics)
        unjudged = np.isnan(pools.label[rankings.document[near]])
        counts = np.bincount(system, minlength=len(pools.systems))
        share_of = np.bincount(system, unjudged, len(pools.systems)) / np.maximum(counts, 1)
        return np.array([share_of[pools.systems.index(name)] for name in systems])

    def _caveats(self, holes: dict[str, float], measures: Sequence[Measure]) -> tuple[str, ...]:
        lines = []
        if self._facts["mode"] == "blind":
            offset = ", ".join(f"{value:g}" for value in self._facts["hole_offset"])
            lines.append(
                f"blind: assumes that holes are less relevant than judged documents by {offset} (logit, by level)"
            )
        some = [name for name, value in holes.items() if MANY < value <= TOO_MANY]
        most = [name for name, value in holes.items() if value > TOO_MANY]
        if some:
            lines.append(
                f"rests on the assumption, more than {MANY:.0%} of the documents being unjudged: {', '.join(some)}"
            )
        if most:
            lines.append(
                f"not for ranking, more than {TOO_MANY:.0%} of the documents being unjudged: {', '.join(most)}"
            )
        deep = [str(measure) for measure in measures if cutoff_of(measure) is None]
        if deep:
            lines.append(f"the interval is not calibrated for measures without a cutoff: {', '.join(deep)}")
        return tuple(lines)

    def _signature(self, analysis: str, settings: dict[str, Any], measures: Sequence[str]) -> dict[str, Any]:
        inputs = self._model.documents.pools.inputs()
        return signed(analysis, settings, measures=list(measures), **inputs)


FEATURES = {
    1: ("ln best rank",),
    2: ("ln best rank", "quality of teams"),
    4: ("ln best rank", "ln second rank", "ln support", "quality of teams"),
}
"""Number of features -> their names."""
JUDGED_ONLY = frozenset({"Bpref", "infAP", "infNDCG", "xinfAP", "GMBpref", "RBPResidual"})
"""Measures that look at which documents are judged, beside those that declare ``judged_only``."""


def holes(
    runs: RunsLike,
    qrels: QrelsLike,
    *,
    contributors: RunsLike | None = None,
    teams: Any = None,
    depth: int = 10,
    hole_offset: Sequence[float] | None = None,
    reading: Reading | None = None,
) -> Holes:
    """Model the labels of unjudged documents from who retrieved them, so that runs outside the pool can be scored.

    For each level l a ridge logistic regression of [label >= l] on the judged documents with label >= l - 1: on the
    best ranks, the support among teams, and the quality of the teams that retrieved a document, on what others confirm.

    - pool mode, with ``contributors``: the runs that made the pool are given.
    - blind mode: only the new runs are. What is retrieved by them alone is less relevant than what is judged;
      ``hole_offset`` says by how much (-1.5 and -.5 on the logit scale by default). It is an assumption that no data at
      hand can show.

    Args:
        runs: the evaluated runs.
        qrels: judgments with holes.
        contributors: runs that made the pool, of three teams or more besides the evaluated ones.
        teams: run -> team, as a mapping or a file; each run is its own team by default.
        depth: ranks of the evaluated runs whose unjudged documents are candidates: the largest cutoff of the measures.
        hole_offset: added to the logit of each level from 1 on.
        reading: how files are read.

    Raises:
        InputError: fewer than ten judged documents of a class at level 1, or a team is missing.
        UsageError: fewer than three teams besides the evaluated ones in pool mode.

    References:
        Froebe, Gienapp, Potthast & Hagen 2023, Bootstrapped nDCG estimation in the presence of unjudged documents.
        doi:10.1007/978-3-031-28244-7_20
        Buettcher, Clarke, Yeung & Soboroff 2007, Reliable information retrieval evaluation with incomplete and biased
        judgements. doi:10.1145/1277741.1277755
    """
    reading = reading or Reading()
    check_integer(1, depth=depth)
    judgments = qrels_of(qrels, **reading.of_files)
    own = named_runs(runs, reading.names, reading.columns)
    names = [run.name for run in own]
    others = [] if contributors is None else named_runs(contributors, reading.names, reading.columns)
    every = {run.name: run.data for run in [*own, *(run for run in others if run.name not in names)]}
    pools = Pools.read(every, judgments, max(DEPTH, depth), reading)
    of_team = assign_teams(pools.systems, teams, at_least_two=False)
    is_evaluated = [name in names for name in pools.systems]
    pool = contributors is not None
    outside = {team for team, inside in zip(of_team, is_evaluated, strict=True) if not inside}
    outside -= {team for team, inside in zip(of_team, is_evaluated, strict=True) if inside}
    if pool and len(outside) < LEAST_CONTRIBUTORS:
        raise UsageError(f"pool mode needs three teams besides the evaluated ones: there are {len(outside)}")
    if not pool and len(names) == 1:
        warn("blind mode with one run: the interval is the gain, the estimate is no better than condensed lists")
    documents = gather_documents(pools, of_team, is_evaluated, depth)
    return _fit(documents, pools, runs, judgments, reading, depth, hole_offset, pool=pool)


def _fit(
    documents: Documents,
    pools: Pools,
    runs: RunsLike,
    judgments: Qrels,
    reading: Reading,
    depth: int,
    hole_offset: Sequence[float] | None,
    *,
    pool: bool,
) -> Holes:
    labels = documents.label[documents.judged]
    positive = int((labels >= 1).sum())
    if min(positive, len(labels) - positive) < 10:
        text = f"{positive} of {len(labels)} judged documents that were retrieved are relevant: at least ten of each"
        raise InputError(f"{text} class are needed", "the judgments", code="too-few-judged")
    highest = int(max(judgments.grade.max(initial=0.0), 1.0))
    models = tuple(fit_level(documents, level, len(pools.topics), pool=pool) for level in range(1, highest + 1))
    offset = tuple(float(value) for value in (hole_offset if hole_offset is not None else () if pool else BLIND_OFFSET))
    offset = (*offset, *([0.0] * highest))[:highest]
    deviation = team_offsets(documents, models[0])[1] if pool else 0.5
    spread = Spread(max(0.7, deviation), 0.5, 0.5) if pool else Spread(0.5, 0.7, 0.5)
    facts: dict[str, Any] = {"mode": "pool" if pool else "blind", "depth": depth, "hole_offset": list(offset)}
    facts |= {"spread_team": spread.team, "spread_collection": spread.collection, "spread_topic": spread.topic}
    return Holes(LabelModel(documents, models, offset, spread, len(pools.topics)), runs, judgments, reading, facts)


def _pool_rows(qrels: Qrels, added: Sequence[tuple[str, str, float]]) -> Ints:
    """The pool row of each added document."""
    topics = {name: at for at, name in enumerate(qrels.topics)}
    documents, starts = qrels.documents.tolist(), qrels.starts
    position = {
        (topic, documents[row]): row
        for topic, at in topics.items()
        for row in range(int(starts[at]), int(starts[at + 1]))
    }
    return np.array([position[topic, document] for topic, document, _ in added], dtype=np.int64)
