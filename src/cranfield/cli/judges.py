"""``cranfield judges``: whether conclusions depend on who judged, or on what was measured."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import cut, in_full, quoted, shown
from cranfield.cli._command import command_of_runs
from cranfield.cli._completion import complete_measures
from cranfield.cli._declared import DECLARED
from cranfield.cli._effects import refuse_for_table, refuse_without_effect
from cranfield.cli._options import (
    file_options,
    names_option,
    policy_options,
    reference_option,
    relevant_option,
    seed_option,
    topic_clusters_options,
)
from cranfield.cli._output import prints_table
from cranfield.cli._runs_input import RunsInput, runs_input
from cranfield.cli._scores_input import (
    missing_scores_option,
    parse_named_numbers,
    refuse_ranges,
    refuse_reading_options,
)
from cranfield.cli._topic_groups import split_runs_by_group
from cranfield.collection.policy import POLICIES
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import Location
from cranfield.io.system_names import expanded
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    import xarray as xr
from cranfield.statistics.test_names import OF_ALL_PAIRS

METHODS = DECLARED["judges combine"].options["combine_by"].choices
TABLES = ("systems", "correlations", "labels", "intervals", "favour", "movers", "topics", "means", "differences")
LABEL_TABLES = ("labels", "intervals", "topics")
"""Tables that do not need runs."""
SCORE_TABLES = ("systems", "correlations", "movers")
"""Tables for score files."""
MEAN_TABLES = ("means", "differences")
"""Tables for a few topics judged by people, and more by a model."""
SYSTEM_TABLES = ("systems", "movers")
"""Tables of orders of systems, above which a sentence says what is significant."""
RUN_TABLES = (*SYSTEM_TABLES, "intervals", "favour")
SCORING = ("measure", *POLICIES, "names", "keep_going")
"""Parameters that say how runs are read and scored."""
OF_JUDGMENTS = {
    **dict.fromkeys(("runs", *SCORING), (*RUN_TABLES, *MEAN_TABLES)),
    **dict.fromkeys(("reference", "common"), (*RUN_TABLES, "labels", "topics")),
    "test": SYSTEM_TABLES,
    "alpha": (*RUN_TABLES, *MEAN_TABLES),
    "top": ("systems",),
    **dict.fromkeys(("same_model", "topic_clusters", "mean_over", "seed"), RUN_TABLES),
}
"""Parameter -> the tables that it changes, where judges are compared; the others change all."""
OF_SCORES = {
    **dict.fromkeys(("relevant", "common", "methods", "keep_going"), ()),
    **dict.fromkeys(("test", "topic_clusters", "mean_over"), SYSTEM_TABLES),
    "top": ("systems", "correlations"),
    "same_model": ("correlations",),
}
"""The same, where scores are compared."""


@command_of_runs(tested=True)
@click.argument("qrels", metavar="[QRELS QRELS...]", nargs=-1)
@click.option("--run", "-r", "runs", multiple=True, metavar="RUN", help="A run, or a quoted glob; repeat.")
@click.option(
    "--scores",
    "score_files",
    multiple=True,
    metavar="FILE",
    help="Score files of one measure, or one of several.",
)
@missing_scores_option()
@click.option(
    "--measure",
    "-m",
    metavar="MEASURE",
    shell_complete=complete_measures,
    help="The measure.  [default: nDCG@10, or the file's]",
)
@reference_option
@relevant_option
@click.option("--common", is_flag=True, help="Keep only documents that all judges judged.")
@click.option(
    "--combine",
    "methods",
    type=click.Choice(METHODS),
    multiple=True,
    metavar="METHOD",
    help=f"Add a judge that combines all but the reference: {', '.join(METHODS)}; repeat.",
)
@click.option(
    "--show",
    type=click.Choice(TABLES),
    default="systems",
    show_default=True,
    metavar="TABLE",
    help="systems: order and significant pairs. correlations: of leaderboards. labels: agreement of labels. intervals: "
    "the same, with intervals over topics. favour: how a judge favours systems. movers: systems whose rank changes "
    "most. topics: kappa by topic. means, differences: estimates for topics that people did not judge.",
)
@click.option(
    "--test",
    type=click.Choice(OF_ALL_PAIRS),
    default="t",
    show_default=True,
    metavar="TEST",
    help="t, wilcoxon, sign, permutation, bootstrap, randomized-tukey or tukey.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Significance level.")
@click.option("--top", type=click.IntRange(min=2), help="Also compare the best systems.")
@click.option(
    "--same-model",
    "same_model",
    multiple=True,
    metavar="JUDGE=SYSTEM",
    help="SYSTEM uses this judge's model: also print tau_b without it.",
)
@functools.partial(policy_options, refused=("bounds",))
@file_options
@names_option
@split_runs_by_group(tested=True)
@topic_clusters_options
@seed_option
@prints_table()
@runs_input
def judges(
    qrels: tuple[str, ...],
    runs: RunsInput,
    score_files: tuple[str, ...],
    missing_scores: Any,
    measure: str | None,
    reference: str | None,
    relevant: tuple[str, ...],
    common: bool,
    methods: tuple[str, ...],
    show: str,
    same_model: tuple[str, ...],
    **tested: Any,
) -> Sheet:
    """Compare the conclusions about the same runs under several judgments, of which the first is the reference.

    With --scores, compare measures of the same systems, or sources of scores.
    """
    from cranfield.cli import _judges_tables as tables

    _check_sources(qrels, runs.paths, score_files, show)
    _refuse_ignored(show, tested["test"], has_scores=bool(score_files), has_runs=bool(runs.paths))
    _check_methods(methods, qrels, show)
    refuse_ranges(runs.reading)
    levels = parse_named_numbers("--rel", relevant)
    if relevant and runs.paths and not methods and show not in ("intervals", *LABEL_TABLES):
        _refuse_level(measure or "nDCG@10")
    decided: dict[str, Any] = {"reference": reference, "rel": 1.0 if levels is None else levels}
    if missing_scores is not None and not score_files:
        raise UsageError("--missing-scores is about --scores FILE; --missing says how a run's gaps are evaluated")
    if score_files:
        circular = tables.parse_same_model(same_model)
        sources = _read_sources(score_files, measure, runs.reading.only_topics)
        tested |= {"reference": reference, "missing_scores": missing_scores}
        sheet = tables.tabulate_sources(sources, show, circular, **tested)
    elif show in MEAN_TABLES:
        sheet = tables.tabulate_means(runs, qrels, measure or "nDCG@10", show, decided["rel"], tested["alpha"])
    elif runs.paths:
        tested |= {**decided, "same_model": tables.parse_same_model(same_model), "common": common}
        sheet = tables.tabulate_judges(runs, qrels, measure or "nDCG@10", show, methods, **tested)
    else:
        decided |= {name: tested[name] for name in ("topic_clusters", "seed", "alpha")} | {"common": common}
        sheet = tables.tabulate_labels(runs, qrels, show, methods, **decided)
    return sheet


def _check_sources(qrels: Sequence[str], runs: Sequence[str], files: Sequence[str], show: str) -> None:
    """Raise UsageError for sources that are too few, that do not go together, or that a table is not made of."""
    if files and (qrels or runs):
        raise UsageError("give QRELS QRELS... -r RUN..., or --scores FILE, not both")
    if files and show not in SCORE_TABLES:
        raise UsageError(f"--show {show} is about judgments, and --scores has none")
    if not files and show == "correlations":
        raise UsageError("--show correlations compares leaderboards: give --scores FILE, the true one first")
    if not files and len(qrels) < 2:
        raise UsageError("give two or more QRELS with -r RUN, or --scores FILE")
    if not files and not runs and show not in LABEL_TABLES:
        raise UsageError(
            "no run was given: -r RUN, once for each run, or -r 'DIR/*'; --show labels, intervals and topics need none"
        )
    if show in MEAN_TABLES and len(qrels) != 2:
        raise UsageError(f"--show {show} takes two QRELS: people's judgments of some topics, and a model's of more")


def _refuse_ignored(show: str, test: str, *, has_scores: bool, has_runs: bool) -> None:
    """Raise UsageError for an option that would change nothing."""
    from cranfield.comparison.outcome import RESAMPLES  # NumPy, for which --help does not wait

    context = click.get_current_context()
    if has_scores:
        refuse_reading_options(context)
    refuse_for_table(context, OF_SCORES if has_scores else OF_JUDGMENTS, show, "--show")
    if show in SYSTEM_TABLES and test not in RESAMPLES:
        refuse_without_effect(context, ["seed"], f"with --show {show} --test {test}, which draws nothing")
    if not has_runs and not has_scores:
        refuse_without_effect(context, (*SCORING, "same_model", "mean_over"), "without -r RUN")


def _refuse_level(measure: str) -> None:
    """Raise UsageError for a level of relevance that a measure does not have, in tables of scores alone."""
    from cranfield.scoring import read_measures

    if read_measures([measure], 2.0) == read_measures([measure]):
        refuse_without_effect(click.get_current_context(), ["relevant"], f"in scores by {shown(measure)}")


def _check_methods(methods: Sequence[str], qrels: Sequence[str], show: str) -> None:
    if methods and (len(qrels) < 3 or show in MEAN_TABLES):
        raise UsageError("--combine needs two or more QRELS beside the reference, and a table other than means")


def _read_sources(patterns: Sequence[str], measure: str | None, topics: Sequence[str] | None) -> Any:
    from cranfield.scores.files import read_scores, score_file_name
    from cranfield.scores.measure_selection import select_effectiveness

    files = [path for pattern in patterns for path in expanded(pattern)]

    if len(files) == 1:
        if measure is not None:
            raise UsageError("the measures of one score file are compared with each other: leave -m out")
        return select_effectiveness(_restrict(read_scores(files[0]), topics))
    sources: dict[str, Any] = {}
    datasets = [(path, _restrict(read_scores(path), topics)) for path in files]
    if all(len(dataset.data_vars) == 1 for _, dataset in datasets):
        refuse_without_effect(click.get_current_context(), ["measure"], "where each score file holds one measure")
    for path, dataset in datasets:
        names = [str(name) for name in dataset.data_vars]
        if measure is None and len(names) > 1:
            held = ", ".join(map(shown, names))
            raise UsageError(f"{in_full(path)} holds {len(names)} measures: choose one with -m ({held})")
        chosen = names[0] if measure is None or len(names) == 1 else measure
        if chosen not in names:
            held = ", ".join(map(shown, names))
            text = f"holds no measure {quoted(str(measure))}, only {held}"
            raise InputError(text, Location(path), code="unknown", value=cut(str(measure)))
        source = score_file_name(path)
        if source in sources:
            text = f"two score files are called {quoted(source)}: rename one of the files"
            raise InputError(text, Location(path), code="equal-names", value=cut(source))
        sources[source] = dataset[chosen].assign_attrs(dataset.attrs | dataset[chosen].attrs)
    return sources


def _restrict(scores: xr.Dataset, topics: Sequence[str] | None) -> xr.Dataset:
    """The scores of the topics of a group; all where None."""
    if topics is None:
        return scores
    return scores.isel(topic=[number for number, topic in enumerate(scores["topic"].values) if topic in {*topics}])
