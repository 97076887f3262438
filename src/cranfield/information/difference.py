"""Information difference: the information about relevance in each of two systems that the other lacks.

Differences between all systems are clustered, or mapped to points in few dimensions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike

from cranfield._message import name_value
from cranfield._text import counted, quoted
from cranfield._typing import Floats
from cranfield._validation import above, between, list_names, word
from cranfield.collection.reading import InputOptions, LevelOptions
from cranfield.declarations.analysis import View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.errors import InputError, UsageError
from cranfield.information.experiment import (
    DRAWING_RULES,
    FROM_JUDGED_RUNS,
    CutoffOption,
    Experiment,
    JudgmentsLike,
    PairDecayOption,
    PairWeightOption,
    PersistenceOption,
    take_experiment,
)
from cranfield.information.pairwise_joint import compute_pairwise_joint
from cranfield.information.ric import EstimatorOption, check_correction
from cranfield.io.inputs import RunsLike
from cranfield.results.columns import Column
from cranfield.results.frames import unrolled
from cranfield.results.result import Result, Tables, signed

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


NO_LABELS = "no topic has judged documents of different labels, so that no order of them is right or wrong"


class PairDifference(NamedTuple):
    """Parts of the information of two systems about relevance: means over topics, in bits.

    Args:
        difference: what each of them adds to the other: only_system + only_other.
        only_system: I(S1; Q | S2), the information of the first given the second.
        only_other: I(S2; Q | S1).
        shared: RIC(S1) - only_system, the information common to both; negative where they are synergistic.
    """

    difference: float
    only_system: float
    only_other: float
    shared: float


@dataclass(frozen=True, eq=False, repr=False)
class InformationDifference(Result):
    """The information differences of all pairs of systems: means over topics, in bits.

    Args:
        ric: ``RIC`` of each system, dims (``system``).
        only: I(S1; Q | S2), the information of S1 in the rows given S2 in the columns, dims (system, ``other``); 0 on
            the diagonal, NaN where no topic with a pair was answered by both.
        settings: rel, cutoff, the weight of pairs, the estimator, and the systems that were chosen.
        signature: all that changes these numbers.

    In rows it is ``pairs()``.
    """

    on_request: ClassVar[tuple[str, ...]] = ("map",)
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "pairs": (
            Column("difference", "only_system + only_other, from 0 bits (the same information) to 2"),
            Column("only_system", "information that the first has and the other lacks"),
            Column("only_other", "information that the other has and the first lacks"),
            Column("shared", "information that both have"),
        ),
        "map": (
            Column("system"),
            Column("axis1", "coordinates whose distances approximate differences"),
            Column("axis2"),
        ),
        "families": (Column("family", "systems linked by differences below ``families`` bits, the largest first"),),
    }
    ric: xr.DataArray
    only: xr.DataArray
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        tables: dict[str, Callable[[], pd.DataFrame]] = {
            "pairs": self.pairs,
            "systems": lambda: unrolled(self.ric),
            "only": lambda: unrolled(self.only),
            "map": lambda: self.map().reset_index(),
        }
        return tables | ({"families": self._tabulate_families} if self.settings["families"] is not None else {})

    def _tabulate_families(self) -> pd.DataFrame:
        import pandas as pd

        below = self.settings["families"]
        rows = [(number, name) for number, names in enumerate(self.families(below), 1) for name in names]
        return pd.DataFrame(rows, columns=["family", "system"])

    def caption(self, table: str) -> str:
        """Describe the table, and the scale of differences."""
        text = counted(len(self.ric), "system")
        text += "" if self.settings["estimator"] == "plug-in" else f", estimator={self.settings['estimator']}"
        if table == "families":
            below = self.settings["families"]
            return f"{text}; {counted(len(self.families(below)), 'family')} linked by differences below {below:g} bits"
        if table == "map":
            return f"{text}; distances approximate information differences"
        known = self.pairs()["difference"]
        text = f"{text}; {counted(len(known), 'pair')}\ndifferences in bits, from 0 (the same information) to 2"
        known = known.dropna()
        if len(known) < 2:
            return f"{text}; name more runs to see where this one stands among their pairs"
        low, middle, high = known.min(), known.median(), known.max()
        return f"{text}; of these pairs {low:.4f} to {high:.4f}, median {middle:.4f}"

    @property
    def difference(self) -> xr.DataArray:
        """id(S1, S2) = I(S1; Q | S2) + I(S2; Q | S1), dims (system, other)."""
        both = self.only.values + self.only.values.T
        return self.only.copy(data=both).rename("difference")

    @property
    def shared(self) -> xr.DataArray:
        """RIC(S1) - I(S1; Q | S2), the information common to both, dims (system, other).

        Symmetric where every system has a list for every topic, or counts as an empty one. With ``missing="skip"`` each
        RIC is a mean over the system's own topics, and I(S1; Q | S2) one over those that both answered.
        """
        return self.only.copy(data=self.ric.values[:, None] - self.only.values).rename("shared")

    def between(self, system: str, other: str) -> PairDifference:
        """Divide the information of two of the systems into its parts.

        Args:
            system: name of the first.
            other: name of the second.

        Raises:
            UsageError: an unknown system.
        """
        names = self.ric["system"].values.tolist()
        for name in (system, other):
            if name not in names:
                raise UsageError(f"there is no system {name_value(name)}; there are {', '.join(names[:10])}")
        row, column = names.index(system), names.index(other)
        alone, beyond = float(self.only.values[row, column]), float(self.only.values[column, row])
        return PairDifference(alone + beyond, alone, beyond, float(self.ric.values[row]) - alone)

    def pairs(self) -> pd.DataFrame:
        """Every pair once, the most alike first: ``system``, ``other``, and the fields of ``PairDifference``."""
        import pandas as pd

        names = self.ric["system"].values
        left, right = np.triu_indices(len(names), 1)
        only = self.only.values
        table = pd.DataFrame(
            {
                "system": names[left],
                "other": names[right],
                "difference": only[left, right] + only[right, left],
                "only_system": only[left, right],
                "only_other": only[right, left],
                "shared": self.ric.values[left] - only[left, right],
            }
        )
        return table.sort_values("difference", kind="stable", ignore_index=True)

    def families(self, below: float) -> list[list[str]]:
        """Groups of two or more systems linked by differences below a bound, the largest group first.

        A group may be one system with several settings. Links join neighbours (single linkage), so the ends of a chain
        may differ by more than the bound.

        Args:
            below: the bound in bits, above 0.

        Raises:
            UsageError: it is not above 0.
        """
        from scipy.sparse.csgraph import connected_components

        above(0, below=below)
        names = self.ric["system"].values
        _, group = connected_components(self.difference.values < below, directed=False)
        groups = [names[group == number].tolist() for number in range(group.max() + 1)]
        return sorted((members for members in groups if len(members) > 1), key=len, reverse=True)

    def linkage(self, linkage: str = "average") -> Floats:
        """Hierarchical clustering for ``scipy.cluster.hierarchy.dendrogram``, [systems - 1, 4].

        Args:
            linkage: average, complete or single, the methods that need nothing but differences.

        Raises:
            UsageError: another method, or fewer than two systems.
            InputError: a difference is undefined.
        """
        from scipy.cluster import hierarchy

        word("linkage", linkage, ("average", "complete", "single"))
        if len(self.ric) < 2:
            raise UsageError("clustering needs two systems or more")
        self._check_defined()
        left, right = np.triu_indices(len(self.ric), 1)
        joins: Floats = hierarchy.linkage(self.difference.values[left, right], method=linkage)
        return joins

    def map(self, dimensions: int = 2) -> pd.DataFrame:
        """Coordinates whose distances approximate the differences (classical scaling), systems in rows.

        The information difference has not been proved to be a distance; a map drops what it cannot show.

        Args:
            dimensions: of the map, columns ``axis1``, ``axis2``, ...; from 1 to the number of systems.

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
        """Raises: InputError: a difference is undefined, which no map or tree can show."""
        missing = np.argwhere(np.isnan(self.difference.values))
        if not len(missing):
            return
        if np.isnan(self.ric.values).all():
            raise InputError(f"RIC is undefined: {NO_LABELS}")
        names = self.ric["system"].values
        left, right = (quoted(str(names[system])) for system in missing[0])
        which = f"system {left}" if left == right else f"systems {left} and {right}"
        raise InputError(
            f"the information difference of {which} is undefined: no topic with documents of different labels was "
            "answered by both"
        )


@analysis(
    "information difference",
    "Print the information difference of every two systems, in bits.",
    FROM_JUDGED_RUNS,
    views=(
        View("pairs", pairs="the closest first"),
        View("families", flags=("--families",), given="families"),
        View("map", "Print coordinates of a map of the systems.", ("--map",)),
    ),
    rules=DRAWING_RULES,
    words=("information_difference",),
    examples=("qrels.txt runs/*.run", "qrels.txt runs/*.run --families 0.2"),
)
def compute_information_difference(
    runs: RunsLike | Experiment,
    qrels: JudgmentsLike | None = None,
    *,
    systems: str | Sequence[str] | None = None,
    estimator: EstimatorOption = "plug-in",
    families: Annotated[
        float | None,
        Option(
            "Group systems into families, linked by differences below this number of bits.",
            low=0,
            open=True,
            metavar="BITS",
        ),
    ] = None,
    cutoff: CutoffOption = None,
    pair_weight: PairWeightOption = "uniform",
    p: PairDecayOption = 0.8,
    persistence: PersistenceOption = None,
    reading: InputOptions | None = None,
    **options: Unpack[LevelOptions],
) -> InformationDifference:
    """Measure how far the information of every two systems about relevance differs, in bits.

    The closest pairs come first, such as runs of one system with other parameters. What is near depends on the
    collection: compare with the other pairs.

    id(S1, S2) = I(S1; Q | S2) + I(S2; Q | S1) = 2 RIC(S1, S2) - RIC(S1) - RIC(S2), from 0 to 2 bits, a mean over the
    topics that both systems answered. It is 0 for runs that order the judged documents alike, and never less than the
    difference of their RIC on these topics; two systems of equal scores may differ by much. It has not been proved to
    be a distance.

    By ``miller-madow`` what one system adds may be below 0.

    Args:
        runs, qrels, reading, options: see ``cranfield.information.prepare_experiment``.
        systems: names of some of the systems; all where None.

    Raises:
        InputError: a file is refused, or runs and judgments do not fit together.
        UsageError: an unknown system, an argument outside its range, or a correction where it has no meaning: of
            Evidence of several sources, of weights of pairs, and of a user who stops.

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

    experiment = take_experiment(runs, qrels, cutoff, pair_weight, p, persistence, reading, options)
    if len(experiment.systems) < 2:
        raise UsageError("a difference needs two runs or more")
    chosen = None if systems is None else list_names(systems=systems)
    if chosen is not None:
        experiment = experiment.of_systems(chosen)
    check_correction(experiment, estimator)
    joint, alone = compute_pairwise_joint(experiment, estimator)
    names = np.array(experiment.systems, dtype=object)
    only = joint - alone.T if estimator == "miller-madow" else np.maximum(joint - alone.T, 0.0)
    np.fill_diagonal(only, 0.0)
    settings = record_options(compute_information_difference, locals(), **experiment.settings, systems=chosen)
    return InformationDifference(
        xr.DataArray(np.diagonal(joint).copy(), {"system": names}, ("system",), "RIC"),
        xr.DataArray(only, {"system": names, "other": names}, ("system", "other"), "only"),
        settings,
        experiment.signature | signed("information difference", settings),
    )


def classical_scaling(difference: ArrayLike, dimensions: int) -> Floats:
    """Coordinates whose distances come near to the differences (Torgerson's classical multidimensional scaling).

    The eigenvectors of B = -J D^2 J / 2, J = I - 1/n, times the roots of their eigenvalues; below 0 these count as 0.
    The largest coordinate of each axis is positive, so that the same differences give the same map.

    Args:
        difference: symmetric, 0 on the diagonal, [points, points].
        dimensions: at most as many as points.

    Returns:
        float64 [points, dimensions], axes by spread descending, each of mean 0.
    """
    squared = np.asarray(difference, dtype=np.float64) ** 2
    centred = squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()
    values, vectors = np.linalg.eigh(-(centred + centred.T) / 4)
    values, vectors = values[::-1][:dimensions], vectors[:, ::-1][:, :dimensions]
    # A null axis holds only rounding errors, whose signs must not flip the map.
    points = vectors * np.sqrt(np.where(values > 1e-12 * abs(values[0]), values, 0.0))
    largest = points[np.abs(points).argmax(axis=0), np.arange(dimensions)]
    oriented: Floats = points * np.where(largest < 0, -1.0, 1.0)
    return oriented
