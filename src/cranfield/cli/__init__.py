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

from cranfield.cli._errors import describe_fault, describe_os_error, print_to_stderr
from cranfield.cli._option_names import in_options, remember
from cranfield.cli._registry import COMMANDS, QUESTIONS
from cranfield.cli._signals import Stopped, end, stoppable
from cranfield.errors import CranfieldError, UsageError


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from importlib.metadata import version

        from cranfield import engine

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the line says which engine it is
            click.echo(f"cranfield {version('cranfield')} ({engine.name()} engine)")
        context.exit()


ENDS = "Exit status: 0 done, 1 input refused, 2 wrong usage"
"""What the help of every command ends with; those that can end otherwise say so too."""


class _Commands(MutableMapping[str, click.Command]):
    """Commands by name, each imported when it is asked for: a call pays for its own."""

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
    """A command, and those below it, whose help says how it ends: its own epilog names its own statuses."""
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
        """The command that is called, whose options messages name from here on."""
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
        print_to_stderr("cranfield: stopped")
        end(stopped.number)
    sys.exit(status)


def _run() -> int:
    # Threads of matrix products that wait for one another cost more than the products of any command.
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
        # Where whoever read our output went away, Click ends with 1 and puts another stream in place.
        return int(ended.code or 0) if sys.stdout is stdout else 0
    except CranfieldError as error:
        print_to_stderr(f"cranfield: error: {in_options(error.args[0])}")
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
