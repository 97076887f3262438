"""The policies that decide how files are read and scored: one word each, the same in Python, shell and signatures."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args, get_type_hints

from cranfield._message import name_value, setting
from cranfield._validation import word
from cranfield.errors import UsageError

NamesPolicy = Literal["file", "tag"]
"""The names of systems: their file's name, or their run tag."""
TiesPolicy = Literal["trec", "trec9", "docid", "rank", "file", "expected", "bounds"]
MissingPolicy = Literal["empty", "skip", "error"]
UnjudgedPolicy = Literal["zero", "mean", "condense"]
NegativePolicy = Literal["zero", "keep"]
Undefined = Literal["declared", "keep"]
CompatPolicy = Literal["none", "trec_eval", "trec_eval9", "ndeval", "gdeval", "ntcireval"]
OnDuplicate = Literal["error", "first"]
OwnDocument = Literal["keep", "drop"]
"""The fate of a retrieved document whose id is its topic's."""
WeightSum = Literal["renormalise", "raise", "raw"]
"""The treatment of probabilities of a topic's intents that do not add up to 1."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The choices about the order of documents and about odd cases; the first value of each is the default.

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
        own_document: a retrieved document whose id is the topic's, as where queries are documents of the collection
            (ArguAna, Quora), is ranked like any other (``keep``), or leaves the list before ranks are assigned
            (``drop``), as BEIR and MTEB have it.
        passages: what separates a document's id from the number of its passage: with ``"#"``, ``d1#3`` is a passage of
            ``d1``, and what stands before the last ``#`` is the document. Each document then has the score of its best
            passage (MaxP), and judgments are of documents. Ids are of documents where it is empty.

    Raises:
        UsageError: a word that is not one of these, or a separator that is not text.
    """

    ties: TiesPolicy = "trec"
    missing: MissingPolicy = "empty"
    unjudged: UnjudgedPolicy = "zero"
    negative: NegativePolicy = "zero"
    undefined: Undefined = "declared"
    compat: CompatPolicy = "none"
    on_duplicate: OnDuplicate = "error"
    own_document: OwnDocument = "keep"
    passages: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.passages, str):
            raise UsageError(
                f"passages={name_value(self.passages)} should be the text between document and passage, such as '#'"
            )
        for option, choices in CHOICES.items():
            word(option, getattr(self, option), choices)

    @property
    def weighs_ties(self) -> bool:
        """Return whether ties matter beyond the order in which they are broken."""
        return self.ties in ("expected", "bounds")

    def check_order(self, what: str) -> None:
        """Raises: UsageError: equal scores leave the order of documents open, which this needs."""
        if self.weighs_ties:
            raise UsageError(f"{what} needs the documents in one order, which {setting('ties', self.ties)} leaves open")

    @property
    def rewrites(self) -> bool:
        """Return whether runs are rewritten before they are judged."""
        return self.own_document != "keep" or bool(self.passages)

    @property
    def rewriting(self) -> dict[str, str]:
        """The options by which runs are rewritten that are not at their defaults."""
        return {name: getattr(self, name) for name in REWRITING if getattr(self, name) != getattr(Policy(), name)}

    @property
    def hides_negative(self) -> bool:
        """trec_eval reads documents with a negative label as unjudged."""
        return self.compat in ("trec_eval", "trec_eval9")

    def as_dict(self) -> dict[str, Any]:
        """Option -> word, for signatures."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


CHOICES: dict[str, tuple[str, ...]] = {
    option: get_args(choices) for option, choices in get_type_hints(Policy).items() if get_args(choices)
}
"""Option -> its words, the default first."""
POLICIES = tuple(field.name for field in fields(Policy))
"""All options: those of words, and ``passages``."""
REWRITING = ("own_document", "passages")
"""Options by which runs are rewritten before they are judged."""
