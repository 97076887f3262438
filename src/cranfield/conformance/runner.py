"""Run the suite on a tool: compare its numbers with the exact ones, and name the mistake that explains a wrong one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from hashlib import sha256
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cranfield._text import shown
from cranfield._validation import word
from cranfield.conformance.cases import ConformanceCase, read_cases, read_value, write_case
from cranfield.conformance.programs import answer_by_program
from cranfield.errors import UsageError
from cranfield.results.result import Result, Tables, signed

if TYPE_CHECKING:
    import pandas as pd


CaseOutcome: TypeAlias = Literal["pass", "fail", "refused", "not offered"]
Tool: TypeAlias = "str | Sequence[str] | Callable[[ConformanceCase], Mapping[str, Any]]"
"""``cranfield``; a program with its arguments, in a sequence; or a function from a case to its answer."""

UNEXPLAINED = "unexplained"
TOLERANCE = 1e-9
OUTCOMES: tuple[CaseOutcome, ...] = ("pass", "fail", "refused", "not offered")


@dataclass(frozen=True, eq=False, repr=False)
class Conformance(Result):
    """The answers of a tool to the cases of a suite.

    A tool passes a group if it passes one of its cases, which are readings on which reputable sources differ; it fails
    a group if it fails one of them and passes none.

    Attributes:
        cases: one row a case: ``id``, ``group``, ``measure``, ``outcome``, the mean ``got`` and ``expected``, the worst
            ``topic`` where a topic differs and the mean does not, ``explained_by`` (classes of mistakes that give this
            mean, or ``unexplained``), and the tool's ``message``.
        groups: one row a group: its ``outcome``, and the ``reading`` that is passed.
        passed: groups that are passed.
        failed: groups that are failed.
        refused: groups that the tool refuses to answer.
        not_offered: groups that the tool does not offer.
        settings: ``tool`` and ``tolerance``.
        signature: all that changes these outcomes.
    """

    cases: pd.DataFrame
    groups: pd.DataFrame
    passed: int
    failed: int
    refused: int
    not_offered: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"cases": lambda: self.cases, "groups": lambda: self.groups}


def run(
    cases: str | Path | Iterable[ConformanceCase],
    tool: Tool = "cranfield",
    *,
    tolerance: float = TOLERANCE,
    name: str | None = None,
) -> Conformance:
    """Run the suite on a tool.

    Args:
        cases: read cases, or the path of a suite: its folder, its ``all.jsonl``, or one case's file.
        tool: ``cranfield``; a program that reads a case a line and writes an answer a line, as a sequence of its name
            and arguments; or a function from a ``ConformanceCase`` to an answer. An answer is a mapping with ``topics``
            (value of each topic, None where undefined) or ``mean`` or both, or ``unsupported``, or ``refused``, with
            the reason.
            A case fails where ``topics`` lacks one that should be evaluated (one that is undefined may be left out
            beside a ``mean``), or has a number for one that should not be.
        tolerance: relative difference up to which a number is right, above 1 in size; absolute below; between 0 and 1.
            Programs that compute in single precision need 1e-6, and should say so.
        name: of the tool, in the result.

    Returns:
        The outcome of each case and group.

    Raises:
        InputError: a file is not a case of this format.
        UsageError: the tool is unknown, a program cannot be started, the tolerance is out of range, or a case has no
            expected answer.
    """
    if not 0 <= tolerance < 1:
        raise UsageError(f"tolerance={tolerance!r} should be a number from 0 to below 1")
    cases = read_cases(cases) if isinstance(cases, (str, Path)) else list(cases)
    for case in cases:
        if not case.expected:
            raise UsageError(f"{case.where} has no expected answer: `cranfield conformance values` computes it")
    rows = [_judge(case, answer, tolerance) for case, answer in _answers(cases, tool)]
    return _summarize(rows, {"tool": name or _find_name(tool), "tolerance": tolerance}, cases)


def _find_name(tool: Tool) -> str:
    if isinstance(tool, str):
        return tool
    return str(getattr(tool, "__name__", tool)) if callable(tool) else " ".join(tool)


def _answers(cases: Sequence[ConformanceCase], tool: Tool) -> Iterator[tuple[ConformanceCase, Mapping[str, Any]]]:
    if isinstance(tool, str):
        word("tool", tool, ("cranfield",))
        from cranfield.conformance.own_tool import answer as tool
    if callable(tool):
        return ((case, _call_tool(tool, case)) for case in cases)
    return zip(cases, answer_by_program(cases, list(tool)), strict=True)


def _call_tool(function: Callable[[ConformanceCase], Mapping[str, Any]], case: ConformanceCase) -> Mapping[str, Any]:
    """The answer of a function; an exception is its refusal."""
    try:
        answer = function(case)
    except Exception as error:  # a tool may raise anything
        return {"id": case.id, "refused": f"{type(error).__name__}: {error}"}
    if not isinstance(answer, Mapping):
        return {"error": f"the answer should be a mapping, not {type(answer).__name__}"}
    if answer.get("id", case.id) != case.id:
        return {"error": f"the answer is that of another case, {shown(str(answer['id']), 80)}"}
    return answer


def _judge(case: ConformanceCase, answer: Mapping[str, Any], tolerance: float) -> dict[str, Any]:
    """The row of one case."""
    row: dict[str, Any] = {"id": case.id, "group": case.group, "measure": case.measure["name"]}
    is_near = partial(_is_near, tolerance=tolerance)
    mean = None if "refuse" in case.expected else read_value(case.expected["mean"])
    outcome, message, topic = _outcome(case, answer, is_near)
    got, explained = answer.get("mean"), ""
    if outcome == "fail":
        got = _compute_mean(answer) if "mean" not in answer else got
        # A right mean beside a wrong topic is that of no mistake, and no answer is not an undefined mean.
        answered = answer.keys() & {"mean", "topics"} and not is_near(got, mean)
        explained = _explain(case, got, is_near) if answered else UNEXPLAINED
    numbers = {"got": _number(got), "expected": math.nan if mean is None else float(mean)}
    return row | {"outcome": outcome, **numbers, "topic": topic, "explained_by": explained, "message": message}


def _outcome(
    case: ConformanceCase, answer: Mapping[str, Any], is_near: Callable[[Any, Any], bool]
) -> tuple[CaseOutcome, str, str]:  # fmt: skip
    """The outcome, the tool's message or what is wrong with its answer, and a topic whose value differs."""
    if answer.get("unsupported") is not None:
        return "not offered", shown(str(answer["unsupported"]), 200), ""
    if "error" in answer and not answer.keys() & {"refused", "topics", "mean"}:
        return "fail", shown(str(answer["error"]), 200), ""
    is_refused = answer.get("refused") is not None
    if "refuse" in case.expected:
        return ("pass", "", "") if is_refused else ("fail", "it should be refused: a document is listed twice", "")
    if is_refused:
        return "refused", shown(str(answer["refused"]), 200), ""
    if "mean" not in answer and "topics" not in answer:
        return "fail", "the answer has neither topics nor mean", ""
    if not isinstance(answer.get("topics", {}), Mapping):
        return "fail", "the topics of the answer should be an object: of each topic its value", ""
    values = {"mean": answer.get("mean")} | {f"topic {name}": value for name, value in answer.get("topics", {}).items()}
    for what, value in values.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, Real | Decimal)):
            return "fail", f"the {shown(what, 40)} of the answer is not a number: {shown(repr(value), 80)}", ""
    if "mean" in answer and not is_near(answer["mean"], read_value(case.expected["mean"])):
        return "fail", "", ""
    if "mean" not in answer and case.measure["name"] in OF_MEANS:
        return "fail", f"the answer lacks the mean, which is what {case.measure['name']} is about", ""
    return _compare_topics(case, answer, is_near) if "topics" in answer else ("pass", "", "")


OF_MEANS = {"gmap"}
"""Measures that differ from another one by the mean over topics alone."""


def _compare_topics(
    case: ConformanceCase, answer: Mapping[str, Any], is_near: Callable[[Any, Any], bool]
) -> tuple[CaseOutcome, str, str]:  # fmt: skip
    """Compare the topics of an answer with all that are expected; see ``_outcome``."""
    topics, expected = answer["topics"], {name: read_value(v) for name, v in case.expected["topics"].items()}
    for topic, value in topics.items():
        if topic not in expected:
            if value is None or _is_nan(value):
                continue  # it is named, and counts in no mean
            return "fail", f"the topic {shown(str(topic), 40)} should not be evaluated", str(topic)
        if not is_near(value, expected[topic]):
            return "fail", "", "" if "mean" not in answer else topic
    for topic, value in expected.items():
        # Many tools leave out what is undefined; beside a mean that is no less than to say so.
        if topic not in topics and (value is not None or "mean" not in answer):
            return "fail", f"the answer lacks the topic {shown(topic, 40)}", topic
    return "pass", "", ""


def _is_near(got: Any, expected: Any, tolerance: float) -> bool:
    if expected is None or got is None:
        return expected is None and (got is None or _is_nan(got))
    number = _number(got)
    return math.isfinite(number) and abs(number - float(expected)) <= tolerance * max(1.0, abs(float(expected)))


def _is_nan(value: Any) -> bool:
    return isinstance(value, Real | Decimal) and not isinstance(value, bool) and math.isnan(_number(value))


def _compute_mean(answer: Mapping[str, Any]) -> float | None:
    """The mean of the topics of a tool that gives no mean itself."""
    topics = answer.get("topics")
    values = [_number(value) for value in topics.values() if value is not None] if isinstance(topics, Mapping) else []
    values = [value for value in values if not math.isnan(value)]
    return sum(values) / len(values) if values else None


def _explain(case: ConformanceCase, got: Any, is_near: Callable[[Any, Any], bool]) -> str:
    near = [mistake for mistake, value in case.wrong.items() if is_near(got, read_value(value))]
    return ", ".join(near) or UNEXPLAINED


def _number(got: Any) -> float:
    """A number of an answer as a double; NaN for what is none, infinite for what no double holds."""
    if isinstance(got, bool) or not isinstance(got, Real | Decimal):
        return math.nan
    try:
        return float(got)
    except OverflowError:
        return math.inf
    except ValueError:  # a NaN of Decimal that signals
        return math.nan


def _summarize(rows: list[dict[str, Any]], settings: dict[str, Any], cases: Sequence[ConformanceCase]) -> Conformance:
    import pandas as pd

    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row["group"], []).append(row)
    grouped = [_group_row(name, members) for name, members in groups.items()]
    passed, failed, refused, not_offered = (sum(row["outcome"] == outcome for row in grouped) for outcome in OUTCOMES)
    columns = ["id", "group", "measure", "outcome", "got", "expected", "topic", "explained_by", "message"]
    signature = signed("conformance", settings, cases={"sha256": _digest(cases)})
    return Conformance(
        pd.DataFrame(rows, columns=columns),
        pd.DataFrame(grouped, columns=["group", "outcome", "reading"]),
        passed,
        failed,
        refused,
        not_offered,
        settings=settings,
        signature=signature,
    )


def _digest(cases: Sequence[ConformanceCase]) -> str:
    """The hash of the cases with their answers, a line each."""
    return sha256("".join(f"{write_case(case.document)}\n" for case in cases).encode()).hexdigest()


def _group_row(name: str, members: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    by_outcome = {outcome: [row["id"] for row in members if row["outcome"] == outcome] for outcome in OUTCOMES}
    outcome = next(outcome for outcome in OUTCOMES if by_outcome[outcome])
    return {"group": name, "outcome": outcome, "reading": by_outcome["pass"][0] if by_outcome["pass"] else ""}
