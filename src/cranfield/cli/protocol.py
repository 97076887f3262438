"""``cranfield protocol``: write down how runs are evaluated, and repeat it."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield._text import in_full, quoted, shown
from cranfield._validation import one_or_more
from cranfield.cli import app
from cranfield.cli._command import SHARED, CommandOfRuns
from cranfield.cli._errors import print_to_stderr
from cranfield.cli._options import output_option
from cranfield.cli._protocol import find_parameter, list_keys
from cranfield.cli._scores_input import parse_named_numbers
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.protocol import Protocol

CONTENT = "judgments, measures, policies, groups, tests, the seed and a title"
PER_CALL = ("qrels", "paths", "runs", "output")
"""Parameters that a protocol holds in another form, or leaves to each call."""
OTHER_FILES = (("groups", "path"), ("intents", "weights"))
"""Tables and keys of files that a protocol may name, beside the judgments."""
PASSED_ON = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@click.group(short_help="Write down how runs are evaluated, and repeat it.")
def protocol() -> None:
    """Write down how the runs of a track are evaluated, in a file to be published, and repeat it on other runs.

    Every command that reads runs takes this file as --protocol FILE.
    """


@protocol.command("init", context_settings=PASSED_ON, short_help="Write the protocol of a call.")
@output_option
@click.option("--title", help="Title of the track.")
@click.argument("command", metavar="COMMAND")
@click.argument("arguments", metavar="[ARGUMENT...]", nargs=-1, type=click.UNPROCESSED)
def init(command: str, arguments: tuple[str, ...], title: str | None, output: str | None) -> None:
    """Write the protocol of a call: `cranfield protocol init -o track.toml evaluate QRELS -m nDCG@10 --ties docid`.

    The protocol includes the SHA-256 of QRELS. Runs may be given and are left out; paths are relative to the file.
    """
    from cranfield.cli._output import check_output_path, emit

    called = _find_command(command)
    with _loosen(called).make_context(command, list(arguments), parent=_find_program()) as context:
        output = output or context.params.get("output")
        check_output_path(output)
        text = _make_protocol(called, context, title, str(Path(output).parent) if output else "").text()
    emit(text, output)


@protocol.command("run", context_settings=PASSED_ON, short_help="Repeat a protocol on runs.")
@click.argument("file", metavar="FILE")
@click.argument("arguments", metavar="RUN...", nargs=-1, required=True, type=click.UNPROCESSED)
def run(file: str, arguments: tuple[str, ...]) -> Any:
    """Repeat a protocol on runs: `cranfield protocol run track.toml runs/*`.

    Options after RUN..., such as --format json, are passed on to the command of the protocol.
    """
    from cranfield.protocol import Protocol

    name = str(Protocol.read(file).get("", "command") or "evaluate")
    called = _find_command(name)
    with called.make_context(name, ["--protocol", file, *arguments], parent=_find_program()) as context:
        return called.invoke(context)


def _find_program() -> click.Context | None:
    """Return the context of the program, so that messages name a command as the program does."""
    return click.get_current_context().find_root()


def _find_command(name: str) -> CommandOfRuns:
    """Find a command by its name.

    Raises:
        UsageError: no command of this name reads runs.
    """
    command: click.Command | None = app
    for part in name.split():
        command = command.commands.get(part) if isinstance(command, click.Group) else None
    if not isinstance(command, CommandOfRuns):
        raise UsageError(f"{quoted(name)} is not a command that reads runs, such as evaluate, compare or report")
    return command


def _loosen(command: CommandOfRuns) -> CommandOfRuns:
    """Return a copy of a command whose parameters are all optional."""
    loose = copy.copy(command)
    loose.params = [copy.copy(parameter) for parameter in command.params]
    for parameter in loose.params:
        parameter.required = False
    return loose


def _make_protocol(command: CommandOfRuns, context: click.Context, title: str | None, folder: str) -> Protocol:
    """Make the protocol of a parsed call.

    Raises:
        InputError: the judgments cannot be read.
        UsageError: the call has an option that a protocol does not hold, or lacks judgments or measures.
    """
    from cranfield.io.system_names import split_part
    from cranfield.io.trec import load_qrels
    from cranfield.protocol import VERSION, Protocol, compute_digest, relative
    from cranfield.scores.signature import fingerprint
    from cranfield.scoring import read_measures

    _refuse_call_options(command, context)
    parameters = dict(context.params)
    qrels = parameters.get("qrels") or next(iter(parameters.get("paths") or ()), None)
    measures = parameters.get("measures") or [measure for measure in [parameters.get("measure")] if measure]
    if not qrels or not measures:
        what = "QRELS" if not qrels else "-m MEASURE"
        raise UsageError(f"a protocol names its {'judgments' if not qrels else 'measures'}: {what} is missing")
    path = qrels if isinstance(qrels, str) else qrels[0]
    parameters |= {name: dict(parameters[name]) for name in ("columns", "labels") if parameters.get(name)}
    if isinstance(parameters.get("margin"), tuple):
        parameters["margin"] = _parse_single_margin(parameters["margin"])
    tables: dict[str, dict[str, Any]] = {}
    for name, (table, key) in list_keys().items():
        value = parameters.get(name)
        if command.takes(name) and value not in (None, (), {}) and table not in ("groups",):
            is_list = isinstance(value, tuple) or name == "baseline"
            tables.setdefault(table, {})[key] = one_or_more(value) if is_list else value
    first = {"protocol": VERSION, "title": title or parameters.get("title"), "command": context.info_name}
    first |= {"measures": [str(measure) for measure in read_measures(list(measures), parameters.get("rel"))]}
    tables[""] = first | ({"seed": parameters["seed"]} if parameters.get("seed") is not None else {})
    layout = {name: parameters[name] for name in ("input_format", "columns", "labels") if parameters.get(name)}
    tables["qrels"] = {"path": relative(path, folder)}
    tables["qrels"]["sha256"] = fingerprint(load_qrels(path, **layout)[0])
    weights = parameters.get("intent_weights")
    if weights not in (None, "uniform", "simulated"):
        tables["intents"] |= {"weights": relative(weights, folder), "sha256": compute_digest(weights)}
    if parameters.get("topic_groups"):
        file, column = split_part(parameters["topic_groups"])
        tables["groups"] = {"path": relative(file, folder), "sha256": compute_digest(file)}
        tables["groups"] |= {"column": column} if column else {}
    _warn_outside([tables["qrels"]["path"], *(tables.get(name, {}).get(key, "") for name, key in OTHER_FILES)], folder)
    return Protocol(
        {table: {key: value for key, value in keys.items() if value is not None} for table, keys in tables.items()}
    )


def _warn_outside(paths: Sequence[str], folder: str) -> None:
    """Warn that files outside the folder of the protocol, also behind a link, need an option in every call."""
    home = Path(folder).resolve()
    outside = [path for path in paths if not (home / path).resolve().is_relative_to(home)]
    if outside:
        print_to_stderr(
            f"cranfield: warning: {in_full(outside[0])} is outside the folder of the protocol: put a copy into it, or "
            "give --protocol-outside in every call"
        )


def _parse_single_margin(texts: tuple[str, ...]) -> float | None:
    """Parse the margin of a command that takes one for each measure; None where none is given.

    Raises:
        UsageError: it applies to one measure only, or is not a number.
    """
    margin = parse_named_numbers("--margin", texts)
    if isinstance(margin, dict):
        raise UsageError(
            f"--margin {shown(texts[0])} does not belong in a protocol, which holds one margin for all measures: "
            "give it to `cranfield protocol run`"
        )
    return margin


def _refuse_call_options(command: CommandOfRuns, context: click.Context) -> None:
    """Raise UsageError for an option that belongs to one call, and not to a protocol."""
    for name in context.params:
        if name in (*PER_CALL, "measure") or (name in list_keys() and command.takes(name)):
            continue
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = find_parameter(command, name)
            assert option is not None, "it was parsed"
            where = "leave it out" if name in SHARED else "give it to `cranfield protocol run`"
            raise UsageError(f"{option.opts[0]} does not belong in a protocol, which holds {CONTENT}: {where}")
