"""trec_eval's ``relstring``: the labels of a topic's first documents as a text, which no table of numbers can hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cranfield.collection.rankings import Rankings
from cranfield.errors import UsageError
from cranfield.measures import names_in

DEFAULT = 10
"""Documents of a topic where no number is given, as in trec_eval."""
_FORM = re.compile(r"\s*relstring(?:[._]([0-9]{1,18}))?\s*")


@dataclass(frozen=True)
class RelString:
    """One character for each of the first documents of a topic.

    Args:
        name: as trec_eval prints it: ``relstring``, and ``relstring_5`` where a number is given.
        cutoff: how many documents.
    """

    name: str
    cutoff: int

    def format_topics(self, rankings: Rankings) -> Iterator[str]:
        """The text of each topic of one run.

        ``-`` is a document that is not in the qrels, ``.`` one with a label below zero, by which trec_eval means pooled
        but unjudged, ``>`` one with a label above 9; else the label itself, without its decimals.
        """
        policy = rankings.policy
        if policy.unjudged == "condense":
            rankings = (rankings.without_negatives if policy.hides_negative else rankings).condensed
        top = rankings.top(self.cutoff)
        for topic, length in enumerate(top.length.tolist()):
            rows = slice(top.starts[topic], top.starts[topic + 1])
            text = ["-"] * length
            for rank, label in zip(top.rank[rows].tolist(), top.grade[rows].tolist(), strict=True):
                text[rank - 1] = _format_label(int(label))
            yield "".join(text)


def _format_label(label: int) -> str:
    if label < 0:
        return "."
    return str(label) if label <= 9 else ">"


def split_measures(measures: Sequence[str], *, printable: bool) -> tuple[list[str], list[RelString]]:
    """Measures that are numbers, and the texts asked for among them, in order, each once.

    Args:
        measures: names, as they were given.
        printable: whether the output can hold a text for each topic.

    Raises:
        UsageError: a text is asked for that the output cannot hold.
    """
    numbers, texts = [], {}
    for requested in measures:
        names = names_in(requested)
        matched = [(name, _FORM.fullmatch(name)) for name in names]
        if not any(form for _, form in matched):
            numbers.append(requested)
            continue
        for name, form in matched:
            if form is None:
                numbers.append(name)
            else:
                cut = form[1]
                texts["relstring" if cut is None else f"relstring_{cut}"] = DEFAULT if cut is None else int(cut)
    if texts and not printable:
        raise UsageError(
            "relstring is a text for each topic and no number: only --format trec with --by-topic prints it"
        )
    return numbers, [RelString(name, cutoff) for name, cutoff in texts.items()]
