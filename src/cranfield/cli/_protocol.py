"""``--protocol FILE``: what a protocol says of a call, put in the place of options that were not given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield._text import in_full, quoted, shown
from cranfield.cli._errors import complain
from cranfield.collection.policy import POLICIES, Policy
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.protocol import Protocol

FROM: dict[str, tuple[str, str]] = {
    "title": ("", "title"),
    "measures": ("", "measures"),
    "seed": ("", "seed"),
    **{name: ("reading", name) for name in ("names", "input_format", "rel", "columns")},
    **{name: ("policies", name) for name in POLICIES},
    "intent_weights": ("intents", "weights"),
    "weight_sum": ("intents", "weight_sum"),
    "keep_empty_intents": ("intents", "keep_empty_intents"),
    "topic_groups": ("groups", "path"),
    **{
        name: ("tests", name)
        for name in ("test", "correction", "alpha", "baselines", "margin", "interval", "resamples")
    },
}
"""Parameter of a command -> table and key of a protocol."""


def protocol_of(command: click.Command, context: click.Context, args: Sequence[str]) -> tuple[str, bool] | None:
    """The protocol that a call names, if it does, and whether it may name files outside its folder.

    What else is wrong with the call is said later.
    """
    if context.resilient_parsing or not any(word.startswith("--protocol") for word in args):
        return None
    if not set(context.help_option_names).isdisjoint(args):
        return None
    try:
        options = command.make_parser(context).parse_args(args=list(args))[0]
    except click.UsageError:
        return None
    return (options["protocol"], bool(options.get("protocol_outside"))) if options.get("protocol") else None


def option_of(command: click.Command, name: str) -> click.Parameter | None:
    """A parameter by its name."""
    return next((one for one in command.params if one.name == name), None)


class CommandWithProtocol(click.Command):
    """A command of which a protocol says a part.

    Args:
        tested: whether the tests of a protocol are its own.
        unasked: parameters that a protocol does not set, since they mean something else here.
    """

    def __init__(self, *arguments: Any, tested: bool = False, unasked: tuple[str, ...] = (), **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.tested, self.unasked = tested, unasked

    def heeds(self, name: str) -> bool:
        """Whether a protocol sets this parameter."""
        return name not in self.unasked and (FROM[name][0] != "tests" or self.tested)


@dataclass(frozen=True)
class Applied:
    """What a protocol sets of a call.

    Args:
        protocol: that was named.
        values: parameter -> what the protocol says.
    """

    protocol: Protocol
    values: dict[str, Any]

    @property
    def file(self) -> str:
        """The name of the protocol file, safe to print."""
        return in_full(self.protocol.location.path)

    def arguments(self, command: click.Command) -> list[str]:
        """QRELS, where the command takes it."""
        path = self.protocol.path_of("qrels")
        taken = any(isinstance(one, click.Argument) and one.name in ("qrels", "paths") for one in command.params)
        if not taken or path is None:
            return []
        return [f"./{path}" if path.startswith("-") else path]

    def refuse_contradictions(self, command: click.Command, context: click.Context) -> None:
        """Raises: UsageError: an option says something else than the protocol."""
        if context.params.get("score_files"):
            raise UsageError("--protocol says how runs are scored; --scores FILE is scored already")
        for name, value in self.values.items():
            if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
                continue
            parameter, given = option_of(command, name), context.params[name]
            assert parameter is not None, "only what the command takes is set"
            if name in ("measure", "measures"):
                agrees = _among(given, self.protocol.measures)
            else:
                agrees = given == parameter.process_value(context, value)
            if not agrees:
                said = value if isinstance(value, (str, int, float)) else ", ".join(map(str, value))
                raise UsageError(
                    f"{parameter.opts[0]} {_typed(given)} contradicts {self.file}, which says {shown(str(said))}: "
                    "leave the option out, or change the protocol"
                )


def apply_protocol(path: str, command: CommandWithProtocol, context: click.Context, *, outside: bool) -> Applied:
    """Read a protocol, check its files, and let what it says be the defaults of a call.

    Args:
        path: of the protocol.
        command: that is called.
        context: of the call.
        outside: whether it may name files outside its folder.

    Raises:
        InputError: the protocol, or a file that it names, is refused.
        UsageError: it says what the command cannot do.
    """
    from cranfield.protocol import Protocol

    protocol = Protocol.read(path, outside=outside)
    protocol.check_measures()
    protocol.check_files()
    stated = {name: value for name in FROM if (value := _said(protocol, name)) is not None}
    values: dict[str, Any] = {}
    unused = []
    for name, value in stated.items():
        parameter = option_of(command, name) if command.heeds(name) else None
        if parameter is not None:
            values[name] = [str(value)] if parameter.multiple and not isinstance(value, list) else value
        elif name == "baselines" and command.heeds(name) and option_of(command, "baseline") is not None:
            values["baseline"] = _only_baseline(protocol, command, value)
        else:
            if command.heeds(name):
                _refuse_unheeded(protocol, command, name, value)
            if not _is_default(name, value) and _is_expected(command, name):
                unused.append(".".join(filter(None, FROM[name])))
    if unused:
        complain(
            f"cranfield: warning: `{command.name}` does not use {', '.join(unused)} of "
            f"{in_full(protocol.location.file)}"
        )
    if option_of(command, "measure") is not None and "measure" not in command.unasked:
        values["measure"] = ",".join(protocol.measures)
    context.default_map = values
    return Applied(protocol, values)


def _only_baseline(protocol: Protocol, command: click.Command, names: list[str]) -> str:
    """Raises: UsageError: the protocol names several baselines, and the command compares with one."""
    if len(names) > 1:
        raise UsageError(
            f"{protocol.location.file} names {len(names)} baselines ({', '.join(map(shown, names))}), and "
            f"`{command.name}` compares with one: take the others out of a copy of the protocol"
        )
    return names[0]


def _is_default(name: str, value: Any) -> bool:
    """Whether the protocol states what holds without it too."""
    from cranfield.collection.reading import Reading

    return bool(value == (getattr(Policy(), name) if name in POLICIES else getattr(Reading(), name, None)))


def _is_expected(command: CommandWithProtocol, name: str) -> bool:
    """Whether somebody could take a part of the protocol, which the command does not use, to be used.

    A title changes no number, nor does a seed where nothing is drawn. Tests are not expected of a command without any,
    which has none of their options.
    """
    if FROM[name][0] == "tests":
        return command.tested or option_of(command, name) is not None
    return FROM[name][0] != "" and name not in command.unasked


def _said(protocol: Protocol, name: str) -> Any:
    """What a protocol says of a parameter, as the command line has it; None where it says nothing."""
    match name:
        case "intent_weights":
            return protocol.weights
        case "topic_groups":
            return protocol.groups
        case "columns":
            columns = protocol.get("reading", "columns")
            odd = next((column for column in (columns or {}).values() if "," in str(column)), None)
            if odd is not None:
                text = (
                    f"{protocol.location.file} names the column {quoted(odd)}, and --columns separates columns by "
                    "commas"
                )
                raise UsageError(f"{text}: give another name to that column of the files")
            return columns and ",".join(f"{role}={column}" for role, column in columns.items())
    return protocol.get(*FROM[name])


def _refuse_unheeded(protocol: Protocol, command: click.Command, name: str, value: Any) -> None:
    """Raises: UsageError: numbers would be others than the protocol's."""
    if name in POLICIES and value != getattr(Policy(), name):
        option = "--" + name.replace("_", "-")
        raise UsageError(
            f"{protocol.location.file} says {option} {shown(value)}, and `{command.name}` has no such option"
        )
    if name == "topic_groups":
        raise UsageError(
            f"{protocol.location.file} has groups of topics, and `{command.name}` does not split topics: take them out "
            "of a copy of the protocol"
        )


def _among(given: str | Iterable[str], known: Iterable[str]) -> bool:
    """Whether all measures of a call are among those of a protocol, however they are spelled."""
    from cranfield.scoring import measures_of

    asked = [given] if isinstance(given, str) else list(given)
    return set(measures_of(asked)) <= set(measures_of(list(known)))


def _typed(given: Any) -> str:
    return shown(", ".join(map(str, given)) if isinstance(given, (tuple, list)) else str(given))
