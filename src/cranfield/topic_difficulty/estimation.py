"""Difficulty of topics as labelled results: from rankings, and from runs and judgments."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack

import numpy as np

from cranfield import engine
from cranfield._text import condensed, counted, shown, warn
from cranfield._validation import list_names
from cranfield.collection.policy import REWRITING, UnjudgedPolicy
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, RunOptions
from cranfield.declarations.analysis import FromRuns, View, analysis
from cranfield.declarations.checks import Idle
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.errors import InputError
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.measures import Measure, MeasureLike
from cranfield.results.columns import Column
from cranfield.results.frames import unrolled
from cranfield.results.result import Result, Tables, signed
from cranfield.scoring import Evaluation, Progress, read_measures, score
from cranfield.topic_difficulty.baseline import ease_against
from cranfield.topic_difficulty.earlier_estimates import COLUMNS, read_once
from cranfield.topic_difficulty.earlier_estimates import alternatives as estimate_alternatives
from cranfield.topic_difficulty.ease import CLASSES, EaseTable, ease_table, qualify_ease, refuse_ranges, standard
from cranfield.topic_difficulty.prediction_error import STATISTICS, statistics
from cranfield.topic_difficulty.weighted_means import both_means

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from cranfield._executor import ExecutorLike

SIGNS_OF_HARDNESS = ("aslam_pavlu",)
"""Earlier estimates that are larger for harder topics."""


class EaseOptions(RunOptions, total=False):
    """Options for runs, and ``unjudged``, which is an argument of its own."""

    unjudged: UnjudgedPolicy


@dataclass(frozen=True, eq=False, repr=False)
class Difficulty(Result):
    """The difficulty of topics for a set of systems.

    Args:
        values: dims (topic, system): the columns of ``topics`` for each ``topic``, and ``ndcg_std`` of each ``topic``
            and ``system``. With ``alternatives`` also the columns of ``DifficultyAlternatives``.
        settings: cutoff, unjudged, depth, and the baseline if there is one.
        signature: all that changes these numbers.
        means: a row for each ``system`` and ``measure``, where measures were requested.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "topics": (
            Column("ease", "share of the systems that beat a random order of the judged documents; 1 is easiest"),
            Column("class", "hard, moderately hard, moderately easy or easy"),
            Column("judged", "judged documents"),
            Column("pool_mean", "their mean label"),
            Column("random_ndcg", "expected nDCG of their random order"),
            Column("above_baseline", "share of the other systems above the baseline"),
            Column("anchored_ease", "probability that a system as good as the baseline beats chance"),
        ),
        "means": (
            Column("mean", "over topics"),
            Column("weighted_mean", "over topics, weighted by 1 - ease"),
        ),
        "estimates": (
            Column("smare", "mean distance between the ranks of topics by an estimate and by ease, by their number"),
            Column("tau_b"),
            Column("pearson"),
            Column("spearman"),
            Column("topics", "that have both"),
        ),
    }
    values: xr.Dataset
    settings: dict[str, Any]
    signature: dict[str, Any]
    means: pd.DataFrame | None = None

    def _tables(self) -> Tables:
        by_topic = [name for name, values in self.values.items() if values.dims == ("topic",)]
        means = self.means
        return {
            "topics": lambda: unrolled(self.values[by_topic]),
            "scores": lambda: unrolled(self.values["ndcg_std"]),
            **({} if means is None else {"means": lambda: means}),
            **({"estimates": self._score_alternatives} if COLUMNS[0] in self.values else {}),
        }

    def printed_rows(self, table: str) -> pd.DataFrame:
        """A table; ``by_system`` is that of topics with a column for the NDCG_std of each system.

        Raises:
            InputError: an estimate and ease have fewer than two topics in common.
        """
        if table == "by_system":
            return self._join_systems()
        rows = self.to_frame(table)
        if table == "estimates" and (rows["topics"] < 2).any():
            name, topics = rows.loc[rows["topics"] < 2, ["estimate", "topics"]].iloc[0]
            have = counted(int(topics), "topic")
            raise InputError(f"{name} and ease have {have} in common: ranks need two or more", code="too-few")
        return rows

    def _join_systems(self) -> pd.DataFrame:
        """Topics with a column for the NDCG_std of each system."""
        scores = self.values["ndcg_std"]
        measure = scores.attrs["measure"]
        columns = {f"{measure} {name}": scores.sel(system=name).to_numpy() for name in scores["system"].values}
        return self.to_frame("topics").assign(**columns)

    def _score_alternatives(self) -> pd.DataFrame:
        """Earlier estimates that are numbers, the nearest to ease first; NaN where ranks have fewer than two topics."""
        import pandas as pd

        ease, rows = self.values["ease"].to_numpy(), {}
        for name in (name for name in COLUMNS if self.values[name].dtype.kind == "f"):
            is_sign, values = name in SIGNS_OF_HARDNESS, self.values[name].to_numpy()
            easier = -values if is_sign else values
            both = ~np.isnan(ease) & ~np.isnan(easier)
            errors = statistics(easier[both], ease[both]) if both.sum() > 1 else dict.fromkeys(STATISTICS, np.nan)
            rows[f"-{name}" if is_sign else name] = errors | {"topics": int(both.sum())}
        table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("estimate")
        return table.sort_values(STATISTICS[0], kind="stable").reset_index()

    def for_people(self, table: str, rows: pd.DataFrame) -> pd.DataFrame:
        """The easiest topics first."""
        rows = super().for_people(table, rows)
        if table not in ("topics", "by_system"):
            return rows
        order = np.argsort(-np.nan_to_num(rows["ease"].to_numpy(), nan=-1), kind="stable")
        return rows.iloc[order].reset_index(drop=True)

    def caption(self, table: str) -> str:
        """State the basis of ease, its mean, and the number of topics of each class."""
        values, settings = self.values, self.settings
        if "basis" not in values.attrs:
            return ""
        ease, classes = values["ease"].to_numpy(), values["class"].values.tolist()
        known = ease[~np.isnan(ease)]
        mean = f"mean ease {known.mean():.4f}" if len(known) else "no topic has an ease"
        by_class = ", ".join(f"{classes.count(name):,} {name}" for name in reversed(CLASSES))
        parts = [values.attrs["basis"], f"{mean}: {by_class}"]
        parts += [f"{len(ease) - len(known):,} without ease"] if len(known) < len(ease) else []
        parts += filter(None, [qualify_ease(values["random_ndcg"].to_numpy(), settings["unjudged"])])
        parts += [f"baseline {settings['baseline']}"] if settings["baseline"] is not None else []
        return "; ".join(parts)

    @property
    def ease(self) -> xr.DataArray:
        """Share of the systems above chance, by topic."""
        return self.values["ease"]


def compute_difficulty(
    rankings: Rankings,
    cutoff: int = 20,
    unjudged: UnjudgedPolicy = "zero",
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
    settings = record_options(estimate_difficulty, locals(), unjudged=unjudged, alternatives=False)
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


@analysis(
    "difficulty",
    "Print how hard each topic is for these systems.",
    FromRuns(
        measures="none",
        policies=("ties", "missing", "unjudged", "on_duplicate", *REWRITING),
        ties=("expected",),
        rel="Smallest relevant label, for AP.  [default: 1]",
    ),
    views=(
        View("topics"),
        View("by_system", "Add a column for NDCG_std of each system.", ("--by-system",)),
        View(
            "estimates",
            "Instead, compare earlier difficulty estimates with ease (sMARE).",
            ("--score-alternatives",),
            unused=("baseline", "alternatives"),
            sets={"alternatives": True},
        ),
        View("means", "", ("--measure",), unused=("baseline", "alternatives"), given="measures"),
    ),
    idle=(Idle(("rel",), {"alternatives": False}, "without {alternatives} or --score-alternatives"),),
    guide="Print how hard each topic is: the share of systems that beat a random order of its judged documents.\n\n"
    "ease is 1 where all of them do (easiest) and 0 where none does. pool_mean is the mean label of the judged "
    "documents, random_ndcg the expected nDCG of their random order. --unjudged applies to NDCG_std alone, here and "
    "with --measure; other measures take it as a parameter.\n\n"
    "With --baseline, above_baseline is the share of the other systems above NAME, and anchored_ease the probability "
    "that a system as good as NAME beats chance, from a model of topics and systems: comparable where NAME is the "
    "same.\n\n"
    "--score-alternatives prints sMARE, the mean distance between a topic's ranks by an estimate and by ease, divided "
    "by the number of topics: 0 for the same order, about 1/3 for a random one, 1/2 for the reverse. Estimates that "
    "rise with difficulty are negated. Topics without ease are left out.",
    words=("ease", "topic_difficulty"),
    examples=("qrels.txt runs/*.run", "qrels.txt runs/*.run --by-system -f csv"),
)
def estimate_difficulty(
    runs: RunsLike,
    qrels: QrelsLike,
    cutoff: Annotated[int, Option("Cutoff of NDCG_std.", low=1, flags=("-k",))] = 20,
    unjudged: UnjudgedPolicy | None = None,
    *,
    depth: Annotated[
        int | None,
        Option("Pool the judged documents in these first ranks of the runs.", low=1, default="all judged documents"),
    ] = None,
    baseline: Annotated[
        str | None,
        Option("Add the share of systems above this one, and ease for a system of its ability.", metavar="NAME"),
    ] = None,
    alternatives: Annotated[
        bool, Option("Add columns for earlier estimates of difficulty, from AP and from the runs.")
    ] = False,
    measures: Annotated[
        str | Sequence[str],
        Option(
            "Instead, print systems with their mean of this measure, plain and weighted by difficulty.",
            flags=("--measure", "-m"),
            metavar="MEASURE",
            recorded=False,
        ),
    ] = (),
    reading: InputOptions | None = None,
    executor: ExecutorLike | None = None,
    progress: Progress | None = None,
    **options: Unpack[RunOptions],
) -> Difficulty:
    """Estimate how hard each topic is for these runs: ``compute_difficulty`` of runs and judgments.

    Args:
        runs: a path, a glob, a Run, topic -> document -> score, a data frame; or several, in a list or by name.
        qrels: a path, Qrels, topic -> document -> label, or a data frame.
        unjudged: as in ``compute_difficulty``; that of the policy where None.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
        executor: reads the runs: any ``concurrent.futures`` executor, or a Dask cluster, see ``evaluate``.
        progress: called with how much is done, of how much: of the runs that are read.

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
    rel = float(reading.level)
    # NDCG_std itself says what unjudged documents are, and the level is for the earlier estimates alone.
    reading = replace(reading, unjudged="zero", rel=rel if alternatives else None)
    sources = read_once(runs, qrels, reading) if alternatives else runs
    requested = read_measures(list_names(measures=measures)) if len(measures) else ()
    how: dict[str, Any] = {"reading": reading, "measures": requested, "executor": executor, "progress": progress}
    table, scores = judged_ease(sources, qrels, cutoff, unjudged, depth, **how)
    for line in condensed(scores.remarks):
        warn(line)
    settings = record_options(estimate_difficulty, locals(), unjudged=unjudged)
    described = scores.signature() | signed("difficulty", settings)
    values = to_dataset(table, baseline).assign_attrs(basis=_describe_basis(table, scores, unjudged, depth))
    if alternatives:
        columns = estimate_alternatives(sources, qrels, cutoff, reading)[0]
        arrays = {
            name: ("topic", np.array(column, dtype=object) if isinstance(column, list) else column)
            for name, column in columns.items()
        }
        values, described = values.assign(arrays), described | {"alternatives": {"rel": rel}}
    means = _weigh(table, scores, requested) if requested else None
    return Difficulty(values, settings, described, means)


def _describe_basis(table: EaseTable, scores: Evaluation, unjudged: UnjudgedPolicy, depth: int | None) -> str:
    """Describe which systems and topics were looked at, and how."""
    systems, topics = counted(len(table.systems), "system"), counted(len(table.topics), "topic")
    policy = [f"ties={scores.policy.ties}", f"unjudged={unjudged}"]
    policy += [f"missing={scores.policy.missing}"] if scores.policy.missing != "empty" else []
    policy += [] if depth is None else [f"depth={depth}"]
    return f"{systems}, {topics} of {shown(scores.qrels.name, 200)}; {table.measure}, {', '.join(policy)}"


def _weigh(table: EaseTable, scores: Evaluation, requested: Sequence[Measure]) -> pd.DataFrame:
    """The mean of each system by each measure, plain and weighted by difficulty."""
    import pandas as pd

    rows = []
    for number, system in enumerate(scores.systems):
        for measure in requested:
            block = scores.values[scores.measures.index(measure)].T[number : number + 1]
            plain, weighted = both_means(str(measure), measure.declaration.summary, block, table.ease)
            rows.append((system, str(measure), float(plain[0]), float(weighted[0])))
    return pd.DataFrame(rows, columns=["system", "measure", "mean", "weighted_mean"])


def judged_ease(
    runs: RunsLike,
    qrels: QrelsLike,
    cutoff: int,
    unjudged: UnjudgedPolicy,
    depth: int | None,
    *,
    reading: InputOptions,
    measures: Sequence[MeasureLike] = (),
    executor: ExecutorLike | None = None,
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
