"""``cranfield judges pairs``: pairwise verdicts of judges, what they depend on, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cranfield import pairwise
from cranfield._text import numeral, shown
from cranfield.cli._completion import complete_measures
from cranfield.cli._effects import refuse_for_table, refuse_without_effect
from cranfield.cli._help import FoldedHelp
from cranfield.cli._options import limit_option, limit_rows, refuse_limit, seed_option
from cranfield.cli._output import prints_table
from cranfield.cli._preference import PREFERENCES
from cranfield.errors import UsageError
from cranfield.memory import analysing
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from cranfield.pairwise import PairVerdicts, Strengths
    from cranfield.statistics.list_preference import Preference

TABLES = ("order", "triads", "strengths", "pairs", "wins", "judges", "scores", "verdicts", "preferences")
LIMITED = ("pairs", "wins", "verdicts")
"""Tables with a row a pair."""
DESCRIBED = 6
"""The most judges that a caption describes."""
FITTED = ("pair_ties", "weights", "prior", "alpha")
"""Settings of every table with strengths."""
STRENGTHS = ("strengths", "pairs", "judges", "scores")
EFFECTS = {
    **dict.fromkeys(("pooled", "format_"), tuple(table for table in TABLES if table != "preferences")),
    "repeats": ("order",),
    "weights": (*STRENGTHS, "wins"),
    **dict.fromkeys(("pair_ties", "prior"), STRENGTHS),
    "alpha": (*STRENGTHS, "order", "triads"),
    "order_effect": ("strengths", "pairs"),
    "baseline": ("pairs",),
    **dict.fromkeys(("resamples", "seed"), ("strengths", "scores")),
    "measure": ("scores", "verdicts"),
    "threshold": ("verdicts",),
}
"""Parameter -> the tables that it changes; the others change all, or are refused elsewhere."""


@click.command(cls=FoldedHelp)
@click.argument("verdicts", metavar="[FILE]", required=False)
@click.option(
    "--show",
    type=click.Choice(TABLES),
    default="order",
    show_default=True,
    metavar="TABLE",
    help="order: verdicts that change when sides are swapped. triads: circles of three systems. strengths: of systems, "
    "with ranks. pairs: differences in strength. wins: of each pair. judges: agreement of each two. scores: agreement "
    "with scores. verdicts: as rows, or made of scores. preferences: `topic better worse`.",
)
@click.option("--judge", metavar="NAME", help="This judge only.  [default: each by itself]")
@click.option("--pooled", is_flag=True, help="Pool the verdicts of all judges.")
@click.option("--criterion", metavar="COLUMN", help="The column of the verdict.")
@click.option("--systems", metavar="FILE", help="Lines `answer system`, for answers.")
@click.option(
    "--repeats",
    type=click.Choice(["mean", "first", "last"]),
    default="mean",
    show_default=True,
    help="Repeated verdicts in one order (order).",
)
@click.option(
    "--pair-ties",
    type=click.Choice(["half", "drop", "davidson"]),
    default="half",
    show_default=True,
    help="How strengths count a tie.",
)
@click.option("--order-effect", is_flag=True, help="Estimate the left side's advantage (strengths).")
@click.option(
    "--weights",
    type=click.Choice(["pairs", "verdicts"]),
    default="pairs",
    show_default=True,
    help="Which of the two has weight 1.",
)
@click.option("--prior", type=float, metavar="A", help="Add A/2 wins and losses each; 1 is usual.")
@click.option("--baseline", metavar="SYSTEM", help="Compare with this system only (pairs).")
@click.option("--scores", metavar="FILE", help="Scores to compare with, or to convert.")
@click.option("--qrels", metavar="QRELS", help="Score --run by these instead of --scores.")
@click.option("--run", "-r", "runs", multiple=True, metavar="RUN", help="A run, or a quoted glob; repeat.")
@click.option(
    "--measure",
    "-m",
    metavar="MEASURE",
    shell_complete=complete_measures,
    help="Of --scores or --run.  [default for --run: nDCG@10]",
)
@click.option(
    "--preference",
    type=click.Choice(PREFERENCES),
    metavar="NAME",
    help="Make verdicts of --run by a preference, such as rpp.",
)
@click.option("--threshold", type=float, default=0.0, help="Differences up to this are ties (verdicts).")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="1 - coverage of intervals.")
@click.option("--resamples", type=click.IntRange(1), help="Normal samples, or draws of topics.  [default: 10000, 1000]")
@seed_option
@limit_option
@prints_table(by_format=True)
def pairs(
    verdicts: str | None,
    show: str,
    judge: str | None,
    pooled: bool,
    criterion: str | None,
    systems: str | None,
    scores: str | None,
    qrels: str | None,
    runs: tuple[str, ...],
    measure: str | None,
    preference: Any,
    limit: int | None,
    format_: str,
    **options: Any,
) -> Sheet | str:
    """Show whether pairwise verdicts can be trusted, and rank systems by them.

    FILE has columns topic, left, right, verdict (left, right or tie) and perhaps judge, as TSV, CSV or JSON lines; or
    those of arena battles, CrowdRAG-25 or AutoJudge. Look at the effect of order before you rank. Intervals are over
    topics: several verdicts on one topic are not independent evidence.
    """
    with analysing("judges pairs"):
        _check_sources(verdicts, scores, qrels, runs, preference, show)
        _refuse_ignored(show, reads_verdicts=verdicts is not None, makes_preferences=preference is not None)
        if show not in LIMITED:
            refuse_limit(limit, "take --show pairs or --show wins")
        if preference is not None:
            source, table = _read_preferences(runs, qrels, preference, options), None
        else:
            table = _read_scores(scores, qrels, runs, measure) if scores or qrels else None
            source = _read(verdicts, table, criterion, systems, options)
        chosen = source.select_judge(judge) if judge is not None else source
        chosen = chosen.pool_judges() if pooled else chosen
        if show == "preferences":
            from cranfield.io.trec import preference_lines

            return preference_lines(chosen.preferences())
        rows, caption, signature = _tabulate(chosen, table, show, options)
    left_out = ""
    if show in LIMITED:
        rows, left_out = limit_rows(rows, limit, format_, "in this order")
    sheet = Sheet.from_frame(rows, "\n".join([left_out, caption]).strip(), signature, ("topics",))
    return replace(sheet, absent="none")


def _check_sources(
    path: str | None, scores: str | None, qrels: str | None, runs: Sequence[str], preference: str | None, show: str
) -> None:
    """Refuse sources that do not go together.

    Raises:
        UsageError: verdicts or scores are missing, or are there twice, or are not what the table is made of.
    """
    if (qrels is None) != (not runs):
        raise UsageError("--qrels and --run go together: the runs are scored by the judgments")
    if scores is not None and qrels is not None:
        raise UsageError("--scores and --run both give scores: leave one out")
    has_scores = scores is not None or qrels is not None
    if preference is not None and (qrels is None or path is not None or show != "verdicts"):
        raise UsageError(
            "--preference makes verdicts of runs: --qrels QRELS --run RUN... --show verdicts, without FILE"
        )
    if path is None:
        if show != "verdicts" or not has_scores:
            raise UsageError("name a file of verdicts; only --show verdicts makes them, from --scores or --run")
        return
    if has_scores and show != "scores":
        raise UsageError(f"--show {show} reads the file of verdicts: leave --scores and --run out, or --show scores")
    if not has_scores and show == "scores":
        raise UsageError("--show scores compares strengths with --scores: name the file, or --qrels and --run")


def _refuse_ignored(show: str, *, reads_verdicts: bool, makes_preferences: bool) -> None:
    """Raise UsageError for an option that would change nothing."""
    context = click.get_current_context()
    refuse_for_table(context, EFFECTS, show, "--show")
    if reads_verdicts:
        refuse_without_effect(context, ["threshold"], "where FILE has verdicts")
        if show == "verdicts":
            refuse_without_effect(context, ["measure"], "without --scores or --run")
    else:
        refuse_without_effect(context, ["judge", "criterion", "systems"], "without a FILE of verdicts")
    if makes_preferences:
        refuse_without_effect(context, ["measure"], "with --preference, which takes none")


def _read_scores(path: str | None, qrels: str | None, runs: Sequence[str], measure: str | None) -> xr.Dataset:
    from cranfield.scores.measure_selection import choose_measures

    if path is not None:
        from cranfield.scores.files import read_scores

        return choose_measures(read_scores(path), [measure] if measure else [])
    from cranfield.evaluation import to_dataset
    from cranfield.scoring import score

    return to_dataset(score(list(runs), str(qrels), measure or "nDCG@10"))


def _read_preferences(
    runs: Sequence[str], qrels: str | None, preference: Preference, options: dict[str, Any]
) -> PairVerdicts:
    from cranfield.comparison import prefer
    from cranfield.pairwise import convert_preferences

    preferences = prefer(list(runs), str(qrels), preference)
    return convert_preferences(preferences, threshold=options["threshold"], seed=options["seed"])


def _read(
    path: str | None, scores: xr.Dataset | None, criterion: str | None, systems: str | None, options: dict[str, Any]
) -> PairVerdicts:
    from cranfield.pairwise import convert_scores, read_verdicts

    if path is None:
        assert scores is not None, "it was refused"
        return convert_scores(scores, threshold=options["threshold"], seed=options["seed"])
    return read_verdicts(path, criterion=criterion, systems=systems)


def _tabulate(
    verdicts: PairVerdicts, scores: xr.Dataset | None, show: str, options: dict[str, Any]
) -> tuple[pd.DataFrame, str, dict[str, Any]]:
    """The rows of a table, its caption, and what they were made from."""
    fitted = {name: options[name] for name in FITTED}
    drawn = {"seed": options["seed"]} | ({"resamples": options["resamples"]} if options["resamples"] else {})
    if show == "order":
        effect = pairwise.measure_order_effect(verdicts, repeats=options["repeats"], alpha=options["alpha"])
        return (
            _count_pairs(effect.table),
            "\n".join(map(effect.describe, verdicts.judges[:DESCRIBED])),
            effect.signature,
        )
    if show == "triads":
        triads = pairwise.count_triads(verdicts, alpha=options["alpha"])
        return (
            triads.table,
            "triads of a topic without ties; z: against fair coins, which make 25% cyclic",
            triads.signature,
        )
    if show == "wins":
        wins = pairwise.count_wins(verdicts, weights=options["weights"])
        return wins.table, "a tie is half a win and half a loss", wins.signature
    if show == "judges":
        agreement = pairwise.compare_verdicts(verdicts, **fitted)
        return agreement.table, "pairs of a topic that both judged; tau_b: of strengths", agreement.signature
    if show == "scores":
        assert scores is not None, "it was refused"
        correlation = pairwise.compare_with_scores(verdicts, scores, **fitted, **drawn)
        return correlation.table, "strengths by verdicts and mean scores", correlation.signature
    if show == "verdicts":
        from cranfield.results.result import signed

        return verdicts.to_frame(), "", signed("verdicts", {}, verdicts={"sha256": verdicts.digest})
    further = {name: options[name] for name in ("order_effect", "baseline")}
    return _tabulate_strengths(pairwise.estimate_strengths(verdicts, **fitted, **drawn, **further), show)


def _tabulate_strengths(strengths: Strengths, show: str) -> tuple[pd.DataFrame, str, dict[str, Any]]:
    """Strengths with their ranks, or differences of strengths, with what must be known to read them."""
    if show == "pairs":
        caption = "differences of strengths (log odds), intervals over topics; p_adjusted: Holm"
        return strengths.pairs, "\n".join(filter(None, [caption, strengths.note])), strengths.signature
    level = f"{100 * (1 - strengths.settings['alpha']):.4g}%"
    caption = f"strength: log odds, intervals over topics; rank_interval: for all systems together, {level}"
    for row in strengths.parameters.to_dict("records"):
        value, low, high = (numeral(row[name], ".4f") for name in ("value", "low", "high"))
        caption += f"\n{shown(row['judge'])}, {row['parameter']}: {value} ({low} to {high})"
    return strengths.table, "\n".join(filter(None, [caption, strengths.note])), strengths.signature


def _count_pairs(table: pd.DataFrame) -> pd.DataFrame:
    """The effect of order with its numbers of pairs as integers, among shares."""
    values = table["value"].astype(object)
    counts = table["statistic"] == "pairs"
    values[counts] = [int(value) for value in values[counts]]
    return table.assign(value=values)
