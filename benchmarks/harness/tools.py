"""The tools measured side by side, each as the command that its users would type."""

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
PEERS = HERE / "peers"
MEASURES = ("nDCG@10", "AP", "RR@10", "P@10", "R@100", "ERR@20")
OURS, READ, TOKENISE = "ours", "read", "tokenise"
PYTREC_EVAL, RANX_FIRST_USE = "pytrec_eval", "ranx_first_use"


@dataclass(frozen=True)
class Tool:
    """A command line to which the qrels and the runs are added, and what must be installed for it."""

    name: str
    label: str
    command: Sequence[str]
    modules: Sequence[str]
    options: Sequence[str] = ()
    programs: Sequence[str] = ()
    evaluates: bool = True

    def command_line(self, files: Sequence[Path]) -> list[str]:
        return [sys.executable, *self.command, *map(str, files), *self.options]

    def missing(self) -> str:
        """What is not installed and how to get it; empty if nothing is missing."""
        for program in self.programs:
            if shutil.which(program) is None:
                return f"the program `{program}` is not installed"
        for module in self.modules:
            if not _is_importable(module):
                if module == "cranfield":
                    return f"cranfield is not installed for {sys.executable}: run `pip install -e .`"
                if module.startswith("cranfield."):
                    return f"this cranfield has no `{module}`"
                return f"{module} is not installed: run `pip install -e '.[bench]'`"
        return ""


def evaluate_command(measures: Sequence[str] = MEASURES) -> tuple[list[str], list[str]]:
    """Our own command before the files, and the options after them."""
    wanted = [word for measure in measures for word in ("-m", measure)]
    return ["-m", "cranfield", "evaluate"], [*wanted, "--format", "tsv"]


def every_measure() -> list[str]:
    """The measures of the package that need no intents, with what each requires.

    They are asked of a process of its own, which may import NumPy.
    """
    script = (
        "from cranfield.measures import registry\n"
        "from cranfield.measures.describe import example\n"
        "print(*[example(known) for known in registry.values() if not known.needs_intents], sep='\\n')"
    )
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, encoding="utf-8"
    ).stdout.splitlines()


def _tools() -> list[Tool]:
    command, options = evaluate_command()
    probe = [str(HERE / "scoring" / "probe_reading.py")]
    needs_engine = ["cranfield", "cranfield._engine"]
    ir_measures, ranx = str(PEERS / "peer_ir_measures.py"), str(PEERS / "peer_ranx.py")
    return [
        Tool(OURS, "cranfield", command, ["cranfield"], options),
        Tool(READ, "only reading", [*probe, "read"], needs_engine, evaluates=False),
        Tool(TOKENISE, "only tokenising", [*probe, "tokenise"], needs_engine, evaluates=False),
        Tool(PYTREC_EVAL, "pytrec_eval", [str(PEERS / "peer_pytrec_eval.py")], ["pytrec_eval"]),
        Tool("ir_measures", "ir_measures", [ir_measures], ["ir_measures"], programs=["perl"]),
        Tool("ir_measures_no_err", "ir_measures without ERR", [ir_measures, "--without-err"], ["ir_measures"]),
        Tool("ranx", "ranx, numba cache filled", [ranx], ["ranx"]),
        Tool(RANX_FIRST_USE, "ranx, first use", [ranx, "--first-use"], ["ranx"]),
    ]


TOOLS = {tool.name: tool for tool in _tools()}


def _is_importable(module: str) -> bool:
    """Whether it is installed; looking up a submodule imports its parents, which is left to another process."""
    if "." not in module:
        return importlib.util.find_spec(module) is not None
    look = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
    return subprocess.run([sys.executable, "-c", look, module], capture_output=True, check=False).returncode == 0
