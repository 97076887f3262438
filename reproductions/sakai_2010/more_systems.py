"""Tables 2 to 4 of Sakai et al. 2010 with more systems than seven, and the power of measures that use R (section 3.2).

    python reproductions/sakai_2010/more_systems.py

writes ``more_systems.md`` beside this file; README.md says what to make of it. One table takes an eighth public system,
on the topics that its damaged file left whole; another takes 25 simulated systems, as many as the paper has.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import xarray as xr

import cranfield
from cranfield import CranfieldWarning, Qrels, Run

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from sakai_tables import BINARY, GAMMAS, QRELS, correlate, markdown, read_years, sharp  # noqa: E402

from real_collections import DATA  # noqa: E402

SYSTEMS, SEED = 25, 2010
OPTIONS = {"intent_weights": "simulated"}
TABLE_5 = ["D#-Q@10", "D#-nDCG@10", "alpha-nDCG@10", "I-rec@10", "nDCG-IA@10", "D-nDCG@10", "D-Q@10"]
COLLECTIONS = {
    "TREC-COVID round 5": ("trec-covid-round5/runs", "trec-covid-round5/qrels.covid-round5.txt.gz", 1),
    "DL 2019": ("trec-dl-2019-passage/runs", "trec-dl-2019-passage/qrels.dl19-passage.txt.gz", 2),
    "Robust 2003": ("trec-robust-2003/runs", "trec-robust-2003/qrels.txt.gz", 1),
}

Lists = dict[str, dict[str, float]]


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    warnings.simplefilter("ignore", CranfieldWarning)
    data = parser.parse_args().data
    parts = [*diversity_tables(data), "## Table 5: discriminative power, binary gains\n", *table_5(data)]
    text = "\n".join([*parts, "## Section 3.2: discriminative power\n", power(data)])
    (HERE / "more_systems.md").write_text(text)
    print(text)


def diversity_tables(data: Path) -> Iterator[str]:
    """Tables 2 to 4 of eight systems by year, and of 25 simulated ones on the topics of 2009."""
    runs, damaged = eight(data)
    for year, gains, qrels in read_years(data):
        scores = evaluate(runs, qrels)
        whole = [topic for topic in scores["topic"].values.tolist() if topic not in damaged]
        yield f"## Web Track {year}, {gains} gains: 8 systems, {len(whole)} of {scores.sizes['topic']} topics\n"
        yield correlations(scores.sel(topic=whole))
    qrels = cranfield.read_qrels(data / QRELS["2009"])
    yield f"## Web Track 2009: {SYSTEMS} simulated systems, 50 topics\n"
    yield correlations(evaluate(simulated(data / QRELS["2009"]), qrels))


def eight(data: Path) -> tuple[dict[str, Run], set[str]]:
    """The systems, in the order of their rank columns, and the topics of the lines that are damaged."""
    runs, damaged = {}, set[str]()
    for path in sorted((data / "trec-web-diversity-runs").iterdir()):
        lists: Lists = {}
        with gzip.open(path, "rt") as lines:
            for line in lines:
                fields = line.split()
                if len(fields) != 6:
                    damaged |= {fields[0], fields[5].lstrip("abcdefghijklmnopqrstuvwxyz")}  # "indri51" is two fields
                    continue
                lists.setdefault(fields[0], {})[fields[2]] = -float(fields[3])
        name = path.name.removesuffix(".run.gz")
        runs[name] = Run.from_dict(lists, name=name)
    return runs, damaged


def simulated(path: Path) -> dict[str, Run]:
    """Systems that prefer what is relevant, each more or less so, to any intent or mostly to one of a topic."""
    rng = np.random.default_rng(SEED)
    labels: dict[str, dict[str, dict[str, int]]] = {}
    with gzip.open(path, "rt") as lines:
        for line in lines:
            topic, intent, document, label = line.split()[:4]
            labels.setdefault(topic, {}).setdefault(intent, {})[document] = int(label)
    runs = {}
    for number in range(SYSTEMS):
        skill, breadth = rng.uniform(0.3, 2.5), rng.uniform(0, 1)
        lists: Lists = {}
        for topic, pool in labels.items():
            favourite = rng.permutation(len(pool))
            scores = dict.fromkeys(sorted({document for each in pool.values() for document in each}), 0.0)
            for place, each in enumerate(pool.values()):
                weight = breadth + (1 - breadth) * (favourite[place] == 0) * len(pool)
                for document, label in each.items():
                    scores[document] += skill * weight * (label > 0)
            noise = rng.normal(0, 1, len(scores))
            order = np.argsort(-(np.array(list(scores.values())) + noise), kind="stable")[:100]
            names = list(scores)
            lists[topic] = {names[at]: -float(rank) for rank, at in enumerate(order.tolist())}
        runs[f"s{number:02d}"] = Run.from_dict(lists, name=f"s{number:02d}")
    return runs


def evaluate(runs: Mapping[str, Run], qrels: Qrels) -> xr.Dataset:
    """The two combined measures with every gamma, and the two that they are compared with."""
    measures = [sharp(part, gamma) for part in ("nDCG", "Q") for gamma in GAMMAS]
    return cranfield.evaluate(dict(runs), qrels, [*measures, "alpha-nDCG@10", "nDCG-IA@10"], **OPTIONS)  # type: ignore[arg-type]


def correlations(scores: xr.Dataset) -> str:
    """tau / tau_ap of tables 2 to 4: with other measures, with the other combination, and with gamma = .5."""
    means = cranfield.summarize(scores)
    rows = []
    for part, other in (("nDCG", "Q"), ("Q", "nDCG")):
        for name in ("alpha-nDCG@10", "nDCG-IA@10", f"D#-{other}@10, same gamma", f"D#-{part}@10, gamma = .5"):
            row = [f"D#-{part}@10", name]
            for gamma in GAMMAS:
                truth = name
                if name.startswith("D#"):
                    truth = sharp(other, gamma) if "same" in name else sharp(part, 0.5)
                row.append(correlate(means, sharp(part, gamma), truth))
            rows.append(row)
    return markdown(["measure", "with", *(f"gamma={gamma}" for gamma in GAMMAS)], rows)


def table_5(data: Path) -> Iterator[str]:
    """Table 5 (power at .05, and the required difference) of eight systems by year, and of 25 simulated ones."""
    runs, damaged = eight(data)
    for year, gains, qrels in read_years(data):
        if gains == BINARY:
            scores = cranfield.evaluate(dict(runs), qrels, TABLE_5, **OPTIONS)  # type: ignore[arg-type]
            whole = [topic for topic in scores["topic"].values.tolist() if topic not in damaged]
            yield f"### Web Track {year}: 8 systems, {len(whole)} topics\n"
            yield discriminated(scores.sel(topic=whole))
    made = simulated(data / QRELS["2009"])
    qrels = cranfield.read_qrels(data / QRELS["2009"])
    yield f"### Web Track 2009: {SYSTEMS} simulated systems, 50 topics\n"
    yield discriminated(cranfield.evaluate(dict(made), qrels, TABLE_5, **OPTIONS))  # type: ignore[arg-type]


def discriminated(scores: xr.Dataset) -> str:
    """Pairs found, power and required difference of each measure, the most powerful first."""
    found = cranfield.trust.estimate_sensitivity(scores).table.sort_values("power", ascending=False, kind="stable")
    rows = [
        [
            str(name),
            f"{row['significant']:.0f} of {row['pairs']:.0f}",
            f"{row['power']:.4f}",
            f"{row['required_difference']:.4f}",
        ]
        for name, row in found.iterrows()
    ]
    return markdown(["measure", "pairs", "power", "required difference"], rows)


def power(data: Path) -> str:
    """Discriminative power of measures that use R, and of RBP, which does not."""
    rows = []
    for name, (runs, qrels, rel) in COLLECTIONS.items():
        paths = sorted(str(path) for path in (data / runs).iterdir())
        measures = [f"AP(rel={rel})", f"Q(rel={rel})", "nDCG", f"RBP(p=0.8,rel={rel})", f"RBP(p=0.95,rel={rel})"]
        measures += [f"Q(rel={rel})@10", "nDCG@10", f"P(rel={rel})@10"]
        names = [str(cranfield.parse_measure(measure)) for measure in measures]
        found = cranfield.trust.estimate_sensitivity(cranfield.evaluate(paths, str(data / qrels), names)).table
        rows.append([name, *(f"{found.loc[measure, 'power']:.3f}" for measure in names)])
    head = ["AP", "Q", "nDCG", "RBP, p = .8", "RBP, p = .95", "Q@10", "nDCG@10", "P@10"]
    return markdown(["collection", *head], rows)


if __name__ == "__main__":
    main()
