"""Random judgments and runs in which ties, odd ids and negative labels are frequent."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

Labels = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]

TOPICS = ("1", "2", "10", "301", "q-7", "\u00fc")
IDS = (
    *("d1", "d10", "d100", "d2", "D2", "d", "doc9", "doc10", "Doc9", "doc-9", "doc9a", "00", "0", "9", "10"),
    *("a", "A", "b", "B", "z", "Z", "_", "~", "clueweb12-0000tw-00-00000", "clueweb12-0000tw-00-00001"),
    *("d\u00f4c9", "doc9\u0301", "\u00e9", "e\u0301", "\uffff", "\U0001f600", "\u4e2d"),
)
"""Mixed case, digits, prefixes of each other; in UTF-8 the last ones sort otherwise than in UTF-16."""

TIED = (0.0, -0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 0.5, -1.0)
CLOSE = (1.00000001, 1.0000001, 1.0000002, 0.50000001, 16777216.0, 16777217.0, 1e-46, 1e39, 1e40, -1e39)
"""Distinct doubles, some of them equal as float32."""

scores = st.sampled_from(TIED + CLOSE) | st.floats(-10, 10, width=16).map(float)
# Made once: to make and check a strategy takes longer than to draw from it.
LABELS, AN_ID = st.sampled_from((*range(-2, 5), 0, 0, 0, 1, 1)), st.sampled_from(IDS)
POOLS = st.dictionaries(AN_ID, LABELS, max_size=15)
LISTS = st.dictionaries(AN_ID, scores, min_size=1, max_size=25)


class Collection(NamedTuple):
    qrels: Labels
    run: Scores


@st.composite
def collections(draw: st.DrawFn, *, topics: tuple[str, ...] = TOPICS) -> Collection:
    """Some topics judged and retrieved, some only one of both. Each judged topic has a label that is not negative."""
    judged = draw(st.lists(st.sampled_from(topics), min_size=1, max_size=4, unique=True))
    qrels = {}
    for topic in judged:
        pool = draw(POOLS)
        qrels[topic] = {**pool, draw(AN_ID): draw(st.integers(0, 4))}
    retrieved = draw(st.lists(st.sampled_from(topics), max_size=3, unique=True))
    run = {topic: draw(LISTS) for topic in dict.fromkeys([*retrieved, draw(st.sampled_from(judged))])}
    return Collection(qrels, run)
