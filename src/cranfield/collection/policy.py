"""The policies that decide how files are read and scored: one word each, the same in Python, shell and signatures."""

from __future__ import annotations

from dataclasses import fields
from typing import Literal, get_args, get_type_hints

from cranfield.arguments import word
from cranfield.errors import UsageError
from cranfield.records import record

Names = Literal["file", "tag"]
"""By what systems are called: their file's name, or their run tag."""
Ties = Literal["trec", "trec9", "docid", "rank", "file", "expected", "bounds"]
Missing = Literal["empty", "skip", "error"]
Unjudged = Literal["zero", "mean", "condense"]
Negative = Literal["zero", "keep"]
Undefined = Literal["declared", "keep"]
Compat = Literal["none", "trec_eval", "trec_eval9", "ndeval", "gdeval", "ntcireval"]
OnDuplicate = Literal["error", "first"]
WeightSum = Literal["renormalise", "raise", "raw"]
"""What is done where the probabilities of a topic's intents do not add up to 1."""


@record(frozen=True, slots=True)
class Policy:
    """How documents are ordered and odd cases are read; the first value of each is the default.

    Args:
        ties: order of documents with equal scores. ``trec``: score as double descending, then id descending by
            bytes (trec_eval 10); ``trec9``: the same on scores rounded to float32 (trec_eval 9, pytrec_eval);
            ``docid``: id ascending; ``rank``: the rank column decides; ``file``: as written. Two orders of none:
            ``expected``: the mean over all orders of equal scores; ``bounds``: as ``trec``, with the smallest and
            the largest value that some order of equal scores gives.
        missing: a judged topic absent from a run is an ``empty`` ranking, ``skip``-ped (NaN, left out of that run's
            mean) or an ``error``.
        unjudged: unjudged documents have label ``zero``; they and unfilled ranks have the ``mean`` gain of the topic's
            judged documents, which only NDCG_std knows; or they are dropped before ranks are assigned (``condense``).
        negative: gain of labels below zero: ``zero``, or ``keep`` the label.
        undefined: a value that has no definition (AP without relevant documents) takes what its measure declares
            (``declared``) or stays NaN (``keep``).
        compat: a peer's reading where ours differs; never the order of documents (that is ``ties``).
        on_duplicate: a document twice in a topic of a run is an ``error``, or its better-ranked line is kept
            (``first``) and the others are counted.

    Raises:
        UsageError: a word that is not one of these.
    """

    ties: Ties = "trec"
    missing: Missing = "empty"
    unjudged: Unjudged = "zero"
    negative: Negative = "zero"
    undefined: Undefined = "declared"
    compat: Compat = "none"
    on_duplicate: OnDuplicate = "error"

    def __post_init__(self) -> None:
        for option, words in CHOICES.items():
            word(option, getattr(self, option), words)

    @property
    def weighs_ties(self) -> bool:
        """Whether ties matter beyond the order in which they are broken."""
        return self.ties in ("expected", "bounds")

    def check_order(self, what: str) -> None:
        """Raises: UsageError: equal scores leave the order of documents open, which this needs."""
        if self.weighs_ties:
            raise UsageError(f"{what} needs the documents in one order, which ties={self.ties!r} leaves open")

    @property
    def hides_negative(self) -> bool:
        """trec_eval reads documents with a negative label as unjudged."""
        return self.compat in ("trec_eval", "trec_eval9")

    def as_dict(self) -> dict[str, str]:
        """Option -> word, for signatures."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


CHOICES: dict[str, tuple[str, ...]] = {
    option: get_args(words) for option, words in get_type_hints(Policy).items() if get_args(words)
}
