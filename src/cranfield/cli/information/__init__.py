"""``cranfield information``: what lists tell of relevance, and measures of each other. One file a command."""

from __future__ import annotations

import click

from cranfield.cli.information.difference import difference
from cranfield.cli.information.joint import joint
from cranfield.cli.information.ric import ric
from cranfield.cli.information.tau import tau


@click.group(short_help="Show what systems tell about relevance, alone and together.")
def information() -> None:
    """What systems tell about relevance, alone, together and beyond each other; what measures tell about each other."""


for _command in (ric, joint, difference, tau):
    information.add_command(_command)
