"""Judgments of one judge made from those of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, quoted, warn
from cranfield._typing import Floats
from cranfield.agreement._shared_labels import SharedLabels, share_labels
from cranfield.agreement.judges import (
    CombineBy,
    Judges,
    choose_levels,
    choose_reference,
    name_judges,
    sign_judges,
    warn_of_equal_judges,
)
from cranfield.collection.qrels import Qrels
from cranfield.declarations.analysis import FromJudges, Groups, View, analysis
from cranfield.declarations.checks import GIVEN, Rule
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import JudgeLevelsOption
from cranfield.errors import InputError, UsageError
from cranfield.io.trec import trec_lines
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
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

LabelScale: TypeAlias = Literal["relevant", "grade"]
VoteTies: TypeAlias = Literal["low", "high"]
SCALES: dict[str, tuple[LabelScale, ...]] = {
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
"""The caution beside every value of that model."""
OF_GRADES = tuple(name for name, scales in SCALES.items() if scales == ("grade",))
OF_METHODS = (
    *(
        Rule(
            {name: GIVEN, "combine_by": tuple(other for other in SCALES if other != of)},
            f"{{{name}}} changes nothing where labels are not combined by {of}: leave it out",
        )
        for name, of in (("vote_ties", "majority"), ("label_scale", "dawid-skene"), ("smoothing", "dawid-skene"))
    ),
    Rule({"rel": GIVEN, "combine_by": OF_GRADES}, "{rel} changes nothing where grades are combined: leave it out"),
    Rule({"rel": GIVEN, "label_scale": "grade"}, "{rel} changes nothing with {label_scale=grade}: leave it out"),
)
"""Rules against options that change nothing where labels are combined in a certain way."""
OF_EQUAL_WEIGHTS = tuple(
    Rule(
        {name: GIVEN, "combine_by": ("majority", "votes")},
        f"{{{name}}} changes nothing of judges, who all weigh the same by majority and votes: leave it out",
    )
    for name in ("rel", "vote_ties")
)


@dataclass(frozen=True, eq=False, repr=False)
class CombinedLabels(Result):
    """Labels of one judge made from those of several, on the documents that all of them labelled.

    Args:
        labels: one row a topic and document.
        judges: one row a judge.
        classes: one row a combined label.
        method: how they were combined, which is that of the judgments too.
        documents: how many were labelled.
        left_out: the documents that a judge did not label.
        certainty: of ``dawid-skene``, the mean of the largest posterior; NaN elsewhere.
        note: what must be known to read ``certainty`` and ``score``; empty for votes and means.
        settings: of the combination.
        signature: all that changes these labels.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "labels": (
            Column("topic"),
            Column("document"),
            Column("label", "that of all judges together"),
            Column(
                "score",
                "share of judges who say relevant, mean label, weighted vote, or for dawid-skene the largest "
                "posterior, which is not a probability",
            ),
        ),
        "judges": (
            Column("judge"),
            Column("weight", "in a vote; none for dawid-skene"),
            Column("right", "share over the classes that dawid-skene estimates to be right"),
        ),
        "classes": (
            Column("label"),
            Column("documents", "that have it"),
            Column("share", "theirs of all"),
            Column("estimated", "the share that dawid-skene estimates"),
        ),
    }
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

    def caption(self, table: str) -> str:
        """Describe what was combined; beside the judgments themselves, only what they lack."""
        if table == "qrels":
            total, topics = counted(self.documents + self.left_out, "document"), self.labels["topic"].nunique()
            left_out = f"{self.left_out:,} of {total} left out, which not all judged"
            return f"{left_out}; those left are of {counted(topics, 'topic')}" if self.left_out else ""
        left_out = f", {self.left_out:,} left out that not all judged" if self.left_out else ""
        sizes = f"{counted(len(self.judges), 'judge')}; {counted(self.documents, 'document')}{left_out}"
        note = [f"certainty {self.certainty:.3f}; {self.note}"] if self.note else []
        return "\n".join([f"{self.method} of {sizes}", *note])

    def text(self, table: str) -> list[bytes]:
        """The combined judgments as TREC text."""
        return trec_lines(self.qrels)

    @property
    def qrels(self) -> Qrels:
        """The combined labels as judgments, which every function that reads judgments takes."""
        rows = self.labels[["topic", "document", "label"]].itertuples(index=False, name=None)
        return Qrels.from_rows(rows, name=self.method)


@analysis(
    "judges combine",
    "Combine the judgments of several judges into one.",
    FromJudges(least=1),
    views=(
        View("qrels", "the combined judgments, which every command reads.", text="TREC text", rules=OF_METHODS),
        View("labels", "with their scores.", rules=OF_METHODS),
        View("judges", "their weights.", rules=(*OF_METHODS, *OF_EQUAL_WEIGHTS)),
        View("classes", "how often each label is used.", rules=OF_METHODS),
    ),
    groups=Groups(refused="labels are combined document by document, those of all topics at once"),
    guide=(
        "Combine the judgments of several judges into one, and write it as TREC text.\n\nEach QRELS is a judge, except "
        "that of --learn-from. Only documents that all of them judged are labelled."
    ),
    examples=("gpt.txt llama.txt opus.txt -o combined.txt", "a.txt b.txt c.txt --combine-by votes --show classes"),
)
def combine_labels(
    judges: Judges,
    combine_by: Annotated[
        CombineBy,
        Option(
            "How labels are combined: for relevant or not majority, votes (how many say relevant), weighted (needs "
            "{learn_from}); for grades plurality, median, mean; for both dawid-skene."
        ),
    ] = "majority",
    *,
    rel: JudgeLevelsOption = 1,
    label_scale: Annotated[
        LabelScale | None,
        Option("What dawid-skene combines: relevant or not, or every grade.", default="relevant"),
    ] = None,
    learn_from: Annotated[
        str | None, Option("The judge that weighted learns from, which is not combined.", metavar="NAME")
    ] = None,
    vote_ties: Annotated[
        VoteTies,
        Option("A document that half of the judges call relevant, by majority: low is not relevant, high is."),
    ] = "low",
    smoothing: Annotated[
        float, Option("Pseudo-counts of dawid-skene for each confusion of classes; 0 for none.", low=0)
    ] = 1.0,
) -> CombinedLabels:
    """Combine the labels of several judges into one label a document.

    Of relevant or not, a judge's label being relevant from its own level:

    - ``majority``: relevant if more than half of the judges say so. A tie is not, or is if ``vote_ties="high"``.
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

    Raises:
        InputError: no document was judged by all, or two judges have one name.
        UsageError: an unknown name or word, a scale that ``combine_by`` does not combine, ``weighted`` without
            a judge to learn from or with one topic, or a number outside its range.

    References:
        Dawid & Skene 1979, Maximum likelihood estimation of observer error-rates. doi:10.2307/2346806
        Bates & Granger 1969, The combination of forecasts. doi:10.1057/jors.1969.103
    """
    chosen_scale = SCALES[combine_by][0] if label_scale is None else label_scale
    _check_combination(combine_by, chosen_scale, learn_from)
    judgments = name_judges(judges, least=1 if learn_from is None else 2)
    levels = choose_levels(judgments, rel)
    warn_of_equal_judges(judgments, levels)
    references = () if learn_from is None else (choose_reference(judgments, learn_from),)
    refuse_names_of_methods(judgments, (combine_by,))
    shared = share_labels(judgments, levels, references)
    combination = combine_shared(shared, combine_by, chosen_scale, learn_from, vote_ties=vote_ties, smoothing=smoothing)
    settings = record_options(
        combine_labels, locals(), label_scale=chosen_scale, rel=levels, smoothing=float(smoothing)
    )
    model = combination.model
    return CombinedLabels(
        _make_labels(shared, combination),
        _make_judges(shared, combination),
        _make_classes(combination),
        combine_by,
        len(shared.keys),
        shared.left_out,
        float("nan") if model is None else float(model.posterior.max(axis=1).mean()),
        "" if model is None else CERTAINTY,
        settings,
        signed("combined labels", settings, judges=sign_judges(judgments)),
    )


def _check_combination(combine_by: str, scale: str, learn_from: str | None) -> None:
    if scale not in SCALES[combine_by]:
        fitting = ", ".join(name for name, scales in SCALES.items() if scale in scales)
        raise UsageError(
            f"{combine_by} combines {SCALES[combine_by][0]} labels; for {setting('label_scale', scale)} choose one of "
            f"{fitting}"
        )
    if combine_by == "weighted" and learn_from is None:
        raise UsageError(f"weighted learns weights from a judge: name it by {setting('learn_from')}")


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
    judges, rel = dict(judgments), dict(levels)
    for method in dict.fromkeys(methods):
        combined = combine_labels(judgments, method, rel=levels, learn_from=reference)  # type: ignore[arg-type]
        judges[method] = combined.qrels
        half = (len(judgments) - 1) // 2 + 1
        rel[method] = float(half) if method == "votes" else 1.0
        if SCALES[method][0] == "grade":
            rel[method] = levels[reference]
    return judges, rel


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
    scale: LabelScale,
    reference: str | None = None,
    *,
    vote_ties: VoteTies = "low",
    smoothing: float = 1.0,
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
        return _fit_model(shared, scale, smoothing)
    if method in ("majority", "votes"):
        share = shared.votes.mean(axis=1)
        if method == "votes":
            return Combination(shared.votes.sum(axis=1), share, equal)
        return Combination(majority(shared.votes, ties_relevant=vote_ties == "high"), share, equal)
    by_grade = {"plurality": plurality, "median": lower_median, "mean": rounded_mean}
    return Combination(by_grade[method](shared.labels), shared.labels.mean(axis=1), equal)


def _fit_model(shared: SharedLabels, scale: LabelScale, smoothing: float) -> Combination:
    labels = shared.votes if scale == "relevant" else shared.labels
    values = np.array([0.0, 1.0]) if scale == "relevant" else np.unique(labels)
    model = fit_dawid_skene(np.searchsorted(values, labels), len(values), smoothing)
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
