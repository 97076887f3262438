"""Pages to look up measures: what ``cranfield measures NAME`` prints of each, and the table of their properties."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.measures import registry
from cranfield.measures._declaration import Declaration
from cranfield.measures._parameter import write
from cranfield.measures.describe import alphabetical, facts, spellings, written_out

INTRODUCTION = """# Reference of the measures

Generated from the declarations; `cranfield measures NAME` prints one of them. The
[table of measures](measures-table.md) has one line for each, and
[properties of the measures](measure-facts.md) defines the properties.
"""
PROPERTIES = """# Table of the properties

Generated from the declarations, as `cranfield measures --facts` prints it;
[properties of the measures](measure-facts.md) defines each.
"""
CUTOFFS = (1, 3, 5, 10, 20, 50, 100, 1000)
"""Those by which a measure is looked for: a search for nDCG@10 leads to nDCG."""
SPECIAL = str.maketrans({mark: f"\\{mark}" for mark in r"\`*_{}[]<>#|$~"})


def measure_page() -> str:
    """One section a measure."""
    return "\n".join([INTRODUCTION, *(line for known in alphabetical(registry.values()) for line in _section(known))])


def properties_page() -> str:
    """The table of properties, and why a measure lacks one."""
    from cranfield.measures.properties import markdown

    return f"{PROPERTIES}\n{markdown(alphabetical(registry.values()))}"


def looked_for(known: Declaration) -> list[str]:
    """What a measure is called in a search: its names, and with usual cutoffs, as here and as trec_eval writes them."""
    cut = [f"{known.name}@{cutoff}" for cutoff in CUTOFFS] if "cutoff" in known.parameters else []
    trec = [f"{name.name}_{name.form.format(k)}" for name in known.trec if name.at == "cutoff" for k in CUTOFFS]
    return list(dict.fromkeys([known.name, *spellings(known), *cut, *trec]))


def _section(known: Declaration) -> Iterator[str]:
    yield "```{eval-rst}\n.. index::"
    yield from (f"   ! single: {name}" for name in looked_for(known))
    yield "```\n"
    yield f"## {_plain(known.name)}\n"
    yield f"`{written_out(known)}`\n"
    for paragraph in known.paragraphs:
        yield f"{_plain(paragraph)}\n"
    if known.parameters:
        yield "| parameter | default | meaning | values |\n| --- | --- | --- | --- |"
        for parameter in known.parameters.values():
            default = "required" if parameter.required else f"`{write(parameter.default)}`"
            meaning, expected = _plain(parameter.meaning.text), _plain(parameter.expected)
            yield f"| `{parameter.name}` | {default} | {meaning} | {expected} |"
        yield ""
    for name, version in known.versions.items():
        fixed = ",".join(f"{parameter}={write(value)}" for parameter, value in version.fixed.items())
        yield f"- `{name}` is `{known.name}({fixed})`: {_plain(version.meaning)}"
    if known.versions:
        yield ""
    for fact in facts(known):
        yield f"- {_plain(fact)}"
    yield f"\nReference: {_plain(known.reference)}\n"
    if spellings(known):
        yield f"Also known as: {', '.join(f'`{name}`' for name in spellings(known))}\n"


def _plain(text: str) -> str:
    return text.translate(SPECIAL)
