"""Time each kernel of the compiled engine beside its NumPy twin: `python benchmarks/engine_kernels.py [NAME ...]`.

Standard output is a table in Markdown: processor time of the fastest of many calls in turns, and how many times faster
the kernel is. What both give must be equal, else the exit status is 1.
"""

import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from cranfield import reference_engine
from cranfield.engine import compiled
from kernels.comparing import comparing
from kernels.measuring import measuring
from kernels.sampling import sampling

Case = Callable[[Any], Any]
"""The work of a kernel, given the engine."""

SECONDS = 0.5
"""Processor time spent on both sides of a kernel, at least; but never fewer than three calls of each."""


def timed(engine: Any, case: Case) -> tuple[float, Any]:
    """Processor time of one call, and what it gives; measures see the choice of the engine in the environment."""
    os.environ["CRANFIELD_ENGINE"] = engine.NAME
    begin = time.process_time()
    result = case(engine)
    return time.process_time() - begin, result


def equal(ours: Any, theirs: Any) -> bool:
    try:
        np.testing.assert_equal(ours, theirs)
    except AssertionError:
        return False
    return True


def fastest(case: Case, engines: tuple[Any, Any]) -> tuple[float, float, bool]:
    """Least processor time by the kernel and by its twin, and whether both give the same."""
    (_, ours), (_, theirs) = (timed(engine, case) for engine in engines)
    spent: list[list[float]] = [[], []]
    while sum(map(sum, spent)) < SECONDS or len(spent[1]) < 3:
        for times, engine in zip(spent, engines, strict=True):
            times.append(timed(engine, case)[0])
    return min(spent[0]), min(spent[1]), equal(ours, theirs)


def main() -> int:
    """Print a line for each kernel."""
    engines = compiled(), reference_engine
    if engines[0] is None:
        print("the compiled engine is not built", file=sys.stderr)
        return 1
    cases: Mapping[str, Case] = {**measuring(), **comparing(), **sampling()}
    differ = []
    print("| kernel | compiled, ms | NumPy, ms | times |", "| --- | ---: | ---: | ---: |", sep="\n")
    for name in sys.argv[1:] or cases:
        ours, theirs, same = fastest(cases[name], engines)
        print(f"| {name} | {ours * 1e3:.3f} | {theirs * 1e3:.3f} | {theirs / ours:.1f} |", flush=True)
        if not same:
            differ.append(name)
    print(*(f"{name}: the twin gives other numbers" for name in differ), sep="\n", file=sys.stderr)
    return int(bool(differ))


if __name__ == "__main__":
    sys.exit(main())
