"""Cases of the field: small inputs in the situation of public reports about other tools, with the right answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import cranfield
from cranfield.cli import app
from cranfield.errors import CranfieldWarning, InputError, UsageError
from cranfield.pairwise import count_wins, estimate_strengths, measure_order_effect, read_verdicts
from data_sets import REAL_GOLDEN

FIELD = REAL_GOLDEN / "field"
FORMATS = FIELD / "formats"

pytestmark = [pytest.mark.data("golden/field"), pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")]


def read(name: str) -> Any:
    return json.loads((FORMATS / name).read_text())


def call(*words: str) -> Any:
    """Run a command."""
    return CliRunner().invoke(app, list(words), catch_exceptions=False)


def means(*words: str) -> dict[str, float]:
    """The means of a call of ``evaluate``."""
    called = call("evaluate", *words, "-f", "json")
    assert called.exit_code == 0, called.stderr
    return {row["measure"]: row["value"] for row in json.loads(called.stdout)["rows"]}


@pytest.mark.parametrize(
    "name",
    [
        "opensearch.judgments.json",
        "rre.ratings.json",
        "quepid.case.json",
        "quepid.basic.csv",
        "quepid.book.json#ann@example.org",
        "elasticsearch.rank_eval.request.json",
    ],
)
def test_judgments_of_search_tools(name: str) -> None:
    assert cranfield.read_qrels(FORMATS / name).to_dict() == read("qrels.json")


def test_ratings_by_grade(tmp_path: Path) -> None:
    ratings = read("rre.ratings.json")
    for group in ratings["topics"][0]["query_groups"]:
        grades: dict[str, list[str]] = {}
        for document, held in group["relevant_documents"].items():
            grades.setdefault(str(held["gain"]), []).append(document)
        group["relevant_documents"] = grades
    path = tmp_path / "ratings.json"
    path.write_text(json.dumps(ratings))
    assert cranfield.read_qrels(path).to_dict() == read("qrels.json")


def test_two_raters_are_two_judges() -> None:
    called = call("judges", str(FORMATS / "quepid.book.json"), "--show", "labels", "-f", "csv")
    assert called.exit_code == 0, called.stderr
    assert "quepid.book#bo@example.org" in called.stdout


def test_hits_are_a_run() -> None:
    run = cranfield.read_run(FORMATS / "elasticsearch.rank_eval.response.json").to_dict()
    assert {topic: sorted(row, key=lambda d: -row[d]) for topic, row in run.items()} == read("run.json")


def test_samples_of_lm_eval() -> None:
    path = FORMATS / "lm-eval.samples_task_2026.jsonl"
    samples = [json.loads(line) for line in path.read_text().splitlines()]
    scores = cranfield.read_scores(path)
    for metric in ("exact_match", "f1"):
        assert scores[metric].squeeze().to_series().to_dict() == {str(own["doc_id"]): own[metric] for own in samples}


def test_unrated() -> None:
    files = str(FIELD / "unrated/basic.csv"), str(FIELD / "unrated/run.csv")
    roles = ("--columns", "topic=query,document=docid,label=rating")
    assert means(*files, "-m", "nDCG@10", *roles)["nDCG@10"] == pytest.approx(0.8805, abs=5e-5)


def test_five_steps() -> None:
    verdicts = read_verdicts(FIELD / "five-steps/five.tsv")
    own = count_wins(verdicts, weights="verdicts", strong_weight=3).table
    assert (own["wins"].item(), own["losses"].item(), own["share"].item()) == (3.5, 1.5, 0.7)
    games = read_verdicts(FIELD / "five-steps/arenahard.jsonl")
    assert games.to_frame()[["left", "right", "verdict"]].to_numpy().tolist() == [
        ["b", "m", "A>>B"],
        ["m", "b", "right"],
    ]


def test_swaps() -> None:
    verdicts = read_verdicts(FIELD / "swaps/swaps.tsv")
    effect = measure_order_effect(verdicts).table.set_index("statistic")["value"]
    assert effect[["changed", "reversed", "first"]].tolist() == [0.5, 0.25, 0.5625]
    assert count_wins(verdicts).table["share"].item() == 0.5625
    assert count_wins(verdicts, repeats="both").table["share"].item() == 0.5


def test_one_class() -> None:
    ties = read_verdicts(FIELD / "one-class/allties.csv")
    assert estimate_strengths(ties).table["strength"].tolist() == [0.0, 0.0]
    with pytest.raises(InputError, match="has verdicts other than ties on 0 topics"):
        estimate_strengths(ties, pair_ties="drop")
    with pytest.raises(InputError, match="the parameter of ties is not finite: take pair_ties='half'"):
        estimate_strengths(ties, pair_ties="davidson")


def test_islands() -> None:
    pairs = estimate_strengths(read_verdicts(FIELD / "islands/islands.tsv"), prior=1).pairs
    groups = [{"a", "b"}, {"c", "d"}]
    for row in pairs.to_dict("records"):
        assert np.isnan(row["difference"]) != ({row["system"], row["other"]} in groups)


@pytest.mark.parametrize("wins", [2, 5])
def test_few_topics(wins: int) -> None:
    strengths = estimate_strengths(read_verdicts(FIELD / f"few-topics/two-{wins}.csv"), prior=1)
    assert strengths.table[["rank_low", "rank_high"]].to_numpy().tolist() == [[1, 2], [1, 2]]
    assert strengths.pairs["p"].item() >= 2.0 ** (1 - wins) - 1e-12
    newcomer = estimate_strengths(read_verdicts(FIELD / "few-topics/newcomer.csv"), prior=1).table
    assert (newcomer["rank_high"] - newcomer["rank_low"]).min() >= 0


@pytest.mark.parametrize("name", ["r.run", "t.run", "rows.csv", "rows.json", "rows.jsonl", "ranks.csv", "list.json"])
def test_a_document_twice_in_a_list(name: str) -> None:
    files = str(FIELD / "duplicates/b.qrels"), str(FIELD / "duplicates" / name)
    assert means(*files, "-m", "RR", "--on-duplicate", "first")["RR"] == 0.5
    if name != "r.run":
        with pytest.raises(InputError, match="occurs twice in topic 'q1': keep one of its"):
            cranfield.read_run(FIELD / "duplicates" / name)


@pytest.mark.parametrize(("name", "more"), [("ms.tsv", ("--input-format", "msmarco")), ("st.jsonl", ())])
def test_a_document_twice_in_lists_of_tools(name: str, more: tuple[str, ...]) -> None:
    files = str(FIELD / "duplicates/b.qrels"), str(FIELD / "duplicates" / name)
    assert means(*files, "-m", "RR", "--on-duplicate", "first", *more)["RR"] == 0.5


@pytest.mark.parametrize("name", ["same.qrels", "same.csv", "same.json", "dup.qrels"])
def test_the_same_judgment_twice_is_ignored_with_a_warning(name: str) -> None:
    with pytest.warns(CranfieldWarning, match="is judged again with the same label, which is ignored"):
        assert cranfield.read_qrels(FIELD / "duplicates" / name).to_dict()["q1"]["a"] == 1


def test_other_labels_are_refused() -> None:
    with pytest.raises(InputError, match="another label"):
        cranfield.read_qrels(FIELD / "duplicates/conflict.qrels")


def test_topics_without_documents_are_absent() -> None:
    """One rule for files and Python."""
    for qrels in ({"u1": {"a": 1}, "u9": {}}, {"u1": ["a"], "u9": []}, FIELD / "empty-topics/q-empty.json"):
        assert cranfield.evaluate_means({"u1": {"a": 1.0}}, qrels, ["nDCG"]) == {"run": {"nDCG": 1.0}}
    frame = pd.DataFrame({"user_id": ["u1"], "item_id": ["1"], "rating": [3.0]})
    with pytest.raises(
        UsageError, match=r"if 'rating' holds labels, say so, columns=\{'label': 'rating'\}; or is this"
    ):
        cranfield.evaluate_means({"u1": {"1": 1.0}}, frame, ["nDCG"])
    assert cranfield.evaluate_means({"u1": {"1": 1.0}}, frame, ["nDCG"], columns={"label": "rating"})


@pytest.mark.parametrize("blanks", ["\t", " "])
@pytest.mark.parametrize("name", ["ref2.tsv", "ref4.tsv"])
def test_references_of_msmarco(tmp_path: Path, name: str, blanks: str) -> None:
    path = tmp_path / name
    path.write_text((FIELD / "msmarco-reference" / name).read_text().replace("\t", blanks))
    run = str(FIELD / "msmarco-reference/run.tsv")
    assert means(str(path), run, "--input-format", "msmarco", "-m", "RR@10")["RR@10"] == 0.75


def test_ids_in_a_cell() -> None:
    roles = "run.topic=UserId,run.document=RecommendedItemIds,qrels.topic=UserId,qrels.document=ItemId,label=rating"
    files = (str(FIELD / "ids-in-a-cell/truth.csv"), str(FIELD / "ids-in-a-cell/submission.csv"))
    assert means(*files, "--columns", roles, "-m", "RR") == {"RR": 0.25}


def test_judged_share() -> None:
    files = str(FIELD / "judged-share/q.txt"), str(FIELD / "judged-share/r.run")
    assert means(*files, "-m", "P@5")["P@5"] == pytest.approx(0.4)


def test_retrieved_denominator() -> None:
    files = str(FIELD / "retrieved-denominator/q.json"), str(FIELD / "retrieved-denominator/r.json")
    values = [*means(*files, "-m", "AP", "-m", 'AP(denominator="min")@3').values()]
    np.testing.assert_allclose(values, [0.2916667, 0.3888889], atol=1e-7)


def test_topics_without_relevant_documents() -> None:
    files = str(FIELD / "all-zero-topics/labels.csv"), str(FIELD / "all-zero-topics/preds.csv")
    assert means(*files, "-m", "nDCG@10")["nDCG@10"] == pytest.approx(0.4077, abs=5e-5)
    kept = means(*files, "-m", "nDCG@10", "--undefined", "keep")
    assert kept["nDCG@10"] == pytest.approx(0.8155, abs=5e-5)


def test_yes_and_no() -> None:
    compared = cranfield.compare(cranfield.read_scores(FIELD / "yes-no/hits.csv"), test="sign")
    assert 0.5034447 in compared.pairs["p"].round(7).tolist()


def test_systems_without_all_tasks_are_not_ranked() -> None:
    assert "big" in (ranked := call("board", str(FIELD / "missing-tasks/board.csv"), "-f", "csv").stdout)
    assert "mid" in ranked
    assert "new" not in ranked


def test_critical_difference() -> None:
    called = call("compare", "--scores", str(FIELD / "critical-difference/scores.csv"), "--test", "nemenyi")
    assert called.exit_code == 0, called.stderr
    assert "1.483" in called.stdout
