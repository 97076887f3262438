"""What the scripts of this folder share: the judgments, the measures' names, tau and tau_ap, and tables as text."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

import cranfield
from cranfield import Qrels
from cranfield.statistics.rank_correlation import tau_ap_a, tau_b

QRELS = {
    "2009": "trec-web/2009/qrels.diversity.gz",
    "2010": "trec-web/2010/10.diversity-qrels.final.txt.gz",
    "2011": "trec-web/2011/qrels.diversity.txt.gz",
    "2012": "trec-web/2012/qrels-for-ndeval.txt.gz",
}
REFUSED = "indri-lemur-baseline"  # three of its lines are two lines glued together
GAMMAS = (0, 0.2, 0.5, 0.8, 1)
BINARY, GRADED = "binary", "graded"


def read_years(data: Path) -> Iterator[tuple[str, str, Qrels]]:
    """Read the judgments of each year: year, gains, judgments.

    The gain of a document for an intent is 1 in the paper (equation 13) and in the judgments of 2009 and 2010. Those
    of 2011 and 2012 are graded, and come twice: as the paper counts, and with their labels as gains.
    """
    for year, path in QRELS.items():
        qrels = cranfield.read_qrels(data / path)
        binary = without_grades(qrels)
        yield year, BINARY, binary
        if binary is not qrels:
            yield year, GRADED, qrels


def without_grades(qrels: Qrels) -> Qrels:
    """Judgments with label 1 in place of every label above 1; the same where there is none."""
    frame = qrels.to_frame()
    if frame["relevance"].max() <= 1:
        return qrels
    return Qrels.from_frame(frame.assign(relevance=frame["relevance"].clip(upper=1)), by_intent=True)


def sharp(part: str, gamma: float, depth: int = 10) -> str:
    """The canonical name of D# with this gamma."""
    return str(cranfield.parse_measure(f"D#-{part}(gamma={gamma})@{depth}"))


def correlate(means: pd.DataFrame, one: str, truth: str) -> str:
    """Kendall's tau, and tau_ap with the second measure as the truth."""
    return f"{float(tau_b(means[one], means[truth])):.3f} / {tau_ap_with_ties(means[one], means[truth]):.3f}"


def tau_ap_with_ties(estimate: pd.Series, truth: pd.Series) -> float:
    """Compute the mean of tau_ap (Yilmaz, Aslam & Robertson 2008) over all orders of tied systems."""
    places = truth.rank(method="first").to_numpy()
    tied = [np.flatnonzero(truth.to_numpy() == value) for value in truth[truth.duplicated()].unique()]
    orders = itertools.product(*(itertools.permutations(group) for group in tied))
    values = []
    for order in orders:
        drawn = places.copy()
        for group, shuffled in zip(tied, order, strict=True):
            drawn[list(shuffled)] = places[group]
        values.append(float(tau_ap_a(estimate.to_numpy(), drawn)))
    return float(np.mean(values))


def markdown(head: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    """A table."""
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in [head, ["---"] * len(head), *rows])


def markdown_of(frame: pd.DataFrame) -> str:
    """A frame as a table, without its index."""
    return markdown(list(frame.columns), list(frame.itertuples(index=False)))
