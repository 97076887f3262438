"""The declaration of a kind of finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class FindingKind:
    """A kind of finding.

    Args:
        severity: how grave it is.
        sentence: words the finding in one place, from its facts.
        meaning: what it means for an evaluation.
        remedy: what to do about it.
        refuses: whether an evaluation refuses the run for it.
        degree: the fact that says how much of it there is: a number, or a list by its length; empty without one.
        rule: whether it breaks a rule of a shared task, so that ``check --strict`` makes it an error.
    """

    severity: Severity
    sentence: Callable[..., str]
    meaning: str
    remedy: str
    refuses: bool = False
    degree: str = ""
    rule: bool = False

    def how_much(self, facts: Mapping[str, Any]) -> float:
        """The degree of a finding, by the facts of its sentence; 0 where the kind has no degree."""
        fact = facts[self.degree] if self.degree else 0
        return len(fact) if isinstance(fact, list) else fact


KINDS: dict[str, FindingKind] = {}
"""Code -> kind, as they are declared; read ``cranfield.findings.catalogue.TABLE``, which is all of them."""


NO_REMEDY = "None needed."
"""The remedy of a finding that is harmless."""


def declared(
    code: str,
    severity: Severity,
    *,
    meaning: str,
    remedy: str = NO_REMEDY,
    refuses: bool = False,
    degree: str = "",
    rule: bool = False,
) -> Callable[[Callable[..., str]], Callable[..., str]]:
    """Declare a kind of finding by the function that words it."""

    def declare(sentence: Callable[..., str]) -> Callable[..., str]:
        KINDS[code] = FindingKind(severity, sentence, meaning, remedy, refuses, degree, rule)
        return sentence

    return declare


def others(count: int) -> str:
    """The end of a sentence about the first of several: how many more there are."""
    return f" ({count - 1:,} more like it)" if count > 1 else ""
