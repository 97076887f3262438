"""Judgments of one judge made from those of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from cranfield._message import setting
from cranfield._text import quoted, warn
from cranfield._typing import Floats
from cranfield._validation import word
from cranfield.agreement._shared_labels import SharedLabels, share_labels
from cranfield.agreement.label_agreement import (
    Judges,
    Relevant,
    choose_levels,
    choose_reference,
    name_judges,
    sign_judges,
)
from cranfield.collection.qrels import Qrels
from cranfield.errors import InputError, UsageError
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.statistics.label_combination import (
    DawidSkene,
    fit_dawid_skene,
    lower_median,
    majority,
    plurality,
    rounded_mean,
    weigh_votes,
)

if TYPE_CHECKING:
    import pandas as pd

Scale: TypeAlias = Literal["relevant", "grade"]
Ties: TypeAlias = Literal["low", "high"]
Method: TypeAlias = Literal["majority", "votes", "weighted", "plurality", "median", "mean", "dawid-skene"]
METHODS: tuple[str, ...] = get_args(Method)
SCALES: dict[str, tuple[Scale, ...]] = {
    "majority": ("relevant",),
    "votes": ("relevant",),
    "weighted": ("relevant",),
    "plurality": ("grade",),
    "median": ("grade",),
    "mean": ("grade",),
    "dawid-skene": ("relevant", "grade"),
}
"""Method -> what it combines; the first is the default."""
CERTAINTY = (
    "Dawid and Skene's model takes judges as independent: its certainty is far above its accuracy "
    "(.988 and .743 on Deep Learning 2019), and is not a probability"
)
"""What stands beside every value of that model."""


@dataclass(frozen=True, eq=False, repr=False)
class CombinedLabels(Result):
    """Labels of one judge made from those of several, on the documents that all of them labelled.

    Args:
        labels: one row a ``topic`` and ``document``: the combined ``label``, and its ``score``: the share of judges who
            say relevant, the mean label, the weighted vote, or for ``dawid-skene`` the largest posterior, which is not
            a probability (see ``note``).
        judges: one row a ``judge``: its ``weight`` in a vote (NaN for ``dawid-skene``); for ``dawid-skene`` the
            ``right`` share that the model estimates for it over the classes.
        classes: one row a combined ``label``: its ``documents``, their ``share``, and for ``dawid-skene`` the share
            that the model estimates, ``estimated``.
        method: its name, which is that of the judgments too.
        documents: how many were labelled.
        left_out: the documents that a judge did not label.
        certainty: of ``dawid-skene``, the mean of the largest posterior; NaN elsewhere.
        note: what must be known to read ``certainty`` and ``score``; empty for votes and means.
        settings: of the combination.
        signature: all that changes these labels.
    """

    labels: pd.DataFrame
    judges: pd.DataFrame
    classes: pd.DataFrame
    method: str
    documents: int
    left_out: int
    certainty: float
    note: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {
            "labels": lambda: tidy(self.labels),
            "judges": lambda: tidy(self.judges),
            "classes": lambda: tidy(self.classes),
        }

    @property
    def qrels(self) -> Qrels:
        """The combined labels as judgments, which every function that reads judgments takes."""
        rows = self.labels[["topic", "document", "label"]].itertuples(index=False, name=None)
        return Qrels.from_rows(rows, name=self.method)


def combine_labels(
    judges: Judges,
    method: Method = "majority",
    *,
    relevant: Relevant = 1,
    scale: Scale | None = None,
    reference: str | None = None,
    ties: Ties = "low",
    prior: float = 1.0,
) -> CombinedLabels:
    """Combine the labels of several judges into one label a document.

    Of relevant or not, a judge's label being relevant from its own level:

    - ``majority``: relevant if more than half of the judges say so. A tie is not relevant, or is if ``ties="high"``.
    - ``votes``: the number of judges who say relevant, as a label from 0 to m.
    - ``weighted``: relevant if sum_j w_j (z_j - b_j) >= 1/2, z the votes and b the mean of errors z - y against the
      reference y; w >= 0 with sum 1 makes the variance of the errors' mean least. b and w come from the *other* topics.

    Of grades, which all judges must mean alike:

    - ``plurality``: the commonest label, the lowest of several. ``median``: the lower one. ``mean``: floor(mean + 1/2).

    Of either, ``dawid-skene``: the most probable class where each judge has rates of confusing classes, fitted by EM
    with one pseudo-document for each class and confusion and one more for each right label. It takes judges as
    independent given the class, which judges that fail together are not.

    Args:
        judges: name -> judgments, or several, called by their names; of a document's labels the largest counts.
        method: how labels are combined.
        relevant: smallest relevant label, for all, or by name (1 for those left out).
        scale: what ``dawid-skene`` combines: ``relevant`` or not (default), or every ``grade``.
        reference: the name of the judgments that ``weighted`` learns weights from; they are not combined.
        ties: of ``majority``: ``low``, not relevant, or ``high``, relevant.
        prior: weight of the prior of ``dawid-skene``; 0 is plain EM.

    Raises:
        InputError: no document was judged by all, or two judges have one name.
        UsageError: an unknown name or method, a scale that the method does not combine, ``weighted`` without a
            reference or with one topic, or a negative prior.

    References:
        Dawid & Skene 1979, Maximum likelihood estimation of observer error-rates. doi:10.2307/2346806
        Bates & Granger 1969, The combination of forecasts. doi:10.1057/jors.1969.103
    """
    word("method", method, METHODS)
    word("ties", ties, get_args(Ties))
    chosen_scale = SCALES[method][0] if scale is None else scale
    _check_combination(method, chosen_scale, reference, prior)
    judgments = name_judges(judges, least=1 if reference is None else 2)
    levels = choose_levels(judgments, relevant)
    references = () if reference is None else (choose_reference(judgments, reference),)
    refuse_names_of_methods(judgments, (method,))
    shared = share_labels(judgments, levels, references)
    combination = combine_shared(shared, method, chosen_scale, reference, ties=ties, prior=prior)
    settings: dict[str, Any] = {"method": method, "scale": chosen_scale, "relevant": levels, "reference": reference}
    settings |= {"ties": ties, "prior": float(prior)}
    model = combination.model
    return CombinedLabels(
        _make_labels(shared, combination),
        _make_judges(shared, combination),
        _make_classes(combination),
        method,
        len(shared.keys),
        shared.left_out,
        float("nan") if model is None else float(model.posterior.max(axis=1).mean()),
        "" if model is None else CERTAINTY,
        settings,
        signed("combined labels", settings, judges=sign_judges(judgments)),
    )


def _check_combination(method: str, scale: str, reference: str | None, prior: float) -> None:
    word("scale", scale, get_args(Scale))
    if scale not in SCALES[method]:
        fitting = ", ".join(name for name, scales in SCALES.items() if scale in scales)
        raise UsageError(
            f"{method} combines {SCALES[method][0]} labels; for {setting('scale', scale)} choose one of {fitting}"
        )
    if method == "weighted" and reference is None:
        raise UsageError(f"weighted learns weights from a reference: name it by {setting('reference')}")
    if not 0 <= prior < float("inf"):
        raise UsageError(f"{setting('prior', prior)}: expected a number of 0 or more")


def refuse_names_of_methods(judges: Mapping[str, object], methods: tuple[str, ...]) -> None:
    """Refuse a judge that has the name of a combination.

    Raises:
        InputError: there is one.
    """
    for method in methods:
        if method in judges:
            raise InputError(f"a judge is called {quoted(method)}, as the combined labels are: rename it")


def add_combined_judges(
    judgments: Mapping[str, Qrels], methods: Sequence[str], reference: str, levels: Mapping[str, float]
) -> tuple[dict[str, Qrels], dict[str, float]]:
    """Add the combined labels of all judges but the reference, under the names of their methods.

    Args:
        judgments: name -> judgments.
        methods: of combination.
        reference: the name of the judgments that are not combined.
        levels: name -> smallest relevant label.

    Returns:
        Judgments and levels with those of the methods: 1 for relevant or not, more than half of the judges for
        ``votes``, and for grades the level of the reference.
    """
    judges, relevant = dict(judgments), dict(levels)
    for method in dict.fromkeys(methods):
        combined = combine_labels(judgments, method, relevant=levels, reference=reference)  # type: ignore[arg-type]
        judges[method] = combined.qrels
        half = (len(judgments) - 1) // 2 + 1
        relevant[method] = float(half) if method == "votes" else 1.0
        if SCALES[method][0] == "grade":
            relevant[method] = levels[reference]
    return judges, relevant


class Combination(NamedTuple):
    """Combined labels as arrays.

    Args:
        labels: [N].
        score: what they were decided by, [N].
        weights: of judges, [m]; NaN where there are none.
        model: that of ``dawid-skene``.
        values: the labels that its classes are, [K].
    """

    labels: Floats
    score: Floats
    weights: Floats
    model: DawidSkene | None = None
    values: Floats = np.empty(0)


def combine_shared(
    shared: SharedLabels,
    method: str,
    scale: Scale,
    reference: str | None = None,
    *,
    ties: Ties = "low",
    prior: float = 1.0,
) -> Combination:
    """Combine labels that are arrays already; see ``combine_labels``."""
    judges = len(shared.names)
    equal = np.full(judges, 1.0 / judges)
    if method == "weighted":
        if len(shared.topics) < 2:
            raise UsageError("weighted takes each topic's weights from the others, and there is 1 topic")
        votes = weigh_votes(shared.votes, shared.relevant[str(reference)], shared.topic)
        return Combination(*votes)
    if method == "dawid-skene":
        return _fit_model(shared, scale, prior)
    if method in ("majority", "votes"):
        share = shared.votes.mean(axis=1)
        if method == "votes":
            return Combination(shared.votes.sum(axis=1), share, equal)
        return Combination(majority(shared.votes, ties_relevant=ties == "high"), share, equal)
    by_grade = {"plurality": plurality, "median": lower_median, "mean": rounded_mean}
    return Combination(by_grade[method](shared.labels), shared.labels.mean(axis=1), equal)


def _fit_model(shared: SharedLabels, scale: Scale, prior: float) -> Combination:
    labels = shared.votes if scale == "relevant" else shared.labels
    values = np.array([0.0, 1.0]) if scale == "relevant" else np.unique(labels)
    model = fit_dawid_skene(np.searchsorted(values, labels), len(values), prior)
    if not model.converged:
        warn(f"Dawid and Skene's model still rises after {len(model.objective):,} steps: its labels may change")
    score = model.posterior[:, 1] if scale == "relevant" else model.posterior.max(axis=1)
    return Combination(values[model.classes], score, np.full(len(shared.names), np.nan), model, values)


def _make_labels(shared: SharedLabels, combination: Combination) -> pd.DataFrame:
    import pandas as pd

    topics, documents = zip(*shared.keys, strict=True)
    columns = {"topic": topics, "document": documents, "label": combination.labels, "score": combination.score}
    return pd.DataFrame(columns)


def _make_judges(shared: SharedLabels, combination: Combination) -> pd.DataFrame:
    import pandas as pd

    columns: dict[str, Any] = {"judge": list(shared.names), "weight": combination.weights}
    if combination.model is not None:
        right = np.einsum("jkk,k->j", combination.model.confusion, combination.model.shares)
        columns["right"] = right
    return pd.DataFrame(columns)


def _make_classes(combination: Combination) -> pd.DataFrame:
    import pandas as pd

    model = combination.model
    values = np.unique(combination.labels) if model is None else combination.values
    documents = (combination.labels[:, None] == values).sum(axis=0)
    columns: dict[str, Any] = {"label": values, "documents": documents, "share": documents / len(combination.labels)}
    if model is not None:
        columns["estimated"] = model.shares
    return pd.DataFrame(columns)
