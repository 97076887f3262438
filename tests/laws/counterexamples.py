"""The cases that measures do not stand, one for each law that each declines, kept in ``counterexamples.json``.

``python tests/laws/counterexamples.py`` finds those that are missing and drops those that are no longer declined. What
is there it leaves alone, as a case may have been made by hand: some are too long or too odd to be found by chance.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, find, settings
from hypothesis.errors import NoSuchExample

from cranfield.measures import registry
from cranfield.testing import LAWS, Case, Grade, LabelledList

PATH = Path(__file__).with_suffix(".json")
TRIES = 20_000

Kept = dict[str, dict[str, dict[str, Any]]]
"""Measure -> law -> case as plain data."""


def load() -> Kept:
    kept: Kept = json.loads(PATH.read_text())
    return kept


def case_of(plain: dict[str, Any]) -> Case:
    before = _view_of(plain["before"])
    swapped = tuple(plain["swapped"]) if "swapped" in plain else None
    return Case(
        before,
        _view_of(plain["after"]) if "after" in plain else before,
        plain.get("depth"),
        plain.get("deeper", 0),
        swapped,  # type: ignore[arg-type]
        plain.get("whole", False),
    )


def plain_of(case: Case) -> dict[str, Any]:
    plain: dict[str, Any] = {"before": _plain_view(case.before)}
    if case.after != case.before:
        plain["after"] = _plain_view(case.after)
    if case.depth is not None:
        plain["depth"] = case.depth
    if case.deeper:
        plain["deeper"] = case.deeper
    if case.swapped is not None:
        plain["swapped"] = list(case.swapped)
    if case.complete:
        plain["whole"] = True
    return plain


def _plain_view(view: LabelledList) -> list[Any]:
    """The list, what is judged elsewhere, and the end of the scale; many equal neighbours as [label, how many]."""
    return [list(_packed(view.ranked)), list(_packed(view.elsewhere)), view.top]


def _view_of(plain: list[Any]) -> LabelledList:
    ranked, elsewhere, top = plain
    return LabelledList(tuple(_unpacked(ranked)), tuple(_unpacked(elsewhere)), top)  # type: ignore[arg-type]


def _packed(labels: Iterable[Grade]) -> Iterator[Any]:
    for label, same in itertools.groupby(labels):
        count = len(list(same))
        yield from [label] * count if count < 5 else [[label, count]]


def _unpacked(plain: Iterable[Any]) -> Iterator[Grade]:
    for item in plain:
        yield from [item[0]] * item[1] if isinstance(item, list) else [item]


def complete(kept: Kept) -> Kept:
    """What is kept of what is declined, and what is found of what is missing."""
    out: Kept = {}
    for name, declaration in sorted(registry.items(), key=lambda item: item[0].lower()):
        for law in LAWS:
            if law not in declaration.declines:
                continue
            known = kept.get(name, {}).get(law)
            try:
                found = known or plain_of(_found(name, law))
            except NoSuchExample:
                print(f"{name} declines {law}, but no case was found that it does not stand: write one by hand")
                continue
            out.setdefault(name, {})[law] = found
    return out


def _found(name: str, law: str) -> Case:
    declaration = registry[name]
    quiet = settings(
        max_examples=TRIES, database=None, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
    )
    return find(LAWS[law].cases, lambda case: not LAWS[law].obeyed(declaration, case), settings=quiet)


def text(kept: Kept) -> str:
    """As JSON, one case on a line."""
    blocks = []
    for name, laws in kept.items():
        lines = ",\n".join(f"    {json.dumps(law)}: {json.dumps(case)}" for law, case in laws.items())
        blocks.append(f"  {json.dumps(name)}: {{\n{lines}\n  }}")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


if __name__ == "__main__":
    PATH.write_text(text(complete(load() if PATH.exists() else {})))
