"""Tables and figures of Golbus & Aslam 2013 on public collections.

    python reproductions/golbus_2013/reproduce.py

writes ``tables.md``, the data of the figures, ``figure*.tsv``, and charts of them beside this file; README.md says what
follows.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import xarray as xr
from scipy.stats import kendalltau, spearmanr

import cranfield
from cranfield import Run
from cranfield.collection.policy import TiesPolicy
from cranfield.statistics.bootstrap import paired_bootstrap
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.resampling import bootstrap_counts

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from golbus_collections import Collection, Floats, collections  # noqa: E402
from golbus_figures import draw_collection, draw_sets, draw_topics  # noqa: E402
from golbus_sets import SEED, agreement_with_golden, data_of_sets, figure_3, means_of_sets, table_3  # noqa: E402
from golbus_tables import markdown, slug, tsv  # noqa: E402

from real_collections import OUTSIDE  # noqa: E402

BOOTSTRAP_SEED, RESAMPLES = 20130728, 1000
YEARS = (2010, 2011, 2012)
COMPARED = (
    *(("RIC", "AP"), ("RIC", "GAP"), ("RIC", "nDCG"), ("RIC", "Bpref"), ("signed RIC", "AP"), ("AP", "nDCG")),
    *(("AP", "Bpref"), ("nDCG", "Bpref")),
)
"""Measures whose means of the runs are compared."""


# ---- Figure 2 and Table 2


def figure_2(collection: Collection) -> str:
    """Means of every run."""
    rows = [
        [run, *(f"{collection.means[name][number]:.6f}" for name in collection.means)]
        for number, run in enumerate(collection.paths)
    ]
    return tsv(["run", *collection.means], rows)


def figure_2_table(all_of_them: Sequence[Collection]) -> str:
    """Correlations of Figure 2 and its insets."""
    rows = []
    for collection in all_of_them:
        for one, other in COMPARED:
            x, y = collection.means[one], collection.means[other]
            cells = [collection.name, f"{one}, {other}", str(len(x))]
            best = [np.arange(len(x)), *(np.argsort(-by, kind="stable")[:10] for by in (x, y))]
            for chosen in best if len(x) > 10 else best[:1]:
                tau, rho = kendalltau(x[chosen], y[chosen]).statistic, spearmanr(x[chosen], y[chosen]).statistic
                cells.append(f"{tau:.3f} / {rho:.3f}")
            rows.append([*cells, *[""] * (6 - len(cells)), f"{np.corrcoef(x, y)[0, 1]:.3f}"])
    head = ["collection", "measures", "runs", "all: tau / rho", "ten best by the first", "ten best by the second"]
    head.append("all: Pearson's r")
    return markdown(head, rows)


def table_2(all_of_them: Sequence[Collection]) -> str:
    """Discriminative power: pairs of runs that a studentized paired bootstrap over topics distinguishes at .05."""
    names = ("AP", "GAP", "nDCG", "RIC", "signed RIC")
    rows = [
        [collection.name, *(f"{discriminative_power(collection.scores[name]):.3f}" for name in names)]
        for collection in all_of_them
        if len(collection.paths) > 10
    ]
    return markdown(["collection", *names], rows)


def discriminative_power(scores: Floats) -> float:
    """Share of the pairs of systems with an achieved significance level below .05, [systems, topics]."""
    samples = bootstrap_counts(scores.shape[1], RESAMPLES, np.random.default_rng(BOOTSTRAP_SEED))
    levels = paired_bootstrap(scores.T, samples, Contrasts.all_pairs(len(scores))).asl
    return float(np.mean(levels < 0.05))


# ---- Figures 4 and 5 and Table 4


def pairs_of(collection: Collection, bins: int) -> list[tuple[int, int]]:
    """Pairs of runs in the same of so many bins of AP."""
    order = np.argsort(-collection.ap, kind="stable")
    return [tuple(pair) for part in np.array_split(order, bins) for pair in combinations(part.tolist(), 2)]


def bins_of(collection: Collection) -> int:
    """As many bins of AP as leave some runs in each."""
    return 20 if len(collection.paths) > 100 else 6 if len(collection.paths) > 10 else 1


def table_4(all_of_them: Sequence[Collection]) -> str:
    """How often the closest pairs are of one team, by information difference and by difference of AP."""
    rows = []
    for collection in all_of_them:
        apart = collection.difference.difference.values
        for bins in (20, 6):
            pairs = pairs_of(collection, bins)
            if len(pairs) < 27:
                continue
            same = np.array([collection.teams[one] == collection.teams[other] for one, other in pairs])
            distance = np.array([apart[one, other] for one, other in pairs])
            by_ap = np.array([abs(collection.ap[one] - collection.ap[other]) for one, other in pairs])
            cells = [collection.name, str(bins), str(len(pairs)), f"{same.mean():.2f}"]
            for key in (distance, by_ap):
                closest = same[np.argsort(key, kind="stable")]
                leading = len(closest) if closest.all() else int(np.argmin(closest))
                cells += [f"{closest[:27].sum()} of 27", str(leading), f"{closer(key[same], key[~same]):.2f}"]
            rows.append(cells)
    questions = ("closest of one team", "leading pairs of one team", "P(same team is closer)")
    head = [
        "collection",
        "bins",
        "pairs",
        "base rate",
        *(f"id: {what}" for what in questions),
        *(f"AP: {what}" for what in questions),
    ]
    return markdown(head, rows)


def closer(same: Floats, other: Floats) -> float:
    """Probability that a pair of one team is closer than one of two."""
    if not len(same) or not len(other):
        return float("nan")
    less, equal = same[:, None] < other, same[:, None] == other
    return float(np.mean(less + 0.5 * equal))


def closest_pairs(collection: Collection, bins: int = 20, size: int = 10) -> str:
    """The first rows of Table 4, with the parts of Figure 4."""
    names = list(collection.paths)
    rows = []
    for one, other in sorted(
        pairs_of(collection, bins), key=lambda pair: collection.difference.difference.values[pair]
    )[:size]:
        pair = collection.difference.between(names[one], names[other])
        parts = [f"{value:.3f}" for value in pair]
        rows.append([names[one], names[other], *parts, f"{abs(collection.ap[one] - collection.ap[other]):.3f}"])
    return markdown(
        ["system 1", "system 2", "id", "only the first", "only the second", "both", "difference of AP"], rows
    )


def figure_5(collection: Collection, size: int = 1000) -> str:
    """Information difference and difference of AP, of all pairs or of so many drawn."""
    one, other = np.triu_indices(len(collection.paths), 1)
    if len(one) > size:
        drawn = np.sort(np.random.default_rng(SEED).choice(len(one), size, replace=False))
        one, other = one[drawn], other[drawn]
    names, apart = list(collection.paths), collection.difference.difference.values
    rows = [
        [names[i], names[j], f"{apart[i, j]:.6f}", f"{abs(collection.ap[i] - collection.ap[j]):.6f}"]
        for i, j in zip(one.tolist(), other.tolist(), strict=True)
    ]
    return tsv(["first", "second", "information difference", "difference of AP"], rows)


def figure_5_table(all_of_them: Sequence[Collection]) -> str:
    """What Figure 5 shows, in numbers: over all pairs."""
    rows = []
    for collection in all_of_them:
        upper = np.triu_indices(len(collection.paths), 1)
        apart, by_ap = (
            collection.difference.difference.values[upper],
            np.abs(collection.ap[upper[0]] - collection.ap[upper[1]]),
        )
        tau, rho = kendalltau(apart, by_ap).statistic, spearmanr(apart, by_ap).statistic
        low, middle, high = apart.min(), np.median(apart), apart.max()
        rows.append([collection.name, f"{len(apart):,}", *(f"{x:.3f}" for x in (low, middle, high, tau, rho))])
    return markdown(["collection", "pairs", "smallest id", "median", "largest", "tau with AP", "rho"], rows)


def ranking_models(collection: Collection) -> str:
    """Are two models nearer than one model with and without a filter, or over two parts of the collection?"""
    names = list(collection.paths)
    rows = [
        [one, other, *(f"{value:.3f}" for value in collection.difference.between(one, other))]
        for one, other in combinations(names, 2)
    ]
    rows.sort(key=lambda row: float(row[2]))
    return markdown(["system 1", "system 2", "id", "only the first", "only the second", "both"], rows)


# ---- Table 1 and Figure 1


JUDGMENTS = {
    2010: ("10.adhoc-qrels.final.txt.gz", "10.diversity-qrels.final.txt.gz"),
    2011: ("qrels.adhoc.txt.gz", "qrels.diversity.txt.gz"),
    2012: ("qrels.adhoc.txt.gz", "qrels-for-ndeval.txt.gz"),
}
"""Of the ad hoc and of the diversity task."""


def diversity_scores(data: Path, year: int, runs: Mapping[str, str | Run] | None = None) -> xr.Dataset:
    """Values of the three measures and of nDCG@20 and ERR@20, dims (topic, system).

    Args:
        data: folder of the collections.
        year: of the Web Track.
        runs: by name; the seven published systems where None.
    """
    folder = data / "trec-web" / str(year)
    adhoc, intents = JUDGMENTS[year]
    ties: TiesPolicy = "rank" if runs is None else "trec"
    if runs is None:
        paths = sorted((data / "trec-web-diversity-runs").iterdir())
        runs = {
            path.name.removesuffix(".run.gz"): str(path) for path in paths if not path.name.startswith("indri-lemur")
        }
    qrels = cranfield.read_qrels(folder / adhoc)
    by_intent = cranfield.read_qrels(folder / intents)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cranfield.CranfieldWarning)  # topics of other years, ranks beside scores
        plain = cranfield.evaluate(runs, qrels, ["nDCG@20", "ERR@20"], ties=ties)
        diverse = cranfield.evaluate(runs, by_intent, ["ERR-IA@20", "alpha-nDCG@20", "D#-nDCG@20"], ties=ties)
    relevant = set(np.array(by_intent.topics)[by_intent.pool.count(low=1) > 0])
    topics = [topic for topic in qrels.topics if topic in relevant]
    found = {name.removesuffix("@20"): block.sel(topic=topics) for name, block in {**plain, **diverse}.items()}
    return xr.Dataset(found)


def table_1(years: dict[int, xr.Dataset]) -> str:
    """Information tau of the diversity measures, given what they are made of; intervals over topics, and chance."""
    rows = []
    for other in ("alpha-nDCG", "D#-nDCG"):
        for given in ((), ("nDCG",), ("ERR",), ("nDCG", "ERR")):
            cells = [f"ERR-IA; {other}" + (f" given {', '.join(given)}" if given else "")]
            for scores in years.values():
                found = information_tau(scores, other, given)
                topics = int(found.topics.notnull().sum())
                by_chance = cranfield.information.estimate_information_tau_null(
                    scores["ERR-IA"],
                    scores[other],
                    [scores[name] for name in given],
                    universe=[scores["nDCG"], scores["ERR"]],
                )
                chance = f"by chance {by_chance.null:.3f}, p {by_chance.p:.3f}"
                cells.append(f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}], {topics} topics; {chance}")
            rows.append(cells)
    return markdown(["information tau", *map(str, years)], rows)


def information_tau(scores: xr.Dataset, other: str, given: Sequence[str]) -> cranfield.information.tau.InformationTau:
    """Over pairs of systems that none of the four measures ties."""
    universe = [scores["nDCG"], scores["ERR"]]
    return cranfield.information.compute_information_tau(
        scores["ERR-IA"], scores[other], [scores[name] for name in given], universe=universe
    )


def figure_1(scores: xr.Dataset) -> str:
    """Per topic, ERR-IA and D#-nDCG."""
    conditions = {"": (), "nDCG": ("nDCG",), "ERR": ("ERR",), "nDCG, ERR": ("nDCG", "ERR")}
    columns = [information_tau(scores, "D#-nDCG", given).topics.values for given in conditions.values()]
    rows = [
        [str(topic), *(f"{value:.6f}" for value in row)]
        for topic, row in zip(scores["topic"].values, np.column_stack(columns), strict=True)
    ]
    return tsv(["topic", *(f"given {name}" if name else "given nothing" for name in conditions)], rows)


def main() -> None:
    """Write the tables and the data of the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--shared", type=Path, default=OUTSIDE, help="folder of the collections (data) and golden values"
    )
    shared = parser.parse_args().shared
    years = {year: diversity_scores(shared / "data", year) for year in YEARS}
    parts = {"Table 1: information tau of diversity measures": table_1(years)}
    for year, scores in years.items():
        (HERE / f"figure1-{year}.tsv").write_text(figure_1(scores))
        draw_topics(scores, information_tau, year, HERE)
    found = collections(shared)
    tracks = found[:3]
    for each in found:
        (HERE / f"figure2-{slug(each.name)}.tsv").write_text(figure_2(each))
        (HERE / f"figure5-{slug(each.name)}.tsv").write_text(figure_5(each))
        apart = each.difference.difference.values
        draw_collection(each, min(pairs_of(each, bins_of(each)), key=lambda pair: apart[pair]), HERE)
    parts["Figure 2: RIC and other measures"] = figure_2_table(found)
    parts["Table 2: discriminative power"] = table_2(found)
    parts["Table 4: runs of one team"] = table_4(tracks)
    for each in tracks:
        parts[f"Table 4: the closest pairs of {each.name}"] = closest_pairs(each, bins_of(each))
    parts["Figure 5: information difference and difference of AP"] = figure_5_table(found)
    parts["Ranking models: the baselines of Web 2012"] = ranking_models(found[3])
    write(parts)
    blocks = {}
    for each in tracks:
        blocks[each.name] = figure_3(each)
        (HERE / f"figure3-{slug(each.name)}.tsv").write_text(data_of_sets(blocks[each.name]))
        draw_sets(each.name, HERE)
    parts["Table 3: sets of ten systems; tau / rho / root mean square error"] = table_3(blocks)
    parts["Means over sets of ten"] = means_of_sets(blocks)
    parts["Largest difference from independent code"] = agreement_with_golden(blocks, shared / "golden")
    write(parts)


def write(parts: dict[str, str]) -> None:
    """All tables so far."""
    (HERE / "tables.md").write_text("\n\n".join(f"## {title}\n\n{text}" for title, text in parts.items()) + "\n")


if __name__ == "__main__":
    main()
