"""This package as a tool under test: a case becomes a call of ``evaluate``, as users make it."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from typing import Any

from cranfield.collection import InputOptions, Qrels, Run
from cranfield.conformance.cases import ConformanceCase, ExactLabels
from cranfield.errors import CranfieldWarning, InputError, MeasureError
from cranfield.evaluation import evaluate
from cranfield.measures import parse_measure, summary

TIES = {
    "none": "trec",
    "docid-descending": "trec",
    "docid-ascending": "docid",
    "file-order": "file",
    "expected": "expected",
}
NAMES = {
    "alpha_dcg": "alpha-DCG",
    "alpha_ndcg": "alpha-nDCG",
    "ap": "AP",
    "ap11": "11pt",
    "ap_ia": "AP-IA",
    "bpref": "Bpref",
    "d_ndcg": "D-nDCG",
    "d_q": "D-Q",
    "d_sharp_ndcg": "D#-nDCG",
    "dcg": "DCG",
    "err": "ERR",
    "err_ia": "ERR-IA",
    "f": "F1",
    "gmap": "GMAP",
    "hit_rate": "Success",
    "i_rec": "I-rec",
    "inf_ap": "infAP",
    "iprec": "IPrec",
    "judged": "Judged",
    "ncg": "NCG",
    "ndcg": "nDCG",
    "ndcg_0": "NDCG_0",
    "ndcg_ia": "nDCG-IA",
    "ndcg_min": "NDCG_min",
    "ndcg_org": "NDCG_org",
    "ndcg_std": "NDCG_std",
    "nerr": "nERR",
    "nerr_ia": "nERR-IA",
    "nnrbp": "nNRBP",
    "nrbp": "NRBP",
    "num_rel_ret": "NumRelRet",
    "p_ia": "P-IA",
    "precision": "P",
    "q": "Q",
    "r_precision": "Rprec",
    "rbp": "RBP",
    "rbp_residual": "RBPResidual",
    "recall": "R",
    "ric": "RIC",
    "rr": "RR",
    "sdcg": "SDCG",
    "set_f": "SetF",
    "set_precision": "SetP",
    "set_recall": "SetR",
    "unjudged": "Unjudged",
}
"""The names of the suite's measures here."""
NOT_OFFERED = {
    ("denominator", "retrieved"): "precision is divided by k here",
    ("denominator", "found"): "average precision is not divided by the relevant documents retrieved here",
    ("rounding", "up"): "a level of recall is rounded to the nearest count here",
    ("dcg_depth", "k"): "NDCG_std is cut at min(k, m) throughout here",
}
"""Parameters of the suite that no measure of this package has."""
UNLEVELLED = {"ndcg_ia", "d_ndcg"}
"""Measures whose gains need no smallest relevant label here."""


def answer(case: ConformanceCase) -> dict[str, Any]:
    """The answer of this package to a case, in the form that ``run`` takes from a tool."""
    for parameter, reason in NOT_OFFERED.items():
        if case.measure.get(parameter[0]) == parameter[1]:
            return {"id": case.id, "unsupported": reason}
    if case.measure["name"] == "recall" and case.measure["denominator"] == "min(k,R)":
        return {"id": case.id, "unsupported": "recall is divided by R here"}
    if case.policy["undefined"] == "one":
        return {"id": case.id, "unsupported": "an undefined value counts 0 or is left out here"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        try:
            return _evaluate(case)
        except InputError as error:
            return {"id": case.id, "refused": str(error)}
        except MeasureError:
            if case.policy["ties"] != "expected":
                raise
            # The measure's mean over orders of equal scores has no closed form.
            return {"id": case.id, "unsupported": "this measure has no mean over orders of equal scores here"}


def _evaluate(case: ConformanceCase) -> dict[str, Any]:
    measure = parse_measure(measure_text(case))
    weights = {
        topic: {intent: float(Fraction(weight)) for intent, weight in entries.items()}
        for topic, entries in case.document.get("intent_weights", {}).items()
    }
    reading = InputOptions(
        ties=TIES[case.policy["ties"]],  # type: ignore[arg-type]
        missing="skip" if case.policy["missing"] == "skip" else "empty",
        undefined="keep" if case.policy["undefined"] == "skip" else "declared",
        on_duplicate="first" if case.policy["duplicates"] == "first" else "error",
        intent_weights=weights or None,
    )
    # A mapping could not hold two lines of one document.
    rows = [(topic, line.document, line.score) for topic, lines in case.run.items() for line in lines]
    scores = evaluate({"run": Run.from_rows(rows)}, _make_qrels(case), [measure], reading=reading)
    [variable] = scores.data_vars.values()
    values = variable.sel(system="run")
    mean = summary(variable.attrs["summary"], values.to_numpy()[None, :])[0]
    topics = dict(zip(map(str, values["topic"].values), values.to_numpy().tolist(), strict=True))
    return {"id": case.id, "topics": {name: _or_null(value) for name, value in topics.items()}, "mean": _or_null(mean)}


def _or_null(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _make_qrels(case: ConformanceCase) -> Qrels:
    labels: dict[str, Any] = {}
    for topic in case.qrels:
        flat, intents = case.get_labels(topic)
        labels[topic] = {intent: _floats(entries) for intent, entries in intents.items()} or _floats(flat)
    return Qrels.from_dict(labels)


def _floats(labels: ExactLabels) -> dict[str, float]:
    return {document: float(label) for document, label in labels.items()}


def measure_text(case: ConformanceCase) -> str:
    """The measure of a case as this package writes it, such as ``nDCG(dcg="exp-log2")@3``."""
    parameters = case.measure
    name = "bpref_R" if parameters.get("reading") == "R" else NAMES[parameters["name"]]
    settings: dict[str, Any] = {}
    if "rel" in parameters and parameters["name"] not in UNLEVELLED and parameters.get("max_grade") is None:
        settings["rel"] = parameters["rel"]
    for key in ("alpha", "beta", "gamma", "p"):
        if key in parameters:
            settings[key] = float(Fraction(parameters[key]))
    if "denominator" in parameters and parameters["name"] in ("ap", "q"):
        settings["denominator"] = "min" if parameters["denominator"] == "min(k,R)" else "R"
    if "stop" in parameters:
        settings["stop"] = parameters["stop"]
    if parameters.get("max_grade") is not None:
        settings["max_rel"] = parameters["max_grade"]
    settings |= _gain_settings(case)
    cutoff = parameters.get("cutoff") or parameters.get("recall")
    suffix = "" if cutoff is None else f"@{float(Fraction(cutoff)):g}"
    return f"{name}({','.join(f'{key}={_write(value)}' for key, value in settings.items())}){suffix}"


def _gain_settings(case: ConformanceCase) -> dict[str, Any]:
    parameters = case.measure
    settings: dict[str, Any] = {}
    if parameters.get("gain") == "exp":
        settings["dcg"] = "exp-log2"
    if parameters.get("gain") == "binary":
        labels = {label for topic in case.qrels for label in case.get_labels(topic)[0].values() if label > 0}
        settings["gains"] = {float(label): 1 for label in sorted(labels - {1})}
    if parameters.get("discount") == "max(1,log2(rank))":
        settings["discount"] = "jk"
    return {key: value for key, value in settings.items() if value != {}}


def _write(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{label:g}:{gain}" for label, gain in value.items()) + "}"
    return f'"{value}"' if isinstance(value, str) else f"{value:g}"
