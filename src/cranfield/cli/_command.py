"""The class of commands that read runs: all of them take ``--protocol``, and most ``--keep-going``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from cranfield._validation import one_or_more
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._protocol import CommandWithProtocol, apply_protocol, find_protocol
from cranfield.memory import analysing, require_address_space

LEFT_OUT = 5
"""Exit status where runs were left out and all else went well."""
LIBRARIES = 600_000_000
"""Address space in bytes that pandas, SciPy and PyArrow take before an analysis begins."""
SHARED = ("protocol", "protocol_outside", "keep_going")
"""Options that are handled here and not passed to the command."""


class CommandOfRuns(CommandWithProtocol):
    """A command that reads runs.

    Args:
        forgiving: whether it continues after a broken run in any case.
        needs_all: whether it is about these very runs, so that none can be left out.
        first_is_baseline: whether the first run is the baseline where none is named.
        loads_libraries: whether it needs pandas and SciPy, which need address space.
    """

    def __init__(
        self,
        *arguments: Any,
        forgiving: bool = False,
        needs_all: bool = False,
        first_is_baseline: bool = False,
        loads_libraries: bool = False,
        **attributes: Any,
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.first_is_baseline = first_is_baseline
        self.loads_libraries = loads_libraries
        self.params += [
            click.Option(
                ["--protocol"],
                metavar="FILE",
                help="Take QRELS, measures, policies, groups, tests and seed from this TOML file (then omit QRELS). "
                "Create one with `cranfield protocol init`.",
            ),
            click.Option(
                ["--protocol-outside"],
                is_flag=True,
                help="Let the protocol name files outside its folder.",
            ),
        ]
        if not (forgiving or needs_all):
            self.params.append(
                click.Option(
                    ["--keep-going"],
                    is_flag=True,
                    help="Skip unreadable runs, list them, use the others, and exit with status "
                    f"{LEFT_OUT}. An unreadable baseline is still an error.",
                )
            )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse a call, of which a protocol may set a part."""
        named = find_protocol(self, ctx, args)
        if named is None:
            remaining = super().parse_args(ctx, args)
            refuse_without_effect(ctx, ["protocol_outside"], "without --protocol")
            return remaining
        path, outside = named
        protocol = apply_protocol(path, self, ctx, outside=outside)
        qrels = protocol.list_arguments(self)
        remaining = super().parse_args(ctx, [*qrels, *args])
        protocol.refuse_contradictions(self, ctx)
        return remaining

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; where runs were left out, it exits with a status of its own."""
        assert self.callback is not None, "every command has a function"
        _name_baselines(ctx.params)
        call = functools.partial(
            ctx.invoke, self.callback, **{name: value for name, value in ctx.params.items() if name not in SHARED}
        )
        if self.loads_libraries:
            require_address_space(LIBRARIES)
        with analysing(ctx.command_path.partition(" ")[2]):
            return self._called(call, ctx) if ctx.params.get("keep_going") else call()

    def _called(self, call: Callable[[], Any], ctx: click.Context) -> Any:
        from cranfield.io.skipped_runs import leaving_out

        parameters = ctx.params
        stored = parameters.get("against") is not None
        named = () if stored else one_or_more(parameters.get("baseline") or ())
        with leaving_out(named, first=self.first_is_baseline and not (stored or named)) as left:
            try:
                call()
            except SystemExit as ended:
                if ended.code or not left:
                    raise
        if left:
            raise SystemExit(LEFT_OUT)
        return None


def _name_baselines(params: dict[str, Any]) -> None:
    """Let a baseline that is named by one of the files of runs be called as its system is."""
    named = params.get("baseline") or ()
    files = params.get("runs") or params.get("paths", ())[1:]
    if not named or not files or params.get("names") == "tag":
        return
    from cranfield.io.system_names import expanded, system_names

    paths = list(dict.fromkeys(path for file in files for path in expanded(file)))
    if not {*one_or_more(named)} & {*paths}:
        return
    systems = dict(zip(paths, system_names(paths), strict=True))
    alone = isinstance(named, str)
    params["baseline"] = systems.get(named, named) if alone else tuple(systems.get(name, name) for name in named)


command_of_runs = functools.partial(click.command, cls=CommandOfRuns)
"""``click.command`` for a command that reads runs."""
