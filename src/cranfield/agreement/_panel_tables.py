"""Tables on the members of a panel: over- and underrating, agreement of each and of all, and whom it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.agreement._shared_labels import SharedLabels
from cranfield.agreement.label_combination import Combination, combine_shared
from cranfield.statistics.clustered_agreement import compute_kappas, percentiles
from cranfield.statistics.error_correlation import (
    ErrorMoments,
    correlations,
    effective_number,
    mean_correlation,
    ratio_over_topics,
)
from cranfield.statistics.label_combination import majority
from cranfield.statistics.panel_choice import accuracy_if_independent, choose_panel, squared_error
from cranfield.statistics.resampling import bootstrap_counts

if TYPE_CHECKING:
    import pandas as pd


def make_bias(shared: SharedLabels, reference: str, error_kind: str, level: float) -> pd.DataFrame:
    """Make a row for each judge and grade of the reference; see ``Panel``."""
    import pandas as pd

    truth, labels = _scale(shared, reference, error_kind)
    topics = len(shared.topics)
    rows: list[dict[str, Any]] = []
    for number, name in enumerate(shared.names):
        difference = labels[:, number] - truth
        for grade in np.unique(truth):
            of_grade = truth == grade
            topic = shared.topic[of_grade]
            counts = np.bincount(topic, minlength=topics).astype(np.float64)
            row: dict[str, Any] = {"judge": name, "grade": float(grade), "documents": int(of_grade.sum())}
            row["topics"] = int((counts > 0).sum())
            error = difference[of_grade]
            for statistic, values in (("bias", error), ("over", error > 0), ("under", error < 0)):
                sums = np.bincount(topic, weights=values.astype(np.float64), minlength=topics).astype(np.float64)
                value, low, high = ratio_over_topics(sums, counts, level)
                row |= {statistic: value, f"{statistic}_low": low, f"{statistic}_high": high}
            rows.append(row)
    return pd.DataFrame(rows)


def make_members(
    shared: SharedLabels, reference: str, error_kind: str, relevant: float, *, level: float, resamples: int, seed: int
) -> pd.DataFrame:
    """Make a row for each judge and each way of combining them; see ``Panel``."""
    import pandas as pd

    truth, labels = _scale(shared, reference, error_kind)
    combined = _combine_all(shared, reference, error_kind)
    columns = dict(zip(shared.names, labels.T, strict=True)) | {name: made.labels for name, made in combined.items()}
    values = np.unique(np.concatenate([truth, *columns.values()]))
    cost = np.abs(values[:, None] - values) ** 2
    tables = np.stack([_count_labels(truth, column, values, shared.topic) for column in columns.values()], axis=1)
    kappa = compute_kappas(tables.sum(axis=0), cost)
    draws = _resample_kappas(tables, cost, resamples, seed)
    judges = len(shared.names)
    best = int(np.nan_to_num(kappa[:judges], nan=-np.inf).argmax())
    weights = dict(zip(shared.names, combined["weighted"].weights, strict=True)) if "weighted" in combined else {}
    threshold = 1.0 if error_kind == "relevant" else relevant
    rows: list[dict[str, Any]] = []
    for number, (name, column) in enumerate(columns.items()):
        low, high = percentiles(draws[:, number] - draws[:, best], level)
        made = combined.get(name)
        reached = shared.votes[:, number] if made is None else column >= threshold
        row = {"labels_of": name, "combined": made is not None, "kappa": kappa[number]}
        row |= {"accuracy": float((column == truth).mean()), "relevant": float(reached.mean())}
        row |= {"gain": kappa[number] - kappa[best], "gain_low": low, "gain_high": high, "if_independent": np.nan}
        if name == "majority":
            row["if_independent"] = accuracy_if_independent(shared.votes, truth)
        model = None if made is None else made.model
        row["certainty"] = np.nan if model is None else float(model.posterior.max(axis=1).mean())
        rows.append(row | {"weight": weights.get(name, np.nan)})
    return pd.DataFrame(rows)


def make_drop(shared: SharedLabels, reference: str, *, level: float, resamples: int, seed: int) -> pd.DataFrame:
    """Make a row for each judge that the panel might do without; see ``Panel``."""
    import pandas as pd

    truth, votes = shared.relevant[reference], shared.votes
    judges = np.arange(len(shared.names))
    wrong = (votes != truth[:, None]).astype(np.float64)
    erring = wrong.any(axis=0)
    covariance = ErrorMoments.from_errors(wrong, shared.topic, np.zeros(len(truth), dtype=np.int64)).covariance()
    values = np.array([0.0, 1.0])
    panels = [votes, *(np.delete(votes, judge, axis=1) for judge in judges)]
    tables = np.stack([_count_labels(truth, majority(panel), values, shared.topic) for panel in panels], axis=1)
    cost = 1.0 - np.eye(2)
    kappa = compute_kappas(tables.sum(axis=0), cost)
    draws = _resample_kappas(tables, cost, resamples, seed)
    rows: list[dict[str, Any]] = []
    for judge, name in enumerate(shared.names):
        low, high = percentiles(draws[:, judge + 1] - draws[:, 0], level)
        rest = np.flatnonzero(erring & (judges != judge))
        rho = float(mean_correlation(correlations(covariance[np.ix_(rest, rest)])))
        row = {"judge": name, "n_eff": effective_number(len(rest), rho) if len(rest) else np.nan}
        row["squared_error"] = squared_error(panels[judge + 1], truth)
        row |= {"kappa_change": kappa[judge + 1] - kappa[0], "low": low, "high": high, "drop": low > 0}
        rows.append(row)
    return pd.DataFrame(rows)


def make_path(shared: SharedLabels, reference: str) -> pd.DataFrame:
    """Make a row for each size of a panel chosen step by step; see ``Panel``."""
    import pandas as pd

    path = choose_panel(shared.votes, shared.relevant[reference], shared.topic, shared.names)
    sizes = range(1, len(path.added) + 1)
    columns = {
        "size": list(sizes),
        "added": [shared.names[judge] for judge in path.added],
        "squared_error": path.error,
        "held_out": path.held_out,
        "enough": [size == path.enough for size in sizes],
    }
    return pd.DataFrame(columns)


def _scale(shared: SharedLabels, reference: str, error_kind: str) -> tuple[Floats, Floats]:
    """Labels by the reference and by the judges, as grades or as relevant or not."""
    if error_kind == "relevant":
        return shared.relevant[reference], shared.votes
    return shared.references[reference], shared.labels


def _combine_all(shared: SharedLabels, reference: str, error_kind: str) -> dict[str, Combination]:
    """Combine all judges by every method that makes labels of this kind."""
    if error_kind == "grade":
        by_grade = ("plurality", "median", "mean", "dawid-skene")
        return {method: combine_shared(shared, method, "grade") for method in by_grade}
    weighted = ("weighted",) if len(shared.topics) > 1 else ()
    return {
        method: combine_shared(shared, method, "relevant", reference)
        for method in ("majority", "dawid-skene", *weighted)
    }


def _count_labels(truth: Floats, labels: Floats, values: Floats, topic: Ints) -> Floats:
    """Count the documents of each topic by both labels, [topics, labels, labels]."""
    size = len(values)
    cells = (topic * size + np.searchsorted(values, truth)) * size + np.searchsorted(values, labels)
    topics = int(topic.max()) + 1
    counts = np.bincount(cells, minlength=topics * size * size)
    return counts.reshape(topics, size, size).astype(np.float64)


def _resample_kappas(tables: Floats, cost: Floats, resamples: int, seed: int) -> Floats:
    """Kappa of each column on resampled topics, [resamples, columns], the same for all; NaN with one topic.

    Args:
        tables: documents by both labels, [topics, columns, labels, labels].
        cost: of a disagreement, [labels, labels].
        resamples: how many.
        seed: of the draws.
    """
    topics, columns, labels, _ = tables.shape
    if topics < 2:
        return np.full((resamples, columns), np.nan)
    counts = bootstrap_counts(topics, resamples, np.random.default_rng(seed))
    sums = counts.sums(tables.reshape(topics, -1)).reshape(-1, labels, labels)
    return compute_kappas(sums, cost).reshape(-1, columns)
