"""What the reproductions say of real collections is what their scripts print today."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from cranfield import engine
from data_sets import DATA, rows

ROOT = Path(__file__).resolve().parents[1] / "reproductions"


def script(name: str) -> ModuleType:
    """The module of one reproduction."""
    spec = importlib.util.spec_from_file_location(f"reproduction_{name}", ROOT / name / "reproduce.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.data("data/trec-web", "data/trec-web-2012-baseline-runs", "data/trec-web-diversity-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_negative_labels() -> None:
    name = "gienapp_2020_negative_labels"
    assert (ROOT / name / "tables.md").read_text().startswith(script(name).real_tables(DATA))


@pytest.mark.data
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_topic_difficulty() -> None:
    name = "gienapp_2020_topic_difficulty"
    module = script(name)
    whole = engine.current().NAME == "compiled"
    names = list(module.SOURCES) if whole else ["Web 2012 baselines"]  # plain Python needs minutes for all of them
    collections = [module.collection(DATA, source) for source in names]
    written = (ROOT / name / "tables.md").read_text()
    today = module.tables(collections)
    assert today == "\n".join(
        line
        for line in written.split("\n")
        if not line.startswith(tuple(f"| {known} |" for known in module.SOURCES if known not in names))
    )
    for found in collections:
        path = ROOT / name / f"figure1-{found.name.lower().replace(' ', '-')}.tsv"
        assert path.read_text() == module.figure_1(found)


@pytest.mark.data("data/trec-web", "data/trec-web-diversity-runs", "data/trec-web-2012-baseline-runs", "golden")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_mutual_information() -> None:
    """What is quick: the diversity measures, and the Web 2012 baselines. The golden tests compare the sets of ten."""
    name = "golbus_2013"
    module, written = script(name), (ROOT / name / "tables.md").read_text()
    years = {year: module.diversity_scores(DATA, year) for year in (2010, 2012)}
    assert module.table_1(years) in written
    for year, scores in years.items():
        assert (ROOT / name / f"figure1-{year}.tsv").read_text() == module.figure_1(scores)
    (baselines,) = module.collections(DATA.parent, ["Web 2012 baselines"])
    assert module.figure_2_table([baselines]).splitlines()[2:] == [
        line for line in written.splitlines() if line.startswith("| Web 2012 baselines | ") and " / " in line
    ]
    assert (ROOT / name / "figure2-web-2012-baselines.tsv").read_text() == module.figure_2(baselines)
    assert (ROOT / name / "figure5-web-2012-baselines.tsv").read_text() == module.figure_5(baselines)
    assert module.ranking_models(baselines) in written


@pytest.mark.data("golden/pyndeval", "data/trec-web", "data/trec-web-diversity-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("year", [2010, 2012])
def test_diversity_measures_order_systems_as_pyndeval(year: int) -> None:
    """Within a topic ours are a multiple of pyndeval's."""
    scores = script("golbus_2013").diversity_scores(DATA, year)
    ours = {"ERR-IA@20": scores["ERR-IA"], "alpha-DCG@20": scores["alpha-nDCG"]}
    theirs: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in rows(DATA.parent / "golden/pyndeval/expected.real.tsv.gz", "\t"):
        if row["year"] == str(year) and row["measure"] in ours:
            own = ours[row["measure"]].sel(topic=row["topic"], system=row["run"].removesuffix(".run.gz")).item()
            theirs.setdefault((row["measure"], row["topic"]), []).append((own, float(row["value"])))
    assert len(theirs) == 2 * scores.sizes["topic"]
    for pairs in theirs.values():
        own, other = (np.array(column) for column in zip(*pairs, strict=True))
        assert len(own) >= 6  # one run lacks a topic of 2012
        np.testing.assert_allclose(own * other.max(), other * own.max(), rtol=1e-12, atol=1e-14)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_simulated_spam_does_what_the_page_says() -> None:
    module = script("gienapp_2020_negative_labels")
    none, much = (module.one_simulation(most, 0) for most in (0.0, 0.4))
    assert none[0] == 1 and none[3] == 0, "without spam NDCG_org is NDCG_0"
    assert much[0] < 0.9, "with much, NDCG_0 and NDCG_org part"
    assert much[1] > 0.95, "and NDCG_min stays with NDCG_org"
    assert module.with_spam(["a", "b", "c"], ["s", "t"], 0.0, module.np.random.default_rng(1)) == {
        "a": 0.0,
        "b": -1.0,
        "c": -2.0,
    }
