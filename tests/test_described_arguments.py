"""What docstrings say of arguments is of arguments that there are."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import cranfield

SOURCE = Path(cranfield.__file__).parent
ARGS = re.compile(r"^Args:\n((?:    .*\n|\n)*)", re.MULTILINE)
ENTRY = re.compile(r"^    (\w+(?:, \w+)*): ", re.MULTILINE)
SIMPLE = {"Frozen", "Caching", "NamedTuple", "Protocol", "Result"}
"""Bases from which a class has no arguments; those of others are not looked up."""


def list_documented(doc: str) -> set[str]:
    """List the names below ``Args``."""
    section = ARGS.search(inspect.cleandoc(doc) + "\n")
    return {name for names in ENTRY.findall(section[1] if section else "") for name in names.split(", ")}


def list_arguments(function: ast.FunctionDef) -> set[str]:
    found = function.args
    every = [*found.posonlyargs, *found.args, *found.kwonlyargs, found.vararg, found.kwarg]
    names = {argument.arg for argument in every if argument is not None}
    annotation = found.kwarg and found.kwarg.annotation
    unpacked = re.fullmatch(r"Unpack\[(\w+)]", ast.unparse(annotation)) if annotation else None
    return names | (list_options(unpacked[1]) if unpacked else set())


@cache
def option_classes() -> dict[str, ast.ClassDef]:
    """Find the classes of options that functions take word by word, and others, by name."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")]
    return {node.name: node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}


def list_options(name: str) -> set[str]:
    """List the keys of a class of options and of those that it extends."""
    if name == "TypedDict":
        return set()
    node = option_classes()[name]
    own = {one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)}
    return own.union(*(list_options(ast.unparse(base)) for base in node.bases))


def list_fields(node: ast.ClassDef) -> set[str] | None:
    """List the fields of a class and the arguments of its initialisation; None where it has those of another."""
    if any(ast.unparse(base) not in SIMPLE for base in node.bases):
        return None
    fields = {one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)}
    starts = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name in ("__init__", "__new__")]
    return fields.union(*map(list_arguments, starts))


def documented() -> Iterator[tuple[str, set[str], set[str]]]:
    """Each function and class with what it documents and what it takes."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                taken = list_arguments(node) if isinstance(node, ast.FunctionDef) else list_fields(node)
                said = list_documented(ast.get_docstring(node) or "")
                if said and taken is not None:
                    yield f"{path.relative_to(SOURCE)}: {node.name}", said, taken


def test_no_docstring_describes_an_argument_that_is_gone() -> None:
    every = list(documented())
    assert len(every) > 800
    assert [(where, said - taken) for where, said, taken in every if said - taken] == []
