"""What a panel of judges is worth: how its members err together, which are needed, and what they say jointly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, listed, quoted, warn
from cranfield._typing import Floats
from cranfield._validation import check_integer, share, word
from cranfield.agreement._panel_tables import make_bias, make_drop, make_members, make_path
from cranfield.agreement._shared_labels import SharedLabels, share_labels
from cranfield.agreement.label_agreement import (
    Judges,
    Relevant,
    choose_levels,
    choose_reference,
    name_judges,
    sign_judges,
)
from cranfield.agreement.label_combination import refuse_names_of_methods
from cranfield.collection.qrels import Qrels
from cranfield.errors import InputError, UsageError
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.statistics.error_correlation import (
    EffectiveJudges,
    ErrorMoments,
    Interval,
    correlations,
    estimate_effective_judges,
)

if TYPE_CHECKING:
    import pandas as pd

Errors: TypeAlias = Literal["relevant", "grade"]
RESAMPLES = 2000
FEW_TOPICS = 15
"""Below, intervals cover too little."""
NOISY_REFERENCE = (
    "about two effective votes is what perfectly independent judges show against a reference that errs as often as "
    "they do: errors of the reference look like errors that all judges share"
)
"""What stands beside every number of effective judges."""


@dataclass(frozen=True, eq=False, repr=False)
class Panel(Result):
    """How the errors of several judges go together, and what follows for the panel.

    Args:
        effective: a row for errors as they are (``given`` is none), and one for errors centred within each class or
            grade of the reference (``given`` is reference): ``judges``, ``documents``, ``topics``; ``rho`` (``rho_low``
            to ``rho_high``), the mean correlation of two judges' errors; ``n_eff`` (``n_eff_low`` to ``n_eff_high``),
            the number of independent judges; its ``limit`` 1 / rho for ever more such judges; ``participation``
            (``participation_low`` to ``participation_high``), the number of directions that errors have;
            ``n_variance``, the judges of mean variance that the panel's mean is worth. Intervals are over topics.
        errors: a row for each ``judge`` and ``other``: the ``correlation`` of their errors, and
            ``correlation_given`` the reference.
        bias: a row for each ``judge`` and ``grade`` of the reference (0 and 1 for relevant or not): ``documents``,
            ``topics``, mean error ``bias`` (``bias_low`` to ``bias_high``), and the shares ``over`` (``over_low`` to
            ``over_high``) and ``under`` (``under_low`` to ``under_high``) the reference. The reference's lowest grade
            can only be overrated and its highest underrated.
        members: a row for each judge and each way of combining all of them (``labels_of``; ``combined``): ``kappa``
            with the reference (quadratic for grades), ``accuracy`` (the share of equal labels), share ``relevant``;
            ``gain``, what kappa exceeds the best judge's by, with its interval over resampled topics ``gain_low`` to
            ``gain_high``; ``if_independent``, the accuracy that the majority would have if judges erred independently;
            ``certainty`` of Dawid and Skene's model, which is not a probability; a judge's ``weight`` in the weighted
            vote.
        drop: a row for each ``judge``, of relevant or not: ``n_eff``, ``squared_error`` of the mean vote and
            ``kappa_change`` of the majority without it, with its interval over resampled topics ``low`` to ``high``;
            ``drop``, whether that is above 0.
        path: a row for each ``size`` of a panel chosen step by step: the judge ``added``, the ``squared_error`` of the
            mean vote, the error ``held_out`` on topics that the choice did not see, and whether that size is
            ``enough``: the smallest within 1 % of the least.
        documents: those that the reference and all judges labelled.
        left_out: those that one of them did not label.
        faultless: judges without errors, which are left out of correlations.
        note: what must be known to read ``n_eff``.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

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

    def _tables(self) -> Tables:
        return {
            "effective": lambda: tidy(self.effective),
            "errors": lambda: tidy(self.errors),
            "bias": lambda: tidy(self.bias),
            "members": lambda: tidy(self.members),
            "drop": lambda: tidy(self.drop),
            "path": lambda: tidy(self.path),
        }


def estimate_panel(
    judges: Judges,
    *,
    reference: str | None = None,
    relevant: Relevant = 1,
    errors: Errors = "relevant",
    second_reference: str | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> Panel:
    """Estimate how many independent judges a panel is worth, whom it needs, and what its joint labels are worth.

    With R the correlations of the errors of m judges over the documents that the reference and all of them labelled,

        rho = mean of R_ij over pairs,   n_eff = m / (1 + (m - 1) rho)  (Kish),
        participation = m^2 / sum of R_ij^2,   n_variance = m tr(S) / sum of S_ij  (S their covariance).

    The error of ``relevant`` is whether judge and reference differ on relevant or not, that of ``grade`` the difference
    of labels. **A noisy reference makes independent judges look dependent**: judges and a reference who err with the
    same chance e have rho = (1 - 2e)^2 / (2 (1 - 2e + 2e^2)), .39 at e = .1, and so about two effective votes, however
    independent they are. Two independent references remove that, for grades.

    Intervals of effective numbers are jackknives over topics; of nominal .95 they cover .94 to .89 with 15 topics, .91
    with 25 and .93 to .89 with 50 (weak to strong effects of topics). Intervals of kappa resample topics.

    Args:
        judges: name -> judgments, or several, called by their names, the reference among them; of several labels of a
            document the largest counts.
        reference: what the others are compared with; the first, by default.
        relevant: smallest relevant label, for all, or by name (1 for those left out).
        errors: ``relevant`` or ``grade``.
        second_reference: judgments that err independently of the reference, for ``grade``: S is then the mean of
            cov(l_i - A, l_j - B) and cov(l_i - B, l_j - A), also for i = j.
        level: of the intervals, in (0, 1).
        resamples, seed: of the topics, for intervals of kappa.

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
    _check_options(errors, level, resamples, seed)
    judgments = name_judges(judges)
    chosen, levels = choose_reference(judgments, reference), choose_levels(judgments, relevant)
    references = _choose_references(judgments, chosen, second_reference, errors)
    refuse_names_of_methods(judgments, ("majority", "weighted", "plurality", "median", "mean", "dawid-skene"))
    shared = share_labels(judgments, levels, references)
    if errors == "grade":
        _refuse_other_grades(judgments, shared, chosen)
    _warn_of_few_topics(len(shared.topics))
    settings: dict[str, Any] = {
        "errors": errors,
        "reference": chosen,
        "second_reference": second_reference,
        "relevant": levels,
    }
    settings |= {"level": level, "resamples": resamples, "seed": seed}
    effective, pairs, faultless = _correlate(shared, references, errors, level)
    draws: dict[str, Any] = {"level": level, "resamples": resamples, "seed": seed}
    return Panel(
        effective,
        pairs,
        make_bias(shared, chosen, errors, level),
        make_members(shared, chosen, errors, levels[chosen], **draws),
        make_drop(shared, chosen, **draws),
        make_path(shared, chosen),
        len(shared.keys),
        shared.left_out,
        faultless,
        NOISY_REFERENCE,
        settings,
        signed("panel of judges", settings, judges=sign_judges(judgments)),
    )


def _check_options(errors: str, level: float, resamples: int, seed: int) -> None:
    word("errors", errors, get_args(Errors))
    share(level=level)
    check_integer(1, resamples=resamples)
    check_integer(0, seed=seed)


def _choose_references(judgments: Mapping[str, Qrels], chosen: str, second: str | None, errors: str) -> tuple[str, ...]:
    """Check the references, and that two judges remain beside them."""
    references: tuple[str, ...] = (chosen,)
    if second is not None:
        if errors != "grade":
            given = setting("second_reference", second)
            raise UsageError(f"{given} is for differences of labels: {setting('errors', 'grade')}")
        if choose_reference(judgments, second) == chosen:
            raise UsageError(f"{quoted(second)} is the reference already: the second must be another")
        references += (second,)
    beside = len(judgments) - len(references)
    if beside < 2:
        raise UsageError(f"a panel has at least two judges beside the reference, and there is {beside}")
    return references


def _warn_of_few_topics(topics: int) -> None:
    if topics < FEW_TOPICS:
        warn(f"{counted(topics, 'topic')}: intervals over fewer than {FEW_TOPICS} topics are too short")


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
                f"{setting('errors', 'relevant')}",
                judgments[name].location,
                code="label-range",
            )


def _correlate(
    shared: SharedLabels, references: Sequence[str], errors: str, level: float
) -> tuple[pd.DataFrame, pd.DataFrame, tuple[str, ...]]:
    """Correlate errors as they are and given the reference: ``effective``, ``errors``, and judges without errors."""
    import pandas as pd

    if errors == "relevant":
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
    none = Interval(*[float("nan")] * 3)
    one = none._replace(value=1.0) if judges else none
    return EffectiveJudges(none, one, one, one.value)


def _spread_numbers(numbers: EffectiveJudges) -> dict[str, float]:
    row: dict[str, float] = {}
    for name in ("rho", "n_eff", "participation"):
        interval: Interval = getattr(numbers, name)
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
