"""NTCIREVAL's judgments and files of intent probabilities."""

from __future__ import annotations

import gzip
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import cranfield
from cranfield import InputError, InputOptions, Qrels, UsageError, read_qrels
from cranfield.collection import IntentWeights
from cranfield.errors import FormatError
from cranfield.io import read_intent_weights
from data_sets import DATA

DQRELS = "1 2 b L2\n1 0 z L0\n1 1 a L1\n1 2 a L9\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "D.qrels"


@pytest.mark.usefixtures("each_engine")
@pytest.mark.parametrize("input_format", ["auto", "ntcir"])
def test_judgments(path: Path, input_format: str) -> None:
    path.write_text(DQRELS)
    qrels = read_qrels(path, input_format=input_format)  # type: ignore[arg-type]
    assert sorted(zip(*qrels.rows(), strict=True)) == [
        ("1", "0", "z", 0),
        ("1", "1", "a", 1),
        ("1", "2", "a", 9),
        ("1", "2", "b", 2),
    ]
    assert qrels.intents is not None
    assert qrels.intents.name == ("1", "2")
    assert qrels.path == str(path)


def test_judgments_without_intents_have_three_fields(path: Path) -> None:
    path.write_text("1 a L1\n1 b L0\n")
    qrels = read_qrels(path, input_format="ntcir")
    assert qrels.to_dict() == {"1": {"a": 1, "b": 0}}
    assert qrels.intents is None


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "1 1 a L1\n1 1 b 1\n": ":2: the label '1' is none of L0 to L9",
        "1 1 a L1\n1 1 b L10\n": ":2: the label 'L10' is none of L0 to L9",
        "1 1 a L1\n1 1 a L2\n": ":2: document 'a' of topic '1' has another label on line 1; keep one of them",
        "1 1 a b L1\n": ":1: 5 fields, expected topic intent document L0 to L9, or topic document L0 to L9: '1 1 a",
        "# nothing\n": ": the file holds no rows",
        "1 1 \0 L1\n": ":1: the line holds a NUL byte",
    }.items(),
)
def test_judgments_that_are_refused(path: Path, text: str, message: str) -> None:
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        read_qrels(path, input_format="ntcir")
    assert str(refused.value).startswith(f"{path}{message}")


def test_a_level_among_numbers_is_a_mistake(path: Path) -> None:
    path.write_text("1 1 a 1\n1 1 b L1\n")
    with pytest.raises(FormatError, match=r":2: the label 'L1' is not a number; NTCIREVAL's judgments are read with"):
        read_qrels(path)


def test_text_that_is_not_utf8(path: Path) -> None:
    path.write_bytes(b"1 1 \xff L1\n")
    with pytest.raises(FormatError, match=r":1: the line is not valid UTF-8"):
        read_qrels(path, input_format="ntcir")


# ---- probabilities


def test_probabilities_with_types(path: Path) -> None:
    path.write_bytes(gzip.compress(b"1 1 0.25 nav\r\n1 2 7.5e-1 inf\n\n2 1 1\n"))
    weights = read_intent_weights(path)
    assert weights.rule == "given"
    assert weights.table == {"1": {"1": 0.25, "2": 0.75}, "2": {"1": 1.0}}
    assert weights.navigational == {("1", "1")}
    assert repr(weights) == "IntentWeights(given, 2 topics, 3 intents, 1 navigational)"


def test_the_same_from_everything(path: Path) -> None:
    path.write_text("1 1 0.25 nav\n1 2 0.75 inf\n")
    table = {"topic": ["1", "1"], "intent": ["1", "2"], "probability": [0.25, 0.75], "type": ["nav", "inf"]}
    of_dict = IntentWeights.from_dict({"1": {"1": 0.25, "2": 0.75}}, navigational={"1": ["1"]})
    for given in (path, str(path), pd.DataFrame(table), pl.DataFrame(table), of_dict):
        weights = InputOptions(intent_weights=given).intent_weights
        weights = read_intent_weights(weights) if isinstance(weights, str) else weights
        assert isinstance(weights, IntentWeights)
        assert (weights.table, weights.navigational) == (of_dict.table, of_dict.navigational)
        assert weights.digest == of_dict.digest
    untyped = InputOptions(intent_weights={"1": {"1": 0.25, "2": 0.75}}).intent_weights
    assert isinstance(untyped, IntentWeights)
    assert untyped.digest != of_dict.digest
    assert InputOptions(intent_weights=None).intent_weights is None


def test_mistakes_in_python() -> None:
    with pytest.raises(
        InputError,
        match=r"no column probability \(probability, weight, p\); rename the one that is; its columns",
    ):
        InputOptions(intent_weights=pd.DataFrame({"topic": ["1"], "intent": ["1"]}))
    for kind in ("type", "Type"):
        with pytest.raises(
            InputError, match=r"^intent weights, row 1: the type 'x' of intent '1' is neither inf nor nav"
        ):
            IntentWeights.from_frame(pd.DataFrame({"topic": ["1"], "intent": ["1"], "p": [1.0], kind: ["x"]}))
    with pytest.raises(InputError, match=r"intent '3' of topic '1' is navigational, but has no probability"):
        IntentWeights.from_dict({"1": {"1": 1.0}}, navigational={"1": ["3"]})
    with pytest.raises(UsageError, match=r"'some' is not a rule for intent weights: one of uniform, simulated"):
        IntentWeights.by_rule("some")
    with pytest.raises(UsageError, match="is not a data frame"):
        InputOptions(intent_weights=3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"weight_sum='half' is not one of renormalise, raise, raw"):
        Qrels.from_dict({"1": {"1": {"a": 1}}}).with_intents(weight_sum="half")  # type: ignore[arg-type]


def test_judgments_keep_their_weights_and_their_identity() -> None:
    qrels = Qrels.from_dict({"1": {"1": {"a": 1}, "2": {"b": 1}}})
    likely = qrels.with_intents({"1": {"1": 0.9, "2": 0.1}})
    assert likely != qrels
    assert likely == qrels.with_intents({"1": {"1": 0.9, "2": 0.1}})
    assert qrels.with_intents() == qrels
    scores = cranfield.evaluate({"1": {"a": 1.0}}, likely, "P-IA@1")
    assert scores["P-IA@1"].item() == 0.9
    # what is said in a call counts
    assert cranfield.evaluate({"1": {"a": 1.0}}, likely, "P-IA@1", intent_weights="uniform")["P-IA@1"].item() == 0.5
    kept = cranfield.evaluate({"1": {"a": 1.0}}, likely, "P-IA@1", weight_sum="raw")
    assert kept["P-IA@1"].item() == 0.9


@pytest.mark.data("data/ntcireval-sample-diversity")
def test_the_sample_of_ntcireval() -> None:
    folder = DATA / "ntcireval-sample-diversity"
    blanks, semicolons = (read_qrels(folder / name, input_format="ntcir") for name in ("Dtest.Dqrels", "test.Dqrels"))
    assert blanks == semicolons
    plain, typed, other = (
        read_intent_weights(folder / name) for name in ("Dtest.Iprob", "Dtest.DINprob", "test.DINprob")
    )
    assert plain.table == typed.table == other.table
    assert (
        typed.navigational
        == other.navigational
        == {
            ("0001", "1"),
            ("0001", "2"),
            ("0002", "3"),
            ("0002", "4"),
            ("0003", "1"),
            ("0003", "2"),
            ("0003", "3"),
        }
    )
    assert plain.navigational == frozenset()
