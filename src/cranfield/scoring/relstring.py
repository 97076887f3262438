"""trec_eval's ``relstring``: the labels of a topic's first documents as a string."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cranfield.collection.rankings import Rankings
from cranfield.measures import names_in

DEFAULT = 10
"""The default number of documents of a topic, as in trec_eval."""
_FORM = re.compile(r"\s*relstring(?:[._]([0-9]{1,18}))?\s*")


@dataclass(frozen=True)
class RelString:
    """A string with one character for each of the first documents of a topic.

    Args:
        name: its name in trec_eval: ``relstring``, or ``relstring_5`` with a number.
        cutoff: the number of documents.
    """

    name: str
    cutoff: int

    def format_topics(self, rankings: Rankings) -> Iterator[str]:
        """Format the string of each topic of one run.

        ``-`` is a document that is not in the qrels, ``.`` one with a label below zero (pooled but unjudged in
        trec_eval), ``>`` one with a label above 9; any other is its label without decimals.
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


def split_measures(measures: Sequence[str]) -> tuple[list[str], list[RelString]]:
    """Split requested measures into those that are numbers and the strings among them, in order, each once."""
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
    return numbers, [RelString(name, cutoff) for name, cutoff in texts.items()]
