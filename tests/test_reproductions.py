"""What the reproductions say of real collections is what their scripts print today."""

from __future__ import annotations

import importlib
import importlib.util
import re
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield import engine
from cranfield.collection import Rankings
from cranfield.fusion import compute_fusion_bounds
from data_sets import DATA

ROOT = Path(__file__).resolve().parents[1] / "reproductions"
NUMBER = re.compile(r"-?\d+\.\d+")


def script(name: str, file: str = "reproduce.py") -> ModuleType:
    """The module of one reproduction."""
    spec = importlib.util.spec_from_file_location(f"{Path(file).stem}_{name}", ROOT / name / file)
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


@pytest.mark.slow
@pytest.mark.data(
    "data/trec-covid-round5", "data/trec-dl-2019-passage", "data/trec-web", "data/trec-web-2012-baseline-runs"
)
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


@pytest.mark.slow
@pytest.mark.data("data/trec-web", "data/trec-web-2012-baseline-runs", "data/trec-web-diversity-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_reliability_stability_and_sensitivity_with_negative_labels() -> None:
    name = "gienapp_2020_negative_labels"
    assert (ROOT / name / "properties_tables.md").read_text() == script(name, "properties.py").tables(DATA)


@pytest.mark.slow
@pytest.mark.data("data/trec-web", "data/trec-web-2012-baseline-runs")
def test_penalties_of_spam() -> None:
    module = script("gienapp_2020_negative_labels", "penalty.py")
    assert module.tables(module.compute(DATA)) == (ROOT / "gienapp_2020_negative_labels" / "penalty.md").read_text()


@pytest.mark.slow
@pytest.mark.data(
    "data/trec-covid-round5", "data/trec-dl-2019-passage", "data/trec-web", "data/trec-web-2012-baseline-runs"
)
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_means_weighted_by_difficulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is quick: the six runs of the Cranfield collection, and the baselines of Web 2012."""
    module = script("gienapp_2020_topic_difficulty", "weighted.py")
    monkeypatch.setattr(module, "SOURCES", {"Web 2012 baselines": module.SOURCES["Web 2012 baselines"]})
    today = module.tables({name: module.both(scores) for name, scores in module.collections(DATA).items()})
    written = (ROOT / "gienapp_2020_topic_difficulty" / "weighted.md").read_text()
    assert set(today.splitlines()) == {line for line in written.splitlines() if not line.startswith(("| TREC", "| DL"))}


@pytest.mark.slow
@pytest.mark.data("data/trec-dl-2019-passage", "data/llm-qrels-dl19-dl20", "data/llmjudge-dl23")
def test_what_one_more_judge_adds_to_others() -> None:
    """What is quick: language models of 2019 with people as the reference."""
    module = script("llm_judges", "judge_weights.py")
    judges, _ = module.judges_of_2019(module.PEOPLE, DATA)
    known = cranfield.information.weigh_judges(judges, reference=module.PEOPLE)
    table = module.as_markdown(known.path[["size", "added", "adds", "bits", "measured"]], 3)
    assert table in (ROOT / "llm_judges" / "judge_weights.md").read_text()


@pytest.mark.slow
@pytest.mark.data("data/trec-dl-2019-passage", "data/llm-qrels-dl19-dl20")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_judges_of_deep_learning_2019() -> None:
    if engine.current().NAME != "compiled":
        pytest.skip("plain Python needs minutes to read 37 runs for each of nine judges, three times")
    name = "llm_judges"
    assert (ROOT / name / "tables.md").read_text().startswith(script(name).deep_learning_2019(DATA))


@pytest.mark.slow
@pytest.mark.data("data/trec-web", "data/trec-web-diversity-runs", "data/trec-web-2012-baseline-runs", "golden")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_mutual_information(tmp_path: Path) -> None:
    """What is quick: the diversity measures, and the Web 2012 baselines. The golden tests compare the sets of ten."""
    name = "golbus_2013"
    module, written = script(name), (ROOT / name / "tables.md").read_text()
    years = {year: module.diversity_scores(DATA, year) for year in module.YEARS}
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
    (tmp_path / "figure3-dl-2019.tsv").write_text((ROOT / name / "figure3-dl-2019.tsv").read_text())
    module.draw_sets("DL 2019", tmp_path)
    assert (tmp_path / "figure3-dl-2019.svg").read_text() == (ROOT / name / "figure3-dl-2019.svg").read_text()
    (tmp_path / "figure3-dl-2019.tsv").unlink()
    (tmp_path / "figure3-dl-2019.svg").unlink()
    module.draw_collection(baselines, (5, 1), tmp_path)
    oracles = compute_fusion_bounds(Rankings.concatenate(baselines.binary.parts))
    of_oracles = dict(zip(oracles.systems, sys.modules["golbus_sets"].ric_of(oracles), strict=True))
    assert of_oracles["Naive"] == pytest.approx(recall_of_the_union(baselines))
    drawn = {path.name for path in tmp_path.iterdir()}
    assert drawn == {f"figure{number}-web-2012-baselines.svg" for number in (2, 4, 5)}
    assert drawn <= {path.name for path in (ROOT / name).iterdir()}


def test_sets_of_ten_with_two_labels_and_with_more() -> None:
    """The tables are those of the data of figure 3, whose six decimals make a few ties: correlations to .01."""
    module = script("golbus_2013")
    blocks: dict[str, dict[str, dict[str, Any]]] = {}
    for name in ("TREC-COVID round 5", "DL 2019", "Robust 2003"):
        head, *rows = (ROOT / "golbus_2013" / f"figure3-{module.slug(name)}.tsv").read_text().splitlines()
        cells = np.array([row.split("\t") for row in rows]).T
        blocks[name] = {
            labels: {
                column: values[cells[0] == labels].astype(float)
                for column, values in zip(head.split("\t")[1:], cells[1:], strict=True)
            }
            for labels in dict.fromkeys(cells[0].tolist())
        }
        assert [len(block["joint"]) for block in blocks[name].values()] == [50, 50]
    written = (ROOT / "golbus_2013" / "tables.md").read_text()
    assert module.means_of_sets(blocks) in written
    held = written.partition("## Table 3: ")[2].partition("\n\n")[2].partition("\n\n")[0]
    for ours, theirs in zip(module.table_3(blocks).splitlines(), held.splitlines(), strict=True):
        assert NUMBER.sub("", ours) == NUMBER.sub("", theirs)
        numbers = [np.array(NUMBER.findall(line), dtype=float) for line in (ours, theirs)]
        np.testing.assert_allclose(*numbers, atol=0.0101)


def recall_of_the_union(collection: Any) -> float:
    """With two labels, RIC of a list that has all relevant documents that a system shows, above all others."""
    shown: dict[str, set[str]] = {}
    for path in collection.paths.values():
        for topic, scores in cranfield.read_run(path).to_dict().items():
            shown.setdefault(topic, set()).update(scores)
    relevant = {
        topic: {document for document, label in labels.items() if label >= collection.rel}
        for topic, labels in collection.qrels.to_dict().items()
    }
    return float(np.mean([len(good & shown[topic]) / len(good) for topic, good in relevant.items() if good]))


@pytest.mark.slow
@pytest.mark.data("data/trec-web", "data/trec-web-2012-baseline-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_stopping_depth() -> None:
    """What is quick: the smallest collection, without its intervals."""
    module, written = script("stopping_depth"), (ROOT / "stopping_depth" / "tables.md").read_text()
    found = module.read(DATA.parent, "Web 2012 baselines")
    head = ["collection", "measure"]
    rows = [*module.agreement(found), module.left_out(found)]
    assert module.table(head, rows).split("\n", 2)[2].strip().splitlines() == [
        line for line in written.splitlines() if line.startswith("| Web 2012 baselines |") and "[" not in line
    ]


@pytest.mark.slow
def test_moffats_properties_of_the_readings() -> None:
    name = "gienapp_2020_negative_labels"
    assert (ROOT / name / "moffat_tables.md").read_text() == script(name, "moffat.py").tables()


def test_estimates_of_a_joint_ric_that_is_known() -> None:
    """The smallest row: lists that know nothing."""
    module = script("golbus_2013", "entropy_estimators.py")
    written = (ROOT / "golbus_2013" / "entropy_estimators.md").read_text()
    assert f"| {' | '.join(module.row('nothing', (20, 180), 0.0))} |" in written


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_judges_of_three_kinds() -> None:
    """What is quick: labels alone; and what the page says of the others."""
    module = script("golbus_2013", "evidence.py")
    written = (ROOT / "golbus_2013" / "evidence.md").read_text()
    assert f"| {' | '.join(module.row('of its own', ('labels',)))} |" in written
    rows = {
        (cells[0], cells[1]): cells for cells in (line.strip("| ").split(" | ") for line in written.splitlines()[4:])
    }
    everything = "labels, preferences, reference"
    assert len(rows) == 14
    assert abs(float(rows["of its own", everything][3]) - float(rows["of its own", "labels, preferences"][3])) < 0.01
    for (noise, judges), cells in rows.items():
        named = "reference" in judges.split(", ")
        shared = named and noise != "of its own"
        assert (float(cells[3]) < 0.5) == shared
        assert (float(cells[5]) == 5) == shared
        assert (cells[6] == "1.0") == named


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


@pytest.mark.slow
@pytest.mark.data("data/trec-web", "data/trec-web-diversity-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_discriminative_power_of_measures_of_diversity() -> None:
    found = script("sakai_2010", "discriminative_power.py").tables(DATA)
    assert (ROOT / "sakai_2010" / "discriminative_power_tables.md").read_text() == found


@pytest.mark.slow
@pytest.mark.data("data/trec-web", "data/trec-web-diversity-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_gamma_from_clicks() -> None:
    found = script("sakai_2010", "gamma_from_clicks.py").tables(DATA)
    assert (ROOT / "sakai_2010" / "gamma_from_clicks_tables.md").read_text() == found


@pytest.mark.data("data/trec-web", "data/trec-web-2012-baseline-runs", "data/trec-web-diversity-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_topics_that_the_paper_on_difficulty_names() -> None:
    name = "gienapp_2020_topic_difficulty"
    assert (ROOT / name / "section_5.md").read_text() == script(name, "section_5.py").tables(DATA)


@pytest.mark.slow
@pytest.mark.data("data/trec-web", "data/trec-web-2012-baseline-runs", "data/trec-web-diversity-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_whether_ease_can_be_compared() -> None:
    """The smallest collection; and what the pages say of the others."""
    name = "gienapp_2020_topic_difficulty"
    module = script(name, "comparability.py")
    written = (ROOT / name / "comparability.md").read_text().splitlines()
    for row in module.halves_table(module.read(DATA, "Web 2012")):
        assert f"| {' | '.join(row)} |" in written
    rows = [line.strip("| ").split(" | ") for line in written if " | random | " in line]
    taus = {(row[0], row[2]): float(row[3]) for row in rows}
    changed = {(row[0], row[2]): float(row[4].rstrip("%")) for row in rows}
    for large in ("TREC-COVID round 5", "DL 2019", "Robust 2003"):
        assert taus[large, "ease"] < taus[large, "average AP"]
        assert taus[large, "ease"] + 0.08 < taus[large, "anchored ease"]
        assert changed[large, "anchored ease"] < changed[large, "ease"] < changed[large, "ease above the baseline"]


@pytest.mark.data("data/trec-web", "data/trec-web-2012-baseline-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_predictors_of_difficulty_and_topics_selected_by_ease() -> None:
    """What is quick: the smallest collection."""
    name = "gienapp_2020_topic_difficulty"
    found = script(name, "predictors.py").tables(DATA, ["Web 2012 baselines"])
    lines = (ROOT / name / "predictors.md").read_text().splitlines()
    for line in found.splitlines():
        assert line in lines


@pytest.mark.slow
@pytest.mark.data("data/trec-web", "data/trec-web-diversity-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_tables_and_figures_of_measures_of_diversity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = script("sakai_2010")
    shutil.copy(ROOT / "sakai_2010" / "section_4_3.json", tmp_path)
    monkeypatch.setattr(module, "HERE", tmp_path)
    assert (ROOT / "sakai_2010" / "tables.md").read_text() == module.tables(DATA)
    written = sorted(tmp_path.glob("*.csv"))
    assert len(written) == 13
    for path in written:
        assert path.read_text() == (ROOT / "sakai_2010" / path.name).read_text(), path.name


@pytest.mark.slow
@pytest.mark.data("data/trec-web", "data/trec-web-diversity-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_the_most_that_a_list_reaches() -> None:
    """The tables; and topics below 1 are those that the documents of the largest gain leave an intent out of."""
    module = script("sakai_2010", "reachable.py")
    assert (ROOT / "sakai_2010" / "reachable_tables.md").read_text() == module.tables(DATA)
    years = {year: qrels for year, gains, qrels in sys.modules["sakai_tables"].read_years(DATA) if gains == "binary"}
    lacking = script("sakai_2010").lacking_intents
    for year, qrels in years.items():
        most = module.reachable(qrels)
        below = {topic for topic, intents in lacking(qrels).items() if intents}
        for name in most:
            assert set(most.index[most[name] < 1 - 1e-9]) == below, (year, name)


@pytest.mark.slow
@pytest.mark.data("data/trec-web", "data/trec-web-diversity-runs", "data/trec-web-2012-baseline-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_relevance_graded_by_intent() -> None:
    """What is quick: the published systems of 2011; tau counted anew, and what the page says of grades."""
    module, written = script("sakai_2010", "graded.py"), (ROOT / "sakai_2010" / "graded_tables.md").read_text()
    found = next(module.read(DATA))
    assert module.labels_table(DATA) in written
    assert module.collection_tables(found) in written
    binary, graded = (found.means[gains] for gains in ("binary", "graded"))
    assert binary["alpha-nDCG@10"].equals(graded["alpha-nDCG@10"]), "which takes no grades"
    one, other = graded["D#-nDCG@10"].to_numpy(), graded["RBU@10"].to_numpy()
    signs = [np.sign(np.subtract.outer(values, values)) for values in (one, other)]
    tau = (signs[0] * signs[1]).sum() / (len(one) * (len(one) - 1))
    assert module.agreement(graded).set_index("measure").loc["D#-nDCG@10", "RBU@10"].startswith(f"{tau:.3f} / ")


@pytest.mark.data("data/trec-web", "data/urbano")
def test_scores_of_submitted_runs() -> None:
    module = script("submitted_runs")
    assert (ROOT / "submitted_runs" / "tables.md").read_text() == module.tables(DATA)
    scores = module.read(DATA, module.TRACKS["Web 2012, nDCG@20"])
    found = module.difficulty(module.ease_of_2012(DATA, scores))
    assert (ROOT / "submitted_runs" / "figure_1.tsv").read_text() == module.figure_1(found)


@pytest.mark.data("data/urbano")
def test_maps_of_standardization_by_the_published_recipe() -> None:
    module = script("urbano_2019", "figure_1.py")
    scores = module.topics_of_2004(DATA)
    assert (ROOT / "urbano_2019" / "figure_1.md").read_text() == module.ranges(scores)
    written = pd.read_csv(ROOT / "urbano_2019" / "figure_1_maps.csv")
    found = module.maps(scores)
    np.testing.assert_allclose(written["y"], found["y"], atol=5.1e-5)
    assert (found.groupby(["scheme", "topic"])["y"].diff().dropna() >= 0).all(), "maps never fall"


@pytest.mark.slow
@pytest.mark.data("data/trec-web", "data/trec-web-diversity-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_information_tau_of_more_systems() -> None:
    written = (ROOT / "golbus_2013" / "table_1.md").read_text()
    assert written == script("golbus_2013", "table_1.py").tables(DATA)


@pytest.mark.slow
@pytest.mark.data("data/cranfield-1400")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_ranking_models_over_one_collection() -> None:
    written = (ROOT / "golbus_2013" / "ranking_models.md").read_text()
    assert written == script("golbus_2013", "ranking_models.py").tables(DATA)


@pytest.mark.slow
@pytest.mark.data("data/trec-web", "data/trec-web-diversity-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_measures_of_diversity_on_more_systems() -> None:
    written = (ROOT / "sakai_2010" / "more_systems.md").read_text()
    module = script("sakai_2010", "more_systems.py")
    for block in [*module.diversity_tables(DATA), *module.table_5(DATA)]:
        assert block in written


@pytest.mark.slow
@pytest.mark.data("data/trec-covid-beir-holes", "data/trec-covid-round5")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_scores_under_real_holes() -> None:
    if engine.current().NAME != "compiled":
        pytest.skip("plain Python needs minutes to read 126 runs")
    name = "scores_under_holes"
    assert script(name).describe_real_holes(DATA).rstrip("\n") in (ROOT / name / "tables.md").read_text()


@pytest.mark.heavy
@pytest.mark.parametrize("study", ["each team taken out", "half of the teams judged", "only the first ranks judged"])
@pytest.mark.data("data/trec-robust-2003")
def test_scores_under_holes_of_robust(study: str) -> None:
    """The smallest of three collections."""
    name = "scores_under_holes"
    module = script(name)
    collection = sys.modules["splits"].robust(DATA)
    assert (
        module.describe(collection.name, study, module.study(collection, study))
        in (ROOT / name / "tables.md").read_text()
    )


@pytest.mark.slow
@pytest.mark.data("data/trec-robust-2003", "data/trec-dl-2019-passage", "data/trec-covid-round5")
def test_orders_of_halves_are_the_published_ones() -> None:
    if engine.current().NAME != "compiled":
        pytest.skip("plain Python needs minutes to read 126 runs")
    name = "scores_under_holes"
    assert script(name).describe_joint_orders(DATA) in (ROOT / name / "tables.md").read_text()


@pytest.mark.heavy
@pytest.mark.data("data/trec-covid-round5")
def test_scores_under_holes_of_average_precision() -> None:
    name = "scores_under_holes"
    assert script(name).describe_average_precision(DATA) in (ROOT / name / "tables.md").read_text()


@pytest.mark.heavy
def test_boards_of_equal_systems_err_as_rarely_as_they_say() -> None:
    """A thousand boards of 40 systems and 41 tasks: .065 is two standard errors above .05."""
    wrong = script("boards").measure_equal(40, 41, 1000)
    assert all(wrong[name] <= 0.065 for name in ("mean", "borda", "wins", "group-mean")), wrong


@pytest.mark.heavy
@pytest.mark.parametrize("tasks", [10, 41])
def test_boards_hold_the_ranks_of_systems_that_differ(tasks: int) -> None:
    module = script("boards")
    held = module.measure_spread(40, tasks, 100)
    assert all(held[name][0] >= 0.95 for name in module.AGGREGATES), held
    assert held["bootstrap, mean"][0] <= 0.5


@pytest.mark.slow
def test_equal_systems_of_many_and_their_boards() -> None:
    """What is quick: twelve boards of 200 systems and 10 tasks."""
    module = script("boards")
    cells = " | ".join(f"{share:.3f}" for share in module.measure_equal(200, 10, 12).values())
    assert f"| 200 x 10 | 12 | {cells} |" in (ROOT / "boards" / "tables.md").read_text()


@pytest.mark.heavy
def test_tests_of_nested_designs_err_as_often_as_written() -> None:
    """The rows of a design in each table, made again."""
    module, written = script("nested"), (ROOT / "nested" / "tables.md").read_text()
    wrong, held = module.measure_families(500, 20, equal=True)
    assert f"\n| 20 equal | {wrong:.3f} | {held:.3f} |\n" in written
    cells = " | ".join(f"{share:.3f}" for share in module.measure_seeds(1000, 25, 0.01))
    assert f"\n| 25 | 0.01 | {cells} |\n" in written
    cluster, rng = module.draw_clusters(8, equal=True), np.random.default_rng([module.SEED, 8, True])
    drawn = [module.draw_differences(rng, cluster, correlation, 2000) for correlation in module.CORRELATIONS]
    for name, test in module.TESTS.items():
        first = "/".join(f"{(test(z, cluster) < module.ALPHA).mean():.3f}" for z in drawn)
        assert f"\n| {name} | {first} | " in written


@pytest.mark.data("data/urbano")
def test_factors_learnt_from_few_reference_systems() -> None:
    """What is quick: the order of means from five systems; and the numbers that the package warns by."""
    module = script("urbano_2019", "reference_systems.py")
    found = pd.read_csv(ROOT / "urbano_2019" / "reference_systems.csv")
    name = "terabyte2006_ndcg"
    scores = module.read(name)
    rows = found[found["scores"] == name].set_index(["scheme", "reference"])["order"]
    for label in ("E", "K"):
        whole = module.apply(module.SCHEMES["E"], scores, scores).mean(axis=0)
        taus = []
        for reference in module.references(scores, 5, module.DRAWS):
            mean = module.apply(module.SCHEMES[label], scores, reference).mean(axis=0)
            taus.append(float(module.tau_b(mean.round(12), whole.round(12))))
        assert rows[label, 5] == pytest.approx(np.mean(taus), abs=1e-6)
    least = module.enough(found).groupby("scheme").max()[["power within", "power between", "tau_b between"]].max(axis=1)
    known = importlib.import_module("cranfield.standardization.means")
    for label in ("E", "K", "U", "N", "z"):
        assert least[label] == known.ENOUGH.get(label, known.ENOUGH_OTHERWISE), label
    text = (ROOT / "urbano_2019" / "few_systems_values.py").read_text()
    assert f"DRAWS, TRIALS, INTERVALS = {module.DRAWS}, {module.TRIALS}, {module.INTERVALS}" in text
