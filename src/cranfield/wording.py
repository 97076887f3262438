"""Words that several layers need: text from files made safe to show, and remarks on data."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.errors import CranfieldWarning

if TYPE_CHECKING:
    from cranfield.contract import Facts


class Remark(NamedTuple):
    """Something worth knowing about the data: where (``FILE`` or ``FILE:LINE``) and what."""

    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


def condensed(remarks: Iterable[Remark]) -> list[str]:
    """One line for each different text: the first place, and in how many others the same holds."""
    places: dict[str, list[str]] = {}
    for remark in remarks:
        places.setdefault(remark.text, []).append(remark.where)
    lines = []
    for text, where in places.items():
        more = f" (and {len(where) - 1:,} more like it)" if len(where) > 1 else ""
        lines.append(f"{where[0]}: {text}{more}")
    return lines


def quoted(text: str) -> str:
    """Text from a file between quotation marks, safe to print."""
    return f"'{shown(text)}'"


def warn(text: str) -> None:
    """Warn, pointing at the line outside this package that led here."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "cranfield":
        level, frame = level + 1, frame.f_back
    warnings.warn(text, CranfieldWarning, stacklevel=level + 1)


def shown(text: str, limit: int = 80) -> str:
    """Text from a file, safe to print: control and invisible characters are written out, and it is cut."""
    cut = text[:limit] + ("..." if len(text) > limit else "")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in cut)


def in_full(name: str) -> str:
    """The name of a file, safe to print, and not cut however long a path is."""
    return shown(name, 4096)


def remarks(facts: Facts, name: str, kind: str) -> Iterator[Remark]:
    """What a reader noticed, for a careful user."""
    where = in_full(name)
    if "other_tag" in facts:
        line, tag = facts["other_tag"]
        yield Remark(f"{where}:{line}", f"the run tag is {quoted(tag)} here and {quoted(facts['tag'])} above")
    if "rank_text" in facts:
        count, line, value = facts["rank_text"]
        text = (
            f"the rank {quoted(value)} is not a whole number of at most 18 digits{_others(count)}; ranks are not used"
        )
        yield Remark(f"{where}:{line}", text)
    if "rank_contradicts" in facts:
        count, topic = facts["rank_contradicts"]
        topics = f"{count:,} {_plural('topic', count)} (first {quoted(topic)})"
        yield Remark(where, f"ranks contradict scores in {topics}; the tie policy decides the order")
    if "unjudged_topics" in facts:
        count, names = facts["unjudged_topics"]
        yield Remark(where, f"{_listed(count, names)} not judged and ignored")
    if "repeated" in facts:
        count, line, topic, document = facts["repeated"]
        fate = (
            "is judged again with the same label, which is ignored"
            if kind == "qrels"
            else ("stands twice; only its better-ranked line is kept")
        )
        yield Remark(f"{where}:{line}", f"document {quoted(document)} of topic {quoted(topic)} {fate}{_others(count)}")
    if "fractional" in facts:
        count, line, value = facts["fractional"]
        text = f"the label {shown(value)} is not a whole number and is kept as it is{_others(count)}"
        yield Remark(f"{where}:{line}", text)
    if "several" in facts:
        count, differing, topic, document = facts["several"]
        which = f"{quoted(document)} of topic {quoted(topic)}"
        who = f"document {which} is" if count == 1 else f"{count:,} documents (first {which}) are"
        labels = {0: "equal labels", count: "different labels"}.get(differing, f"different labels for {differing:,}")
        yield Remark(
            where,
            f"{who} judged under several values of field 2, with {labels}; measures without intents use the largest "
            "label of a document",
        )


def numeral(value: float, form: str) -> str:
    """A number for a sentence, which says ``undefined`` where there is none, and ``infinite``.

    >>> numeral(0.25, ".1%"), numeral(float("nan"), ".3f")
    ('25.0%', 'undefined')
    """
    if math.isfinite(value):
        return format(value, form)
    return "undefined" if math.isnan(value) else "infinite" if value > 0 else "minus infinite"


def listed(items: Sequence[str], noun: str = "topic") -> str:
    """``topic 7``, or ``12 topics (7, 9, ...)`` with the first five."""
    names = ", ".join(shown(item) for item in items[:5]) + ", ..." * (len(items) > 5)
    return f"{noun} {names}" if len(items) == 1 else f"{len(items):,} {noun}s ({names})"


def _listed(count: int, topics: list[str]) -> str:
    names = ", ".join(shown(topic) for topic in topics) + (", ..." if count > len(topics) else "")
    return f"{count:,} {_plural('topic', count)} ({names}) {'are' if count > 1 else 'is'}"


def drawn(how: Mapping[str, Any]) -> str:
    """What a test drew, behind a comma: ``, 1,000 resamples, seed 1``, ``, p from all sign flips``, or nothing.

    Args:
        how: its settings: ``resamples``; ``seed``, None where nothing was drawn at random; ``exact_pairs``, of how many
            pairs p is from all sign flips.
    """
    said = "" if how["seed"] is None else f", {how['resamples']:,} resamples, seed {how['seed']}"
    if how["exact_pairs"]:
        said += ", p from all sign flips" + (f" in {counted(how['exact_pairs'], 'pair')}" if said else "")
    return said


def counted(count: int, word: str) -> str:
    """``1 topic``, ``1,200 topics``, ``2 families``."""
    return f"{count:,} {_plural(word, count)}"


def _plural(word: str, count: int) -> str:
    if count == 1:
        return word
    return word[:-1] + "ies" if word.endswith("y") else word + "s"


def _others(count: int) -> str:
    return f" ({count - 1:,} more like it)" if count > 1 else ""
