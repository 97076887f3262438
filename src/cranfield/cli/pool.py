"""``cranfield pool``: which documents to judge."""

from __future__ import annotations

import click


@click.group(short_help="Choose what to judge, and study smaller pools.")
def pool() -> None:
    """Choose what to judge: a pool in order, or a sample of it; and study what fewer judgments would have said."""
