"""Options of declared analyses as options of a command, and their values as the function takes them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import click
from click.core import ParameterSource

from cranfield._text import every_one, quoted, shown
from cranfield._validation import describe_choices
from cranfield.cli._completion import complete_measures
from cranfield.cli._option_names import VIEW
from cranfield.cli._options import TEXTS
from cranfield.cli._output import check_output_path
from cranfield.cli._registry import DECLARED
from cranfield.declarations.analysis import Analysis, AnalysisFacts, ListedAnalysis, View
from cranfield.declarations.checks import GIVEN, check_options
from cranfield.declarations.option import OptionFacts, name_in_shell, name_options
from cranfield.errors import UsageError


class Choice(click.Choice[str]):
    """A choice that is refused in the words of the analysis itself."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word, or several with commas; Click has one sentence for a wrong one, and Python another."""
        for word in str(value).split(",") if param is not None and param.multiple else [value]:
            if word not in self.choices and param is not None:
                flag = max(param.opts, key=len)
                raise UsageError(f"{flag} {shown(word)} {describe_choices(word, self.choices)}")
        return str(value)


class DeclaredOption(click.Option):
    """An option of an analysis, with the heading that it has in the help where its name does not tell."""

    def __init__(self, *arguments: Any, heading: str = "", **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.heading = heading


LONGEST = 30
"""Characters of choices that stand in the flags' column of the help; longer ones stand in the text."""


def make_option(option: OptionFacts, declared: ListedAnalysis) -> Callable[..., Any]:
    """Make the option of a command."""
    flags = name_in_shell({name: other.flags[0] for name, other in declared.every_option.items()})
    text = name_options(option.option.meaning, flags)
    heading = "page" if option.name in declared.paging else option.option.heading
    if option.kind == "flag":
        return click.option(*option.flags, option.name, cls=DeclaredOption, heading=heading, is_flag=True, help=text)
    having = [one for one in declared.functions if option.name in one.options]
    parts = [text.removesuffix(".")]
    settings: dict[str, Any] = {"type": {"integer": int, "number": float}.get(option.kind, str)}
    settings |= {"cls": DeclaredOption, "heading": heading}
    settings |= {"type": str} if option.named else {}
    if option.kind == "choice":
        alike = all(set(one.options[option.name].choices) == set(option.choices) for one in having)
        settings["type"] = Choice(option.choices) if alike else str
        settings |= {} if alike else {"metavar": f"[{'|'.join(option.choices)}]"}
        if len("|".join(option.choices)) > LONGEST:
            # Below a heading that says it already the choices do.
            said = [] if parts[0] == option.option.heading else [f"{parts[0]}: "]
            parts = [*said, f"{', '.join(option.choices[:-1])} or {option.choices[-1]}"]
            settings["metavar"] = "NAME"
    if option.option.metavar:
        settings["metavar"] = option.option.metavar
    if option.option.metavar == "MEASURE":
        settings["shell_complete"] = complete_measures
    if option.several or option.named or option.name in [one.facts.each for one in declared.functions]:
        settings["multiple"] = True
        parts.append("; repeat")
    parts.append(".")
    defaults = _defaults(option, declared)
    if len(defaults) > 1 or (settings.get("multiple") and not (option.several or option.named) and option.default):
        parts.append(f"  [default: {'; '.join(defaults)}]")
    elif option.option.default:
        parts.append(f"  [default: {option.option.default}]")
    elif option.named and option.default is not None:
        parts.append(f"  [default: {option.default:g}]")
    elif option.name in declared.every_option and option.name not in declared.options:
        # Of a further function alone: whether it was given says something, as in a protocol.
        parts.append(f"  [default: {option.default}]" if option.default not in (None, ()) else "")
    elif option.default not in (None, (), ""):
        settings |= {"default": option.default, "show_default": True}
    return click.option(*option.flags, option.name, required=option.required, help="".join(parts), **settings)


def _defaults(option: OptionFacts, declared: ListedAnalysis) -> list[str]:
    """The defaults of an option in the functions of a command: one, or each with its tables where they differ."""
    having = [one for one in declared.functions if option.name in one.options]
    if len({repr(one.options[option.name].default or None) for one in having}) < 2:
        return [str(option.default)]
    written = [f"{one.options[option.name].default} with {list_choices(one.facts.views, declared)}" for one in having]
    return [str(option.default), *written[1:]]


def list_choices(views: Sequence[View], declared: ListedAnalysis) -> str:
    """List the tables as a call chooses them: ``--show systems and movers``; one without a choice by its name."""
    named = list(dict.fromkeys(view.name for view in views if not view.flags))
    shown = "--show" if sum(not view.flags for view in declared.views) > 1 else "the table of"
    flagged = dict.fromkeys(view.choice for view in views if view.flags)
    return every_one([*([f"{shown} {every_one(named)}"] if named else []), *flagged])


def declared_options(path: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command that is written by hand the options of its function, which are checked before it is called."""
    declared = DECLARED[path]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def checked(**arguments: Any) -> Any:
            analysis = declared.load()
            options = {name: read_value(analysis.options[name], arguments[name]) for name in declared.options}
            analysis.check(options)
            return command(**{**arguments, **options})

        decorated: Callable[..., Any] = checked
        for option in reversed(list(declared.options.values())):
            decorated = make_option(option, declared)(decorated)
        return decorated

    return decorate


def read_value(option: OptionFacts, value: Any) -> Any:
    """The value of an option as the function takes it: none, or an empty list, is the default.

    Raises:
        UsageError: a value for a name is not written ``NAME=VALUE``.
    """
    if value is None or (isinstance(value, tuple) and not value):
        return option.default
    if option.option.read:
        module, name = option.option.read.split(":")
        return getattr(import_module(module), name)(value)
    if option.named:
        return _read_named(option, value)
    if isinstance(value, tuple) and option.kind == "choice":
        return tuple(word for words in value for word in words.split(","))
    return value


def _read_named(option: OptionFacts, texts: Sequence[str]) -> Any:
    """Read ``NAME=VALUE`` for each name, or one value for all."""
    from cranfield.cli._scores_input import parse_named_numbers

    flag = max(option.flags, key=len)
    if option.kind == "number":
        return parse_named_numbers(flag, texts)
    named: dict[str, list[str]] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise UsageError(f"{flag} {quoted(text)}: expected {option.option.metavar}")
        named.setdefault(name, []).append(value)
    return named


def take_each(analysis: Analysis, options: Mapping[str, Any], chosen: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The options of each call: several, where an option has several values of which the function takes one.

    Args:
        analysis: what is called.
        options: of the command.
        chosen: what a rule knows besides, as the ``table``.
    """
    each = analysis.facts.each
    values = options.get(each)
    if not isinstance(values, tuple):
        return [dict(options)]
    calls = [{**options, each: value} for value in dict.fromkeys(values)]
    for rule in analysis.facts.rules:
        refused = [call for call in calls if each in rule.where and rule.holds(analysis.options, {**call, **chosen})]
        for call in refused if len(refused) < len(calls) else ():
            for name, wanted in rule.where.items():  # what is given for another value is left out with this one
                if wanted == GIVEN:
                    call[name] = analysis.options[name].default
    return calls


def check_page(facts: AnalysisFacts, output: str | None, format_: str) -> bool:
    """Check the path of the output, and say whether a page is written: it shows all rows and no single table.

    Raises:
        UsageError: an option of a printed table stands beside a page.
    """
    is_page = bool(facts.page) and output is not None and output.lower().endswith((".html", ".htm"))
    context = click.get_current_context()
    for name, option in (("show", "--show"), ("limit", "--limit"), ("format_", "--format")) if is_page else ():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(f"{option} is for a table, and -o FILE.html writes a page of all rows: leave one out")
    from cranfield.io.filesystem import is_address  # what few calls need

    # A store of parts at an address checks itself, as parts there may be taken over.
    if not (facts.writes and format_ == "parquet" and is_address(str(output))):
        check_output_path(output, folder=format_ == "parquet", page=is_page)
    return is_page


def refuse_limit(limit: int | None, declared: ListedAnalysis, view: View | None) -> None:
    """Raise UsageError for a limit of a table that has no pairs."""
    if limit is not None and not (view and view.pairs):
        elsewhere = " or ".join(other.choice for other in declared.views if other.pairs)
        verb = "take" if elsewhere.startswith("--show") else "add"
        elsewhere = f"{verb} {elsewhere}, or " if elsewhere else ""
        usual = [other for other in declared.views if not other.flags]
        elsewhere = f"leave {view.choice} out, or " if view and len(usual) == 1 and usual[0].pairs else elsewhere
        raise UsageError(f"--limit is about pairs, and this table has none: {elsewhere}leave it out")


def refuse_correction(analysis: Analysis, options: Mapping[str, Any]) -> None:
    """Raise UsageError for a correction within each group, where tests are corrected over all groups."""
    declared, value = analysis.options.get("correction"), options.get("correction")
    if declared is not None and declared.is_set(value) and value != "holm":
        raise UsageError(f"--across-groups holm contradicts --correction {value}: leave one of them out")


def view_options(views: Sequence[View]) -> list[Callable[..., Any]]:
    """The options that choose one of the tables."""
    flagged = [
        click.option(*view.flags, view_parameter(view), is_flag=True, help=view.meaning)
        for view in views
        if view.flags and not view.given
    ]
    named = [view for view in views if not view.flags]
    if len(named) < 2:
        return flagged
    meanings = " ".join(f"{view.name}: {view.meaning}" for view in named)
    choice = Choice([view.name for view in named])
    long: dict[str, Any] = {"metavar": "TABLE"} if len("|".join(choice.choices)) > 2 * LONGEST else {}
    show = click.option("--show", type=choice, default=named[0].name, show_default=True, help=meanings, **long)
    return [*flagged, show]


def view_parameter(view: View) -> str:
    """The parameter of the flag that chooses a table."""
    return f"{VIEW}{view.name}"


def take_printing(declared: ListedAnalysis, called: ListedAnalysis, arguments: dict[str, Any]) -> dict[str, Any]:
    """Take the options that say how results are written out of the arguments, and return those of what is called.

    Raises:
        UsageError: a value that one of them does not take.
    """
    every = {name: arguments.pop(name) for name in declared.every_printing}
    shape = {name: every[name] for name in called.printing}
    check_options(called.printing, (), shape)
    return shape


def refuse_format(
    declared: ListedAnalysis, called: ListedAnalysis, view: View | None, format_: str, output: str | None
) -> None:
    """Raise UsageError for a format that the table of a call does not have."""
    if format_ not in declared.formats:
        return
    own = (*called.facts.formats, *(view.formats if view is not None else ()))
    if format_ not in own:
        others = [other for other in called.facts.views if format_ in other.formats]
        instead = f"add {list_choices(others, declared)}" if others else f"use {', '.join((*TEXTS, *own))}"
        raise UsageError(f"--format {format_} has no room for this table: {instead}")
    if format_ == "parquet" and output is None:
        raise UsageError("--format parquet writes a folder or a file: add -o scores/ or -o scores.parquet")


def take_paging(declared: ListedAnalysis, arguments: dict[str, Any], *, is_page: bool) -> dict[str, Any]:
    """Take the options of a page out of the arguments.

    Raises:
        UsageError: one of them is given, and no page is written; or it has a value that it does not take.
    """
    options = {name: read_value(own, arguments.pop(name)) for name, own in declared.paging.items()}
    check_options(declared.paging, (), options)
    given = next((own for name, own in declared.paging.items() if own.is_set(options[name])), None)
    if given is not None and not is_page:
        raise UsageError(f"{given.flags[0]} is for a page: write one with -o FILE.html, or leave it out")
    return options
