"""The program ``cranfield``: its commands, which are imported when they are called, and how a run of it ends."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, MutableMapping
from functools import partial
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

import click
from click.exceptions import NoArgsIsHelpError

from cranfield.cli._errors import describe_fault, describe_os_error, print_to_stderr
from cranfield.cli._option_names import name_options, remember
from cranfield.errors import CranfieldError, UsageError

QUESTIONS = {
    "score": "Score: how good is each system?",
    "check": "Check: are the files what they should be?",
    "compare": "Compare: is a difference more than chance?",
    "trust": "Trust: would other topics, measures or judges say the same?",
    "explain": "Explain: what is behind the scores?",
    "combine": "Combine: what do systems reach together?",
    "make": "Make: pages, pools and collections",
}
"""The questions by which the help sorts commands, in its order."""

COMMANDS = {
    "abstention": ("explain", "Test whether systems know which topics to leave unanswered (nAUC)."),
    "agreement": ("trust", "Compare conclusions about runs under several judgments."),
    "audit": ("trust", "Find which measure to trust, and whether there are enough topics."),
    "bayes": ("compare", "Estimate how probable it is that one system is better than another."),
    "budget": ("trust", "Find how many judgments per topic suffice to rank the systems."),
    "check": ("check", "Report what is wrong or odd in judgments and runs."),
    "compare": ("compare", "Test which differences between systems are not chance."),
    "diff": ("explain", "Show what changed between two runs, by topic and document."),
    "difficulty": ("explain", "Print how hard each topic is for these systems."),
    "evaluate": ("score", "Score runs against judgments and print a leaderboard."),
    "fuse": ("combine", "Fuse runs into one, and write it as TREC text."),
    "gate": ("compare", "Fail where a new run is worse than a baseline."),
    "headroom": ("combine", "Show what a fusion of these systems could achieve."),
    "information": ("explain", "Measure the information of systems about relevance."),
    "labels": ("check", "Print the shares of labels and what spam does to nDCG."),
    "measures": ("score", "List the measures, or explain one."),
    "pool": ("make", "Choose what to judge: a pool in order, or a sample of it."),
    "prefer": ("compare", "Compare ranked lists without a measure, by preference."),
    "protocol": ("score", "Write down how runs are evaluated, and repeat it."),
    "reliability": ("trust", "Split the variance of scores into systems, topics and residual."),
    "report": ("make", "Write one page on an evaluation that opens anywhere."),
    "reproduce": ("trust", "Compare a baseline and an advanced run with their reproductions."),
    "reusability": ("trust", "Measure what runs lose when their team is left out of the pool."),
    "risk": ("compare", "Weigh losses against a baseline more than gains: URisk, TRisk, GeoRisk."),
    "scales": ("trust", "Compare conclusions from values with those from ranks of attainable values."),
    "select-topics": ("trust", "Choose topics that order systems as all topics do."),
    "sensitivity": ("trust", "Print the share of system pairs that each measure distinguishes."),
    "simulate": ("make", "Simulate collections and scores with known true means."),
    "stability": ("trust", "Print error and tie rates by number of topics."),
    "standardize": ("score", "Standardize scores so that hard and easy topics count alike."),
    "study-tests": ("trust", "Simulate how often each test errs, and its power."),
    "table": ("compare", "Print systems by measures as a paper does, with significance."),
    "trec_eval": ("score", "Print what trec_eval prints, with its own arguments."),
}
"""Command -> the question that it answers, and a line for the help; known without importing any command."""


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from importlib.metadata import version

        from cranfield import engine

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the line says which engine it is
            click.echo(f"cranfield {version('cranfield')} ({engine.name()} engine)")
        context.exit()


ENDS = "Exit status: 0 done, 1 input refused, 2 wrong usage"
"""The end of every command's help; a command with more statuses adds them."""


class _Commands(MutableMapping[str, click.Command]):
    """Commands by name; each is imported when it is looked up, so that a call pays for its own alone."""

    def __init__(self) -> None:
        self._imported: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name in COMMANDS and name not in self._imported:
            attribute = name.replace("-", "_")
            command = _add_exit_statuses(getattr(import_module(f"cranfield.cli.{attribute}"), attribute))
            _, command.short_help = COMMANDS[name]
            self._imported[name] = command
        return self._imported[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._imported[name] = command

    def __delitem__(self, name: str) -> None:
        del self._imported[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*COMMANDS, *self._imported)))

    def __len__(self) -> int:
        return len({*COMMANDS, *self._imported})


def _add_exit_statuses(command: click.Command) -> click.Command:
    """Add the exit statuses to the help of a command and its subcommands; its epilog names those of its own."""
    ends = [ENDS, command.epilog] if command.epilog else [ENDS]
    if any(parameter.name == "keep_going" for parameter in command.params):
        ends.append("5 done, but not with all runs")
    command.epilog = f"{', '.join(ends)}."
    for below in getattr(command, "commands", {}).values():
        _add_exit_statuses(below)
    return command


class _Program(click.Group):
    """All commands; its help lists them by question."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called, and remember it for the options that messages name."""
        name, command, remaining = super().resolve_command(ctx, args)
        remember(command, remaining)
        return name, command, remaining

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a list for each question."""
        width = max(map(len, COMMANDS))
        for question, title in QUESTIONS.items():
            formatter.write_paragraph()
            formatter.write(f"{title}\n")
            with formatter.indentation():
                answering = [(name, line) for name, (answered, line) in COMMANDS.items() if answered == question]
                formatter.write_dl([(f"{name:<{width}}", line) for name, line in answering])


@click.group(
    cls=_Program,
    commands=_Commands(),
    epilog=f"{ENDS}.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print version and engine, and exit.",
)
def app() -> None:
    """Evaluate retrieval runs, and then evaluate the evaluation."""


SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Ctrl-C, ``kill``, and a terminal that is closed."""


class Stopped(BaseException):
    """Raised where a signal arrives; not an ``Exception``, since only cleanup may catch it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Raise ``Stopped`` in the main thread where a signal would end the program; one that is ignored stays so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = (signal.SIG_DFL, signal.default_int_handler)
    before = {number: signal.signal(number, _stop) for number in SIGNALS if signal.getsignal(number) in usual}
    hook = sys.unraisablehook
    sys.unraisablehook = partial(_send_again, hook)
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _: FrameType | None) -> NoReturn:
    raise Stopped(number)


def _send_again(hook: Callable[[Any], object], unraisable: Any) -> None:
    """Send a signal that arrived while an object was deleted again a moment later, as Python drops what that raises.

    The delay has to outlast this function, also on a busy machine: what is raised here is dropped too.
    """
    if not isinstance(unraisable.exc_value, Stopped):
        hook(unraisable)
        return
    again = threading.Timer(0.05, os.kill, (os.getpid(), unraisable.exc_value.number))
    again.daemon = True
    again.start()


def end(number: int) -> NoReturn:
    """End the process by the signal itself, so that a shell reports 128 + its number and its loop stops.

    Nothing is waited for: a thread may be reading a pipe that nobody writes to, and nobody may be reading standard
    output.
    """
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    os._exit(128 + number)


def main() -> NoReturn:
    """Run the program and exit: 0 on success, 1 where input is refused or something fails, 2 on wrong usage."""
    try:
        with stoppable():
            status = _run()
    except Stopped as stopped:
        print_to_stderr("cranfield: stopped")
        end(stopped.number)
    sys.exit(status)


def _run() -> int:
    # Our matrix products are small: threads that wait for one another cost more than they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    stdout = sys.stdout
    remember(None, [])
    try:
        app(prog_name="cranfield", standalone_mode=False)
    except NoArgsIsHelpError as error:
        print_to_stderr(error.format_message())
        return 2
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx is not None else "cranfield"
        print_to_stderr(f"cranfield: error: {error.format_message()} (see `{where} --help`)")
        return 2
    except click.Abort:
        print_to_stderr("cranfield: stopped")
        return 1
    except SystemExit as ended:
        # Where the reader of our output went away, Click exits with 1 and replaces the stream.
        return int(ended.code or 0) if sys.stdout is stdout else 0
    except CranfieldError as error:
        print_to_stderr(f"cranfield: error: {name_options(error.args[0])}")
        return 2 if isinstance(error, UsageError) else 1
    except OSError as error:
        print_to_stderr(f"cranfield: error: {describe_os_error(error)}")
        return 1
    except BaseException as error:
        if isinstance(error, (Stopped, KeyboardInterrupt)):
            raise
        print_to_stderr(f"cranfield: error: {describe_fault(error)}")
        return 1
    return 0
