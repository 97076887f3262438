"""``cranfield example``: the Cranfield collection as files, to try the other commands on."""

from __future__ import annotations

import click

from cranfield.cli._help import FoldedHelp


@click.command(
    cls=FoldedHelp,
    short_help="Write the Cranfield collection: real judgments, and six runs.",
    examples=("-o cranfield", "-o demo"),
)
@click.option("--output", "-o", required=True, metavar="DIR", help="Folder for judgments, queries and runs.")
def example(output: str) -> None:
    """Write real judgments and runs into a folder: the Cranfield collection, 225 topics and six systems.

    DIR gets qrels.txt, topics.tsv, runs/*.run, sources.txt (the document from which each query arose, for --exclude)
    and README.md, which says what the labels mean. Files of these names with other content are refused and stay.
    """
    from pathlib import Path

    from cranfield.cli._output import emit
    from cranfield.datasets import load_cranfield

    folder = Path(output)
    collection = load_cranfield()
    paths = [path for path in collection.write_collection(folder) if path.parent == folder]
    lines = [*map(str, paths), f"{folder / 'runs'} ({len(collection.runs)} runs)"]
    emit("".join(f"{line}\n" for line in lines), None)
