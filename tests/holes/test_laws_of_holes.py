"""Laws of scores under holes, on collections that hypothesis makes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cranfield
from cranfield.holes import Holes, HoleScores, estimate_holes
from cranfield.holes.draws import OffsetSpread, spawn_blocks
from cranfield.holes.features import features
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


MEASURES = ["nDCG@10", "P@10", "AP", "RBP(p=0.8,rel=1)@10"]
NARROW = 1e-12
"""Variance of coefficients that are taken as known."""


def without_spread(fit: Holes, *, fixed: bool = True) -> Holes:
    """The same without shared offsets; ``fixed``: with coefficients at their mode, too."""
    levels = tuple(
        replace(level, covariance=NARROW * np.eye(len(level.coefficients)))
        if fixed and level.constant is None
        else level
        for level in fit._model.levels
    )
    model = replace(fit._model, levels=levels, spread=OffsetSpread(0.0, 0.0, 0.0))
    return Holes(model, fit._runs, fit._names, fit._qrels, fit._reading, fit._facts)


def table_widths(frame: pd.DataFrame) -> np.ndarray:
    return (frame["upper"] - frame["lower"]).to_numpy()


def table(result: HoleScores, column: str) -> np.ndarray:
    return result.table[column].to_numpy()


@examples(12)
@given(collections(), st.booleans())
def test_judging_all_candidates_leaves_exactly_the_plain_score(made: Made, pool: bool) -> None:
    judged = {topic: dict(labels) for topic, labels in made.qrels.items()}
    for topic, document in set(made.fit(pool=pool).probabilities[["topic", "document"]].itertuples(index=False)):
        judged[topic][document] = made.complete[topic][document]
    filled = Made(made.pooled, made.new, judged, made.complete).fit(pool=pool).evaluate(MEASURES, draws=DRAWS)
    plain = cranfield.evaluate(made.new, judged, MEASURES)
    expected = np.concatenate([plain[name].mean("topic").values for name in plain.data_vars])
    assert (table(filled, "estimate") == table(filled, "zero")).all()
    np.testing.assert_allclose(table(filled, "estimate"), expected, rtol=0, atol=1e-15)
    assert (table(filled, "upper") == table(filled, "lower")).all()
    assert (table(filled, "holes") == 0).all()


@examples(12)
@given(collections(), st.booleans())
def test_every_draw_lies_between_the_bounds_of_additive_measures(made: Made, pool: bool) -> None:
    measures = ["P@10", "DCG@10", "RBP(p=0.8,rel=1)@10"]
    fit = made.fit(pool=pool)
    completed, _ = fit._scored(measures)
    labels = np.concatenate([fit._model.draw(size, rng) for size, rng in spawn_blocks(DRAWS, 0)])
    cells = completed.cells(labels)
    bounds = cranfield.evaluate(made.new, made.qrels, measures, bounds=True)
    for measure, values in zip(completed.evaluation.measures, cells, strict=True):
        ends = [bounds[f"{measure} {end}"].transpose("system", "topic").values[:, None] for end in ("lower", "upper")]
        assert ((ends[0] - 1e-12 <= values) & (values <= ends[1] + 1e-12)).all()


WEIGHTS = {
    "P@10": lambda rank, label: 0.1 * (label >= 1),
    "RBP(p=0.8,rel=1)@10": lambda rank, label: 0.2 * 0.8 ** (rank - 1) * (label >= 1),
    "DCG@10": lambda rank, label: label / math.log2(rank + 1),
}
"""What a document adds to an additive measure, by its rank and label."""


@examples(12)
@given(collections(), st.booleans())
def test_additive_measures_are_plain_scores_plus_weights_times_labels(made: Made, pool: bool) -> None:
    """In every draw by its labels, and so in expectation, without spread, by the probabilities; both to 1e-9."""
    fit = made.fit(pool=pool)
    completed, zero = fit._scored(list(WEIGHTS))
    steps = fit._model.probabilities()
    (size, rng), *_ = spawn_blocks(DRAWS, 0)
    labels = fit._model.draw(size, rng)
    levels = range(1, len(steps) + 1)
    one_by_one = np.vstack([level * np.eye(labels.shape[1]) for level in levels])
    names = fit.probabilities.iloc[: labels.shape[1]][["topic", "document"]].itertuples(index=False, name=None)
    places = list(names)
    added = completed.means(completed.cells(one_by_one)) - zero[:, None]
    sampled = completed.means(completed.cells(labels))
    # The probability of exactly each label.
    shares = steps - np.vstack([steps[1:], np.zeros((1, steps.shape[1]))])
    for number, weight in enumerate(WEIGHTS.values()):
        by_label = added[number].reshape(len(levels), len(places), -1)
        for system, name in enumerate(completed.evaluation.systems):
            rank = {(topic, d): at for topic, scores in made.new[name].items() for at, d in enumerate(scores, 1)}
            expected = np.array(
                [
                    [weight(rank[place], level) if rank.get(place, 99) <= 10 else 0.0 for place in places]
                    for level in levels
                ]
            ) / len(made.qrels)
            np.testing.assert_allclose(by_label[:, :, system], expected, rtol=0, atol=1e-9)
            drawn = sum(expected[level - 1] @ (labels == level).T for level in levels)
            np.testing.assert_allclose(sampled[number, :, system], zero[number, system] + drawn, rtol=0, atol=1e-9)
            mean = zero[number, system] + (expected * shares).sum()
            assert mean == pytest.approx(zero[number, system] + (by_label[:, :, system] * shares).sum(), abs=1e-9)


@examples(12)
@given(collections(), st.booleans())
def test_labels_without_spread_are_drawn_by_their_probabilities(made: Made, pool: bool) -> None:
    """Within five standard errors of a share, for each of the documents."""
    model = without_spread(made.fit(pool=pool))._model
    labels = np.concatenate([model.draw(size, rng) for size, rng in spawn_blocks(2000, 0)])
    for level, p in enumerate(model.probabilities(), 1):
        assert (np.abs((labels >= level).mean(axis=0) - p) <= 5 * np.sqrt(p * (1 - p) / 2000) + 0.002).all()


@examples(12)
@given(collections(), st.booleans(), st.lists(st.tuples(st.floats(-4, 4), st.floats(0, 3)), min_size=1, max_size=3))
def test_probabilities_fall_with_the_level_and_rise_with_the_offset(
    made: Made, pool: bool, offsets: list[tuple[float, float]]
) -> None:
    def probabilities(*offset: float) -> pd.DataFrame:
        frame = made.fit(pool=pool, hole_offset=offset).probabilities
        return frame.pivot(index=["topic", "document"], columns="level", values="p")

    low = probabilities(*(value for value, _ in offsets))
    high = probabilities(*(value + more for value, more in offsets))
    assert (np.diff(low.to_numpy(), axis=1) <= 1e-15).all()
    assert (low.to_numpy() <= high.to_numpy() + 1e-15).all()
    for run in made.new.values():
        first = [pair for topic, scores in run.items() for pair in ((topic, d) for d in list(scores)[:10])]
        ends = [frame.loc[frame.index.intersection(first), 1].sum() for frame in (low, high)]
        assert ends[0] <= ends[1] + 1e-12, "expected precision"


@examples(10)
@given(collections(), st.booleans())
def test_names_change_no_fit_and_the_order_of_inputs_nothing_at_all(made: Made, pool: bool) -> None:
    def renamed(names: Mapping[str, object]) -> dict[str, object]:
        return {f"x{name}": value for name, value in names.items()}

    def turned(names: dict[str, dict[str, float]]) -> dict[str, dict[str, object]]:
        return {topic: dict(reversed(documents.items())) for topic, documents in reversed(names.items())}

    teams = None if pool else {name: f"team{int(name[3:]) % 2}" for name in made.new}
    fit = made.fit(pool=pool, teams=teams)
    others = Made(
        {f"y{name}": {f"q{t}": renamed(scores) for t, scores in run.items()} for name, run in made.pooled.items()},  # type: ignore[misc]
        {f"z{name}": {f"q{t}": renamed(scores) for t, scores in run.items()} for name, run in made.new.items()},  # type: ignore[misc]
        {f"q{t}": renamed(labels) for t, labels in made.qrels.items()},  # type: ignore[misc]
        {},
    ).fit(pool=pool, teams={f"z{name}": f"w{team}" for name, team in teams.items()} if teams else None)
    np.testing.assert_allclose(fit.probabilities["p"], others.probabilities["p"], rtol=0, atol=1e-9)
    ours, theirs = (holes.evaluate(MEASURES, draws=DRAWS).table.to_numpy() for holes in (fit, others))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9)
    backwards = Made(
        {name: turned(made.pooled[name]) for name in reversed(made.pooled)},  # type: ignore[misc]
        {name: turned(made.new[name]) for name in reversed(made.new)},  # type: ignore[misc]
        {topic: dict(reversed(labels.items())) for topic, labels in made.qrels.items()},
        {},
    ).fit(pool=pool, teams=teams)
    assert fit.probabilities.equals(backwards.probabilities)
    results = [holes.evaluate(MEASURES, draws=DRAWS).table for holes in (fit, backwards)]
    assert results[0].equals(results[1].reindex(results[0].index))


@examples(10)
@given(collections(), st.integers(0, 2**32 - 1))
def test_a_document_at_the_same_rank_in_both_adds_nothing_to_their_difference(made: Made, seed: int) -> None:
    """The second run is the first with half of its ranks in another order: only documents of these matter."""
    rng = np.random.default_rng(seed)
    (first, run), (second, _) = made.new.items()
    moved: set[tuple[str, str]] = set()
    other: dict[str, dict[str, float]] = {}
    for topic, scores in run.items():
        documents = np.array(list(scores))
        ranks = rng.choice(len(documents), len(documents) // 2, replace=False)
        documents[ranks] = documents[rng.permutation(ranks)]
        other[topic] = {document: 100.0 - rank for rank, document in enumerate(documents.tolist())}
        moved |= {(topic, d) for d, before in zip(documents.tolist(), scores, strict=True) if d != before}
    pair = Made(made.pooled, {first: run, second: other}, made.qrels, {}).fit(pool=True)
    measures = ["DCG@10", "P@10", "RBP(p=0.8,rel=1)@10"]
    completed, _ = pair._scored(measures)
    places = list(pair.probabilities[["topic", "document"]].drop_duplicates().itertuples(index=False, name=None))
    (size, labelling), *_ = spawn_blocks(DRAWS, 0)
    labels = pair._model.draw(size, labelling)
    turned = labels.copy()
    turned[:, [place not in moved for place in places]] = 1.0
    before, after = (completed.means(completed.cells(drawn)) for drawn in (labels, turned))
    np.testing.assert_allclose(before[..., 0] - before[..., 1], after[..., 0] - after[..., 1], rtol=0, atol=1e-12)
    for measure in measures:
        listed = pair.judge_next(first, second, measure, draws=DRAWS).documents
        assert set(listed[["topic", "document"]].itertuples(index=False, name=None)) <= moved
    twins = Made(made.pooled, {first: run, second: run}, made.qrels, {}).fit(pool=True)
    for measure in ("DCG@10", "P@10", "nDCG@10"):
        same = twins.compare(first, second, measure, draws=DRAWS)
        assert (same.estimate, same.lower, same.upper, same.prob_better) == (0.0, 0.0, 0.0, 0.5)


@examples(10)
@given(collections())
def test_a_team_that_retrieves_nothing_changes_the_support_alone(made: Made) -> None:
    topic = next(iter(made.qrels))
    idle = {**made.pooled, "idle": {topic: {"elsewhere": 1.0}}}
    before, after = made.fit(pool=True), Made(idle, made.new, made.qrels, {}).fit(pool=True)
    documents = [fit._model.documents for fit in (before, after)]
    for level in range(1, len(before._model.levels) + 1):
        few, more = (features(one, level, pool=True) for one in documents)
        np.testing.assert_allclose(few[:, [0, 1, 3]], more[:, [0, 1, 3]], rtol=0, atol=1e-12)
        teams = len(documents[0].teams)
        support = np.log(0.01 + (np.exp(few[:, 2]) - 0.01) * teams / (teams + 1))
        np.testing.assert_allclose(support, more[:, 2], rtol=0, atol=1e-12)


@examples(8)
@given(collections(), st.booleans(), st.integers(0, 1000))
def test_the_same_seed_gives_the_same_bytes(made: Made, pool: bool, seed: int) -> None:
    first, again = (made.fit(pool=pool).evaluate(["nDCG@10", "AP"], draws=DRAWS, seed=seed) for _ in range(2))
    assert first.to_json() == again.to_json()
    assert (table(first, "lower") <= table(first, "estimate") + 1e-12).all()
    assert (table(first, "estimate") <= table(first, "upper") + 1e-12).all()


@pytest.mark.slow
@examples(8)
@given(collections(), st.booleans())
def test_without_shared_offsets_every_interval_is_narrower(made: Made, pool: bool) -> None:
    """Of each run, by 4,000 draws, which leave some three per cent of a width open."""
    fit = made.fit(pool=pool)
    wide, narrow = (
        holes.evaluate(["DCG@10", "nDCG@10"], draws=4000).table for holes in (fit, without_spread(fit, fixed=False))
    )
    assert (table_widths(narrow) <= table_widths(wide) * 1.03 + 1e-9).all()
