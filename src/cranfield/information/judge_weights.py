"""Judges weighed by their errors on pairs of documents, and what each adds to the others."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

import numpy as np
from scipy.special import expit

from cranfield._message import setting
from cranfield._text import counted, quoted, shown
from cranfield._typing import Floats
from cranfield._validation import one_or_more
from cranfield.collection.preferences import Preferences
from cranfield.collection.run import Run
from cranfield.declarations.analysis import FromJudges, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.errors import InputError, UsageError
from cranfield.information.judgment_sources import Evidence, Source
from cranfield.io.inputs import QrelsLike, convert_qrels
from cranfield.io.source import as_text
from cranfield.io.system_names import system_names, warn_of_copies
from cranfield.memory import require
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.scoring import Progress
from cranfield.statistics.pair_errors import (
    Answers,
    added_bits,
    count_errors,
    error_shares,
    fit_errors,
    surprise,
    weights,
)

if TYPE_CHECKING:
    import pandas as pd

SourceLike: TypeAlias = "QrelsLike | Preferences | Run"
BYTES = 32
"""Memory for the answer of one judge to a pair, about."""
JudgesLike: TypeAlias = Mapping[str, SourceLike] | Sequence[SourceLike]
CostOption: TypeAlias = Annotated[
    float | Mapping[str, float],
    Option("Cost of a judge, in any unit; 1 for those left out.", low=0, open=True, metavar="[NAME=]COST"),
]


@dataclass(frozen=True, eq=False, repr=False)
class JudgeWeights(Result):
    """Error rates of judges on pairs of documents, their weights, and what each adds to the others.

    Args:
        judges: a row a ``judge``, the most bits for its cost first.
        path: a row a judge, in the order in which each adds most for its cost to those before it.
        settings: the reference, and the costs.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "judges": (
            Column("pairs", "of which it prefers a document", integer=True),
            Column("shared", "those of which another judge does, or the reference", integer=True),
            Column("error", "chance that it prefers the worse document"),
            Column("weight", "log odds that it is right, in bits"),
            Column("bits", "it says alone of which document is better, mean over pairs and then topics"),
            Column("adds", "bits that it adds to all others"),
            Column("standard_error", "of what it adds, over topics"),
            Column("cost"),
            Column("adds_per_cost", "bits"),
        ),
        "path": (
            Column("size", "judges so far", integer=True),
            Column("added", "the judge that is added"),
            Column("adds", "bits that it adds to those before it"),
            Column("adds_per_cost", "bits"),
            Column("cost", "of all so far"),
            Column("bits", "they say together, by the model of independent errors"),
            Column("measured", "bits that they say of the reference's order, weights learned on other topics"),
        ),
    }
    judges: pd.DataFrame
    path: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def answer(self, table: str) -> str:
        """Describe what the first and last judges add; for a path with a reference, how many say most of its order."""
        if table == "path" and "measured" in self.path:
            best = self.path.iloc[int(self.path["measured"].to_numpy().argmax())]
            return (
                f"The first {counted(int(best['size']), 'judge')} say most of the reference's order, "
                f"{best['measured']:.4f} bits a pair; the model of independent errors says {best['bits']:.4f}."
            )
        first, last = self.judges.iloc[0], self.judges.iloc[-1]
        others = counted(len(self.judges) - 1, "other")
        return (
            f"{quoted(first['judge'])} adds {first['adds']:.4f} bits to the {others}, {quoted(last['judge'])} "
            f"{last['adds']:.4f}."
        )

    def caption(self, table: str) -> str:
        """From what errors are learned."""
        reference = self.settings["reference"]
        how = "agreement of judges" if reference is None else f"disagreement with {shown(reference)}"
        return f"{counted(len(self.judges), 'judge')}; errors learned from {how}; errors are taken as independent"


@analysis(
    "information judges",
    "Print how often each judge errs on pairs of documents, and what it adds.",
    FromJudges(progress="comparing documents"),
    views=(
        View("judges", "the error and the weight of each judge, and what it adds to all others."),
        View("path", "judges chosen step by step, by what each adds for its cost."),
    ),
    examples=("people.txt gpt.txt llama.txt --cost people=40", "people.txt gpt.txt llama.txt --reference people"),
    formats=("latex", "markdown"),
)
def weigh_judges(
    judges: JudgesLike,
    *,
    reference: Annotated[
        str | None,
        Option(
            "What the others are compared with.",
            metavar="NAME",
            default="none: errors are learned from the agreement of judges",
        ),
    ] = None,
    cost: CostOption = 1.0,
    progress: Progress | None = None,
) -> JudgeWeights:
    """Weigh judges by their errors on pairs of documents, and say what one more adds to the others.

    Of each pair of documents one is truly better (T), either with the same chance. A judge who prefers one of them errs
    with its own chance e, independently of the others given T. Errors are learned on pairs of which two judges or more
    prefer a document, by expectation and maximization (Dawid & Skene 1979), or are the shares in which judges
    contradict the reference. An answer weighs log2((1 - e)/e), and with p the probability of T given Q_A, the answers
    of the others, judge B adds

        I(T; Q_B | Q_A) = h(p (1 - e) + (1 - p) e) - h(e) bits,   h(x) = -x log2 x - (1 - x) log2(1 - x)

    to a pair of which it prefers a document, and nothing to others: I(R; Q_B | Q_A) of a perfect system, R = T. Means
    are over the pairs of a topic of which any judge prefers a document (the reference, where there is one), then
    over topics. **Judges who err together look independent without a reference**: with one, ``measured`` says what
    they are worth, 1 + the mean of log2 P(T = the reference's order), with errors learned on the other topics. Of two
    judges alone nothing says who errs more, and both get one error.

    Args:
        judges: name -> judgments, or several, called by their names. From Python also ``Preferences``, and a ``Run``
            as a ranking whose order is an opinion.
        progress: called with how many topics are done, of how many.

    Raises:
        InputError: a file is refused, two have one name, or no pair of documents is shared.
        UsageError: fewer than two judges (beside the reference), or a name that no judge has.

    Sources: that sources should be weighed is left open by Golbus & Aslam 2013, doi:10.1145/2484028.2484073, section 8;
    the model is of Dawid & Skene 1979, doi:10.2307/2346806, with one chance of an error for each judge.

    >>> right, wrong = {"a": 3, "b": 2, "c": 1, "d": 0}, {"a": 0, "b": 1, "c": 2, "d": 3}
    >>> labels = {"people": right, "model": right | {"d": 1}, "other": right, "odd": wrong}
    >>> judges = {name: {"q": pool, "r": right if name == "odd" else pool} for name, pool in labels.items()}
    >>> weigh_judges(judges).judges.set_index("judge").loc[["people", "odd"], ["pairs", "error", "adds"]].round(2)
            pairs  error  adds
    judge
    people     12   0.04  0.03
    odd        12   0.50  0.00
    """
    sources = _name_sources(judges)
    if reference is not None and reference not in sources:
        raise UsageError(
            f"{quoted(reference)} is not the name of a judge: the judges are {', '.join(map(quoted, sources))}"
        )
    if len(sources) - (reference is not None) < 2:
        raise UsageError(f"two judges or more are weighed{'' if reference is None else ' beside the reference'}")
    names = [name for name in sources if name != reference]
    costs = _choose_costs(names, cost)
    ordered = [sources[name] for name in names] + ([] if reference is None else [sources[reference]])
    evidence = Evidence(*ordered)
    _require_memory(evidence)
    by_topic = []
    for signs in evidence.prefer():
        by_topic.append(signs if reference is None else signs[signs[:, -1] != 0])
        if progress is not None:
            progress(len(by_topic), len(evidence.qrels.topics))
    told = sum((np.count_nonzero(signs, axis=0) for signs in by_topic), np.zeros(len(ordered), dtype=np.int64))
    names_with_reference = [*names, *([] if reference is None else [reference])]
    warn_of_copies(zip(names_with_reference, (source.digest for source in ordered), told.tolist(), strict=True))
    model = _JudgeModel.learn([signs for signs in by_topic if len(signs)], len(names), reference is not None)
    settings = record_options(weigh_judges, locals(), cost=dict(zip(names, costs, strict=True)))
    digests = dict(zip(names_with_reference, evidence.digest, strict=True))
    return JudgeWeights(
        _tabulate(model, names, np.array(costs)),
        _follow(model, names, np.array(costs)),
        settings,
        signed("judge weights", settings, judges=digests),
    )


def _require_memory(evidence: Evidence) -> None:
    """Raises: InputError: the pairs of documents would not fit into the memory allowed."""
    documents = [len(labels) for labels in evidence.qrels.to_dict().values()]
    pairs = sum(count * (count - 1) // 2 for count in documents)
    require(
        BYTES * pairs * len(evidence.sources),
        f"{pairs:,} pairs of documents of {len(evidence.sources)} judges",
        "give fewer documents a topic, or fewer topics",
    )


def _name_sources(judges: JudgesLike) -> dict[str, Source]:
    """Return the sources by name; files of one name are called by their folders too."""
    if isinstance(judges, Mapping):
        return {str(name): _convert(source) for name, source in judges.items()}
    given = one_or_more(judges)
    if all(isinstance(source, (str, os.PathLike)) for source in given):
        paths = [as_text(source) for source in given]
        return {name: _convert(path) for name, path in zip(system_names(paths, "judgments"), paths, strict=True)}
    named: dict[str, Source] = {}
    for source in map(_convert, given):
        if source.name in named:
            raise InputError(f"two judges are called {quoted(source.name)}: give them as name -> judgments")
        named[source.name] = source
    return named


def _convert(source: SourceLike) -> Source:
    return source if isinstance(source, (Preferences, Run)) else convert_qrels(source)


def _choose_costs(names: Sequence[str], cost: float | Mapping[str, float]) -> list[float]:
    if not isinstance(cost, Mapping):
        return [float(cost)] * len(names)
    for name in cost:
        if name not in names:
            raise UsageError(
                f"{setting('cost')} names {quoted(name)}, and the judges are {', '.join(map(quoted, names))}"
            )
    return [float(cost.get(name, 1.0)) for name in names]


@dataclass(frozen=True)
class _JudgeModel:
    """Judges, their errors, and what they answered.

    Args:
        answers: of the judges, and of the reference behind them, where there is one.
        errors: chance of each judge, [judges].
        elsewhere: the same learned on the other topics, [topics, judges]; None without a reference.
        shared: pairs on which a judge can be compared, [judges].
    """

    answers: Answers
    errors: Floats
    elsewhere: Floats | None
    shared: Floats

    @classmethod
    def learn(cls, by_topic: Sequence[Any], judges: int, referenced: bool) -> _JudgeModel:
        """Learn the errors."""
        if not by_topic:
            raise InputError("no judge prefers one document to another: all labels of each topic are equal")
        answers = Answers.of(by_topic)
        spoken = np.abs(answers.sign)
        if referenced:
            wrong, told = (cells[:, :judges] for cells in count_errors(answers, judges))
            errors = error_shares(wrong.sum(axis=0), told.sum(axis=0))
            elsewhere = error_shares(wrong.sum(axis=0) - wrong, told.sum(axis=0) - told)
            shared: Floats = told.sum(axis=0)
        else:
            errors, elsewhere = fit_errors(answers), None
            shared = (answers.count * (spoken.sum(axis=1) > 1)) @ spoken
        if not shared.any():
            raise InputError("no two judges prefer a document of the same pair: nothing tells how often they err")
        return cls(answers, errors, elsewhere, shared)

    def judge_by(self, judges: Sequence[int]) -> Floats:
        """Log odds of the first answer of each row, given what these judges say, [rows]."""
        chosen = list(judges)
        return np.asarray(self.answers.sign[:, chosen] @ weights(self.errors[chosen]))

    def add(self, judge: int, sure: Floats) -> Floats:
        """Bits that a judge adds to others, whose log odds are known, [topics]."""
        return self.answers.average(added_bits(sure, np.abs(self.answers.sign[:, judge]), float(self.errors[judge])))

    def tell(self, chosen: Sequence[int]) -> tuple[float, float]:
        """Bits that judges say by the model, and of the reference's order by errors learned on other topics."""
        here, signs = list(chosen), self.answers.sign
        said = self.answers.average(1 - surprise(expit(signs[:, here] @ weights(self.errors[here])))).mean()
        if self.elsewhere is None:
            return float(said), np.nan
        learned = weights(self.elsewhere)[:, here][self.answers.group]
        right = signs[:, -1] * (signs[:, here] * learned).sum(axis=1)
        return float(said), float(self.answers.average(1 - np.logaddexp(0, -right) / np.log(2)).mean())


def _tabulate(model: _JudgeModel, names: Sequence[str], costs: Floats) -> pd.DataFrame:
    import pandas as pd

    every = range(len(names))
    adds = np.array([model.add(judge, model.judge_by([at for at in every if at != judge])) for judge in every])
    alone = np.array([model.add(judge, model.judge_by([])).mean() for judge in every])
    topics = adds.shape[1]
    error = adds.std(axis=1, ddof=1) / np.sqrt(topics) if topics > 1 else np.full(len(names), np.nan)
    spoken = model.answers.count @ np.abs(model.answers.sign)
    table = pd.DataFrame(
        {
            "judge": list(names),
            "pairs": spoken[: len(names)].astype(int),
            "shared": model.shared[: len(names)].astype(int),
            "error": model.errors,
            "weight": weights(model.errors) / np.log(2),
            "bits": alone,
            "adds": adds.mean(axis=1),
            "standard_error": error,
            "cost": costs,
            "adds_per_cost": adds.mean(axis=1) / costs,
        }
    )
    return table.sort_values("adds_per_cost", ascending=False, kind="stable", ignore_index=True)


def _follow(model: _JudgeModel, names: Sequence[str], costs: Floats) -> pd.DataFrame:
    """Judges chosen step by step."""
    import pandas as pd

    chosen: list[int] = []
    rows: list[dict[str, Any]] = []
    while len(chosen) < len(names):
        left = [judge for judge in range(len(names)) if judge not in chosen]
        sure = model.judge_by(chosen)
        adds = np.array([model.add(judge, sure).mean() for judge in left])
        best = int((adds / costs[left]).argmax())
        chosen.append(left[best])
        said, measured = model.tell(chosen)
        rows.append(
            {
                "size": len(chosen),
                "added": names[left[best]],
                "adds": adds[best],
                "adds_per_cost": adds[best] / costs[left[best]],
                "cost": costs[chosen].sum(),
                "bits": said,
            }
            | ({} if model.elsewhere is None else {"measured": measured})
        )
    return pd.DataFrame(rows)
