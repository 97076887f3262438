"""``cranfield simulate``: collections whose truth is known."""

from __future__ import annotations

import click


@click.group()
def simulate() -> None:
    """Make collections whose truth is known."""


@simulate.command("runs")
@click.option("--output", "-o", required=True, metavar="DIR", help="Folder for qrels, runs and truth.")
@click.option("--systems", type=click.IntRange(1, 10_000), default=12, show_default=True, help="Number of systems.")
@click.option("--topics", type=click.IntRange(1, 100_000), default=25, show_default=True, help="Number of topics.")
@click.option(
    "--depth", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Documents retrieved for a topic."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same files.")
def runs(output: str, systems: int, topics: int, depth: int, seed: int) -> None:
    """Write DIR/qrels.txt, DIR/runs/*.run, and DIR/truth.tsv with the true quality of each system."""
    from pathlib import Path

    from cranfield.cli.streams import emit
    from cranfield.simulate import simulate_runs

    folder = Path(output)
    qrels, truth, paths = simulate_runs(systems=systems, topics=topics, depth=depth, seed=seed).write(folder)
    emit(f"{qrels}\n{truth}\n{folder / 'runs'} ({len(paths)} runs)\n", None)
