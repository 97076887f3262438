"""Intents of topics: which there are, which documents are relevant to each, and how much each counts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property

import numpy as np

from cranfield._frozen import Frozen, Kept, Made
from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.intent_names import PLACEHOLDER, category, places_by_number
from cranfield.collection.intent_probabilities import (
    given_probabilities,
    refuse_misfit,
    remarks_on_misfit,
    shares,
    simulated,
)
from cranfield.collection.intent_weights import IntentWeights
from cranfield.collection.policy import WeightSum
from cranfield.collection.sorting import stable_order
from cranfield.findings.finding import Finding

ANY = np.finfo(np.float64).tiny
"""The smallest label that is above 0."""


class Intents(Frozen):
    """The intents of all topics, those of a topic in the order of their numbers.

    Args:
        topics: ids, T of them.
        starts: topic t has the pool rows ``starts[t]:starts[t + 1]``, int64 [T + 1].
        judgments: (pool row, index of the intent's name, label) of every judgment, three arrays [judgments].
        names: the values of field 2.
        weights: how likely intents are.
        weight_sum: what is done where the probabilities of a topic do not add up to 1: ``renormalise`` them,
            ``raise`` an error, or take them ``raw``.
        keep_empty: whether intents without relevant documents stay in.
    """

    def __init__(
        self,
        topics: Sequence[str],
        starts: Ints,
        judgments: tuple[Ints, Ints, Floats],
        names: Sequence[str],
        weights: IntentWeights,
        weight_sum: WeightSum = "renormalise",
        keep_empty: bool = False,
    ) -> None:
        self.topics = tuple(topics)
        self.starts = starts
        self.judgments = judgments
        self.names = tuple(names)
        self.weights = weights
        self.weight_sum = weight_sum
        self.keep_empty = keep_empty
        self._kept = Kept()
        for array in (starts, *judgments):
            array.flags.writeable = False
        self._freeze()

    def __repr__(self) -> str:
        return f"Intents({len(self.topic):,} of {len(self.topics):,} topics, {self.weights!r})"

    def kept(self, keep: Mask, starts: Ints) -> Intents:
        """The intents restricted to the marked pool rows, whose topics begin at the new ``starts``."""
        row, name, label = self.judgments
        stays = keep[row]
        moved = np.cumsum(keep) - 1
        judgments = moved[row[stays]], name[stays], label[stays]
        return Intents(self.topics, starts, judgments, self.names, self.weights, self.weight_sum, self.keep_empty)

    def shared(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What depends on the judgments alone, made once; arrays become read-only."""
        return self._kept.shared(key, make)

    # ---- the table

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """Names in the judgments, then those that only the weights have."""
        more = (name for row in self.weights.table.values() for name in row)
        return tuple(dict.fromkeys((*self.names, *more)))

    @cached_property
    def _keys(self) -> Ints:
        """Each intent as topic * names + place of its name among all in order, ascending, int64 [I]."""
        row, name, label = self.judgments
        topic = np.repeat(np.arange(len(self.topics)), np.diff(self.starts))[row]
        keys = topic * len(self._names) + self._place[name]
        code = {name: code for code, name in enumerate(self._names)}
        useful = keys[label > 0]
        listed = []
        if self.weights.table:
            by_place = [self._names[one] for one in np.argsort(self._place)]
            judged: dict[int, set[str]] = {}
            for number, one in (divmod(key, len(self._names)) for key in np.unique(keys).tolist()):
                judged.setdefault(number, set()).add(by_place[one])
            for number, mine in judged.items():
                # A row may name a category instead of its intents.
                whole = {category(one) for one in mine} - mine
                rows = self.weights.table.get(self.topics[number], {}).keys() - whole
                listed += [number * len(self._names) + int(self._place[code[one]]) for one in rows]
        if PLACEHOLDER in self.names:
            keys = keys[name != code[PLACEHOLDER]]
        return np.unique(np.concatenate([keys, useful, np.array(listed, dtype=np.int64)]))

    @cached_property
    def _place(self) -> Ints:
        """Place of each name among all, numbers by value, int64 [names]."""
        return places_by_number(self._names)

    @cached_property
    def topic(self) -> Ints:
        """Topic of each intent, int64 [I]."""
        return self._keys // len(self._names)

    @cached_property
    def name(self) -> tuple[str, ...]:
        """Name of each intent."""
        by_place = np.argsort(self._place)
        return tuple(self._names[code] for code in by_place[self._keys % len(self._names)])

    @cached_property
    def _ids(self) -> list[tuple[str, str]]:
        """(id of the topic, name) of each intent."""
        return [(self.topics[topic], name) for topic, name in zip(self.topic.tolist(), self.name, strict=True)]

    @cached_property
    def _entries(self) -> tuple[Ints, Ints, Floats]:
        """(intent, pool row, label) of every label above 0, by intent, then row."""
        row, name, label = self.judgments
        useful = label > 0
        row, name, label = row[useful], name[useful], label[useful]
        topic = np.repeat(np.arange(len(self.topics)), np.diff(self.starts))[row]
        intent = np.searchsorted(self._keys, topic * len(self._names) + self._place[name])
        order = stable_order(intent * (int(self.starts[-1]) + 1) + row)
        return intent[order], row[order], label[order]

    @property
    def intent(self) -> Ints:
        """Intent of each entry, int64 [entries]."""
        return self._entries[0]

    @property
    def document(self) -> Ints:
        """Pool row of each entry, int64 [entries]."""
        return self._entries[1]

    @property
    def label(self) -> Floats:
        """Label of each entry, above 0, float64 [entries]."""
        return self._entries[2]

    @cached_property
    def of_row(self) -> tuple[Ints, Ints]:
        """(where the entries of each pool row begin, int64 [rows + 1]; the entries by row, then intent)."""
        order = stable_order(self.document)
        counts = np.bincount(self.document, minlength=int(self.starts[-1]))
        return np.concatenate([[0], np.cumsum(counts)]), order

    @cached_property
    def navigational(self) -> Mask:
        """Whether each intent's users want one document and no more, bool [I]."""
        return np.array([intent in self.weights.navigational for intent in self._ids], dtype=bool)

    # ---- which intents count, and how much

    def relevant(self, rel: float) -> Floats:
        """Relevant documents of each intent, float64 [I]."""

        def count() -> Floats:
            return np.bincount(self.intent[self.label >= rel], minlength=len(self.topic)).astype(np.float64)

        return self.shared(("relevant", rel), count)

    def counted(self, rel: float) -> Mask:
        """Whether each intent counts: it has a relevant document, or empty ones are kept, bool [I]."""
        return self.relevant(rel) > 0 if not self.keep_empty else np.ones(len(self.topic), dtype=bool)

    def per_topic(self, values: Floats | Mask) -> Floats:
        """Sum over the intents of each topic, float64 [T]."""
        total: Floats = np.bincount(self.topic, values, minlength=len(self.topics)).astype(np.float64, copy=False)
        return total

    def number(self, rel: float) -> Floats:
        """How many intents of each topic count, float64 [T]."""
        return self.per_topic(self.counted(rel))

    def probabilities(self, rel: float, raw: bool = False) -> Floats:
        """P(i|q) of each intent, 0 for one that does not count, float64 [I].

        They add up to 1 over the intents of a topic that count, unless they are taken ``raw``.
        """
        raw = raw or self.weight_sum == "raw"
        return self.shared(("probabilities", rel, raw), lambda: self._probabilities(rel, raw))

    def _probabilities(self, rel: float, raw: bool) -> Floats:
        counts = self.counted(rel)
        if self.weights.rule == "given":
            given = counts * self._given
            return given if raw else shares(given, self.per_topic(given)[self.topic])
        number = self.number(rel)[self.topic]
        return shares(counts, number) if self.weights.rule == "uniform" else simulated(self.topic, counts, number)

    @cached_property
    def _given(self) -> Floats:
        """The probability of each intent as given, 0 where none is, float64 [I]."""
        self.check()
        return given_probabilities(self._ids, self.relevant(ANY) > 0, self.weights.table)

    @cached_property
    def categories(self) -> tuple[Ints, Ints]:
        """(category of each intent, int64 [I]; topic of each category): an intent ``a.1`` belongs to ``a``."""
        codes: dict[tuple[int, str], int] = {}
        category_of_intent = [
            codes.setdefault((topic, category(name)), len(codes))
            for topic, name in zip(self.topic.tolist(), self.name, strict=True)
        ]
        return np.array(category_of_intent, dtype=np.int64), np.array([topic for topic, _ in codes], dtype=np.int64)

    # ---- weights that do not fit

    def check(self) -> None:
        """Refuse weights that do not fit the judgments.

        Raises:
            InputError: an intent with relevant documents has no probability, or the probabilities of a topic do not
                add up to 1 although they must.
        """
        if self.weights.rule == "given":
            relevant = [intent for intent, has in zip(self._ids, self.relevant(ANY) > 0, strict=True) if has]
            refuse_misfit(self.weights, self.topics, relevant, self.weight_sum)

    def remarks(self) -> Iterator[Finding]:
        """What a careful reader should know of the weights."""
        if self.weights.rule == "given":
            yield from remarks_on_misfit(self.weights, self.topics, self.weight_sum)
