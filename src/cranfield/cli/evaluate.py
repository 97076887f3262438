"""``cranfield evaluate``: the leaderboard, or every score."""

from __future__ import annotations

import functools
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._holes import holes_options, print_estimates
from cranfield.cli._options import (
    ESTIMATES,
    exclude_option,
    format_option,
    groups_option,
    input_options,
    intent_options,
    measure_option,
    output_option,
    policy_options,
)
from cranfield.cli._partitioned import (
    OF_DATA_SETS,
    dataset_options,
    emit_partitioned,
    refuse_dataset_options,
    refuse_options_of_scores,
)
from cranfield.cli._runs_input import RunsInput, runs_arguments, runs_input
from cranfield.cli._scores_input import refuse_unread_rel
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.cli._relstring import RelString
    from cranfield.collection.reading import InputOptions
    from cranfield.scoring import Evaluation


SIGNED = ("json", "latex", "markdown", "parquet")
"""Formats that carry a signature."""


@command_of_runs()
@runs_arguments
@measure_option("nDCG@10, AP, RR, P@10, R@1000, Judged@10")
@click.option("--by-topic", "-q", is_flag=True, help="Print every topic, not only the summary.")
@format_option("trec", "latex", "markdown", "parquet")
@click.option(
    "--flat",
    is_flag=True,
    help="Print one flat JSON object of summaries, `ndcg_10: 0.51`, with names that MLflow, W&B and DVC accept; "
    "`bm25/ndcg_10` for several runs.",
)
@functools.partial(policy_options, holes=tuple(ESTIMATES))
@click.option(
    "--bounds",
    is_flag=True,
    help="Add two columns: the lowest and the highest score possible if the unjudged documents were judged.",
)
@click.option(
    "--sampling-error",
    is_flag=True,
    help="With judgments of a sample (prels): print each estimate with its standard error, bias, and 95% interval.  "
    "[default of --measure with it: xinfAP, infNDCG]",
)
@groups_option
@input_options
@exclude_option
@intent_options
@dataset_options
@functools.partial(output_option, folder=True)
@functools.partial(holes_options, printer=print_estimates)
@runs_input
def evaluate(
    runs: RunsInput,
    measures: tuple[str, ...],
    by_topic: bool,
    format_: str,
    flat: bool,
    bounds: bool,
    sampling_error: bool,
    topic_groups: str | None,
    dataset: bool,
    dask: str | None,
    output: str | None,
    **of_sets: Any,
) -> None:
    """Score runs against judgments and print a leaderboard.

    QRELS and each RUN are files, compressed or not; - is standard input, and irds:ID names the QRELS of ir_datasets.
    Scores go to standard output; warnings and progress to standard error. With --topic-groups, the means of each group
    are printed with their intervals; with --unjudged estimate, estimates of what runs would score if every document
    were judged, with intervals.
    """
    groups = topic_groups is not None
    format_ = _resolve_format(format_, len(runs.paths), output, flat=flat, by_topic=by_topic)
    _check_output(output, format_, dataset=dataset)
    # Imported here, as they import NumPy, for which --help does not wait.
    from cranfield.cli._relstring import split_measures
    from cranfield.scoring import DEFAULT

    if sampling_error:
        from cranfield.cli._render import print_sampling_error

        refuse_without_effect(click.get_current_context(), OF_DATA_SETS, "with --sampling-error")
        excluded = {"bounds": bounds, "topic-groups": groups, "dataset": dataset, "dask": dask}
        return print_sampling_error(runs, measures, format_, output, excluded, by_topic=by_topic)
    if refuse_dataset_options(of_sets, dataset=dataset):
        if format_ != "parquet":
            refuse_without_effect(click.get_current_context(), ["resume"], "without --by-topic and -o scores/")
        weighted = bool(runs.reading.intent_weights)
        refuse_options_of_scores(format_, by_topic=by_topic, flat=flat, bounds=bounds, intents=weighted)
        parts: dict[str, Any] = {"dask": dask, "topic_groups": topic_groups, **of_sets}
        return emit_partitioned(runs, measures or DEFAULT, format_, output, **parts)
    if groups:
        from cranfield.cli._render import print_means, refuse_for_groups

        refuse_for_groups(format_, by_topic=by_topic)
    numbers, texts = split_measures(measures, printable=format_ == "trec" and by_topic)
    refuse_unread_rel(numbers or DEFAULT)
    scored = _choose_measures(texts, numbers, runs.reading)
    settings: dict[str, Any] = {"bounds": bounds, "keep_rankings": bool(texts)}
    settings["sign"] = groups or format_ in SIGNED
    with _score_runs(runs, scored, dask, **settings) as table:
        if topic_groups is not None:
            return print_means(table, topic_groups, format_, output)
    _print_scores(table, format_, output, by_topic=by_topic, texts=texts, alone=not numbers)


@contextmanager
def _score_runs(runs: RunsInput, measures: Sequence[str], dask: str | None, **settings: Any) -> Iterator[Evaluation]:
    """Score all runs; remarks until they are printed are reported together."""
    from cranfield.cli._output import add_remarks, show_progress, warnings_to_stderr
    from cranfield.scoring import score

    settings["reading"] = runs.reading
    bar = show_progress("reading runs", len(runs.paths))
    with warnings_to_stderr(), bar as progress:
        table = score(runs.paths, runs.qrels, measures, dask=dask, progress=progress, **settings)
        add_remarks(table.remarks)
        yield table


def _choose_measures(texts: Sequence[RelString], numbers: Sequence[str], reading: InputOptions) -> Sequence[str]:
    """Return the measures to score beside strings, ``num_q`` for strings alone; these need documents in one order."""
    from cranfield.scoring import DEFAULT

    if texts:
        reading.policy.check_order("relstring")
    return numbers or (("num_q",) if texts else DEFAULT)


def _print_scores(table: Evaluation, format_: str, output: str | None, **shape: Any) -> None:
    if format_ == "parquet":
        from cranfield.evaluation import to_dataset
        from cranfield.scores.files import write_scores

        write_scores(to_dataset(table), str(output), format="parquet")
    elif format_ in ("tsv", "csv", "json"):
        from cranfield.cli._output import emit
        from cranfield.scores.row_stream import row_blocks

        emit(row_blocks(table, format_, by_topic=shape["by_topic"]), output)
    else:
        from cranfield.cli._output import emit
        from cranfield.cli._render import render

        emit(render(table, format_, plain=output is not None, **shape), output)


def _check_output(output: str | None, format_: str, *, dataset: bool) -> None:
    """Check the output, but for a store of parts at an address: it checks itself, as parts there may be resumed."""
    from cranfield.cli._output import check_output_path
    from cranfield.io.filesystem import is_address

    if not (dataset and format_ == "parquet" and is_address(str(output))):
        check_output_path(output, folder=format_ == "parquet")


def _resolve_format(format_: str, runs: int, output: str | None, *, flat: bool, by_topic: bool) -> str:
    """Resolve the format in which scores are printed.

    Raises:
        UsageError: the format cannot hold what is requested.
    """
    from cranfield.io.filesystem import is_address

    named = output is not None and (output.endswith(("/", os.sep, ".parquet")) or is_address(output))
    if format_ == "table" and named:
        format_ = "parquet"
    if format_ == "parquet" and not (by_topic and output is not None):
        lacking = "--by-topic" if output is not None else "-o scores/ or -o scores.parquet"
        raise UsageError(f"parquet holds the scores of topics, in a folder or a file: add {lacking}")
    if format_ == "trec" and runs > 1:
        raise UsageError(f"--format trec holds one run, not {runs}: use tsv, csv or json")
    if flat and (by_topic or format_ not in ("table", "json")):
        raise UsageError(f"--flat prints JSON of summaries: leave {'--by-topic' if by_topic else '--format'} out")
    return "flat" if flat else format_
