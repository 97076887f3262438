"""Run the conformance suite on other tools, and write what came out into ``docs/conformance.md``.

    python benchmarks/conformance/table.py --python trectools=/path/to/python --python rectools=/path/to/python

A tool that has no ``--python`` runs beside this project; one that is not installed there is left out with a line.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import pandas as pd
from adapters import TOOLS

from cranfield.conformance import Conformance, run

ROOT = Path(__file__).resolve().parents[2]
SUITE = ROOT / "conformance" / "all.jsonl"
PAGE = ROOT / "docs" / "conformance.md"
START, END = "<!-- the table of tools -->\n", "<!-- the end of the table -->\n"
SINGLE_PRECISION = 1e-6
"""Several tools compute, or round, in single precision."""
UNLIKELY = {"ascending-scores", "cutoff-ignored", "empty-lists-skipped", "file-order", "rel-strictly-above"}
"""Classes that are taken where no other explains as many cases."""
NOT_REFUSED = "a document listed twice is not refused"
SHOWN = 4
"""The classes that explain most wrong numbers of a tool."""


def installed_version(python: str, tool: str) -> str | None:
    """The version of a tool; None where it is not installed."""
    call = [python, str(Path(__file__).with_name("adapters.py")), tool, "--version"]
    ended = subprocess.run(call, capture_output=True, text=True, check=False)
    return ended.stdout.strip() if ended.returncode == 0 else None


def explain(failed: pd.DataFrame) -> list[tuple[str, int]]:
    """The class that explains most cases, then the one that explains most of the others, and so on."""
    twice = failed["message"].str.startswith("it should be refused")
    left = failed["explained_by"].mask(twice, NOT_REFUSED).tolist()
    classes: list[tuple[str, int]] = []
    while left:
        counts = Counter(name for names in left for name in names.split(", "))
        most = min(counts, key=lambda name: (-counts[name], name in UNLIKELY, name))
        classes.append((most, counts[most]))
        left = [names for names in left if most not in names.split(", ")]
    return classes


def row(name: str, number: str, result: Conformance) -> str:
    """One line of the table."""
    failed = result.cases.query("outcome == 'fail'")
    failed = failed[failed["group"].isin(result.groups.query("outcome == 'fail'")["group"])]
    named = [f"{label} {count}" for label, count in explain(failed)][:SHOWN]
    answered = result.passed + result.failed + result.refused
    counts = f"{answered:,} | {result.passed:,} | {result.failed:,} | {result.refused:,}"
    return f"| {name} | {number} | {counts} | {'; '.join(named) or '-'} |\n"


def main() -> None:
    """Run every tool that is there, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", action="append", default=[], metavar="TOOL=PATH")
    pythons = dict(entry.split("=", 1) for entry in parser.parse_args().python)
    rows = [row("cranfield", version("cranfield"), run(SUITE))]
    for tool in TOOLS:
        python = pythons.get(tool, sys.executable)
        number = installed_version(python, tool)
        if number is None:
            print(f"{tool} is not installed for {python}: left out", file=sys.stderr)
            continue
        command = [python, str(Path(__file__).with_name("adapters.py")), tool]
        rows.append(row(tool, number, run(SUITE, command, tolerance=SINGLE_PRECISION)))
        print(rows[-1], end="", file=sys.stderr)
    head = "| tool | version | groups answered | passed | failed | refused | what explains failed cases most |\n"
    table = head + "| --- | --- | --- | --- | --- | --- | --- |\n" + "".join(rows)
    page = PAGE.read_text(encoding="utf-8")
    before, after = page.split(START)[0], page.split(END)[1]
    PAGE.write_text(f"{before}{START}\n{table}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
