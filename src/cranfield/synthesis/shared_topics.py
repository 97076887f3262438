"""What a judge and the reference say on the topics that both scored: favour, certainty, and circular agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield._text import counted, listed, quoted, warn
from cranfield._typing import Floats
from cranfield.errors import InputError, UsageError
from cranfield.scores.ordering import comparable
from cranfield.statistics.clustered_agreement import systems_on_these_topics
from cranfield.statistics.judge_bias import favour_of
from cranfield.statistics.rank_correlation import tau_b
from cranfield.synthesis.judge_intervals import intervals_of, resampled_systems

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


@dataclass(frozen=True)
class SharedTopics:
    """Scores of all systems by the reference and by a judge, on the topics that both have, [topics, systems]."""

    topics: list[str]
    systems: list[str]
    reference: Floats
    judge: Floats


def shared_topics(scores: dict[str, xr.DataArray], reference: str, name: str) -> SharedTopics:
    """The topics that a judge and the reference both scored.

    Raises:
        InputError: fewer than two, or a system without a score on one.
    """
    ours, theirs = scores[reference], scores[name]
    judged = set(theirs["topic"].to_numpy())
    topics = [topic for topic in ours["topic"].to_numpy() if topic in judged]
    if len(topics) < 2:
        raise InputError(f"{quoted(name)} and {quoted(reference)} share {counted(len(topics), 'topic')}, of 2 needed")
    systems = ours["system"].to_numpy()
    pair = [one.sel(topic=topics, system=systems).transpose("topic", "system").to_numpy() for one in (ours, theirs)]
    if np.isnan(pair[0]).any() or np.isnan(pair[1]).any():
        raise InputError(
            "a system has no score on a topic: agreement of judges needs missing='empty' and undefined='declared'"
        )
    return SharedTopics(topics, systems.tolist(), *pair)


def favour_table(shared: dict[str, SharedTopics], resamples: int, seed: int, level: float) -> pd.DataFrame:
    """One row a judge and system; see ``JudgeAgreement``."""
    import pandas as pd

    tables = []
    for name, both in shared.items():
        rng = np.random.default_rng(seed)
        answer = favour_of(both.reference, both.judge, resamples=resamples, rng=rng, level=level)
        columns = {
            "judge": name,
            "system": both.systems,
            "mean_reference": both.reference.mean(axis=0),
            "mean": both.judge.mean(axis=0),
            "favour": answer.favour,
            "low": answer.low,
            "high": answer.high,
            "p_adjusted": answer.p,
        }
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True)


def system_intervals(shared: dict[str, SharedTopics], *, alpha: float, resamples: int, seed: int) -> pd.DataFrame:
    """Intervals of tau_b, and of pairs kept and lost; see ``JudgeAgreement``."""
    resampled = {}
    for name, both in shared.items():
        values = systems_on_these_topics(both.reference, both.judge, alpha=alpha)
        resampled[name] = resampled_systems(
            both.topics, both.reference, both.judge, values, alpha, resamples=resamples, seed=seed
        )
    return intervals_of(resampled, 1.0 - alpha)


def same_model_of(
    given: Mapping[str, Sequence[str]], scores: dict[str, xr.DataArray], reference: str
) -> dict[str, set[str]]:
    """Systems built with a judge's model, by judge.

    Raises:
        UsageError: no such judge or system, or the reference.
    """
    systems = set(scores[reference]["system"].to_numpy())
    for name, few in given.items():
        if name not in scores or name == reference:
            raise UsageError(f"same_model names {quoted(name)}, which is no judge beside the reference")
        for system in few:
            if system not in systems:
                raise UsageError(f"same_model names {quoted(system)}, and no system is called so")
        if few:
            warn(
                f"built with the model of {quoted(name)}: {listed(sorted(few), 'system')}; their scores by this judge "
                "are circular, and agreement on them is no evidence"
            )
    return {name: set(few) for name, few in given.items() if few}


def tau_without(shared: dict[str, SharedTopics], named: dict[str, set[str]]) -> pd.DataFrame:
    """tau_b with and without the systems that share the judge's model."""
    import pandas as pd

    rows = []
    for name, few in named.items():
        both = shared[name]
        kept = [number for number, system in enumerate(both.systems) if system not in few]
        means = comparable(both.reference.mean(axis=0), True), comparable(both.judge.mean(axis=0), True)
        rest = float(tau_b(means[1][kept], means[0][kept])) if len(kept) > 1 else float("nan")
        rows.append((name, len(few), float(tau_b(means[1], means[0])), rest))
    return pd.DataFrame(rows, columns=["judge", "systems", "tau_b", "tau_b_without"])
