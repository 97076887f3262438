"""Scores under holes: golden fits and estimates, laws, real holes, and what is refused."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield.errors import CranfieldWarning, InputError, UsageError
from cranfield.holes import Holes, estimate_holes
from data_sets import DATA, GOLDEN

HOLES, BEIR = GOLDEN / "holes", DATA / "trec-covid-beir-holes"
pytestmark = pytest.mark.filterwarnings("ignore:blind mode with one run:cranfield.errors.CranfieldWarning")
MEASURES = {"nDCG@10": "nDCG@10", "P@10": "P@10", "RBP": "RBP(p=0.8,rel=1)", "AP": "AP"}
TEAMS = dict(zip(["a1", "a2", "b", "c", "d", "e", "f", "new"], "AABCDEFN", strict=True))


def fitted(mode: str) -> Holes:
    new = {"new": HOLES / "new.run"}
    if mode == "blind":
        return estimate_holes(new, HOLES / "qrels.txt")
    others = {name: HOLES / f"{name}.run" for name in TEAMS if name != "new"}
    return estimate_holes(new, HOLES / "qrels.txt", contributors=others, teams=HOLES / "teams.csv")


@pytest.mark.parametrize("mode", ["pool", "blind"])
def test_fits_are_the_golden_ones(mode: str) -> None:
    expected = pd.read_csv(HOLES / "expected.exact.tsv", sep="\t")
    fit = fitted(mode)
    coefficients = {
        (level, name): (value, error)
        for level, name, value, error in fit.coefficients.itertuples(index=False, name=None)
    }
    features = [name for level, name in coefficients if level == 1 and not name.startswith("topic ")]
    p = fit.probabilities.set_index(["level", "topic", "document"])["p"]
    checked = 0
    for what, value in expected.loc[expected["mode"] == mode, ["what", "value"]].itertuples(index=False):
        kind, _, rest = what.partition(".")
        if kind.startswith("level") and rest.startswith("b"):
            found = coefficients[int(kind[5:]), features[int(rest[1:])]][0]
        elif kind.startswith("level") and rest.startswith("topic"):
            found = coefficients[int(kind[5:]), f"topic {rest[5:]}"][0]
        elif kind.startswith("level"):
            found = coefficients[int(kind[5:]), features[1]][1]
        elif kind in ("p1", "p2", "p3"):
            topic, _, document = rest.partition(".")
            found = p[int(kind[1:]), topic, document]
        else:
            continue
        assert found == pytest.approx(value, abs=1e-7), what
        checked += 1
    assert checked > 40


@pytest.mark.parametrize("mode", ["pool", "blind"])
def test_estimates_are_the_golden_ones(mode: str) -> None:
    expected = pd.read_csv(HOLES / "expected.scores.tsv", sep="\t")
    draws = 2000
    table = fitted(mode).evaluate(list(MEASURES.values()), draws=draws).table
    for row in expected[expected["mode"] == mode].itertuples():
        name = str(cranfield.parse_measure(MEASURES[row.measure]))
        ours, step = table.loc[(name, "new")], 1 / 120 if row.measure == "P@10" else 0.0
        assert ours["zero"] == pytest.approx(row.zero, abs=1e-6)
        assert ours["estimate"] == pytest.approx(row.estimate, abs=4 * row.sd / draws**0.5)
        for end in ("lower", "upper"):
            assert ours[end] == pytest.approx(getattr(row, end), abs=12 * row.sd / draws**0.5 + step)


@pytest.fixture(scope="module")
def beir() -> Holes:
    runs = {name: BEIR / "runs" / f"{name}.run.gz" for name in ("ance", "colbert", "tas-b")}
    return estimate_holes(runs, BEIR / "qrels.holes.txt.gz")


@pytest.mark.slow
@pytest.mark.data("data/trec-covid-beir-holes")
def test_real_holes_hold_the_truth_and_leave_the_order_open(beir: Holes) -> None:
    expected = pd.read_csv(HOLES / "expected.beir.tsv", sep="\t").set_index(["measure", "run"])
    result = beir.evaluate(["nDCG@10", "P@10"])
    for (measure, run), row in expected.iterrows():
        if run in result.table.index.get_level_values("system"):
            ours = result.table.loc[(measure, run)]
            assert ours["zero"] == pytest.approx(row["zero"], abs=1e-6)
            assert ours["estimate"] == pytest.approx(row["estimate"], abs=0.006)
            for end in ("lower", "upper"):
                assert ours[end] == pytest.approx(row[end], abs=0.012 + 0.002 * (measure == "P@10"))
    truth = {"ance": 0.734673, "colbert": 0.733639, "tas-b": 0.555}
    for run, value in truth.items():
        ours = result.table.loc[("nDCG@10", run)]
        assert ours["lower"] <= value <= ours["upper"]
    assert any("not for ranking" in line and "tas-b" in line for line in result.caveats)
    pair = beir.compare("ance", "colbert", draws=400)
    assert pair.zero < -0.02
    assert pair.lower < 0 < pair.upper
    assert 0.05 < pair.prob_better < 0.95


# ---- laws


def test_without_candidates_the_score_is_plain() -> None:
    qrels = cranfield.read_qrels(HOLES / "qrels.txt").to_dict()
    runs = {
        "judged": {topic: {document: -float(n) for n, document in enumerate(labels)} for topic, labels in qrels.items()}
    }
    table = estimate_holes(runs, qrels).evaluate(["nDCG@10", "AP"], draws=200).table
    assert (table["estimate"] == table["zero"]).all()
    assert (table["upper"] == table["lower"]).all()
    assert (table["holes"] == 0).all()


def test_the_same_seed_gives_the_same_bytes_and_another_one_other_draws() -> None:
    fit = fitted("blind")
    first, again, other = (fit.evaluate("nDCG@10", draws=200, seed=seed) for seed in (3, 3, 4))
    assert first == again
    assert first.to_json() == again.to_json()
    assert not first.table.equals(other.table)


def test_any_executor_gives_the_same_bytes() -> None:
    fit = fitted("pool")
    alone = fit.evaluate(["nDCG@10", "AP"], draws=200, topic_sample="sampled").to_json()
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(3) as three, ProcessPoolExecutor(2) as processes:
        for executor in (one, three, processes):
            assert (
                fit.evaluate(["nDCG@10", "AP"], draws=200, topic_sample="sampled", executor=executor).to_json() == alone
            )


def test_order_of_files_changes_nothing() -> None:
    names = [name for name in TEAMS if name != "new"]
    results = []
    for order in (names, names[::-1]):
        fit = estimate_holes(
            {"new": HOLES / "new.run"},
            HOLES / "qrels.txt",
            contributors={name: HOLES / f"{name}.run" for name in order},
            teams=TEAMS,
        )
        results.append(fit.probabilities["p"].to_numpy())
    np.testing.assert_allclose(*results, rtol=1e-9)


def test_probabilities_fall_with_the_level_and_rise_with_the_offset() -> None:
    fit = fitted("blind")
    by_level = fit.probabilities.pivot(index=["topic", "document"], columns="level", values="p").to_numpy()
    assert (np.diff(by_level, axis=1) <= 0).all()
    higher = estimate_holes({"new": HOLES / "new.run"}, HOLES / "qrels.txt", hole_offset=(-1.0, -0.5)).probabilities[
        "p"
    ]
    assert (higher.to_numpy() >= fit.probabilities["p"].to_numpy()).all()


def test_sampled_topics_widen_the_interval() -> None:
    fit = fitted("pool")
    fixed, sampled = (fit.evaluate("nDCG@10", draws=400, topic_sample=topics).table for topics in ("fixed", "sampled"))
    assert (sampled["upper"] - sampled["lower"] > fixed["upper"] - fixed["lower"]).all()


def test_without_spread_a_precision_is_the_plain_one_and_the_probabilities() -> None:
    fit = fitted("pool")
    first = fit.probabilities[fit.probabilities["level"] == 1]["p"].sum() / (12 * 10)
    table = fit.evaluate("P@10", draws=4000).table.loc[("P@10", "new")]
    assert table["estimate"] == pytest.approx(table["zero"] + first, abs=0.01)


# ---- refusals


@pytest.mark.parametrize("measure", ["Bpref", "Judged@10", "nDCG(judged_only=True)@10"])
def test_measures_of_judgedness_are_refused(measure: str) -> None:
    with pytest.raises(UsageError, match="which documents are judged"):
        fitted("blind").evaluate(measure, draws=200)


def test_few_draws_few_contributors_and_few_judgments_are_refused() -> None:
    with pytest.raises(UsageError, match="draws"):
        fitted("blind").evaluate(draws=199)
    with pytest.raises(UsageError, match="three teams besides the evaluated ones: there are 2"):
        contributors = {name: HOLES / f"{name}.run" for name in ("b", "c")}
        estimate_holes({"new": HOLES / "new.run"}, HOLES / "qrels.txt", contributors=contributors)
    with pytest.raises(
        InputError,
        match=r"at least ten of each class are needed .*; unjudged='zero' counts .* unjudged='condense'",
    ):
        estimate_holes({"r": {"1": {"a": 1.0, "b": 0.5}}}, {"1": {"a": 1}})
    with pytest.raises(UsageError, match="no evaluated run is called"):
        fitted("blind").compare("new", "other")


def test_one_run_alone_is_warned_of() -> None:
    with pytest.warns(CranfieldWarning, match="no better than that of condensed lists, and adds the interval"):
        estimate_holes({"new": HOLES / "new.run"}, HOLES / "qrels.txt")


def test_a_random_sample_is_asked_about_and_a_pool_is_not() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=4, n_topics=60)
    labels, rng = made.qrels.to_dict(), np.random.default_rng(1)
    ranked = {(t, d): at for run in made.runs[:1] for t, docs in run.to_dict().items() for at, d in enumerate(docs)}
    drawn = {t: {d: v for d, v in docs.items() if rng.random() < 0.4} for t, docs in labels.items()}
    pooled = {t: {d: v for d, v in docs.items() if ranked.get((t, d), 99) < 4} for t, docs in labels.items()}

    def asks(qrels: dict[str, dict[str, float]], **words: object) -> bool:
        holes = cranfield.estimate_holes(made.runs, qrels, depth=10, **words)  # type: ignore[arg-type]
        return "drawn at random" in " ".join(holes.evaluate("P@10", draws=200).caveats)

    assert asks(drawn)
    few = set(sorted(drawn)[:25])  # of which the two shares are known to some hundredths alone
    assert asks({t: docs for t, docs in drawn.items() if t in few})
    assert not asks({t: docs for t, docs in pooled.items() if t in few})
    assert not asks(drawn, hole_offset=(0, 0, 0))
    assert not asks(pooled)
