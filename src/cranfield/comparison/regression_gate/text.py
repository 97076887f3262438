"""A gate as text: the table for people with the lines below it, and a comment in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from cranfield import escaping
from cranfield._text import counted, shown
from cranfield.comparison.regression_gate.verdicts import FAILED, OPEN
from cranfield.results.sheet import Sheet, shorten_signature
from cranfield.scores.premises import describe_premises
from cranfield.scores.system_runs import describe_runs
from cranfield.scores.topic_clusters import describe_clusters
from cranfield.scores.topic_weights import describe_weights

if TYPE_CHECKING:
    import pandas as pd

BECAUSE = "because of holes"
"""The beginning of the reason of a verdict that topics alone would settle."""
FOR_PEOPLE = ("system", "measure", "verdict", "mean", "mean_baseline", "difference", "low", "high", "margin", "topics")
"""Columns of ``Gate.rows`` that people read; the others are in csv and json."""


class JudgedSystems(Protocol):
    """The object described: a ``Gate``."""

    @property
    def rows(self) -> pd.DataFrame:
        """A row a system and measure."""

    @property
    def worst_topics(self) -> pd.DataFrame:
        """The topics that lose most, of each system and measure."""

    @property
    def verdict(self) -> str:
        """The verdict on all systems."""

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the gate."""

    @property
    def signature(self) -> dict[str, Any]:
        """All that changes its numbers."""


def format_gate_text(gate: JudgedSystems, left_out: Sequence[str] = (), *, plain: bool) -> str:
    """The table, and below it the verdict, reasons, worst topics, and what was tested.

    Args:
        gate: the result of ``gate``.
        left_out: of each run that was left out, what is said of it.
        plain: for files, without bold and as wide as it is.
    """
    lines = [describe_verdict(gate), *left_out, *describe_reasons(gate), describe_gate(gate)]
    return _sheet(gate, "\n".join(lines)).text("table", plain=plain)


def format_gate_markdown(gate: JudgedSystems, left_out: Sequence[str] = ()) -> str:
    """The table and the verdict as a comment on a change."""
    head = f"**{escaping.markdown(describe_verdict(gate), 4096)}**"
    reasons = [f"- {escaping.markdown(line, 4096)}" for line in (*left_out, *describe_reasons(gate))]
    footer = escaping.markdown(f"{describe_gate(gate)}; {shorten_signature(gate.signature)}", 4096)
    parts = [head, _sheet(gate, "").text("markdown").rstrip("\n"), "\n".join(reasons), footer]
    return "\n\n".join(part for part in parts if part) + "\n"


def describe_reasons(gate: JudgedSystems) -> list[str]:
    """Describe why, the topics that lose most, and what the verdict rests on, in sentences."""
    return [*_reasons(gate), *_worst(gate), *_premises(gate), *gate.settings.get("caveats", ())]


def describe_gate(gate: JudgedSystems) -> str:
    """Describe what was tested, and the limits."""
    settings, rows = gate.settings, gate.rows
    systems, measures = rows["system"].nunique(), rows["measure"].nunique()
    together = "" if systems == 1 else f" of {systems:,} systems together (Bonferroni)"
    of_all = "" if len(rows) == 1 else f" of all {len(rows):,} rows together (Bonferroni)"
    every = "; measures need no correction for no regression, as every one must show it" if measures > 1 else ""
    topic = settings["worst_topic"]
    rule = "" if topic is None else f"; a topic that loses more than {topic:g} is a regression, without a test"
    if why := settings.get("untested"):
        return f"no mean is tested: {why}{rule}"
    if across := settings.get("across_groups"):
        groups = counted(across["groups"], "group")
        together, of_all = (
            f" (Holm's method over all {counted(across[what], word)} of {groups})"
            for what, word in (("systems", "system"), ("comparisons", "row"))
        )
    clusters = f" of topics {describe_clusters(settings)}," if "topic_clusters" in settings else ""
    clusters += f" of topics, {describe_weights(settings)}," if "topic_weights" in settings else ""
    if "replicates" in settings:
        clusters += f" of means over {describe_runs(settings)}"
    if "holes" in settings:
        clusters += f", with the variance of {settings['holes']['draws']:,} draws of missing labels added,"
    smaller = any(said.startswith("smaller") for said in settings.get("directions", {}).values())
    loss, low, high = ("loss", "worse", "better") if smaller else ("drop", "lower", "upper")
    return (
        f"one-sided t-tests{clusters} at {settings['alpha']:g}: no regression if even the {low} limit{together} "
        f"is a {loss} of less than the margin, regression if even the {high} limit{of_all} is a {loss} of more{every}"
        f"{rule}"
    )


def describe_row(system: str, measure: str, verdict: str, reason: str) -> str:
    """One row in a sentence."""
    joint = ", " if reason.startswith(BECAUSE) else ": "
    return f"{shown(system)}, {shown(measure)}: {verdict}" + (f"{joint}{reason}" if reason else "")


def _sheet(gate: JudgedSystems, caption: str) -> Sheet:
    rows = gate.rows[list(FOR_PEOPLE)].rename(columns={"mean_baseline": "baseline"})
    return Sheet.from_frame(rows, caption, gate.signature)


def describe_verdict(gate: JudgedSystems) -> str:
    """The verdict on all systems, and what they are compared with."""
    name = shown(gate.settings["baseline"])
    by = {verdict: group["system"].nunique() for verdict, group in gate.rows.groupby("verdict")}
    systems = gate.rows["system"].nunique()
    if gate.verdict not in (FAILED, OPEN):
        return f"no regression: {counted(systems, 'system')} compared with {name}"
    verdict = _name_verdict(gate)
    if systems == 1:
        return f"{verdict}: {shown(gate.rows['system'][0])} compared with {name}"
    return f"{verdict}: {by[gate.verdict]:,} of {counted(systems, 'system')} compared with {name}"


def _name_verdict(gate: JudgedSystems) -> str:
    """The verdict, and that holes are to blame where topics alone could tell."""
    reasons = gate.rows.loc[gate.rows["verdict"] == OPEN, "reason"]
    blamed = gate.verdict == OPEN and reasons.str.startswith(BECAUSE).all()
    return f"{gate.verdict}, {BECAUSE}" if blamed else gate.verdict


def _reasons(gate: JudgedSystems) -> Iterator[str]:
    for row in gate.rows.to_dict("records"):
        if row["reason"]:
            yield describe_row(row["system"], row["measure"], row["verdict"], row["reason"])


def _worst(gate: JudgedSystems) -> Iterator[str]:
    """Topics that lose most, of what is not a success."""
    failed = gate.rows[gate.rows["verdict"].isin([FAILED, OPEN])]
    worst = worst_topics_by_row(gate)
    for system, measure in zip(failed["system"], failed["measure"], strict=True):
        topics = worst.get((system, measure))
        if topics:
            yield f"{shown(system)}, {shown(measure)}: worst topics {', '.join(map(worst_topic, topics))}"


def _premises(gate: JudgedSystems) -> Iterator[str]:
    """Name the premises of the scores, and which of these are taken as better by measures that are not known."""
    yield from (premise.text for premise in describe_premises(gate.signature))
    for measure, direction in gate.settings.get("directions", {}).items():
        yield f"{shown(measure)}: {direction}"


def worst_topics_by_row(gate: JudgedSystems) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """System and measure -> the topics that lose most, the largest loss first."""
    by_row: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for topic in gate.worst_topics.to_dict("records"):
        by_row.setdefault((topic["system"], topic["measure"]), []).append({str(key): topic[key] for key in topic})
    return by_row


def worst_topic(topic: Mapping[str, Any]) -> str:
    """A topic as ``topic (before to after)``."""
    return f"{shown(topic['topic'])} ({topic['score_baseline']:.4f} to {topic['score']:.4f})"
