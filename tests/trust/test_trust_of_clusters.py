"""Sensitivity, stability and audits of topics in clusters: laws, a second way, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cranfield.errors import InputError, UsageError
from cranfield.trust import audit, estimate_sensitivity, estimate_stability

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")
TOPICS = [f"q{at}" for at in range(30)]
OWN = {topic: f"own {topic}" for topic in TOPICS}
CLUSTERS = {topic: f"c{at % 12 if at < 24 else 1}" for at, topic in enumerate(TOPICS)}
EQUAL = {topic: f"c{at % 10}" for at, topic in enumerate(TOPICS)}
BOTH = pytest.mark.parametrize("mean_over", ["topics", "clusters"])


def scores(systems: int = 6) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    values = rng.normal(0.5, 0.1, (30, systems)) + np.arange(systems) * 0.03
    return pd.DataFrame(values, TOPICS, list("abcdefgh")[:systems])


@BOTH
@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
@pytest.mark.parametrize("topics", [10, 30])
def test_sensitivity_of_topics_that_are_their_own_clusters_is_that_without(
    test: str, topics: int, mean_over: str
) -> None:
    table = scores().head(topics)
    table["same"], table["constant"] = table["a"], table["a"] + 0.1
    plain = estimate_sensitivity(table, test=test, resamples=1000)
    own = estimate_sensitivity(table, test=test, resamples=1000, topic_clusters=OWN, mean_over=mean_over)
    pd.testing.assert_frame_equal(own.table, plain.table, rtol=1e-12)
    pd.testing.assert_frame_equal(own.asl, plain.asl, rtol=1e-12)


@BOTH
@pytest.mark.parametrize("disjoint", [True, False])
def test_stability_of_topics_that_are_their_own_clusters_is_that_without(mean_over: str, *, disjoint: bool) -> None:
    plain = estimate_stability(scores(), disjoint=disjoint)
    own = estimate_stability(scores(), disjoint=disjoint, topic_clusters=OWN, mean_over=mean_over)
    assert own.rates.index.name == "clusters"
    pd.testing.assert_frame_equal(own.rates.rename_axis("topics"), plain.rates, rtol=1e-12)


@BOTH
def test_an_audit_of_topics_that_are_their_own_clusters_is_that_without(mean_over: str) -> None:
    own = audit(scores(), subsets=20, topic_clusters=OWN, mean_over=mean_over)
    pd.testing.assert_frame_equal(own.table, audit(scores(), subsets=20).table, rtol=1e-12)


@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
def test_with_equal_sizes_both_estimands_are_one(test: str) -> None:
    topics, clusters = (
        estimate_sensitivity(scores(), test=test, topic_clusters=EQUAL, mean_over=mean_over, resamples=1000)
        for mean_over in ("topics", "clusters")
    )
    pd.testing.assert_frame_equal(topics.table, clusters.table, rtol=1e-9)


def test_the_bootstrap_draws_whole_clusters() -> None:
    """By a loop over resamples, from the definition."""
    table = scores(2)
    number = pd.factorize(pd.Series(CLUSTERS))[0]
    z = (table["a"] - table["b"]).to_numpy()
    sizes, sums, count = np.bincount(number), np.bincount(number, z), 12

    def t_of(drawn: np.ndarray, shift: float) -> float:
        n, s = sizes[drawn], sums[drawn] - sizes[drawn] * shift
        mean = s.sum() / n.sum()
        return mean / (np.sqrt(count / (count - 1) * ((s - n * mean) ** 2).sum()) / n.sum())

    draws = np.random.default_rng(1).integers(0, count, (1000, count))
    reached = [abs(t_of(drawn, z.mean())) >= abs(t_of(np.arange(count), 0.0)) for drawn in draws]
    ours = estimate_sensitivity(table, topic_clusters=CLUSTERS).asl.iloc[0, 0]
    assert ours == np.mean(reached)


def test_an_audit_counts_clusters() -> None:
    audited = audit(scores(), subsets=20, topic_clusters=CLUSTERS)
    assert "12 clusters are probably too few to rank the systems" in audited.readings["score"]
    assert "0.95 needs 19 clusters, interval" in audited.readings["score"]
    assert "Two random halves of the clusters disagree on the order of" in audited.readings["score"]
    assert audited.settings["topic_clusters"]["clusters"] == 12
    with pytest.raises(UsageError, match="the sensitivity is not of these measures"):
        audit(scores(), topic_clusters=CLUSTERS, sensitivity=estimate_sensitivity(scores()))


def test_what_knows_no_clusters_is_refused() -> None:
    with pytest.raises(UsageError, match="test='randomized-tukey' does not work with clusters"):
        estimate_sensitivity(scores(), test="randomized-tukey", topic_clusters=CLUSTERS)
    with pytest.raises(UsageError, match="unit='topic' takes each topic by itself"):
        estimate_stability(scores(), unit="topic", topic_clusters=CLUSTERS)
    for analysis in (estimate_sensitivity, estimate_stability, audit):
        with pytest.raises(UsageError, match="mean_over='clusters' needs clusters"):
            analysis(scores(), mean_over="clusters")
        with pytest.raises(InputError, match="topic 'q0' has no cluster"):
            analysis(scores(), topic_clusters={topic: CLUSTERS[topic] for topic in TOPICS[1:]})
