"""``--estimator``: information from frequencies as they are, or corrected for what chance adds."""

from __future__ import annotations

import click

estimator_option = click.option(
    "--estimator",
    type=click.Choice(["plug-in", "miller-madow", "shrinkage"]),
    default="plug-in",
    show_default=True,
    help="From frequencies as they are, or with one of two corrections for what chance adds; both correct too little.",
)
