"""Agreement of judges on topics in clusters: laws, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cranfield.agreement import compare_judges, compare_labels, compare_rankings
from cranfield.errors import InputError, UsageError

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")
TOPICS = [f"q{at}" for at in range(20)]
OWN = {topic: f"own {topic}" for topic in TOPICS}
CLUSTERS = {topic: f"c{at % 8 if at < 14 else 1}" for at, topic in enumerate(TOPICS)}
EQUAL = {topic: f"c{at % 10}" for at, topic in enumerate(TOPICS)}
BOTH = pytest.mark.parametrize("mean_over", ["topics", "clusters"])


def judged() -> tuple[dict, dict]:
    """Five runs of 20 topics, and labels by two judges."""
    rng = np.random.default_rng(1)
    labels = {topic: {f"d{at}": int(rng.integers(0, 3)) for at in range(20)} for topic in TOPICS}
    model = {
        topic: {d: int(rng.integers(0, 3)) if rng.random() < 0.3 else x for d, x in pool.items()}
        for topic, pool in labels.items()
    }
    runs = {
        f"s{system}": {
            topic: {d: x * (0.2 + 0.2 * system) + rng.normal() for d, x in pool.items()}
            for topic, pool in labels.items()
        }
        for system in range(5)
    }
    return runs, {"people": labels, "model": model}


def assert_alike(ours: object, theirs: object) -> None:
    for name in ("favour", "intervals"):
        pd.testing.assert_frame_equal(getattr(ours, name), getattr(theirs, name), rtol=1e-12, atol=1e-12)
    pd.testing.assert_frame_equal(ours.systems.table, theirs.systems.table, rtol=1e-12)
    pd.testing.assert_frame_equal(ours.labels.intervals, theirs.labels.intervals, rtol=1e-12)


@BOTH
def test_topics_that_are_their_own_clusters_give_the_numbers_without(mean_over: str) -> None:
    runs, judges = judged()
    plain = compare_judges(runs, judges, resamples=200)
    assert_alike(compare_judges(runs, judges, resamples=200, topic_clusters=OWN, mean_over=mean_over), plain)


def test_with_equal_sizes_both_estimands_are_one() -> None:
    runs, judges = judged()
    topics, clusters = (
        compare_judges(runs, judges, resamples=600, topic_clusters=EQUAL, mean_over=mean_over)
        for mean_over in ("topics", "clusters")
    )
    pd.testing.assert_frame_equal(topics.favour, clusters.favour, rtol=1e-9)
    pd.testing.assert_frame_equal(topics.intervals, clusters.intervals, rtol=1e-9)


def test_clusters_are_what_is_resampled() -> None:
    runs, judges = judged()
    plain, clustered = (compare_judges(runs, judges, resamples=200, **o) for o in ({}, {"topic_clusters": CLUSTERS}))
    assert clustered.settings["topic_clusters"]["clusters"] == 8
    np.testing.assert_allclose(plain.favour["favour"], clustered.favour["favour"], rtol=1e-9)
    assert not np.allclose(plain.favour["low"], clustered.favour["low"])
    assert not np.allclose(plain.labels.intervals["low"], clustered.labels.intervals["low"])


def test_what_knows_no_clusters_is_refused() -> None:
    runs, judges = judged()
    with pytest.raises(UsageError, match="test='tukey' does not work with clusters"):
        compare_judges(runs, judges, topic_clusters=CLUSTERS, test="tukey")
    with pytest.raises(UsageError, match="mean_over='clusters' needs clusters"):
        compare_judges(runs, judges, mean_over="clusters")
    with pytest.raises(InputError, match="topic 'q0' has no cluster"):
        compare_labels(judges, topic_clusters={topic: CLUSTERS[topic] for topic in TOPICS[1:]})
    rng = np.random.default_rng(1)
    scores = {name: pd.DataFrame(rng.random((20, 3)), TOPICS, list("abc")) for name in ("x", "y")}
    with pytest.raises(InputError, match="topic 'q0' has no cluster"):
        compare_rankings(scores, topic_clusters={topic: CLUSTERS[topic] for topic in TOPICS[1:]})
    pd.testing.assert_frame_equal(
        compare_rankings(scores, topic_clusters=OWN).table, compare_rankings(scores).table, rtol=1e-12
    )
