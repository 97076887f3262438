"""``cranfield information``: the information in rankings and measures."""

from __future__ import annotations

import click


@click.group(short_help="Measure what systems share about relevance, and measures about each other, in bits.")
def information() -> None:
    """Measure what systems share about relevance, and measures about each other, in bits."""
