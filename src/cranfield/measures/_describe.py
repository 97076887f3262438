"""Measures in words, from their declarations: the listing, one measure's page, and the table of the documentation."""

from __future__ import annotations

import math
import textwrap

from cranfield.errors import MeasureError
from cranfield.measures._declaration import Declaration, registry
from cranfield.measures._measure import Measure
from cranfield.measures._parameter import Parameter, write
from cranfield.measures._parse import parse_measures

WIDTH = 100


def find(name: str) -> Declaration:
    """The declaration behind any spelling of a measure: a name, an alias, ``ndcg_cut_10``, ``nDCG@10``.

    Raises:
        MeasureError: no measure has that name.
    """
    if name in registry:
        return registry[name]
    try:
        return parse_measures(name)[0].declaration
    except MeasureError:
        for value in ("10", "0.1"):
            try:
                return parse_measures(f"{name}@{value}")[0].declaration
            except MeasureError:
                continue
        raise


def signature(declaration: Declaration) -> str:
    """Name and parameters as they are written: ``nDCG(dcg="log2", gains=None, judged_only=False)@cutoff``."""
    inside = [
        f"{name}={write(known.default)}" for name, known in declaration.parameters.items() if name != declaration.at
    ]
    at = f"@{declaration.at}" if declaration.at in declaration.parameters else ""
    if at and not declaration.parameters[declaration.at].required:
        at = f"[{at}]"
    return declaration.name + (f"({', '.join(inside)})" if inside else "") + at


def spellings(declaration: Declaration) -> list[str]:
    """Other names of a measure: aliases, then trec_eval's."""
    trec = [f"{trec.name}_{trec.form.format(trec.values[0])}" if trec.at else trec.name for trec in declaration.trec]
    attribute = [declaration.attribute] if declaration.attribute != declaration.name else []
    return list(dict.fromkeys([*attribute, *declaration.aliases, *trec]))


def listing() -> str:
    """Every measure on a line: name and meaning."""
    ordered = sorted(registry.values(), key=lambda declaration: declaration.name.lower())
    width = max(len(declaration.name) for declaration in ordered)
    lines = [
        textwrap.fill(f"{declaration.name:<{width}}  {declaration.meaning}", WIDTH, subsequent_indent=" " * (width + 2))
        for declaration in ordered
    ]
    return "\n".join([*lines, "", "`cranfield measures NAME` explains one.", ""])


def explain(declaration: Declaration) -> str:
    """One measure: meaning, formula, parameters, facts, reference, other names."""
    blocks = [signature(declaration), ""]
    for paragraph in declaration.paragraphs:
        blocks += [textwrap.fill(paragraph, WIDTH), ""]
    if declaration.parameters:
        blocks.append("Parameters:")
        blocks += [_parameter(known, declaration) for known in declaration.parameters.values()]
        blocks.append("")
    blocks.append("Facts:")
    blocks += [
        textwrap.fill(fact, WIDTH, initial_indent="  ", subsequent_indent="      ") for fact in facts(declaration)
    ]
    blocks += ["", f"Reference: {declaration.reference}"]
    if spellings(declaration):
        blocks.append(f"Also known as: {', '.join(spellings(declaration))}")
    return "\n".join(blocks) + "\n"


def _parameter(known: Parameter, declaration: Declaration) -> str:
    default = "required" if known.required else f"default {write(known.default)}"
    at = ", set by @" if known.name == declaration.at else ""
    text = f"{known.name}: {known.meaning.text}; {known.expected} ({default}{at})"
    return textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="      ")


def facts(declaration: Declaration) -> list[str]:
    """What is known of a measure, one sentence each."""
    low, high = declaration.bounds
    bounds = f"{low:g} to {high:g}" if math.isfinite(low) and math.isfinite(high) else f"from {low:g} to {high:g}"
    undefined = "is left out of it" if math.isnan(declaration.undefined) else f"counts as {declaration.undefined:g}"
    out = [
        f"values: {bounds}; {'larger' if declaration.larger_is_better else 'smaller'} is better",
        f"summary over topics: {declaration.summary}; an undefined value {undefined}",
    ]
    if declaration.needs_intents:
        out.append("needs judgments whose field 2 names intents")
    return out + [f"law not obeyed: {law}, because {why}" for law, why in declaration.declines.items()]


def markdown() -> str:
    """The table of measures for the documentation."""
    head = "| Measure | Meaning | Also known as | Reference |\n| --- | --- | --- | --- |\n"
    lines = []
    for declaration in sorted(registry.values(), key=lambda declaration: declaration.name.lower()):
        names = ", ".join(f"`{name}`" for name in spellings(declaration))
        lines.append(f"| `{signature(declaration)}` | {declaration.meaning} | {names} | {declaration.reference} |\n")
    return head + "".join(lines)


def example(declaration: Declaration) -> Measure:
    """A measure with all that it requires set, for tests and documentation."""
    required = {
        name: 10 if int in known.types else 0.1 for name, known in declaration.parameters.items() if known.required
    }
    return Measure(declaration)(**required)
