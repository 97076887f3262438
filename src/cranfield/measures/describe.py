"""Measures in words, from their declarations: the listing, one measure's page, and the table of the documentation."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping

from cranfield._text import quoted
from cranfield.errors import MeasureError
from cranfield.measures._declaration import Declaration, Version, registry
from cranfield.measures._measure import Measure
from cranfield.measures._parameter import ALL, Parameter, write
from cranfield.measures.laws import LAWS
from cranfield.measures.parse import NICKNAMES, find_by_other_names, parse_measures

WIDTH = 100
"""Default line width."""
HEADER = ("measure", "meaning", "also", "reference")


def find(name: str) -> Declaration:
    """The declaration behind any spelling of a measure: a name, an alias, ``ndcg_cut_10``, ``nDCG@10``.

    Raises:
        MeasureError: no measure has that name.
    """
    if name in registry:
        return registry[name]
    if name in NICKNAMES:
        raise MeasureError(f"{name} stands for several measures of trec_eval: {', '.join(NICKNAMES[name])}")
    if variants := find_by_other_names(name):
        return variants[0].declaration
    try:
        return parse_measures(name)[0].declaration
    except MeasureError:
        for value in ("10", "0.1"):
            try:
                return parse_measures(f"{name}@{value}")[0].declaration
            except MeasureError:
                continue
        raise


def alphabetical(declarations: Iterable[Declaration]) -> list[Declaration]:
    """By name, capital letters like small ones."""
    return sorted(declarations, key=lambda declaration: declaration.name.lower())


def written_out(declaration: Declaration) -> str:
    """Name and parameters as they are written: ``nDCG(dcg="log2", gains=None, judged_only=False)@cutoff``."""
    inside = [
        f"{name}={write(parameter.default)}"
        for name, parameter in declaration.parameters.items()
        if name != declaration.at
    ]
    suffix = f"@{declaration.at}" if declaration.at in declaration.parameters else ""
    if suffix and not declaration.parameters[declaration.at].required:
        suffix = f"[{suffix}]"
    return declaration.name + (f"({', '.join(inside)})" if inside else "") + suffix


def spellings(declaration: Declaration) -> list[str]:
    """Other names of a measure: aliases, then its versions, then trec_eval's."""
    trec = [f"{trec.name}_{trec.form.format(trec.values[0])}" if trec.at else trec.name for trec in declaration.trec]
    attribute = [declaration.attribute] if declaration.attribute != declaration.name else []
    names = dict.fromkeys([*attribute, *declaration.aliases, *declaration.versions, *trec])
    return [name for name in names if name != declaration.name]


def listing(width: int = WIDTH) -> str:
    """Every measure on a line, and every version of one: name and meaning."""
    meanings = {declaration.name: declaration.meaning for declaration in registry.values()}
    for declaration in registry.values():
        for name, version in declaration.versions.items():
            meanings[name] = f"{declaration.name} in which {version.meaning}."
    names = max(map(len, meanings))
    lines = [
        _fill(f"{name:<{names}}  {meanings[name]}", width, later=" " * (names + 2))
        for name in sorted(meanings, key=str.lower)
    ]
    return "\n".join([*lines, "", "`cranfield measures NAME` explains one.", ""])


def explain(declaration: Declaration, width: int = WIDTH, *, called: str = "") -> str:
    """One measure: meaning, formula, parameters, facts, reference, other names.

    Args:
        declaration: of the measure.
        width: of lines.
        called: the name by which it was asked for; one that other tools have for a variant is explained.
    """
    blocks = [_fill(written_out(declaration), width, later="    "), ""]
    if variants := find_by_other_names(called):
        blocks += [_fill(f"{quoted(called)} of other tools: {listed(map(str, variants), 'or')}", width), ""]
    for paragraph in declaration.paragraphs:
        blocks += [_fill(paragraph.replace("``", "`"), width), ""]
    parts = {
        "Parameters": [_parameter(parameter, declaration) for parameter in declaration.parameters.values()],
        "Versions": [_version(name, version, declaration) for name, version in declaration.versions.items()],
        "Facts": facts(declaration),
    }
    for title, items in parts.items():
        if items:
            blocks += [f"{title}:", *(_fill(item, width, first="  ", later="      ") for item in items), ""]
    ends = {"Reference": declaration.reference, "Also known as": ", ".join(spellings(declaration))}
    blocks += [_fill(f"{title}: {text}", width, later="    ") for title, text in ends.items() if text]
    return "\n".join(blocks) + "\n"


def _fill(text: str, width: int, *, first: str = "", later: str = "") -> str:
    """Lines of a width that hold names and DOIs whole."""
    return textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _parameter(parameter: Parameter, declaration: Declaration) -> str:
    default = "required" if parameter.required else f"default {write(parameter.default)}"
    set_by = ", set by @" if parameter.name == declaration.at else ""
    meaning = parameter.meaning.text.removesuffix(ALL if parameter.required else "")
    return f"{parameter.name}: {meaning}; {parameter.expected} ({default}{set_by})"


def _version(name: str, version: Version, declaration: Declaration) -> str:
    fixed = ",".join(f"{parameter}={write(value)}" for parameter, value in version.fixed.items())
    return f"{name} = {declaration.name}({fixed}): {version.meaning}"


def facts(declaration: Declaration) -> list[str]:
    """Return what is known of a measure, one sentence each."""
    usual, widest = (_range(*ends) for ends in (declaration.usual_range, declaration.range))
    values = usual if usual == widest else f"{usual} with the defaults, else {widest}"
    out = [
        f"values: {values}; {'larger' if declaration.larger_is_better else 'smaller'} is better",
        f"summary over topics: {declaration.summary}; an undefined value {_undefined(declaration.undefined)}",
    ]
    if not declaration.effectiveness:
        out.append("no measure of effectiveness: analyses of measures leave it out unless it is asked for")
    for variant in declaration.variants:
        changed = [f"values: {_range(*variant.range)}"] if variant.range is not None else []
        changed += [f"an undefined value {_undefined(variant.undefined)}"] if variant.undefined is not None else []
        changed += [variant.rewards] if variant.rewards else []
        changed += [f"does not satisfy {laws} either: {why}" for laws, why in reasons(variant.declines)]
        changed += [f"called {listed(variant.names, 'or')}"] if variant.names else []
        out.append(f"with {variant.parameter}={write(variant.value)}: {'; '.join(changed)}")
    if declaration.needs_intents:
        out.append("needs judgments whose field 2 names intents")
    if declaration.consistent is not None:
        out.append(
            "consistent: no replacement and no upward swap lowers it, with the defaults" + _list_free(declaration)
        )
    out.append(f"satisfies {listed(law for law in LAWS if law not in declaration.declines)}")
    return out + [f"does not satisfy {laws}: {why}" for laws, why in reasons(declaration.declines)]


def _list_free(declaration: Declaration) -> str:
    """The parameters that leave it consistent, cutoff and level among them."""
    names = [name for name in ("rel", declaration.at) if name in declaration.parameters]
    names += declaration.consistent or ()
    less = [variant for variant in declaration.variants if variant.declines and variant.parameter in names]
    but = "".join(f", but not with {variant.parameter}={write(variant.value)}" for variant in less)
    return f", and whatever {listed(names)} {'is' if len(names) == 1 else 'are'}{but}" if names else ""


def _range(low: float, high: float) -> str:
    return f"{low:g} to {high:g}" if math.isfinite(low) and math.isfinite(high) else f"from {low:g} to {high:g}"


def _undefined(value: float) -> str:
    return "is left out of it" if math.isnan(value) else f"counts as {value:g}"


def reasons(declines: Mapping[str, str]) -> list[tuple[str, str]]:
    """The laws that a measure violates, grouped by reason."""
    laws: dict[str, list[str]] = {}
    for law in LAWS:
        if law in declines:
            laws.setdefault(declines[law], []).append(law)
    return [(listed(names, "or"), why) for why, names in laws.items()]


def listed(items: Iterable[str], last: str = "and") -> str:
    """``a, b and c``."""
    *first, end = items
    return f"{', '.join(first)} {last} {end}" if first else end


def explain_row(row: tuple[str, str, str, str], width: int = WIDTH) -> str:
    """Lay out a row of the list of measures as a page."""
    name, meaning, also, reference = row
    ends = f"Reference: {reference}", f"Also known as: {also}"
    return "\n".join([name, "", _fill(meaning, width), "", *(_fill(end, width, later="    ") for end in ends), ""])


def rows(declarations: Iterable[Declaration]) -> Iterator[tuple[str, str, str, str]]:
    """(name with parameters, meaning, other names, reference)."""
    for declaration in declarations:
        names = ", ".join(spellings(declaration))
        yield written_out(declaration), declaration.meaning, names, declaration.reference


def markdown(declarations: Iterable[Declaration]) -> str:
    """The table of measures for the documentation."""
    found = []
    for declaration in declarations:
        names = ", ".join(f"`{name}`" for name in spellings(declaration))
        found.append((f"`{written_out(declaration)}`", declaration.meaning, names, declaration.reference))
    return markdown_rows(found)


def markdown_rows(rows: Iterable[Iterable[str]]) -> str:
    """Rows of a list of measures, as a table in Markdown."""
    head = "| Measure | Meaning | Also known as | Reference |\n| --- | --- | --- | --- |\n"
    return head + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def example(declaration: Declaration) -> Measure:
    """A measure with all that it requires set, for tests and documentation."""
    required = {
        name: 10 if int in parameter.types else 0.1
        for name, parameter in declaration.parameters.items()
        if parameter.required
    }
    return Measure(declaration)(**required)
