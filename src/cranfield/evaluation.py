"""Scores as labelled arrays: ``evaluate``, ``summarize`` and ``judge``, the verbs of the library."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import TYPE_CHECKING, Literal

import numpy as np

from cranfield.collection.policy import (
    Compat,
    Missing,
    Negative,
    OnDuplicate,
    Policy,
    Ties,
    Undefined,
    Unjudged,
    WeightSum,
)
from cranfield.collection.rankings import Rankings
from cranfield.errors import UsageError
from cranfield.io.intents import IntentWeightsLike
from cranfield.io.judging import build_index, cpus, judge_run
from cranfield.io.runs import QrelsLike, RunsLike, named_runs, qrels_of
from cranfield.io.source import InputFormat, check_format
from cranfield.scores.labelled import dataset_of, table_of
from cranfield.scoring import DEFAULT, Evaluation, MeasuresLike, score
from cranfield.wording import condensed, warn

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


def evaluate(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = DEFAULT,
    *,
    ties: Ties = "trec",
    missing: Missing = "empty",
    unjudged: Unjudged = "zero",
    negative: Negative = "zero",
    undefined: Undefined = "declared",
    compat: Compat = "none",
    on_duplicate: OnDuplicate = "error",
    bounds: bool = False,
    rel: float | None = None,
    input_format: InputFormat = "trec",
    names: Literal["file", "tag"] = "file",
    intent_weights: IntentWeightsLike = None,
    weight_sum: WeightSum = "renormalise",
    keep_empty_intents: bool = False,
    executor: Executor | None = None,
) -> xr.Dataset:
    """Score runs against judgments by one or many measures.

    Args:
        runs: a path, a glob, a Run, topic -> document -> score, a data frame; or several, in a list or by name.
        qrels: a path, Qrels, topic -> document -> label, or a data frame.
        measures: names (``"nDCG@10"``, ``"ndcg_cut_10"``) and objects (``cranfield.nDCG @ 10``), one or many.
        ties: order of documents with equal scores, see ``Policy``.
        missing: a judged topic absent from a run, see ``Policy``.
        unjudged: what unjudged documents are, see ``Policy``.
        negative: gain of labels below zero, see ``Policy``.
        undefined: values without a definition, see ``Policy``.
        compat: a peer's reading where ours differs, see ``Policy``.
        on_duplicate: a document twice in a topic of a run, see ``Policy``.
        bounds: also the least and the greatest value that each could take if unjudged documents were judged.
        rel: smallest relevant label, for binary measures that do not set it themselves.
        input_format: of files: ``trec``, ``msmarco``, ``beir`` or ``ntcir``.
        names: systems are called by their ``file`` or by their run ``tag``.
        intent_weights: P(i|q) for measures of diversity: a file, a frame, topic -> intent -> probability, or the word
            ``"uniform"`` (all intents of a topic alike, the default) or ``"simulated"`` (2^(n-j+1), Sakai et al. 2010).
        weight_sum: probabilities that do not add up to 1, see ``Qrels.with_intents``.
        keep_empty_intents: whether intents without relevant documents count, see ``Qrels.with_intents``.
        executor: any ``concurrent.futures`` executor, of threads or processes, that scores one run at a time; by
            default threads, as many as there are processors.

    Returns:
        One variable a measure, dims (topic, system). Coordinates: ``tag`` and ``sha256`` of each system. Attributes:
        the signature, that is all that changes these numbers, of the whole and of each variable; and each variable's
        summary over topics.
        With ``bounds``, or ``ties="bounds"``, each measure is followed by its ``lower`` and ``upper``: "AP lower".

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: an unknown policy, measure or parameter.
    """
    policy = Policy(ties, missing, unjudged, negative, undefined, compat, on_duplicate)
    table = score(
        runs,
        qrels,
        measures,
        policy=policy,
        bounds=bounds,
        rel=rel,
        input_format=input_format,
        names=names,
        intent_weights=intent_weights,
        weight_sum=weight_sum,
        keep_empty_intents=keep_empty_intents,
        executor=executor,
    )
    for line in condensed(table.remarks):
        warn(line)
    return to_dataset(table)


def to_dataset(table: Evaluation) -> xr.Dataset:
    """Scores as an ``xarray.Dataset``; see ``evaluate``."""
    signature = table.signature()
    coordinates = {
        "tag": ("system", np.array(table.tags, dtype=object)),
        "sha256": ("system", np.array([run["sha256"] for run in signature["runs"]], dtype=object)),
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
    scores = dataset_of(table)
    return scores.assign_coords(coordinates).assign_attrs(attributes | scores.attrs)


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
    """
    import pandas as pd

    if not hasattr(scores, "data_vars"):
        raise UsageError(f"summarize takes a Dataset, not a {type(scores).__name__}: use .to_dataset(name=...)")
    table = table_of(scores)
    columns = dict(zip(table.names, table.summaries, strict=True))
    return pd.DataFrame(columns, index=pd.Index(scores["system"].to_numpy(), name="system"))


def judge(
    runs: RunsLike,
    qrels: QrelsLike,
    *,
    policy: Policy | None = None,
    input_format: InputFormat = "trec",
) -> Rankings:
    """Runs seen through qrels: the judged documents of every list with their ranks, which is all a measure sees.

    Args:
        runs: as in ``evaluate``.
        qrels: as in ``evaluate``.
        policy: how ties and odd cases are read.
        input_format: of files.

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
    """
    policy = policy or Policy()
    check_format(input_format)
    judgments = qrels_of(qrels, input_format)
    index = build_index(judgments)
    given = named_runs(runs)
    return Rankings.concatenate(
        [judge_run(run, judgments, index, policy, input_format, cpus()).rankings for run in given]
    )
