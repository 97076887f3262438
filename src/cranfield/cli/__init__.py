"""The program ``cranfield``: its commands, which are imported when they are called, and how a run of it ends."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from functools import partial
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

import click

from cranfield._message import naming
from cranfield._text import quoted
from cranfield.cli._errors import describe_fault, describe_os_error, print_to_stderr
from cranfield.cli._option_names import name_options, remember
from cranfield.cli._registry import COMMANDS, DECLARED, FIRST, find_meant
from cranfield.errors import CranfieldError, UsageError


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from cranfield import engine
        from cranfield._version import package_version

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the line says which engine it is
            click.echo(f"cranfield {package_version()} ({engine.name()} engine)")
        context.exit()


ENDS = "Exit status: 0 done, 1 input refused, 2 wrong usage"
"""The end of every command's help; a command with more statuses adds them."""


class _Commands(MutableMapping[str, click.Command]):
    """Commands by name, each imported when it is called; subcommands as `audit reliability`.

    Iteration yields what is listed: the commands without their subcommands.
    """

    def __init__(self) -> None:
        self._imported: dict[str, click.Command] = {}

    def __getitem__(self, path: str) -> click.Command:
        if path not in self._imported:
            command, _, subcommand = path.partition(" ")
            if path in DECLARED and not DECLARED[path].by_hand:
                from cranfield.cli._analysis import make_command  # what few calls need

                self._imported[path] = _add_exit_statuses(make_command(DECLARED[path]))
            elif path in COMMANDS and not (subcommand and path in DECLARED):
                module = import_module(f"cranfield.cli.{path.replace(' ', '_')}")
                imported = _add_exit_statuses(getattr(module, subcommand or command))
                imported.short_help = COMMANDS[path]
                if isinstance(imported, click.Group):
                    for name_below in (name for name in DECLARED if name.startswith(f"{path} ")):
                        if name_below.partition(" ")[2] not in imported.commands:  # as those that write files are
                            imported.add_command(self[name_below])
                self._imported[path] = imported
            else:
                group = self[command] if command != path else None
                if not isinstance(group, click.Group):
                    raise KeyError(path)
                self._imported[path] = group.commands[subcommand]
        return self._imported[path]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._imported[name] = command

    def __delitem__(self, name: str) -> None:
        del self._imported[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name in dict.fromkeys((*COMMANDS, *self._imported)) if " " not in name)

    def __len__(self) -> int:
        return len(list(iter(self)))


def _add_exit_statuses(command: click.Command) -> click.Command:
    """Add the exit statuses to the help of a command and its subcommands; its epilog names those of its own."""
    ends = [ENDS, command.epilog] if command.epilog else [ENDS]
    if any(parameter.name == "keep_going" for parameter in command.params):
        ends.append("5 runs left out")
    command.epilog = f"{', '.join(ends)}."
    for below in getattr(command, "commands", {}).values():
        _add_exit_statuses(below)
    return command


class _CommandGroup(click.Group):
    """All commands; its help lists the first ten, and names the others."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called, or its subcommand, whose options messages name from here on."""
        if not ctx.resilient_parsing:
            _refuse_unknown(args[0], self.commands)
        name, command, arguments = super().resolve_command(ctx, args)
        if arguments and f"{name} {arguments[0]}" in COMMANDS:
            name, arguments = f"{name} {arguments[0]}", arguments[1:]
            command = self.commands[name]
        remember(command, arguments)
        ctx.call_on_close(lambda: naming.set(str))
        return name, command, arguments

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the first commands with what they do, and the names of the others."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in FIRST])
        others = [name for name in self.commands if name not in FIRST]
        formatter.write_paragraph()
        formatter.write_text(f"More: {', '.join(others)}. `cranfield help --all` lists every command and subcommand.")


def _refuse_unknown(name: str, commands: Mapping[str, click.Command]) -> None:
    """Raises: UsageError: there is no such command; with the one that is meant, where that is known."""
    if name.startswith("-") or name in commands:
        return
    meant = find_meant(name)
    advice = f"did you mean `cranfield {meant}`?" if meant else "`cranfield help` lists the commands"
    raise click.UsageError(f"there is no command {quoted(name)}: {advice}")


@click.group(
    cls=_CommandGroup,
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


SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
"""Ctrl-C, ``kill``, a terminal that is closed, and Ctrl-Break on Windows."""


HEARD_WITHIN = 0.8
"""Seconds within which a signal is heard, or the main thread waits for a server."""


class Stopped(BaseException):
    """Raised where a signal arrives; not an ``Exception``, since only cleanup may catch it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def stoppable() -> Iterator[list[int]]:
    """Raise ``Stopped`` in the main thread where a signal would end the program; one that is ignored stays so.

    Yields the list of the signals that have arrived.
    """
    arrived: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield arrived
        return

    def stop(number: int, _: FrameType | None) -> NoReturn:
        arrived.append(number)
        raise Stopped(number)

    usual = (signal.SIG_DFL, signal.default_int_handler)
    before = {number: signal.signal(number, stop) for number in SIGNALS if signal.getsignal(number) in usual}
    hook = sys.unraisablehook
    sys.unraisablehook = partial(_send_again, hook)
    try:
        yield arrived
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _waiting_ends(arrived: list[int], arguments: Sequence[str]) -> Iterator[None]:
    """End the program a second after a signal where the main thread waits in a library for a server, and hears none.

    Only where an argument is an address. A call that goes through the data of a server that never answers, or never
    ends, holds the main thread until it returns; Python calls no handler before.
    """
    if sys.platform == "win32" or not any("://" in argument for argument in arguments):
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)

    def watch() -> None:
        while number := os.read(reading, 1):
            if number[0] in SIGNALS:
                time.sleep(HEARD_WITHIN)
                if not arrived:
                    print_to_stderr("cranfield: stopped")
                    os.kill(os.getpid(), signal.SIGKILL)  # the only one that this thread can be sure of
        os.close(reading)

    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(writing)


def _send_again(hook: Callable[[Any], object], unraisable: Any) -> None:
    """Send a signal that arrived while an object was deleted again a moment later, as Python drops what that raises.

    The delay has to outlast this function, also on a busy machine: what is raised here is dropped too.
    """
    if not isinstance(unraisable.exc_value, Stopped):
        hook(unraisable)
        return
    again = threading.Timer(0.05, _send, (unraisable.exc_value.number,))
    again.daemon = True
    again.start()


def _send(number: int) -> None:
    """Send a signal to this process; on Windows ``os.kill`` would end it at once."""
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:
        os.kill(os.getpid(), number)


def end(number: int) -> NoReturn:
    """End the process by the signal itself, so that a shell reports 128 + its number and its loop stops.

    Nothing is waited for: a thread may be reading a pipe that nobody writes to, and nobody may be reading standard
    output. On Windows, where no process ends by a signal, its status is 128 + the number. The first process of a
    container, which no signal ends by default, exits with that status, when its threads have ended.
    """
    if sys.platform == "win32":
        os.kill(os.getpid(), 128 + number)  # there, this is the status with which the process is ended
    else:
        signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        signal.raise_signal(number)
    sys.exit(128 + number)


def main() -> NoReturn:
    """Run the program and exit: 0 on success, 1 where input is refused or something fails, 2 on wrong usage."""
    try:
        with stoppable() as arrived, _waiting_ends(arrived, sys.argv[1:]):
            status = _run(arrived)
    except Stopped as stopped:
        print_to_stderr("cranfield: stopped")
        end(stopped.number)
    sys.exit(status)


def _check_click() -> None:
    """Refuse a Click that would misread options, and so change numbers.

    Up to 8.2.1 the value of a flag is used also where the flag is not given; in 8.2.2 a flag that is not given and has
    no default is taken for one that is refused.

    Raises:
        UsageError: it is so.
    """
    flags = [
        click.Option(["--value"], is_flag=True, flag_value="given", default="not given"),
        click.Option(["--open"], is_flag=True, default=None),
    ]
    if click.Command("probe", params=list(flags)).make_context("probe", []).params != {
        "value": "not given",
        "open": None,
    }:
        raise UsageError(
            "the installed Click takes flags for given that are not, which would change numbers: "
            "pip install --upgrade click (8.4 or later is needed)"
        )


def _run_commands(arrived: list[int]) -> None:
    """Run the program's commands.

    Raises: Stopped: a signal has ``arrived``, whatever became of its exception: up to Python 3.11 it is replaced by a
        RuntimeError where a class is being defined, and an extension module may replace or drop it too.
    """
    _check_click()
    try:
        app(prog_name="cranfield", standalone_mode=False)
    except (Exception, SystemExit):
        if not arrived:
            raise
    if arrived:
        raise Stopped(arrived[0])


def _run(arrived: list[int]) -> int:
    # Our matrix products are small: threads that wait for one another cost more than they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    stdout = sys.stdout
    remember(None, [])
    try:
        _run_commands(arrived)
    except click.UsageError as error:
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            print_to_stderr(error.format_message())
            return 2
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
