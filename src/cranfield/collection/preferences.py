"""Preference judgments: of two documents of a topic, which one is better."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cranfield._frozen import Frozen
from cranfield._message import name_value
from cranfield._text import cut, quoted
from cranfield._validation import is_series
from cranfield.collection.ids import identifier
from cranfield.errors import InputError, Located, UsageError, refusal
from cranfield.findings.location import Location

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

DocumentPair = tuple[str, str]


class Preferences(Frozen):
    """Immutable preference judgments. Make them from rows (topic, better, worse), a frame or a file.

    Args:
        pairs: topic -> (better, worse) documents, topics in order of first appearance; each pair once, one way.
        name: for messages and signatures.
        repeated: number of rows that repeat an earlier one.
    """

    def __init__(
        self, pairs: dict[str, tuple[DocumentPair, ...]], *, name: str = "preferences", repeated: int = 0
    ) -> None:
        self.pairs = pairs
        self.name = name
        self.repeated = repeated
        self._freeze()

    def __repr__(self) -> str:
        return f"Preferences({len(self.pairs):,} topics, {len(self):,} pairs)"

    def __len__(self) -> int:
        return sum(map(len, self.pairs.values()))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content."""
        import hashlib

        return hashlib.sha256(repr(list(self.pairs.items())).encode()).hexdigest()

    @classmethod
    def of(
        cls, rows: Iterable[Sequence[Any]], *, name: str = "preferences", lines: Sequence[Location] | None = None
    ) -> Preferences:
        """Preferences from rows (topic, better document, worse document).

        Args:
            rows: at least one.
            name: for messages and signatures.
            lines: the location of each row in a file; rows count from 1 where None.

        Raises:
            InputError: a row that is not a triple, an unusable id, a document preferred to itself, a row that
                contradicts an earlier one, or no rows.
        """

        def locate(row: int) -> Located | str:
            return f"{name}, row {row + 1}" if lines is None else lines[row]

        if not is_series(rows):
            raise UsageError(f"{name_value(rows)} is not rows (topic, better document, worse document)")
        counts: dict[str, dict[DocumentPair, int]] = {}
        repeated = 0
        for number, row in enumerate(rows):
            if isinstance(row, (str, bytes)) or not is_series(row) or len(row := tuple(row)) != 3:
                text = f"{name_value(row)} is not (topic, better document, worse document)"
                raise refusal(text, locate(number), code="fields", value=cut(repr(row)))
            ids = zip(row, ("topic", "document", "document"), strict=True)
            topic, better, worse = (identifier(word, kind, locate(number)).decode() for word, kind in ids)
            seen = counts.setdefault(topic, {})
            if better == worse:
                text = f"document {quoted(better)} is preferred to itself"
                raise refusal(text, locate(number), code="conflict", value=cut(better))
            if (worse, better) in seen:
                text = (
                    f"topic {quoted(topic)} has {quoted(better)} before {quoted(worse)} here and the other way round "
                    f"in {locate(seen[worse, better])}; keep one of them"
                )
                raise refusal(text, locate(number), code="conflict", value=cut(better))
            repeated += (better, worse) in seen
            seen.setdefault((better, worse), number)
        if not counts:
            raise InputError(f"{name} holds no preferences", code="empty")
        return cls({topic: tuple(pairs) for topic, pairs in counts.items()}, name=name, repeated=repeated)

    @classmethod
    def from_frame(cls, frame: IntoFrame, *, name: str = "preferences") -> Preferences:
        """Preferences from a data frame with the columns ``query_id`` (``qid``, ``topic``), ``better`` and ``worse``.

        Raises:
            InputError: a column is missing, or as ``of``.
        """
        from cranfield.collection.frames import read_roles

        read = read_roles(frame, "preference")
        return cls.of(zip(read["topic"], read["better"], read["worse"], strict=True), name=name)
