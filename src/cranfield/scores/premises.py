"""Premises of scores as sentences: which labels are relevant, and how unjudged documents and absent topics are read.

They follow from the signature, so that every result, and every file of scores, says them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from cranfield.errors import MeasureError
from cranfield.measures import Measure, parse_measures
from cranfield.scores.relevance_level import describe_level
from cranfield.scores.unjudged import MANY, TREATED, describe_shares, find_treatment, name_shares


class Premise(NamedTuple):
    """A premise.

    Args:
        code: ``relevance-level``, ``unjudged`` or ``absent-topics``.
        text: a sentence without its full stop.
    """

    code: str
    text: str

    def as_sentence(self) -> str:
        """Return the text with a capital letter, unless it begins with the name of a measure."""
        return self.text if self.code == "relevance-level" else f"{self.text[0].upper()}{self.text[1:]}"


def describe_premises(signature: Any) -> list[Premise]:
    """List the premises of the measures that a result is about.

    Args:
        signature: of the result, of which files hold anything: those of evaluations in it are looked at.
    """
    chosen = [name for key in ("measure", "measures") for name in _names(signature, key)]
    every: dict[Measure, None] = {}
    largest, labels = 0.0, {}
    unjudged: dict[str, None] = {}
    absent: dict[str, None] = {}
    for evaluation in _evaluations(signature):
        try:
            largest = max(largest, float(evaluation["max_rel"]))
        except (TypeError, ValueError):
            continue
        measures = dict.fromkeys(_parsed(chosen or _names(evaluation, "measures")))
        every |= measures
        if _are_counts(evaluation.get("labels")):
            labels = evaluation["labels"]
        unjudged |= dict.fromkeys(_describe_unjudged(evaluation, measures))
        absent |= dict.fromkeys(_describe_absent(evaluation))
    level = describe_level(every, largest, labels)
    found = {"relevance-level": [level] if level else [], "unjudged": unjudged, "absent-topics": absent}
    return [Premise(code, line) for code, lines in found.items() for line in lines]


def _describe_unjudged(evaluation: Mapping[str, Any], measures: Iterable[Measure]) -> Iterator[str]:
    """Say how many of the first documents are unjudged, and how they are read: for each reading, the deepest cutoff."""
    policy = evaluation.get("unjudged")
    if policy not in TREATED:
        return
    found = (find_treatment(measure, str(policy), mostly_relevant=False) for measure in measures)
    deepest = {treated: cutoff for cutoff, treated in sorted(treatment for treatment in found if treatment)}
    for treated, cutoff in deepest.items():
        yield from describe_runs(evaluation.get("runs"), cutoff, treated)


def describe_runs(runs: Any, cutoff: int, treated: str) -> Iterator[str]:
    """Say how many of the first documents of runs are unjudged, and how they are read, where that matters.

    Args:
        runs: as they are signed, with their shares.
        cutoff: how many documents of each list are the first.
        treated: the policy by which unjudged documents are read.
    """
    signed = [run for run in runs if isinstance(run, Mapping) and "name" in run] if isinstance(runs, list) else []
    shares = {str(run["name"]): _share(run, cutoff) for run in signed}
    if max(shares.values(), default=0.0) > (MANY if treated == "zero" else 0.0):
        yield describe_shares(shares, cutoff, TREATED[treated])


def _describe_absent(evaluation: Mapping[str, Any]) -> Iterator[str]:
    """Name the runs that lack judged topics, where it is signed, and say what becomes of these."""
    runs = evaluation.get("runs")
    every = {str(run.get("name")): run for run in runs if isinstance(run, Mapping)} if isinstance(runs, list) else {}
    shares = {name: _read_share(run.get("absent_topics")) for name, run in every.items()}
    lacking = {name: share for name, share in shares.items() if share}
    if lacking:
        settings = evaluation.get("settings")  # of data sets, which have their policies there
        of_sets = settings.get("missing") if isinstance(settings, Mapping) else None
        skips = "skip" in (evaluation.get("missing"), of_sets)
        many, fate = ("", "left out of their means") if skips else ("many ", "count as empty rankings")
        yield f"{many}judged topics are absent from runs, and {fate} ({name_shares(lacking)})"


def _share(run: Mapping[str, Any], cutoff: int) -> float:
    """The share that a signature says of a run; 0 where it says none."""
    shares = run.get("unjudged")
    return _read_share(shares.get(str(cutoff)) if isinstance(shares, Mapping) else None)


def _read_share(share: object) -> float:
    return float(share) if isinstance(share, (int, float)) else 0.0


def _are_counts(labels: Any) -> bool:
    """Tell whether these are counts of labels as an evaluation signs them."""
    if not isinstance(labels, Mapping) or not isinstance(labels.get("below"), Mapping):
        return False
    counts = [labels.get("above_0"), labels.get("distinct"), *labels["below"].values()]
    return all(isinstance(count, int) for count in counts)


def _parsed(names: Iterable[str]) -> Iterator[Measure]:
    for name in names:
        try:
            yield from parse_measures(name)
        except MeasureError:
            continue


def _names(signature: Any, key: str) -> list[str]:
    """Return the names of measures that a signature has under a key."""
    value = signature.get(key) if isinstance(signature, Mapping) else None
    names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [name for name in names if isinstance(name, str)]


DEEPEST = 6
"""Levels of a signature below which no evaluation is looked for."""


def _evaluations(signature: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """List the signatures of evaluations inside another one."""
    if depth > DEEPEST:
        return
    if isinstance(signature, Mapping):
        if "max_rel" in signature:
            yield signature
        for key, value in signature.items():
            if key != "runs":
                yield from _evaluations(value, depth + 1)
    elif isinstance(signature, list):
        for value in signature:
            yield from _evaluations(value, depth + 1)
