"""Do two sets of scores say the same of the same systems: of their order, and of what is significant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cranfield._text import hearing, listed, quoted
from cranfield._typing import Floats, Ints, Mask
from cranfield._validation import share, whole
from cranfield.comparison.outcome import Adjustment, choose_correction
from cranfield.comparison.pairwise import find_significant
from cranfield.errors import InputError, UsageError
from cranfield.results.frames import melted, tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, matrices_of, matrix_of
from cranfield.statistics.contrasts import every_pair
from cranfield.statistics.rank_correlation import rbo, tau_ap_b, tau_b
from cranfield.statistics.test_names import Test

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Result):
    """How far other sources of scores agree with a reference.

    Args:
        table: of each other ``source`` (the index): ``tau_b``, ``tau_ap_b`` and ``rbo`` of the order of systems; of the
            pairs that the reference finds significant the shares ``kept`` (significant the same way), ``lost`` (not
            significant) and ``reversed`` (significant the other way), NaN if it finds none; ``gained``, the share of
            the pairs it does not find that the source does; ``largest_move``, in ranks. With ``top``, the same shares
            of the pairs among the best systems of the reference: ``top_kept``, ``top_lost``, ``top_reversed`` and
            ``top_gained``.
        ranks: of each ``system`` by every source its ``rank``, 1 for the best, ties sharing the smallest; dims (system,
            source).
        tau_b: between every two sources, ``source`` and ``other``, the reference among them.
        tau_ap_b: the same, in which the top of the order has more weight; the source of the row is the reference.
        reference: its name.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    charts: ClassVar[tuple[str, ...]] = ("agreement_matrix", "rank_scatter")
    table: pd.DataFrame
    ranks: pd.DataFrame
    tau_b: pd.DataFrame
    tau_ap_b: pd.DataFrame
    reference: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {
            "table": lambda: tidy(self.table),
            "ranks": lambda: melted(self.ranks, "source", "rank"),
            "tau_b": lambda: melted(self.tau_b, "other", "tau_b"),
            "tau_ap_b": lambda: melted(self.tau_ap_b, "other", "tau_ap_b"),
        }

    def movers(self, source: str, n: int = 10) -> pd.DataFrame:
        """The n systems that move furthest from the reference: ``reference`` and ``rank``, and places ``gained``."""
        import pandas as pd

        if source not in self.ranks.columns:
            raise UsageError(f"no source is called {quoted(source)}")
        before, after = self.ranks[self.reference], self.ranks[source]
        table = pd.DataFrame({"reference": before, "rank": after, "gained": before - after})
        return table.sort_values("gained", key=lambda moved: -moved.abs(), kind="stable").head(n)


def compare_rankings(
    scores: Mapping[str, ScoresLike] | ScoresLike,
    *,
    reference: str | None = None,
    test: Test = "t",
    correction: Adjustment | None = None,
    alpha: float = 0.05,
    p: float = 0.9,
    top: int | None = None,
    seed: int = 1,
) -> Agreement:
    """Compare what several sources of scores say of the same systems.

    Sources are measures, standardization schemes, subsets of topics, or judges: whatever gives every system a mean.

    Args:
        scores: name -> scores of one measure, dims (topic, system), or a Dataset of several measures; the topics may
            differ, the systems not.
        reference: what the others are compared with; the first, by default.
        test: of the differences between systems, see ``compare``.
        correction: for the number of pairs; as in ``compare``.
        alpha: level of significance, in (0, 1).
        p: persistence of RBO, in (0, 1).
        top: also compare the conclusions about pairs among this many best systems of the reference (those tied with the
            last of them included), at least 2.
        seed: of tests that draw.

    Raises:
        InputError: fewer than two systems, or sources of different systems.
        UsageError: fewer than two sources, or an unknown reference.

    References:
        Urbano & Marrero 2017, The treatment of ties in AP correlation. doi:10.1145/3121050.3121106
        Webber, Moffat & Zobel 2010, A similarity measure for indefinite rankings. doi:10.1145/1852102.1852106
    """
    share(alpha=alpha)
    whole(0, seed=seed)
    if top is not None:
        whole(2, top=top)
    matrices = sources_of(scores)
    names = list(matrices)
    chosen = names[0] if reference is None else reference
    if chosen not in matrices:
        raise UsageError(f"no source is called {quoted(chosen)}: reference is one of {', '.join(map(quoted, names))}")
    systems = matrices[chosen].systems
    means = np.stack([oriented(matrix, systems) for matrix in matrices.values()])
    chosen_correction = choose_correction(test, correction)
    how = test, chosen_correction, alpha, seed
    tested = {name: _decisions(matrix, systems, *how) for name, matrix in matrices.items()}
    settings = {"reference": chosen, "test": test, "correction": chosen_correction, "alpha": alpha, "p": p}
    settings |= {"top": top, "seed": seed}
    signature = matrices[chosen].signature("agreement", **settings)
    signature["scores"] = {name: matrix.source for name, matrix in matrices.items()}
    return Agreement(
        _table(names, chosen, means, tested, p, top),
        _ranks(names, systems, means),
        _correlations(tau_b, names, means),
        _correlations(tau_ap_b, names, means),
        chosen,
        settings,
        signature,
    )


def sources_of(scores: Mapping[str, ScoresLike] | ScoresLike) -> dict[str, Matrix]:
    """Name -> scores, all of the same systems.

    Raises:
        InputError: they are of different systems, or of fewer than two.
        UsageError: fewer than two sources.
    """
    if hasattr(scores, "dims") or hasattr(scores, "iloc"):
        sources = {matrix.measure: matrix for matrix in matrices_of(scores)}  # type: ignore[arg-type]
    else:
        sources = {str(name): matrix_of(one) for name, one in scores.items()}
    if len(sources) < 2:
        raise UsageError(f"agreement needs at least two sources of scores, and there is {len(sources)}")
    first, *others = sources
    for name in others:
        ours, theirs = sources[first].systems, sources[name].systems
        if set(ours) != set(theirs):
            only = [system for system in (*ours, *theirs) if (system in ours) != (system in theirs)]
            raise InputError(
                f"{quoted(first)} and {quoted(name)} score different systems: {listed(only, 'system')} in one only"
            )
    sources[first].at_least(1, 2, "agreement")
    return sources


def oriented(matrix: Matrix, systems: tuple[str, ...]) -> Floats:
    """Means of the systems in one order, larger better; equal ones equal whatever rounding says."""
    place = {system: row for row, system in enumerate(matrix.systems)}
    return matrix.comparable_means[[place[system] for system in systems]]


def _decisions(
    matrix: Matrix, systems: tuple[str, ...], test: Test, correction: Adjustment, alpha: float, seed: int
) -> Ints:
    """1 where the row's system is significantly better than the column's, -1 where worse, 0 where neither."""
    with hearing():  # identical systems are no news here
        tested, pairs, significant = find_significant(
            matrix.labelled(), test=test, correction=correction, alpha=alpha, seed=seed
        )
    place = np.array([systems.index(system) for system in tested.systems])
    better, worse = place[pairs.left[significant]], place[pairs.right[significant]]
    decided = np.zeros((len(systems), len(systems)), dtype=np.int64)
    decided[better, worse], decided[worse, better] = 1, -1
    return decided


def _table(
    names: list[str], reference: str, means: Floats, tested: dict[str, Ints], p: float, top: int | None
) -> pd.DataFrame:
    import pandas as pd

    truth = means[names.index(reference)]
    upper = every_pair(len(truth))
    ours = tested[reference][upper]
    places = _places(truth)
    best = places <= (len(truth) if top is None else top)
    among = (best[:, None] & best[None, :])[upper]
    rows = {}
    for row, name in enumerate(names):
        if name == reference:
            continue
        theirs = tested[name][upper]
        rows[name] = {
            "tau_b": float(tau_b(means[row], truth)),
            "tau_ap_b": float(tau_ap_b(means[row], truth)),
            "rbo": float(rbo(means[row], truth, p=p)),
            **_conclusions(ours, theirs),
            "largest_move": int(np.abs(_places(means[row]) - places).max()),
        }
        if top is not None:
            rows[name] |= {f"top_{share}": part for share, part in _conclusions(ours[among], theirs[among]).items()}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("source")


def _conclusions(ours: Ints, theirs: Ints) -> dict[str, float]:
    """Shares of the pairs that the reference finds significant, and of the rest."""
    significant, rest = ours != 0, ours == 0
    return {
        "kept": _part((theirs == ours) & significant, significant),
        "lost": _part((theirs == 0) & significant, significant),
        "reversed": _part((theirs == -ours) & significant, significant),
        "gained": _part((theirs != 0) & rest, rest),
    }


def _part(some: Mask, whole: Mask) -> float:
    count = int(whole.sum())
    return int(some.sum()) / count if count else float("nan")


def _places(means: Floats) -> Ints:
    """1 for the best; equal ones share the smallest."""
    places: Ints = (means[None, :] > means[:, None]).sum(axis=1) + 1
    return places


def _ranks(names: list[str], systems: tuple[str, ...], means: Floats) -> pd.DataFrame:
    import pandas as pd

    index = pd.Index(systems, name="system", dtype=object)
    return pd.DataFrame({name: _places(row) for name, row in zip(names, means, strict=True)}, index=index)


def _correlations(coefficient: Callable[[Floats, Floats], Floats], names: list[str], means: Floats) -> pd.DataFrame:
    """Of every source (column) with every source as the truth (row)."""
    import pandas as pd

    values = np.stack([coefficient(means, row) for row in means])
    return pd.DataFrame(values, index=pd.Index(names, name="source", dtype=object), columns=names)
