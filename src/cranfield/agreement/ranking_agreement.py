"""Agreement of several sources of scores on the same systems: on their order, and on what is significant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, TypeGuard

import numpy as np

from cranfield._message import setting
from cranfield._text import hearing, listed, quoted, suggest, warn
from cranfield._typing import Floats, Ints, Mask
from cranfield._validation import list_names
from cranfield.agreement._answers import describe_conclusions, describe_test, explain_systems
from cranfield.comparison.outcome import Adjustment, choose_correction
from cranfield.comparison.pairwise import find_significant
from cranfield.declarations.analysis import FromSources, View, analysis
from cranfield.declarations.checks import GIVEN, Rule
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import (
    AlphaOption,
    MeanOverOption,
    MissingScoresOption,
    ReferenceOption,
    SeedOption,
    TestOfPairsOption,
    TopicClustersOption,
)
from cranfield.errors import InputError, UsageError
from cranfield.results.columns import Column
from cranfield.results.frames import melted, stacked, tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike, as_dataset
from cranfield.scores.measure_scores import Scores
from cranfield.scores.missing_scores import MissingScores, fill_gaps, warn_of_gaps
from cranfield.scores.opening import open_measures, open_scores
from cranfield.scores.topic_clusters import MeanOver
from cranfield.scores.topic_groups import TopicGroups
from cranfield.statistics.contrasts import every_pair
from cranfield.statistics.rank_correlation import rbo, tau_ap_b, tau_b
from cranfield.statistics.test_names import OF_ALL_PAIRS, TEST_RESAMPLES, Test

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from cranfield.scores.topic_groups import GroupsLike


PairsCorrectionOption: TypeAlias = Annotated[
    Adjustment | None, Option("Correction for the number of pairs.", default="that of the test", shell=False)
]
TopOption: TypeAlias = Annotated[
    int | None,
    Option("Also compare the best systems of the reference, and those tied.", low=2),
]
UNJUDGED = ("unjudged", "unjudged_reference")
"""Columns of shares of unjudged documents, where the sources are judges."""
DRAWS_NOTHING = Rule(
    {"seed": GIVEN, "test": tuple(test for test in OF_ALL_PAIRS if test not in TEST_RESAMPLES)},
    "{seed} changes nothing with a {test} that draws nothing: leave it out",
)


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Result):
    """Agreement of other sources of scores with a reference.

    Args:
        table: of each other source (the index); shares are NaN where there are no such pairs, and those of the best
            systems are there with ``top``.
        ranks: of each ``system`` by every source its ``rank``, 1 for the best, ties sharing the smallest; dims (system,
            source).
        tau_b: between every two sources, ``source`` and ``other``, the reference among them.
        tau_ap_b: the same, in which the top of the order has more weight; the source of the row is the reference.
        reference: its name.
        topics: source -> the topics of its means.
        significant: pairs of systems that the reference finds significantly different.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("source"),
            Column("tau_b", "of the order of systems with that of the reference"),
            Column("tau_ap_b", "the same, in which the top of the order has more weight"),
            Column("rbo", "rank-biased overlap"),
            Column("kept", "of the pairs that the reference finds significant, the share significant the same way"),
            Column("lost", "the share of these that are not significant"),
            Column("reversed", "the share of these that are significant the other way"),
            Column("gained", "of the other pairs, the share that are significant"),
            Column("largest_move", "of a system, in ranks"),
            Column("top_kept", "kept, among the best systems of the reference"),
            Column("top_lost"),
            Column("top_reversed"),
            Column("top_gained"),
            Column(UNJUDGED[0], "of judges: share of the first documents of runs that the judge did not judge"),
            Column(UNJUDGED[1], "that the reference did not judge"),
        ),
        "movers": (
            Column("source"),
            Column("system", "one of those whose rank changes most"),
            Column("reference", "its rank by the reference"),
            Column("rank", "its rank by the source"),
            Column("gained", "ranks that it gains"),
        ),
    }
    table: pd.DataFrame
    ranks: pd.DataFrame
    tau_b: pd.DataFrame
    tau_ap_b: pd.DataFrame
    reference: str
    topics: dict[str, tuple[str, ...]]
    significant: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {
            "table": lambda: tidy(self.table),
            "movers": lambda: stacked({name: tidy(self.movers(name)) for name in self.table.index}, "source"),
            "ranks": lambda: melted(self.ranks, "source", "rank"),
            "tau_b": lambda: melted(self.tau_b, "other", "tau_b"),
            "tau_ap_b": lambda: melted(self.tau_ap_b, "other", "tau_ap_b"),
        }

    def answer(self, table: str) -> str:
        """Count the conclusions of the reference that hold under the closest source, and under the farthest."""
        return describe_conclusions(self)

    def caption(self, table: str) -> str:
        """The reference and the test, and how shares and ranks are to be read."""
        return "\n".join([describe_test(self), *explain_systems(self, shares=table != "movers")])

    def movers(self, source: str, n: int = 10) -> pd.DataFrame:
        """Return the n systems whose rank changes most: ``reference`` and ``rank``, and the ranks ``gained``."""
        import pandas as pd

        if source not in self.ranks.columns:
            raise UsageError(f"no source is called {quoted(source)}")
        before, after = self.ranks[self.reference], self.ranks[source]
        table = pd.DataFrame({"reference": before, "rank": after, "gained": before - after})
        return table.sort_values("gained", key=lambda moved: -moved.abs(), kind="stable").head(n)


@analysis(
    "judges",
    "",
    FromSources(),
    given=("scores",),
    views=(
        View("systems", table="table", rules=(DRAWS_NOTHING,)),
        View("movers", unused=("rbo_p", "top"), rules=(DRAWS_NOTHING,)),
    ),
)
def compare_rankings(
    scores: Mapping[str, ScoresLike] | ScoresLike,
    *,
    reference: ReferenceOption = None,
    test: TestOfPairsOption = "t",
    correction: PairsCorrectionOption = None,
    alpha: AlphaOption = 0.05,
    rbo_p: Annotated[float, Option("Persistence of RBO.", low=0, high=1, open=True)] = 0.9,
    top: TopOption = None,
    seed: SeedOption = 1,
    missing_scores: MissingScoresOption = None,
    topic_clusters: TopicClustersOption = None,
    mean_over: MeanOverOption = "topics",
) -> Agreement:
    """Compare the conclusions of several sources of scores about the same systems.

    Sources are measures, standardization schemes, subsets of topics, or judges: whatever gives every system a mean.

    Args:
        scores: name -> scores of one measure, dims (topic, system), or a Dataset of several measures; the topics may
            differ, the systems not.

    Raises:
        InputError: fewer than two systems or five clusters, a topic without one, or sources of different systems.
        UsageError: fewer than two sources, an unknown reference, or a test that does not work with clusters.

    References:
        Urbano & Marrero 2017, The treatment of ties in AP correlation. doi:10.1145/3121050.3121106
        Webber, Moffat & Zobel 2010, A similarity measure for indefinite rankings. doi:10.1145/1852102.1852106

    >>> import cranfield
    >>> made = cranfield.simulation.simulate_runs(n_systems=6, n_topics=25)
    >>> scores = cranfield.evaluate(made.runs, made.qrels, ["nDCG@10", "AP", "RR"])
    >>> cranfield.compare_rankings(scores).table[["tau_b", "kept", "lost", "reversed"]].round(3)
            tau_b   kept   lost  reversed
    source
    AP      1.000  1.000  0.000       0.0
    RR      0.867  0.583  0.417       0.0
    """
    matrices, units = _cluster_sources(collect_sources(scores, missing_scores), topic_clusters, mean_over)
    names, chosen = list(matrices), choose_source(matrices, reference)
    systems = matrices[chosen].systems
    means = np.stack([orient_means(matrix, systems) for matrix in matrices.values()])
    applied_correction = choose_correction(test, correction)
    options = test, applied_correction, alpha, seed
    decisions = {name: _decide_pairs(matrix, systems, *options) for name, matrix in matrices.items()}
    settings = record_options(compare_rankings, locals(), reference=chosen, correction=applied_correction, **units)
    signature = matrices[chosen].signature("agreement", **settings)
    signature["scores"] = {name: matrix.source for name, matrix in matrices.items()}
    return Agreement(
        _make_table(names, chosen, means, decisions, rbo_p, top),
        _make_ranks(names, systems, means),
        _correlate(tau_b, names, means),
        _correlate(tau_ap_b, names, means),
        chosen,
        {name: matrix.topics for name, matrix in matrices.items()},
        int(np.count_nonzero(decisions[chosen]) // 2),  # each pair is there from both sides
        settings,
        signature,
    )


def choose_source(sources: Mapping[str, Scores], reference: str | None) -> str:
    """Return the name of the reference, by default the first.

    Raises:
        UsageError: there is no such source.
    """
    chosen = next(iter(sources)) if reference is None else reference
    if chosen not in sources:
        raise UsageError(f"no source is called {quoted(chosen)}: reference is one of {', '.join(map(quoted, sources))}")
    return chosen


def _cluster_sources(
    matrices: dict[str, Scores], topic_clusters: GroupsLike | None, mean_over: MeanOver
) -> tuple[dict[str, Scores], dict[str, Any]]:
    """The sources with the clusters of their topics where there are any, and what settings say of the first's."""
    groups = None if topic_clusters is None else TopicGroups.from_source(topic_clusters, "cluster")
    first, *others = matrices
    clustered = {first: open_scores(matrices[first], topic_clusters=groups, mean_over=mean_over)}
    with hearing():  # what is true of one source is true of the others
        clustered |= {name: open_scores(matrices[name], topic_clusters=groups, mean_over=mean_over) for name in others}
    return clustered, clustered[first].units.settings


def collect_sources(
    scores: Mapping[str, ScoresLike] | ScoresLike, missing_scores: MissingScores | None = None
) -> dict[str, Scores]:
    """Return name -> scores, all of the same systems.

    Args:
        scores: name -> scores of one measure, or scores of several measures.
        missing_scores: as in ``compare_rankings``.

    Raises:
        InputError: they are of different systems, or of fewer than two.
        UsageError: fewer than two sources.
    """
    filled = fill_sources(scores, missing_scores)
    if _are_named(filled):
        sources = {str(name): open_scores(source) for name, source in filled.items()}
    else:
        sources = {matrix.measure: matrix for matrix in open_measures(filled)}  # type: ignore[arg-type]
    if len(sources) < 2:
        raise UsageError(f"agreement needs at least two sources of scores, and there is {len(sources)}")
    first, *others = sources
    for name in others:
        ours, theirs = sources[first].systems, sources[name].systems
        if set(ours) != set(theirs):
            unshared = [system for system in (*ours, *theirs) if (system in ours) != (system in theirs)]
            raise InputError(
                f"{quoted(first)} and {quoted(name)} score different systems: {listed(unshared, 'system')} in one only"
            )
    sources[first].at_least(1, 2, "agreement")
    for matrix in sources.values():
        warn_of_gaps(matrix.called, matrix.values, matrix.topics, matrix.systems)
    return sources


def fill_sources(
    scores: Mapping[str, ScoresLike] | ScoresLike, missing_scores: MissingScores | None
) -> Mapping[str, ScoresLike] | ScoresLike:
    """Return the scores of each source without gaps, all without the systems that one of them drops."""
    if missing_scores is None:
        return scores
    if not _are_named(scores):
        return fill_gaps(scores, missing_scores)  # type: ignore[arg-type]
    dropped: set[str] = set()
    filled: dict[str, xr.Dataset] = {}
    for name, source in scores.items():
        filled[str(name)] = as_dataset(fill_gaps(source, missing_scores))
        dropped |= {*_list_systems(as_dataset(source))} - {*_list_systems(filled[str(name)])}
    for name, dataset in filled.items():
        chosen = [at for at, system in enumerate(_list_systems(dataset)) if system not in dropped]
        filled[name] = dataset.isel(system=chosen)
    return filled


def _are_named(scores: Mapping[str, ScoresLike] | ScoresLike) -> TypeGuard[Mapping[str, ScoresLike]]:
    """Return whether every source has scores of its own, and is not a measure of one table."""
    return not hasattr(scores, "dims") and not hasattr(scores, "iloc")


def _list_systems(dataset: xr.Dataset) -> list[str]:
    return [str(system) for system in dataset["system"].to_numpy()]


def select_same_model(
    same_model: Mapping[str, str | Sequence[str]], judges: Container[str], systems: Collection[str], reference: str
) -> dict[str, set[str]]:
    """Return the systems built with a judge's own model, by judge, with a warning for each judge.

    Raises:
        UsageError: no such judge or system, or the reference.
    """
    chosen = {judge: list_names(same_model=systems) for judge, systems in same_model.items()}
    for judge, built in chosen.items():
        if judge not in judges or judge == reference:
            raise UsageError(
                f"{setting('same_model')} names {quoted(judge)}, which is not a judge beside the reference"
            )
        for name in built:
            if name not in systems:
                raise UsageError(
                    f"{setting('same_model')} names {quoted(name)}, and no system is called so; "
                    f"{suggest(name, systems)}"
                )
        if built:
            warn(
                f"built with the model of {quoted(judge)}: {listed(sorted(built), 'system')}; their scores by this "
                "judge are circular, and agreement on them is not evidence"
            )
    return {judge: set(built) for judge, built in chosen.items() if built}


def orient_means(matrix: Scores, systems: tuple[str, ...]) -> Floats:
    """Return the means of systems in this order, larger ones better; means that differ by rounding alone are equal."""
    index = {system: row for row, system in enumerate(matrix.systems)}
    return matrix.comparable_means[[index[system] for system in systems]]


def _decide_pairs(
    matrix: Scores, systems: tuple[str, ...], test: Test, correction: Adjustment, alpha: float, seed: int
) -> Ints:
    """Return 1 where the row's system is significantly better than the column's, -1 where worse, 0 where neither."""
    with hearing():  # identical systems are not worth a warning here
        tested, pairs, significant = find_significant(matrix, test=test, correction=correction, alpha=alpha, seed=seed)
    index = np.array([systems.index(system) for system in tested.systems])
    better, worse = index[pairs.left[significant]], index[pairs.right[significant]]
    decisions = np.zeros((len(systems), len(systems)), dtype=np.int64)
    decisions[better, worse], decisions[worse, better] = 1, -1
    return decisions


def _make_table(
    names: list[str], reference: str, means: Floats, decisions: dict[str, Ints], rbo_p: float, top: int | None
) -> pd.DataFrame:
    """Make a row for each source but the reference; see ``Agreement``."""
    import pandas as pd

    truth = means[names.index(reference)]
    upper = every_pair(len(truth))
    expected = decisions[reference][upper]
    ranks = _rank(truth)
    best = ranks <= (len(truth) if top is None else top)
    top_pairs = (best[:, None] & best[None, :])[upper]
    rows = {}
    for row, name in enumerate(names):
        if name == reference:
            continue
        decided = decisions[name][upper]
        rows[name] = {
            "tau_b": float(tau_b(means[row], truth)),
            "tau_ap_b": float(tau_ap_b(means[row], truth)),
            "rbo": float(rbo(means[row], truth, p=rbo_p)),
            **_share_conclusions(expected, decided),
            "largest_move": int(np.abs(_rank(means[row]) - ranks).max()),
        }
        if top is not None:
            rows[name] |= {
                f"top_{share}": value
                for share, value in _share_conclusions(expected[top_pairs], decided[top_pairs]).items()
            }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("source")


def _share_conclusions(expected: Ints, decided: Ints) -> dict[str, float]:
    """Return shares of the pairs that the reference finds significant, and of those that it does not."""
    significant, undecided = expected != 0, expected == 0
    return {
        "kept": _divide((decided == expected) & significant, significant),
        "lost": _divide((decided == 0) & significant, significant),
        "reversed": _divide((decided == -expected) & significant, significant),
        "gained": _divide((decided != 0) & undecided, undecided),
    }


def _divide(subset: Mask, total: Mask) -> float:
    count = int(total.sum())
    return int(subset.sum()) / count if count else float("nan")


def _rank(means: Floats) -> Ints:
    """Rank means: 1 is the best, and equal ones share the smallest rank."""
    ranks: Ints = (means[None, :] > means[:, None]).sum(axis=1) + 1
    return ranks


def _make_ranks(names: list[str], systems: tuple[str, ...], means: Floats) -> pd.DataFrame:
    import pandas as pd

    index = pd.Index(systems, name="system", dtype=object)
    return pd.DataFrame({name: _rank(row) for name, row in zip(names, means, strict=True)}, index=index)


def _correlate(coefficient: Callable[[Floats, Floats], Floats], names: list[str], means: Floats) -> pd.DataFrame:
    """Correlate every source (column) with every source as the truth (row)."""
    import pandas as pd

    values = np.stack([coefficient(means, row) for row in means])
    return pd.DataFrame(values, index=pd.Index(names, name="source", dtype=object), columns=names)
