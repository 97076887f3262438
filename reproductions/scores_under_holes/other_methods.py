"""Other estimates of what runs with holes would score, from the same judgments and the same lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.special import expit
from splits import Collection, Labels, Pair, Split

import cranfield
from cranfield._typing import Floats
from cranfield.holes import Holes, estimate_by_bootstrap
from cranfield.holes.draws import LabelModel, OffsetSpread
from cranfield.holes.features import DEPTH, HoleDocuments
from cranfield.holes.model import LevelModel

DRAWS = 200
SEED = 0
CUTOFF = 10
"""Of precision."""
NARROW = 1e-12
"""Variance of coefficients that are taken as known."""


def score_plainly(collection: Collection, names: list[str], labels: Labels, **policy: str | bool) -> pd.DataFrame:
    """Means over topics, with columns ``measure``, ``system`` and ``value``."""
    runs = {name: collection.runs[name] for name in names}
    scores = cranfield.evaluate(runs, labels, list(collection.measures), **policy)  # type: ignore[arg-type]
    frame = scores.mean("topic").to_dataframe()[list(scores.data_vars)].reset_index()
    return frame.melt(id_vars="system", var_name="measure")


def predict_labels(collection: Collection, split: Split, fitted: Holes) -> pd.DataFrame:
    """Each hole takes the label that it most probably reaches, as Buettcher et al. 2007 put predicted labels in place.

    They learn from the words of documents, which are not at hand: here the same features predict that the estimate
    has, so that what is compared is a label in place of a hole against its probability.
    """
    labels = collection.without_unknown(split.labels)
    for topic, document, _, p in fitted.probabilities.itertuples(index=False, name=None):
        labels[topic][document] = labels[topic].get(document, 0.0) + (p >= 0.5)
    return score_plainly(collection, list(split.scored), labels)


def weigh_experts(fitted: Holes, split: Split, measures: list[str]) -> pd.DataFrame:
    """Each team is an expert whose ranks have a weight of their own; labels are drawn one by one.

    Carterette 2007 (Robust test collections for retrieval evaluation, doi:10.1145/1277741.1277754) combines calibrated
    experts by a logistic regression; here log ranks stand for their calibration, and a ridge of 1 holds their weights.
    """
    model = fitted._model
    levels = tuple(
        level if level.constant is not None else _regress(model.documents, level.level, model.topics)
        for level in model.levels
    )
    experts = replace(model, levels=levels, spread=OffsetSpread(0.0, 0.0, 0.0))
    return _evaluate(fitted, experts, measures, split)


def draw_independently(fitted: Holes, split: Split, measures: list[str]) -> pd.DataFrame:
    """The estimate's own probabilities, with labels drawn one by one."""
    model = fitted._model
    levels = tuple(
        level if level.constant is not None else replace(level, covariance=NARROW * np.eye(len(level.coefficients)))
        for level in model.levels
    )
    return _evaluate(fitted, replace(model, levels=levels, spread=OffsetSpread(0.0, 0.0, 0.0)), measures, split)


def _evaluate(fitted: Holes, model: LabelModel, measures: list[str], split: Split) -> pd.DataFrame:
    other = Holes(model, fitted._runs, fitted._names, fitted._qrels, fitted._reading, fitted._facts)
    table = other.evaluate(measures, draws=DRAWS, seed=SEED).table.reset_index()
    return table[table["system"].isin(split.scored)]


def _regress(documents: HoleDocuments, level: int, topics: int) -> LevelModel:
    raw = np.log(np.minimum(documents.best, DEPTH + 1.0))
    rows = documents.judged & (documents.label >= level - 1)
    target = (documents.label[rows] >= level).astype(float)
    design = (raw - raw[rows].mean(axis=0)) / (raw[rows].std(axis=0) + 1e-9)
    x = np.column_stack([np.ones(len(target)), design[rows]])
    penalty = np.concatenate([[1e-6], np.ones(x.shape[1] - 1)])
    b = np.zeros(x.shape[1])
    for _ in range(100):
        p = expit(x @ b)
        hessian = (x * (p * (1 - p))[:, None]).T @ x + np.diag(penalty)
        step = np.linalg.solve(hessian, x.T @ (p - target) + penalty * b)
        b -= step * min(1.0, 5.0 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(step).max() < 1e-10:
            break
    coefficients = np.concatenate([b, np.zeros(topics)])
    return LevelModel(level, None, coefficients, NARROW * np.eye(len(coefficients)), design)


def add_mean_loss(collection: Collection, split: Split, zero: pd.DataFrame) -> pd.DataFrame:
    """Zero, and what runs that were pooled lose on average where their own team is left out of the pool.

    Webber & Park 2009 (Score adjustment for correction of pooling bias, doi:10.1145/1571941.1572018).
    """
    labels = collection.without_unknown(split.labels)
    losses = []
    for team in sorted(set(collection.teams) - {collection.team[name] for name in split.scored}):
        names = collection.runs_of({team})
        others = [name for name in collection.runs if name not in {*names, *split.scored}]
        if not others:
            continue
        depth = collection.depth
        uniques = collection.first(names, depth) - collection.first(others, depth)
        fewer = _without(labels, uniques)
        with_own, without = (score_plainly(collection, names, judged) for judged in (labels, fewer))
        losses.append(with_own.assign(loss=with_own["value"] - without["value"]))
    if not losses:
        return zero.assign(value=np.nan)
    mean = pd.concat(losses).groupby("measure")["loss"].mean()
    return zero.assign(value=zero["value"] + zero["measure"].map(mean))


def split_water(collection: Collection, split: Split) -> pd.DataFrame:
    """Precision corrected by how a run disturbs the pooled runs (Lipani, Lupu & Hanbury 2015).

    Each pooled run takes the order of the new run where that has its documents. The means of what this changes in the
    precision, in the share of judged documents that are not relevant, and in that of unjudged ones say whether, and by
    how much, the new run is corrected. Splitting Water: Precision and Anti-Precision to Reduce Pool Bias.
    doi:10.1145/2766462.2767749
    """
    measure = next(name for name in collection.measures if name.startswith("P"))
    least = 2.0 if "rel=2" in measure else 1.0
    labels = collection.without_unknown(split.labels)
    pooled = [name for name in collection.runs if name not in set(split.scored)]
    before = {name: _shares(collection.ranked[name], labels, least) for name in pooled}
    rows = []
    for system in split.scored:
        lists = collection.ranked[system]
        relevant, other, unjudged = own = _shares(lists, labels, least)
        changes = [_shares(_reorder(collection.ranked[name], lists), labels, least) - before[name] for name in pooled]
        gain, loss, _ = np.mean(changes, axis=0)
        better = unjudged * (gain * other - loss * relevant) > 0
        correction = unjudged * max(-gain - loss, 0.0) if better else 0.0
        rows.append({"measure": measure, "system": system, "value": own[0] + correction})
    return pd.DataFrame(rows)


def _shares(lists: Mapping[str, list[str]], labels: Labels, least: float) -> Floats:
    """Shares of the first ten that are relevant, judged not to be, and unjudged, means over judged topics."""
    counts = np.zeros(3)
    for topic, known in labels.items():
        for document in lists.get(topic, [])[:CUTOFF]:
            label = known.get(document)
            counts[2 if label is None else 0 if label >= least else 1] += 1
    return counts / (CUTOFF * len(labels))


def _reorder(lists: Mapping[str, list[str]], by: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The same documents, each at its rank in the other lists where these have it; those that move up go first."""
    reordered = {}
    for topic, documents in lists.items():
        rank = {document: at for at, document in enumerate(by.get(topic, ()))}
        keyed = []
        for own, document in enumerate(documents):
            other = rank.get(document, own)
            keyed.append((other, 0 if other < own else 1 if other == own else 2, own, document))
        reordered[topic] = [document for *_, document in sorted(keyed)]
    return reordered


def _without(labels: Labels, pairs: set[Pair]) -> Labels:
    return {
        topic: {document: label for document, label in documents.items() if (topic, document) not in pairs}
        for topic, documents in labels.items()
    }


def bootstrap(collection: Collection, split: Split) -> pd.DataFrame:
    """The bootstrap of Fröbe et al. 2023, by measures with a cutoff."""
    runs = {name: collection.runs[name] for name in split.scored}
    labels = collection.without_unknown(split.labels)
    tables = [
        estimate_by_bootstrap(runs, labels, measure, draws=DRAWS, seed=SEED).table.reset_index()
        for measure in collection.measures
        if "@" in measure
    ]
    return pd.concat(tables)
