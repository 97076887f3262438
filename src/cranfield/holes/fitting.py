"""``estimate_holes``: the labels of unjudged documents, modelled by who retrieved them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Unpack

import numpy as np

from cranfield._message import setting
from cranfield._text import cut, warn
from cranfield._typing import Floats, Mask
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import InputOptions
from cranfield.declarations.analysis import with_options
from cranfield.declarations.option import Option
from cranfield.errors import InputError, UsageError
from cranfield.holes.draws import LabelModel, OffsetSpread
from cranfield.holes.estimation import Holes
from cranfield.holes.features import DEPTH, HoleDocuments, gather_documents
from cranfield.holes.model import fit_level, team_offsets
from cranfield.holes.options import (
    ModelOptions,
    read_offsets,
)
from cranfield.io.inputs import QrelsLike, RunsLike, convert_qrels, named_runs
from cranfield.pooling.pools import Pools
from cranfield.pooling.reusability import assign_teams

BLIND_OFFSET = (-1.5, -0.5)
"""The terms added to eta of levels 1 and 2 where the runs that made the pool are not known: an assumption."""
LEAST_CONTRIBUTORS = 3
"""Teams besides the evaluated ones that the pool mode needs."""


@with_options()
def estimate_holes(
    runs: RunsLike,
    qrels: QrelsLike,
    *,
    ignore: Iterable[tuple[str, str]] = (),
    depth: Annotated[
        int,
        Option("Ranks of the runs whose unjudged documents are estimated: the largest cutoff of the measures.", low=1),
    ] = 10,
    reading: InputOptions | None = None,
    **options: Unpack[ModelOptions],
) -> Holes:
    """Model the labels of unjudged documents from who retrieved them, so that runs outside the pool can be scored.

    For each level l a ridge logistic regression of [label >= l] on the judged documents with label >= l - 1: on the
    best ranks, the support among teams, and the quality of the teams that retrieved a document, on what others confirm.

    - pool mode, with ``contributors``: the runs that made the pool are given.
    - blind mode: only the new runs are. What is retrieved by them alone is less relevant than what is judged;
      ``hole_offset`` says by how much (-1.5 and -.5 on the logit scale by default). It is an assumption that no data at
      hand can show.

    A run may be both evaluated and a contributor, as where the pool itself was shallow. Runs of a later round, from
    which documents that had been judged before were removed, contribute to the judgments of their own round alone:
    name these by ``learn_from``. Judged documents of other rounds then count in no rank that predicts a label, as
    residual runs lack them.

    Args:
        runs: the evaluated runs.
        qrels: judgments with holes.
        ignore: pairs of topic and document that stay 0 and are not learnt from, for simulations.
        reading: how files are read.

    Raises:
        InputError: fewer than ten judged documents of a class at level 1, or a team or a predicted label is missing.
        UsageError: fewer than three teams besides the evaluated ones in pool mode.

    References:
        Froebe, Gienapp, Potthast & Hagen 2023, Bootstrapped nDCG estimation in the presence of unjudged documents.
        doi:10.1007/978-3-031-28244-7_20
        Buettcher, Clarke, Yeung & Soboroff 2007, Reliable information retrieval evaluation with incomplete and biased
        judgements. doi:10.1145/1277741.1277755

    >>> import cranfield
    >>> made = cranfield.simulation.simulate_runs(n_systems=6, n_topics=20)
    >>> holes = cranfield.estimate_holes(made.runs[:1], made.qrels, contributors=made.runs[1:])
    >>> scores = holes.evaluate("nDCG@10").to_frame()
    >>> scores[["measure", "system", "zero", "estimate", "lower", "upper", "holes"]].round(3)
       measure   system   zero  estimate  lower  upper  holes
    0  nDCG@10  system1  0.222     0.222  0.222  0.224  0.165
    """
    contributors, predicted, learn_from = (
        options.get("contributors"),
        options.get("predicted"),
        options.get("learn_from"),
    )
    reading = reading or InputOptions()
    judgments = convert_qrels(qrels, **reading.judgment_options)
    own = named_runs(runs, reading.names, reading.columns)
    names = [run.name for run in own]
    others = [] if contributors is None else named_runs(contributors, reading.names, reading.columns)
    pooled = {run.name for run in others}
    every = {run.name: run.data for run in [*own, *(run for run in others if run.name not in names)]}
    pools = Pools.read(every, judgments, max(DEPTH, depth), reading, judgments.topics)
    of_team = assign_teams(pools.systems, options.get("teams"), at_least_two=False)
    is_evaluated = [name in names for name in pools.systems]
    pool = contributors is not None
    outside = {team for team, name in zip(of_team, pools.systems, strict=True) if name in pooled}
    outside -= {team for team, name in zip(of_team, pools.systems, strict=True) if name not in pooled}
    if pool and len(outside) < LEAST_CONTRIBUTORS:
        verb = "is" if len(outside) == 1 else "are"
        raise UsageError(f"pool mode needs three teams besides the evaluated ones: there {verb} {len(outside)}")
    if not pool and len(names) == 1:
        warn("blind mode with one run: the estimate is no better than that of condensed lists, and adds the interval")
    own_round = None if learn_from is None else convert_qrels(learn_from, **reading.judgment_options)
    labels = None if predicted is None else convert_qrels(predicted, **reading.judgment_options)
    excluded = {
        "ignored": _mark_pairs(pools, ignore),
        "removed": None if own_round is None else _mark_unlearnt(pools, own_round),
    }
    documents = gather_documents(pools, of_team, is_evaluated, depth, **excluded)
    if labels is not None:
        documents = replace(documents, predicted=_predicted_labels(documents, labels))
    model, facts = _fit(documents, judgments, read_offsets(options.get("hole_offset")), pool=pool)
    return Holes(model, runs, names, judgments, reading, facts | {"depth": depth})


def _fit(
    documents: HoleDocuments, judgments: Qrels, hole_offset: Sequence[float] | None, *, pool: bool
) -> tuple[LabelModel, dict[str, Any]]:
    """Fit all levels, and say by which settings."""
    labels = documents.label[documents.judged]
    positive = int((labels >= 1).sum())
    if min(positive, len(labels) - positive) < 10:
        text = f"{positive} of {len(labels)} judged documents that were retrieved are relevant: at least ten of each"
        text += f" class are needed to estimate labels; {setting('unjudged', 'zero')} counts unjudged documents as not "
        text += f"relevant, {setting('unjudged', 'condense')} leaves them out"
        raise InputError(text, "the judgments", code="too-few")
    highest = int(max(judgments.grade.max(initial=0.0), 1.0))
    topics = len(documents.pools.topics)
    models = tuple(fit_level(documents, level, topics, pool=pool) for level in range(1, highest + 1))
    offset = tuple(float(value) for value in (hole_offset if hole_offset is not None else () if pool else BLIND_OFFSET))
    offset = (*offset, *([0.0] * highest))[:highest]
    deviation = team_offsets(documents, models[0])[1] if pool else 0.5
    spread = OffsetSpread(max(0.7, deviation), 0.5, 0.5) if pool else OffsetSpread(0.5, 0.7, 0.5)
    facts: dict[str, Any] = {"mode": "pool" if pool else "blind", "hole_offset": list(offset)}
    facts |= {"spread_team": spread.team, "spread_collection": spread.collection, "spread_topic": spread.topic}
    return LabelModel(documents, models, offset, spread, topics), facts


def _mark_pairs(pools: Pools, pairs: Iterable[tuple[str, str]]) -> Mask | None:
    """Which pool rows are among these pairs of topic and document."""
    wanted = set(pairs)
    if not wanted:
        return None
    topics = np.repeat(np.array(pools.topics, dtype=object), pools.rankings.pool.size)
    return np.array([pair in wanted for pair in zip(topics, pools.documents, strict=True)])


def _mark_unlearnt(pools: Pools, learn_from: Qrels) -> Mask:
    """Which pool rows are judged, but not by these judgments."""
    known = {(topic, document) for topic, labels in learn_from.to_dict().items() for document in labels}
    topics = np.repeat(np.array(pools.topics, dtype=object), pools.rankings.pool.size)
    pairs = zip(topics, pools.documents, strict=True)
    outside: Mask = np.array([pair not in known for pair in pairs], dtype=bool)
    return outside & ~np.isnan(pools.label)


def _predicted_labels(documents: HoleDocuments, predicted: Qrels) -> Floats:
    """The predicted label of each document, labels below 0 as 0.

    Raises:
        InputError: a document has none.
    """
    known, pools = predicted.to_dict(), documents.pools
    pairs = [
        (pools.topics[topic], pools.documents[row]) for topic, row in zip(documents.topic, documents.index, strict=True)
    ]
    missing = [(topic, document) for topic, document in pairs if document not in known.get(topic, {})]
    if missing:
        topic, document = missing[0]
        text = (
            f"{len(missing):,} of {len(pairs):,} documents have no predicted label, the first {cut(document)} of topic "
        )
        raise InputError(f"{text}{cut(topic)}: every judged and every candidate document needs one", predicted.location)
    return np.array([max(float(known[topic][document]), 0.0) for topic, document in pairs])
