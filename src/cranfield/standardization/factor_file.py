"""The file that standardization factors are kept in: JSON, readable without this package."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cranfield._text import shown
from cranfield.errors import InputError
from cranfield.findings.location import Place
from cranfield.io.source import read_whole
from cranfield.io.strict_json import parse_json
from cranfield.standardization.reference import Reference, learn

FORMAT = "cranfield standardization factors 1"
TOLERANCE = 1e-6
"""Share of its mean or sd by which a topic may differ from what its scores give: others may have rounded."""


def as_json(scheme: str, systems: Sequence[str], measures: Mapping[str, Reference], source: Any) -> str:
    """One topic a line: ``{"mean": ..., "sd": ..., "scores": [ascending]}``; an sd that does not exist is null."""
    parts = []
    for measure, reference in measures.items():
        lines = [
            f"   {json.dumps(topic)}: "
            + json.dumps({"mean": mean, "sd": None if math.isnan(sd) else sd, "scores": ordered[:n]}, allow_nan=False)
            for topic, mean, sd, ordered, n in zip(
                reference.topics,
                reference.mean.tolist(),
                reference.sd.tolist(),
                reference.ordered.tolist(),
                reference.count.tolist(),
                strict=True,
            )
        ]
        parts.append(f"  {json.dumps(measure)}: {{\n" + ",\n".join(lines) + "\n  }")
    head = {"format": FORMAT, "scheme": scheme, "systems": list(systems), "source": source}
    top = ",\n".join(f" {json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in head.items())
    return "{\n" + top + ',\n "measures": {\n' + ",\n".join(parts) + "\n }\n}\n"


def from_json(path: str) -> tuple[str, tuple[str, ...], dict[str, Reference], Any, str]:
    """Scheme, systems, reference scores by measure, source, and the SHA-256 of the file.

    Raises:
        InputError: the file cannot be read, or holds no factors.
    """
    place = Place(path)
    data, digest = read_whole(path, "run")
    held = parse_json(place, data)
    if not isinstance(held, Mapping) or held.get("format") != FORMAT:
        raise InputError(
            "holds no standardization factors; `cranfield standardize --fit FILE` writes them, and write_factors in "
            "Python",
            place,
            code="layout",
        )
    systems, measures = held.get("systems"), held.get("measures")
    if not isinstance(held.get("scheme"), str) or not _texts(systems) or not _is_filled(measures):
        raise InputError("scheme, systems or measures are missing from these factors", place, code="factors")
    assert isinstance(measures, Mapping)
    assert isinstance(systems, list)
    references = {
        str(measure): _reference(place.within(shown(str(measure))), topics) for measure, topics in measures.items()
    }
    return held["scheme"], tuple(systems), references, held.get("source"), digest


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _is_filled(value: object) -> bool:
    return isinstance(value, Mapping) and bool(value)


def _reference(where: Place, topics: Any) -> Reference:
    if not _is_filled(topics):
        raise InputError("no topic has factors", where, code="factors")
    rows: list[list[float]] = []
    for topic, factors in topics.items():
        rows.append(_checked(where.within(f"topic {shown(str(topic))}"), factors))
    width = max(len(row) - 2 for row in rows)
    table = np.full((len(rows), width + 2), np.nan)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    again = learn(tuple(topics), table[:, 2:])
    low = np.where(table[:, 0] == again.mean, again.low, 0.0)
    read_back = Reference(tuple(topics), table[:, 2:], table[:, 0], table[:, 1], low)
    spread = np.maximum(np.nan_to_num(again.sd), np.abs(again.mean))
    for name, given, made in (("mean", read_back.mean, again.mean), ("sd", read_back.sd, again.sd)):
        wrong = ~np.isclose(given, made, rtol=0, atol=TOLERANCE * spread, equal_nan=True)
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            what = f"its {name} is {given[first]:g}, that of its scores {made[first]:g}"
            part = where.within(f"topic {shown(read_back.topics[first])}")
            raise InputError(what, part, code="factors", value=f"{given[first]:g}")
    return read_back


def _checked(where: Place, factors: Any) -> list[float]:
    """Mean, sd, and the scores in order."""
    try:
        mean, sd, scores = factors["mean"], factors["sd"], factors["scores"]
        row = [_finite(mean), math.nan if sd is None else _finite(sd), *map(_finite, scores)]
    except (TypeError, KeyError, ValueError, OverflowError):
        text = "expected a mean, an sd and a list of scores, all finite numbers"
        raise InputError(text, where, code="factors") from None
    if len(row) < 3 or row[2:] != sorted(row[2:]) or row[1] < 0:
        text = "expected at least one score, in ascending order, and no negative sd"
        raise InputError(text, where, code="factors")
    return row


def _finite(value: Any) -> float:
    if isinstance(value, (bool, str)) or not math.isfinite(value):
        raise ValueError
    return float(value)
