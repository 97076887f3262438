"""The public suite: three references agree, every mistake has its case, and tools are told what is wrong."""

from __future__ import annotations

import copy
import json
import re
import sys
import time
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from decimal_reference import reference
from hypothesis import given
from hypothesis import strategies as st

from cranfield import InputError, UsageError
from cranfield.conformance import (
    ConformanceCase,
    compute_values,
    compute_wrong_means,
    generate,
    list_mistakes,
    parse_case,
    read_cases,
    run,
    write_suite,
)
from cranfield.conformance.cases import make_case, read_value
from cranfield.conformance.exact_numbers import Exact, ExactNumber, are_equal, evaluate, exact, log2
from cranfield.conformance.generator import answer_case
from data_sets import GOLDEN

SUITE = Path(__file__).parents[2] / "conformance"
WITNESS = GOLDEN / "conformance"
DEFINITIONS_DIFFER = {("f", "cutoff-ignored"), ("unjudged", "cutoff-ignored")}
"""Where the golden file divides by a cutoff that a tool which ignores it does not know: F1 is 0 there, and the share
of unjudged documents is their number. Here the list's length stands for the cutoff."""
REFUSED = "run holds no documents"
NOT_OFFERED_HERE = {
    "a level of recall is rounded to the nearest count here",
    "average precision is not divided by the relevant documents retrieved here",
    "NDCG_std is cut at min(k, m) throughout here",
    "precision is divided by k here",
    "recall is divided by R here",
    "this measure has no mean over orders of equal scores here",
}


@pytest.fixture(scope="module")
def suite() -> list[ConformanceCase]:
    return read_cases(SUITE)


def values_match(left: ExactNumber | None, right: ExactNumber | None) -> bool:
    """Whether two values are the same number, or both undefined."""
    return left is right if left is None or right is None else are_equal(left, right)


def matches(value: Exact | None, answer: Any) -> bool:
    return values_match(None if value is None else value.value, read_value(answer))


def test_the_suite_shows_every_mistake_twice(suite: list[ConformanceCase]) -> None:
    assert 300 <= len(suite) <= 1400
    assert len({case.measure["name"] for case in suite}) >= 40
    shown = Counter(mistake for case in suite for mistake in case.wrong)
    assert len(list_mistakes()) == 64 and min(shown[name] for name in list_mistakes()) >= 2
    assert read_cases(SUITE / "all.jsonl") == suite
    assert (SUITE / "VERSION").read_text().strip() == "1.1.1"


def test_the_second_reference_agrees(suite: list[ConformanceCase]) -> None:
    for case in suite:
        if "refuse" in case.expected:
            continue
        topics, mean = reference(dict(case.document))
        assert topics.keys() == case.expected["topics"].keys(), case.id
        assert values_match(mean, read_value(case.expected["mean"])), case.id
        for topic, value in topics.items():
            assert values_match(value, read_value(case.expected["topics"][topic])), (case.id, topic)


def test_the_second_reference_agrees_on_tools_that_keep_the_last_line(suite: list[ConformanceCase]) -> None:
    """Where a mapping is made of the lines, it has the score of the last one of each document."""
    shown = Counter[str]()
    for case in suite:
        if case.policy["duplicates"] != "first":
            continue
        run = {topic: list(dict(lines).items()) for topic, lines in case.document["run"].items()}
        _, mean = reference({**case.document, "run": run})
        answer = case.wrong.get("duplicates-last", case.expected["mean"])
        assert values_match(mean, read_value(answer)), case.id
        shown[case.measure["name"]] += "duplicates-last" in case.wrong
    assert len(shown) == 32
    assert {name for name, count in shown.items() if count < 2} == {
        *("f", "judged", "ncg", "num_rel_ret", "set_f", "set_recall", "unjudged"),
        *("r_precision", "rbp_residual", "ric", "set_precision"),
    }


def test_the_first_reference_makes_these_answers(suite: list[ConformanceCase]) -> None:
    for case in suite[::23]:
        if "refuse" not in case.expected:
            assert matches(compute_values(case).mean, case.expected["mean"]), case.id
            wrong = compute_wrong_means(case)
            assert wrong.keys() == case.wrong.keys(), case.id
            assert all(matches(value, case.wrong[name]) for name, value in wrong.items()), case.id


@pytest.mark.slow
def test_this_package_passes_every_group_that_it_answers(suite: list[ConformanceCase]) -> None:
    result = run(suite)
    assert result.failed == 0, result.groups.query("outcome == 'fail'")
    assert result.passed > 850
    not_offered = result.cases.query("outcome == 'not offered'")
    assert set(not_offered["message"]) == NOT_OFFERED_HERE
    refused = result.cases.query("outcome == 'refused'")
    assert set(refused["message"]) == {REFUSED} and set(refused["id"].str.contains("empty-run")) == {True}


def test_golden_values_and_mistakes() -> None:
    cases = read_cases(WITNESS / "cases.jsonl")
    assert len(cases) == 122
    for case in cases:
        values = compute_values(case)
        assert matches(values.mean, case.expected["mean"]), case.id
        for topic, answer in case.expected["topics"].items():
            assert matches(values.topics[topic], answer), (case.id, topic)
        wrong = compute_wrong_means(case)
        for mistake, answer in case.wrong.items():
            if (case.measure["name"], mistake) not in DEFINITIONS_DIFFER:
                assert matches(wrong[mistake], answer), (case.id, mistake)


def test_each_public_thread_is_caught_by_its_case() -> None:
    cases = {case.id: case for case in read_cases(WITNESS / "cases.jsonl")}
    rows = [line.split("\t") for line in (WITNESS / "threads.tsv").read_text().splitlines()[1:]]
    assert len(rows) == 26
    for mistake, name, _ in rows:
        case = cases[name]

        def tool(case: ConformanceCase, mistake: str = mistake) -> dict[str, Any]:
            mean = read_value(case.wrong[mistake])
            return {"id": case.id, "mean": None if mean is None else float(mean)}

        [row] = run([case], tool).cases.to_dict("records")
        assert row["outcome"] == "fail" and mistake in row["explained_by"].split(", "), name


@pytest.mark.heavy
def test_the_suite_is_what_the_generator_makes(tmp_path: Path) -> None:
    write_suite(generate(), tmp_path)
    for name in ("all.jsonl", "schema.json"):
        assert (tmp_path / name).read_bytes() == (SUITE / name).read_bytes()
    made = {file.name: file.read_bytes() for file in (tmp_path / "cases").iterdir()}
    assert made == {file.name: file.read_bytes() for file in (SUITE / "cases").iterdir()}


def one() -> dict[str, Any]:
    """A case as JSON has it, that tests may change."""
    case = next(case for case in read_cases(SUITE / "all.jsonl") if case.id == "precision-at-3--short-list")
    return copy.deepcopy(json.loads(json.dumps(case.document, default=float)))


BROKEN = [
    (("qrels", "q1", "b"), "1", "the label '1' of b should be a number"),
    (("measure", "cutoff"), 0, "cutoff=0 should be a whole number of at least 1"),
    (("run", "q1"), [["a", float("nan")]], "the score nan of a should be a finite number"),
    (("run", "q1"), [[f"d{n}", n] for n in range(11)], "a list of at most 10 lines"),
    (("wrong", "off-by-two"), "undefined", "the class 'off-by-two' is unknown"),
    (("expected",), {"mean": {"exact": "1/3", "decimal": "0.1"}}, "should have topics and mean"),
    (("expected", "mean"), {"exact": "1/3", "decimal": "0.3"}, "the exact text '1/3' is not 0.3"),
    (("expected", "mean"), {"exact": f"{'7' * 400}.5", "decimal": "0.3"}, "cannot be evaluated: only whole numbers"),
    (("expected", "mean"), {"exact": "root(2, 0-1)", "decimal": "0"}, "the root of a negative number"),
    (("expected", "mean"), {"exact": "__import__('os')", "decimal": "0"}, "cannot be evaluated"),
    (("format",), 2, "the format is 2; this version reads format 1"),
    (("measure", "name"), "precison", "'precison' is not in the suite; did you mean 'precision'?"),
    (("measure", "cutof"), 3, "precision has no parameter 'cutof'; did you mean 'cutoff'?"),
    (("run", "q1"), [["a", 2], ["a", 1]], "listed twice, and the policy on duplicates is none"),
    (("policy", "ties"), "random", "the policy ties='random' should be one of"),
    (("tag",), 1, "the case has 'tag'"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "message"), BROKEN)
def test_what_is_not_a_case_is_refused(path: tuple[str, ...], value: Any, message: str) -> None:
    document = one()
    at = document
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    with pytest.raises(UsageError) as refused:
        make_case(document)
    assert message in str(refused.value)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "value", "message"), [row for row in BROKEN if "nan" not in row[2]][:5])
def test_the_schema_refuses_it_too(path: tuple[str, ...], value: Any, message: str) -> None:
    document = one()
    schema = json.loads((SUITE / "schema.json").read_text())
    jsonschema.validate(document, schema)
    at = document
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema)


@pytest.mark.slow
def test_the_schema_accepts_every_case() -> None:
    validator = jsonschema.Draft202012Validator(json.loads((SUITE / "schema.json").read_text()))
    for line in (SUITE / "all.jsonl").read_text(encoding="utf-8").splitlines():
        assert validator.is_valid(json.loads(line))


def test_files_are_refused_by_name_and_line(tmp_path: Path) -> None:
    good = json.dumps(one())
    (tmp_path / "two.jsonl").write_text(f"{good}\nnot json\n")
    with pytest.raises(InputError, match=r"two\.jsonl:2: not JSON"):
        read_cases(tmp_path / "two.jsonl")
    with pytest.raises(InputError, match="does not exist"):
        read_cases(tmp_path / "none")
    (tmp_path / "twice.jsonl").write_text(f"{good}\n{good}\n")
    with pytest.raises(InputError, match="two cases are called precision-at-3--short-list"):
        read_cases(tmp_path / "twice.jsonl")
    with pytest.raises(InputError, match="NaN is not a number of JSON"):
        parse_case(good.replace('["n", 1]', '["n", NaN]'))


SHELL = r"""
while read -r line; do
    name=${line#*\"id\": \"}
    echo "{\"id\": \"${name%%\"*}\", \"unsupported\": \"nothing\"}"
done
"""


def test_a_program_that_is_not_python(tmp_path: Path) -> None:
    (tmp_path / "none.sh").write_text(SHELL)
    result = run(read_cases(SUITE / "all.jsonl")[:40], ["sh", str(tmp_path / "none.sh")])
    assert result.not_offered == len(result.groups)


PRECISION = """
import json, sys
for number, line in enumerate(sys.stdin, 1):
    case = json.loads(line)
    assert "expected" not in case and "wrong" not in case
    if number == {dies_at}:
        sys.exit("out of memory")
    if {talks}:
        print("hello", flush=True)
        continue
    topics = {{}}
    for topic, labels in case["qrels"].items():
        lines = sorted(case["run"].get(topic, []), key=lambda line: -line[1])[: case["measure"]["cutoff"]]
        hits = sum(labels.get(name, 0) >= case["measure"]["rel"] for name, _ in lines)
        topics[topic] = hits / max(1, len(lines) if {wrong} else case["measure"]["cutoff"])
    print(json.dumps({{"id": case["id"], "topics": topics, "mean": sum(topics.values()) / len(topics)}}), flush=True)
"""


def program(tmp_path: Path, *, dies_at: int = 0, talks: bool = False, wrong: bool = False) -> list[str]:
    path = tmp_path / "precision.py"
    path.write_text(PRECISION.format(dies_at=dies_at, talks=talks, wrong=wrong))
    return [sys.executable, str(path)]


def precision_cases() -> list[ConformanceCase]:
    cases = read_cases(SUITE / "all.jsonl")
    return [case for case in cases if case.id.startswith("precision-at-5--") and case.policy["ties"] == "none"
            and case.policy["missing"] != "skip" and case.policy["duplicates"] == "none"]  # fmt: skip


def test_a_program_is_told_what_it_does_wrong(tmp_path: Path) -> None:
    cases = precision_cases()
    assert run(cases, program(tmp_path)).failed == 0
    rows = run(cases, program(tmp_path, wrong=True)).cases.query("outcome == 'fail'")
    assert len(rows) and all("precision-over-retrieved" in text for text in rows["explained_by"])


def test_a_program_that_dies_fails_what_is_left(tmp_path: Path) -> None:
    cases = precision_cases()
    result = run(cases, program(tmp_path, dies_at=3))
    assert list(result.cases["outcome"][:2]) == ["pass", "pass"]
    assert set(result.cases["outcome"][2:]) == {"fail"}
    assert set(result.cases["message"][2:]) == {
        "the program ended, or closed its output, too early; its last error: out of memory"
    }


def test_a_program_that_writes_text_fails(tmp_path: Path) -> None:
    result = run(precision_cases(), program(tmp_path, talks=True))
    assert set(result.cases["message"]) == {"the program wrote what is not JSON: hello"}


def test_a_program_that_cannot_be_started() -> None:
    with pytest.raises(UsageError, match=r"the program no-such-program cannot be started"):
        run(precision_cases(), ["no-such-program"])


def test_a_function_that_raises_refuses() -> None:
    def broken(case: ConformanceCase) -> dict[str, Any]:
        raise KeyError(case.id)

    result = run(precision_cases(), broken)
    assert result.refused == len(result.groups) and "KeyError" in result.cases["message"][0]


def test_one_reading_is_enough_for_a_group(suite: list[ConformanceCase]) -> None:
    group = [case for case in suite if case.group == "d-ndcg-at-2--missing-topic"]
    assert len(group) == 2

    def skipping(case: ConformanceCase) -> dict[str, Any]:
        other = next(other for other in group if other.policy["missing"] == "skip")
        return {"id": case.id, "mean": float(read_value(other.expected["mean"]) or 0)}

    result = run(group, skipping)
    assert (result.passed, result.failed) == (1, 0)
    assert list(result.groups["reading"]) == ["d-ndcg-at-2--missing-topic-skip"]
    assert "missing-skipped" in result.cases.query("outcome == 'fail'")["explained_by"].item()


def test_tolerance_and_tool_are_checked(suite: list[ConformanceCase]) -> None:
    with pytest.raises(UsageError, match="tolerance=1 should be a number from 0 to below 1"):
        run(suite[:1], tolerance=1)
    with pytest.raises(UsageError, match="tool"):
        run(suite[:1], "trec_eval")
    with pytest.raises(UsageError, match="has no expected answer"):
        run([make_case({key: value for key, value in one().items() if key not in ("expected", "wrong")})])


@pytest.mark.parametrize(
    ("text", "value"),
    [("1/3", Fraction(1, 3)), ("log2(8)", Fraction(3)), ("log2(1/4)", Fraction(-2)), ("2*(1 + 1)", Fraction(4))],
)
def test_exact_texts(text: str, value: Fraction) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    "text", ["", "1/0", "log2(0)", "root(0, 2)", "root(2, 0-1)", "x", "2**3", "1 if 1 else 2", "1.5"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="cannot be evaluated"):
        evaluate(text)


numbers = st.fractions(min_value=-20, max_value=20, max_denominator=50)
exacts = st.builds(lambda a, b, n: exact(a) + log2(n).scale(b), numbers, numbers, st.integers(1, 30))


@given(exacts, exacts)
def test_exact_numbers_are_written_as_they_are(left: Exact, right: Exact) -> None:
    for number in (left + right, left - right, left * right):
        assert are_equal(evaluate(number.text), number.value)
    if right.terms and not are_equal(right.value, Decimal(0)):
        quotient = left / right
        assert are_equal(evaluate(quotient.text), quotient.value)
        assert (quotient * right).equals(left)
    assert (left - left).fraction == 0


def test_the_example_of_the_page_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    page = (SUITE.parent / "docs" / "conformance.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(SUITE.parent)
    exec(code, {})
    counts = dict(line.split()[-2:] for line in capsys.readouterr().out.splitlines()[1:-1])
    assert int(counts["pass"]) > 20 and int(counts["fail"]) <= 2


def changed(document: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """A case in which one part is another."""
    document = copy.deepcopy(document)
    at = document
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return document


@pytest.mark.parametrize("text", ["1e999999999", "-1/2", "1/0", "0x10", "1_0", "1.5", "", " 1/2", "1/2\n", "1/1000000"])
def test_fractions_that_are_none(suite: list[ConformanceCase], text: str) -> None:
    case = next(case for case in suite if "alpha" in case.measure)
    with pytest.raises(UsageError, match="should be a fraction as text"):
        make_case(changed(dict(case.document), ("measure", "alpha"), text))


def test_what_only_python_holds() -> None:
    deep: list[Any] = []
    for _ in range(50_000):
        deep = [deep]
    signals = [["a", Decimal("sNaN")]]
    for path, value in [(("qrels", "q1", "b"), 10**5_000), (("tags",), [{1}]), (("run", "q1"), signals),
                        (("measure", "cutoff"), 10**5_000), (("format",), deep)]:  # fmt: skip
        with pytest.raises(UsageError):
            make_case(changed(one(), path, value))


def test_large_but_fair_cases_are_computed(suite: list[ConformanceCase]) -> None:
    """The largest input of the format has values in seconds, and they fit into a case."""
    documents = [f"d{n}" for n in range(10)]
    labels = {d: n % 4 for n, d in enumerate(documents)}
    for name in ("ndcg", "sdcg"):
        case = next(case for case in suite if case.measure["name"] == name)
        document = {key: value for key, value in case.document.items() if key not in ("expected", "wrong")} | {
            "measure": {**case.measure, "cutoff": 100},
            "qrels": {f"q{n}": labels for n in range(10)},
            "run": {f"q{n}": [[d, n] for n, d in enumerate(documents)] for n in range(10)},
        }
        started = time.monotonic()
        parse_case(json.dumps(answer_case(make_case(document)).document, default=float))
        assert time.monotonic() - started < 60
