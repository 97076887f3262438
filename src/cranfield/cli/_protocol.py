"""``--protocol FILE``: the values of a protocol become the defaults of a call's options."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield._text import in_full, quoted, shown
from cranfield.cli._errors import print_to_stderr
from cranfield.cli._help import FoldedHelp
from cranfield.collection.policy import POLICIES, Policy
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.protocol import Protocol

OTHERWISE = {("intents", "weights"): "intent_weights", ("groups", "path"): "topic_groups"}
"""Table and key -> the parameter, where it has another name."""
OF_FILES = ("protocol", "command", "path", "sha256", "column")
"""Keys that describe the protocol, and the files that it names."""


@functools.cache
def list_keys() -> dict[str, tuple[str, str]]:
    """Parameter of a command -> table and key of a protocol, in the order of ``cranfield.protocol``."""
    from cranfield.protocol import KEYS

    every = [(table, key) for table, keys in KEYS.items() for key in keys]
    named = [place for place in every if place in OTHERWISE or place[1] not in OF_FILES]
    return {OTHERWISE.get(place, place[1]): place for place in named}


def find_protocol(command: click.Command, context: click.Context, args: Sequence[str]) -> tuple[str, bool] | None:
    """Return the protocol that a call names, and whether that may name files outside its folder; None without one.

    Other errors of the call are reported later.
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


def find_parameter(command: click.Command, name: str) -> click.Parameter | None:
    """Find a parameter by its name."""
    return next((parameter for parameter in command.params if parameter.name == name), None)


class CommandWithProtocol(FoldedHelp):
    """A command that takes its options from a protocol.

    Args:
        tested: whether it runs the tests that a protocol describes.
        unset_by_protocol: parameters that a protocol does not set, since they mean something else here.
    """

    def __init__(
        self, *arguments: Any, tested: bool = False, unset_by_protocol: tuple[str, ...] = (), **attributes: Any
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.tested, self.unset_by_protocol = tested, unset_by_protocol

    def takes(self, name: str) -> bool:
        """Return whether a protocol sets this parameter."""
        return name not in self.unset_by_protocol and (list_keys()[name][0] != "tests" or self.tested)


@dataclass(frozen=True)
class AppliedProtocol:
    """A protocol that is applied to a call.

    Args:
        protocol: the protocol that the call names.
        values: parameter -> its value in the protocol.
    """

    protocol: Protocol
    values: dict[str, Any]

    @property
    def file(self) -> str:
        """The name of the protocol file, safe to print."""
        return in_full(self.protocol.location.path)

    def list_arguments(self, command: click.Command) -> list[str]:
        """Return QRELS as an argument, where the command takes it."""
        path = self.protocol.path_of("qrels")
        taken = any(
            isinstance(parameter, click.Argument) and parameter.name in ("qrels", "paths")
            for parameter in command.params
        )
        if not taken or path is None:
            return []
        return [f"./{path}" if path.startswith("-") else path]

    def refuse_contradictions(self, command: click.Command, context: click.Context) -> None:
        """Raise UsageError where an option contradicts the protocol."""
        if context.params.get("score_files"):
            raise UsageError("--protocol says how runs are scored; --scores FILE is scored already")
        for path in self.list_arguments(command):
            if path in (context.params.get("runs") or (context.params.get("paths") or ())[1:]):
                raise UsageError(f"{self.file} names the judgments, {in_full(path)}: leave them out of the call")
        for name, value in self.values.items():
            if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
                continue
            parameter, typed = find_parameter(command, name), context.params[name]
            assert parameter is not None, "values are those of parameters"
            if name in ("measure", "measures"):
                agrees = _are_among(typed, self.protocol.measures)
            else:
                agrees = typed == parameter.process_value(context, value)
            if not agrees:
                contradiction = f"{parameter.opts[0]} {_show_value(typed)} contradicts {self.file}"
                raise UsageError(
                    f"{contradiction}, which says {_show_value(value)}: leave the option out, or change the protocol"
                )


def apply_protocol(
    path: str, command: CommandWithProtocol, context: click.Context, *, outside: bool
) -> AppliedProtocol:
    """Read a protocol, check its files, and make its values the defaults of a call.

    Args:
        path: the file of the protocol.
        command: the command that is called.
        context: the context of the call.
        outside: whether the protocol may name files outside its folder.

    Raises:
        InputError: the protocol, or a file that it names, is refused.
        UsageError: it sets something that the command cannot do.
    """
    from cranfield.protocol import Protocol

    protocol = Protocol.read(path, outside=outside)
    protocol.check_measures()
    protocol.check_files()
    stated = {name: value for name in list_keys() if (value := _read_value(protocol, name)) is not None}
    values: dict[str, Any] = {}
    unused = []
    for name, value in stated.items():
        parameter = find_parameter(command, name) if command.takes(name) else None
        if name == "baseline" and parameter is not None and not parameter.multiple:
            values[name] = _only_baseline(protocol, command, value)
        elif parameter is not None:
            values[name] = [str(value)] if parameter.multiple and not isinstance(value, list) else value
        else:
            if command.takes(name):
                _refuse_unused(protocol, command, name, value)
            if not _is_default(name, value) and _is_expected(command, name):
                unused.append(".".join(filter(None, list_keys()[name])))
    if unused:
        print_to_stderr(
            f"cranfield: warning: `{command.name}` does not use {', '.join(unused)} of "
            f"{in_full(protocol.location.file)}"
        )
    if find_parameter(command, "measure") is not None and "measure" not in command.unset_by_protocol:
        values["measure"] = ",".join(protocol.measures)
    context.default_map = values
    return AppliedProtocol(protocol, values)


def _only_baseline(protocol: Protocol, command: click.Command, names: list[str]) -> str:
    """Return the baseline of a protocol; raise UsageError where it names several and the command compares with one."""
    if len(names) > 1:
        raise UsageError(
            f"{protocol.location.file} names {len(names)} baselines ({', '.join(map(shown, names))}), and "
            f"`{command.name}` compares with one: take the others out of a copy of the protocol"
        )
    return names[0]


def _is_default(name: str, value: Any) -> bool:
    """Return whether a value is the default, so that it holds without the protocol too."""
    from cranfield.collection.reading import InputOptions

    return bool(value == getattr(InputOptions(), name, None))


def _is_expected(command: CommandWithProtocol, name: str) -> bool:
    """Return whether a user would expect a command to use a part of the protocol.

    A title changes no number, nor does a seed where nothing is drawn; and a command without tests has none of their
    options.
    """
    if list_keys()[name][0] == "tests":
        return command.tested or find_parameter(command, name) is not None
    return list_keys()[name][0] != "" and name not in command.unset_by_protocol


def _read_value(protocol: Protocol, name: str) -> Any:
    """Read the value of a parameter from a protocol, as the command line writes it; None where it has none."""
    match name:
        case "intent_weights":
            return protocol.weights
        case "topic_groups":
            return protocol.groups
        case "labels":
            labels = protocol.get("reading", "labels") or {}
            return _join_pairs(protocol, name, labels, [*labels])
        case "columns":
            columns = protocol.get("reading", "columns") or {}
            return _join_pairs(protocol, name, columns, columns.values())
    return protocol.get(*list_keys()[name])


def _join_pairs(protocol: Protocol, name: str, pairs: Mapping[str, Any], texts: Iterable[Any]) -> str | None:
    """Join pairs as the command line writes them; None where there are none.

    Raises:
        UsageError: one of the texts holds a comma, which separates pairs there.
    """
    odd = next((text for text in texts if "," in str(text)), None)
    if odd is not None:
        text = f"{protocol.location.file} names {quoted(odd)}, and --{name} separates them by commas"
        raise UsageError(f"{text}: write it otherwise in the files")
    return ",".join(f"{key}={value}" for key, value in pairs.items()) or None


def _refuse_unused(protocol: Protocol, command: click.Command, name: str, value: Any) -> None:
    """Raise UsageError where the numbers would not be those of the protocol."""
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


def _are_among(typed: str | Iterable[str], known: Iterable[str]) -> bool:
    """Return whether all measures of a call are among those of a protocol, whatever their spelling."""
    from cranfield.scoring import read_measures

    names = [typed] if isinstance(typed, str) else list(typed)
    return set(read_measures(names)) <= set(read_measures(list(known)))


def _show_value(value: Any) -> str:
    match value:
        case list() | tuple():
            return shown(", ".join(map(str, value)))
        case Mapping():
            return shown(",".join(f"{key}={item}" for key, item in value.items()))
    return shown(str(value))
