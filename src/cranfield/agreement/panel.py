"""The worth of a panel of judges: how its members err together, which are needed, and what they say jointly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, listed, quoted, shown, warn
from cranfield._typing import Floats, Progress
from cranfield.agreement._panel_tables import make_bias, make_drop, make_members, make_path
from cranfield.agreement._shared_labels import SharedLabels, share_labels
from cranfield.agreement.judges import (
    Judges,
    choose_levels,
    choose_reference,
    name_judges,
    sign_judges,
    warn_of_equal_judges,
)
from cranfield.agreement.label_combination import CERTAINTY, refuse_names_of_methods
from cranfield.collection.qrels import Qrels
from cranfield.declarations.analysis import FromJudges, View, analysis
from cranfield.declarations.checks import GIVEN, Rule
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import JudgeLevelsOption, LevelOption, ReferenceOption, SeedOption
from cranfield.errors import InputError, UsageError
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.statistics.error_correlation import (
    EffectiveJudges,
    ErrorMoments,
    ValueInterval,
    correlations,
    estimate_effective_judges,
)
from cranfield.statistics.test_names import INTERVAL_RESAMPLES

if TYPE_CHECKING:
    import pandas as pd

ErrorKind: TypeAlias = Literal["relevant", "grade"]
FEW_TOPICS = 15
"""Below, intervals cover too little."""
NOISY_REFERENCE = (
    "about two effective votes is what perfectly independent judges show against a reference that errs as often as "
    "they do: errors of the reference look like errors that all judges share"
)
"""The caution beside every number of effective judges."""
EFFECTIVE = (
    "limit: n_eff with ever more such judges; participation: number of directions that errors have; n_variance: judges "
    "of mean variance that the panel's mean is worth"
)
"""The columns of effective numbers that the help of the command does not explain."""
INTERVAL = {
    name: (Column(f"{name}_low"), Column(f"{name}_high"))
    for name in ("rho", "n_eff", "participation", "bias", "over", "under", "gain")
}
"""Number -> the columns of its interval over topics."""
DRAWN = ("resamples", "seed")
OF_ERRORS = ("error_kind", "second_reference")
"""Options that say nothing of relevant or not."""
OF_LABELS = Rule(
    {"error_kind": "grade", "rel": GIVEN},
    "{rel} changes nothing with {error_kind=grade}, which compares labels: leave it out",
)


@dataclass(frozen=True, eq=False, repr=False)
class Panel(Result):
    """Dependence between the errors of several judges, and what follows for the panel.

    Args:
        effective: a row for errors as they are (``given`` is none), and one for errors centred within each class or
            grade of the reference (``given`` is reference).
        errors: a row for every two judges.
        bias: a row for each judge and grade of the reference, 0 and 1 for relevant or not. The reference's lowest grade
            can only be overrated and its highest underrated.
        members: a row for each judge, and for each way of combining all of them.
        drop: a row for each judge, of relevant or not.
        path: a row for each size of a panel chosen step by step.
        documents: those that the reference and all judges labelled.
        left_out: those that one of them did not label.
        faultless: judges without errors, which are left out of correlations.
        note: what must be known to read ``n_eff``.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "effective": (
            Column("given", "what errors are centred by"),
            Column("judges", "those with errors"),
            Column("documents"),
            Column("topics"),
            Column("rho", "mean correlation of two judges' errors"),
            *INTERVAL["rho"],
            Column("n_eff", "number of independent judges, m / (1 + (m - 1) rho)"),
            *INTERVAL["n_eff"],
            Column("limit", "n_eff with ever more such judges, 1 / rho"),
            Column("participation", "number of directions that errors have"),
            *INTERVAL["participation"],
            Column("n_variance", "judges of mean variance that the panel's mean is worth"),
        ),
        "errors": (
            Column("judge"),
            Column("other"),
            Column("correlation", "that of the errors of both"),
            Column("correlation_given", "the same given the reference"),
        ),
        "bias": (
            Column("judge"),
            Column("grade", "label by the reference"),
            Column("documents"),
            Column("topics"),
            Column("bias", "mean error"),
            *INTERVAL["bias"],
            Column("over", "share of documents that the judge labels higher than the reference"),
            *INTERVAL["over"],
            Column("under", "share that it labels lower"),
            *INTERVAL["under"],
        ),
        "members": (
            Column("labels_of", "the judge, or the way of combining"),
            Column("combined", "whether these are combined labels"),
            Column("kappa", "agreement with the reference, quadratic for grades"),
            Column("accuracy", "share of equal labels"),
            Column("relevant", "share of relevant documents"),
            Column("gain", "what kappa exceeds the best judge's by, with its interval over resampled topics"),
            *INTERVAL["gain"],
            Column("if_independent", "accuracy that the majority would have if judges erred independently"),
            Column("certainty", "of Dawid and Skene's model; it is not a probability"),
            Column("weight", "that of a judge in the weighted vote"),
        ),
        "drop": (
            Column("judge", "the one that is left out"),
            Column("n_eff", "number of independent judges without it"),
            Column("squared_error", "that of the mean vote without it"),
            Column("kappa_change", "change of the majority's kappa, with its interval over resampled topics"),
            Column("low"),
            Column("high"),
            Column("drop", "whether the change is above 0"),
        ),
        "path": (
            Column("size", "judges of the panel"),
            Column("added", "the judge that is added"),
            Column("squared_error", "that of the mean vote"),
            Column("held_out", "its error on topics that the choice did not see"),
            Column("enough", "whether this is the smallest size within 1% of the least error"),
        ),
    }
    effective: pd.DataFrame
    errors: pd.DataFrame
    bias: pd.DataFrame
    members: pd.DataFrame
    drop: pd.DataFrame
    path: pd.DataFrame
    documents: int
    left_out: int
    faultless: tuple[str, ...]
    note: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The rows of a table; grades that are all whole numbers are printed so."""
        rows = self.to_frame(table)
        if table == "bias" and (rows["grade"] % 1 == 0).all():
            return rows.assign(grade=rows["grade"].astype(int))
        return rows

    def caption(self, table: str) -> str:
        """Describe what was compared, and what must be known to read it."""
        judges = counted(int(self.effective["judges"].iloc[0]) + len(self.faultless), "judge")
        left_out = f", {self.left_out:,} left out that not all judged" if self.left_out else ""
        sizes = f"{judges}; {counted(self.documents, 'document')}{left_out}"
        has_intervals = any(column.name.endswith("low") for column in self.table_columns[table])
        intervals = f"; intervals {self.settings['level']:g}, over topics" if has_intervals else ""
        lines = [f"reference {shown(self.settings['reference'])}; {sizes}{intervals}"]
        match table:
            case "effective":
                lines.append(EFFECTIVE)
            case "drop":
                dropped = [shown(judge) for judge in self.drop["judge"][self.drop["drop"]]]
                names = f"any one of {', '.join(dropped)}" if len(dropped) > 1 else "".join(dropped)
                lines.append(
                    f"without {names} the majority's kappa is significantly higher"
                    if dropped
                    else "the majority's kappa is not significantly higher without any of the judges"
                )
            case "members" if self.members["certainty"].notna().any():
                lines.append(CERTAINTY)
            case "path" if self.path["enough"].any():
                size = int(self.path["size"][self.path["enough"]].iloc[0])
                lines.append(
                    f"{counted(size, 'judge')} are enough: the error on other topics is within 1% of the least"
                )
        return "\n".join([*lines, self.note])


@analysis(
    "judges panel",
    "Estimate how many independent judges a panel is worth, and whom it needs.",
    FromJudges(least=3, progress="making tables"),
    views=(
        View("effective", "how many independent judges the panel is worth.", unused=DRAWN, rules=(OF_LABELS,)),
        View("errors", "correlations of errors.", unused=("level", *DRAWN), rules=(OF_LABELS,)),
        View("bias", "over- and underrating by grade.", unused=DRAWN, rules=(OF_LABELS,)),
        View("members", "agreement of every judge and of combined labels."),
        View("drop", "the panel without each judge.", unused=OF_ERRORS),
        View(
            "path",
            "panels chosen step by step, and their error on other topics.",
            unused=(*OF_ERRORS, "level", *DRAWN),
        ),
    ),
    guide=(
        "Estimate how many independent judges several are worth, and which of them are needed.\n\n"
        "The first QRELS is the reference. Only documents that all of them judged count. rho is the mean correlation "
        "of two judges' errors, n_eff = m / (1 + (m - 1) rho); in the row given=reference, errors are centred within "
        "each label of the reference."
    ),
    examples=("human.txt gpt.txt llama.txt", "human.txt gpt.txt llama.txt --rel 2 --show members"),
    formats=("latex", "markdown"),
)
def estimate_panel(
    judges: Judges,
    *,
    reference: ReferenceOption = None,
    rel: JudgeLevelsOption = 1,
    error_kind: Annotated[
        ErrorKind,
        Option("What an error is: another verdict on relevant or not, or the difference of labels."),
    ] = "relevant",
    second_reference: Annotated[
        str | None,
        Option(
            "Judgments whose errors are independent of the reference's, so that these can be removed "
            "({error_kind=grade}); S is then the mean of cov(l_i - A, l_j - B) and cov(l_i - B, l_j - A), also for "
            "i = j.",
            metavar="NAME",
        ),
    ] = None,
    level: LevelOption = 0.95,
    resamples: Annotated[int, Option("Bootstrap samples of topics, for kappa.", low=1)] = INTERVAL_RESAMPLES,
    seed: SeedOption = 1,
    progress: Progress | None = None,
) -> Panel:
    """Estimate how many independent judges a panel is worth, whom it needs, and what its joint labels are worth.

    With R the correlations of the errors of m judges over the documents that the reference and all of them labelled,

        rho = mean of R_ij over pairs,   n_eff = m / (1 + (m - 1) rho)  (Kish),
        participation = m^2 / sum of R_ij^2,   n_variance = m tr(S) / sum of S_ij  (S their covariance).

    An error of kind ``relevant`` is that judge and reference differ on relevant or not, one of ``grade`` the difference
    of labels. **A noisy reference makes independent judges look dependent**: judges and a reference who err with the
    same chance e have rho = (1 - 2e)^2 / (2 (1 - 2e + 2e^2)), .39 at e = .1, and so about two effective votes, however
    independent they are. Two independent references remove that, for grades.

    Intervals of effective numbers are jackknives over topics; of nominal .95 they cover .94 to .89 with 15 topics, .91
    with 25 and .93 to .89 with 50 (weak to strong effects of topics). Intervals of kappa resample topics.

    Args:
        judges: name -> judgments, or several, called by their names, the reference among them; of several labels of a
            document the largest counts.
        progress: called with how many tables are done, of how many.

    Raises:
        InputError: no common document, a label outside the reference's range for ``grade``, or two of one name.
        UsageError: fewer than two judges beside the references, an unknown name, or a second reference for
            ``relevant``.

    References:
        Kish 1965, Survey Sampling.
        Eckhardt & Lee 1985, A theoretical basis for the analysis of multiversion software subject to coincident errors.
        IEEE Transactions on Software Engineering SE-11(12). doi:10.1109/TSE.1985.231895
        Kohli 2026, Nine judges, two effective votes: correlated errors undermine LLM evaluation panels.
        arXiv:2605.29800 (its abstract: what is said here of references and intervals is not taken from it)
    """
    judgments = name_judges(judges)
    chosen, levels = choose_reference(judgments, reference), choose_levels(judgments, rel)
    references = _choose_references(judgments, chosen, second_reference, error_kind)
    refuse_names_of_methods(judgments, ("majority", "weighted", "plurality", "median", "mean", "dawid-skene"))
    warn_of_equal_judges(judgments, levels)
    report, tables = progress or (lambda done, of: None), len(Panel.table_columns)
    report(0, tables)
    shared = share_labels(judgments, levels, references)
    if error_kind == "grade":
        _refuse_other_grades(judgments, shared, chosen)
    if len(shared.topics) < FEW_TOPICS:
        text = f"intervals over fewer than {FEW_TOPICS} topics are too short"
        warn(f"{counted(len(shared.topics), 'topic')}: {text}")
    settings = record_options(estimate_panel, locals(), reference=chosen, rel=levels)
    draws: dict[str, Any] = {"level": level, "resamples": resamples, "seed": seed}
    effective, pairs, faultless = _correlate(shared, references, error_kind, level)
    report(2, tables)
    bias = make_bias(shared, chosen, error_kind, level)
    report(3, tables)
    members = make_members(shared, chosen, error_kind, levels[chosen], **draws)
    report(4, tables)
    drop = make_drop(shared, chosen, **draws)
    report(5, tables)
    path = make_path(shared, chosen)
    report(6, tables)
    return Panel(
        effective,
        pairs,
        bias,
        members,
        drop,
        path,
        len(shared.keys),
        shared.left_out,
        faultless,
        NOISY_REFERENCE,
        settings,
        signed("panel of judges", settings, judges=sign_judges(judgments)),
    )


def _choose_references(
    judgments: Mapping[str, Qrels], chosen: str, second: str | None, error_kind: str
) -> tuple[str, ...]:
    """Check the references, and that two judges remain beside them."""
    references: tuple[str, ...] = (chosen,)
    if second is not None:
        if error_kind != "grade":
            given = setting("second_reference", second)
            raise UsageError(f"{given} is for differences of labels: {setting('error_kind', 'grade')}")
        if choose_reference(judgments, second) == chosen:
            raise UsageError(f"{quoted(second)} is the reference already: the second must be another")
        references += (second,)
    beside = len(judgments) - len(references)
    if beside < 2:
        raise UsageError(f"a panel has at least two judges beside the reference, and there is {beside}")
    return references


def _refuse_other_grades(judgments: Mapping[str, Qrels], shared: SharedLabels, chosen: str) -> None:
    """Refuse labels outside the reference's range: their differences mean nothing."""
    grades = judgments[chosen].grade
    low, high = float(grades.min()), float(grades.max())
    columns = {name: shared.labels[:, number] for number, name in enumerate(shared.names)}
    columns |= {name: labels for name, labels in shared.references.items() if name != chosen}
    for name, labels in columns.items():
        beyond = labels[(labels < low) | (labels > high)]
        if len(beyond):
            raise InputError(
                f"{quoted(name)} uses the label {beyond[0]:g}, and {quoted(chosen)} labels from {low:g} to {high:g}: "
                "grades must mean the same; compare relevant or not instead, with "
                f"{setting('error_kind', 'relevant')}",
                judgments[name].location,
                code="label-range",
            )


def _correlate(
    shared: SharedLabels, references: Sequence[str], error_kind: str, level: float
) -> tuple[pd.DataFrame, pd.DataFrame, tuple[str, ...]]:
    """Correlate errors as they are and given the reference: ``effective``, ``errors``, and judges without errors."""
    import pandas as pd

    if error_kind == "relevant":
        truth = shared.relevant[references[0]]
        differences = (shared.votes != truth[:, None]).astype(np.float64)
    else:
        truth = shared.references[references[0]]
        differences = shared.labels - truth[:, None]
    erring = differences.any(axis=0)
    faultless = tuple(name for name, errs in zip(shared.names, erring, strict=True) if not errs)
    if faultless:
        warn(f"{listed(faultless, 'judge')} without errors: left out of correlations and effective numbers")
    differences = differences[:, erring]
    names = [name for name in shared.names if name not in faultless]
    second = None if len(references) < 2 else (shared.labels - shared.references[references[1]][:, None])[:, erring]
    groups = {"none": np.zeros(len(truth), dtype=np.int64)}
    if second is None:
        groups["reference"] = np.unique(truth, return_inverse=True)[1].astype(np.int64)
    rows, matrices = [], {}
    for given, group in groups.items():
        moments = ErrorMoments.from_errors(differences, shared.topic, group, second)
        matrices[given] = correlations(moments.covariance()) if names else np.empty((0, 0))
        _warn_of_constants(names, matrices[given], given)
        numbers = estimate_effective_judges(moments, level) if len(names) > 1 else _no_numbers(len(names))
        rows.append(
            {"given": given, "judges": len(names), "documents": len(truth), "topics": len(shared.topics)}
            | _spread_numbers(numbers)
        )
    return pd.DataFrame(rows), _list_pairs(names, matrices), faultless


def _no_numbers(judges: int) -> EffectiveJudges:
    """The numbers of at most one judge with errors."""
    none = ValueInterval(*[float("nan")] * 3)
    one = none._replace(value=1.0) if judges else none
    return EffectiveJudges(none, one, one, one.value)


def _spread_numbers(numbers: EffectiveJudges) -> dict[str, float]:
    row: dict[str, float] = {}
    for name in ("rho", "n_eff", "participation"):
        interval: ValueInterval = getattr(numbers, name)
        row |= {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
        if name == "n_eff":
            row["limit"] = 1.0 / numbers.rho.value if numbers.rho.value > 0 else float("nan")
    return row | {"n_variance": numbers.n_variance}


def _warn_of_constants(names: Sequence[str], matrix: Floats, given: str) -> None:
    """Name the judges whose errors do not vary, so that no number is defined."""
    constant = [name for name, value in zip(names, np.diagonal(matrix), strict=True) if np.isnan(value)]
    if constant:
        within = " within the classes of the reference" if given == "reference" else ""
        warn(f"{listed(constant, 'judge')}: errors do not vary{within}, and correlations are undefined (nan)")


def _list_pairs(names: Sequence[str], matrices: Mapping[str, Floats]) -> pd.DataFrame:
    import pandas as pd

    left, right = np.triu_indices(len(names), 1)
    none = np.full(len(left), np.nan)
    columns: dict[str, Any] = {"judge": [names[int(at)] for at in left], "other": [names[int(at)] for at in right]}
    columns["correlation"] = matrices["none"][left, right]
    columns["correlation_given"] = matrices["reference"][left, right] if "reference" in matrices else none
    return pd.DataFrame(columns)
