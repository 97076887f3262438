"""Scores as labelled arrays: ``evaluate``, ``summarize`` and ``make_rankings``, the verbs of the library."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from cranfield._message import setting
from cranfield._text import warn_condensed
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, JudgedOptions, ReadingOptions
from cranfield.collection.streams import holds_stream
from cranfield.errors import UsageError
from cranfield.io.inputs import QrelsLike, RunsLike, convert_qrels, named_runs, refuse_exchanged
from cranfield.io.judging import build_index, judge_run
from cranfield.io.loading import by_tag
from cranfield.io.skipped_runs import leaving_out
from cranfield.results.frames import stacked, unrolled
from cranfield.scores.dataset import DIMS, as_dataset, make_dataset, make_table
from cranfield.scoring import DEFAULT, Evaluation, MeasuresLike, score
from cranfield.threads import cpus

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from cranfield._executor import ExecutorLike
    from cranfield.scores.dataset import ScoresLike


def evaluate(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = DEFAULT,
    *,
    reading: InputOptions | None = None,
    bounds: bool = False,
    executor: ExecutorLike | None = None,
    keep_going: bool = False,
    **options: Unpack[ReadingOptions],
) -> xr.Dataset:
    """Score runs against judgments by one or many measures.

    Args:
        runs: a path, a glob, a Run, topic -> document -> score, a data frame; or several, in a list or by name.
        qrels: a path, ``irds:ID`` or a data set of ir_datasets, Qrels, topic -> document -> label, a data frame, or
            tuples with ``query_id``, ``doc_id`` and ``relevance``.
        measures: names (``"nDCG@10"``, ``"ndcg_cut_10"``) and objects (``cranfield.nDCG @ 10``), one or many.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
        bounds: also the least and the greatest value that each could take if unjudged documents were judged.
        executor: scores one run a task: any ``concurrent.futures`` executor, of threads or processes; or a client, a
            cluster or an address (``"tcp://host:8786"``, or ``"local"``) of Dask, where files have the same names. By
            default threads, as many as there are processors. The numbers are the same to the bit.
        keep_going: leave out runs that are refused, with a warning that names each; the signature has them as
            ``left_out``.

    Returns:
        One variable a measure, dims (topic, system). Coordinates: ``tag`` and ``sha256`` of each system. Attributes:
        the signature, that is all that changes these numbers, of the whole and of each variable; and each variable's
        summary over topics.
        With ``bounds``, or ``ties="bounds"``, each measure is followed by its ``lower`` and ``upper``: "AP lower".

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: an unknown word, measure or parameter, or a word that contradicts the object given.

    >>> import cranfield
    >>> run = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d3": 1.0}}
    >>> scores = cranfield.evaluate(run, {"q1": {"d2": 1}, "q2": {"d3": 2}}, ["AP", "nDCG@10"])
    >>> scores["AP"].values.ravel().tolist()
    [0.5, 1.0]
    >>> cranfield.summarize(scores).round(3)
              AP  nDCG@10
    system
    run     0.75    0.815
    """
    reading = InputOptions.of(reading, options)
    with leaving_out() if keep_going else contextlib.nullcontext():
        table = score(runs, qrels, measures, reading=reading, bounds=bounds, executor=executor)
    warn_condensed(table.remarks)
    return to_dataset(table)


def evaluate_means(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = DEFAULT,
    *,
    reading: InputOptions | None = None,
    **options: Unpack[ReadingOptions],
) -> dict[str, dict[str, float]]:
    """Each system's summary of every measure in plain dicts, for a loop that has no use for labels or signatures.

    The numbers of ``summarize(evaluate(...))``, without xarray or pandas being imported, and without hashing anything.

    Args:
        runs: as in ``evaluate``. Of a DuckDB relation or cursor, a Polars LazyFrame, a data set, Scanner or
            RecordBatchReader of PyArrow, and whatever streams Arrow data, parts of half a million rows are held at a
            time; in longer ones the rows of a topic are together, or refused.
        qrels: as in ``evaluate``.
        measures: as in ``evaluate``.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.

    Returns:
        System -> measure -> mean over topics, or what else the measure declares as its summary.

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: an unknown word, measure or parameter, or a word that contradicts the object given.

    >>> import cranfield
    >>> run = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d3": 1.0}}
    >>> cranfield.evaluate_means(run, {"q1": {"d2": 1}, "q2": {"d3": 2}}, "AP")
    {'run': {'AP': 0.75}}
    """
    chosen = InputOptions.of(reading, options)
    if holds_stream(runs):
        from cranfield.scoring.scorer import Scorer  # here: few runs are streams

        if chosen.policy.ties == "bounds":
            raise UsageError(f"{setting('ties', 'bounds')} gives ranges, which streams are not scored by: collect them")
        return Scorer(qrels, measures, reading=chosen).means_of_each(runs)
    table = score(runs, qrels, measures, reading=chosen, sign=False, share_unjudged=False)
    warn_condensed(table.remarks)
    columns = table.summaries.T.tolist()
    return {
        system: dict(zip(table.names, column, strict=True))
        for system, column in zip(table.systems, columns, strict=True)
    }


def to_dataset(table: Evaluation) -> xr.Dataset:
    """Scores as an ``xarray.Dataset``; see ``evaluate``."""
    signature = table.signature()
    coordinates = {
        "tag": ("system", np.array(table.tags, dtype=object)),
        "sha256": ("system", np.array([run["sha256"] for run in signature["runs"]])),
    }
    attributes = {
        **table.policy.as_dict(),
        "bounds": table.bounds,
        "cranfield": signature["cranfield"],
        "engine": signature["engine"],
        "max_rel": signature["max_rel"],
        "qrels": table.qrels.name,
        "qrels_sha256": signature["qrels"]["sha256"],
    }
    return make_dataset(table, coordinates, attributes)


def summarize(scores: xr.Dataset) -> pd.DataFrame:
    """Each system's summary of every measure over topics, as the measure declares it.

    summary = mean of the topics, or their sum for counts, or exp(mean(log max(x, 1e-5))) for GMAP; NaN cells are
    left out.

    Args:
        scores: from ``evaluate``: dims (topic, system).

    Returns:
        Systems in rows, measures in columns.

    Raises:
        UsageError: a variable without the dims topic and system.

    >>> import cranfield
    >>> made = cranfield.simulation.simulate_runs(n_systems=3, n_topics=20)
    >>> cranfield.summarize(cranfield.evaluate(made.runs, made.qrels, ["nDCG@10", "AP"])).round(3)
             nDCG@10     AP
    system
    system1    0.811  0.767
    system2    0.433  0.349
    system3    0.152  0.112
    """
    import pandas as pd

    if not hasattr(scores, "data_vars"):
        raise UsageError(f"summarize takes a Dataset, not a {type(scores).__name__}: use .to_dataset(name=...)")
    table = make_table(scores)
    columns = dict(zip(table.names, table.summaries, strict=True))
    return pd.DataFrame(columns, index=pd.Index(scores["system"].to_numpy(), name="system"))


def to_frame(scores: ScoresLike) -> pd.DataFrame:
    """Scores as tidy rows for any other tool: ``topic``, ``system``, ``measure`` and ``value``.

    Measures follow each other in their order, and in each the topics with their systems. A score that is missing is
    NaN. ``to_frame(scores).pivot(index="topic", columns=["measure", "system"], values="value")`` is a wide table.

    Args:
        scores: from ``evaluate`` or ``read_scores``: dims (topic, system), of one measure or several.

    Raises:
        UsageError: no labelled scores, or other dims than topic and system.

    >>> import cranfield
    >>> scores = cranfield.evaluate({"q1": {"d1": 2.0, "d2": 1.0}}, {"q1": {"d2": 1}}, ["AP", "P@1"])
    >>> cranfield.to_frame(scores)
      topic system measure  value
    0    q1    run      AP    0.5
    1    q1    run     P@1    0.0
    """
    variables = as_dataset(scores).data_vars
    rows = {str(name): unrolled(values.transpose(*DIMS), "value") for name, values in variables.items()}
    return stacked(rows, "measure")[["topic", "system", "measure", "value"]]


def make_rankings(
    runs: RunsLike,
    qrels: QrelsLike,
    *,
    reading: InputOptions | None = None,
    **options: Unpack[JudgedOptions],
) -> Rankings:
    """Runs seen through qrels: the judged documents of every list with their ranks, which is all a measure sees.

    Args:
        runs: as in ``evaluate``.
        qrels: as in ``evaluate``.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: an unknown word, or a word that contradicts the object given.
    """
    settings = InputOptions.of(reading, options, JudgedOptions)
    refuse_exchanged(runs, qrels)
    judgments = convert_qrels(qrels, **settings.judgment_options)
    index = build_index(judgments)
    systems = named_runs(runs, settings.names, settings.columns)
    judged = [judge_run(run, judgments, index, settings.policy, threads=cpus(), **settings.of_files) for run in systems]
    rankings = Rankings.concatenate([run.rankings for run in judged])
    if settings.names == "file":
        return rankings
    named = by_tag(systems, [run.tag for run in judged])
    return replace(rankings, systems=tuple(run.name for run in named))
