"""The command line: one file a command; here only how they are gathered and how a run of the program ends."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import NoReturn

import click
from click.exceptions import NoArgsIsHelpError

from cranfield.cli.complaints import complain
from cranfield.cli.stopping import Stopped, end, stoppable
from cranfield.cli.trouble import of_system, unexpected
from cranfield.errors import CranfieldError, UsageError


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from cranfield import engine
        from cranfield.scores.signature import package_version

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the line says which engine it is
            click.echo(f"cranfield {package_version()} ({engine.current().NAME} engine)")
        context.exit()


QUESTIONS = {
    "score": "Score: how good is each system?",
    "check": "Check: are the files what they should be?",
    "compare": "Compare: is a difference more than chance?",
    "trust": "Trust: would other topics, measures or judges say the same?",
    "explain": "Explain: what is behind the scores?",
    "combine": "Combine: what do systems reach together?",
    "make": "Make: pages, pools and collections",
}
"""What commands are for, in the order of the help."""

COMMANDS = {
    "abstention": "explain",
    "agreement": "trust",
    "audit": "trust",
    "bayes": "compare",
    "budget": "trust",
    "check": "check",
    "compare": "compare",
    "diff": "explain",
    "difficulty": "explain",
    "evaluate": "score",
    "fuse": "combine",
    "gate": "compare",
    "headroom": "combine",
    "information": "explain",
    "labels": "check",
    "measures": "score",
    "pool": "make",
    "prefer": "compare",
    "protocol": "score",
    "reliability": "trust",
    "report": "make",
    "reproduce": "trust",
    "reusability": "trust",
    "risk": "compare",
    "scales": "trust",
    "select-topics": "trust",
    "sensitivity": "trust",
    "simulate": "make",
    "stability": "trust",
    "standardize": "score",
    "study-tests": "trust",
    "table": "compare",
    "trec_eval": "score",
}
"""Command -> the question that it answers."""

ENDS = "Exit status: 0 done, 1 input refused, 2 wrong usage"
"""What the help of every command ends with; those that can end otherwise say so too."""


class _Commands(MutableMapping[str, click.Command]):
    """Commands by name, each imported when it is asked for: a call pays for its own."""

    def __init__(self) -> None:
        self._imported: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name in COMMANDS and name not in self._imported:
            attribute = name.replace("-", "_")
            self._imported[name] = _ended(getattr(import_module(f"cranfield.cli.{attribute}"), attribute))
        return self._imported[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._imported[name] = command

    def __delitem__(self, name: str) -> None:
        del self._imported[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*COMMANDS, *self._imported)))

    def __len__(self) -> int:
        return len({*COMMANDS, *self._imported})


def _ended(command: click.Command) -> click.Command:
    """A command, and those below it, whose help says how it ends: its own epilog names its own statuses."""
    ends = [ENDS, command.epilog] if command.epilog else [ENDS]
    if any(parameter.name == "keep_going" for parameter in command.params):
        ends.append("5 done, but not with all runs")
    command.epilog = f"{', '.join(ends)}."
    for below in getattr(command, "commands", {}).values():
        _ended(below)
    return command


class _Program(click.Group):
    """All commands; its help lists them by question."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a list for each question."""
        width = max(map(len, COMMANDS))
        for question, title in QUESTIONS.items():
            names = [name for name, answered in COMMANDS.items() if answered == question]
            room = formatter.width - 6 - width
            formatter.write_paragraph()
            formatter.write(f"{title}\n")
            with formatter.indentation():
                formatter.write_dl([(f"{name:<{width}}", self._short_help(ctx, name, room)) for name in names])

    def _short_help(self, ctx: click.Context, name: str, room: int) -> str:
        command = self.get_command(ctx, name)
        assert command is not None, "every name is a command's"
        return command.get_short_help_str(room)


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
    callback=_version,
    help="Print version and engine, and end.",
)
def app() -> None:
    """Evaluate retrieval runs, and then evaluate the evaluation."""


def main() -> NoReturn:
    """Run the program: exit status 0, 1 where input is refused or something fails, 2 where the call is wrong; or end
    by a signal.
    """
    try:
        with stoppable():
            status = _run()
    except Stopped as stopped:
        complain("cranfield: stopped")
        end(stopped.number)
    sys.exit(status)


def _run() -> int:
    # Threads of matrix products that wait for one another cost more than the products of any command.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    stdout = sys.stdout
    try:
        app(prog_name="cranfield", standalone_mode=False)
    except NoArgsIsHelpError as error:
        complain(error.format_message())
        return 2
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx is not None else "cranfield"
        complain(f"cranfield: error: {error.format_message()} (see `{where} --help`)")
        return 2
    except click.Abort:
        complain("cranfield: stopped")
        return 1
    except SystemExit as ended:
        # Where whoever read our output went away, Click ends with 1 and puts another stream in place.
        return int(ended.code or 0) if sys.stdout is stdout else 0
    except CranfieldError as error:
        complain(f"cranfield: error: {error}")
        return 2 if isinstance(error, UsageError) else 1
    except OSError as error:
        complain(f"cranfield: error: {of_system(error)}")
        return 1
    except BaseException as error:
        if isinstance(error, (Stopped, KeyboardInterrupt)):
            raise
        complain(f"cranfield: error: {unexpected(error)}")
        return 1
    return 0
