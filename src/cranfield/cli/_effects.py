"""Options that would change nothing of what a call prints are refused by name: silence would be taken for an effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield.errors import UsageError
from cranfield.io.system_names import expanded

if TYPE_CHECKING:
    from cranfield.declarations.analysis import Analysis


def refuse_without_effect(context: click.Context, names: Iterable[str], why: str) -> None:
    """Refuse options that were given on the command line where they have no effect; a protocol may set them.

    Args:
        context: of the call.
        names: parameters.
        why: the end of the sentence ``--option changes nothing``, such as ``with --show order``.

    Raises:
        UsageError: one of them was given.
    """
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = next(parameter for parameter in context.command.params if parameter.name == name)
            called = (option.metavar or name).strip("[]") if isinstance(option, click.Argument) else ""
            raise UsageError(f"{called or max(option.opts, key=len)} changes nothing {why}: leave it out")


def check_systems(analysis: Analysis, source: Any, options: Mapping[str, Any]) -> None:
    """Raise UsageError for a number of runs that the analysis does not take, before any is read."""
    if analysis.facts.check_systems is not None and (runs := getattr(source, "runs", source).paths):
        analysis.facts.check_systems(sum(len(expanded(run)) for run in runs), options)
