"""``cranfield evaluate --dataset``: runs in many files, part by part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from cranfield.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])
ONLY = ("memory", "topic_layout", "resume")
"""Options that mean something of a data set alone."""


def dataset_options(command: Command) -> Command:
    """``--dataset``, and what can be said of data sets."""
    for option in (
        click.option(
            "--topic-layout",
            type=click.Choice(["auto", "together", "complete", "split"]),
            help="With --dataset: the rows of a topic are together, complete in one file, or split over files.  "
            "[default: auto, by statistics, and checked]",
        ),
        click.option(
            "--resume",
            is_flag=True,
            default=None,
            help="With --dataset and -q: take over the parts that an earlier run wrote, where nothing has changed.",
        ),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Score on the workers of a Dask cluster, tcp://host:8786, or of this machine alone: local.",
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
            raise UsageError(f"--{name.replace('_', '-')} is of data sets: add --dataset")
    return dataset


def refuse_whole(form: str, *, by_topic: bool, flat: bool, bounds: bool, intents: bool, groups: bool) -> None:
    """Refuse options that need all scores of topics at once.

    Raises:
        UsageError: the first of them.
    """
    given = {
        "--by-topic": by_topic and form != "parquet",
        "--flat": flat,
        "--bounds": bounds,
        "--intent-weights": intents,
        "--topic-groups": groups,
    }
    for name, is_given in (given | {"--format trec": form == "trec"}).items():
        if is_given:
            instead = "add -o scores/" if name == "--by-topic" else "leave it out"
            raise UsageError(f"{name} needs all scores of topics at once: {instead}, or leave --dataset out")


def emit_partitioned(
    qrels: str,
    runs: tuple[str, ...],
    measures: Any,
    reading: Any,
    form: str,
    output: str | None,
    *,
    cluster: str | None,
    **of_sets: Any,
) -> None:
    """Print means of runs in many files; scores of topics go to a folder. Parts left out give the status of runs."""
    from cranfield.cli.command import LEFT_OUT
    from cranfield.cli.streams import emit

    scores = output if form == "parquet" else None
    plain = scores is None and output is not None
    whole = qrels, runs, measures, reading, form
    text, failed = render_partitioned(*whole, plain=plain, scores=scores, cluster=cluster, **of_sets)
    emit(text, None if scores else output)
    if failed:
        raise SystemExit(LEFT_OUT)


def render_partitioned(
    qrels: str,
    runs: tuple[str, ...],
    measures: Any,
    reading: Any,
    format_: str,
    *,
    plain: bool,
    scores: str | None,
    cluster: str | None,
    memory: str | None,
    topic_layout: str | None,
    resume: bool | None,
) -> tuple[str, int]:
    """Means of runs in many files, as text, and how many parts failed; scores of topics go to a folder."""
    from cranfield.cli.complaints import complain
    from cranfield.cli.streams import MANY, progress_of, warnings_to_stderr
    from cranfield.io.leaving_out import leaves_out
    from cranfield.partitions.evaluation import evaluate_partitions
    from cranfield.results.sheet import Sheet

    with warnings_to_stderr(), progress_of("scoring parts", MANY) as progress:
        found = evaluate_partitions(
            list(runs),
            qrels,
            measures,
            topics=topic_layout or "auto",  # type: ignore[arg-type]
            memory=memory,
            cluster=cluster,
            by_topic=scores,
            resume=bool(resume),
            on_error="report" if leaves_out() else "raise",
            reading=reading,
            progress=progress,
        )
        for name, error in found.failed:
            complain(f"cranfield: error: {error if name in error else f'{name}: {error}'}")
    if format_ == "json":
        return found.to_json(), len(found.failed)
    printed = "table" if format_ == "parquet" else format_
    return Sheet.of_frame(found.to_frame(), "", found.signature).text(printed, plain=plain), len(found.failed)
