"""Measure cranfield beside its peers, and judge the targets: `python benchmarks/run.py --help`.

Standard output is Markdown, standard error tells the progress. The exit status is 0 if everything was measured, 1 if
a tool failed or two tools disagreed, 2 if the call is wrong or the tools are not installed. Missed targets are
printed and do not change it: a busy machine misses targets too.
"""

import argparse
import importlib.metadata
import json
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from analyses.headroom import headroom
from analyses.information import information
from analyses.methods import methods
from analyses.page import many, page
from analyses.standard import standard
from analyses.trust import audit, trust
from harness.report import Report
from harness.session import BenchmarkError, Session, progress
from harness.tools import OURS, TOOLS
from scoring.alone import covid, every, help_text, scaling, variants
from scoring.big import big, growth
from scoring.diversity import diversity
from scoring.memory import memory
from scoring.scale import scale
from scoring.side_by_side import side_by_side

EXPERIMENTS: Mapping[str, Callable[[Session], Report]] = {
    "help": help_text,
    "T": partial(side_by_side, name="T"),
    "covid": covid,
    "S": partial(side_by_side, name="S"),
    "every": every,
    "M": partial(side_by_side, name="M"),
    "variants": variants,
    "L": partial(side_by_side, name="L"),
    "scaling": scaling,
    "big": big,
    "growth": growth,
    "standard": standard,
    "diversity": diversity,
    "memory": memory,
    "scale": scale,
    "trust": trust,
    "audit": audit,
    "information": information,
    "page": page,
    "many": many,
    "headroom": headroom,
    "methods": methods,
}
NEED_OURS = (
    "help",
    "covid",
    "every",
    "variants",
    "scaling",
    "big",
    "growth",
    "standard",
    "diversity",
    "memory",
    "scale",
    "trust",
    "audit",
    "information",
    "page",
    "many",
    "headroom",
    "methods",
)
DISTRIBUTIONS = (
    "cranfield",
    "numpy",
    "pytrec-eval-terrier",
    "ir-measures",
    "pyndeval",
    "ranx",
    "numba",
    "pyarrow",
    "polars",
    "duckdb",
    "distributed",
)


def main() -> int:
    """Run the chosen experiments one after another and print each as it ends."""
    arguments = _arguments()
    left_out = {name: TOOLS[name].missing() for name in arguments.tools}
    session = Session(
        repeat=arguments.repeat,
        scale=arguments.scale,
        rows=arguments.rows,
        tools=[name for name in TOOLS if left_out.get(name) == ""],
        named=arguments.named,
    )
    if left_out.get(OURS):
        message = f"{left_out[OURS]}, or name other tools: --tools pytrec_eval,ranx"
        print(message, file=sys.stderr)
        return 2
    environment = _environment()
    print("# Benchmarks\n", *(f"- {key}: {value}" for key, value in environment.items()), sep="\n")
    print(*(f"- left out: {name}: {why}" for name, why in left_out.items() if why), "", sep="\n", flush=True)
    if not session.tools:
        print("none of the tools is installed", file=sys.stderr)
        return 2
    reports: list[Report] = []
    try:
        for name in arguments.only:
            reports.append(_experiment(session, name))
            print(reports[-1].markdown(), flush=True)
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        if arguments.json:
            data = {"environment": environment, "reports": [report.data() for report in reports]}
            arguments.json.write_text(json.dumps(data, indent=2) + "\n")
    _print_missed(reports)
    return int(any(note.startswith("FAILED") for report in reports for note in report.notes))


def _experiment(session: Session, name: str) -> Report:
    if name in NEED_OURS and OURS not in session.tools:
        return Report(name, "skipped", notes=["SKIPPED: measures cranfield alone, which is not among the tools"])
    progress(f"{name}: begins")
    return EXPERIMENTS[name](session)


def _print_missed(reports: Sequence[Report]) -> None:
    missed = [
        f"- {report.name}: {verdict.target}: {verdict.measured}"
        for report in reports
        for verdict in report.verdicts
        if verdict.passed is False
    ]
    judged = sum(verdict.passed is not None for report in reports for verdict in report.verdicts)
    print(f"## Targets: {judged - len(missed)} of {judged} met", *missed, sep="\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = partial(_names, parser)
    parser.add_argument("--only", metavar="NAMES", default=",".join(EXPERIMENTS), help="default: %(default)s")
    parser.add_argument("--tools", metavar="NAMES", help=f"default: {','.join(TOOLS)}")
    parser.add_argument("--repeat", metavar="N", type=int, default=5, help="rounds, default: %(default)s")
    parser.add_argument("--scale", metavar="SHARE", type=float, default=1.0, help="share of the full size, for trials")
    parser.add_argument("--rows", metavar="N", type=int, default=10_000_000, help="of scale, default: %(default)s")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write every single measurement")
    arguments = parser.parse_args()
    if arguments.repeat < 1 or not 0 < arguments.scale <= 1:
        parser.error("--repeat must be at least 1 and --scale above 0 and at most 1")
    arguments.only = names("--only", arguments.only, EXPERIMENTS)
    arguments.named = arguments.tools is not None
    arguments.tools = names("--tools", arguments.tools, TOOLS) if arguments.named else list(TOOLS)
    return arguments


def _names(parser: argparse.ArgumentParser, option: str, text: str, choices: Mapping[str, object]) -> list[str]:
    names = list(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in choices:
            parser.error(f"{option}: unknown {name!r}, expected some of {','.join(choices)}")
    return names


def _environment() -> dict[str, str]:
    versions = []
    for name in DISTRIBUTIONS:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {_processor()}",
        "load before": ", ".join(f"{load:.2f}" for load in os.getloadavg()),
        "packages": ", ".join(versions),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else "unknown processor"


if __name__ == "__main__":
    sys.exit(main())
