"""Tables of one call as one table: of several measures, values of an option, or groups of topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cranfield.cli._topic_groups import SECTIONS, join_sheets
from cranfield.errors import UsageError
from cranfield.results.sheet import Note, Sheet

if TYPE_CHECKING:
    from cranfield.results.result import Result
    from cranfield.scores.topic_groups import TopicGroups


def join_measures(results: Sequence[Any], sheets: Sequence[Sheet]) -> Sheet:
    """Join the tables of several measures, the first column being the measure."""
    names = [result.measure for result in results]
    rows = [[name, *row] for name, sheet in zip(names, sheets, strict=True) for row in sheet.rows]
    first = sheets[0]
    signature = first.signature | {"measure": names}
    captions = [sheet.caption.splitlines() for sheet in sheets]
    shared = [line for line in captions[0] if all(line in lines for lines in captions)]
    own = [line for lines in captions for line in lines if line not in shared]
    return replace(
        first,
        columns=["measure", *first.columns],
        rows=rows,
        signature=signature,
        caption="\n".join([*own, *shared]),
        answer="\n".join(dict.fromkeys(sheet.answer for sheet in sheets)),
        notes=join_notes(sheets),
    )


def join_notes(sheets: Sequence[Sheet]) -> tuple[Note, ...]:
    """Join the notes on several tables, each different one once."""
    return tuple(dict.fromkeys(note for sheet in sheets for note in sheet.notes))


def join_values(each: str, results: Sequence[Result], sheets: Sequence[Sheet]) -> Sheet:
    """Join the tables of several values of an option, which the first column names unless the tables do."""
    first = sheets[0]
    if len(sheets) == 1:
        return first
    named = each in first.columns
    values = [result.settings[each] for result in results]
    return replace(
        first,
        columns=first.columns if named else [each, *first.columns],
        rows=[
            row if named else [value, *row] for value, sheet in zip(values, sheets, strict=True) for row in sheet.rows
        ],
        caption="\n".join(dict.fromkeys(line for sheet in sheets for line in sheet.caption.splitlines())),
        notes=join_notes(sheets),
        signature={
            **{name: first.signature[name] for name in ("cranfield", "analysis")},
            each: {str(value): sheet.signature for value, sheet in zip(values, sheets, strict=True)},
        },
    )


def write_printed(printed: Any, format_: str, output: str | None) -> Any:
    """Write what is printed in a format: a sheet; a text, or blocks of it, are written already."""
    return printed.text(format_, plain=output is not None) if isinstance(printed, Sheet) else printed


def join_groups(
    groups: TopicGroups, printed: Mapping[str, Any], heads: Mapping[str, str], format_: str, output: str | None
) -> str:
    """Join the tables of groups: rows with their group, or a section for each.

    Raises:
        UsageError: the format has no room for groups.
    """
    sheets = {name: one for name, one in printed.items() if isinstance(one, Sheet)}
    if sheets and format_ != "table":
        return join_sheets(groups, sheets).text(format_, plain=output is not None)
    if format_ == "junit":
        from cranfield.comparison.regression_gate import join_junit

        return join_junit({heads[name]: write_printed(one, format_, output) for name, one in printed.items()})
    if format_ not in SECTIONS:
        raise UsageError(f"--format {format_} has no room for groups of topics: use table or json")
    texts = {name: write_printed(one, format_, output) for name, one in printed.items()}
    return "\n".join(SECTIONS[format_].format(heads[name]) + text for name, text in texts.items())
