"""``cranfield evaluate --dataset``: evaluate runs in many files, part by part."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cranfield.cli._errors import print_to_stderr
from cranfield.cli._options import LINES, dask_option
from cranfield.errors import UsageError
from cranfield.results.frames import sort_by_size

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.cli._runs_input import RunsInput
    from cranfield.streaming.partitions.result import PartitionedScores

Command = TypeVar("Command", bound=Callable[..., Any])
OF_DATA_SETS = ("memory", "topic_layout", "resume", "slice_")
"""Parameters of options that apply to data sets only."""


def dataset_options(command: Command) -> Command:
    """Add ``--dataset`` and the options of data sets."""
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
            help="With --dataset and -q: reuse the parts that an earlier run wrote, where nothing has changed.",
        ),
        dask_option,
        click.option(
            "--slice",
            "slice_",
            metavar="COLUMN",
            help="With --dataset: also print means of groups of topics, such as segments of users, by a column of the "
            "judgments or of a run.",
        ),
        click.option("--memory", metavar="SIZE", help="With --dataset: memory limit, such as 500MB."),
        click.option(
            "--dataset",
            is_flag=True,
            help="QRELS and each RUN are data sets: a folder, a glob or an address of Parquet, Arrow or TREC files, "
            "scored part by part.",
        ),
    ):
        command = option(command)
    return command


def refuse_dataset_options(options: dict[str, Any], *, dataset: bool) -> bool:
    """Return whether ``--dataset`` was given; refuse the options of data sets without it.

    Raises:
        UsageError: such an option was given.
    """
    for name in OF_DATA_SETS:
        if options[name] is not None and not dataset:
            raise UsageError(f"--{name.strip('_').replace('_', '-')} applies to data sets: add --dataset")
    return dataset


def refuse_options_of_scores(form: str, *, by_topic: bool, flat: bool, bounds: bool, intents: bool) -> None:
    """Refuse options that need the scores of all topics at once.

    Raises:
        UsageError: such an option was given.
    """
    requested = {
        "--by-topic": by_topic and form != "parquet",
        "--flat": flat,
        "--bounds": bounds,
        "--intent-weights": intents,
    }
    for name, is_given in (requested | {"--format trec": form == "trec"}).items():
        if is_given:
            instead = "add -o scores/" if name == "--by-topic" else "leave it out"
            raise UsageError(f"{name} needs the scores of all topics at once: {instead}, or leave --dataset out")


def emit_partitioned(runs: RunsInput, measures: Any, form: str, output: str | None, **of_sets: Any) -> None:
    """Print means of runs in many files, or write scores by topic to a folder; exit with 5 if parts were left out."""
    from cranfield.cli._command import LEFT_OUT
    from cranfield.cli._output import emit

    scores = output if form == "parquet" else None
    plain = scores is None and output is not None
    text, failed = render_partitioned(runs, measures, form, plain=plain, scores=scores, **of_sets)
    emit(text, None if scores else output)
    if failed:
        raise SystemExit(LEFT_OUT)


def render_partitioned(
    runs: RunsInput,
    measures: Any,
    format_: str,
    *,
    plain: bool,
    scores: str | None,
    dask: str | None,
    memory: str | None,
    topic_layout: str | None,
    resume: bool | None,
    slice_: str | None,
    topic_groups: str | None,
) -> tuple[str, int]:
    """Format means of runs in many files, and return them with the number of failed parts; scores go to a folder."""
    if slice_ is not None and topic_groups is not None:
        raise UsageError("--slice and --topic-groups both define groups of topics: give one of them")
    from cranfield.cli._output import MANY, show_progress, warnings_to_stderr
    from cranfield.io.skipped_runs import leaves_out
    from cranfield.scores.topic_groups import TopicGroups
    from cranfield.streaming.partitions.evaluation import evaluate_partitions

    with warnings_to_stderr(), show_progress("scoring parts", MANY) as progress:
        result = evaluate_partitions(
            runs.paths,
            runs.qrels,
            measures,
            topics=topic_layout or "auto",  # type: ignore[arg-type]
            memory=memory,
            dask=dask,
            by_topic=scores,
            resume=bool(resume),
            on_error="report" if leaves_out() else "raise",
            slices=slice_ if topic_groups is None else TopicGroups.from_source(topic_groups),
            reading=runs.reading,
            progress=progress,
        )
        for name, error in result.failed:
            print_to_stderr(f"cranfield: error: {error if name in error else f'{name}: {error}'}")
    if format_ == "json":
        return result.to_json(), len(result.failed)
    return _format_result(result, "table" if format_ == "parquet" else format_, plain=plain), len(result.failed)


def _format_result(result: PartitionedScores, format_: str, *, plain: bool) -> str:
    """Format means, differences and slices; a format for programs holds one table of them."""
    from cranfield.results.sheet import Sheet, shorten_signature

    level = f"{result.level:.0%}"
    captions = {
        "means": f"interval: {level} t interval of each mean by itself, over topics like these",
        "differences": f"paired t-tests; interval: {level} interval of each pair by itself; p_adjusted: Holm's "
        "correction over the pairs of a measure",
        "slices": f"interval: {level} t interval of each mean by itself",
    }
    frames = {name: frame for name, frame in result.frames().items() if name in captions}
    if format_ in ("tsv", "csv"):
        return Sheet.from_frame(frames.get("slices", frames["means"]), "", result.signature).text(format_, plain=plain)
    if format_ == "table" and "differences" in frames:
        frames["differences"], left_out = _select_largest(frames["differences"])
        captions["differences"] = "\n".join(filter(None, [left_out, captions["differences"]]))
    marked = "" if format_ == "table" else f"; {shorten_signature(result.signature)}"
    sheets = [Sheet.from_frame(frame, captions[name] + marked, result.signature) for name, frame in frames.items()]
    return "\n".join(sheet.text(format_, plain=plain) for sheet in sheets)


def _select_largest(pairs: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Select the largest differences of each measure, as many as ``compare`` prints, with a note on the others."""
    largest = sort_by_size(pairs).groupby("measure", sort=False).head(LINES)
    if len(largest) == len(pairs):
        return pairs, ""
    largest = largest.sort_values(
        "measure", key=lambda names: names.map(list(pairs["measure"].unique()).index), kind="stable"
    )
    note = f"{len(largest):,} of {len(pairs):,} pairs, the largest differences of each measure first"
    return largest, f"{note}; -f json holds all"
