"""Cases of the suite: one input with its exact answer, read from JSON and checked before anything is computed."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from cranfield._text import shown
from cranfield.conformance.error_classes import ERROR_CLASSES
from cranfield.conformance.exact_numbers import Value, evaluate, write_decimal
from cranfield.errors import InputError, UsageError

FORMAT = 1
"""The number of the format of a case."""
MOST_DOCUMENTS = 10
"""Documents of a list, or of a topic's judgments, at most: a person can check a case by hand."""

Labels: TypeAlias = Mapping[str, Fraction]

CHOICES: dict[str, tuple[str, ...]] = {
    "discount": ("log2(rank+1)", "max(1,log2(rank))"),
    "gain": ("linear", "exp", "binary"),
    "stop": ("exp", "linear"),
    "rounding": ("nearest", "up"),
    "reading": ("min(N,R)", "R"),
    "dcg_depth": ("k", "min(k,m)"),
    "over_topics": ("sum",),
}
"""The values of parameters that are words."""
DENOMINATORS = {
    "precision": ("k", "retrieved"),
    "recall": ("R", "min(k,R)"),
    "ap": ("R", "min(k,R)", "found"),
    "q": ("R", "min(k,R)"),
}
PARAMETERS: dict[str, tuple[str, ...]] = {
    "alpha_dcg": ("cutoff", "rel", "alpha"),
    "alpha_ndcg": ("cutoff", "rel", "alpha"),
    "ap": ("cutoff", "rel", "denominator"),
    "ap11": ("rel", "rounding"),
    "ap_ia": ("rel",),
    "bpref": ("rel", "reading"),
    "d_ndcg": ("cutoff", "rel", "gain"),
    "d_q": ("cutoff", "rel", "gain", "beta"),
    "d_sharp_ndcg": ("cutoff", "rel", "gain", "gamma"),
    "dcg": ("cutoff", "gain", "discount"),
    "err": ("cutoff", "stop", "max_grade"),
    "err_ia": ("cutoff", "rel", "alpha"),
    "f": ("cutoff", "rel"),
    "gmap": ("rel", "floor"),
    "hit_rate": ("cutoff", "rel"),
    "i_rec": ("cutoff", "rel"),
    "inf_ap": ("rel",),
    "iprec": ("rel", "recall", "rounding"),
    "judged": ("cutoff",),
    "ncg": ("cutoff", "gain"),
    "ndcg": ("cutoff", "gain", "discount"),
    "ndcg_0": ("cutoff", "gain", "discount"),
    "ndcg_ia": ("cutoff", "rel", "gain"),
    "ndcg_min": ("cutoff", "gain", "discount"),
    "ndcg_org": ("cutoff", "gain", "discount"),
    "ndcg_std": ("cutoff", "gain", "discount"),
    "nerr": ("cutoff", "stop", "max_grade"),
    "nerr_ia": ("cutoff", "rel", "alpha"),
    "nnrbp": ("rel", "alpha", "beta"),
    "nrbp": ("rel", "alpha", "beta"),
    "num_rel_ret": ("rel", "over_topics"),
    "p_ia": ("cutoff", "rel"),
    "precision": ("cutoff", "rel", "denominator"),
    "q": ("cutoff", "rel", "beta", "denominator"),
    "r_precision": ("rel",),
    "rbp": ("rel", "p", "max_grade"),
    "rbp_residual": ("p",),
    "recall": ("cutoff", "rel", "denominator"),
    "ric": ("cutoff", "rel"),
    "rr": ("cutoff", "rel"),
    "sdcg": ("cutoff", "gain", "max_grade", "discount"),
    "set_f": ("rel",),
    "set_precision": ("rel",),
    "set_recall": ("rel",),
    "unjudged": ("cutoff",),
}
"""The measures of the suite, with the parameters that each of their cases names."""
OPTIONAL_PARAMETERS = {"ndcg_std": ("dcg_depth",)}
NULLABLE = {"cutoff", "max_grade"}
POLICIES: dict[str, tuple[str, ...]] = {
    "ties": ("none", "docid-descending", "docid-ascending", "file-order", "expected"),
    "missing": ("none", "zero", "skip"),
    "undefined": ("none", "zero", "one", "skip"),
    "duplicates": ("none", "refuse", "first"),
}
"""The values of each policy; ``none`` where a case does not depend on it."""
KEYS = {"format", "id", "group", "tags", "measure", "policy", "qrels", "run"}
OPTIONAL_KEYS = {"expected", "wrong", "intent_weights", "source"}


class Line(NamedTuple):
    """One line of a run: a document and its score."""

    document: str
    score: float


@dataclass(frozen=True, slots=True)
class Case:
    """One case of the suite; its format is described in ``conformance/README.md``.

    Attributes:
        document: the case as JSON has it, numbers with a point as ``decimal.Decimal``.
        run: of each topic, its lines in the order of the file.
    """

    document: Mapping[str, Any]
    run: Mapping[str, tuple[Line, ...]]

    @property
    def id(self) -> str:
        """The name of the case, which never changes its meaning."""
        return str(self.document["id"])

    @property
    def group(self) -> str:
        """The name that all readings of one input share: a tool that follows one of them passes."""
        return str(self.document["group"])

    @property
    def tags(self) -> tuple[str, ...]:
        """What the case is about."""
        return tuple(self.document["tags"])

    @property
    def measure(self) -> Mapping[str, Any]:
        """The name of the measure under ``name``, and all its parameters."""
        return self.document["measure"]  # type: ignore[no-any-return]

    @property
    def policy(self) -> Mapping[str, str]:
        """The policies on ties, missing topics, undefined topics and duplicates."""
        return self.document["policy"]  # type: ignore[no-any-return]

    @property
    def qrels(self) -> Mapping[str, Any]:
        """The judgments: of each topic the label of each document, or of each intent those of its documents."""
        return self.document["qrels"]  # type: ignore[no-any-return]

    @property
    def expected(self) -> Mapping[str, Any]:
        """The right answer; empty where the case has none yet."""
        return self.document.get("expected", {})  # type: ignore[no-any-return]

    @property
    def wrong(self) -> Mapping[str, Any]:
        """The mean that each mistake gives."""
        return self.document.get("wrong", {})  # type: ignore[no-any-return]

    @property
    def question(self) -> dict[str, Any]:
        """The case without its answers, as a tool gets it."""
        return {key: value for key, value in self.document.items() if key not in ("expected", "wrong")}

    def get_labels(self, topic: str) -> tuple[Labels, Mapping[str, Labels]]:
        """The exact labels of a topic, and those of its intents; one of them is empty."""
        entries = self.qrels.get(topic, {})
        if any(isinstance(entry, Mapping) for entry in entries.values()):
            return {}, {intent: _exact_labels(labels) for intent, labels in entries.items()}
        return _exact_labels(entries), {}

    def get_weights(self, topic: str) -> Mapping[str, Fraction]:
        """The weights of a topic's intents; empty where they are the same."""
        weights = self.document.get("intent_weights", {}).get(topic, {})
        return {intent: Fraction(weight) for intent, weight in weights.items()}


def _exact_labels(labels: Mapping[str, Any]) -> dict[str, Fraction]:
    return {document: Fraction(label) for document, label in labels.items()}


def read_cases(path: str | Path) -> list[Case]:
    """The cases of a folder ``cases/``, of one file with a case a line, or of one case's file.

    Args:
        path: of a folder (its ``cases/*.json``, or its ``*.json``), a ``.jsonl`` or a ``.json`` file.

    Raises:
        InputError: nothing is there, a file is not JSON, or a case is not of the format; file and line are named.
    """
    path = Path(path)
    if path.is_dir():
        folder = path / "cases" if (path / "cases").is_dir() else path
        files = sorted(folder.glob("*.json"), key=lambda file: file.stem)
        texts = [(str(file), file.read_text(encoding="utf-8")) for file in files]
    elif path.suffix == ".jsonl" and path.is_file():
        lines = path.read_text(encoding="utf-8").splitlines()
        texts = [(f"{path}:{number}", line) for number, line in enumerate(lines, 1) if line.strip()]
    elif path.is_file():
        texts = [(str(path), path.read_text(encoding="utf-8"))]
    else:
        raise InputError(f"{path} does not exist: name the suite's folder, its all.jsonl, or one case's file")
    if not texts:
        raise InputError(f"{path} holds no case: expected cases/*.json, or a file with a case a line")
    cases = [parse_case(text, location) for location, text in texts]
    _check_ids(cases, str(path))
    return cases


def _check_ids(cases: Iterable[Case], path: str) -> None:
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise InputError(f"{path}: two cases are called {shown(case.id, 80)}: each needs an id of its own")
        seen.add(case.id)


def parse_case(text: str, location: str = "case") -> Case:
    """A case from its JSON text.

    Raises:
        InputError: the text is not JSON, or not a case of this format.
    """
    try:
        document = json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant)
    except ValueError as error:
        raise InputError(f"{location}: not JSON: {shown(str(error), 200)}") from None
    try:
        return make_case(document)
    except UsageError as error:
        raise InputError(f"{location}: {error}") from None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number of JSON")


def make_case(document: Any) -> Case:
    """A case from what JSON holds.

    Raises:
        UsageError: it is not a case of this format; the part and its value are named.
    """
    if not isinstance(document, Mapping):
        raise UsageError("a case should be a JSON object")
    if document.get("format") != FORMAT:
        raise UsageError(f"the format is {document.get('format')!r}; this version reads format {FORMAT}")
    missing = sorted(KEYS - document.keys())
    if missing:
        raise UsageError(f"the case lacks {', '.join(missing)}")
    unknown = sorted(document.keys() - KEYS - OPTIONAL_KEYS)
    if unknown:
        raise UsageError(f"the case has {', '.join(map(repr, unknown))}, which the format does not have")
    _check_measure(document["measure"])
    _check_policy(document["policy"])
    run = _check_run(document["run"])
    _check_qrels(document["qrels"])
    _check_answers(document)
    case = Case(document, run)
    twice = any(len({line.document for line in lines}) < len(lines) for lines in run.values())
    if twice and case.policy["duplicates"] == "none":
        raise UsageError(f"{case.id}: a document is listed twice, and the policy on duplicates is none")
    return case


def _check_measure(measure: Any) -> None:
    if not isinstance(measure, Mapping) or not isinstance(measure.get("name"), str):
        raise UsageError("the measure should be an object with a name")
    name = measure["name"]
    if name not in PARAMETERS:
        raise UsageError(f"the measure {name!r} is not in the suite{_nearest(name, PARAMETERS)}")
    needed, optional = PARAMETERS[name], OPTIONAL_PARAMETERS.get(name, ())
    for parameter in measure.keys() - {"name"}:
        if parameter not in needed + optional:
            raise UsageError(f"{name} has no parameter {parameter!r}{_nearest(parameter, needed + optional)}")
    for parameter in needed:
        if parameter not in measure:
            raise UsageError(f"{name} needs the parameter {parameter}: a case names all of them")
        _check_parameter(name, parameter, measure[parameter])


def _nearest(word: str, words: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(words), 1, 0.4)
    return f"; did you mean {near[0]!r}?" if near else ""


def _check_parameter(name: str, parameter: str, value: Any) -> None:
    choices = DENOMINATORS[name] if parameter == "denominator" else CHOICES.get(parameter)
    if choices is not None:
        if value not in choices:
            raise UsageError(f"{name}: {parameter}={value!r} should be one of {', '.join(choices)}")
    elif value is None:
        if parameter not in NULLABLE:
            raise UsageError(f"{name}: {parameter} should be a number, not null")
    elif parameter in ("cutoff", "rel", "max_grade"):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise UsageError(f"{name}: {parameter}={value!r} should be a whole number of at least 1")
    elif not isinstance(value, str) or not _is_fraction(value):
        raise UsageError(f'{name}: {parameter}={value!r} should be a fraction as text, such as "1/2"')


def _is_fraction(text: str) -> bool:
    try:
        return Fraction(text) >= 0
    except (ValueError, ZeroDivisionError):
        return False


def _check_policy(policy: Any) -> None:
    if not isinstance(policy, Mapping) or policy.keys() != POLICIES.keys():
        raise UsageError(f"the policy should have exactly {', '.join(POLICIES)}")
    for name, value in policy.items():
        if value not in POLICIES[name]:
            raise UsageError(f"the policy {name}={value!r} should be one of {', '.join(POLICIES[name])}")


def _check_run(run: Any) -> dict[str, tuple[Line, ...]]:
    if not isinstance(run, Mapping):
        raise UsageError("the run should be an object: of each topic, its lines [document, score]")
    return {topic: tuple(_check_lines(topic, lines)) for topic, lines in run.items()}


def _check_lines(topic: str, lines: Any) -> Iterator[Line]:
    if not isinstance(lines, list) or len(lines) > MOST_DOCUMENTS:
        raise UsageError(f"topic {topic}: the run should have a list of at most {MOST_DOCUMENTS} lines")
    for line in lines:
        if not isinstance(line, list) or len(line) != 2 or not isinstance(line[0], str):
            raise UsageError(f"topic {topic}: the line {line!r} should be [document, score]")
        if not _is_number(line[1]) or not math.isfinite(float(line[1])):
            raise UsageError(f"topic {topic}: the score {line[1]!r} of {line[0]} should be a finite number")
        yield Line(line[0], float(line[1]))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _check_qrels(qrels: Any) -> None:
    if not isinstance(qrels, Mapping):
        raise UsageError("the judgments should be an object: of each topic, the label of each document")
    for topic, entries in qrels.items():
        if not isinstance(entries, Mapping) or len(entries) > MOST_DOCUMENTS:
            raise UsageError(f"topic {topic}: the judgments should have at most {MOST_DOCUMENTS} documents")
        for name, entry in entries.items():
            labels = entry if isinstance(entry, Mapping) else {name: entry}
            for document, label in labels.items():
                if not _is_number(label):
                    raise UsageError(f"topic {topic}: the label {label!r} of {document} should be a number")


def _check_answers(document: Mapping[str, Any]) -> None:
    expected = document.get("expected")
    if expected is not None and expected.get("refuse") != "duplicate":
        if not isinstance(expected.get("topics"), Mapping) or "mean" not in expected:
            raise UsageError("the expected answer should have topics and mean, or refuse")
        for value in [*expected["topics"].values(), expected["mean"]]:
            _check_value(value)
    for mistake, value in document.get("wrong", {}).items():
        if mistake not in ERROR_CLASSES:
            raise UsageError(f"the class {mistake!r} is unknown{_nearest(mistake, ERROR_CLASSES)}")
        _check_value(value)


def _check_value(value: Any) -> None:
    if value == "undefined":
        return
    if not isinstance(value, Mapping) or value.keys() != {"exact", "decimal"}:
        raise UsageError('a value should be {"exact": ..., "decimal": ...} or "undefined"')
    if write_decimal(evaluate(value["exact"])) != write_decimal(Decimal(value["decimal"])):
        raise UsageError(f"the exact text {value['exact'][:200]!r} is not {value['decimal']}")


def read_value(answer: Any) -> Value | None:
    """The value of an answer in a case; None where it is undefined."""
    return None if answer == "undefined" else evaluate(answer["exact"])


def write_case(document: Mapping[str, Any], *, indent: int | None = None) -> str:
    """A case as JSON text: keys sorted, numbers as they were read."""
    return json.dumps(document, sort_keys=True, indent=indent, ensure_ascii=False, default=_write_number)


def _write_number(number: object) -> float:
    if not isinstance(number, Decimal):
        raise TypeError(f"{type(number).__name__} has no place in a case")
    return float(number)
