"""Commands that read runs: all of them take a protocol, and leave out broken runs where they are asked to."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from cranfield.cli._protocol import CommandWithProtocol, apply_protocol, protocol_of
from cranfield.memory import analysing, require_address_space

LEFT_OUT = 5
"""Exit status where all went well but for runs that were left out."""
LIBRARIES = 600_000_000
"""Bytes of addresses that pandas, SciPy and PyArrow take, before an analysis begins."""
ANALYSES = {
    *("audit", "bayes", "budget", "compare", "gate", "headroom", "judges", "prefer", "reliability", "report"),
    *(
        "reproduce",
        "risk",
        "scales",
        "select-topics",
        "sensitivity",
        "stability",
        "standardize",
        "study-tests",
        "table",
    ),
}
"""Commands that load these libraries."""
SHARED = ("protocol", "protocol_outside", "keep_going")
"""Options that commands themselves know nothing of."""


class CommandOfRuns(CommandWithProtocol):
    """A command that reads runs.

    Args:
        forgiving: whether it goes on after a broken run anyway.
        whole: whether it is about these runs, so that none can be left out.
        first: whether the first run is the baseline where none is named.
    """

    def __init__(
        self, *arguments: Any, forgiving: bool = False, whole: bool = False, first: bool = False, **attributes: Any
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.first = first
        self.params += [
            click.Option(
                ["--protocol"],
                metavar="FILE",
                help="QRELS, measures, policies, groups, tests and seed as this file (TOML) says, so that QRELS is "
                "left out; `cranfield protocol init` writes one.",
            ),
            click.Option(
                ["--protocol-outside"],
                is_flag=True,
                help="Let the protocol name files that are not in its folder, nor in one below.",
            ),
        ]
        if not (forgiving or whole):
            self.params.append(
                click.Option(
                    ["--keep-going"],
                    is_flag=True,
                    help="Leave out runs that are refused, but no baseline, name them, go on with the others, and end "
                    f"with {LEFT_OUT}.",
                )
            )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse a call, of which a protocol may say a part."""
        named = protocol_of(self, ctx, args)
        if named is None:
            return super().parse_args(ctx, args)
        path, outside = named
        protocol = apply_protocol(path, self, ctx, outside=outside)
        first = protocol.arguments(self)
        rest = super().parse_args(ctx, [*first, *args])
        protocol.refuse_contradictions(self, ctx)
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run it; with runs left out, it ends with a status of its own."""
        assert self.callback is not None, "a command does something"
        _name_baselines(ctx.params)
        call = functools.partial(
            ctx.invoke, self.callback, **{name: value for name, value in ctx.params.items() if name not in SHARED}
        )
        if self.name in ANALYSES:
            require_address_space(LIBRARIES)
        with analysing(ctx.command_path.partition(" ")[2]):
            return self._called(call, ctx) if ctx.params.get("keep_going") else call()

    def _called(self, call: Callable[[], Any], ctx: click.Context) -> Any:
        from cranfield.io.skipped_runs import leaving_out

        given = ctx.params
        stored = given.get("against") is not None
        named = () if stored else (*(given.get("baselines") or ()), *filter(None, [given.get("baseline")]))
        with leaving_out(named, first=self.first and not (stored or named)) as left:
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
    named = params.get("baselines") or params.get("baseline")
    files = params.get("runs") or params.get("paths", ())[1:]
    if not named or not files or params.get("names") == "tags":
        return
    from cranfield.io.system_names import expanded, system_names

    one_name = isinstance(named, str)
    if not any("/" in name or "." in name for name in ([named] if one_name else named)):
        return
    paths = list(dict.fromkeys(path for file in files for path in expanded(file)))
    names = dict(zip(paths, system_names(paths), strict=True))
    key = "baseline" if one_name else "baselines"
    params[key] = names.get(named, named) if one_name else tuple(names.get(name, name) for name in named)


command_of_runs = functools.partial(click.command, cls=CommandOfRuns)
"""``click.command`` for a command that reads runs."""
