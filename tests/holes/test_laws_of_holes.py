"""Laws of scores under holes, on collections that hypothesis makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cranfield
from cranfield.holes import Holes, HoleScores, estimate_holes
from effort import examples

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")
Labels = dict[str, dict[str, float]]
Runs = dict[str, dict[str, dict[str, float]]]
DRAWS = 200


@dataclass(frozen=True)
class Made:
    """A pool of five runs, two more that were not pooled, judgments with holes, and all labels."""

    pooled: Runs
    new: Runs
    qrels: Labels
    complete: Labels

    def fit(self, *, pool: bool, **options: object) -> Holes:
        contributors = self.pooled if pool else None
        return estimate_holes(self.new, self.qrels, contributors=contributors, **options)  # type: ignore[arg-type]


@st.composite
def collections(draw: st.DrawFn) -> Made:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    topics, documents, levels = draw(st.integers(4, 6)), 50, draw(st.integers(1, 3))
    labels = rng.integers(1, levels + 1, (topics, documents)) * (rng.random((topics, documents)) < 0.35)
    runs: Runs = {}
    judged, retrieved = np.zeros((2, topics, documents), dtype=bool)
    for number in range(7):
        name = f"run{number}"
        runs[name] = {}
        for topic in range(topics):
            order = np.argsort(-(labels[topic] + rng.normal(0, 1.5, documents)))[:20]
            runs[name][f"t{topic}"] = {f"d{document}": 100.0 - rank for rank, document in enumerate(order)}
            judged[topic, order[:10]] |= number < 5
            retrieved[topic, order] |= number >= 5
    judged &= rng.random(judged.shape) < draw(st.sampled_from([0.7, 0.9]))
    complete = {f"t{t}": {f"d{d}": float(labels[t, d]) for d in range(documents)} for t in range(topics)}
    qrels = {f"t{t}": {f"d{d}": float(labels[t, d]) for d in np.flatnonzero(judged[t])} for t in range(topics)}
    known = labels[judged & retrieved]
    assume(min((known >= 1).sum(), (known == 0).sum()) >= 10)
    pooled = {name: run for name, run in runs.items() if name < "run5"}
    return Made(pooled, {name: run for name, run in runs.items() if name >= "run5"}, qrels, complete)


def table(result: HoleScores, column: str) -> np.ndarray:
    return result.table[column].to_numpy()


@examples(12)
@given(collections(), st.booleans())
def test_judging_all_candidates_leaves_the_plain_score(made: Made, pool: bool) -> None:
    judged = {topic: dict(labels) for topic, labels in made.qrels.items()}
    for topic, document in set(made.fit(pool=pool).probabilities[["topic", "document"]].itertuples(index=False)):
        judged[topic][document] = made.complete[topic][document]
    measures = ["nDCG@10", "P@10", "RBP(p=0.8,rel=1)@10"]
    filled = Made(made.pooled, made.new, judged, made.complete).fit(pool=pool).evaluate(measures, draws=DRAWS)
    plain = cranfield.evaluate(made.new, judged, measures)
    expected = np.concatenate([plain[name].mean("topic").values for name in plain.data_vars])
    np.testing.assert_allclose(table(filled, "estimate"), expected, rtol=0, atol=1e-12)
    assert (table(filled, "upper") == table(filled, "lower")).all()
    assert (table(filled, "holes") == 0).all()


@examples(12)
@given(collections(), st.booleans())
def test_draws_lie_between_the_bounds_of_additive_measures(made: Made, pool: bool) -> None:
    measures = ["P@10", "DCG@10", "RBP(p=0.8,rel=1)@10"]
    result = made.fit(pool=pool).evaluate(measures, draws=DRAWS, level=1 - 1e-9)
    bounds = cranfield.evaluate(made.new, made.qrels, measures, bounds=True).mean("topic")
    for measure in result.table.index.get_level_values("measure").unique():
        ours = result.table.loc[measure]
        assert (ours["lower"].to_numpy() >= bounds[f"{measure} lower"].values - 1e-9).all()
        assert (ours["upper"].to_numpy() <= bounds[f"{measure} upper"].values + 1e-9).all()


@examples(12)
@given(collections(), st.booleans())
def test_estimates_of_additive_measures_are_weights_times_probabilities(made: Made, pool: bool) -> None:
    """Precision: the expectation by the draws, within what as many draws leave open."""
    fit = made.fit(pool=pool)
    result = fit.evaluate("P@10", draws=1000)
    first = fit.probabilities.query("level == 1").set_index(["topic", "document"])["p"]
    for name, run in made.new.items():
        lists = {(topic, document) for topic, scores in run.items() for document in list(scores)[:10]}
        expected = sum(p for pair, p in first.items() if pair in lists) / (10 * len(run))
        ours = result.table.loc[("P@10", name)]
        assert ours["estimate"] - ours["zero"] == pytest.approx(expected, abs=0.03)


@examples(12)
@given(collections(), st.booleans())
def test_probabilities_fall_with_the_level_and_rise_with_the_offset(made: Made, pool: bool) -> None:
    def probabilities(*offset: float) -> np.ndarray:
        frame = made.fit(pool=pool, hole_offset=offset).probabilities
        return frame.pivot(index=["topic", "document"], columns="level", values="p").to_numpy()

    low, high = probabilities(-1.0, -0.5), probabilities(-0.5, 0.5)
    assert (np.diff(low, axis=1) <= 1e-15).all()
    assert (low <= high + 1e-15).all()


@examples(10)
@given(collections(), st.booleans())
def test_names_and_the_order_of_inputs_change_no_fit(made: Made, pool: bool) -> None:
    def renamed(names: Mapping[str, object]) -> dict[str, object]:
        return {f"x{name}": value for name, value in names.items()}

    fit = made.fit(pool=pool)
    others = Made(
        {f"y{name}": {f"q{t}": renamed(scores) for t, scores in run.items()} for name, run in made.pooled.items()},  # type: ignore[misc]
        {f"z{name}": {f"q{t}": renamed(scores) for t, scores in run.items()} for name, run in made.new.items()},  # type: ignore[misc]
        {f"q{t}": renamed(labels) for t, labels in made.qrels.items()},  # type: ignore[misc]
        {},
    ).fit(pool=pool)
    np.testing.assert_allclose(fit.probabilities["p"], others.probabilities["p"], rtol=0, atol=1e-9)
    backwards = Made(dict(reversed(made.pooled.items())), made.new, made.qrels, {}).fit(pool=pool)
    assert fit.probabilities.equals(backwards.probabilities)
    assert fit.evaluate(draws=DRAWS).table.equals(backwards.evaluate(draws=DRAWS).table)


@examples(10)
@given(collections())
def test_a_document_at_the_same_rank_in_both_adds_nothing_to_their_difference(made: Made) -> None:
    (first, run), (second, _) = made.new.items()
    twins = Made(made.pooled, {first: run, second: run}, made.qrels, {}).fit(pool=True)
    for measure in ("DCG@10", "P@10", "nDCG@10"):
        pair = twins.compare(first, second, measure, draws=DRAWS)
        assert (pair.estimate, pair.lower, pair.upper, pair.prob_better) == (0.0, 0.0, 0.0, 0.5)
    assert twins.judge_next(first, second, "P@10", draws=DRAWS).documents.empty


@examples(10)
@given(collections())
def test_a_team_that_retrieves_nothing_judged_changes_the_support_alone(made: Made) -> None:
    """x3 is a logarithm of a mean over teams: it moves by little, and the other features not at all."""
    topic = next(iter(made.qrels))
    idle = {**made.pooled, "idle": {topic: {"elsewhere": 1.0}}}
    before, after = made.fit(pool=True), Made(idle, made.new, made.qrels, {}).fit(pool=True)
    assert before.coefficients["name"].tolist() == after.coefficients["name"].tolist()
    np.testing.assert_allclose(before.probabilities["p"], after.probabilities["p"], rtol=0, atol=0.05)


@examples(8)
@given(collections(), st.booleans(), st.integers(0, 1000))
def test_the_same_seed_gives_the_same_bytes(made: Made, pool: bool, seed: int) -> None:
    first, again = (made.fit(pool=pool).evaluate(["nDCG@10", "AP"], draws=DRAWS, seed=seed) for _ in range(2))
    assert first.to_json() == again.to_json()
    assert (table(first, "lower") <= table(first, "estimate") + 1e-12).all()
    assert (table(first, "estimate") <= table(first, "upper") + 1e-12).all()


@examples(8)
@given(collections(), st.booleans())
def test_without_shared_offsets_intervals_are_narrower(made: Made, pool: bool) -> None:
    """By the summed widths of both runs: a few draws may turn that of one whose interval hangs on one document."""
    fit = made.fit(pool=pool)
    model = replace(fit._model, spread=replace(fit._model.spread, team=0.0, collection=0.0, topic=0.0))
    alone = Holes(model, fit._runs, fit._names, fit._qrels, fit._reading, fit._facts)
    wide, narrow = (holes.evaluate("DCG@10", draws=1000).table for holes in (fit, alone))
    assert (narrow["upper"] - narrow["lower"]).sum() <= (wide["upper"] - wide["lower"]).sum() * 1.02 + 1e-9
