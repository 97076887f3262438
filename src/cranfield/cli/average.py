"""``cranfield board average``: means over several collections, each of which counts alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield._text import counted, quoted, shown
from cranfield.cli._help import FoldedHelp
from cranfield.cli._options import measure_option
from cranfield.cli._output import prints_table
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import Location
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    import xarray as xr


@click.command(cls=FoldedHelp)
@click.argument("scores", metavar="SCORES...", nargs=-1, required=True)
@measure_option("all of the first file")
@click.option("--by-collection", is_flag=True, help="Print the mean in each collection, and over how many topics.")
@prints_table("latex", "markdown")
def average(scores: tuple[str, ...], measures: tuple[str, ...], by_collection: bool) -> Sheet:
    """Average the means of systems over collections: each counts alike, however many topics it has.

    Each of SCORES is a file with the scores of one collection by topic, as `cranfield evaluate -q -f csv` writes it,
    and names the collection. A system that lacks a collection has no average; a warning names it.
    """
    from cranfield.comparison import average_collections

    result = average_collections(_read_collections(scores, measures))
    names = result.settings["collections"]
    caption = f"{counted(len(names), 'collection')}, each counts alike: {', '.join(map(shown, names))}"
    rows = result.collections if by_collection else result.rows
    return Sheet.from_frame(rows, caption, result.signature)


def _read_collections(paths: tuple[str, ...], measures: tuple[str, ...]) -> dict[str, xr.Dataset]:
    """Read the scores of each collection by the requested measures.

    Raises:
        InputError: a file cannot be read, or lacks a measure; of the first file, where none is requested.
        UsageError: two files have one name.
    """
    from cranfield.scores.files import read_scores, score_file_name
    from cranfield.scores.measure_selection import choose_measures

    collections: dict[str, xr.Dataset] = {}
    for path in paths:
        name = score_file_name(path)
        if name in collections:
            raise UsageError(f"two collections are called {quoted(name)}: rename one of the files")
        dataset = read_scores(path)
        try:
            collections[name] = choose_measures(dataset, measures)
        except InputError as error:
            raise InputError(error.text, Location(path), code=error.code, value=error.value) from None
        measures = measures or tuple(str(measure) for measure in dataset.data_vars)
    return collections
