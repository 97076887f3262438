"""Make the suite: every measure on every input that it takes, of which the cases that show most are published."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from cranfield.conformance._reference_topic import NotApplicableError
from cranfield.conformance.cases import (
    CHOICES,
    DENOMINATORS,
    FORMAT,
    FRACTION_PATTERN,
    ID_PATTERN,
    KEYS,
    LONGEST_ID,
    MOST_DOCUMENTS,
    MOST_LABEL,
    MOST_WHOLE,
    NULLABLE,
    OPTIONAL_PARAMETERS,
    PARAMETERS,
    POLICIES,
    ConformanceCase,
    check_ids,
    make_case,
    write_case,
)
from cranfield.conformance.error_classes import ERROR_CLASSES
from cranfield.conformance.exact_numbers import Exact, write_decimal
from cranfield.conformance.reference import ExactValues, RefusedDuplicateError, compute_values, compute_wrong_means
from cranfield.conformance.scenarios import SCENARIOS, Scenario, label_kinds
from cranfield.errors import InputError, UsageError
from cranfield.io.atomic_write import make_folder, together

MeasureParameters = Mapping[str, Any]
SHOWN_BY = 2
"""Cases that show a mistake in a measure, at least, where the pool has them."""
LEVEL_TWO = {"threshold"}
ADDED = {"duplicate-again-below": 1, "duplicate-again-below-unjudged": 1, "duplicates-last": 1}
"""Input or class of mistakes -> the minor version of the suite that added it; others are of the first version."""


@dataclass(frozen=True, slots=True)
class MeasureVariant:
    """A measure with parameters.

    Attributes:
        slug: its name in the id of a case.
        measure: its name in the suite and all its parameters.
        labels: ``binary``, ``graded`` or ``intents``: the inputs that it is tried on.
    """

    slug: str
    measure: MeasureParameters
    labels: str


def _at(
    slug: str, name: str, cutoffs: tuple[int | None, ...], labels: str, **parameters: Any
) -> Iterator[MeasureVariant]:
    """A measure at each of some cutoffs."""
    for cutoff in cutoffs:
        suffix = "" if cutoff is None else f"-at-{cutoff}"
        yield MeasureVariant(f"{slug}{suffix}", {"name": name, "cutoff": cutoff, **parameters}, labels)


def _uncut(slug: str, name: str, labels: str, **parameters: Any) -> Iterator[MeasureVariant]:
    yield MeasureVariant(slug, {"name": name, **parameters}, labels)


JK = "max(1,log2(rank))"
LOG = "log2(rank+1)"


def _binary_variants() -> Iterator[MeasureVariant]:
    for level, suffix in ((1, ""), (2, "-rel-2")):
        yield from _at(f"precision{suffix}", "precision", (1, 3, 5), "binary", rel=level, denominator="k")
        yield from _at(f"recall{suffix}", "recall", (1, 3, 5), "binary", rel=level, denominator="R")
        yield from _at(f"f1{suffix}", "f", (3, 10), "binary", rel=level)
        yield from _at(f"hit-rate{suffix}", "hit_rate", (1, 3), "binary", rel=level)
        yield from _at(f"rr{suffix}", "rr", (None, 3), "binary", rel=level)
        yield from _at(f"ap{suffix}", "ap", (None, 3, 10), "binary", rel=level, denominator="R")
        yield from _uncut(f"r-precision{suffix}", "r_precision", "binary", rel=level)
        yield from _uncut(f"set-precision{suffix}", "set_precision", "binary", rel=level)
        yield from _uncut(f"set-recall{suffix}", "set_recall", "binary", rel=level)
        yield from _uncut(f"set-f{suffix}", "set_f", "binary", rel=level)
        yield from _uncut(f"gmap{suffix}", "gmap", "binary", rel=level, floor="1/100000")
        yield from _uncut(f"num-rel-ret{suffix}", "num_rel_ret", "binary", rel=level, over_topics="sum")
        yield from _uncut(f"bpref{suffix}", "bpref", "binary", rel=level, reading="min(N,R)")
        yield from _uncut(f"inf-ap{suffix}", "inf_ap", "binary", rel=level)
        yield from _uncut(f"rbp-80{suffix}", "rbp", "binary", rel=level, p="4/5", max_grade=None)
    yield from _at("precision-retrieved", "precision", (3, 5), "binary", rel=1, denominator="retrieved")
    yield from _at("recall-min", "recall", (1, 3), "binary", rel=1, denominator="min(k,R)")
    yield from _at("ap-min", "ap", (3, 10), "binary", rel=1, denominator="min(k,R)")
    yield from _at("ap-found", "ap", (None, 3), "binary", rel=1, denominator="found")
    yield from _uncut("bpref-first", "bpref", "binary", rel=1, reading="R")
    yield from _uncut("rbp-50", "rbp", "binary", rel=1, p="1/2", max_grade=None)
    yield from _uncut("rbp-residual", "rbp_residual", "binary", p="4/5")
    yield from _at("judged", "judged", (3, 10), "binary")
    yield from _at("unjudged", "unjudged", (3, 10), "binary")
    yield from _at("ndcg-binary", "ndcg", (3, 10), "binary", gain="binary", discount=LOG)
    for rounding in ("nearest", "up"):
        yield from _uncut(f"ap11-{rounding}", "ap11", "binary", rel=1, rounding=rounding)
        yield from _uncut(f"iprec-40-{rounding}", "iprec", "binary", rel=1, recall="2/5", rounding=rounding)


def _graded_variants() -> Iterator[MeasureVariant]:
    yield from _at("dcg-linear", "dcg", (3, 10), "graded", gain="linear", discount=LOG)
    yield from _at("dcg-exp", "dcg", (3, 10), "graded", gain="exp", discount=LOG)
    yield from _at("ndcg-linear", "ndcg", (None, 1, 3, 5), "graded", gain="linear", discount=LOG)
    yield from _at("ndcg-exp", "ndcg", (3, 10), "graded", gain="exp", discount=LOG)
    yield from _at("ndcg-jk", "ndcg", (3, 10), "graded", gain="linear", discount=JK)
    yield from _at("sdcg", "sdcg", (3, 10), "graded", gain="linear", max_grade=4, discount=LOG)
    yield from _at("ncg", "ncg", (3, 10), "graded", gain="linear")
    for name in ("ndcg_0", "ndcg_org", "ndcg_min"):
        yield from _at(name.replace("_", "-"), name, (3, 10), "graded", gain="linear", discount=LOG)
    for depth, suffix in (("min(k,m)", ""), ("k", "-uncut-by-pool")):
        yield from _at(f"ndcg-std{suffix}", "ndcg_std", (3, 10), "graded", gain="linear", discount=LOG, dcg_depth=depth)
    for stop, suffix, scale in (("exp", "", 4), ("linear", "-linear", 3)):
        yield from _at(f"err{suffix}", "err", (3, 10), "graded", stop=stop, max_grade=scale)
        yield from _at(f"nerr{suffix}", "nerr", (3, 10), "graded", stop=stop, max_grade=scale)
    yield from _uncut("rbp-80-graded", "rbp", "graded", rel=1, p="4/5", max_grade=4)
    yield from _at("q", "q", (None,), "graded", rel=1, beta="1", denominator="R")
    yield from _at("q", "q", (3, 10), "graded", rel=1, beta="1", denominator="min(k,R)")
    yield from _at("ric", "ric", (None,), "graded", rel=1)


def _intent_variants() -> Iterator[MeasureVariant]:
    for name in ("i_rec", "p_ia"):
        yield from _at(name.replace("_", "-"), name, (2, 5), "intents", rel=1)
    yield from _uncut("ap-ia", "ap_ia", "intents", rel=1)
    for name in ("ndcg_ia", "d_ndcg"):
        yield from _at(name.replace("_", "-"), name, (2, 5), "intents", rel=1, gain="linear")
    yield from _at("d-q", "d_q", (2, 5), "intents", rel=1, gain="linear", beta="1")
    yield from _at("d-sharp-ndcg", "d_sharp_ndcg", (2, 5), "intents", rel=1, gain="linear", gamma="1/2")
    for name in ("alpha_dcg", "alpha_ndcg", "err_ia", "nerr_ia"):
        yield from _at(name.replace("_", "-"), name, (2, 5), "intents", rel=1, alpha="1/2")
    for name in ("nrbp", "nnrbp"):
        yield from _uncut(name, name, "intents", rel=1, alpha="1/2", beta="1/2")


VARIANTS: tuple[MeasureVariant, ...] = (*_binary_variants(), *_graded_variants(), *_intent_variants())
"""The measures of the suite with the parameters that are published."""

UNWEIGHTED = {"alpha_dcg", "alpha_ndcg", "err_ia", "nerr_ia", "nrbp", "nnrbp"}
"""Measures whose definition has no weights of intents."""


def generate() -> list[ConformanceCase]:
    """The suite, by id: of all cases that can be made, those that show most. It takes some minutes."""
    cases = [
        case for variant in VARIANTS for scenario in SCENARIOS if _takes(variant, scenario)
        for case in _make_readings(variant, scenario)
    ]  # fmt: skip
    return _choose_cases(cases)


def _takes(variant: MeasureVariant, scenario: Scenario) -> bool:
    name = variant.measure["name"]
    if scenario.has_intents or variant.labels == "intents":
        weighted_in_vain = bool(scenario.weights) and name in UNWEIGHTED
        return scenario.has_intents and variant.labels == "intents" and not weighted_in_vain
    if scenario.graded != (variant.labels == "graded"):
        return False
    if variant.measure.get("rel", 1) > 1 and not LEVEL_TWO & set(scenario.tags):
        return False
    kinds = label_kinds(scenario)
    if "fraction" in kinds and "exp" in (variant.measure.get("gain"), variant.measure.get("stop")):
        return False
    largest = max(label for entries in scenario.qrels.values() for label in entries.values())
    too_large = largest > (variant.measure.get("max_grade") or largest)
    return not too_large and not ("negative" in kinds and name in ("bpref", "inf_ap"))


def _make_readings(variant: MeasureVariant, scenario: Scenario) -> Iterator[ConformanceCase]:
    """The cases of one input: one for each choice that changes the answer."""
    choices = {name: scenario.readings.get(name, ("none",)) for name in POLICIES}
    documents = []
    for reading in product(*choices.values()):
        document = _question(variant, scenario, dict(zip(choices, reading, strict=True)))
        with suppress(NotApplicableError):  # it leaves open what the answer depends on
            documents.append({**document, **_answer(make_case(document))})
    if len(documents) > 1 and all(document["expected"] == documents[0]["expected"] for document in documents):
        if "duplicates" in scenario.readings or "ties" in scenario.readings:
            return  # the choice changes nothing: the input would test nothing here
        policy = dict.fromkeys(POLICIES, "none")
        documents = [{**documents[0], **_question(variant, scenario, policy)}]
    for document in documents:
        if not ("ties" in scenario.readings and not any(name.startswith("ties-") for name in document["wrong"])):
            yield make_case(document)


def _question(variant: MeasureVariant, scenario: Scenario, policy: Mapping[str, str]) -> dict[str, Any]:
    group = f"{variant.slug}--{scenario.name}{'-graded' if scenario.graded else ''}"
    reading = "".join(f"-{choice}" for choice in policy.values() if choice != "none")
    name = f"{variant.slug}--{scenario.name}{reading}{'-graded' if scenario.graded else ''}"
    question = {
        "format": FORMAT,
        "id": name,
        "group": group,
        "tags": sorted({*scenario.tags, *(["graded"] if scenario.graded else [])}),
        "measure": dict(variant.measure),
        "policy": dict(policy),
        "qrels": scenario.qrels,
        "run": {topic: [list(line) for line in lines] for topic, lines in scenario.run.items()},
    }
    return {**question, **({"intent_weights": scenario.weights} if scenario.weights else {})}


def answer_case(case: ConformanceCase) -> ConformanceCase:
    """A case with its exact answers.

    Raises:
        InputError: what it asks for depends on a policy that it leaves open, or cannot be computed exactly; the case is
            named, and its file where it was read from one.
    """
    try:
        return replace(make_case({**case.document, **_answer(case)}), location=case.location)
    except (NotApplicableError, UsageError) as error:
        text = str(error).removeprefix(f"case {case.id}: ")
        raise InputError(f"{case.where}: {text}") from None


def _answer(case: ConformanceCase) -> dict[str, Any]:
    """The answers of a case.

    Raises:
        NotApplicableError: it leaves open what they depend on.
        UsageError: see ``compute_values``.
    """
    try:
        values = compute_values(case)
        wrong = compute_wrong_means(case)
    except RefusedDuplicateError:
        return {"expected": {"refuse": "duplicate"}, "wrong": {}}
    return {"expected": write_values(values), "wrong": {name: write_value(mean) for name, mean in wrong.items()}}


def write_values(values: ExactValues) -> dict[str, Any]:
    """Exact values as a case has them under ``expected``."""
    topics = {topic: write_value(value) for topic, value in values.topics.items()}
    return {"topics": topics, "mean": write_value(values.mean)}


def write_value(value: Exact | None) -> Any:
    """An exact value as a case has it: its text and 30 digits, or ``undefined``."""
    if value is None:
        return "undefined"
    return {"exact": value.text, "decimal": write_decimal(value.value)}


def _choose_cases(cases: list[ConformanceCase]) -> list[ConformanceCase]:
    """The cases to publish, by id: enough for each mistake in each measure, each measure and tag, each variant.

    Cases of earlier versions stay: what a version adds is chosen after them.
    """
    chosen: list[ConformanceCase] = []
    for minor in range(max(ADDED.values()) + 1):
        chosen = _add_cases(chosen, [case for case in cases if _scenario_version(case) <= minor], minor)
    return sorted(chosen, key=lambda case: case.id)


def _add_cases(published: list[ConformanceCase], cases: list[ConformanceCase], minor: int) -> list[ConformanceCase]:
    """Cases that are published, and those that show what is still needed.

    The group that meets most of what is still needed for each of its cases is taken next; equal ones by a checksum of
    their names, so that no cutoff is preferred.
    """
    groups: dict[str, list[ConformanceCase]] = {}
    for case in cases:
        groups.setdefault(case.group, []).append(case)
    met = {name: Counter(need for case in group for need in _needs_met(case, minor)) for name, group in groups.items()}
    available = sum(met.values(), Counter())
    needed = available & Counter({need: 1 if need[1].startswith("tag ") else SHOWN_BY for need in available})
    chosen = list(published)
    for name in dict.fromkeys(case.group for case in published):
        needed -= met[name]
        groups.pop(name)
    while needed:
        gains = {name: (met[name] & needed).total() / len(cases) for name, cases in groups.items()}
        best = min(gains, key=lambda name: (-gains[name], zlib.crc32(name.encode())))
        needed -= met[best]
        chosen += groups.pop(best)
    return chosen


def _scenario_version(case: ConformanceCase) -> int:
    return ADDED.get(case.group.partition("--")[2].removesuffix("-graded"), 0)


def _needs_met(case: ConformanceCase, minor: int) -> list[tuple[str, str]]:
    measure = str(case.measure["name"])
    mistakes = [(measure, mistake) for mistake in case.wrong if ADDED.get(mistake, 0) <= minor]
    tags = [(measure, f"tag {tag}") for tag in case.tags]
    return [*mistakes, *tags, (case.group.partition("--")[0], "variant")]


def write_suite(cases: list[ConformanceCase], folder: str | Path) -> None:
    """Write ``cases/<id>.json``, ``all.jsonl`` and ``schema.json`` below a folder.

    Args:
        cases: of the suite.
        folder: is made where it is missing; files of other cases in its ``cases`` are removed.

    Raises:
        InputError: two cases have one id, the name of one is not an id, or a file cannot be written; none is.
    """
    check_ids(cases, str(folder))
    folder = Path(folder)
    texts = {folder / "cases" / f"{case.id}.json": f"{write_case(case.document, indent=2)}\n" for case in cases}
    texts[folder / "schema.json"] = f"{json.dumps(make_schema(), indent=2)}\n"
    texts[folder / "all.jsonl"] = "".join(f"{write_case(case.document)}\n" for case in cases)
    with make_folder(folder / "cases"), together() as add:
        for file, text in texts.items():
            add(file, text.encode())
    for file in (folder / "cases").glob("*.json"):
        if file not in texts:
            file.unlink()


# ---- The JSON Schema of a case, made from the tables that cases are checked by.


FRACTION = {"type": "string", "pattern": FRACTION_PATTERN}


def make_schema() -> dict[str, Any]:
    """The schema of a case, JSON Schema 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A case of the conformance suite for software that evaluates rankings",
        "type": "object",
        "required": sorted(KEYS),
        "additionalProperties": False,
        "properties": {
            "format": {"const": FORMAT},
            "id": {"type": "string", "pattern": ID_PATTERN, "maxLength": LONGEST_ID},
            "group": {"type": "string", "pattern": ID_PATTERN, "maxLength": LONGEST_ID},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            "measure": {"oneOf": [_measure(name) for name in PARAMETERS]},
            "policy": _closed({name: {"enum": list(choices)} for name, choices in POLICIES.items()}),
            "qrels": {"type": "object", "additionalProperties": _topic(), "maxProperties": MOST_DOCUMENTS},
            "run": {"type": "object", "additionalProperties": _lines(), "maxProperties": MOST_DOCUMENTS},
            "intent_weights": _describe_map(_describe_map(FRACTION)),
            "expected": {"oneOf": [_values(), _closed({"refuse": {"const": "duplicate"}})]},
            "wrong": {"type": "object", "properties": dict.fromkeys(ERROR_CLASSES, _value()), **CLOSED},
            "source": {"type": "string"},
        },
    }


CLOSED = {"additionalProperties": False}


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), **CLOSED}


def _describe_map(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": schema}


def _measure(name: str) -> dict[str, Any]:
    parameters = {parameter: _parameter(name, parameter) for parameter in PARAMETERS[name]}
    schema = _closed({"name": {"const": name}, **parameters})
    for parameter in OPTIONAL_PARAMETERS.get(name, ()):
        schema["properties"][parameter] = _parameter(name, parameter)
    return schema


def _parameter(name: str, parameter: str) -> dict[str, Any]:
    if parameter == "denominator":
        return {"enum": list(DENOMINATORS[name])}
    if parameter in CHOICES:
        return {"enum": list(CHOICES[parameter])}
    if parameter in ("cutoff", "rel", "max_grade"):
        whole: dict[str, Any] = {"type": ["integer", "null"] if parameter in NULLABLE else "integer"}
        return whole | {"minimum": 1, "maximum": MOST_WHOLE}
    return FRACTION


def _topic() -> dict[str, Any]:
    label = {"type": "number", "minimum": -MOST_LABEL, "maximum": MOST_LABEL}
    labels = {"type": "object", "additionalProperties": label, "maxProperties": MOST_DOCUMENTS}
    return {"oneOf": [labels, {**_describe_map(labels), "minProperties": 1, "maxProperties": MOST_DOCUMENTS}]}


def _lines() -> dict[str, Any]:
    line = {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "minItems": 2, "maxItems": 2}
    return {"type": "array", "items": line, "maxItems": MOST_DOCUMENTS}


def _value() -> dict[str, Any]:
    text = {"type": "string"}
    return {"oneOf": [{"const": "undefined"}, _closed({"exact": text, "decimal": text})]}


def _values() -> dict[str, Any]:
    return _closed({"topics": _describe_map(_value()), "mean": _value()})
