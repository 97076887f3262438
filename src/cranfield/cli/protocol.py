"""``cranfield protocol``: write down how runs are evaluated, and repeat it."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield._text import in_full, quoted, shown
from cranfield.cli._command import SHARED, CommandOfRuns
from cranfield.cli._errors import complain
from cranfield.cli._options import output_option
from cranfield.cli._protocol import FROM, option_of
from cranfield.cli._scores_input import named_numbers
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.protocol import Protocol

HOLDS = "judgments, measures, policies, groups, tests, the seed and a title"
GIVEN = ("qrels", "paths", "runs", "output")
"""Parameters that a protocol holds in another way, or leaves to each call."""
OTHER_FILES = (("groups", "path"), ("intents", "weights"))
"""Table and key of files that a protocol may name, beside the judgments."""
OF_A_CALL = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@click.group()
def protocol() -> None:
    """Write down how the runs of a track are evaluated, in a file to be published, and repeat it on other runs.

    Every command that reads runs takes such a file as --protocol FILE.
    """


@protocol.command("init", context_settings=OF_A_CALL, short_help="Write the protocol of a call.")
@output_option
@click.option("--title", help="Of the track.")
@click.argument("command", metavar="COMMAND")
@click.argument("arguments", metavar="[ARGUMENT...]", nargs=-1, type=click.UNPROCESSED)
def init(command: str, arguments: tuple[str, ...], title: str | None, output: str | None) -> None:
    """Write the protocol of a call: `cranfield protocol init -o track.toml evaluate QRELS -m nDCG@10 --ties docid`.

    The protocol has the SHA-256 of QRELS. Runs may be given and are left out; paths are relative to the file.
    """
    from cranfield.cli._output import check_place, emit

    called = _command(command)
    with _loosened(called).make_context(command, list(arguments), parent=_above()) as context:
        output = output or context.params.get("output")
        check_place(output)
        text = _written(called, context, title, str(Path(output).parent) if output else "").text()
    emit(text, output)


@protocol.command("run", context_settings=OF_A_CALL, short_help="Repeat a protocol on runs.")
@click.argument("file", metavar="FILE")
@click.argument("arguments", metavar="RUN...", nargs=-1, required=True, type=click.UNPROCESSED)
def run(file: str, arguments: tuple[str, ...]) -> Any:
    """Repeat a protocol on runs: `cranfield protocol run track.toml runs/*`.

    What follows RUN... is passed on to the command of the protocol, such as --format json.
    """
    from cranfield.protocol import Protocol

    name = str(Protocol.read(file).get("", "command") or "evaluate")
    called = _command(name)
    with called.make_context(name, ["--protocol", file, *arguments], parent=_above()) as context:
        return called.invoke(context)


def _above() -> click.Context | None:
    """The program itself, so that a command is called what it is called there."""
    return click.get_current_context().find_root()


def _command(name: str) -> CommandOfRuns:
    """Raises: UsageError: no command of this name reads runs."""
    from cranfield.cli import app

    command: click.Command | None = app
    for part in name.split():
        command = command.commands.get(part) if isinstance(command, click.Group) else None
    if not isinstance(command, CommandOfRuns):
        raise UsageError(f"{quoted(name)} is no command that reads runs, such as evaluate, compare or report")
    return command


def _loosened(command: CommandOfRuns) -> CommandOfRuns:
    """The same where nothing has to be given."""
    loose = copy.copy(command)
    loose.params = [copy.copy(one) for one in command.params]
    for one in loose.params:
        one.required = False
    return loose


def _written(command: CommandOfRuns, context: click.Context, title: str | None, folder: str) -> Protocol:
    """The protocol of a parsed call.

    Raises:
        InputError: the judgments cannot be read.
        UsageError: the call says what a protocol does not hold, or too little.
    """
    from cranfield.io.system_names import part_of
    from cranfield.io.trec import load_qrels
    from cranfield.protocol import VERSION, Protocol, digest_of, relative
    from cranfield.scores.signature import fingerprint
    from cranfield.scoring import measures_of

    _refuse_others(command, context)
    given = dict(context.params)
    qrels = given.get("qrels") or next(iter(given.get("paths") or ()), None)
    measures = given.get("measures") or [one for one in [given.get("measure")] if one]
    if not qrels or not measures:
        what = "QRELS" if not qrels else "-m MEASURE"
        raise UsageError(f"a protocol names its {'judgments' if not qrels else 'measures'}: {what} is missing")
    path = qrels if isinstance(qrels, str) else qrels[0]
    if given.get("columns"):
        given["columns"] = dict(given["columns"])
    if isinstance(given.get("margin"), tuple):
        given["margin"] = _one_margin(given["margin"])
    tables: dict[str, dict[str, Any]] = {}
    for name, (table, key) in FROM.items():
        value = given.get(name)
        if command.heeds(name) and value not in (None, (), {}) and table not in ("groups",):
            tables.setdefault(table, {})[key] = list(value) if isinstance(value, tuple) else value
    first = {"protocol": VERSION, "title": title or given.get("title"), "command": context.info_name}
    first |= {"measures": [str(one) for one in measures_of(list(measures), given.get("rel"))]}
    tables[""] = first | ({"seed": given["seed"]} if given.get("seed") is not None else {})
    layout = {name: given[name] for name in ("input_format", "columns") if given.get(name)}
    tables["qrels"] = {"path": relative(path, folder)}
    tables["qrels"]["sha256"] = fingerprint(load_qrels(path, **layout)[0])
    weights = given.get("intent_weights")
    if weights not in (None, "uniform", "simulated"):
        tables["intents"] |= {"weights": relative(weights, folder), "sha256": digest_of(weights)}
    if given.get("topic_groups"):
        place, column = part_of(given["topic_groups"])
        tables["groups"] = {"path": relative(place, folder), "sha256": digest_of(place)}
        tables["groups"] |= {"column": column} if column else {}
    baseline = given.get("baseline")
    if baseline is not None and command.heeds("baselines"):
        tables.setdefault("tests", {})["baselines"] = [baseline]
    _warn_of_outside([tables["qrels"]["path"], *(tables.get(name, {}).get(key, "") for name, key in OTHER_FILES)])
    return Protocol(
        {table: {key: value for key, value in keys.items() if value is not None} for table, keys in tables.items()}
    )


def _warn_of_outside(paths: Sequence[str]) -> None:
    """Say that files outside the folder of the protocol need an option in every call."""
    outside = [path for path in paths if path.startswith(("../", "/"))]
    if outside:
        complain(
            f"cranfield: warning: {in_full(outside[0])} is outside the folder of the protocol: put a copy into it, or "
            "give --protocol-outside in every call"
        )


def _one_margin(given: tuple[str, ...]) -> float | None:
    """The margin of a command that takes one for each measure; None where none is given.

    Raises:
        UsageError: it is one of some measure, or no number.
    """
    margin = named_numbers("--margin", given)
    if isinstance(margin, dict):
        raise UsageError(
            f"--margin {shown(given[0])} has no place in a protocol, which holds one margin for all measures: give it "
            "to `cranfield protocol run`"
        )
    return margin


def _refuse_others(command: CommandOfRuns, context: click.Context) -> None:
    """Raises: UsageError: an option that belongs to one call, and not to a protocol."""
    for name in context.params:
        if name in (*GIVEN, "measure") or (name in FROM and command.heeds(name)):
            continue
        if name == "baseline" and command.heeds("baselines"):
            continue
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = option_of(command, name)
            assert option is not None, "it was parsed"
            where = "leave it out" if name in SHARED else "give it to `cranfield protocol run`"
            raise UsageError(f"{option.opts[0]} has no place in a protocol, which holds {HOLDS}: {where}")
