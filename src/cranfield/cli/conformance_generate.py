"""``cranfield conformance generate``: make the suite anew, into a folder."""

from __future__ import annotations

import click

from cranfield._text import counted
from cranfield.cli._help import FoldedHelp


@click.command(cls=FoldedHelp, short_help="Make the suite anew, into a folder.", examples=("conformance", "suite"))
@click.argument("folder")
def generate(folder: str) -> None:
    """Make the cases of the conformance suite, and write them into a folder. It takes some minutes.

    FOLDER gets all.jsonl, and a file for each case in its folder cases/; files of other cases there are removed.
    """
    from pathlib import Path

    from cranfield.conformance import generate as generate_cases
    from cranfield.conformance import write_suite
    from cranfield.io.atomic_write import check_folder

    check_folder(Path(folder) / "cases")
    check_folder(Path(folder), "all.jsonl", "schema.json")
    chosen = generate_cases()
    write_suite(chosen, folder)
    click.echo(
        f"{counted(len(chosen), 'case')} of {counted(len({case.group for case in chosen}), 'group')} in {folder}"
    )
