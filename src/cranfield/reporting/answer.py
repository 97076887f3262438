"""What one analysis gives a report: its result, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Answer(Generic[T]):
    """The answer of one analysis; without result and reason it was not asked.

    Args:
        result: of the analysis; None where it was refused or not asked.
        reason: why it was refused, a clause; None where it was not.
    """

    result: T | None = None
    reason: str | None = None

    @property
    def asked(self) -> bool:
        """Whether there is a result or a reason."""
        return self.result is not None or self.reason is not None
