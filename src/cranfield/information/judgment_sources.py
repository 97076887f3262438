"""Several sources of judgments at once: grades, preferences of one document to another, a reference ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from cranfield._frozen import Frozen
from cranfield._typing import Ints
from cranfield.collection.preferences import Preferences
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.errors import UsageError
from cranfield.information.pairs import Pairs

Source = Qrels | Preferences | Run


class Evidence(Frozen):
    """Judgments of pairs of documents by several sources: Q becomes Q_1, ..., Q_k, one variable for each source.

    The sample space of a topic is every pair of documents of which at least one source prefers one. A source speaks of
    pairs of documents that it knows both: grades that differ, a stated preference, two ranked documents. Where sources
    disagree, a system can only agree with one of them, and what it shares with all is I(R; Q_1 ... Q_k), at most
    H(Q_1 ... Q_k), which is above 1 bit where sources say different things.

    A list ends after its last document that a source considers useful: one of label ``rel`` or more, or one that is
    preferred to another. Golbus & Aslam 2013, doi:10.1145/2484028.2484073, leave other sources to future work; how they
    are combined is ours.

    Args:
        sources: Qrels, Preferences, and Runs as reference rankings; the first that prefers a document of a pair decides
            which one is called the better one, which changes no number.
        rel: smallest label of a useful document.

    Raises:
        UsageError: no source, or something else.
    """

    def __init__(self, *sources: Source, rel: float = 1) -> None:
        if not sources:
            raise UsageError("evidence needs at least one source: Qrels, Preferences or a Run")
        for source in sources:
            if not isinstance(source, Source):
                raise UsageError(f"{type(source).__name__} is not evidence: give Qrels, Preferences or a Run")
        self.sources = sources
        self.rel = rel
        self._freeze()

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[Any, ...]]:
        return _make_evidence, (type(self), self.sources, self.rel)

    def __repr__(self) -> str:
        return f"Evidence({', '.join(source.name for source in self.sources)})"

    @cached_property
    def digest(self) -> list[dict[str, str]]:
        """Kind, name and SHA-256 of each source."""
        return [
            {"kind": type(source).__name__, "name": source.name, "sha256": source.digest} for source in self.sources
        ]

    @cached_property
    def _topics(self) -> dict[str, list[_Opinion]]:
        """The opinion of each source on each topic, topics in order of first appearance."""
        by_source = [dict(_opinions(source, self.rel)) for source in self.sources]
        names = dict.fromkeys(topic for source in by_source for topic in source)
        return {topic: [source.get(topic, _SILENCE) for source in by_source] for topic in names}

    @cached_property
    def qrels(self) -> Qrels:
        """All documents that a source knows; label 1 where one of them holds the document useful, else 0."""
        return Qrels.from_dict(
            {
                topic: {
                    document: float(any(document in opinion.useful for opinion in opinions))
                    for document in self._documents[topic]
                }
                for topic, opinions in self._topics.items()
                if self._documents[topic]
            },
            name="+".join(source.name for source in self.sources),
        )

    @cached_property
    def _documents(self) -> dict[str, list[str]]:
        """Documents of each topic in id byte order, as the pool of ``qrels`` has them."""
        return {
            topic: sorted({document for opinion in opinions for document in opinion.known}, key=str.encode)
            for topic, opinions in self._topics.items()
        }

    @cached_property
    def pairs(self) -> tuple[Pairs, ...]:
        """The pairs of each topic of ``qrels``."""
        return tuple(_pairs(*self._prefer(topic)) for topic in self.qrels.topics)

    def prefer(self) -> Iterator[NDArray[np.int8]]:
        """Yield the preference of each source on each pair: 1 for the better document, -1 for the worse, 0 for none.

        The pairs of ``pairs``, int8 [pairs, sources], topic by topic.
        """
        for topic in self.qrels.topics:
            yield self._prefer(topic)[2]

    def _prefer(self, topic: str) -> tuple[Ints, Ints, NDArray[np.int8]]:
        return _prefer(self._topics[topic], self._documents[topic])


def _make_evidence(kind: type[Any], sources: tuple[Source, ...], rel: float) -> Any:
    return kind(*sources, rel=rel)


@dataclass(frozen=True)
class _Opinion:
    """The opinion of one source on one topic.

    Args:
        known: documents that it speaks of.
        useful: those after the last of which a list ends.
        height: document -> a number, larger is better; or None where ``stated`` holds pairs.
        stated: (better, worse).
    """

    known: frozenset[str]
    useful: frozenset[str]
    height: Mapping[str, float] | None
    stated: tuple[tuple[str, str], ...] = ()


_SILENCE = _Opinion(frozenset(), frozenset(), {})


def _opinions(source: Source, rel: float) -> Iterable[tuple[str, _Opinion]]:
    if isinstance(source, Preferences):
        for topic, pairs in source.pairs.items():
            better = frozenset(pair[0] for pair in pairs)
            yield topic, _Opinion(better | {pair[1] for pair in pairs}, better, None, pairs)
        return
    for topic, heights in (source.to_dict() if isinstance(source, Qrels) else _ranked(source)).items():
        least = rel if isinstance(source, Qrels) else min(heights.values()) + 0.5
        useful = frozenset(document for document, height in heights.items() if height >= least)
        yield topic, _Opinion(frozenset(heights), useful, heights)


def _ranked(run: Run) -> dict[str, dict[str, float]]:
    """Topic -> document -> minus its rank, as trec_eval ranks."""
    lists: dict[str, dict[str, float]] = {}
    for topic, scores in run.to_dict().items():
        order = sorted(scores, key=lambda document: (scores[document], document.encode()), reverse=True)
        lists[topic] = {document: -float(rank) for rank, document in enumerate(order, 1)}
    return lists


def _prefer(opinions: list[_Opinion], documents: list[str]) -> tuple[Ints, Ints, NDArray[np.int8]]:
    """Pairs of which a source prefers one document, turned so that the first source to speak prefers the better one."""
    number = {document: number for number, document in enumerate(documents)}
    left, right = np.triu_indices(len(documents), 1)
    signs = np.column_stack([_signs(opinion, number, left, right) for opinion in opinions])
    spoken = signs.any(axis=1)
    left, right, signs = left[spoken], right[spoken], signs[spoken]
    turn = signs[np.arange(len(signs)), (signs != 0).argmax(axis=1)] < 0
    return np.where(turn, right, left), np.where(turn, left, right), np.where(turn[:, None], -signs, signs)


def _pairs(better: Ints, worse: Ints, signs: NDArray[np.int8]) -> Pairs:
    _, evidence = np.unique(signs, axis=0, return_inverse=True)
    return Pairs.from_documents(better, worse, evidence.ravel().astype(np.int64) if signs.shape[1] > 1 else None)


def _signs(opinion: _Opinion, number: Mapping[str, int], left: Ints, right: Ints) -> NDArray[np.int8]:
    """1, 0, -1 where the source prefers the left document, neither, or the right one; int8 [pairs]."""
    size = len(number)
    if opinion.height is not None:
        height = np.full(size, np.nan)
        for document, value in opinion.height.items():
            height[number[document]] = value
        return (height[left] > height[right]).astype(np.int8) - (height[left] < height[right]).astype(np.int8)
    stated = np.zeros((size, size), dtype=np.int8)
    for better, worse in opinion.stated:
        stated[number[better], number[worse]] = 1
        stated[number[worse], number[better]] = -1
    return stated[left, right]
