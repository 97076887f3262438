"""Difficulty of topics as labelled results: from rankings, and from runs and judgments."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from cranfield import engine
from cranfield._text import condensed, warn
from cranfield.collection.policy import Unjudged
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, RunOptions
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.measures import MeasureLike
from cranfield.results.frames import unrolled
from cranfield.results.result import Result, Tables, signed
from cranfield.scoring import Evaluation, Progress, score
from cranfield.topic_difficulty.baseline import ease_against
from cranfield.topic_difficulty.ease import EaseTable, ease_table, refuse_ranges, standard

if TYPE_CHECKING:
    import xarray as xr


class EaseOptions(RunOptions, total=False):
    """Options for runs, and ``unjudged``, which is an argument of its own."""

    unjudged: Unjudged


@dataclass(frozen=True, eq=False, repr=False)
class Difficulty(Result):
    """How hard topics are for a set of systems.

    Args:
        values: dims (topic, system). By ``topic``: ``ease`` (share of the systems that order the pool better than
            chance, 1 = easiest; NaN where chance cannot be beaten or no system has a score), ``class`` (hard,
            moderately hard, moderately easy, easy; empty without ease), ``judged`` documents, ``pool_mean`` (their mean
            label) and ``random_ndcg`` (expected nDCG@k of their random order). With a baseline also ``above_baseline``
            (share of the other systems above it) and ``anchored_ease``. By topic and ``system``: ``ndcg_std``.
        settings: cutoff, unjudged, depth, and the baseline if there is one.
        signature: all that changes these numbers.
    """

    charts: ClassVar[tuple[str, ...]] = ("topic_difficulty",)
    values: xr.Dataset
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        by_topic = [name for name, values in self.values.items() if values.dims == ("topic",)]
        return {
            "topics": lambda: unrolled(self.values[by_topic]),
            "scores": lambda: unrolled(self.values["ndcg_std"]),
        }

    @property
    def ease(self) -> xr.DataArray:
        """Share of the systems above chance, by topic."""
        return self.values["ease"]


def compute_difficulty(
    rankings: Rankings,
    cutoff: int = 20,
    unjudged: Unjudged = "zero",
    *,
    depth: int | None = None,
    baseline: str | None = None,
) -> Difficulty:
    """Ease of each topic: the share of systems whose ranking is better than a random order of the judged documents.

    ease = |{s : NDCG_std@k(s) > 0}| / |S|, where NDCG_std@k is 0 for the expected random order of the pool and 1 for
    its best; see ``nDCG``. The paper calls this number difficulty, although 1 is easiest. A topic whose judged
    documents all have one label has no ease (NaN): no order differs from another.

    Ease depends on which systems are there. With a baseline, two more estimates refer to it. ``above_baseline`` is the
    share of the other systems with a higher NDCG_std@k (the paper's section 4 names it as a possibility).
    ``anchored_ease`` is Phi((m + a_t + b) / sd(e)), the probability that a system as good as the baseline beats chance
    on topic t, in the model NDCG_std@k = m + a_t + b_s + e of topics and systems, with normal errors e: experiments
    with other systems and the same baseline can be compared by it (see docs/topic-difficulty.md for how far).

    Args:
        rankings: of S systems, from ``make_rankings``. A list that is missing counts as retrieving nothing, unless they
            were judged with ``missing="skip"``, which leaves it out of that topic's systems.
        cutoff: k, at least 1.
        unjudged: unjudged documents and unfilled ranks have label ``zero``, or the ``mean`` gain of the pool; or
            unjudged documents are dropped (``condense``), and ranks that stay unfilled have the mean gain.
        depth: only judged documents in the first ``depth`` ranks of any of these systems make the pool;
            all judged documents where None.
        baseline: name of one of the systems.

    Raises:
        UsageError: a number below 1, an ``unjudged`` that contradicts how the rankings were judged, or an unknown
            baseline.
        InputError: with a baseline, a system was left out of a topic.

    Source: Gienapp, Stein, Hagen & Potthast 2020, Estimating topic difficulty using normalized discounted cumulated
    gain, CIKM.

    >>> import cranfield
    >>> labels = {"q": {"a": 3, "b": 1, "c": 1, "d": 0, "e": 0, "spam": -2}}
    >>> runs = {"good": {"q": {"a": 2, "b": 1}}, "poor": {"q": {"b": 3, "spam": 2, "x": 1}}}
    >>> found = difficulty(cranfield.evaluation.make_rankings(runs, labels), cutoff=3)
    >>> found.ease.item(), found.values["class"].item(), found.values["ndcg_std"].values.round(6).tolist()
    (0.5, 'moderately hard', [[0.836866, -0.432993]])
    """
    table = ease_table(rankings, cutoff, unjudged, depth)
    settings = _settings(cutoff, unjudged, depth, baseline)
    inputs = {
        "engine": engine.current().NAME,
        **rankings.policy.as_dict(),
        "rankings": {
            "systems": list(rankings.systems),
            "topics": list(rankings.pool.topics),
            "sha256": _digest(rankings),
        },
    }
    return Difficulty(to_dataset(table, baseline), settings, signed("difficulty", settings, **inputs))


def estimate_difficulty(
    runs: RunsLike,
    qrels: QrelsLike,
    cutoff: int = 20,
    unjudged: Unjudged | None = None,
    *,
    depth: int | None = None,
    baseline: str | None = None,
    reading: InputOptions | None = None,
    executor: Executor | None = None,
    **options: Unpack[RunOptions],
) -> Difficulty:
    """``compute_difficulty`` of runs and judgments.

    Args:
        runs: a path, a glob, a Run, topic -> document -> score, a data frame; or several, in a list or by name.
        qrels: a path, Qrels, topic -> document -> label, or a data frame.
        cutoff: as in ``compute_difficulty``.
        unjudged: as in ``compute_difficulty``; that of the policy where None.
        depth: as in ``compute_difficulty``.
        baseline: as in ``compute_difficulty``.
        reading: how files and runs are read, as one object, see ``InputOptions``.
        executor: any ``concurrent.futures`` executor of threads to read runs with.
        options: the same one by one: ``ties``, ``missing``, ``on_duplicate``, ``input_format`` and ``names``.

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: an unknown word, a number below 1, or a word that contradicts the object given.

    >>> import cranfield
    >>> made = cranfield.simulation.simulate_runs(n_systems=6, n_topics=4)
    >>> cranfield.estimate_difficulty(made.runs, made.qrels).to_frame()
      topic      ease class  judged  pool_mean  random_ndcg
    0     1  1.000000  easy     200      0.160     0.085826
    1     2  1.000000  easy     200      0.370     0.146291
    2     3  0.833333  easy     200      0.305     0.141146
    3     4  1.000000  easy     200      0.450     0.175675
    """
    kwargs: dict[str, Any] = dict(options) if unjudged is None else {**options, "unjudged": unjudged}
    reading = InputOptions.of(reading, kwargs, EaseOptions)
    unjudged = reading.policy.unjudged
    # NDCG_std itself says what unjudged documents are.
    reading = replace(reading, unjudged="zero")
    table, scores = judged_ease(runs, qrels, cutoff, unjudged, depth, reading=reading, executor=executor)
    for line in condensed(scores.remarks):
        warn(line)
    described = signature(scores, cutoff, unjudged, depth, baseline)
    return Difficulty(to_dataset(table, baseline), described["settings"], described)


def judged_ease(
    runs: RunsLike,
    qrels: QrelsLike,
    cutoff: int,
    unjudged: Unjudged,
    depth: int | None,
    *,
    reading: InputOptions,
    measures: Sequence[MeasureLike] = (),
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> tuple[EaseTable, Evaluation]:
    """Ease in plain arrays, and the scores of the runs by NDCG_std and then by ``measures``."""
    refuse_ranges(reading.policy)
    scores = score(
        runs,
        qrels,
        [standard(cutoff, unjudged), *measures],
        reading=reading,
        executor=executor,
        progress=progress,
        keep_rankings=True,
    )
    assert scores.rankings is not None
    table = ease_table(scores.rankings, cutoff, unjudged, depth)
    return replace(table, systems=scores.systems), scores


def signature(
    scores: Evaluation, cutoff: int, unjudged: Unjudged, depth: int | None, baseline: str | None = None
) -> dict[str, Any]:
    """All that changes these numbers."""
    return scores.signature() | signed("difficulty", _settings(cutoff, unjudged, depth, baseline))


def to_dataset(table: EaseTable, baseline: str | None = None) -> xr.Dataset:
    """Ease as an ``xarray.Dataset``; see ``Difficulty``."""
    import xarray as xr

    by_topic: dict[str, Any] = {
        "ease": table.ease,
        "class": np.array(table.classes, dtype=object),
        "judged": table.judged,
        "pool_mean": table.pool_mean,
        "random_ndcg": table.random_ndcg,
    }
    if baseline is not None:
        against = ease_against(table.scores, table.systems, baseline)
        by_topic |= {"above_baseline": against.above, "anchored_ease": against.anchored}
    arrays: dict[str, Any] = {name: ("topic", values) for name, values in by_topic.items()}
    scores = ("topic", "system"), table.scores, {"measure": str(table.measure)}
    labels = {"topic": np.array(table.topics, dtype=object), "system": np.array(table.systems, dtype=object)}
    return xr.Dataset(arrays | {"ndcg_std": scores}, labels)


def _settings(cutoff: int, unjudged: Unjudged, depth: int | None, baseline: str | None) -> dict[str, Any]:
    settings = {
        "cutoff": int(cutoff),
        "unjudged": unjudged,
        "depth": None if depth is None else int(depth),
    }
    return settings if baseline is None else settings | {"baseline": baseline}


def _digest(rankings: Rankings) -> str:
    """SHA-256 of the lists and of the judgments that they are seen through."""
    digest = hashlib.sha256()
    pool = rankings.pool
    for array in (pool.starts, pool.grade, rankings.length, rankings.starts, rankings.rank, rankings.document):
        digest.update(array.tobytes())
    return digest.hexdigest()


def estimate_ease(runs: RunsLike, qrels: QrelsLike, reading: InputOptions) -> xr.DataArray:
    """Estimate the ease of topics by default settings, whatever policies the scores have.

    Args:
        runs: as in ``evaluate``.
        qrels: as in ``evaluate``.
        reading: how files are read.
    """
    usual = replace(reading, unjudged="zero", rel=None)
    return estimate_difficulty(runs, qrels, reading=usual).ease
