"""Findings about the weights of intents."""

from __future__ import annotations

from cranfield._text import listed
from cranfield.findings.kind import declared


@declared("extra-weights", "warning", meaning="Intent weights for topics that are not judged; they are ignored.")
def _extra_weights(topics: list[str]) -> str:
    return f"{listed(topics)} not judged and ignored"


@declared(
    "weight-sums",
    "warning",
    meaning="The probabilities of a topic's intents do not sum to 1.",
    remedy="Correct them, or choose `--weight-sum`.",
)
def _weight_sums(topics: list[str], fate: str) -> str:
    return f"probabilities of {listed(topics)} do not add up to 1 and are {fate}"


@declared(
    "idle-weights",
    "warning",
    meaning="Intent weights were given, and no measure uses them.",
    remedy="Request a diversity measure, or omit the weights.",
)
def _idle_weights() -> str:
    return "no requested measure uses intents, so their weights change nothing"
