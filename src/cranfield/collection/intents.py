"""The intents of topics: their names, the documents relevant to each, and their probabilities P(i|q).

Field 2 of the judgments names intents, among them a placeholder that stands for none. Probabilities follow a rule or
are given; those that do not fit the judgments are refused or remarked on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from cranfield._frozen import Caching, Frozen
from cranfield._message import setting
from cranfield._text import quoted
from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.intent_weights import IntentWeights
from cranfield.collection.policy import WeightSum
from cranfield.collection.segments import stable_order
from cranfield.errors import InputError
from cranfield.findings.finding import Finding, finding

ANY = np.finfo(np.float64).tiny
"""The smallest label that is above 0."""


class Intents(Caching, Frozen):
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

    # ---- the table

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """Names in the judgments, then those that only the weights have."""
        more = (name for row in self.weights.table.values() for name in row)
        return tuple(dict.fromkeys((*self.names, *more)))

    @cached_property
    def _keys(self) -> Ints:
        """Each intent as topic * names + index of its name among all in order, ascending, int64 [I]."""
        row, name, label = self.judgments
        topic = np.repeat(np.arange(len(self.topics)), np.diff(self.starts))[row]
        keys = topic * len(self._names) + self._index[name]
        code = {name: code for code, name in enumerate(self._names)}
        useful = keys[label > 0]
        listed = []
        if self.weights.table:
            by_rank = [self._names[name_] for name_ in np.argsort(self._index)]
            judged: dict[int, set[str]] = {}
            for number, name_ in (divmod(key, len(self._names)) for key in np.unique(keys).tolist()):
                judged.setdefault(number, set()).add(by_rank[name_])
            for number, own_names in judged.items():
                # A row may name a category instead of its intents.
                categories = {category(name_) for name_ in own_names} - own_names
                rows = self.weights.table.get(self.topics[number], {}).keys() - categories
                listed += [number * len(self._names) + int(self._index[code[name_]]) for name_ in rows]
        if PLACEHOLDER in self.names:
            keys = keys[name != code[PLACEHOLDER]]
        return np.unique(np.concatenate([keys, useful, np.array(listed, dtype=np.int64)]))

    @cached_property
    def _index(self) -> Ints:
        """The index of each name among all, numbers by value, int64 [names]."""
        return index_by_number(self._names)

    @cached_property
    def topic(self) -> Ints:
        """Topic of each intent, int64 [I]."""
        return self._keys // len(self._names)

    @cached_property
    def name(self) -> tuple[str, ...]:
        """Name of each intent."""
        by_index = np.argsort(self._index)
        return tuple(self._names[code] for code in by_index[self._keys % len(self._names)])

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
        intent = np.searchsorted(self._keys, topic * len(self._names) + self._index[name])
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
    def entries_by_row(self) -> tuple[Ints, Ints]:
        """(where the entries of each pool row begin, int64 [rows + 1]; the entries by row, then intent)."""
        order = stable_order(self.document)
        counts = np.bincount(self.document, minlength=int(self.starts[-1]))
        return np.concatenate([[0], np.cumsum(counts)]), order

    def covered_by(self, row: int) -> tuple[str, ...]:
        """The names of the intents for which the document of a pool row has a label above 0, in their order."""
        starts, entries = self.entries_by_row
        return tuple(self.name[at] for at in self.intent[entries[starts[row] : starts[row + 1]]].tolist())

    @cached_property
    def navigational(self) -> Mask:
        """Return whether each intent's users want one document and no more, bool [I]."""
        return np.array([intent in self.weights.navigational for intent in self._ids], dtype=bool)

    # ---- which intents count, and how much

    def relevant(self, rel: float) -> Floats:
        """Relevant documents of each intent, float64 [I]."""

        def count() -> Floats:
            return np.bincount(self.intent[self.label >= rel], minlength=len(self.topic)).astype(np.float64)

        return self.shared(("relevant", rel), count)

    def counted(self, rel: float) -> Mask:
        """Return whether each intent counts: it has a relevant document, or empty ones are kept, bool [I]."""
        return self.relevant(rel) > 0 if not self.keep_empty else np.ones(len(self.topic), dtype=bool)

    def per_topic(self, values: Floats | Mask) -> Floats:
        """Sum over the intents of each topic, float64 [T]."""
        total: Floats = np.bincount(self.topic, values, minlength=len(self.topics)).astype(np.float64, copy=False)
        return total

    def number(self, rel: float) -> Floats:
        """The number of intents of each topic that count, float64 [T]."""
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
            weights = counts * self._given
            return weights if raw else shares(weights, self.per_topic(weights)[self.topic])
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
        """Remarks on the weights for a careful reader."""
        if self.weights.rule == "given":
            yield from remarks_on_misfit(self.weights, self.topics, self.weight_sum)


PLACEHOLDER = "0"
"""Field 2 of documents that are relevant to no intent, in TREC 2009's and NTCIREVAL's judgments."""


def category(name: str) -> str:
    """The part of an intent's name before its first point; the whole name without one."""
    return name.partition(".")[0] or name


def index_by_number(names: Sequence[str]) -> Ints:
    """The index of each name among all, numbers ordered by value, int64 [names]."""
    order = sorted(range(len(names)), key=lambda code: _by_number(names[code]))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank


def no_intents(measure: str) -> str:
    """The reason for which a diversity measure cannot be computed."""
    return (
        f"{measure} needs intents, but field 2 of the judgments is the same placeholder everywhere; "
        "use qrels whose field 2 names an intent: topic intent document label"
    )


def _by_number(name: str) -> list[tuple[int, int, str]]:
    """Sorts 2 before 10, and 1.2 before 1.10."""
    parts = re.split(r"([0-9]+)", name)
    return [(0, int(part), part) if part.isdigit() else (1, 0, part) for part in parts if part]


ROUNDED = 1e-3
"""The largest distance from 1 of a sum of probabilities that were printed with few digits."""

Intent = tuple[str, str]
"""The topic of an intent, and its name."""


def shares(weights: Floats | Mask, total: Floats) -> Floats:
    """The weight of each intent divided by the total of its topic, 0 where that is 0, float64 [I]."""
    share: Floats = np.divide(weights, total, out=np.zeros(len(total)), where=total > 0)
    return share


def simulated(topic: Ints, counts: Mask, number: Floats) -> Floats:
    """2^(n - j + 1) / (2^1 + ... + 2^n) for the j-th of the n intents of a topic that count, float64 [I].

    Args:
        topic: topic of each intent, ascending, int64 [I].
        counts: whether each intent counts, bool [I].
        number: how many intents of its topic do, float64 [I].
    """
    before = np.concatenate([[0.0], np.cumsum(counts.astype(np.float64))])
    position = before[1:] - before[np.searchsorted(topic, topic)]
    weights: Floats = counts * np.exp2(-position) / np.where(number > 0, 1 - np.exp2(-number), 1.0)
    return weights


def given_probabilities(intents: Sequence[Intent], useful: Mask, table: Mapping[str, Mapping[str, float]]) -> Floats:
    """The probability of each intent as given, 0 where none is, float64 [I].

    A row that names a category divides its probability among the category's intents with relevant documents.

    Args:
        intents: topic and name of each, I of them.
        useful: whether each has a relevant document, bool [I].
        table: topic -> intent, or category -> probability.
    """
    sharing = Counter(
        (topic, category(name))
        for (topic, name), has in zip(intents, useful, strict=True)
        if has and name not in table.get(topic, {})
    )
    probabilities = np.zeros(len(intents))
    for number, ((topic, name), has) in enumerate(zip(intents, useful, strict=True)):
        row, own_category = table.get(topic, {}), category(name)
        of_category = row.get(own_category, 0.0) / sharing.get((topic, own_category), 1) if has else 0.0
        probabilities[number] = row.get(name, of_category)
    return probabilities


def refuse_misfit(
    weights: IntentWeights, topics: Sequence[str], relevant: Sequence[Intent], weight_sum: WeightSum
) -> None:
    """Refuse probabilities that do not fit the judgments.

    Args:
        weights: those given.
        topics: of the judgments.
        relevant: the intents that have relevant documents.
        weight_sum: whether a sum other than 1 is refused (``raise``).

    Raises:
        InputError: an intent with relevant documents has no probability, or the probabilities of a topic do not
            add up to 1 although they must.
    """
    lacking = [
        (topic, name) for topic, name in relevant if not weights.table.get(topic, {}).keys() & {name, category(name)}
    ]
    if lacking:
        topic, name = lacking[0]
        more = f" ({len(lacking) - 1:,} more like it)" if len(lacking) > 1 else ""
        text = (
            f"intent {quoted(name)} of topic {quoted(topic)} has relevant documents but no probability{more}; "
            "give every such intent one"
        )
        raise InputError(text, weights.location, code="probability", value=name)
    off = _topics_off_one(weights, topics)
    if off and weight_sum == "raise":
        total = sum(weights.table[off[0]].values())
        text = (
            f"the probabilities of topic {quoted(off[0])} add up to {total:g}, not to 1 "
            f"({setting('weight_sum=raise')}; "
            "renormalise would divide by it)"
        )
        raise InputError(text, weights.location, code="probability", value=f"{total:g}")


def remarks_on_misfit(weights: IntentWeights, topics: Sequence[str], weight_sum: WeightSum) -> Iterator[Finding]:
    """Topics with weights but without judgments, and topics whose probabilities do not add up to 1."""
    judged = set(topics)
    unjudged = [topic for topic in weights.table if topic not in judged]
    if unjudged:
        yield finding("extra-weights", weights.location, topics=unjudged)
    if off := _topics_off_one(weights, topics):
        fate = "taken as they are" if weight_sum == "raw" else "divided by their sum"
        yield finding("weight-sums", weights.location, topics=off, fate=fate)


def _topics_off_one(weights: IntentWeights, topics: Sequence[str]) -> list[str]:
    """Topics whose probabilities do not add up to 1."""
    table = weights.table
    return [topic for topic in topics if topic in table and abs(sum(table[topic].values()) - 1) > ROUNDED]
