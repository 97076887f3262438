"""Preferences between systems: what is made of those between lists, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.comparison import prefer
from cranfield.comparison.preference import count_ties_broken

MADE = cranfield.simulation.simulate_runs(n_systems=5, n_topics=12, depth=30, seed=2)
# Ranks of the relevant documents a, b, c of topic 1: each system beats the next, and the last the first.
RANKS = {"one": (1, 5, 9), "two": (2, 3, 10), "three": (3, 4, 5)}
QRELS = {"1": {"a": 1, "b": 1, "c": 2, "no": 0}, "2": {"a": 1, "no": 0}, "3": {"no": 0}}


def run_of(ranks: tuple[int, ...], topic_2: str) -> dict[str, dict[str, float]]:
    relevant = dict(zip(ranks, "abc", strict=True))
    return {
        "1": {relevant.get(rank, f"x{rank}"): 20.0 - rank for rank in range(1, 11)},
        "2": {topic_2: 1.0},
        "3": {"no": 1.0},
    }


RUNS = {name: run_of(ranks, "a" if name == "one" else "no") for name, ranks in RANKS.items()}


def means(found: Any) -> dict[tuple[str, str], float]:
    return {(row["system"], row["other"]): row["preference"] for row in found.pairs.to_dict("records")}


@pytest.mark.filterwarnings("ignore:dict:cranfield.CranfieldWarning")
@pytest.mark.filterwarnings("ignore:.*no list is preferred:cranfield.CranfieldWarning")
def test_a_small_collection_by_hand() -> None:
    """Topic 1 is the cycle, on topic 2 one is ahead of both others, topic 3 has nothing relevant."""
    found = prefer(RUNS, QRELS)
    # one beats two (1/3), two beats three (1/3), three beats one (1/3) on topic 1.
    expected = {("one", "two"): (1 / 3 + 1) / 2, ("two", "three"): 1 / 6, ("one", "three"): (-1 / 3 + 1) / 2}
    for pair, value in means(found).items():
        assert value == pytest.approx(expected.get(pair, -expected.get(pair[::-1], np.nan)))
    assert found.tied == pytest.approx(1 / 6), "two and three on topic 2"
    assert set(found.pairs["topics"]) == {2}
    systems = found.systems.set_index("system")
    assert systems.loc["one", ["preferred", "equal", "preferred_to_it"]].tolist() == [2, 0, 0]
    assert np.isnan(found.scores.sel(topic="3")).all()


def test_a_topic_without_relevant_documents_is_named() -> None:
    with pytest.warns(
        CranfieldWarning, match="no list is preferred on topic 3, left out: no document has a label of 1"
    ):
        prefer(RUNS, QRELS)


@pytest.mark.parametrize("preference", ["lexirecall", "lexiprecision"])
def test_the_sign_test_on_the_scores_is_that_on_the_preferences(preference: Any) -> None:
    """A lexicographic order of the lists of a topic is also the order of their mean preferences."""
    found = prefer(MADE.runs, MADE.qrels, preference)
    compared = cranfield.compare(found.scores, test="sign").pairs
    for column in ("system", "other", "wins", "ties", "losses", "p", "p_adjusted"):
        assert compared[column].tolist() == found.pairs[column].tolist()


def test_scores_are_mean_preferences_over_the_others() -> None:
    found = prefer(MADE.runs, MADE.qrels, "invrpp")
    pairs, names = found.to_frame("topics"), found.scores["system"].to_numpy()
    for topic in ("1", "7"):
        table = pairs[pairs["topic"] == topic]
        for name in names:
            mine = [
                *table.loc[table["system"] == name, "preference"],
                *-table.loc[table["other"] == name, "preference"],
            ]
            assert float(found.scores.sel(topic=topic, system=name)) == pytest.approx(np.mean(mine))


def test_scores_are_taken_by_other_analyses() -> None:
    found = prefer(MADE.runs, MADE.qrels, "lexirecall")
    assert cranfield.audit(found.scores, resamples=20, subsets=5).table.loc["lexirecall", "tied"] == found.tied


def test_baselines_are_what_the_others_are_compared_with() -> None:
    whole, some = prefer(MADE.runs, MADE.qrels), prefer(MADE.runs, MADE.qrels, baseline="system2")
    assert set(some.pairs["other"]) == {"system2"}
    every = means(whole)
    for pair, value in means(some).items():
        assert value == pytest.approx(every.get(pair, -every.get(pair[::-1], np.nan)))


def test_skipped_topics_leave_the_pairs_they_concern() -> None:
    runs = {run.name: run.to_dict() for run in MADE.runs}
    del runs["system1"]["3"]
    # A run that lacks a topic is remarked on.
    with pytest.warns(CranfieldWarning):
        skipped, empty = (prefer(runs, MADE.qrels, missing=how) for how in ("skip", "empty"))
    for row in skipped.pairs.to_dict("records"):
        assert row["topics"] == (11 if "system1" in (row["system"], row["other"]) else 12)
    assert set(empty.pairs["topics"]) == {12}
    lost = empty.to_frame("topics").query("topic == '3' and (system == 'system1' or other == 'system1')")
    assert ((lost["system"] == "system1") == (lost["preference"] < 0)).all(), "an empty list is behind every other"


def test_documents_that_are_not_relevant_at_the_end_change_nothing() -> None:
    longer = [
        cranfield.Run.from_dict(
            {topic: {**docs, "end1": -1e9, "end2": -1e10} for topic, docs in run.to_dict().items()}, name=run.name
        )
        for run in MADE.runs[:1]
    ]
    for preference in ("rpp", "lexirecall"):
        plain = prefer(MADE.runs, MADE.qrels, preference)  # type: ignore[arg-type]
        assert means(prefer([*longer, *MADE.runs[1:]], MADE.qrels, preference)) == means(plain)  # type: ignore[arg-type]


def test_pairs_that_contradict_the_order_are_counted() -> None:
    found = prefer(MADE.runs, MADE.qrels)
    place = {name: at for at, name in enumerate(found.systems["system"])}
    contradicted = sum(
        value != 0 and (value > 0) != (place[system] < place[other]) for (system, other), value in means(found).items()
    )
    assert found.contradicted == contradicted


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"preference": "best"}, "preference='best' is not one of rpp"),
        ({"preference": "lexirecall", "graded": True}, "'lexirecall' has no form for graded labels: take rpp"),
        ({"graded": True, "rel": 2}, "a relevance level of 2 means nothing beside graded labels"),
        ({"ties": "expected"}, "a preference between lists needs the documents in one order"),
        ({"correction": "max-t"}, "correction='max-t' is not one of holm"),
        ({"alpha": 1}, "alpha=1 should lie between 0 and 1"),
        ({"baseline": "system9"}, "no system is called 'system9'"),
    ],
)
def test_wrong_arguments_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        prefer(MADE.runs, MADE.qrels, **options)


def test_too_little_is_refused() -> None:
    with pytest.raises(InputError, match="no topic has a document with a label of 9 or more"):
        prefer(MADE.runs, MADE.qrels, rel=9)
    with pytest.raises(InputError, match="a preference needs 2 systems or more, and there is 1"):
        prefer(MADE.runs[0], MADE.qrels)


@pytest.mark.parametrize("missing", ["empty", "skip"])
@pytest.mark.parametrize("preference", ["rpp", "lexirecall"])
def test_ties_of_rr_are_those_of_its_scores(preference: Any, missing: Any) -> None:
    """Of each topic and pair: RR from its scores, the preference from ``prefer`` on this topic alone."""
    runs = {run.name: dict(run.to_dict()) for run in MADE.runs}
    first, *_ = runs
    runs[first] = dict(list(runs[first].items())[3:])
    qrels = {topic: dict(labels) for topic, labels in MADE.qrels.to_dict().items()}
    qrels["1"] = dict.fromkeys(qrels["1"], 0)
    found = count_ties_broken(cranfield.evaluation.make_rankings(runs, qrels, missing=missing), 1, preference)
    counted = [0, 0, 0]
    for topic, labels in qrels.items():
        if not any(label > 0 for label in labels.values()):
            continue
        lists = {name: run.get(topic, {}) for name, run in runs.items()}
        ranks = {}
        for name, scores in lists.items():
            order = sorted(sorted(scores, reverse=True), key=lambda one: -scores[one])
            at = [rank for rank, document in enumerate(order, 1) if labels.get(document, 0) > 0]
            ranks[name] = at + [np.inf] * (sum(label > 0 for label in labels.values()) - len(at))
        names = [name for name in runs if missing == "empty" or lists[name]]
        for place, one in enumerate(names):
            for other in names[place + 1 :]:
                signs = [np.sign(y - x) if x != y else 0.0 for x, y in zip(ranks[one], ranks[other], strict=True)]
                decided = sum(signs) != 0 if preference == "rpp" else any(signs)
                tied = ranks[one][0] == ranks[other][0]
                counted = [counted[0] + 1, counted[1] + tied, counted[2] + (tied and decided)]
    assert [found.comparisons, found.tied, found.broken] == counted
    assert 0 < found.broken <= found.tied < found.comparisons
