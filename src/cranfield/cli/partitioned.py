"""``cranfield evaluate --dataset``: runs in many files, part by part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from cranfield.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])
ONLY = ("memory", "topics")
"""Options that mean something of a data set alone."""


def dataset_options(command: Command) -> Command:
    """``--dataset``, and what can be said of data sets."""
    for option in (
        click.option(
            "--topics",
            type=click.Choice(["auto", "together", "complete", "split"]),
            help="With --dataset: the rows of a topic are together, complete in one file, or split over files.  "
            "[default: auto, by statistics, and checked]",
        ),
        click.option("--memory", metavar="SIZE", help="With --dataset: what it may take, such as 500MB."),
        click.option(
            "--dataset",
            is_flag=True,
            help="QRELS and each RUN are data sets: a folder, a glob or an address of Parquet, Arrow or TREC files, "
            "scored part by part.",
        ),
    ):
        command = option(command)
    return command


def refuse_alone(given: dict[str, Any], *, dataset: bool) -> bool:
    """Whether data sets were given; their options are refused without one.

    Raises:
        UsageError: the first of them.
    """
    for name in ONLY:
        if given[name] is not None and not dataset:
            raise UsageError(f"--{name} is of data sets: add --dataset")
    return dataset


def refuse_whole(*, by_topic: bool, flat: bool, bounds: bool, intents: bool, form: str) -> None:
    """Refuse options that need all scores of topics at once.

    Raises:
        UsageError: the first of them.
    """
    given = {"--by-topic": by_topic, "--flat": flat, "--bounds": bounds, "--intent-weights": intents}
    for name, is_given in (given | {"--format trec": form == "trec"}).items():
        if is_given:
            raise UsageError(f"{name} needs all scores of topics at once: leave it out, or leave --dataset out")


def render_partitioned(
    qrels: str,
    runs: tuple[str, ...],
    measures: Any,
    reading: Any,
    format_: str,
    *,
    plain: bool,
    memory: str | None,
    topics: str | None,
) -> str:
    """Means of runs in many files, as text."""
    from cranfield.cli.streams import MANY, progress_of, warnings_to_stderr
    from cranfield.partitions.evaluation import evaluate_partitions
    from cranfield.results.sheet import Sheet

    with warnings_to_stderr(), progress_of("scoring parts", MANY) as progress:
        found = evaluate_partitions(
            list(runs),
            qrels,
            measures,
            topics=topics or "auto",  # type: ignore[arg-type]
            memory=memory,
            reading=reading,
            progress=progress,
        )
    if format_ == "json":
        return found.to_json()
    return Sheet.of_frame(found.to_frame(), "", found.signature).text(format_, plain=plain)
