"""The probability of each intent of a query, P(i|q), and the intents that are navigational."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cranfield._frozen import Frozen
from cranfield._message import name_value
from cranfield._validation import one_or_more
from cranfield.collection.ids import identifier, levels, read_number
from cranfield.errors import InputError, Located, UsageError, refusal
from cranfield.findings.location import Location

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

IntentWeighting = Literal["uniform", "simulated", "given"]
RULES = ("uniform", "simulated")
"""The words that stand for weights which are not given one by one."""

IntentWeightsLike: TypeAlias = (
    "str | os.PathLike[str] | IntentWeights | Mapping[str, Mapping[str, float]] | IntoFrame | None"
)

WeightRows = list[tuple[Any, Any, Any, Any, Located | str]]
"""Topic, intent, probability, type (``inf``, ``nav`` or None), and where it was written."""


class IntentWeights(Frozen):
    """Immutable P(i|q). Make one with ``cranfield.io.read_intent_weights``, ``from_dict``, ``from_frame`` or
    ``by_rule``.

    Args:
        rule: ``given``; ``uniform``: all intents of a topic alike; ``simulated``: 2^(n-j+1) / (2^1 + ... + 2^n) for the
            intent at position j of the n intents of a topic, by number (Sakai et al. 2010, section 4.1).
        table: topic -> intent -> probability, where given.
        navigational: (topic, intent) of those whose users want one document and no more.
        name: for messages and signatures.
        path: where it was read from, None for data in memory.
        sha256: of the bytes that were read, as they lie on disk; empty for data in memory.
    """

    def __init__(
        self,
        rule: IntentWeighting,
        table: Mapping[str, Mapping[str, float]],
        navigational: Iterable[tuple[str, str]] = (),
        *,
        name: str = "intent weights",
        path: str | None = None,
        sha256: str = "",
    ) -> None:
        self.rule = rule
        self.table = {topic: dict(row) for topic, row in table.items()}
        self.navigational = frozenset(navigational)
        self.name = name
        self.path = path
        self.sha256 = sha256
        self._freeze()

    def __repr__(self) -> str:
        intents = sum(len(row) for row in self.table.values())
        size = f", {len(self.table):,} topics, {intents:,} intents" if self.rule == "given" else ""
        return f"IntentWeights({self.rule}{size}, {len(self.navigational):,} navigational)"

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, IntentWeights) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def digest(self) -> str:
        """SHA-256 of the content, hexadecimal."""
        import hashlib

        content = [self.rule, sorted((t, sorted(row.items())) for t, row in self.table.items())]
        return hashlib.sha256(repr([*content, sorted(self.navigational)]).encode()).hexdigest()

    @classmethod
    def by_rule(cls, rule: str) -> IntentWeights:
        """``uniform`` or ``simulated`` weights.

        Raises:
            UsageError: another word.
        """
        if rule not in RULES:
            raise UsageError(f"{name_value(rule)} is not a rule for intent weights: one of {', '.join(RULES)}")
        return cls(rule, {}, name=rule)  # type: ignore[arg-type]

    @property
    def location(self) -> Location:
        """The location that messages name."""
        return Location(self.path or "", name=self.name)

    @classmethod
    def from_dict(
        cls,
        weights: Mapping[str, Mapping[str, float]],
        *,
        navigational: Mapping[str, Iterable[str]] | None = None,
        name: str = "intent weights",
    ) -> IntentWeights:
        """From topic -> intent -> probability; ``navigational`` names those intents by topic.

        Raises:
            InputError: an id or a probability that cannot be used, or a navigational intent without a probability.
        """
        pairs = levels(weights, name, "probability")
        named = {topic: one_or_more(row) for topic, row in (navigational or {}).items()}
        types = {(str(topic), str(intent)) for topic, row in named.items() for intent in row}
        listed = {(str(topic), str(intent)) for topic, row in pairs for intent, _ in row}
        for topic, intent in sorted(types - listed):
            raise InputError(
                f"{name}: intent {name_value(intent)} of topic {name_value(topic)} is navigational, but has no "
                "probability"
            )
        rows: WeightRows = [
            (
                topic,
                intent,
                p,
                "nav" if (str(topic), str(intent)) in types else "inf",
                f"{name}, topic {name_value(topic)}",
            )
            for topic, row in pairs
            for intent, p in row
        ]
        return cls.from_rows(rows, name)

    @classmethod
    def from_frame(cls, frame: IntoFrame, *, name: str = "intent weights") -> IntentWeights:
        """From a data frame: a topic column (``query_id``, ``qid``, ``topic``), ``intent`` (or ``iteration``),
        ``probability`` (``weight``, ``p``), and perhaps ``type`` (``inf`` or ``nav``).

        Raises:
            InputError: a column is missing, or a value cannot be used; rows count from 1.
        """
        from cranfield.collection.frames import read_roles

        read = read_roles(frame, "weight")
        types = read.get("type", [None] * len(read["topic"]))
        columns = zip(read["topic"], read["intent"], read["probability"], types, strict=True)
        rows: WeightRows = [(*row, f"{name}, row {number}") for number, row in enumerate(columns, 1)]
        return cls.from_rows(rows, name)

    @classmethod
    def from_rows(cls, rows: WeightRows, name: str, path: str | None = None, sha256: str = "") -> IntentWeights:
        """From rows that say where each was written.

        Raises:
            InputError: no rows, a negative probability, an unknown type, or an intent that occurs twice.
        """
        if not rows:
            raise InputError(f"{name} holds no intents")
        table: dict[str, dict[str, float]] = {}
        navigational = set()
        for topic_id, intent_id, p, kind, where in rows:
            topic = identifier(topic_id, "topic", where).decode()
            intent = identifier(intent_id, "intent", where).decode()
            number = read_number(p, "probability", where)
            if number < 0:
                text = f"the probability {number:g} of intent {name_value(intent)} is negative"
                raise refusal(text, where, code="probability", value=f"{number:g}")
            if kind not in (None, "inf", "nav"):
                text = f"the type {name_value(kind)} of intent {name_value(intent)} is neither inf nor nav"
                raise refusal(text, where, code="type", value=str(kind))
            if intent in table.setdefault(topic, {}):
                text = f"intent {name_value(intent)} of topic {name_value(topic)} occurs twice"
                raise refusal(text, where, code="duplicate", value=intent)
            table[topic][intent] = number
            if kind == "nav":
                navigational.add((topic, intent))
        return cls("given", table, navigational, name=name, path=path, sha256=sha256)


UNIFORM = IntentWeights("uniform", {}, name="uniform")
"""All intents of a topic alike, the default."""


def load_weights(weights: IntentWeightsLike) -> IntentWeights | str | None:
    """P(i|q) that is in memory as ``IntentWeights``; a path or the name of a rule as text.

    Raises:
        InputError: an id or a probability that cannot be used.
        UsageError: something that is not weights.
    """
    if weights is None or isinstance(weights, (IntentWeights, str)):
        return weights
    if isinstance(weights, os.PathLike):
        return os.fsdecode(weights)
    if isinstance(weights, Mapping):
        return IntentWeights.from_dict(weights)
    return IntentWeights.from_frame(weights)
