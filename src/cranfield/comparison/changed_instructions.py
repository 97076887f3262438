"""p-MRR: whether systems follow a changed instruction, by the documents that it makes irrelevant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield._text import counted, listed, warn
from cranfield._typing import Floats
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions
from cranfield.errors import InputError
from cranfield.io.inputs import QrelsLike, RunsLike, convert_qrels
from cranfield.scoring import score

if TYPE_CHECKING:
    import xarray as xr

NAME = "p-MRR"


def compute_p_mrr(
    old: RunsLike,
    new: RunsLike,
    old_qrels: QrelsLike,
    new_qrels: QrelsLike,
    *,
    rel: float = 1,
    reading: InputOptions | None = None,
) -> xr.DataArray:
    """Score by FollowIR's p-MRR how far systems follow a changed instruction.

    Of each document that was relevant by the old instruction of a topic and is not by the new one, with ranks r before
    and s after: 1 - r / s where it fell, s / r - 1 where it rose, 0 where it stayed. p-MRR of a topic is their mean: 1
    where they all vanish, 0 where nothing changes, -1 where the system does the contrary. A document that is not in a
    list stands just below it. The mean over topics is what MTEB calls p-MRR; its lists break ties in file order.

    Args:
        old: runs for the old instructions, as ``evaluate`` takes them.
        new: runs of the same systems for the new instructions, under the same ids of topics. One run beside one needs
            no common name.
        old_qrels: judgments by the old instructions.
        new_qrels: by the new ones; a document that they do not have is no longer relevant.
        rel: smallest relevant label.
        reading: how files are read, as in ``evaluate``.

    Returns:
        Scores, dims (topic, system), which ``compare`` takes; of the topics on which a document changed; NaN where a
        run has nothing for one.

    Raises:
        InputError: a file is refused, no document changed, or the systems are not the same.
        UsageError: a policy that leaves the order of documents open.

    Reference:
        Weller et al. 2025, FollowIR. NAACL. arXiv:2403.15246

    >>> old, new = {"q1": ["a", "b", "c"]}, {"q1": ["b", "c", "a"]}
    >>> compute_p_mrr({"mine": old}, {"mine": new}, {"q1": {"a": 1, "b": 1}}, {"q1": {"b": 1}}).round(4).item()
    0.6667
    """
    chosen = reading or InputOptions()
    chosen.policy.check_order(NAME)
    judgments = [convert_qrels(qrels, **chosen.judgment_options) for qrels in (old_qrels, new_qrels)]
    changed = _find_changed(judgments[0], judgments[1], rel)
    before, after = (score(runs, changed, "Rprec", reading=chosen, keep_rankings=True) for runs in (old, new))
    single = len(before.systems) == len(after.systems) == 1
    if not single and set(before.systems) != set(after.systems):
        only = sorted(set(before.systems) ^ set(after.systems))
        text = f"p-MRR needs the same systems before and after: {listed(only, 'system')} only once"
        raise InputError(text, "the runs", code="systems")
    assert before.rankings is not None and after.rankings is not None
    order = [0] if single else [after.systems.index(system) for system in before.systems]
    ranks, pool = [_ranks(before.rankings), _ranks(after.rankings)], before.rankings.pool
    means = np.add.reduceat(_compare_ranks(ranks[0], ranks[1][order]), pool.starts[:-1], axis=1) / pool.size
    return _label(means.T, before.topics, before.systems)


def _find_changed(old: Qrels, new: Qrels, rel: float) -> Qrels:
    """The documents that were relevant and no longer are, as judgments with label 1.

    Raises:
        InputError: there are none.
    """
    after = new.to_dict()
    changed: dict[str, dict[str, float]] = {}
    for topic, labels in old.to_dict().items():
        if topic not in after:
            continue
        gone = {name: 1.0 for name, label in labels.items() if label >= rel > after[topic].get(name, -np.inf)}
        if gone:
            changed[topic] = gone
    if not changed:
        text = "no document that was relevant by the old judgments is not so by the new ones"
        raise InputError(f"{text}: p-MRR has nothing to look at", new.name, code="empty")
    absent = [topic for topic in old.topics if topic not in after]
    if absent:
        warn(f"p-MRR: {counted(len(absent), 'topic')} of the old judgments left out, as the new ones lack them")
    return Qrels.from_dict(changed, name=new.name)


def _ranks(rankings: Rankings) -> Floats:
    """The rank of every document that changed, just below the list where it is not in it, float64 [systems, rows].

    NaN where the list of its topic is empty.
    """
    pool, systems = rankings.pool, len(rankings.systems)
    lengths = rankings.length.reshape(systems, -1)
    ranks = np.repeat(np.where(lengths > 0, lengths + 1.0, np.nan), pool.size, axis=1)
    system = np.repeat(np.arange(systems).repeat(len(pool.size)), np.diff(rankings.starts))
    ranks[system, rankings.document] = rankings.rank
    return ranks


def _compare_ranks(before: Floats, after: Floats) -> Floats:
    """1 - r / s of a document that fell from rank r to s, s / r - 1 of one that rose."""
    return np.where(after >= before, 1 - before / after, after / before - 1)


def _label(values: Floats, topics: tuple[str, ...], systems: tuple[str, ...]) -> xr.DataArray:
    import xarray as xr

    coordinates = {"topic": list(topics), "system": list(systems)}
    return xr.DataArray(values, coordinates, ("topic", "system"), name=NAME, attrs={"measure": NAME})
