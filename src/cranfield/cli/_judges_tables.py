"""Tables of ``cranfield judges`` with their captions, which say what was compared and why a share is undefined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
from cranfield.agreement.label_agreement import (
    LabelAgreement,
    choose_levels,
    choose_reference,
    compare_labels,
    name_judges,
)
from cranfield.agreement.label_combination import add_combined_judges
from cranfield.agreement.leaderboard_agreement import compare_leaderboards
from cranfield.agreement.prediction_powered import estimate_powered_means
from cranfield.agreement.ranking_agreement import Agreement, compare_rankings, fill_sources
from cranfield.cli._judges_answers import describe_conclusions, describe_favour, describe_label_agreement
from cranfield.collection.qrels import Qrels
from cranfield.errors import UsageError
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.cli._runs_input import RunsInput


def tabulate_sources(sources: Any, show: str, circular: Mapping[str, Sequence[str]], **settings: Any) -> Sheet:
    """Compare leaderboards by their scores alone, without judgments."""
    sources = fill_sources(sources, settings.pop("missing_scores"))
    if show == "correlations":
        return _tabulate_leaderboards(sources, circular, **settings)
    if circular:
        raise UsageError("--same-model with --scores is about --show correlations")
    agreed = compare_rankings(sources, **settings)
    caption = "\n".join([_describe_test(agreed), *_explain_table(agreed, dict(sources.items()), show)])
    sheet = Sheet.from_frame(_select_system_table(agreed, show), caption, agreed.signature)
    return replace(sheet, answer=describe_conclusions(agreed))


def _tabulate_leaderboards(sources: Any, circular: Mapping[str, Sequence[str]], **settings: Any) -> Sheet:
    """Correlate leaderboards by judges with the true one."""
    named = {name: settings[name] for name in ("reference", "seed")}
    level = 1.0 - settings["alpha"]
    agreed = compare_leaderboards(sources, top=settings["top"] or (), same_model=circular, level=level, **named)
    table = agreed.correlations if circular else agreed.correlations.drop(columns="without")
    caption = f"reference {shown(agreed.reference)}; intervals {level:g}, by topics drawn anew"
    return Sheet.from_frame(table, caption, agreed.signature)


def tabulate_judges(
    runs: RunsInput, qrels: Sequence[str], measure: str, show: str, methods: Sequence[str] = (), **settings: Any
) -> Sheet:
    """Compare runs under several judgments."""
    judges: Any = list(qrels)
    if methods:
        judges, settings["rel"] = _combine_judges(runs, qrels, methods, settings)
    judged = compare_judges(runs.paths, judges, measure, reading=runs.reading, **settings)
    caption = _describe_test(judged.systems)
    for row in judged.without.to_dict("records"):
        caption += (
            f"; {shown(row['judge'])}: tau_b {numeral(row['tau_b'], '.4f')} with all systems, "
            f"{numeral(row['tau_b_without'], '.4f')} without the {counted(row['systems'], 'system')} "
            "built with its model"
        )
    caption = "\n".join([caption, *_explain_table(judged.systems, judged.scores, show, REMEDY)])
    sheet = Sheet.from_frame(_select_judge_table(judged, show), caption, judged.signature)
    return replace(sheet, answer=_answer(judged, show))


def _answer(judged: JudgeAgreement, show: str) -> str:
    """Answer the question that a table is about."""
    if show == "favour":
        return describe_favour(judged.favour, judged.systems.settings["alpha"])
    return describe_conclusions(judged.systems)


def tabulate_labels(
    runs: RunsInput,
    qrels: Sequence[str],
    show: str,
    methods: Sequence[str] = (),
    *,
    common: bool,
    alpha: float,
    reference: Any,
    rel: Any,
    **resampled: Any,
) -> Sheet:
    """Compare labels alone; files are read as for runs."""
    judges = name_judges(list(qrels), **runs.reading.judgment_options)
    if methods:
        judges, rel = _combine_judges(runs, qrels, methods, {"reference": reference, "rel": rel})
    if common:
        judges = keep_common_documents(judges)
    agreed = compare_labels(judges, reference=reference, rel=rel, level=1.0 - alpha, **resampled)
    caption = f"reference {shown(agreed.reference)}; {counted(len(judges) - 1, 'judge')}"
    signature = agreed.signature | agreed.settings | {"common": common}
    sheet = Sheet.from_frame(_select_label_table(agreed, show), caption, signature)
    return replace(sheet, answer=describe_label_agreement(agreed.table, agreed.reference))


def _combine_judges(
    runs: RunsInput, qrels: Sequence[str], methods: Sequence[str], settings: Mapping[str, Any]
) -> tuple[dict[str, Qrels], dict[str, float]]:
    """Add the combined labels of all judges but the reference."""
    judges = name_judges(list(qrels), **runs.reading.judgment_options)
    chosen = choose_reference(judges, settings["reference"])
    return add_combined_judges(judges, methods, chosen, choose_levels(judges, settings["rel"]))


def tabulate_means(
    runs: RunsInput,
    qrels: Sequence[str],
    measure: str,
    show: str,
    relevant: float | Mapping[str, float],
    alpha: float,
) -> Sheet:
    """Estimate the means of systems from few topics judged by people and more judged by a model."""
    judges = name_judges(list(qrels), **runs.reading.judgment_options)
    people, model = judges
    scores = score_by_judge(runs.paths, judges, one_measure(measure), choose_levels(judges, relevant), runs.reading)
    means = estimate_powered_means(scores[people], scores[model], level=1.0 - alpha)
    halving = "judging all topics would not halve the intervals"
    if means.halving == means.halving:
        halving = f"{means.halving:.0f} topics judged by people would halve the intervals"
    caption = (
        f"{counted(means.topics, 'topic')} judged by {shown(people)}, {means.topics_of_model} more by {shown(model)}; "
        f"intervals {1 - alpha:g}; width: relative to people's judgments alone, below 1 where the model helps; "
        f"{halving}"
    )
    return Sheet.from_frame(means.table if show == "means" else means.pairs, caption, means.signature)


def parse_same_model(pairs: Sequence[str]) -> dict[str, list[str]]:
    """Parse ``JUDGE=SYSTEM`` into judge -> systems.

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


def _select_system_table(agreed: Agreement, show: str) -> pd.DataFrame:
    if show == "systems":
        return agreed.table.reset_index()
    tables = []
    for source in agreed.table.index:
        moved = agreed.movers(source).reset_index()
        moved.insert(0, "source", source)
        tables.append(moved)
    return pd.concat(tables, ignore_index=True)


def _select_judge_table(judged: JudgeAgreement, show: str) -> pd.DataFrame:
    if show == "intervals":
        return pd.concat([judged.intervals, judged.labels.intervals], ignore_index=True)
    return judged.favour if show == "favour" else _select_system_table(judged.systems, show)


def _select_label_table(agreed: LabelAgreement, show: str) -> pd.DataFrame:
    if show == "intervals":
        return agreed.intervals
    return (agreed.table if show == "labels" else agreed.by_topic).reset_index()


REMEDY = "--common keeps what all judges judged"
MOST = 5
"""The most sources of which a note names the number of topics."""


def _describe_test(agreed: Agreement) -> str:
    """Describe the reference, the number of systems, and the test."""
    settings = agreed.settings
    sizes = f"reference {shown(agreed.reference)}; {counted(len(agreed.ranks), 'system')}"
    return f"{sizes}; test={settings['test']}, {settings['correction']}, alpha={settings['alpha']:g}"


def _explain_table(agreed: Agreement, scores: Mapping[str, xr.DataArray], show: str, remedy: str = "") -> Iterator[str]:
    """Explain how shares and ranks are to be read.

    Args:
        agreed: the result to explain.
        scores: those of every source, dims (topic, system).
        show: the table; only ``systems`` and ``movers`` are not over the topics that both sources have.
        remedy: advice against leaderboards over different topics.
    """
    if show not in ("systems", "movers"):
        return
    topics = {name: frozenset(array["topic"].values.tolist()) for name, array in scores.items()}
    if len(set(topics.values())) > 1:
        each = [f"{shown(name)} {len(held):,}" for name, held in topics.items()]
        more = f" and {len(each) - MOST:,} more" if len(each) > MOST else ""
        both = counted(len(frozenset.intersection(*topics.values())), "topic")
        note = f"leaderboards over different topics: {', '.join(each[:MOST])}{more}; all have {both} in common"
        yield f"{note}; {remedy}" if remedy else note
    if show == "systems":
        yield from _explain_undefined(agreed, len(topics[agreed.reference]))


def _explain_undefined(agreed: Agreement, topics: int) -> Iterator[str]:
    """Explain why shares are nan: there is no share of zero pairs."""
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
