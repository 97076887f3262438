"""Few labels, more preferences and a reference ranking, alone and together, as judges of simulated systems.

    python reproductions/golbus_2013/evidence.py

writes ``evidence.md`` beside this file: section 8 of Golbus & Aslam 2013 proposes to use all three at once. The worth
of a document is drawn from a normal distribution; system j scores it by s_j worth + noise, s from .3 to 1.2 in equal
steps. The order by s is the truth. The reference ranking is by a system of s = .9, whose noise is its own, or half that
of every second system, its relatives. It is itself among the systems that are judged.
"""

from __future__ import annotations

import argparse
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau, rankdata

import cranfield
from cranfield import Qrels, Run
from cranfield.collection import Preferences
from cranfield.information import Evidence

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from golbus_tables import markdown  # noqa: E402

SEED, REPETITIONS, TOPICS = 2013, 10, 25
SKILL = np.linspace(0.3, 1.2, 12)
REFERENCE = 0.9
"""Weight of worth in the reference ranking."""
SHARED = {"of its own": 0.0, "half that of relatives": 0.5}
"""Noise of the reference: the share of the variance of a relative's noise that it is."""
DOCUMENTS, SHOWN = 60, 30
LABELLED, COMPARED, PREFERRED, MISTAKEN = 12, 24, 60, 0.1
"""Documents that have a label; that are compared, and ranked for reference; pairs of them with a preference; the share
of these that is mistaken."""
RELEVANT = (0.5, 1.5)
"""Worth from which a label is 1, and 2."""

RELATIVES = np.arange(1, len(SKILL), 2)
SYSTEMS = (*(f"s{number:02d}" for number in range(len(SKILL))), "reference")

Scores = dict[str, dict[str, dict[str, float]]]
Source = Qrels | Preferences | Run


def simulated(repetition: int, shared: float) -> tuple[Scores, dict[str, Source]]:
    """The runs, the last of which is the reference, and the three sources."""
    rng = np.random.default_rng([SEED, repetition])
    names = np.array([f"d{number:02d}" for number in range(DOCUMENTS)])
    runs: Scores = {system: {} for system in SYSTEMS}
    labels, preferred, reference = {}, [], {}
    for topic in map(str, range(TOPICS)):
        worth, noise = rng.normal(size=(2, DOCUMENTS))
        own = rng.normal(size=(len(SKILL), DOCUMENTS))
        own[RELATIVES] = np.sqrt(shared) * noise + np.sqrt(1 - shared) * own[RELATIVES]
        scores = np.vstack([SKILL[:, None] * worth + own, REFERENCE * worth + noise])
        for system, row in zip(SYSTEMS, scores, strict=True):
            runs[system][topic] = best(names, row, SHOWN)
        known = rng.permutation(DOCUMENTS)[:COMPARED]
        some = known[:LABELLED]
        labels[topic] = dict(zip(names[some].tolist(), np.digitize(worth[some], RELEVANT).tolist(), strict=True))
        reference[topic] = best(names[known], scores[-1][known], COMPARED)
        one, other = (known[ends] for ends in np.triu_indices(COMPARED, 1))
        for pair in rng.choice(len(one), PREFERRED, replace=False):
            right = (worth[one[pair]] > worth[other[pair]]) != (rng.random() < MISTAKEN)
            first, second = names[[one[pair], other[pair]]].tolist()
            preferred.append((topic, first, second) if right else (topic, second, first))
    return runs, {
        "labels": Qrels.from_dict(labels),
        "preferences": Preferences.of(preferred),
        "reference": Run.from_dict(reference),
    }


def best(names: NDArray[np.str_], scores: NDArray[np.float64], size: int) -> dict[str, float]:
    """Documents with the largest scores, best first."""
    order = np.argsort(-scores)[:size]
    return dict(zip(names[order].tolist(), scores[order].tolist(), strict=True))


def outcome(runs: Scores, evidence: Evidence) -> list[float]:
    """Pairs of a topic, tau with the truth, ranks that relatives gain on the others, and rank of the reference."""
    asked = cranfield.information.prepare_experiment(runs, evidence)
    told = cranfield.information.compute_ric(asked)["RIC"].mean("topic").sel(system=list(SYSTEMS)).to_numpy()
    truth = np.append(SKILL, REFERENCE)
    ours, theirs = (len(truth) + 1 - rankdata(values)[:-1] for values in (told, truth))
    gained = theirs - ours
    others = np.setdiff1d(np.arange(len(SKILL)), RELATIVES)
    return [
        float(np.mean([pairs.size for pairs in asked.pairs])),
        float(kendalltau(told[:-1], SKILL).statistic),
        float(gained[RELATIVES].mean() - gained[others].mean()),
        1.0 + float(np.sum(told > told[-1])),
    ]


def tables() -> str:
    """Everything that is held."""
    head = ["noise of the reference", "judges", "pairs of a topic", "tau with the truth", "sd"]
    head += ["ranks gained by relatives", "rank of the reference"]
    sources = list(simulated(0, 0.0)[1])
    chosen = [names for size in range(1, len(sources) + 1) for names in combinations(sources, size)]
    rows = [row(noise, names) for noise in SHARED for names in chosen]
    return "## Twelve systems and the reference, judged by three sources\n\n" + markdown(head, rows) + "\n"


def row(noise: str, names: tuple[str, ...]) -> list[str]:
    """Means over repetitions, and the standard deviation of tau."""
    found = []
    for repetition in range(REPETITIONS):
        runs, sources = simulated(repetition, SHARED[noise])
        found.append(outcome(runs, Evidence(*(sources[name] for name in names))))
    size, tau, gained, rank = np.mean(found, axis=0)
    deviation = np.std([values[1] for values in found], ddof=1)
    told = [f"{size:.0f}", f"{tau:.3f}", f"{deviation:.3f}", f"{gained:+.2f}", f"{rank:.1f}"]
    return [noise, ", ".join(names), *told]


def main() -> None:
    """Write the table."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    (HERE / "evidence.md").write_text(tables())


if __name__ == "__main__":
    main()
