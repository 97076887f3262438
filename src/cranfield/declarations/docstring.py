"""The docstring of an analysis: what its source says, with every option described below ``Args``."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping, Sequence

from cranfield.declarations.option import OptionFacts, name_in_python, name_options

SECTION = re.compile(r"^(Args|Raises|References|Returns|Attributes):$|^>>> ", re.MULTILINE)
"""The lines that may follow the text of a docstring."""
WIDTH = 112


def write_docstring(doc: str, parameters: Sequence[str], options: Mapping[str, OptionFacts]) -> str:
    """Write the docstring of an analysis.

    Args:
        doc: that of the source, which describes below ``Args`` what is not an option.
        parameters: the names of all parameters, in order.
        options: those that are options.
    """
    text = inspect.cleandoc(doc)
    described = _read_args(text)
    described |= {name: f"{name}: {_describe(option)}" for name, option in options.items()}
    entries = "\n".join(
        textwrap.fill(entry, WIDTH, initial_indent="    ", subsequent_indent="        ", break_on_hyphens=False)
        for entry in dict.fromkeys(described[name] for name in parameters if name in described)
    )
    bare = re.sub(r"^Args:\n(?:    .*\n|\n(?=    ))*", "", text + "\n", flags=re.MULTILINE)
    first = SECTION.search(bare)
    at = first.start() if first else len(bare)
    return f"{bare[:at].rstrip()}\n\nArgs:\n{entries}\n\n{bare[at:]}".rstrip() + "\n"


def _read_args(text: str) -> dict[str, str]:
    """Read the entries below ``Args``: name -> entry, which several may share (``runs, qrels: as in evaluate``)."""
    section = re.search(r"^Args:\n((?:    .*\n?|\n)*)", text, re.MULTILINE)
    entries = re.findall(r"^    (\w+(?:, \w+)*): (.*(?:\n {8}.*)*)", section[1] if section else "", re.MULTILINE)
    return {
        name: f"{names}: {' '.join(description.split())}"
        for names, description in entries
        for name in names.split(", ")
    }


def _describe(option: OptionFacts) -> str:
    """Describe an option in a sentence: its meaning, its words, its range, and what is taken without it."""
    meaning = name_options(option.option.meaning, name_in_python).removesuffix(".")
    first = meaning.split(" ", 1)[0]
    meaning = meaning if first[1:] != first[1:].lower() else meaning[:1].lower() + meaning[1:]
    parts = [meaning]
    if option.choices:
        parts.append("one of " + ", ".join(f"``{choice}``" for choice in option.choices))
    parts += [_range(option)] if _range(option) else []
    parts += [f"by default {option.option.default}"] if option.option.default else []
    return "; ".join(parts) + "."


def _range(option: OptionFacts) -> str:
    low, high, is_open = option.option.low, option.option.high, option.option.open
    if low is not None and high is not None:
        return f"in ({low:g}, {high:g})" if is_open else f"from {low:g} to {high:g}"
    if low is not None:
        return f"above {low:g}" if is_open else f"at least {low:g}"
    return ""
