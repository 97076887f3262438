"""The command line: one file a command; here only how they are gathered and how a run of the program ends."""

from __future__ import annotations

import sys
import warnings
from typing import NoReturn

import click
from click.exceptions import NoArgsIsHelpError

from cranfield.cli.agreement import agreement
from cranfield.cli.audit import audit
from cranfield.cli.check import check
from cranfield.cli.compare import compare
from cranfield.cli.complaints import complain, silence
from cranfield.cli.difficulty import difficulty
from cranfield.cli.evaluate import evaluate
from cranfield.cli.fuse import fuse
from cranfield.cli.headroom import headroom
from cranfield.cli.information import information
from cranfield.cli.labels import labels
from cranfield.cli.measures import measures
from cranfield.cli.reliability import reliability
from cranfield.cli.report import report
from cranfield.cli.select_topics import select_topics
from cranfield.cli.sensitivity import sensitivity
from cranfield.cli.simulate import simulate
from cranfield.cli.stability import stability
from cranfield.cli.standardize import standardize
from cranfield.cli.stopping import Stopped, end, stoppable
from cranfield.errors import CranfieldError, UsageError


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from cranfield import engine
        from cranfield.scoring import package_version

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the line says which engine it is
            click.echo(f"cranfield {package_version()} ({engine.current().NAME} engine)")
        context.exit()


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
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


COMMANDS = (
    *(evaluate, check, labels, measures),
    *(difficulty, standardize),
    *(compare, reliability, stability, sensitivity, select_topics),
    *(agreement, audit),
    *(information, fuse, headroom),
    report,
    simulate,
)

for _command in COMMANDS:
    app.add_command(_command)


def main() -> NoReturn:
    """Run the program: exit status 0, 1 where input is refused, 2 where the call is wrong; or end by a signal."""
    try:
        with stoppable():
            status = _run()
    except Stopped as stopped:
        complain("cranfield: stopped")
        end(stopped.number)
    sys.exit(status)


def _run() -> int:
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
        silence(sys.stdout)
        complain(f"cranfield: error: standard output cannot be written: {error.strerror or error}")
        return 1
    return 0
