"""Joint RIC of every two systems at once: counted by bits in the engine, or by products of matrices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cranfield import engine
from cranfield.arrays import Floats
from cranfield.information.experiment import Experiment
from cranfield.information.pairs import Pairs
from cranfield.information.places import Small
from cranfield.statistics.agreements import EXACT, SignCounts, count_signs
from cranfield.statistics.entropy import entropy, sign_information

CELLS = 1 << 20
"""Outcomes held at a time: bounds the memory."""


def joint_of_pairs(asked: Experiment) -> tuple[Floats, Floats]:
    """Joint RIC of every two systems, and the RIC of the first over the same topics; [S, S] each, means over topics.

    With ``missing="skip"`` two systems are compared on the topics that both answered.
    """
    size = len(asked.systems)
    joint, alone, counted = (np.zeros((size, size)) for _ in range(3))
    for topic, pairs in enumerate(asked.pairs):
        if pairs.size == 0:
            continue
        here = asked.places.present[:, topic]
        both = np.outer(here, here)
        told = _of_topic(pairs, *asked.looks(topic))
        joint += np.where(both, told, 0.0)
        alone += np.where(both, np.diagonal(told)[:, None], 0.0)
        counted += both
    none = np.full((size, size), np.nan)
    with_topics = counted > 0
    return (
        np.divide(joint, counted, out=none.copy(), where=with_topics),
        np.divide(alone, counted, out=none, where=with_topics),
    )


def _of_topic(pairs: Pairs, places: Small, weight: Floats | None) -> Floats:
    """I(R_s, R_t; Q) for all s and t, [S, S]."""
    if weight is not None and not weight.any():
        return np.zeros((len(places), len(places)))
    if pairs.evidence is None:
        return _of_source(*_tables(pairs, places, weight))
    return _of_sources(pairs, places, weight, pairs.evidence)


def _of_source(toward: Floats, against: Floats, silent: Floats) -> Floats:
    """1 - H(Q | R), from outcomes [4, S, S] and their mirror images."""
    both = toward + against
    bits: Floats = (both * sign_information(toward, against)).sum(axis=0) / (both.sum(axis=0) + silent)
    return bits


def _of_sources(pairs: Pairs, places: Small, weight: Floats | None, evidence: Any) -> Floats:
    """H(R) + H(Q) - H(R, Q) for several sources; see ``Cells``."""
    tables = []
    for number in range(int(evidence.max()) + 1):
        chosen = np.flatnonzero(evidence == number)
        assert pairs.named is not None
        some = Pairs.of_documents(pairs.named[0][chosen], pairs.named[1][chosen])
        tables.append(_tables(some, places, None if weight is None else weight[chosen]))
    toward, against, silent = (np.stack(parts) for parts in zip(*tables, strict=True))
    both = toward + against  # [sources, 4, S, S]
    total = both.sum(axis=(0, 1)) + silent.sum(axis=0)

    def bits(counts: Floats) -> Floats:
        return entropy(np.moveaxis(counts, 0, -1))

    of_r = bits(np.concatenate([both.sum(axis=0), silent.sum(axis=0)[None]]))
    of_q = bits(both.sum(axis=1) + silent)
    shape = (-1, *total.shape)
    of_both = bits(np.concatenate([toward.reshape(shape), against.reshape(shape), silent.reshape(shape)]))
    information: Floats = np.maximum(both.sum(axis=(0, 1)) / total + of_r + of_q - of_both, 0.0)
    return information


def _tables(self) -> Tables:
        return {
            "pairs": self.pairs,
            "systems": lambda: unrolled(self.ric),
            "only": lambda: unrolled(self.only),
        }

    @property
    def difference(self) -> xr.DataArray:
        """id(S1, S2) = I(S1; Q | S2) + I(S2; Q | S1), dims (system, other)."""
        both = self.only.values + self.only.values.T
        return self.only.copy(data=both).rename("difference")

    @property
    def shared(self) -> xr.DataArray:
        """RIC(S1) - I(S1; Q | S2), what both tell, dims (system, other); symmetric."""
        return self.only.copy(data=self.ric.values[:, None] - self.only.values).rename("shared")

    def between(self, system: str, other: str) -> PairDifference:
        """Two of the systems.

        Raises:
            UsageError: an unknown system.
        """
        names = self.ric["system"].values.tolist()
        for name in (system, other):
            if name not in names:
                raise UsageError(f"there is no system {name!r}; there are {', '.join(names[:10])}")
        row, column = names.index(system), names.index(other)
        alone, beyond = float(self.only.values[row, column]), float(self.only.values[column, row])
        return PairDifference(alone + beyond, alone, beyond, float(self.ric.values[row]) - alone)

    def pairs(self) -> pd.DataFrame:
        """Every pair once, the most alike first: ``system``, ``other``, and the fields of ``PairDifference``."""
        import pandas as pd

        names = self.ric["system"].values
        one, other = np.triu_indices(len(names), 1)
        only = self.only.values
        table = pd.DataFrame(
            {
                "system": names[one],
                "other": names[other],
                "difference": only[one, other] + only[other, one],
                "only_system": only[one, other],
                "only_other": only[other, one],
                "shared": self.ric.values[one] - only[one, other],
            }
        )
        return table.sort_values("difference", kind="stable", ignore_index=True)

    def families(self, below: float) -> list[list[str]]:
        """Groups of systems that are linked by differences below a bound, the largest first; each has two or more.

        What stands in one group may be one system with other parameters. Links are between neighbours: the ends of a
        chain may differ by more.

        Raises:
            UsageError: ``below`` is not above 0.
        """
        from scipy.sparse.csgraph import connected_components

        if not below > 0:
            raise UsageError(f"below={below!r} should be a number of bits above 0")
        names = self.ric["system"].values
        _, group = connected_components(self.difference.values < below, directed=False)
        found = [names[group == number].tolist() for number in range(group.max() + 1)]
        return sorted((members for members in found if len(members) > 1), key=len, reverse=True)

    def linkage(self, method: str = "average") -> Floats:
        """Hierarchical clustering for ``scipy.cluster.hierarchy.dendrogram``, [systems - 1, 4].

        Args:
            method: average, complete or single: those that need no more than differences.

        Raises:
            UsageError: another method, or fewer than two systems.
            InputError: a difference is undefined.
        """
        from scipy.cluster.hierarchy import linkage

        word("method", method, ("average", "complete", "single"))
        if len(self.ric) < 2:
            raise UsageError("clustering needs two systems or more")
        self._check_defined()
        one, other = np.triu_indices(len(self.ric), 1)
        found: Floats = linkage(self.difference.values[one, other], method=method)
        return found

    def map(self, dimensions: int = 2) -> pd.DataFrame:
        """Coordinates in which distances come near to the differences (classical scaling), systems in rows.

        The information difference is not proved to be a distance; what a map cannot show is left out of it.

        Raises:
            UsageError: fewer dimensions than 1, or more than systems.
            InputError: a difference is undefined.
        """
        import pandas as pd

        between(1, len(self.ric), ", the number of systems", dimensions=dimensions)
        self._check_defined()
        axes = [f"axis{number}" for number in range(1, dimensions + 1)]
        index = pd.Index(self.ric["system"].values, name="system")
        return pd.DataFrame(classical_scaling(self.difference.values, dimensions), index=index, columns=axes)

    def _check_defined(self) -> None:
        """Raises: InputError: a difference is undefined, which has no place on a map or in a tree."""
        missing = np.argwhere(np.isnan(self.difference.values))
        if not len(missing):
            return
        if np.isnan(self.ric.values).all():
            raise InputError(f"RIC is undefined: {NO_LABELS}")
        names = self.ric["system"].values
        one, other = (quoted(str(names[at])) for at in missing[0])
        which = f"system {one}" if one == other else f"systems {one} and {other}"
        raise InputError(
            f"the information difference of {which} is undefined: no topic with documents of different labels was "
            "answered by both"
        )


def compute_information_difference(
    runs: RunsLike | Experiment,
    judgments: JudgmentsLike | None = None,
    *,
    systems: Sequence[str] | None = None,
    **options: Unpack[Options],
) -> InformationDifference:
    """How far two systems differ in what they tell of relevance, in bits, for all pairs; however alike their scores.

    id(S1, S2) = I(S1; Q | S2) + I(S2; Q | S1) = 2 RIC(S1, S2) - RIC(S1) - RIC(S2), a mean over topics, from 0 to 2.
    0 for runs that put the judged documents in the same order; never less than the difference of the two RIC. A score,
    not a distance.

    Args:
        runs, judgments, options: see ``cranfield.information.prepare_experiment``.
        systems: some of the systems; all where None.

    Raises:
        InputError: a file is refused, or runs and judgments do not fit together.
        UsageError: an argument outside its range.

    Reference:
        Golbus & Aslam 2013, doi:10.1145/2484028.2484073, section 7.

    >>> import cranfield
    >>> runs = {"one": {"q": {"a": 2, "b": 1}}, "two": {"q": {"b": 2, "a": 1}}, "none": {"q": {"c": 1}}}
    >>> found = cranfield.information.compute_information_difference(runs, {"q": {"a": 1, "b": 0, "c": 0}})
    >>> found.between("one", "none").difference
    1.0
    >>> found.pairs()["difference"].round(3).tolist()
    [0.0, 1.0, 1.0]
    """
    import xarray as xr

    asked = prepare_experiment(runs, judgments, **options)
    if systems is not None:
        asked = asked.of_systems(list(systems))
    joint, alone = joint_of_pairs(asked)
    names = np.array(asked.systems, dtype=object)
    only = np.maximum(joint - alone.T, 0.0)
    np.fill_diagonal(only, 0.0)
    settings = {**asked.settings, "systems": None if systems is None else list(systems)}
    return InformationDifference(
        xr.DataArray(np.diagonal(joint).copy(), {"system": names}, name="RIC"),
        xr.DataArray(only, {"system": names, "other": names}, ("system", "other"), name="only"),
        settings,
        asked.signature | signed("information difference", settings),
    )


def joint_of_pairs(asked: Experiment) -> tuple[Floats, Floats]:
    """Joint RIC of every two systems, and the RIC of the first over the same topics; [S, S] each, means over topics.

    With ``missing="skip"`` two systems are compared on the topics that both answered.
    """
    size = len(asked.systems)
    joint, alone, counted = (np.zeros((size, size)) for _ in range(3))
    for topic, pairs in enumerate(asked.pairs):
        if pairs.size == 0:
            continue
        here = asked.places.present[:, topic]
        both = np.outer(here, here)
        told = _of_topic(pairs, *asked.looks(topic))
        joint += np.where(both, told, 0.0)
        alone += np.where(both, np.diagonal(told)[:, None], 0.0)
        counted += both
    none = np.full((size, size), np.nan)
    with_topics = counted > 0
    return (
        np.divide(joint, counted, out=none.copy(), where=with_topics),
        np.divide(alone, counted, out=none, where=with_topics),
    )


def _of_topic(pairs: Pairs, places: Small, weight: Floats | None) -> Floats:
    """I(R_s, R_t; Q) for all s and t, [S, S]."""
    if weight is not None and not weight.any():
        return np.zeros((len(places), len(places)))
    if pairs.evidence is None:
        return _of_source(*_tables(pairs, places, weight))
    return _of_sources(pairs, places, weight, pairs.evidence)


def _of_source(toward: Floats, against: Floats, silent: Floats) -> Floats:
    """1 - H(Q | R), from outcomes [4, S, S] and their mirror images."""
    both = toward + against
    found: Floats = (both * sign_information(toward, against)).sum(axis=0) / (both.sum(axis=0) + silent)
    return found


def _of_sources(pairs: Pairs, places: Small, weight: Floats | None, evidence: Any) -> Floats:
    """H(R) + H(Q) - H(R, Q) for several sources; see ``Cells``."""
    tables = []
    for number in range(int(evidence.max()) + 1):
        chosen = np.flatnonzero(evidence == number)
        assert pairs.named is not None
        some = Pairs.of_documents(pairs.named[0][chosen], pairs.named[1][chosen])
        tables.append(_tables(some, places, None if weight is None else weight[chosen]))
    toward, against, silent = (np.stack(parts) for parts in zip(*tables, strict=True))
    both = toward + against  # [sources, 4, S, S]
    total = both.sum(axis=(0, 1)) + silent.sum(axis=0)

    def bits(counts: Floats) -> Floats:
        return entropy(np.moveaxis(counts, 0, -1))

    of_r = bits(np.concatenate([both.sum(axis=0), silent.sum(axis=0)[None]]))
    of_q = bits(both.sum(axis=1) + silent)
    shape = (-1, *total.shape)
    of_both = bits(np.concatenate([toward.reshape(shape), against.reshape(shape), silent.reshape(shape)]))
    found: Floats = np.maximum(both.sum(axis=(0, 1)) / total + of_r + of_q - of_both, 0.0)
    return found


def _tables(pairs: Pairs, places: Small, weight: Floats | None) -> tuple[Floats, Floats, Floats]:
    """How often s and t say (+,+), (+,-), (+,0), (0,+), their mirror images, [4, S, S] each; and nothing, [S, S]."""
    (pp, mm), (pm, mp), (plus, minus), total = _said(pairs, places, weight)
    toward = np.stack([pp, pm, plus[:, None] - pp - pm, plus[None, :] - pp - mp])
    against = np.stack([mm, mp, minus[:, None] - mp - mm, minus[None, :] - pm - mm])
    if weight is not None:
        toward, against = np.maximum(toward, 0.0), np.maximum(against, 0.0)
    silent = np.maximum(total - toward.sum(axis=0) - against.sum(axis=0), 0.0)
    return toward, against, silent


def _said(pairs: Pairs, places: Small, weight: Floats | None) -> SignCounts:
    """The same of two systems that say something; pairs of documents by label that all count alike need no products."""
    if weight is None and pairs.order is not None:
        cuts = np.array(pairs.cuts, dtype=np.int64)
        counts = engine.current().count_agreements(np.ascontiguousarray(places), pairs.order, cuts)
        toward, against, opposite = counts["toward"], counts["against"], counts["opposite"]
        alone = np.diagonal(toward), np.diagonal(against)
        return SignCounts((toward, against), (opposite, opposite.T), alone, float(pairs.size))
    kind = np.float32 if weight is None and pairs.size < EXACT else np.float64  # whole numbers stay exact
    blocks = ((signs, None if weight is None else weight[chosen]) for chosen, signs in _blocks(pairs, places))
    return count_signs(blocks, len(places), kind)


def _blocks(pairs: Pairs, places: Small) -> Iterator[tuple[slice, Any]]:
    """Outcomes as 1, 0, -1, int8 [S, pairs of the block], with the pairs that they are of, some at a time."""
    step = max(1, CELLS // len(places))
    begun = 0
    for first, second in pairs.sides(places):
        many = max(1, step // second.shape[-1]) if first.ndim == 3 else step
        for begin in range(0, first.shape[1], many):
            one = first[:, begin : begin + many]
            other = second if first.ndim == 3 else second[:, begin : begin + many]
            signs = np.less(one, other).view(np.int8) - np.greater(one, other).view(np.int8)
            signs = signs.reshape(len(places), -1)
            yield slice(begun, begun + signs.shape[1]), signs
            begun += signs.shape[1]
