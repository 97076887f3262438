"""The page "How probable is it": its tables, of DL 2019 and of simulated collections."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from test_estimate_posterior import calibration
from test_posterior_calibration import PRIOR_TOPICS, Remark, classes, pairs_by_prior_topics, pairs_by_shared_prior

import cranfield
from cranfield.comparison import estimate_posterior
from data_sets import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "how-probable-is-it.md"

pytestmark = pytest.mark.heavy


def lines_of(start: str) -> list[list[str]]:
    """The cells of the table whose header begins so."""
    _, _, *lines = PAGE.read_text().split(f"\n| {start} |", 1)[1].split("\n\n", 1)[0].splitlines()
    return [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines]


@pytest.mark.data("data/trec-dl-2019-passage")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_dl_2019() -> None:
    folder = DATA / "trec-dl-2019-passage"
    scores = cranfield.evaluate(str(folder / "runs" / "*"), folder / "qrels.dl19-passage.txt.gz", "nDCG@10")
    tested = {frozenset((row.system, row.other)): row for row in cranfield.compare(scores).pairs.itertuples()}
    held = {}
    for prior in ("flat", "shared"):
        found = estimate_posterior(scores, prior=prior, margin=0.02)
        held[prior] = {(row.system, row.other): row for row in found.pairs.itertuples()}
        kept = found.kept
    text = " ".join(PAGE.read_text().split())
    assert f"differences are multiplied by {kept:.3f}" in text.replace(".972", "0.972")
    lines = lines_of("pair")
    assert len(lines) == 5
    for pair, difference, *numbers in lines:
        names = tuple(pair.replace("`", "").split(", "))
        flat, shared = (of.get(names) for of in held.values())
        assert flat is not None, f"{pair} is compared the other way round"
        p = tested[frozenset(names)]
        ours = (flat.prob_superior, flat.prob_equivalent, shared.prob_superior, shared.prob_equivalent)
        assert difference == f"{flat.difference:.3f}"
        assert numbers == [f"{number:.3f}" for number in (*ours, p.p, p.p_adjusted)], pair


def test_ten_systems() -> None:
    shapes = {"normal": "normal", "skewed (exponential)": "skewed"}
    lines = lines_of("residuals")
    assert len(lines) == 6
    for residuals, apart, *numbers in lines:
        found = calibration(float(apart), 25, 300, shapes.get(residuals, "unequal"))
        assert numbers == [f"{number:.3f}" for of in found.values() for number in of], (residuals, apart)


def test_truth_from_the_prior() -> None:
    held: dict[tuple[str, str], Remark] = {
        ("4 prior topics", "4 prior topics"): pairs_by_prior_topics(200_000, PRIOR_TOPICS),
        ("4 prior topics", "flat"): pairs_by_prior_topics(200_000, 0),
        ("shared", "shared"): pairs_by_shared_prior(8000, "shared"),
        ("shared", "flat"): pairs_by_shared_prior(8000, "flat"),
    }
    lines = lines_of("truth")
    assert len(lines) == 6
    for truth, prior, what, *cells in lines:
        found = held[truth, prior]
        some = classes(getattr(found, what), np.asarray(getattr(found, f"is_{what}")))
        assert cells == [f"{mean:.2f}, {share:.2f}" for _, mean, share in some], (truth, prior, what)
