"""How things are read: as one object, in single words, and never in two ways at once."""

from __future__ import annotations

import inspect
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

import cranfield
from choices import CHOICES, input_formats
from cranfield import InputOptions, UsageError
from cranfield.collection import IntentWeights, Policy

QRELS = {"q": {"a": 2, "b": 1, "c": 0}, "r": {"a": 1, "b": 0}}
RUNS = {"one": {"q": {"a": 1.5, "b": 1.5}, "r": {"b": 1.5}}, "two": {"q": {"b": 2.5, "c": 0.5}}}
BY_INTENT = {"q": {"1": {"a": 3, "b": 0}, "2": {"a": 0, "b": 1, "c": 1}}, "r": {"1": {"a": 1}, "2": {"b": 1}}}


def bits(dataset: Any) -> Any:
    return {name: variable.values.tobytes() for name, variable in dataset.data_vars.items()}


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "evaluate": lambda **how: bits(cranfield.evaluate(RUNS, QRELS, ["AP", "nDCG"], **how)),
    "judge": lambda **how: cranfield.evaluation.make_rankings(RUNS, QRELS, **how).document.tolist(),
    "estimate_difficulty": lambda **how: bits(cranfield.estimate_difficulty(RUNS, QRELS, **how).values[["ease"]]),
    "estimate_difficulty_otherwise": lambda **how: cranfield.topic_difficulty.estimate_difficulty_otherwise(
        RUNS, QRELS, **how
    ).values.to_csv(),
    "estimate_headroom": lambda **how: cranfield.estimate_headroom(RUNS, QRELS, permutations=0, **how).table.to_csv(),
    "fuse": lambda **how: cranfield.fuse(RUNS, "rrf", **how).to_dict(),
    "prepare_experiment": lambda **how: cranfield.information.prepare_experiment(RUNS, QRELS, **how).signature,
    "compute_joint_ric": lambda **how: (
        cranfield.information.compute_joint_ric(RUNS, QRELS, permutations=0, **how).value
    ),
    "map_diversity": lambda **how: cranfield.comparison.map_diversity(
        RUNS, BY_INTENT, cutoff=1, **how
    ).systems.to_csv(),
    "compare_judges": lambda **how: cranfield.agreement.compare_judges(
        RUNS, {"x": QRELS, "y": QRELS | {"r": {"a": 0, "b": 1}}}, "AP", **how
    ).favour.to_csv(),
}
"""Everything that reads runs, as numbers that can be compared."""


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_words_and_reading_say_the_same(name: str) -> None:
    function = FUNCTIONS[name]
    for word in ("trec", "docid"):
        alone = function(ties=word)
        assert function(reading=InputOptions(ties=word)) == alone  # type: ignore[arg-type]
        assert function(ties=word, reading=InputOptions(ties=word)) == alone  # type: ignore[arg-type]
    if name not in ("estimate_difficulty", "compare_judges", "estimate_difficulty_otherwise"):
        assert function(ties="docid") != function(ties="trec"), "the word reaches the lists"


CONTRADICTIONS: list[tuple[dict[str, Any], str]] = [
    (
        {"missing": "skip", "reading": InputOptions()},
        "missing='skip', which contradicts missing='empty' of the reading given: say it once",
    ),
    (
        {"input_format": "trec", "reading": InputOptions(input_format="beir")},
        "input_format='trec', which contradicts input_format='beir' of the reading given: say it once",
    ),
    (
        {"ties": "docid", "reading": InputOptions(ties="rank")},
        "ties='docid', which contradicts ties='rank' of the reading given: say it once",
    ),
    ({"reading": "trec"}, "reading='trec' is not InputOptions: write cranfield.InputOptions(...)"),
    (
        {"reading": Policy(ties="rank")},
        f"reading={Policy(ties='rank')!r} is not InputOptions: write cranfield.InputOptions(...)",
    ),
    ({"ties": "first"}, "ties='first' is not one of trec, trec9, docid, rank, file, expected, bounds"),
    (
        {"input_format": "xml"},
        f"input_format='xml' is not one of {', '.join(input_formats())}",
    ),
    ({"names": "path"}, "names='path' is not one of file, tag"),
]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(("how", "message"), CONTRADICTIONS, ids=lambda value: value if isinstance(value, str) else "")
def test_what_contradicts_is_refused(name: str, how: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        FUNCTIONS[name](**how)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "fuse"])
def test_words_that_do_not_exist_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="there is no option 'tie'; "):
        FUNCTIONS[name](tie="docid")


@pytest.mark.parametrize(
    ("function", "written"),
    [
        (cranfield.evaluate, "measure"),
        (cranfield.estimate_headroom, "measure"),
        (cranfield.report, "measure"),
        (cranfield.agreement.compare_judges, "measures"),
        (cranfield.trust.estimate_abstention, "measures"),
    ],
)
def test_measures_for_one_and_one_for_several_are_named(function: Callable[..., Any], written: str) -> None:
    judged = [QRELS, QRELS] if function is cranfield.agreement.compare_judges else QRELS
    message = f"there is no option '{written}' here: functions of several measures take measures=, functions of one"
    with pytest.raises(UsageError, match=rf"^{message} take measure=$"):
        function(RUNS, judged, **{written: "AP"})


@pytest.mark.parametrize(
    ("name", "word", "value"),
    [
        ("judge", "rel", 2),
        ("map_diversity", "rel", 2),
        ("estimate_difficulty", "compat", "trec_eval"),
        ("estimate_difficulty_otherwise", "weight_sum", "raw"),
    ],
)
def test_words_without_meaning_are_refused(name: str, word: str, value: Any) -> None:
    with pytest.raises(UsageError, match=f"^{word}={value!r} means nothing here"):
        FUNCTIONS[name](**{word: value})


def test_a_level_that_means_nothing_is_refused_in_a_reading_too() -> None:
    with pytest.raises(UsageError, match=r"^rel=2 means nothing here"):
        FUNCTIONS["map_diversity"](reading=InputOptions(rel=2))
    with pytest.raises(UsageError, match=r"^reading has rel=2, and judges have levels of their own: give rel=2$"):
        FUNCTIONS["compare_judges"](reading=InputOptions(rel=2))


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_every_word_reaches_the_scores() -> None:
    words: dict[str, Any] = {"rel": 2, "missing": "skip", "undefined": "keep", "compat": "trec_eval"}
    one = cranfield.evaluate(RUNS, QRELS, "AP", **words)
    reading = InputOptions(missing="skip", undefined="keep", compat="trec_eval", rel=2)
    assert one.identical(cranfield.evaluate(RUNS, QRELS, "AP", reading=reading))
    weights = {"q": {"1": 0.9, "2": 0.1}, "r": {"1": 0.5, "2": 0.5}}
    words = {"intent_weights": weights, "weight_sum": "raw", "keep_empty_intents": True}
    other = cranfield.evaluate(RUNS, BY_INTENT, "D#-nDCG", **words)
    assert other.identical(cranfield.evaluate(RUNS, BY_INTENT, "D#-nDCG", reading=InputOptions(**words)))
    assert not other.equals(cranfield.evaluate(RUNS, BY_INTENT, "D#-nDCG"))


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_systems_are_called_by_their_tags_everywhere(tmp_path: Path) -> None:
    for name, tag in (("a.run", "first"), ("b.run", "second")):
        (tmp_path / name).write_text(f"q Q0 a 1 2.5 {tag}\nq Q0 {tag} 2 1.5 {tag}\n")
    runs, how = str(tmp_path / "*.run"), InputOptions(names="tag")
    assert cranfield.evaluation.make_rankings(runs, QRELS).systems == ("a", "b")
    assert cranfield.evaluation.make_rankings(runs, QRELS, names="tag").systems == ("first", "second")
    assert cranfield.evaluate(runs, QRELS, "AP", reading=how)["system"].values.tolist() == ["first", "second"]
    assert cranfield.information.prepare_experiment(runs, QRELS, reading=how).systems == ("first", "second")
    found = cranfield.estimate_headroom(runs, QRELS, "AP", permutations=0, reading=how)
    assert found.singles.index.tolist() == ["first", "second"]


def test_labels_and_files_are_read_by_the_same_object(tmp_path: Path) -> None:
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\ta\t1\n")
    (tmp_path / "x.run").write_text("q Q0 a 1 2.5 x\n")
    path, beir = str(tmp_path / "qrels.tsv"), InputOptions(input_format="beir")
    assert cranfield.describe_labels(path, reading=beir).by_label["documents"].tolist() == [1]
    assert not any(
        one.severity == "error" for one in cranfield.check([str(tmp_path / "x.run")], path, reading=beir).findings
    )
    for call in (cranfield.describe_labels, lambda *args, **how: cranfield.check([], *args, **how)):
        with pytest.raises(UsageError, match="which contradicts input_format='beir' of the reading given"):
            call(path, reading=beir, input_format="trec")  # type: ignore[operator]


def test_a_reading_is_a_value() -> None:
    weights = {"q": {"1": 0.5}}
    one, other = InputOptions(intent_weights=weights), InputOptions(intent_weights=IntentWeights.from_dict(weights))
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one
    assert one != InputOptions(intent_weights={"q": {"1": 0.25}})
    assert InputOptions(intent_weights=Path("w.txt")).intent_weights == "w.txt"
    assert InputOptions.of(one, {"intent_weights": weights}) is one
    with pytest.raises(AttributeError):
        one.rel = 2  # type: ignore[misc]


def test_words_cover_the_whole_object() -> None:
    (words,) = get_args(inspect.get_annotations(cranfield.estimate_headroom, eval_str=True)["options"])
    assert set(words.__annotations__) == set(InputOptions().as_dict())
    assert set(CHOICES) < set(words.__annotations__)
    assert InputOptions.of(None, InputOptions().as_dict()) == InputOptions()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"rel": "1"}, "rel='1' should be a number"),
        ({"rel": float("nan")}, "rel=nan should be a number"),
        ({"weight_sum": "half"}, "weight_sum='half' is not one of renormalise, raise, raw"),
    ],
)
def test_a_reading_refuses_what_it_does_not_know(words: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        InputOptions(**words)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_the_unjudged_of_difficulty_is_that_of_the_reading() -> None:
    named = cranfield.estimate_difficulty(RUNS, QRELS, unjudged="mean")
    read = cranfield.estimate_difficulty(RUNS, QRELS, reading=InputOptions(unjudged="mean"))
    assert read.values.identical(named.values)
    assert read.signature == named.signature
    with pytest.raises(UsageError, match="unjudged='mean', which contradicts unjudged='condense' of the reading given"):
        cranfield.estimate_difficulty(RUNS, QRELS, unjudged="mean", reading=InputOptions(unjudged="condense"))


def test_lists_and_rankings_keep_the_policy_they_have() -> None:
    rankings = cranfield.evaluation.make_rankings(RUNS, QRELS)
    for how in ({"ties": "trec"}, {"reading": InputOptions(ties="docid")}):
        with pytest.raises(UsageError, match="rankings were judged under a policy of their own"):
            cranfield.information.prepare_experiment(rankings, QRELS, **how)  # type: ignore[arg-type]
    assert cranfield.information.prepare_experiment(rankings, QRELS, reading=InputOptions(rel=2)).signature["rel"] == 2


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_judged_documents_are_excluded_in_one_word(tmp_path: Path) -> None:
    (tmp_path / "feedback.txt").write_text("q 0 a 1\n")
    residual = cranfield.Qrels.from_dict(QRELS).excluding(cranfield.Qrels.from_dict({"q": {"a": 1}}))
    expected = cranfield.evaluate_means(RUNS, residual, "AP")
    assert expected != cranfield.evaluate_means(RUNS, QRELS, "AP")
    feedback = str(tmp_path / "feedback.txt")
    for exclude in (feedback, cranfield.Qrels.from_dict({"q": {"a": 1}})):
        assert cranfield.evaluate_means(RUNS, QRELS, "AP", exclude=exclude) == expected
    signature = cranfield.evaluate(RUNS, QRELS, "AP", exclude=feedback)["AP"].attrs["signature"]
    assert "feedback" in str(signature)
    # Judgments that were made so are passed on with how they were read, and exclude nothing twice.
    made = cranfield.Qrels.from_dict(QRELS).excluding(cranfield.read_qrels(feedback))
    assert cranfield.evaluate_means(RUNS, made, "AP", exclude=feedback) == expected


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_topics_of_a_group_are_all_that_is_read() -> None:
    part = cranfield.evaluate(RUNS, QRELS, "AP", reading=InputOptions(only_topics=["q"]))
    assert part["topic"].values.tolist() == ["q"]
    assert part.equals(cranfield.evaluate(RUNS, QRELS, "AP").sel(topic=["q"]))
    with pytest.raises(cranfield.InputError, match="none of these topics is judged"):
        cranfield.evaluate(RUNS, QRELS, "AP", reading=InputOptions(only_topics=["z"]))
