"""Every option of every command in every table: which change what is printed, are refused, or vanish."""

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
from option_inputs import ARGUMENTS, ARGUMENTS_OF, CONDITIONS, FILES, MORE_TABLES, NEEDED, NUMBERS, REQUIRED, TEXTS, USUAL

from cranfield.cli import app
from cranfield.cli._registry import COMMANDS

Words = tuple[str, ...]
SIGNATURE = re.compile(r"signature \S+|[0-9a-f]{8,}|\{.*\}")
TABLES = ("show", "method", "unjudged", "study")
"""Options whose values are tables of their own, whatever their columns."""


def list_commands() -> dict[str, click.Command]:
    """Every command that can be called, by its words."""

    def walk(path: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
        below = getattr(command, "commands", {}) if isinstance(command, click.Group) else {}
        if not below or getattr(command, "invoke_without_command", False):
            yield path, command
        for name, other in below.items():
            yield from walk(f"{path} {name}", other)

    return dict(pair for path in COMMANDS for pair in walk(path, app.commands[path]))


def find_values(option: click.Option) -> list[Words]:
    """Values to try, as words of a call; none of them is the default.

    Raises:
        LookupError: nothing is known about a text.
    """
    name, flag = str(option.name), max(option.opts, key=len)
    if option.is_flag:
        return [(flag,)]
    if name in REQUIRED and option.nargs > 1:
        return [(flag, *("b.run", "e.run"))]
    if isinstance(option.type, click.Choice):
        values: Words = tuple(value for value in option.type.choices if value != option.default)
    elif option.type.name.startswith(("integer", "float")):
        values = NUMBERS.get(name, USUAL[option.type.name.partition(" ")[0]])
    elif name in TEXTS:
        values = TEXTS[name]
    elif name in FILES:
        values = (FILES[name],)
    elif name.startswith("other_"):
        values = ("nonsense",)
    else:
        raise LookupError(f"no value of {flag} ({name}) is known: add one to option_inputs.py")
    return [(flag, value) for value in values]


@dataclass(frozen=True)
class Outcome:
    """What a call did: its status, output, message, and the files that it wrote."""

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
        """All of it but for signatures, which name an option also where nothing follows from it."""
        try:
            document = json.loads(self.ended.out)
        except ValueError:
            return self.ended.status, SIGNATURE.sub("", self.ended.out), len(self.written)
        if isinstance(document, dict):
            document.pop("signature", None)
        return self.ended.status, document, len(self.written)

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
    calls: int = 0

    def call(self, words: Words, variant: str = "plain") -> Outcome:
        """Make a call in the folder of a variant."""
        if (variant, words) not in self.made:
            folder = self.folders[variant]
            self.calls += 1
            with contextlib.chdir(folder):
                ended = cranfield(*words)
                files = [Path(parent, name) for parent, _, names in os.walk("out") for name in names]
                written = tuple((str(path), path.read_bytes()) for path in sorted(files))
                shutil.rmtree("out")
                Path("out").mkdir()
            self.made[variant, words] = Outcome(ended, written)
        return self.made[variant, words]


@dataclass(frozen=True)
class Table:
    """A table of a command: the options that choose it.

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
        options = [option for option in self.command.params if isinstance(option, click.Option)]
        return [option for option in options if option.name not in ("help", "format_")]

    @cached_property
    def formats(self) -> list[Words]:
        """The formats to look at: json and the table, or the one that was chosen."""
        option = next((option for option in self.command.params if option.name == "format_"), None)
        if option is None or "--format" in self.chosen:
            return [()]
        assert isinstance(option.type, click.Choice)
        return [*(("--format", name) for name in ("json", option.type.choices[0]) if name in option.type.choices), ()]

    def words(self, format_: Words, more: Words = ()) -> Words:
        """The words of a call."""
        words = list(self.path.split())
        for parameter in self.command.params:
            if isinstance(parameter, click.Option):
                if parameter.required:
                    words += () if {*parameter.opts} & {*more} else REQUIRED[str(parameter.name)]
            elif not self.stored:
                name = f"{parameter.name}..." if parameter.nargs != 1 else str(parameter.name)
                of_command = ARGUMENTS_OF.get(self.path, {})
                words += of_command.get(str(parameter.name), ARGUMENTS.get(name, ARGUMENTS.get(str(parameter.name), ())))
        more = (*self.chosen, *format_, *more)
        needed = [pair for pair in NEEDED.get(self.path, ()) if pair[0] not in more]
        return (*words, *(word for pair in needed for word in pair), *more)


@dataclass(frozen=True)
class Finding:
    table: Table
    option: str
    words: Words
    outcome: str
    message: str = ""

    def __str__(self) -> str:
        table = " ".join((*self.table.chosen, *(["(stored)"] if self.table.stored else [])))
        return f"{self.outcome}: {self.table.path} [{table}] {' '.join(self.words)} {self.message}".strip()


def look(caller: Caller, table: Table, option: click.Option, variants: Words) -> Finding:
    """Find out what an option does to a table."""
    refused, vanished, signed = None, None, None
    for variant in variants:
        for given in find_values(option):
            for format_, more in product(table.formats, [(), *CONDITIONS.get(str(option.name), ())]):
                before = caller.call(table.words(format_, more), variant)
                after = caller.call(table.words(format_, (*more, *given)), variant)
                if not before.worked and not after.worked:
                    continue
                if before.worked and after.ended.status == 2:
                    named = any(f"{name}" in after.ended.err for name in option.opts)
                    refused = Finding(table, given[0], given, "refused" if named else "unnamed", after.ended.err.strip())
                elif after.unsigned != before.unsigned:
                    return Finding(table, given[0], given, "shows")
                elif after.everything != before.everything:
                    signed = Finding(table, given[0], given, "SIGNED")
                else:
                    vanished = Finding(table, given[0], given, "VANISHED")
        if refused and not (vanished or signed):
            return refused
    return signed or vanished or refused or Finding(table, option.opts[0], (), "UNTRIED")


def find_tables(caller: Caller, path: str, command: click.Command, *, formats: bool = False) -> list[Table]:
    """The tables of a command: with other columns, or that options of ``TABLES`` choose."""
    plain = Table(path, command)
    tables = [plain]
    shapes = {caller.call(plain.words(plain.formats[0])).shape}
    for option in plain.options:
        for given in find_values(option):
            if given[0] in ("--output", "--protocol"):
                continue
            table = replace(plain, chosen=given, stored=option.name == "score_files")
            outcome = caller.call(table.words(table.formats[0]))
            if outcome.worked and (outcome.shape not in shapes or option.name in (*TABLES, "score_files")):
                shapes.add(outcome.shape)
                tables.append(table)
    option = next((option for option in command.params if option.name == "format_"), None)
    if formats and option is not None:
        assert isinstance(option.type, click.Choice)
        others = [name for name in option.type.choices if name not in ("table", "tsv", "csv", "json")]
        every = [replace(plain, chosen=("--format", name)) for name in others]
        tables += [table for table in every if caller.call(table.words(())).worked]
    return tables + [replace(plain, chosen=chosen) for chosen in MORE_TABLES.get(path, ())]


def report(caller: Caller, path: str, command: click.Command, variants: Words, *, only_plain: bool = False, formats: bool = False) -> Iterator[Finding]:
    plain = Table(path, command)
    base = caller.call(plain.words(plain.formats[0]))
    if not base.worked:
        yield Finding(plain, "", (), "BASE", base.ended.err)
    for table in [plain] if only_plain else find_tables(caller, path, command, formats=formats):
        given = {word for word in table.chosen if word.startswith("-")}
        for option in table.options:
            if not given & {*option.opts}:
                yield look(caller, table, option, variants)
