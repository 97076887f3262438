"""``QRELS OLD_RUN NEW_RUN``: files of which an analysis is told what part each has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._completion import complete_files
from cranfield.cli._options import intent_options, measure_option
from cranfield.cli._runs_input import RunsInput, reading_options, take_runs
from cranfield.declarations.analysis import FromRoles, Role
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.results.result import Result


def list_options(inputs: FromRoles) -> list[Callable[..., Any]]:
    """List the arguments and options that name files, and those that say how these are read."""
    qrels = click.argument("qrels", metavar="QRELS", shell_complete=complete_files)
    measures = measure_option(", ".join(inputs.default), several=inputs.measures == "several")
    return [qrels, *map(_make_parameter, inputs.roles), measures, intent_options, reading_options]


def take_input(inputs: FromRoles, arguments: Mapping[str, Any], table: str) -> RolesInput:
    """Take the files of a call.

    Raises:
        UsageError: several measures, where one is taken.
    """
    from cranfield.cli._scores_input import refuse_unread_rel

    measures = list(arguments["measures"])
    if inputs.measures == "one" and len(measures) > 1:
        raise UsageError("this command takes one measure at a time: give -m once")
    refuse_unread_rel(measures or inputs.default)
    runs, remaining = take_runs(arguments)
    return RolesInput(inputs, runs, {role.name: remaining[role.name] for role in inputs.roles}, measures)


@dataclass(frozen=True)
class RolesInput:
    """The files of a call.

    Args:
        inputs: what the analysis works on.
        runs: the judgments, and how all files are read.
        named: the files of each role, by its name.
        measures: those that are requested.
    """

    inputs: FromRoles
    runs: RunsInput
    named: Mapping[str, Any]
    measures: list[str]

    def call(self, function: Callable[..., Result], options: Mapping[str, Any]) -> Result:
        """Call the function of an analysis."""
        required = [self.named[role.name] for role in self.inputs.roles if role.required]
        others = {role.name: self.named[role.name] for role in self.inputs.roles if not role.required}
        chosen = self.measures or list(self.inputs.default)
        # One text may hold several measures, which the function itself refuses.
        measures = chosen[0] if self.inputs.measures == "one" else chosen
        return function(*required, self.runs.qrels, measures, **others, **options, reading=self.runs.reading)

    def list_topics(self) -> list[str]:
        """List the judged topics, in order of first appearance.

        Raises:
            UsageError: standard input, which cannot be read again for each group.
        """
        from cranfield.cli._topic_groups import list_topics

        return list_topics({"source": self, **self.named})

    def within(self, topics: Any) -> RolesInput:
        """The same, restricted to topics."""
        return replace(self, runs=self.runs.restricted(topics))


def _make_parameter(role: Role) -> Callable[..., Any]:
    """Make the argument or the option that names the files of a role."""
    if not role.meaning:
        return click.argument(role.name, metavar=role.metavar, shell_complete=complete_files)

    def check(context: click.Context, option: click.Parameter, value: Any) -> Any:
        """Raise UsageError for an option in place of a file, which the parser would take for one."""
        for name in value if role.count > 1 and value else ():
            if name.startswith("--"):
                text = f"--{role.name.replace('_', '-')} takes {role.order}, and {name} is an option"
                raise click.UsageError(text, context)
        return value

    return click.option(
        f"--{role.name.replace('_', '-')}",
        role.name,
        nargs=role.count,
        required=role.required,
        metavar=" ".join([role.metavar] * role.count),
        callback=check,
        help=role.meaning,
    )
