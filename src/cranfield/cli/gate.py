"""``cranfield gate``: whether a change is a regression or may be merged."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._across_groups import run_group_tests
from cranfield.cli._command import command_of_runs
from cranfield.cli._declared import DECLARED
from cranfield.cli._declared_options import make_option
from cranfield.cli._holes import (
    UNKNOWN_TO_HOLES,
    HolesRequest,
    fit_holes,
    holes_options,
    refuse_for_holes,
    warn_of_assumptions,
)
from cranfield.cli._options import (
    direction_options,
    make_format_option,
    output_option,
    replicates_option,
    topic_clusters_options,
)
from cranfield.cli._output import check_output_path, present, show_progress, warnings_to_stderr
from cranfield.cli._runs_input import take_runs
from cranfield.cli._scores_input import ScoresInput, number_input, parse_named_numbers, refuse_ranges
from cranfield.cli._statement import record_gate, state_gates, statement_option
from cranfield.cli._topic_groups import split_scores_by_group
from cranfield.errors import UsageError
from cranfield.io.system_names import expanded

if TYPE_CHECKING:
    from cranfield.comparison.regression_gate.gate import FewTopics, Gate

STATUS = {"no regression": 0, "regression": 3, "cannot tell": 4}
"""Verdict -> exit status; 1 and 2 are those of errors."""
UNITS = ("topic_clusters", "mean_over", "topic_weights")
"""Options on what the means are over, which single topics have none of."""
NOT_OF_ESTIMATES = (
    *(
        "score_files",
        "against",
        "worst_topic",
        "topic_clusters",
        "mean_over",
        "replicates",
        "missing_scores",
        "topic_weights",
    ),
    *("across_groups", "topic_sample", "larger_is_better", "smaller_is_better"),
    *UNKNOWN_TO_HOLES,
)
"""Parameters without a meaning for estimates."""


def _gate_estimates(
    holes: HolesRequest,
    *,
    paths: Sequence[str],
    measures: Sequence[str],
    baseline: str | None,
    margin: tuple[str, ...],
    alpha: float,
    cannot_tell: str | None,
    format_: str,
    output: str | None,
    **options: Any,
) -> None:
    """Run the gate on estimates of runs with unjudged documents; ``options`` are the others of ``cranfield gate``."""
    from cranfield.cli._gate_formats import format_gate
    from cranfield.holes.draws import BLOCK

    check_output_path(output)
    if holes.method == "bootstrap":
        raise UsageError("--unjudged bootstrap draws the labels of each run alone: it compares no two runs")
    refuse_for_holes(holes, NOT_OF_ESTIMATES)
    if len(paths) < 3:
        raise UsageError("a gate under holes needs a baseline and a new run: QRELS BASELINE NEW...")
    margins = parse_named_numbers("--margin", margin)
    runs, _ = take_runs({**options, "qrels": paths[0], "runs": paths[1:]})
    chosen = list(measures) or ["nDCG@10"]
    with warnings_to_stderr():
        fitted = fit_holes(runs, holes, chosen)
        with show_progress("drawing labels", -(-holes.draws // BLOCK)) as progress:
            result = fitted.gate(
                baseline or fitted.systems[0],
                chosen,
                margin=0.01 if margins is None else margins,
                alpha=alpha,
                draws=holes.draws,
                seed=holes.seed,
                progress=progress,
            )
    warn_of_assumptions(result.settings["caveats"], format_)
    record_gate(result)
    present(format_gate(result, format_, cannot_tell, plain=output is not None), format_, output)
    raise SystemExit(_choose_status(result, cannot_tell))


@command_of_runs(tested=True, first_is_baseline=True, epilog="3 a regression, 4 too few topics to decide")
@state_gates
@functools.partial(holes_options, printer=_gate_estimates)
@number_input
@split_scores_by_group(["nDCG@10"], tested=True, across=True, of_every_topic="worst_topic")
@click.option(
    "--against",
    metavar="FILE",
    help="Scores of the baseline, stored by `cranfield evaluate QRELS RUN -q -f json` from the same judgments and "
    "policies.",
)
@click.option(
    "--baseline",
    metavar="NAME",
    help="The baseline.  [default: the first run, or the system of --against]",
)
@click.option(
    "--margin",
    multiple=True,
    metavar="[MEASURE=]LOSS",
    help="Largest acceptable drop in a mean (> 0), for all measures or one each.  [default: 0.01]",
)
@click.option(
    "--worst-topic",
    type=float,
    metavar="LOSS",
    help="Largest acceptable drop on any topic, in a group or not.  [default: any drop]",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the one-sided tests.")
@click.option(
    "--cannot-tell",
    type=click.Choice(["fail", "pass"]),
    help="Exit with 3 (fail) or 0 (pass) where there are too few topics to decide.  [default: exit with 4]",
)
@direction_options
@topic_clusters_options
@make_option(DECLARED["compare"].options["topic_weights"], DECLARED["compare"])
@replicates_option
@make_format_option(
    ["table", "tsv", "csv", "json", "markdown", "junit"],
    "markdown for a pull request, junit for CI",
)
@output_option
@statement_option("the verdict")
def gate(
    scores: ScoresInput,
    against: str | None,
    baseline: str | None,
    margin: tuple[str, ...],
    worst_topic: float | None,
    alpha: float,
    cannot_tell: str | None,
    format_: str,
    output: str | None,
    **reading: Any,
) -> None:
    """Test whether new runs are worse than a baseline (the first run) by more than a margin.

    Exits with 0 where no new run is a regression by any measure, with 3 where one is, and with 4 where there are too
    few topics to decide, or, with --unjudged estimate, too many unjudged documents. A topic that drops by more than
    --worst-topic is a regression, whatever the mean. With --topic-groups the worst verdict counts; a group with too few
    topics for a test cannot tell.
    """
    from cranfield.cli._gate_formats import format_gate
    from cranfield.scores.files import read_scores

    refuse_ranges(scores.runs.reading)
    margins = parse_named_numbers("--margin", margin)
    check_output_path(output)
    if not scores.files and against is None and sum(len(expanded(run)) for run in scores.runs.paths) < 2:
        raise UsageError("a gate needs a baseline: QRELS BASELINE NEW..., or QRELS NEW... --against FILE")
    with warnings_to_stderr():
        streamed = scores.streamed_scores() if against is None else None
        table = streamed or scores.dataset(["nDCG@10"])
        stored = None if against is None else scores.restrict_topics(read_scores(against))
        result = run_group_tests(
            lambda: _run_gate(
                scores,
                table,
                baseline=baseline,
                against=stored,
                margin=0.01 if margins is None else margins,
                worst_topic=worst_topic,
                alpha=alpha,
                reading=reading,
            )
        )
    record_gate(result, group=scores.group, groups=scores.groups)
    present(format_gate(result, format_, cannot_tell, plain=output is not None), format_, output)
    raise SystemExit(_choose_status(result, cannot_tell))


def _run_gate(scores: ScoresInput, table: Any, reading: dict[str, Any], **settings: Any) -> Gate:
    """Run the gate; for topics without a group, and groups that cannot be tested, on single topics alone."""
    from cranfield.comparison.regression_gate.gate import gate as pass_or_fail
    from cranfield.comparison.regression_gate.gate import untested_gate

    if scores.ungrouped:
        single = {name: value for name, value in reading.items() if name not in UNITS}
        return untested_gate(table, "these topics have no group", "no regression", **single, **settings)
    few_topics: FewTopics = "refuse" if scores.group_scores is None else "cannot tell"
    return pass_or_fail(table, few_topics=few_topics, **reading, **settings)


def _choose_status(result: Gate, cannot_tell: str | None) -> int:
    """Return the exit status."""
    if result.verdict != "cannot tell" or cannot_tell is None:
        return STATUS[result.verdict]
    if cannot_tell == "pass":
        return STATUS["no regression" if result.complete else "cannot tell"]
    return STATUS["regression"]
