"""One topic as a reference measure sees it: its list in order, its labels, the parameters, and the mistake made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from cranfield.conformance.cases import ConformanceCase, ExactLabels
from cranfield.conformance.exact_numbers import Exact

MOST_ORDERS = 5040
"""More orders of documents than this are not enumerated."""


class NotApplicableError(Exception):
    """A mistake cannot be made here, or its value depends on a choice that the case leaves open."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic of a case.

    Attributes:
        labels: of each judged document, exactly; empty where the case has intents.
        intents: of each intent, the labels of its documents.
        weights: of each intent; empty where they are the same.
        parameters: of the measure, by name.
        mistake: one of ``ERROR_CLASSES``, or empty.
        order: the documents of the list, best first.
    """

    labels: ExactLabels
    intents: Mapping[str, ExactLabels]
    weights: Mapping[str, Fraction]
    parameters: Mapping[str, Any]
    mistake: str
    order: tuple[str, ...] = ()

    @classmethod
    def from_case(cls, case: ConformanceCase, name: str, mistake: str) -> Topic:
        """The topic of a case, its list still empty."""
        labels, intents = case.get_labels(name)
        if mistake == "labels-truncated":
            labels = {document: Fraction(int(label)) for document, label in labels.items()}
        return cls(labels, intents, case.get_weights(name), case.measure, mistake)

    @property
    def judged(self) -> Collection[str]:
        """The documents with a label, of any intent."""
        return {*self.labels, *(document for labels in self.intents.values() for document in labels)}

    @property
    def cutoff(self) -> int | None:
        """The rank at which the list is cut; None where it is not."""
        cutoff: int | None = self.parameters.get("cutoff")
        if cutoff is None or self.mistake == "cutoff-ignored":
            return None
        if self.mistake != "cutoff-short":
            return cutoff
        if cutoff == 1:
            raise NotApplicableError("no rank is left")
        return cutoff - 1

    @property
    def top(self) -> tuple[str, ...]:
        """The list down to the cutoff."""
        return self.order[: self.cutoff]

    @property
    def depth(self) -> int:
        """The cutoff; the list's length where it is not cut."""
        return len(self.order) if self.cutoff is None else self.cutoff

    @property
    def relevant(self) -> set[str]:
        """The relevant documents among the judged ones."""
        return {document for document, label in self.labels.items() if self.is_relevant(label)}

    def is_relevant(self, label: Fraction) -> bool:
        """Return whether a label is that of a relevant document."""
        threshold: int = self.parameters["rel"]
        match self.mistake:
            case "rel-any-positive":
                return label > 0
            case "rel-any-judged":
                return True
            case "rel-nonzero":
                return label != 0
            case "rel-strictly-above":
                return label > threshold
        return label >= threshold

    def count_relevant(self, cutoff: int | None = None) -> int:
        """Return how many relevant documents stand above a cutoff."""
        relevant = self.relevant
        return sum(document in relevant for document in self.order[:cutoff])


ReferenceMeasure: TypeAlias = Callable[[Topic], Exact | None]
"""The value of one topic; None where it is undefined."""
