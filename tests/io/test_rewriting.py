"""Runs rewritten before they are judged: own documents, passages, residual collections. Witness: plain dicts."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pandas as pd
import pytest

import cranfield
from cranfield import InputError, Qrels, UsageError
from cranfield.collection import Policy

Scores = dict[str, dict[str, float]]
pytestmark = pytest.mark.usefixtures("each_engine")


def collection(seed: int) -> tuple[Scores, dict[str, dict[str, int]], dict[str, dict[str, int]]]:
    """A run of passages in which queries are documents too, judgments, and earlier judgments."""
    chance = random.Random(seed)
    topics = [f"t{number}" for number in range(8)]
    documents = [*topics, *(f"d#{number}" for number in range(30))]
    run = {}
    for topic in topics:
        passages = [f"{document}#{part}" for document in documents for part in range(3)]
        run[topic] = {passage: float(chance.randrange(40)) for passage in chance.sample(passages, 60)}
    qrels = {topic: {document: chance.randrange(3) for document in chance.sample(documents, 15)} for topic in topics}
    earlier = {topic: dict.fromkeys(chance.sample(documents, 8), 0) for topic in topics[1:]}
    return run, qrels, earlier


def best_passages(run: Scores) -> Scores:
    """MaxP by hand."""
    found: Scores = {}
    for topic, passages in run.items():
        for passage, score in passages.items():
            document = passage[: passage.rindex("#")]
            of_topic = found.setdefault(topic, {})
            of_topic[document] = max(score, of_topic.get(document, score))
    return found


def without(run: Scores, removed: dict[str, set[str]]) -> Scores:
    return {t: {d: s for d, s in row.items() if d not in removed.get(t, set())} for t, row in run.items()}


def means(run: object, qrels: object, **words: object) -> dict[str, float]:
    (of_run,) = cranfield.evaluate_means(run, qrels, ["nDCG@10", "AP", "P@5", "RR"], **words).values()  # type: ignore[arg-type]
    return of_run


@pytest.mark.parametrize("seed", range(5))
def test_rewriting_is_what_one_would_do_by_hand(seed: int) -> None:
    run, qrels, earlier = collection(seed)
    documents = best_passages(run)
    assert means(run, qrels, passages="#") == means(documents, qrels)
    own = {topic: {topic} for topic in run}
    assert means(documents, qrels, own_document="drop") == means(without(documents, own), qrels)
    left = {t: {d: g for d, g in row.items() if d not in earlier.get(t, {})} for t, row in qrels.items()}
    feedback = {topic: set(row) for topic, row in earlier.items()}
    residual = Qrels.from_dict(qrels).excluding(Qrels.from_dict(earlier))
    assert residual.to_dict() == left
    assert means(documents, residual) == means(without(documents, feedback), left)
    both = without(without(documents, own), feedback)
    assert means(run, residual, passages="#", own_document="drop") == means(both, left)


def test_every_entrance_drops_the_own_document(tmp_path: Path) -> None:
    run, qrels, _ = collection(7)
    documents = best_passages(run)
    wanted = means(documents, qrels, own_document="drop")
    rows = [(t, d, s) for t, row in documents.items() for d, s in row.items()]
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    cranfield.write(cranfield.Run.from_dict(documents), tmp_path / "a.run")
    frame.to_csv(tmp_path / "a.csv", index=False)
    (tmp_path / "a.json").write_text(json.dumps(documents))
    for given in (frame, str(tmp_path / "a.run"), str(tmp_path / "a.csv"), str(tmp_path / "a.json")):
        assert means(given, qrels, own_document="drop") == wanted
    scorer = cranfield.Scorer(qrels, ["nDCG@10", "AP", "P@5", "RR"], own_document="drop")
    assert scorer(documents) == wanted
    fused = cranfield.fuse([documents], own_document="drop").to_dict()
    assert all(topic not in row for topic, row in fused.items())
    assert cranfield.fuse([run], passages="#").to_dict().keys() == documents.keys()
    assert set(cranfield.fuse([run], passages="#").to_dict()["t0"]) == set(documents["t0"])


@pytest.mark.filterwarnings("ignore:.*ranks contradict scores")
def test_ranks_decide_between_passages_where_the_policy_says_so(tmp_path: Path) -> None:
    (tmp_path / "r.run").write_text("1 Q0 a#1 3 9 x\n1 Q0 b#1 2 8 x\n1 Q0 a#2 4 7 x\n1 Q0 b#2 1 1 x\n")
    words = {"passages": "#"}
    assert means(str(tmp_path / "r.run"), {"1": {"a": 1}}, **words)["RR"] == 1
    assert means(str(tmp_path / "r.run"), {"1": {"a": 1}}, ties="rank", **words)["RR"] == 0.5


def test_a_passage_twice_is_refused_as_any_document() -> None:
    lists = pd.DataFrame({"query_id": ["1", "1"], "doc_id": ["a#1", "a#1"], "score": [2.0, 1.0]})
    with pytest.raises(InputError, match="'a#1' occurs twice in topic '1'"):
        means(lists, {"1": {"a": 1}}, passages="#")
    assert means(lists, {"1": {"a": 1}}, passages="#", on_duplicate="first")["RR"] == 1


def test_a_list_of_nothing_else_is_missing_or_refused() -> None:
    run = {"1": {"1": 2.0}, "2": {"a": 1.0, "2": 3.0}}
    with pytest.warns(cranfield.CranfieldWarning, match="topic 1 missing from the run"):
        assert means(run, {"1": {"a": 1}, "2": {"a": 1}}, own_document="drop")["RR"] == 0.5
    with pytest.raises(InputError, match="nothing is left of the run"):
        means({"1": {"1": 2.0}}, {"1": {"a": 1}}, own_document="drop")


def test_topics_without_residual_judgments_are_named() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}, "2": {"a": 1, "b": 1}})
    with pytest.warns(cranfield.CranfieldWarning, match="topic 1: no judgment is left"):
        left = qrels.excluding(Qrels.from_dict({"1": {"a": 0}, "2": {"a": 1}}))
    assert left.topics == ("2",)
    with pytest.raises(UsageError, match="already"):
        left.excluding(qrels)
    with pytest.raises(InputError, match="no judgment is left"):
        qrels.excluding(qrels)


def test_signatures_hold_what_was_rewritten() -> None:
    run, qrels, earlier = collection(1)
    residual = Qrels.from_dict(qrels).excluding(Qrels.from_dict(earlier, name="feedback"))
    table = cranfield.evaluate(run, residual, "AP", own_document="drop", passages="#")
    signature = json.loads(table["AP"].attrs["signature"])
    assert (signature["own_document"], signature["passages"]) == ("drop", "#")
    assert signature["excluded"]["name"] == "feedback"


def test_words_that_are_none() -> None:
    with pytest.raises(UsageError, match="own_document='no' is not one of keep, drop"):
        Policy(own_document="no")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="passages=3 should be the text"):
        Policy(passages=3)  # type: ignore[arg-type]
