"""``cranfield compare prefer``: compare ranked lists by preference, without a measure."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import counted, percent
from cranfield.cli._across_groups import adjust_options, run_group_tests
from cranfield.cli._command import command_of_runs
from cranfield.cli._effects import refuse_for_table
from cranfield.cli._options import limit_option, limit_rows
from cranfield.cli._output import prints_table, show_progress
from cranfield.cli._preference import PREFERENCES
from cranfield.cli._runs_input import RunsInput, reading_options, runs_arguments, runs_input
from cranfield.cli._topic_groups import split_runs_by_group
from cranfield.collection.policy import REWRITING
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.comparison.preference import ListPreferences

POLICIES = ("ties", "missing", "unjudged", "compat", "on_duplicate", *REWRITING)
"""Policies that apply where only ranks of relevant documents are compared."""
EFFECTS = {
    "baseline": ("pairs", "topics"),
    "correction": ("pairs",),
    "alpha": ("pairs",),
    "limit": ("pairs", "topics"),
}
"""Option -> the tables that it changes."""
CORRECTIONS = ("holm", "bh", "bonferroni", "none")


@command_of_runs()
@runs_arguments
@click.option(
    "--preference",
    type=click.Choice(PREFERENCES),
    default="rpp",
    show_default=True,
    help="How two lists are compared: by the share of the levels of recall at which one is ahead (rpp; invrpp and "
    "dcgrpp weight early levels more), by which is ahead at the first level where they differ (lexiprecision; "
    "rrlexiprecision by how much), or at the last (lexirecall).",
)
@click.option("--graded", is_flag=True, help="Treat every positive label as a level of relevance, instead of --rel.")
@click.option("--baseline", multiple=True, metavar="NAME", help="Compare with this system only; repeat.")
@click.option(
    "--correction",
    type=click.Choice(CORRECTIONS),
    default="holm",
    show_default=True,
    help="Correction of the sign test for the number of pairs.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Significance level.")
@click.option(
    "--show",
    type=click.Choice(["pairs", "systems", "topics", "scores"]),
    default="pairs",
    show_default=True,
    help="pairs: over all topics. systems: their order. topics: each pair on each topic. scores: each system's mean "
    "preference over the others by topic, as rows for --scores of other commands.",
)
@limit_option
@split_runs_by_group(tested=True, across=True)
@functools.partial(reading_options, policies=POLICIES)
@prints_table(by_format=True)
@runs_input
def prefer(
    runs: RunsInput,
    preference: Any,
    graded: bool,
    baseline: tuple[str, ...],
    correction: Any,
    alpha: float,
    show: str,
    limit: int | None,
    format_: str,
) -> Sheet | str:
    """Compare two lists by the ranks at which they reach their relevant documents, without a measure.

    preference is above 0 where the lists of the first system are preferred to those of the second; p is that of a sign
    test on the topics that it wins and loses.
    """
    from cranfield.comparison.preference import prefer as compare_lists

    refuse_for_table(click.get_current_context(), EFFECTS, show, "--show")
    with show_progress("reading runs", len(runs.paths)) as progress:
        adjust_options({"correction": correction})
        preferences = run_group_tests(
            lambda: compare_lists(
                runs.paths,
                runs.qrels,
                preference,
                graded=graded,
                baseline=baseline,
                correction=correction,
                alpha=alpha,
                reading=runs.reading,
                progress=progress,
            )
        )
    return _format_result(preferences, show, limit, format_)


def _format_result(preferences: ListPreferences, show: str, limit: int | None, format_: str) -> Sheet | str:
    from cranfield.scores.dataset import make_table
    from cranfield.scores.rows import as_text

    if show == "scores" and format_ != "table":
        return as_text(make_table(preferences.scores), format_, by_topic=True)
    table: pd.DataFrame = preferences.to_frame(show)
    left_out = ""
    if show in ("pairs", "topics"):
        table, left_out = limit_rows(table, limit, format_, "the most preferred systems first")
    caption = f"{left_out}\n{_write_caption(preferences, show)}".lstrip()
    return Sheet.from_frame(table, caption, preferences.signature)


def _write_caption(preferences: ListPreferences, show: str) -> str:
    from cranfield.comparison.comparison_text import describe_scope

    settings = preferences.settings
    level = "graded labels" if settings["graded"] else f"labels of {settings['rel']:g} or more"
    topics = counted(preferences.scores.sizes["topic"], "topic")
    text = f"{settings['preference']}, {level}: {counted(len(preferences.systems), 'system')}, {topics}"
    text += f"; tied in {percent(preferences.tied)} of the comparisons"
    if show == "pairs":
        tests = (
            "sign test"
            if settings["correction"] == "none"
            else f"sign test, {settings['correction']}{describe_scope(settings)}"
        )
        significant = int(preferences.pairs["significant"].sum())
        text += f"; {tests}: {significant:,} of {counted(len(preferences.pairs), 'pair')} significant"
    if show == "systems" and preferences.contradicted:
        text += f"; {counted(preferences.contradicted, 'pair')} contradict this order"
    return text
