"""Measures that declare themselves consistent are, on all short lists; others that could be taken for it are not."""

from __future__ import annotations

import functools
import itertools
from typing import Any, get_args

import numpy as np
import pytest

from cranfield import parse_measures
from cranfield.measures import Measure, registry
from cranfield.measures.describe import example
from cranfield.scoring import score
from cranfield.statistics.dominance import dominance, positions

SCALES = [((0, 1, 2), 4), ((0, 1, 4), 4), ((0, 1, 2, 3), 3)]
"""Labels, and the length of the lists, of which all are tried."""
ZEROS = ("judged", "unjudged", "alternating", "trimmed")
"""What documents of the label 0 are in a list; trimmed: those at the end are left out."""
CONSISTENT = [name for name, declaration in registry.items() if declaration.consistent is not None]
NUMBERS = {"p": (0.2, 0.95), "b": (3.0,), "mult": (0.5, 2.0)}
"""Parameters that are numbers -> values to try."""


@functools.cache
def lists(labels: tuple[int, ...], length: int) -> tuple[np.ndarray, dict[str, Any], dict[str, Any]]:
    """Whether every consistent measure gives list x at least the value of y, [x, y]; the lists as runs; judgments."""
    every = list(itertools.product(labels, repeat=length))
    table = np.array(every, dtype=float)
    system, rank = np.repeat(np.arange(len(every)), length), np.tile(np.arange(1, length + 1), len(every))
    at_least = dominance(positions(system, rank, table.ravel(), np.array(labels[1:], dtype=float), len(every)))
    judged = {f"{label}.{number}": label for label in labels for number in range(length)}
    runs: dict[str, Any] = {}
    for number, ranked in enumerate(every):
        for zeros in ZEROS:
            end = max((at + 1 for at, label in enumerate(ranked) if label), default=0)
            shown = ranked[:end] if zeros == "trimmed" else ranked
            names = [name_document(label, at, zeros) for at, label in enumerate(shown)]
            topic = {name: float(-at) for at, name in enumerate(names)}
            runs[f"{number} {zeros}"] = {"topic": topic, "other": {"x": 1.0}}
    return at_least, runs, {"topic": judged, "other": {"x": labels[-1]}}


def name_document(label: int, at: int, zeros: str) -> str:
    unjudged = label == 0 and (zeros == "unjudged" or (zeros == "alternating" and at % 2))
    return f"{'new' if unjudged else label}.{at}"


def largest_falls(measures: list[Measure], labels: tuple[int, ...], length: int) -> dict[str, float]:
    """By how much a list falls at most below one that no consistent measure puts above it, by each measure."""
    at_least, runs, judged = lists(labels, length)
    falls = {}
    for measure, topics in zip(measures, score(runs, judged, measures).values, strict=True):
        values = topics[0].reshape(len(at_least), len(ZEROS))
        worst, best = values.min(axis=1), values.max(axis=1)
        falls[str(measure)] = float(np.nanmax(np.where(at_least, best[None, :] - worst[:, None], 0.0)))
    return falls


def variants(name: str) -> list[Measure]:
    """A measure at different cutoffs and levels, and with every value of the parameters that leave it consistent."""
    measure = example(registry[name])
    declaration = measure.declaration
    free = [parameter for parameter in declaration.consistent or () if parameter in declaration.parameters]
    choices = [NUMBERS.get(parameter) or get_args_of(declaration, parameter) for parameter in free]
    levels = [{"rel": level} for level in (1, 2)] if "rel" in declaration.parameters else [{}]
    cutoffs: list[dict[str, Any]] = [{}]
    if "cutoff" in declaration.parameters:
        cutoffs += [{"cutoff": 2}, {"cutoff": 3}]
    options = [dict(zip(free, values, strict=True)) for values in itertools.product(*choices)]
    return [measure(**{**level, **cutoff, **own}) for level in levels for cutoff in cutoffs for own in options]


def get_args_of(declaration: Any, parameter: str) -> tuple[Any, ...]:
    """The words that a parameter takes."""
    annotation = declaration.function.__annotations__[parameter]
    return get_args(get_args(annotation)[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", CONSISTENT)
def test_consistent_measures_never_contradict_a_verdict(name: str) -> None:
    measures = [measure for measure in variants(name) if measure.is_consistent]
    assert measures
    for labels, length in SCALES:
        falling = {called: by for called, by in largest_falls(measures, labels, length).items() if by > 1e-12}
        assert not falling, labels


@pytest.mark.parametrize(
    "name", ["SetP", "infAP", "RIC", "Bpref", "Q", "O-measure", "Judged@4", 'AP(denominator="retrieved")']
)
def test_others_contradict_some_verdict(name: str) -> None:
    (measure,) = parse_measures(name)
    assert not measure.is_consistent
    assert max(largest_falls([measure], *lists_of)[name] for lists_of in SCALES) > 1e-7


def test_the_blended_ratio_falls_where_a_document_moves_past_a_better_one() -> None:
    """Q of labels 0 to 2 rises with every upward swap of four ranks; from a label 3 on it need not."""
    runs = {
        "swapped": {"q": {"fair": 3.0, "good": 2.0, "none": 1.0}},
        "before": {"q": {"none": 3, "good": 2, "fair": 1}},
    }
    for label, better in ((2, "swapped"), (3, "before"), (4, "before")):
        values = score(runs, {"q": {"fair": 1, "good": label}}, ["Q"]).values[0][0]
        assert ("swapped", "before")[int(np.argmax(values))] == better
    assert largest_falls([*parse_measures("Q")], (0, 1, 2), 4)["Q"] <= 1e-12


def test_other_parameters_give_the_claim_up() -> None:
    for name in (
        "nDCG(judged_only=True)@10",
        "NDCG_std",
        "nDCG(gains={1: 3, 2: 1})",
        "AP(judged_only=True)",
        "Q",
        "RIC",
    ):
        assert not parse_measures(name)[0].is_consistent, name
    for name in (
        'nDCG(dcg="exp-log2")@10',
        "AP(rel=2)",
        "RBP(p=0.5)",
        "ERR@20",
        'nDCG(baseline="random")',
        "map_cut_10",
    ):
        assert parse_measures(name)[0].is_consistent, name
