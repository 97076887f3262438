"""A search for options that vanish: every option of every command in every table, beside the call without it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from pathlib import Path

import click
from command import Ended, cranfield
from option_inputs import (
    ARGUMENTS,
    ARGUMENTS_OF,
    CONDITIONS,
    FILES,
    MORE_TABLES,
    NEEDED,
    NUMBERS,
    OF_METAVARS,
    REPEATED,
    REQUIRED,
    TEXTS,
    find_numbers,
)

from cranfield.cli import COMMANDS, app

Words = tuple[str, ...]
CHOOSING = ("show", "method", "unjudged", "study", "score_files")
"""Options whose values are tables of their own, whatever their columns."""
OF_WORK = ("resume", "topic_layout", "memory", "executor")
"""Options about how a data set is worked on: the numbers are the same."""
NOT_TABLES = ("output", "protocol")
"""Options that choose no table."""
FOR_PROGRAMS = ("table", "tsv", "csv", "json")
SIGNATURE = re.compile(r"signature \S+|(?<![\w.])(?=\d*[a-f])[0-9a-f]{8,}(?!\w)")
"""What is left of a signature in a text for people."""


def list_commands() -> dict[str, click.Command]:
    """Every command that can be called and has options, by its words."""

    def walk(path: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield path, command
        for name, below in getattr(command, "commands", {}).items():
            yield from walk(f"{path} {name}", below)

    every = dict(pair for path in COMMANDS for pair in walk(path, app.commands[path]))
    return {path: command for path, command in every.items() if Table(path, command).options}


def find_values(option: click.Option) -> list[Words]:
    """Find values to try, as words of a call; none of them is the default.

    Raises:
        LookupError: no value of an option is known.
    """
    name, flag = str(option.name), max(option.opts, key=len)
    values: Words
    if option.is_flag:
        return [(flag,)]
    if name in REPEATED:
        return [tuple(word for value in REPEATED[name] for word in (flag, value))]
    if option.nargs > 1:
        return [(flag, "b.run", "e.run")]
    if isinstance(option.type, click.Choice):
        values = tuple(value for value in option.type.choices if value != option.default)
    elif option.type.name.startswith(("integer", "float")):
        values = NUMBERS.get(name) or find_numbers(name, option.type.name.partition(" ")[0])
    elif name in TEXTS or name in FILES:
        values = TEXTS.get(name) or (FILES[name],)
    elif is_derived(option):
        values = tuple(value for value in OF_METAVARS[option.metavar or ""] if value != option.default)
    elif option.hidden:
        values = ("nonsense",)
    else:
        raise LookupError(f"no value of {flag} ({name}) is known: add one to option_inputs.py on which it must show")
    return [(flag, value) for value in values]


def is_derived(option: click.Option) -> bool:
    """Whether values of a text follow from what its help says that it stands for."""
    by_hand = option.hidden or option.is_flag or option.name in (*TEXTS, *FILES, *REPEATED) or option.nargs > 1
    is_text = not isinstance(option.type, click.Choice) and not option.type.name.startswith(("integer", "float"))
    return not by_hand and is_text and (option.metavar or "") in OF_METAVARS


@dataclass(frozen=True)
class Outcome:
    """What a call did: how it ended, and the files that it wrote."""

    ended: Ended
    written: tuple[tuple[str, bytes], ...]

    @property
    def worked(self) -> bool:
        return self.ended.status not in (1, 2)

    @property
    def everything(self) -> object:
        return self.ended.status, self.ended.out, self.written

    @property
    def unsigned(self) -> object:
        """All but signatures, which name an option also where nothing follows from it."""
        try:
            document = json.loads(self.ended.out)
        except ValueError:
            document = SIGNATURE.sub("", self.ended.out)
        if isinstance(document, dict):
            document = {name: value for name, value in document.items() if name not in ("signature", "seal")}
        return self.ended.status, document, self.written

    @property
    def shape(self) -> object:
        """What kind of table it is: its columns."""
        try:
            document = json.loads(self.ended.out)
        except ValueError:
            return re.sub(r"[\d.]+", "0", self.ended.out.partition("\n")[0])
        if not isinstance(document, dict):
            return type(document).__name__
        rows = document.get("rows") or [{}]
        return (*sorted(document), "", *(rows[0] if isinstance(rows[0], dict) else ()))


@dataclass
class Caller:
    """Calls of commands in folders of inputs, each made once."""

    folders: Mapping[str, Path]
    made: dict[tuple[str, Words], Outcome] = field(default_factory=dict)

    def call(self, words: Words, variant: str = "plain") -> Outcome:
        """Call a command in the folder of a variant."""
        if (variant, words) not in self.made:
            with contextlib.chdir(self.folders[variant]):
                ended = cranfield(*words)
                files = [Path(parent, name) for parent, _, names in os.walk("out") for name in names]
                written = tuple((str(path), path.read_bytes()) for path in sorted(files))
                shutil.rmtree("out")
                Path("out").mkdir()
            self.made[variant, words] = Outcome(ended, written)
        return self.made[variant, words]


@dataclass(frozen=True)
class Table:
    """A table of a command.

    Args:
        path: the words of the command.
        command: the command.
        chosen: the options that choose the table.
        stored: whether scores are read instead of runs.
    """

    path: str
    command: click.Command
    chosen: Words = ()
    stored: bool = False

    @cached_property
    def options(self) -> list[click.Option]:
        """The options but that of the format, and those that choose the table."""
        return [
            option
            for option in self.command.params
            if isinstance(option, click.Option) and option.name != "format_" and not {*option.opts} & {*self.chosen}
        ]

    @cached_property
    def formats(self) -> Words:
        """The formats that the command writes."""
        option = next((option for option in self.command.params if option.name == "format_"), None)
        return tuple(option.type.choices) if option is not None and isinstance(option.type, click.Choice) else ()

    @cached_property
    def looked_at(self) -> list[Words]:
        """What asks for json and for the table for people, or for what is printed without a format."""
        if not self.formats or "--format" in self.chosen:
            return [()]
        return [*(("--format", name) for name in ("json", self.formats[0]) if name in self.formats), ()]

    def words(self, *more: str) -> Words:
        """The words of a call; ``more`` are options."""
        words = list(self.path.split())
        for parameter in self.command.params:
            name = str(parameter.name)
            if isinstance(parameter, click.Option):
                is_lacking = parameter.required and not {*parameter.opts} & {*self.chosen, *more}
                words += REQUIRED[name] if is_lacking else ()
            elif not self.stored:
                several = ARGUMENTS.get(f"{name}..." if parameter.nargs != 1 else name)
                words += ARGUMENTS_OF.get((self.path, name)) or several or ARGUMENTS[name]
        given = (*self.chosen, *more)
        words += [word for pair in NEEDED.get(self.path, ()) if pair[0] not in given for word in pair]
        return (*words, *given)


@dataclass(frozen=True)
class Finding:
    """What an option does to a table: ``shows``, ``refused`` or ``unnamed``, or what is wrong with it."""

    table: Table
    option: click.Option
    outcome: str
    words: Words = ()
    message: str = ""

    @property
    def is_shown(self) -> bool:
        return self.outcome == "shows"

    @property
    def is_right(self) -> bool:
        """Whether it shows, is refused by name, or is about how data sets are worked on, which shows nowhere."""
        works = self.option.name in OF_WORK and "--dataset" in self.table.chosen
        return works or self.outcome in ("shows", "refused")

    def __str__(self) -> str:
        stored = ["(stored scores)"] if self.table.stored else []
        chosen = " ".join([*self.table.chosen, *stored])
        return f"{self.outcome}: {self.table.path} [{chosen}] {' '.join(self.words)} {self.message}".strip()


def look(caller: Caller, table: Table, option: click.Option, variants: Words) -> Finding:
    """Find out what an option does to a table: the best of what any value does to any input.

    It shows where more than a signature changes. Else it must be refused wherever the call without it works.
    """
    worst = Finding(table, option, "untried", (max(option.opts, key=len),))
    for variant in variants:
        refused, ignored = None, None
        conditions = [(), *CONDITIONS.get(str(option.name), ())]
        for given, form, more in product(find_values(option), table.looked_at, conditions):
            before = caller.call(table.words(*form, *more), variant)
            after = caller.call(table.words(*form, *more, *given), variant)
            if not before.worked and not after.worked:
                continue
            if before.worked and after.ended.status == 2:
                refused = Finding(table, option, _judge_refusal(after, option, given), given, after.ended.err.strip())
            elif after.unsigned != before.unsigned:
                return Finding(table, option, "shows", given)
            else:
                what = "vanishes" if after.everything == before.everything else "only signed"
                ignored = Finding(table, option, what, given)
        if refused is not None and ignored is None:
            return refused
        worst = ignored or worst
    return worst


def _judge_refusal(outcome: Outcome, option: click.Option, given: Words) -> str:
    """Whether a refusal names the option, or contradicts it by its value or by another option."""
    error = outcome.ended.err.partition("cranfield: error: ")[2]
    return "refused" if any(word in error for word in (*option.opts, *given, "--", "-m ")) else "unnamed"


def find_tables(caller: Caller, path: str, command: click.Command) -> list[Table]:
    """The tables of a command: those with other columns, those of other formats, and those that options choose."""
    plain = Table(path, command)
    calls = [caller.call(plain.words(*form)) for form in plain.looked_at]
    form, base = next((pair for pair in zip(plain.looked_at, calls, strict=True) if pair[1].worked), ((), calls[-1]))
    assert base.worked, base.ended.err
    tables, shapes = [plain], {base.shape}
    for option in plain.options:
        for given in find_values(option) if option.name not in NOT_TABLES else []:
            table = replace(plain, chosen=given, stored=option.name == "score_files")
            outcome = caller.call(table.words(*form))
            if outcome.worked and (outcome.shape not in shapes or option.name in CHOOSING):
                shapes.add(outcome.shape)
                tables.append(table)
    others = [replace(plain, chosen=("--format", name)) for name in plain.formats if name not in FOR_PROGRAMS]
    tables += [table for table in others if caller.call(table.words()).worked]
    return [*tables, *(replace(plain, chosen=chosen) for chosen in MORE_TABLES.get(path, ()))]
