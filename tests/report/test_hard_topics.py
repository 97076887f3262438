"""How hard topics are where ease tells nothing: the judgments hold hardly any document that is not relevant."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cranfield
from reading_pages import data_of

TOPICS = [f"t{number}" for number in range(12)]


@pytest.fixture(scope="module")
def collection() -> tuple[Any, Any]:
    """Nine of ten judged documents are relevant, and half of what is retrieved is unjudged."""
    rng = np.random.default_rng(3)
    qrels = {topic: {f"d{n}": int(n > 0) * (1 + n % 2) for n in range(10)} for topic in TOPICS}
    runs = {
        name: {
            topic: {f"d{n}": float(rng.random() + (n < 10) * shift * at / 12) for n in range(20)}
            for at, topic in enumerate(TOPICS)
        }
        for name, shift in (("a", 0.6), ("b", 0.3), ("c", 0.1))
    }
    return runs, qrels


def sections(collection: tuple[Any, Any], **options: Any) -> dict[str, Any]:
    data = data_of(cranfield.report(*collection, ["nDCG@10"], **options).html)
    return {section["id"]: section for section in data["sections"]}


@pytest.mark.parametrize("public", [False, True])
def test_chart_and_classes_of_ease_are_left_out_with_the_reason(collection: tuple[Any, Any], public: bool) -> None:
    found = sections(collection, public=public)
    topics = found["topics"]
    assert [figure["id"] for figure in topics["figures"]] == ["heat-map"]
    (reason,) = topics["missing"]
    assert reason.startswith(
        "The ease of topics: not shown, because a random order of the judged documents already has"
    )
    heads = [column["name"] for column in topics["tables"][0]["columns"]]
    assert heads[1:5] == ["class", "judged", "median nDCG@10", "spread"]
    assert "ease" not in heads and "random ranking" not in " ".join(found["summary"]["words"])


def test_topics_are_classed_by_their_means(collection: tuple[Any, Any]) -> None:
    found = sections(collection)
    rows = found["topics"]["tables"][0]["rows"]
    scores = cranfield.evaluate(*collection, "nDCG@10")["nDCG@10"].transpose("topic", "system")
    means = scores.mean("system").values
    low, high = means.mean() - means.std(), means.mean() + means.std()
    named = dict(zip(map(str, scores["topic"].values), means, strict=True))
    hard = [topic for topic, mean in named.items() if mean <= low]
    assert hard
    for number, kind, _, median, spread, mean, *_ in rows:
        own = scores.values[list(named).index(TOPICS[number])]
        assert (median, spread, mean) == pytest.approx((np.median(own), own.std(), own.mean()))
        assert (kind == "hard") == (mean <= low) and (kind == "easy") == (mean > high)
    words = " ".join(found["summary"]["words"])
    assert (
        f"{len(hard)} topic{'s are' if len(hard) > 1 else ' is'} hard by the mean nDCG@10 over systems: {hard[0]}"
        in words
    )
