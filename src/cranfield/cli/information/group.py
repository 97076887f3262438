"""``cranfield information``: the information of lists about relevance, and of measures about each other."""

from __future__ import annotations

import click

from cranfield.cli.information.difference import difference
from cranfield.cli.information.joint import joint
from cranfield.cli.information.ric import ric
from cranfield.cli.information.tau import tau


@click.group()
def information() -> None:
    """The information of systems about relevance, alone and jointly, and of measures about each other."""


for _command in (ric, joint, difference, tau):
    information.add_command(_command)
