"""Judges: their labels, what follows for systems, and whom they favour."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from data_sets import DATA

HUMAN = {"q1": {"a": 2, "b": 0, "c": 1, "d": 0}, "q2": {"a": 0, "b": 3, "c": 1}, "q3": {"a": 1, "b": 1}}
JUDGE = {"q1": {"a": 1, "b": 0, "c": 0, "e": 1}, "q2": {"a": 1, "b": 1, "c": 1}, "q3": {"a": 0, "b": 0}}


def test_labels_on_common_documents() -> None:
    found = cranfield.agreement.compare_labels({"human": HUMAN, "judge": JUDGE}, rel={"human": 2})
    line = found.table.loc["judge"]
    ours, theirs = [2, 0, 1, 0, 3, 1, 1, 1], [1, 0, 0, 1, 1, 1, 0, 0]
    assert (line["documents"], line["judged"]) == (8, 9)
    assert line["equal"] == np.mean(np.array(ours) == np.array(theirs))
    assert line["kappa"] == pytest.approx(cohen_kappa_score(ours, theirs))
    assert line["kappa_quadratic"] == pytest.approx(cohen_kappa_score(ours, theirs, weights="quadratic"))
    binary = [label >= 2 for label in ours]
    assert line["kappa_binary"] == pytest.approx(cohen_kappa_score(binary, [label >= 1 for label in theirs]))
    assert (line["relevant"], line["relevant_reference"]) == (4 / 8, 2 / 8)
    assert found.confusion["judge"].loc[1, 0] == 3
    assert found.confusion["judge"].to_numpy().sum() == 8
    assert found.by_topic.loc["q1", "judge"] == pytest.approx(cohen_kappa_score([1, 0, 0], [1, 0, 0]))
    assert np.isnan(found.by_topic.loc["q3", "judge"])
    assert list(found.by_topic.index) == ["q1", "q2", "q3"]


def runs_of(seed: int = 0) -> tuple[dict[str, dict[str, dict[str, float]]], dict[str, dict[str, int]]]:
    """Five systems on twelve topics, and judgments of a human."""
    rng = np.random.default_rng(seed)
    qrels = {f"q{t}": {f"d{d}": int(rng.integers(0, 4)) for d in range(20)} for t in range(12)}
    runs = {}
    for number, quality in enumerate((0.9, 0.7, 0.5, 0.3, 0.1)):
        runs[f"s{number}"] = {
            topic: {doc: quality * label + rng.normal() for doc, label in pool.items()} for topic, pool in qrels.items()
        }
    return runs, qrels


@pytest.mark.filterwarnings("ignore:.* hold the same judgments")
def test_a_judge_who_copies_agrees_in_all() -> None:
    runs, qrels = runs_of()
    found = cranfield.agreement.compare_judges(runs, {"human": qrels, "copy": qrels}, "nDCG@10")
    line = found.systems.table.loc["copy"]
    assert (line["tau_b"], line["kept"], line["lost"]) == (1.0, 1.0, 0.0)
    assert found.labels.table.loc["copy", "kappa"] == 1.0
    assert found.labels.alpha == 1.0
    assert (found.favour["favour"] == 0).all()
    assert (found.favour["p_adjusted"] == 1).all()
    assert (found.intervals["value"] == found.intervals["statistic"].map(lambda name: float(name != "lost"))).all()
    ends = found.intervals.set_index("statistic")[["low", "high"]]
    assert ends.loc["tau_b"].isna().all()  # no resample changes it, which is not certainty
    pairs = (cranfield.compare(found.scores["human"], test="t").pairs["p_adjusted"] <= 0.05).sum()
    end = 0.025 ** (1 / pairs)  # exact, of the significant pairs, which are fewer than the twelve topics
    assert ends.loc["kept"].tolist() == pytest.approx([end, 1.0])
    assert ends.loc["lost"].tolist() == pytest.approx([0.0, 1.0 - end])
    assert (found.labels.intervals["value"] == 1).all()
    assert found.labels.intervals[["low", "high"]].isna().all(axis=None)


def test_a_judge_who_favours_one_system_is_found_out() -> None:
    runs, qrels = runs_of()
    favoured = {
        topic: {doc: 3 if doc in sorted(runs["s2"][topic], key=runs["s2"][topic].get)[-5:] else label  # type: ignore[arg-type]
                for doc, label in pool.items()}
        for topic, pool in qrels.items()
    }  # fmt: skip
    found = cranfield.agreement.compare_judges(runs, {"human": qrels, "friend": favoured}, "nDCG@10")
    favour = found.favour.set_index("system")
    assert favour["favour"].idxmax() == "s2"
    assert favour.loc["s2", "p_adjusted"] < 0.05
    line = stats.linregress(favour["mean_reference"], favour["mean"])
    expected = favour["mean"] - line.intercept - line.slope * favour["mean_reference"]
    assert favour["favour"].tolist() == pytest.approx(expected.tolist())
    assert favour["favour"].sum() == pytest.approx(0.0, abs=1e-12)


def test_a_generous_judge_is_not_called_partial() -> None:
    """Every label a grade higher where a coin says so: systems all gain, and none is favoured."""
    runs, qrels = runs_of()
    rng = np.random.default_rng(3)
    generous = {
        topic: {doc: label + int(rng.random() < 0.3) for doc, label in pool.items()} for topic, pool in qrels.items()
    }
    found = cranfield.agreement.compare_judges(runs, {"human": qrels, "generous": generous}, "DCG@10")
    assert (found.favour["mean"] > found.favour["mean_reference"]).all()
    assert found.favour["p_adjusted"].min() > 0.05


def test_intervals_are_percentiles_over_topics() -> None:
    runs, qrels = runs_of()
    rng = np.random.default_rng(4)
    other = {topic: {doc: int(rng.integers(0, 4)) for doc in pool} for topic, pool in qrels.items()}
    better = {
        topic: {doc: label if rng.random() < 0.7 else 0 for doc, label in pool.items()} for topic, pool in qrels.items()
    }
    judges = {"human": qrels, "random": other, "better": better}
    found = cranfield.agreement.compare_judges(runs, judges, resamples=300, seed=5)
    systems = found.intervals.set_index(["judge", "statistic"])
    table = found.labels.intervals.set_index(["judge", "statistic"])
    for name in ("random", "better"):
        for statistic in ("kappa", "kappa_linear", "kappa_quadratic", "kappa_binary", "alpha"):
            assert table.loc[(name, statistic), "value"] == pytest.approx(found.labels.table.loc[name, statistic])
        for statistic in ("tau_b", "kept", "lost"):
            assert systems.loc[(name, statistic), "value"] == pytest.approx(found.systems.table.loc[name, statistic])
    draws = np.random.default_rng(5).integers(0, 12, size=(300, 12))
    topics = list(qrels)
    kappas = []
    for row in draws:
        pair = [[labels[topics[at]][doc] >= 1 for at in row for doc in qrels[topics[at]]] for labels in (qrels, better)]
        kappas.append(cohen_kappa_score(*pair))
    expected = np.quantile(kappas, [0.025, 0.975])
    assert table.loc[("better", "kappa_binary"), ["low", "high"]].tolist() == pytest.approx(expected.tolist())
    assert bool(table.loc[("better", "kappa_binary"), "among_best"])
    assert not bool(table.loc[("random", "kappa_binary"), "among_best"])


def test_systems_built_with_the_judges_model_are_left_out_too() -> None:
    runs, qrels = runs_of()
    judges = {
        "human": qrels,
        "model": {topic: {doc: min(label, 1) for doc, label in pool.items()} for topic, pool in qrels.items()},
    }
    with pytest.warns(
        CranfieldWarning, match=r"built with the model of 'model': 2 systems \(s0, s1\); .* are circular"
    ):
        found = cranfield.agreement.compare_judges(runs, judges, same_model={"model": ["s1", "s0"]})
    line = found.without.iloc[0]
    assert (line["judge"], line["systems"]) == ("model", 2)
    assert line["tau_b"] == found.systems.table.loc["model", "tau_b"]
    rest = {name: run for name, run in runs.items() if name not in ("s0", "s1")}
    alone = cranfield.agreement.compare_judges(rest, judges)
    assert line["tau_b_without"] == pytest.approx(alone.systems.table.loc["model", "tau_b"])
    with pytest.raises(UsageError, match=r"same_model= names 'nobody', and no system is called so"):
        cranfield.agreement.compare_judges(runs, judges, same_model={"model": ["nobody"]})
    with pytest.raises(UsageError, match=r"same_model= names 'human', which is not a judge beside the reference"):
        cranfield.agreement.compare_judges(runs, judges, same_model={"human": ["s0"]})


def test_only_common_documents() -> None:
    runs, qrels = runs_of()
    fewer = {topic: dict(list(pool.items())[:9]) for topic, pool in qrels.items()}
    found = cranfield.agreement.compare_judges(runs, {"human": qrels, "few": fewer}, common=True)
    assert found.labels.table.loc["few", "documents"] == 108
    assert found.systems.table.loc["few", "tau_b"] == 1.0
    assert found.scores["human"].equals(found.scores["few"])
    apart = cranfield.agreement.compare_judges(runs, {"human": qrels, "few": fewer})
    assert not apart.scores["human"].equals(apart.scores["few"])


def test_levels_reach_a_measure_that_sets_none() -> None:
    runs, qrels = runs_of()
    found = cranfield.agreement.compare_judges(runs, {"one": qrels, "two": qrels}, "AP", rel={"two": 3})
    expected = cranfield.evaluate(runs, qrels, "AP(rel=3)")["AP(rel=3)"]
    assert found.scores["two"].to_numpy() == pytest.approx(expected.to_numpy())


def test_a_level_that_no_label_reaches_is_named() -> None:
    with pytest.warns(CranfieldWarning, match="'judge' has no label of 9 or more, and so no relevant document"):
        cranfield.agreement.compare_labels({"human": HUMAN, "judge": JUDGE}, rel={"judge": 9})


@pytest.mark.filterwarnings("ignore:.* hold the same judgments")
def test_wrong_calls() -> None:
    runs, qrels = runs_of()
    with pytest.raises(UsageError, match="at least two judgments, and there is 1"):
        cranfield.agreement.compare_labels({"a": qrels})
    with pytest.raises(InputError, match="two judgments are called 'qrels'"):
        cranfield.agreement.compare_labels([qrels, qrels])
    with pytest.raises(UsageError, match="no judge is called 'c'"):
        cranfield.agreement.compare_labels({"a": qrels, "b": qrels}, reference="c")
    with pytest.raises(UsageError, match="rel= names 'c', and the judges are 'a', 'b'"):
        cranfield.agreement.compare_labels({"a": qrels, "b": qrels}, rel={"c": 2})
    with pytest.raises(InputError, match="'b' and 'a' judge no document in common"):
        cranfield.agreement.compare_labels({"a": qrels, "b": {"x": {"y": 1}}})
    with pytest.raises(UsageError, match="works on one measure"):
        cranfield.agreement.compare_judges(runs, {"a": qrels, "b": qrels}, "P.5,10")


@pytest.mark.data("data/llmjudge-dl23")
def test_judges_of_dl_2023() -> None:
    """All 33 judges labelled all 4,423 pairs; figures of the best from scikit-learn."""
    folder = DATA / "llmjudge-dl23"
    judges = {"human": str(folder / "data/llmjudge_test_qrel_idx.txt")}
    judges |= {path.stem: str(path) for path in sorted((folder / "submissions/scores").glob("*.txt"))}
    found = cranfield.agreement.compare_labels(judges)
    assert len(found.table) == 33
    assert (found.table["documents"] == 4423).all()

    def labels(path: str) -> list[float]:
        rows = [line.split() for line in Path(path).read_text(encoding="utf-8").splitlines()]
        return [float(row[3]) for row in sorted(rows, key=lambda row: (row[0], row[2]))]

    human = labels(judges["human"])
    for name in ("h2oloo-fewself", "willia-umbrela1", "Olz-exp"):
        theirs = labels(judges[name])
        assert found.table.loc[name, "kappa"] == pytest.approx(cohen_kappa_score(human, theirs), abs=1e-12)


def judged_in_part(share: float) -> tuple[dict[str, dict[str, dict[str, float]]], dict[str, dict[str, dict[str, int]]]]:
    """Runs, and two judges with the same labels, of whom one judged a part of the documents."""
    made = cranfield.simulation.simulate_runs(n_systems=10, n_topics=30, depth=20)
    rng, model = np.random.default_rng(1), made.qrels.to_dict()
    people = {
        topic: {document: label for document, label in pool.items() if rng.random() < share}
        for topic, pool in model.items()
    }
    return made.runs, {"people": people, "model": model}


@pytest.mark.filterwarnings("ignore:.*without any document with a gain")
def test_a_judge_of_few_documents_is_warned_of() -> None:
    runs, judges = judged_in_part(0.4)
    said = r"by 'people', many of the first 10 documents are not judged, and count as not relevant \(.*%.*\(common=\)"
    with pytest.warns(CranfieldWarning, match=said):
        cranfield.agreement.compare_judges(runs, judges, resamples=10)
    with pytest.warns(CranfieldWarning, match="by 'people', many .* and unjudged='condense' passes over them"):
        cranfield.agreement.compare_judges(runs, judges, resamples=10, unjudged="condense")


@pytest.mark.filterwarnings("error", "ignore:.*(without any document with a gain|hold the same judgments)")
def test_nobody_is_warned_of_where_all_judged_the_same_or_nearly_all() -> None:
    runs, judges = judged_in_part(0.4)
    cranfield.agreement.compare_judges(runs, judges, common=True, resamples=10)
    cranfield.agreement.compare_judges(runs, {"people": judges["people"], "again": judges["people"]}, resamples=10)
    runs, judges = judged_in_part(0.99)
    cranfield.agreement.compare_judges(runs, judges, resamples=10)


@pytest.mark.filterwarnings("ignore:.* hold the same judgments")
def test_topics_that_another_judge_has_are_not_called_ignored() -> None:
    runs, qrels = runs_of()
    few = dict(list(qrels.items())[:8])
    with pytest.warns(CranfieldWarning, match="4 topics are not judged by 'people', whose scores leave them out"):
        cranfield.agreement.compare_judges(runs, {"people": few, "model": qrels}, resamples=10)
    with pytest.warns(CranfieldWarning, match=r"4 topics \(q8, .*\) are not judged, so they are ignored"):
        cranfield.agreement.compare_judges(runs, {"people": few, "model": few}, resamples=10)


@pytest.mark.filterwarnings("ignore")
def test_shares_of_unjudged_documents_that_differ_are_said_with_the_table() -> None:
    runs, judges = judged_in_part(0.4)
    found = cranfield.agreement.compare_judges(runs, judges, resamples=10)
    labels, run = judges["people"], runs[0]
    name, lists = run.name, run.to_dict()
    shares = [
        sum(document not in labels[topic] for document in sorted(ranked, key=lambda d: (-ranked[d], d))[:10]) / 10
        for topic, ranked in lists.items()
        if labels.get(topic)
    ]
    rows = found.to_frame("unjudged").set_index(["judge", "system"])["unjudged"]
    assert rows["people", name] == pytest.approx(np.mean(shares), abs=1e-12)
    by_people = rows["people"].mean()
    assert found.systems.table.loc["model", "unjudged_reference"] == pytest.approx(by_people)
    said = f"not judged, and counts as not relevant: people {by_people:.1%}, model "
    for text in (found.caption("systems.table"), str(found), found._repr_html_(), found.caption("intervals")):
        assert said in " ".join(text.split())
    assert "(common=True)" in found.caption("systems.movers")
    assert found.signature["unjudged"]["people"] == pytest.approx(by_people, abs=1e-4)
    common = cranfield.agreement.compare_judges(runs, judges, resamples=10, common=True)
    assert "is not judged by all, and counts as not relevant by every judge" in common.caption("systems.table")
    alike = cranfield.agreement.compare_judges(runs, {"a": judges["model"], "b": judges["model"]}, resamples=10)
    assert "not judged" not in alike.caption("systems.table")


@pytest.mark.filterwarnings("ignore")
def test_scales_that_end_elsewhere_are_said_with_conclusions_too() -> None:
    runs, judges = judged_in_part(1.0)
    doubled = {topic: {name: 2 * label for name, label in pool.items()} for topic, pool in judges["model"].items()}
    most = max(label for pool in judges["model"].values() for label in pool.values())
    said = f"labels that do not end where those of people do: model (largest {2 * most:g}, not {most:g}): gains and a "
    people = {"people": judges["model"]}
    found = cranfield.agreement.compare_judges(runs, people | {"model": doubled}, resamples=10)
    assert said in found.caption("systems.table")
    alike = cranfield.agreement.compare_judges(runs, people | {"model": judges["model"]}, resamples=10)
    assert "do not end" not in alike.caption("systems.table")
