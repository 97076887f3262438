"""What to judge next, predicted labels, ignored pairs, the bootstrap, and what the caption warns of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield.errors import InputError, UsageError
from cranfield.holes import estimate_by_bootstrap, estimate_holes
from data_sets import DATA, GOLDEN

HOLES, BEIR = GOLDEN / "holes", DATA / "trec-covid-beir-holes"
PAIR = {name: HOLES / f"{name}.run" for name in ("new", "a1")}


def test_values_of_precision_are_variances_of_labels_in_one_list_alone() -> None:
    fit = estimate_holes(PAIR, HOLES / "qrels.txt")
    listed = fit.judge_next("new", "a1", "P@10", 100)
    p = fit.probabilities.query("level == 1").set_index(["topic", "document"])["p"]
    lists = [
        {
            topic: sorted(scores, key=lambda document: scores[document], reverse=True)[:10]
            for topic, scores in cranfield.read_run(path).to_dict().items()
        }
        for path in PAIR.values()
    ]
    alone = {pair for pair in p.index if (pair[1] in lists[0][pair[0]]) != (pair[1] in lists[1][pair[0]])}
    documents = listed.documents
    assert set(documents[["topic", "document"]].itertuples(index=False, name=None)) <= alone
    assert len(documents) > 10
    for topic, document, value in documents.itertuples(index=False, name=None):
        middle = p[topic, document]
        assert value == pytest.approx(middle * (1 - middle) / 100, abs=0.0006)
    assert (np.diff(documents["value"]) <= 0).all()
    assert listed.caveats[0].startswith("blind: assumes")
    with pytest.raises(UsageError, match="is not a sum of what each document adds"):
        fit.judge_next("new", "a1", "RR")


def test_predicted_labels_are_one_more_feature_and_must_be_complete() -> None:
    qrels = cranfield.read_qrels(HOLES / "qrels.txt").to_dict()
    unjudged = estimate_holes(PAIR, qrels).probabilities
    predicted = {topic: dict(labels) for topic, labels in qrels.items()}
    with pytest.raises(InputError, match="have no predicted label"):
        estimate_holes(PAIR, qrels, predicted=predicted)
    for at, (topic, document) in enumerate(unjudged[["topic", "document"]].drop_duplicates().to_numpy().tolist()):
        predicted[topic][document] = at % 4
    names = estimate_holes(PAIR, qrels, predicted=predicted).coefficients["name"]
    assert "predicted label" in set(names)


def test_ignored_pairs_are_no_candidates() -> None:
    fit = estimate_holes(PAIR, HOLES / "qrels.txt")
    pairs = list(fit.probabilities[["topic", "document"]].drop_duplicates().itertuples(index=False, name=None))
    fewer = estimate_holes(PAIR, HOLES / "qrels.txt", ignore=pairs[:3]).probabilities
    left = set(fewer[["topic", "document"]].itertuples(index=False, name=None))
    assert left == set(pairs[3:])


def test_residual_runs_contribute_to_the_judgments_of_their_own_round_alone() -> None:
    """Documents of other judgments stay judged, and are neither candidates nor learnt from nor counted in ranks."""
    qrels = cranfield.read_qrels(HOLES / "qrels.txt").to_dict()
    own = {topic: dict(list(labels.items())[::2]) for topic, labels in qrels.items()}
    every, of_round = (estimate_holes(PAIR, qrels, learn_from=learn_from) for learn_from in (qrels, own))
    plain = estimate_holes(PAIR, qrels)
    assert every.probabilities.equals(plain.probabilities)
    pairs = ["topic", "document", "level"]
    assert of_round.probabilities[pairs].equals(plain.probabilities[pairs])
    assert (of_round.probabilities["p"] != plain.probabilities["p"]).any()
    removed = {(topic, document) for topic, labels in qrels.items() for document in labels.keys() - own[topic].keys()}
    residual = {
        name: {
            topic: {document: score for document, score in scores.items() if (topic, document) not in removed}
            for topic, scores in cranfield.read_run(path).to_dict().items()
        }
        for name, path in PAIR.items()
    }
    by_hand = estimate_holes(residual, own, depth=40)
    values = of_round.coefficients["value"].to_numpy()
    np.testing.assert_allclose(values, by_hand.coefficients["value"], rtol=0, atol=1e-9)
    both = of_round.probabilities.merge(by_hand.probabilities, on=pairs)
    assert len(both) == len(of_round.probabilities)
    np.testing.assert_allclose(both["p_x"], both["p_y"], rtol=0, atol=1e-9)
    zero = of_round.evaluate(draws=200).table["zero"]
    assert zero.equals(plain.evaluate(draws=200).table["zero"])


@pytest.mark.data("data/trec-covid-beir-holes")
def test_the_bootstrap_is_the_published_one() -> None:
    """Means of the draws that its authors stored: .7386 .7402 .6274."""
    runs = {name: BEIR / "runs" / f"{name}.run.gz" for name in ("ance", "colbert", "tas-b")}
    table = estimate_by_bootstrap(runs, BEIR / "qrels.holes.txt.gz", draws=200).table
    assert table["estimate"].tolist() == pytest.approx([0.7386, 0.7402, 0.6274], abs=0.002)


def test_the_bootstrap_draws_each_judged_document_once() -> None:
    """A list that has every relevant document leaves none for its hole, whatever is drawn."""
    labels = {f"q{topic}": {"a": 2, "b": 1, "c": 0} for topic in range(2)}
    listed = {topic: {"a": 4.0, "b": 3.0, "hole": 2.0, "c": 1.0} for topic in labels}
    less = {topic: {"b": 4.0, "hole": 2.0, "c": 1.0} for topic in labels}
    table = estimate_by_bootstrap({"all": listed, "less": less}, labels, "nDCG@4", draws=400).table
    everything, some = (table.xs(name, level="system").iloc[0] for name in ("all", "less"))
    assert [everything[name] for name in ("estimate", "lower", "upper")] == pytest.approx([everything["zero"]] * 3)
    assert some["zero"] < some["estimate"] < some["upper"]


def test_measures_of_intents_are_refused_and_thin_topics_are_named() -> None:
    fit = estimate_holes(PAIR, HOLES / "qrels.txt")
    with pytest.raises(UsageError):
        fit.evaluate("alpha_nDCG@10", draws=200)
    qrels = cranfield.read_qrels(HOLES / "qrels.txt").to_dict()
    first = next(iter(qrels))
    qrels[first] = dict(list(qrels[first].items())[:15])
    caveats = estimate_holes(PAIR, qrels).evaluate("AP", draws=200).caveats
    assert any(line.startswith("fewer than 20 judged documents") and first in line for line in caveats)
    assert any("not calibrated for measures without a cutoff: AP" in line for line in caveats)


def test_runs_with_many_holes_and_runs_unlike_the_pool_are_named() -> None:
    """Every warning of the caption."""
    qrels = cranfield.read_qrels(HOLES / "qrels.txt").to_dict()
    others = {name: HOLES / f"{name}.run" for name in ("a1", "b", "c", "d", "e", "f")}
    few = {topic: dict(list(labels.items())[::2]) for topic, labels in qrels.items()}
    caveats = estimate_holes({"new": HOLES / "new.run"}, few, contributors=others).evaluate(draws=200).caveats
    assert caveats[0].startswith("pool: assumes that unjudged documents are as often relevant as judged ones")
    assert any(line.startswith("not for ranking, more than 40% of the documents") and "new" in line for line in caveats)
    alone = {topic: {f"own{rank}": 100.0 - rank for rank in range(15)} for topic in qrels}
    for topic, labels in qrels.items():
        alone[topic] |= {document: -float(rank) for rank, document in enumerate(labels)}
    caveats = estimate_holes({"alone": alone}, qrels, contributors=others).evaluate(draws=200).caveats
    assert any(
        line.startswith("unlike the pool, more than half of the first 20") and "alone" in line for line in caveats
    )
    runs = {topic: {f"x{n}": 99.0 - n for n in range(3)} for topic in qrels}
    for topic, labels in qrels.items():
        runs[topic] |= {document: -float(rank) for rank, document in enumerate(labels)}
    caveats = estimate_holes({"some": runs}, qrels, contributors=others).evaluate(draws=200).caveats
    assert any(line.startswith("rests on the assumption, more than 20%") and "some" in line for line in caveats)


@pytest.mark.parametrize(("sample", "words"), [("sampled", "topics sampled, too"), ("fixed", "these topics")])
def test_intervals_say_what_they_are_over(sample: Any, words: str) -> None:
    fit = estimate_holes(PAIR, HOLES / "qrels.txt")
    described = fit.evaluate(draws=200, seed=3, level=0.9, topic_sample=sample).caption("table").splitlines()[0]
    assert described.endswith(f"200 draws, seed 3; 90% intervals, {words}")


def test_pooled_runs_may_be_scored_too() -> None:
    """Where the pool itself was shallow, its runs are contributors and have holes."""
    runs = {name: HOLES / f"{name}.run" for name in ("a1", "b", "c", "d")}
    table = estimate_holes(runs, HOLES / "qrels.txt", contributors=runs, depth=30).evaluate("P@30", draws=200).table
    assert (table["holes"] > 0).all()
    with pytest.raises(UsageError, match="there are 2"):
        two = {name: runs[name] for name in ("a1", "b")}
        estimate_holes(runs, HOLES / "qrels.txt", contributors=two)
