"""``evaluate --flat``: summaries as one flat object, under names that trackers of experiments take."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cranfield._text import cut, quoted
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.scores.table import ScoreTable

SAID = {"#": "_sharp_", "+": "_plus_"}
"""Marks that distinguish measures; what is left of other marks is an underscore."""


def flat_name(name: str) -> str:
    """A name of small letters, digits and single underscores, which begins with a letter.

    MLflow refuses ``@`` and brackets, W&B hides what begins with an underscore and cannot query what begins with a
    digit, and DVC splits at points.

    >>> flat_name("nDCG@10"), flat_name("AP(rel=2)"), flat_name("RBP(p=0.9)"), flat_name("D#-nDCG@10")
    ('ndcg_10', 'ap_rel_2', 'rbp_p_0_9', 'd_sharp_ndcg_10')
    """
    spelled = re.sub(r"(?<=[=,({:])-(?=\d)", "minus_", name)
    said = "".join(SAID.get(char, char) for char in spelled).lower()
    bare = re.sub(r"[^a-z0-9]+", "_", said).strip("_")
    return bare if bare[:1].isalpha() else f"m_{bare}".rstrip("_")


def flat_metrics(table: ScoreTable) -> str:
    """``{"ndcg_10": 0.51, ...}`` of one system, and ``{"bm25/ndcg_10": 0.51, ...}`` of several; NaN is null.

    Raises:
        InputError: two names become one.
    """
    import json

    whole: dict[str, float | None] = {}
    origin: dict[str, str] = {}
    for own, name, value in _values(table):
        if name in whole:
            raise InputError(
                f"{quoted(origin[name])} and {quoted(own)} are both called {quoted(name)} in a flat object: ask for "
                "one of them, or rename the run",
                code="equal-names",
                value=cut(name),
            )
        origin[name] = own
        whole[name] = value if math.isfinite(value) else None
    return json.dumps(whole, indent=1, allow_nan=False) + "\n"


def _values(table: ScoreTable) -> Iterator[tuple[str, str, float]]:
    """Each summary with its own name and its flat one."""
    for end, cells in table.parts:
        for measure, values in zip(table.names, table.summaries_of(cells), strict=True):
            of_measure = f"{measure} {end}".rstrip()
            for system, value in zip(table.systems, values.tolist(), strict=True):
                alone = len(table.systems) == 1
                own = of_measure if alone else f"{system}, {of_measure}"
                yield own, flat_name(of_measure) if alone else f"{flat_name(system)}/{flat_name(of_measure)}", value
