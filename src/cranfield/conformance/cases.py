"""Cases of the suite: one input with its exact answer, read from JSON and checked before anything is computed."""

from __future__ import annotations

import difflib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from cranfield._message import name_value
from cranfield._text import shown
from cranfield.conformance.error_classes import ERROR_CLASSES
from cranfield.conformance.exact_numbers import ExactNumber, evaluate, write_decimal
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import Location
from cranfield.io.source import as_text, read_text

FORMAT = 1
"""The number of the format of a case."""
MOST_DOCUMENTS = 10
"""Documents of a list, or of a topic's judgments, and topics, at most: a person can check a case by hand."""
MOST_WHOLE, MOST_LABEL = 100, 1_000
"""The largest cutoff, level or grade, and the largest label: a power of two of it is still a double."""
MOST_PLACES = 12
"""Digits of a label behind the point, at most."""
LONGEST_NUMBER = 100
"""Characters of a number in JSON, at most."""
LONGEST_ID = 200
"""Characters of an id, at most, so that every file system has room for it as a name."""
LONGEST_CASE = 1_000_000
"""Characters of a case, at most; the longest of the suite has 5,944."""
ID_PATTERN = "^[a-z0-9-]+$"
"""Characters of ids and groups, so that each is the name of a file and of nothing else."""
FRACTION_PATTERN = "^[0-9]{1,6}(/[1-9][0-9]{0,5})?$"
"""The form of a fraction as text."""
SHARES = {"alpha", "gamma", "p", "recall"}
"""Parameters that are at most 1."""

ExactLabels: TypeAlias = Mapping[str, Fraction]

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


class RunLine(NamedTuple):
    """One line of a run: a document and its score."""

    document: str
    score: float


@dataclass(frozen=True, slots=True)
class ConformanceCase:
    """One case of the suite; its format is described in ``conformance/README.md``.

    Attributes:
        document: the case as JSON has it, numbers with a point as ``decimal.Decimal``.
        run: of each topic, its lines in the order of the file.
        location: the file and line that it was read from; empty where it was not read from a file.
    """

    document: Mapping[str, Any]
    run: Mapping[str, tuple[RunLine, ...]]
    location: str = field(default="", compare=False)

    @property
    def where(self) -> str:
        """The case in a message: its file and line, if it has any, and its id."""
        return f"{self.location}: case {self.id}" if self.location else f"case {self.id}"

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
        """Return what the case is about."""
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

    def get_labels(self, topic: str) -> tuple[ExactLabels, Mapping[str, ExactLabels]]:
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


def read_cases(path: str | Path) -> list[ConformanceCase]:
    """The cases of a folder ``cases/``, of one file with a case a line, or of one case's file.

    Args:
        path: of a folder (its ``cases/*.json``, or its ``*.json``), a ``.jsonl`` or a ``.json`` file.

    Raises:
        InputError: nothing is there, a file is not JSON, or a case is not of the format; file and line are named.
    """
    path = Path(as_text(path))
    if path.is_dir():
        folder = path / "cases" if (path / "cases").is_dir() else path
        files = sorted(folder.glob("*.json"), key=lambda file: file.stem)
        texts = [(str(file), read_text(str(file))) for file in files]
    elif not path.exists():
        raise InputError(
            "does not exist: name the suite's folder, its all.jsonl, or one case's file",
            Location(str(path)),
            code="missing-file",
        )
    elif path.suffix == ".jsonl":
        # Not by splitlines: JSON may hold the other separators of lines inside a text.
        lines = read_text(str(path)).split("\n")
        texts = [(f"{path}:{number}", line) for number, line in enumerate(lines, 1) if line.strip()]
    else:
        texts = [(str(path), read_text(str(path)))]
    if not texts:
        raise InputError(f"{path} holds no case: expected cases/*.json, or a file with a case a line")
    cases = [parse_case(text, location) for location, text in texts]
    check_ids(cases, str(path))
    return cases


def check_ids(cases: Iterable[ConformanceCase], path: str) -> None:
    """Raises: InputError: the name of a case is not an id, or two have the same, of those that ``path`` holds."""
    seen: set[str] = set()
    for case in cases:
        try:
            _check_name("id", case.document.get("id"))
        except UsageError as error:
            raise InputError(f"{path}: {error}") from None
        if case.id in seen:
            raise InputError(f"{path}: two cases are called {case.id}: each needs an id of its own")
        seen.add(case.id)


def parse_case(text: str, location: str = "case") -> ConformanceCase:
    """A case from its JSON text.

    Raises:
        InputError: the text is not JSON, or not a case of this format.
    """
    if len(text) > LONGEST_CASE:
        raise InputError(f"{location}: the case has {len(text):,} characters, more than {LONGEST_CASE:,}")
    try:
        document = read_json(text, parse_float=_read_decimal)
    except ValueError as error:
        raise InputError(f"{location}: not JSON: {shown(str(error), 200)}") from None
    try:
        return replace(make_case(document), location=location)
    except UsageError as error:
        raise InputError(f"{location}: {error}") from None


def read_json(text: str, **options: Any) -> Any:
    """Return what a text of JSON holds; ``options`` are further ones of ``json.loads``.

    Raises:
        ValueError: it is not JSON, is nested too deep, has a key twice, or a number that is not one of JSON or is too
            long; this is the package's own word for it.
    """
    options = {"parse_constant": _refuse_constant, **options}
    try:
        return json.loads(text, parse_int=_read_whole, object_pairs_hook=_make_object, **options)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key '{shown(next(name for name in names if names.count(name) > 1))}' is there twice")
    return entries


def _read_whole(text: str) -> int:
    _check_length(text)
    return int(text)


def _read_decimal(text: str) -> Decimal:
    _check_length(text)
    try:
        return Decimal(text)
    except ArithmeticError:
        raise ValueError(f"{text} is too large or too small a number") from None


def _check_length(text: str) -> None:
    if len(text) > LONGEST_NUMBER:
        raise ValueError(f"the number {shown(text, 20)} has {len(text):,} characters, more than {LONGEST_NUMBER}")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number of JSON")


def make_case(document: Any) -> ConformanceCase:
    """A case from what JSON holds.

    Raises:
        UsageError: it is not a case of this format; the part and its value are named, behind the id of the case.
    """
    if not isinstance(document, Mapping):
        raise UsageError("a case should be a JSON object")
    if document.get("format") != FORMAT or isinstance(document["format"], bool):
        raise UsageError(f"the format is {_called(document.get('format'))}; this version reads format {FORMAT}")
    missing = sorted(KEYS - document.keys())
    if missing:
        raise UsageError(f"the case lacks {', '.join(missing)}")
    for name in ("id", "group"):
        _check_name(name, document[name])
    try:
        return _check_case(document)
    except UsageError as error:
        raise UsageError(f"case {document['id']}: {error}") from None


def _check_name(what: str, name: Any) -> None:
    if not isinstance(name, str) or not re.fullmatch(ID_PATTERN, name) or len(name) > LONGEST_ID or name[-1] == "\n":
        raise UsageError(
            f"the {what} {_called(name)} should be made of a to z, 0 to 9 and hyphens, at most {LONGEST_ID} of them"
        )


def _called(value: Any) -> str:
    """A value of a case in a message."""
    try:
        return shown(name_value(value), 80)
    except RecursionError:
        return "of something that is nested too deep"


def _check_case(document: Mapping[str, Any]) -> ConformanceCase:
    unknown = sorted(map(str, document.keys() - KEYS - OPTIONAL_KEYS))
    if unknown:
        raise UsageError(f"the case has {', '.join(map(_called, unknown))}, which the format does not have")
    if not isinstance(document["tags"], list) or not all(isinstance(tag, str) for tag in document["tags"]):
        raise UsageError(f"the tags {_called(document['tags'])} should be a list of texts")
    if not isinstance(document.get("source", ""), str):
        raise UsageError(f"the source {_called(document['source'])} should be a text")
    _check_measure(document["measure"])
    _check_policy(document["policy"])
    run = _check_run(document["run"])
    _check_qrels(document["qrels"])
    _check_weights(document)
    _check_answers(document)
    _check_texts(document)
    case = ConformanceCase(document, run)
    twice = any(len({line.document for line in lines}) < len(lines) for lines in run.values())
    if twice and case.policy["duplicates"] == "none":
        raise UsageError("a document is listed twice, and the policy on duplicates is none")
    return case


def _check_texts(document: Mapping[str, Any]) -> None:
    """Refuse what UTF-8 or JSON does not hold: halves of characters, and what only Python knows."""
    try:
        write_case(document).encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"the text {_called(error.object[error.start])} is half of a character") from None
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"it is not plain JSON: {shown(str(error), 200)}") from None


def _check_measure(measure: Any) -> None:
    if not isinstance(measure, Mapping) or not isinstance(measure.get("name"), str):
        raise UsageError("the measure should be an object with a name")
    name = measure["name"]
    if name not in PARAMETERS:
        raise UsageError(f"the measure {_called(name)} is not in the suite{_nearest(name, PARAMETERS)}")
    needed, optional = PARAMETERS[name], OPTIONAL_PARAMETERS.get(name, ())
    for parameter in measure.keys() - {"name"}:
        if parameter not in needed + optional:
            raise UsageError(f"{name} has no parameter {_called(parameter)}{_nearest(parameter, needed + optional)}")
    for parameter in needed:
        if parameter not in measure:
            raise UsageError(f"{name} needs the parameter {parameter}: a case names all of them")
        _check_parameter(name, parameter, measure[parameter])


def _nearest(word: str, words: Iterable[str]) -> str:
    near = difflib.get_close_matches(word[:LONGEST_NUMBER], list(words), 1, 0.4)
    return f"; did you mean {near[0]!r}?" if near else ""


def _check_parameter(name: str, parameter: str, value: Any) -> None:
    choices = DENOMINATORS[name] if parameter == "denominator" else CHOICES.get(parameter)
    if choices is not None:
        if value not in choices:
            raise UsageError(f"{name}: {parameter}={_called(value)} should be one of {', '.join(choices)}")
    elif value is None:
        if parameter not in NULLABLE:
            raise UsageError(f"{name}: {parameter} should be a number, not null")
    elif parameter in ("cutoff", "rel", "max_grade"):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise UsageError(f"{name}: {parameter}={_called(value)} should be a whole number of at least 1")
        if value > MOST_WHOLE:
            raise UsageError(f"{name}: {parameter}={_called(value)} should be at most {MOST_WHOLE}")
    elif not _is_fraction(value):
        raise UsageError(f'{name}: {parameter}={_called(value)} should be a fraction as text, such as "1/2"')
    elif parameter in SHARES and Fraction(value) > 1:
        raise UsageError(f"{name}: {parameter}={_called(value)} should be at most 1")


def _is_fraction(text: Any) -> bool:
    """Return whether it is a fraction of the format, which is short: 1e999999999 would be a text of a gigabyte."""
    return isinstance(text, str) and re.fullmatch(FRACTION_PATTERN, text) is not None and text[-1] != "\n"


def _check_policy(policy: Any) -> None:
    if not isinstance(policy, Mapping) or policy.keys() != POLICIES.keys():
        raise UsageError(f"the policy should have exactly {', '.join(POLICIES)}")
    for name, value in policy.items():
        if value not in POLICIES[name]:
            raise UsageError(f"the policy {name}={_called(value)} should be one of {', '.join(POLICIES[name])}")


def _check_run(run: Any) -> dict[str, tuple[RunLine, ...]]:
    if not isinstance(run, Mapping):
        raise UsageError("the run should be an object: of each topic, its lines [document, score]")
    _check_count("the run", run)
    return {topic: tuple(_check_lines(topic, lines)) for topic, lines in run.items()}


def _check_count(what: str, topics: Mapping[str, Any]) -> None:
    if len(topics) > MOST_DOCUMENTS:
        raise UsageError(f"{what} should have at most {MOST_DOCUMENTS} topics, not {len(topics):,}")


def _check_lines(topic: str, lines: Any) -> Iterator[RunLine]:
    if not isinstance(lines, list) or len(lines) > MOST_DOCUMENTS:
        raise UsageError(f"topic {shown(topic)}: the run should have a list of at most {MOST_DOCUMENTS} lines")
    for line in lines:
        if not isinstance(line, list) or len(line) != 2 or not isinstance(line[0], str):
            raise UsageError(f"topic {shown(topic)}: the line {_called(line)} should be [document, score]")
        if not _is_number(line[1]):
            name, score = shown(line[0]), _write(line[1])
            raise UsageError(f"topic {shown(topic)}: the score {score} of {name} should be a finite number")
        yield RunLine(line[0], float(line[1]))


def _is_number(value: Any) -> bool:
    """Return whether a double holds it: no bool, not infinite, and no whole number beyond all doubles."""
    if not isinstance(value, int | float | Decimal) or isinstance(value, bool):
        return False
    try:
        return abs(float(value)) <= sys.float_info.max
    except (OverflowError, ValueError):
        return False


def _write(value: Any) -> str:
    """A value of a case in a message, a number as JSON has it."""
    return shown(str(value)) if isinstance(value, Decimal) else _called(value)


def _check_qrels(qrels: Any) -> None:
    if not isinstance(qrels, Mapping):
        raise UsageError("the judgments should be an object: of each topic, the label of each document")
    _check_count("the judgments", qrels)
    for topic, entries in qrels.items():
        if not isinstance(entries, Mapping):
            raise UsageError(f"topic {shown(topic)}: the judgments {_called(entries)} should be an object")
        by_intent = [isinstance(entry, Mapping) for entry in entries.values()]
        if any(by_intent) and not all(by_intent):
            raise UsageError(f"topic {shown(topic)}: the judgments should be all by intents, or none")
        labels = list(entries.values()) if any(by_intent) else [entries]
        judged = {document for entry in labels for document in entry}
        if len(judged) > MOST_DOCUMENTS or len(entries) > MOST_DOCUMENTS:
            raise UsageError(
                f"topic {shown(topic)}: the judgments should have at most {MOST_DOCUMENTS} documents, and intents"
            )
        for entry in labels:
            for document, label in entry.items():
                _check_label(topic, document, label)


def _check_label(topic: str, document: str, label: Any) -> None:
    where = f"topic {shown(topic)}: the label {_write(label)} of {shown(document)}"
    if not _is_number(label):
        raise UsageError(f"{where} should be a number")
    if abs(float(label)) > MOST_LABEL:
        raise UsageError(f"{where} should lie between -{MOST_LABEL:,} and {MOST_LABEL:,}")
    if isinstance(label, Decimal) and -int(label.as_tuple().exponent) > MOST_PLACES:
        raise UsageError(f"{where} should have at most {MOST_PLACES} digits behind the point")


def _check_weights(document: Mapping[str, Any]) -> None:
    weights = document.get("intent_weights", {})
    if not isinstance(weights, Mapping):
        raise UsageError("the weights of intents should be an object: of each topic, the weight of each intent")
    for topic, entries in weights.items():
        if not isinstance(entries, Mapping) or not all(map(_is_fraction, entries.values())):
            raise UsageError(
                f"topic {shown(topic)}: the weights {_called(entries)} should be an object of fractions as text, such "
                'as "1/2"'
            )
        intents = document["qrels"].get(topic, {})
        if entries.keys() != intents.keys() or not all(isinstance(entry, Mapping) for entry in intents.values()):
            raise UsageError(f"topic {shown(topic)}: the weights should be of exactly the intents that it is judged by")
        if not all(map(Fraction, entries.values())):
            raise UsageError(f"topic {shown(topic)}: the weights {_called(entries)} should be above 0")


def _check_answers(document: Mapping[str, Any]) -> None:
    expected, wrong = document.get("expected", {}), document.get("wrong", {})
    if not isinstance(expected, Mapping) or not isinstance(wrong, Mapping):
        raise UsageError("the expected answer and the wrong ones should be objects")
    if expected and expected != {"refuse": "duplicate"}:
        if not isinstance(expected.get("topics"), Mapping) or expected.keys() != {"topics", "mean"}:
            raise UsageError("the expected answer should have topics and mean, or refuse")
        unknown = [topic for topic in expected["topics"] if topic not in document["qrels"]]
        if unknown:
            raise UsageError(f"an answer is expected of topic {shown(unknown[0])}, which has no judgments")
        for value in [*expected["topics"].values(), expected["mean"]]:
            _check_value(value)
    for mistake, value in wrong.items():
        if mistake not in ERROR_CLASSES:
            raise UsageError(f"the class {_called(mistake)} is unknown{_nearest(mistake, ERROR_CLASSES)}")
        _check_value(value)


def _check_value(value: Any) -> None:
    if value == "undefined":
        return
    texts = list(value.values()) if isinstance(value, Mapping) else []
    if len(texts) != 2 or value.keys() != {"exact", "decimal"} or not all(isinstance(text, str) for text in texts):
        raise UsageError(
            f'the value {_called(value)} should be {{"exact": ..., "decimal": ...}}, both texts, or "undefined"'
        )
    computed = write_decimal(evaluate(value["exact"]))
    try:
        is_right = computed == write_decimal(_read_decimal(value["decimal"]))
    except (ValueError, ArithmeticError):
        is_right = False
    if not is_right:
        raise UsageError(f"the exact text '{shown(value['exact'], 200)}' is not {shown(value['decimal'])}")
    if not _is_number(Decimal(computed)):
        raise UsageError(f"the exact text '{shown(value['exact'], 200)}' is larger than a double")


def read_value(answer: Any) -> ExactNumber | None:
    """The value of an answer in a case; None where it is undefined."""
    return None if answer == "undefined" else evaluate(answer["exact"])


def write_case(document: Mapping[str, Any], *, indent: int | None = None) -> str:
    """A case as JSON text: keys sorted, numbers as they were read."""
    return json.dumps(
        document, sort_keys=True, indent=indent, ensure_ascii=False, allow_nan=False, default=_write_number
    )


def _write_number(number: object) -> float:
    if not isinstance(number, Decimal):
        raise TypeError(f"{type(number).__name__} has no place in a case")
    return float(number)
