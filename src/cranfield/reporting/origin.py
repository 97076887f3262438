"""Where the scores of a page come from: runs that were judged, or scores that were given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cranfield.findings.finding import Finding
from cranfield.scoring import Evaluation


@dataclass(frozen=True)
class Origin:
    """Where scores come from.

    Args:
        name: of the judgments, or what the scores are called.
        judgments: how many there are; None where scores were given.
        signature: all that changes the scores.
        remarks: what was noticed in the files of runs and judgments.
        said: what was noticed in given scores.
    """

    name: str
    judgments: int | None
    signature: dict[str, Any] = field(repr=False)
    remarks: tuple[Finding, ...] = ()
    said: tuple[str, ...] = ()

    @classmethod
    def of_runs(cls, table: Evaluation) -> Origin:
        """Of runs that were read."""
        return cls(table.qrels.name, len(table.qrels.grade), table.signature(), table.remarks)

    @property
    def title(self) -> str:
        """Of a page whose title is not given."""
        if self.judgments is None:
            return f"{self.name[0].upper()}{self.name[1:]}"
        return f"Evaluation on {self.name}"

    def of_systems(self, own: Sequence[str], systems: Sequence[str]) -> dict[str, Any]:
        """The signature without the names of other runs, which those of score files may be.

        Args:
            own: systems that may be named.
            systems: all of them, in their order.
        """
        kept = {name: value for name, value in self.signature.items() if name not in ("scores", "source")}
        if "runs" in kept:
            kept["runs"] = [run for name, run in zip(systems, kept["runs"], strict=True) if name in own]
        if "scores" in self.signature:
            kept["scores"] = [{"sha256": one["sha256"]} for one in self.signature["scores"] if "sha256" in one]
        return kept
