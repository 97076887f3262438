"""What is no case, and no answer: refused by name, or failed, however deep, large or odd; nothing takes long."""

from __future__ import annotations

import copy
import json
import math
import time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield import CranfieldError, InputError
from cranfield.conformance import ConformanceCase, read_cases, run, write_suite

SUITE = Path(__file__).parents[2] / "conformance"


@pytest.fixture(scope="module")
def suite() -> list[ConformanceCase]:
    return read_cases(SUITE / "all.jsonl")


@pytest.fixture(scope="module")
def by_id(suite: list[ConformanceCase]) -> dict[str, ConformanceCase]:
    return {case.id: case for case in suite}


def right_answer(case: ConformanceCase) -> dict[str, Any]:
    """The answer of a tool that is right, with topics and mean."""
    if "refuse" in case.expected:
        return {"refused": "twice"}
    topics = {topic: as_float(value) for topic, value in case.expected["topics"].items()}
    return {"topics": topics, "mean": as_float(case.expected["mean"])}


def as_float(value: Any) -> float | None:
    return None if value == "undefined" else float(value["decimal"])


# ---- Answers that leave something out, or say too much.


def test_an_answer_without_topics_passes_nothing(suite: list[ConformanceCase]) -> None:
    result = run(suite, lambda case: {"topics": {}})
    assert (result.passed, result.refused, result.failed) == (0, 0, len(result.groups))
    assert run(suite, right_answer).passed == len(result.groups)


@pytest.mark.slow
@pytest.mark.parametrize("has_mean", [True, False])
def test_every_topic_that_is_left_out_is_missed(suite: list[ConformanceCase], has_mean: bool) -> None:
    """Of all cases with several topics each topic in turn; one that is undefined may be left out beside a mean."""
    tried = 0
    for case in suite:
        answer = right_answer(case)
        for topic, value in answer.get("topics", {}).items():
            left = {name: entry for name, entry in answer["topics"].items() if name != topic}
            shorter = {"topics": left, **({"mean": answer["mean"]} if has_mean else {})}
            [row] = run([case], lambda _, shorter=shorter: shorter).cases.to_dict("records")
            if value is None and has_mean:
                assert row["outcome"] == "pass", case.id
            elif case.measure["name"] != "gmap" or has_mean:
                assert row["outcome"] == "fail", case.id
                assert (row["topic"], row["message"]) == (topic, f"the answer lacks the topic {topic}"), case.id
                tried += 1
    assert tried > 1_300


def test_a_topic_too_many_fails_unless_it_is_null(by_id: dict[str, ConformanceCase]) -> None:
    case = by_id["precision-at-3--short-list"]
    right = right_answer(case)
    [row] = run([case], lambda _: right | {"topics": {**right["topics"], "q9": 0.5}}).cases.to_dict("records")
    assert row["message"] == "the topic q9 should not be evaluated"
    assert run([case], lambda _: right | {"topics": {**right["topics"], "q9": None}}).passed == 1


def test_what_explains_a_topic_that_is_missing(suite: list[ConformanceCase]) -> None:
    case = next(case for case in suite if "missing-skipped" in case.wrong and "ties" not in case.tags)
    topics = {topic: value for topic, value in right_answer(case)["topics"].items() if topic in case.run}
    [row] = run([case], lambda _: {"topics": topics}).cases.to_dict("records")
    assert "the answer lacks the topic" in row["message"] and "missing-skipped" in row["explained_by"]


def test_topics_do_not_stand_for_a_geometric_mean(suite: list[ConformanceCase]) -> None:
    case = next(case for case in suite if case.measure["name"] == "gmap" and "topics" in case.expected)
    [row] = run([case], lambda case: {"topics": right_answer(case)["topics"]}).cases.to_dict("records")
    assert row["message"] == "the answer lacks the mean, which is what gmap is about"


ODD_ANSWERS: list[Any] = [
    None, [], "0.5", 0.5, {}, {"topics": []}, {"topics": None}, {"topics": "q1"}, {"topics": {"q1": "1"}},
    {"topics": {"q1": [1]}}, {"topics": {"q1": 10**400}}, {"topics": {"q1": -(10**400)}}, {"mean": 10**400},
    {"mean": "1"}, {"mean": True}, {"mean": {}}, {"mean": math.nan}, {"mean": math.inf}, {"mean": Decimal("sNaN")},
    {"mean": 1j}, {"topics": {1: 0.5}}, {"topics": {None: 0.5}}, {"topics": {"q1": math.nan}}, {"mean": np.array([1])},
    {"id": "another", "mean": 1 / 3}, {"topics": {"q1": True}},
]  # fmt: skip


@pytest.mark.parametrize("answer", ODD_ANSWERS, ids=repr)
def test_odd_answers_fail(by_id: dict[str, ConformanceCase], answer: Any) -> None:
    result = run([by_id["precision-at-3--short-list"]], lambda _: answer)
    assert result.failed == 1 and len(str(result.cases["message"][0])) < 200


@pytest.mark.parametrize("kind", [np.float64, np.float32, Decimal, Fraction, float])
def test_numbers_of_other_libraries_are_numbers(by_id: dict[str, ConformanceCase], kind: Any) -> None:
    case = next(case for case in by_id.values() if case.expected.get("mean", {}) == {"exact": "1/2", "decimal": "0.5"})
    assert run([case], lambda _: {"mean": kind(0.5)}).passed == 1


# ---- Cases.


def one() -> dict[str, Any]:
    """A case as JSON has it, that tests may change."""
    text = (SUITE / "cases" / "precision-at-3--short-list.json").read_text()
    return dict(json.loads(text))


def change(document: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed


LONG_PRODUCT = "*".join(["9" * 4_000] * 900)
NINES = "9" * 90
TEXTS = [
    (("qrels", "q1", "b"), "1e999999999", "should be a number"),
    (("qrels", "q1", "b"), "-1e999999999", "should be a number"),
    (("qrels", "q1", "b"), "1e-999999999", "at most 12 digits behind the point"),
    (("qrels", "q1", "b"), "1e99999999999999999999999999", "too large or too small a number"),
    (("qrels", "q1", "b"), "1001", "should lie between -1,000 and 1,000"),
    (("qrels", "q1", "b"), "9" * 5_000, "has 5,000 characters, more than 100"),
    (("qrels", "q1", "b"), NINES, "should lie between"),
    (("qrels", "q1", "b"), "true", "the label True of b should be a number"),
    (("qrels", "q1", "b"), "NaN", "NaN is not a number of JSON"),
    (("qrels", "q1", "b"), "-Infinity", "-Infinity is not a number of JSON"),
    (("qrels", "q1"), "[1]", "should be an object"),
    (("qrels", "q1"), '{"i": {"a": 1}, "b": 1}', "all by intents, or none"),
    (("run", "q1"), '[["a", 1e999999999]]', "the score 1E+999999999 of a should be a finite number"),
    (("run", "q1"), f'[["a", {"9" * 5_000}]]', "characters, more than 100"),
    (("run", "q1"), '[["a", "1"]]', "the score '1' of a should be a finite number"),
    (("run", "q1"), "[" * 50_000 + "]" * 50_000, "nested too deep"),
    (("run",), json.dumps({f"q{n}": [] for n in range(11)}), "the run should have at most 10 topics, not 11"),
    (("measure", "cutoff"), "1000000000", "should be at most 100"),
    (("measure", "cutoff"), "true", "should be a whole number of at least 1"),
    (("id",), '"../../x"', "the id '../../x' should be made of a to z, 0 to 9 and hyphens"),
    (("id",), '"a\\n"', "should be made of a to z"),
    (("id",), f'"{"a" * 300}"', "at most 200 of them"),
    (("id",), "7", "the id 7 should be made of"),
    (("group",), "[]", "the group [] should be made of"),
    (("tags",), "5", "the tags 5 should be a list of texts"),
    (("format",), "true", "the format is True"),
    (("expected",), "[]", "should be objects"),
    (("expected",), "null", "should be objects"),
    (("wrong",), "[]", "should be objects"),
    (("expected", "topics", "q9"), '"undefined"', "an answer is expected of topic q9, which has no judgments"),
    (("expected", "mean"), '{"exact": 1, "decimal": "1"}', "both texts"),
    (("expected", "mean"), '{"exact": "1/3", "decimal": 0.3}', "both texts"),
    (("expected", "mean"), '{"exact": [], "decimal": {}}', "both texts"),
    (("expected", "mean"), '{"exact": "1", "decimal": "abc"}', "is not abc"),
    (("expected", "mean"), '{"exact": "1", "decimal": "NaN"}', "is not NaN"),
    (("expected", "mean"), '{"exact": "1", "decimal": "1e999999999"}', "is not 1e999999999"),
    (("expected", "mean"), json.dumps({"exact": LONG_PRODUCT, "decimal": "1"}), "characters, more than"),
    (("expected", "mean"), json.dumps({"exact": "*".join(["9" * 500] * 90), "decimal": "1"}), "more than 4,096 bits"),
    (("expected", "mean"), json.dumps({"exact": "+".join(["1/3"] * 9_000), "decimal": "1"}), "nested too deep"),
    (("expected", "mean"), json.dumps({"exact": "(" * 20_000 + "1", "decimal": "1"}), "cannot be evaluated"),
    (("expected", "mean"), json.dumps({"exact": "-" * 40_000 + "1", "decimal": "1"}), "cannot be evaluated"),
    (("expected", "mean"), '{"exact": "1e9", "decimal": "1000000000"}', "only whole numbers"),
    (("expected", "mean"), '{"exact": "1_0", "decimal": "10"}', "only whole numbers"),
    (("expected", "mean"), '{"exact": "1or 1", "decimal": "1"}', "only whole numbers"),
    (("intent_weights",), '{"q1": {"i": "1e999999999"}}', "fractions as text"),
    (("intent_weights",), '{"q1": {"i": "1/2"}}', "exactly the intents that it is judged by"),
    (("intent_weights",), "[]", "the weights of intents should be an object"),
    (("tags",), '["\\ud800"]', "half of a character"),
    (("run", "q1"), '[["\\udfff", 1]]', "half of a character"),
    (("source",), "1", "the source 1 should be a text"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "message"), TEXTS, ids=[message for *_, message in TEXTS])
def test_what_a_file_may_not_hold(tmp_path: Path, path: tuple[str, ...], text: str, message: str) -> None:
    whole = json.dumps(change(one(), path, "PUT")).replace('"PUT"', text)
    (tmp_path / "one.json").write_text(whole)
    started = time.process_time()
    with pytest.raises(InputError) as refused:
        read_cases(tmp_path / "one.json")
    assert time.process_time() - started < 2
    said = str(refused.value)
    assert message in said and said.startswith(f"{tmp_path / 'one.json'}: ") and len(said) < 700 + len(str(tmp_path))
    is_named = path not in {("id",), ("format",), ("group",)} and ": not JSON: " not in said and len(whole) < 1_000_000
    assert ("case precision-at-3--short-list: " in said) == is_named


def test_files_that_are_not_text(tmp_path: Path) -> None:
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inside.json").mkdir()
    for name in ("bytes.jsonl", "folder", "folder/inside.json", "a\0b", "/dev/null"):
        with pytest.raises(CranfieldError):
            read_cases(tmp_path / name)


def test_a_line_ends_at_a_line_feed_alone(tmp_path: Path) -> None:
    document = change(one(), ("source",), "a\u2028b\x85c")
    (tmp_path / "one.jsonl").write_text(f"{json.dumps(document, ensure_ascii=False)}\r\n", encoding="utf-8")
    assert read_cases(tmp_path / "one.jsonl")[0].document["source"] == "a\u2028b\x85c"


def test_a_suite_stays_in_its_folder(tmp_path: Path) -> None:
    [case] = read_cases(SUITE / "cases" / "precision-at-3--short-list.json")
    outside = ConformanceCase({**case.document, "id": "../../x"}, case.run)
    for cases in ([case, outside], [case, case]):
        with pytest.raises(InputError):
            write_suite(cases, tmp_path / "suite")
    assert list(tmp_path.iterdir()) == []
