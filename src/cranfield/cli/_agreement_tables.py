"""The tables of ``cranfield agreement``.

What stands below a table of agreement: what was compared, over which topics, and why a share is nan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from cranfield._text import counted, numeral, quoted, shown
from cranfield.agreement.judge_agreement import (
    JudgeAgreement,
    compare_judges,
    keep_common_documents,
    one_measure,
    score_by_judge,
)
from cranfield.agreement.label_agreement import LabelAgreement, choose_levels, compare_labels, name_judges
from cranfield.agreement.leaderboard_agreement import compare_leaderboards
from cranfield.agreement.prediction_powered import estimate_powered_means
from cranfield.agreement.ranking_agreement import Agreement, compare_rankings, fill_sources
from cranfield.errors import UsageError
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.cli._runs_input import RunsInput


def tabulate_sources(sources: Any, show: str, circular: Mapping[str, Sequence[str]], **how: Any) -> Sheet:
    """The table that compares leaderboards by their scores alone, without judgments."""
    sources = fill_sources(sources, how.pop("missing_scores"))
    if show == "correlations":
        return _of_leaderboards(sources, circular, **how)
    if circular:
        raise UsageError("--same-model with --scores is about --show correlations")
    agreed = compare_rankings(sources, **how)
    caption = "\n".join([caption_of(agreed), *notes_of(agreed, dict(sources.items()), show)])
    return Sheet.of_frame(_of_systems(agreed, show), caption, agreed.signature)


def _of_leaderboards(sources: Any, circular: Mapping[str, Sequence[str]], **how: Any) -> Sheet:
    """Correlations of leaderboards by judges with the true one."""
    words = {name: how[name] for name in ("reference", "seed")}
    level = 1.0 - how["alpha"]
    agreed = compare_leaderboards(sources, top=how["top"] or (), same_model=circular, level=level, **words)
    table = agreed.correlations if circular else agreed.correlations.drop(columns="without")
    caption = f"reference {shown(agreed.reference)}; intervals {level:g}, by topics drawn anew"
    return Sheet.of_frame(table, caption, agreed.signature)


def tabulate_judges(runs: RunsInput, qrels: Sequence[str], measure: str, show: str, **settings: Any) -> Sheet:
    """The table of runs under several judgments."""
    judged = compare_judges(runs.paths, list(qrels), measure, reading=runs.reading, **settings)
    caption = caption_of(judged.systems)
    for row in judged.without.to_dict("records"):
        caption += (
            f"; {shown(row['judge'])}: tau_b {numeral(row['tau_b'], '.4f')} with all systems, "
            f"{numeral(row['tau_b_without'], '.4f')} without the {counted(row['systems'], 'system')} "
            "built with its model"
        )
    caption = "\n".join([caption, *notes_of(judged.systems, judged.scores, show, REMEDY)])
    return Sheet.of_frame(_of_judges(judged, show), caption, judged.signature)


def tabulate_labels(
    runs: RunsInput,
    qrels: Sequence[str],
    show: str,
    *,
    common: bool,
    seed: int,
    reference: Any,
    relevant: Any,
) -> Sheet:
    """The table of labels alone, which are read as runs would be."""
    judges = name_judges(list(qrels), **runs.reading.of_files)
    if common:
        judges = keep_common_documents(judges)
    agreed = compare_labels(judges, reference=reference, relevant=relevant, seed=seed)
    caption = f"reference {shown(agreed.reference)}; {counted(len(judges) - 1, 'judge')}"
    signature = agreed.signature | agreed.settings | {"common": common}
    return Sheet.of_frame(_of_labels(agreed, show), caption, signature)


def tabulate_means(
    runs: RunsInput,
    qrels: Sequence[str],
    measure: str,
    show: str,
    relevant: float | Mapping[str, float],
    alpha: float,
) -> Sheet:
    """The means of systems on few topics judged by people and more by a model."""
    judges = name_judges(list(qrels), **runs.reading.of_files)
    people, model = judges
    scores = score_by_judge(runs.paths, judges, one_measure(measure), choose_levels(judges, relevant), runs.reading)
    means = estimate_powered_means(scores[people], scores[model], level=1.0 - alpha)
    halving = "all topics would not halve the intervals"
    if means.halving == means.halving:
        halving = f"{means.halving:.0f} topics judged by people would halve the intervals"
    caption = (
        f"{counted(means.topics, 'topic')} judged by {shown(people)}, {means.topics_of_model} more by {shown(model)}; "
        f"intervals {1 - alpha:g}; width: beside people's own, below 1 where the model helps; {halving}"
    )
    return Sheet.of_frame(means.table if show == "means" else means.pairs, caption, means.signature)


def systems_by_judge(pairs: Sequence[str]) -> dict[str, list[str]]:
    """Systems by judge, from ``JUDGE=SYSTEM``.

    Raises:
        UsageError: a text without ``=``.
    """
    named: dict[str, list[str]] = {}
    for pair in pairs:
        judge, sign, system = pair.partition("=")
        if not sign:
            raise UsageError(f"--same-model {quoted(pair)}: expected JUDGE=SYSTEM")
        named.setdefault(judge, []).append(system)
    return named


def _of_systems(agreed: Agreement, show: str) -> pd.DataFrame:
    if show == "systems":
        return agreed.table.reset_index()
    tables = []
    for source in agreed.table.index:
        moved = agreed.movers(source).reset_index()
        moved.insert(0, "source", source)
        tables.append(moved)
    return pd.concat(tables, ignore_index=True)


def _of_judges(judged: JudgeAgreement, show: str) -> pd.DataFrame:
    if show == "intervals":
        return pd.concat([judged.intervals, judged.labels.intervals], ignore_index=True)
    if show in ("labels", "topics"):
        return _of_labels(judged.labels, show)
    return judged.favour if show == "favour" else _of_systems(judged.systems, show)


def _of_labels(agreed: LabelAgreement, show: str) -> pd.DataFrame:
    if show == "intervals":
        return agreed.intervals
    return (agreed.table if show == "labels" else agreed.by_topic).reset_index()


REMEDY = "--common keeps what all judges judged"
MOST = 5
"""Sources of which topics are counted one by one."""


def caption_of(agreed: Agreement) -> str:
    """The reference, how many systems, and how they were tested."""
    how = agreed.settings
    sizes = f"reference {shown(agreed.reference)}; {counted(len(agreed.ranks), 'system')}"
    return f"{sizes}; test={how['test']}, {how['correction']}, alpha={how['alpha']:g}"


def notes_of(agreed: Agreement, scores: Mapping[str, xr.DataArray], show: str, remedy: str = "") -> Iterator[str]:
    """Lines on how the shares and ranks are to be read.

    Args:
        agreed: what is shown.
        scores: of every source, dims (topic, system).
        show: the table; others than ``systems`` and ``movers`` are over the topics that both have.
        remedy: against leaderboards over different topics.
    """
    if show not in ("systems", "movers"):
        return
    topics = {name: frozenset(one["topic"].values.tolist()) for name, one in scores.items()}
    if len(set(topics.values())) > 1:
        each = [f"{shown(name)} {len(held):,}" for name, held in topics.items()]
        more = f" and {len(each) - MOST:,} more" if len(each) > MOST else ""
        both = counted(len(frozenset.intersection(*topics.values())), "topic")
        said = f"leaderboards over different topics: {', '.join(each[:MOST])}{more}; all have {both} in common"
        yield f"{said}; {remedy}" if remedy else said
    if show == "systems":
        yield from _undefined(agreed, len(topics[agreed.reference]))


def _undefined(agreed: Agreement, topics: int) -> Iterator[str]:
    """Why shares are nan: of no pairs there is no share."""
    whose = f"{shown(agreed.reference)}, over {counted(topics, 'topic')},"
    parts = {"": ""}
    if "top_kept" in agreed.table:
        parts["top_"] = f" among the {agreed.settings['top']:,} best systems"
    for part, among in parts.items():
        if agreed.table[f"{part}kept"].isna().any():
            three = f"{part}kept, {part}lost and {part}reversed"
            yield f"{three} are undefined (nan): {whose} finds no pair significant{among}"
        if agreed.table[f"{part}gained"].isna().any():
            yield f"{part}gained is undefined (nan): {whose} finds every pair significant{among}"
