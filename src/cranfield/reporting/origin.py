"""Where the scores of a page come from: runs that were judged, or scores that were given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cranfield.collection.policy import CHOICES
from cranfield.findings.finding import Finding
from cranfield.scoring import Evaluation

PLAIN = ("cranfield", "engine", "bounds", *CHOICES, "max_rel")
"""Settings in a signature that name no run."""


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
        """The signature of a sheet: how scores were made, and the files of some systems.

        Only what is named here is taken: others' runs, whether read or refused, and files of scores may be called by
        others' names, and a signature that a file of scores holds may say anything.

        Args:
            own: systems that may be named.
            systems: all of them, in their order.
        """
        found = self.signature
        kept: dict[str, Any] = {name: found[name] for name in PLAIN if isinstance(found.get(name), (str, int, float))}
        kept |= {"intents": found["intents"]} if self.judgments is not None and "intents" in found else {}
        if isinstance(found.get("qrels"), dict):
            kept["qrels"] = {name: found["qrels"].get(name) for name in ("name", "sha256")}
        runs = found.get("runs")
        if isinstance(runs, list) and len(runs) == len(systems):
            kept["runs"] = [run for name, run in zip(systems, runs, strict=True) if name in own]
        if isinstance(found.get("scores"), list):
            kept["scores"] = [{"sha256": one["sha256"]} for one in found["scores"] if "sha256" in one]
        return kept
