"""``cranfield.report``: the page from Python data is the page from files."""

from __future__ import annotations

import math
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from reading_pages import data_of, packed

QRELS = {str(topic): {"a": topic % 2, "b": 2 - topic % 3, "c": 0} for topic in range(1, 8)}
RUNS = {
    "first": {topic: {"a": 3.0, "b": 2.0, "c": 1.0} for topic in QRELS},
    "second": {topic: {"b": 3.0, "c": 2.0} for topic in QRELS},
    "third": {topic: {"c": 3.0, "a": 2.0, "b": 1.0} for topic in QRELS},
}


def quietly(ask: Callable[..., Any], *given: Any, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        return ask(*given, **options)


def quiet(*given: Any, **options: Any) -> Any:
    return quietly(cranfield.report, *given, **options)


def test_dicts_give_a_page_with_their_names_and_means(tmp_path: Path) -> None:
    made = quiet(RUNS, QRELS, ["nDCG@2", "AP"], title="From a dict")
    assert made.title == "From a dict"
    assert all(f'"{name}"' in made.html for name in RUNS)
    assert [run["name"] for run in made.signature["runs"]] == list(RUNS)
    made.write(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == made.html
    assert repr(made) == "Report(title='From a dict')"


def test_files_and_memory_give_the_same_scores(tmp_path: Path) -> None:
    paths = []
    for name, lists in RUNS.items():
        cranfield.write(cranfield.Run.from_dict(lists, name=name), tmp_path / f"{name}.run")
        paths.append(str(tmp_path / f"{name}.run"))
    cranfield.write(cranfield.Qrels.from_dict(QRELS), tmp_path / "qrels.txt")
    kept = []
    for given in ((RUNS, QRELS), (paths, tmp_path / "qrels.txt"), (iter(paths), tmp_path / "qrels.txt")):
        page = quiet(*given, ["nDCG@2"], title="x").html
        kept.append(packed(page))
        assert kept[-1]["retrieved"]["lists"][0][0] == [0, 1, 2]
    assert kept[0] == kept[1] == kept[2]


def test_documents_have_the_intents_that_they_cover() -> None:
    """Where intents are read: field 2 of other judgments may be a round of judging."""
    judged = {"1": {"1": {"a": 1, "b": 0}, "2": {"a": 2, "c": 1}, "10": {"a": 1}, "0": {"x": 0}}}
    run = {"1": {"c": 4.0, "a": 3.0, "b": 2.0, "x": 1.0}}
    listed = packed(quiet({"one": run, "two": run}, judged, ["alpha-nDCG@5", "AP"]).html)["retrieved"]
    covered = dict(zip(listed["documents"][0], listed["intents"][0], strict=True))
    assert covered == {"c": ["2"], "a": ["1", "2", "10"], "b": [], "x": []}
    assert packed(quiet({"one": run, "two": run}, judged, "AP").html)["retrieved"]["intents"] is None


def test_what_the_page_does_not_show_is_warned_of() -> None:
    with pytest.warns(CranfieldWarning) as caught:
        cranfield.report({"only": RUNS["first"]}, QRELS, "AP")
    assert any("not shown, because" in str(entry.message) for entry in caught)


def test_judges_and_baselines_from_memory() -> None:
    other = cranfield.Qrels.from_dict({topic: {"a": 1, "b": 0, "c": 1} for topic in QRELS}, name="other")
    made = quiet(RUNS, QRELS, "AP", judges=[other], baseline=["first"])
    assert '"id": "judges"' in made.html or '"id":"judges"' in made.html
    with pytest.raises(UsageError, match="no system is called 'nobody'"):
        quiet(RUNS, QRELS, "AP", baseline=["nobody"])


def test_runs_and_qrels_exchanged_are_refused() -> None:
    with pytest.raises(cranfield.CranfieldError):
        quiet(QRELS, {"1": {"a": 2.5, "b": 0.3}})


def test_groups_of_topics_have_leaderboards_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "groups.tsv").write_text("topic\tlength\n1\tshort\n2\tshort\n3\tlong\n4\tlong\n5\tlong\n")
    scores = quietly(cranfield.evaluate, RUNS, QRELS, "AP")["AP"]
    for given in (f"{tmp_path}/groups.tsv#length", dict(zip("12345", ["short"] * 2 + ["long"] * 3, strict=True))):
        with pytest.warns(CranfieldWarning) as caught:
            made = cranfield.report(RUNS, QRELS, ["AP", "P@1"], topic_groups=given)
        assert any("fewer than 10 topics (&" in str(one.message).replace("'", "&") for one in caught)
        page = data_of(made.html)
        boards = {table["group"]: table for table in page["sections"][0]["tables"] if "group" in table}
        assert list(boards) == ["short", "long"]
        for group, topics in {"short": ["1", "2"], "long": ["3", "4", "5"]}.items():
            means = scores.sel(topic=topics).mean("topic").to_series()
            names = [column["name"] for column in boards[group]["columns"]]
            assert names[:6] == ["rank", "system", "AP", "low", "high", "rank on all topics"]
            for row in boards[group]["rows"]:
                assert row[2] == pytest.approx(means[page["systems"][row[1]][0]], abs=1e-12)
            assert [row[2] for row in boards[group]["rows"]] == sorted(means, reverse=True)
        said = page["sections"][0]["words"][1]
        assert page["sections"][0]["act"] == "2 groups of topics can be chosen above."
        assert said.startswith("Ranks within a group of topics also vary by chance.")
        assert "2 topics (6, 7) of the scores have no group and count in none." in said
        assert made.signature["topic_groups"]["sha256"]
        assert str(tmp_path) not in made.html


def test_estimates_of_unjudged_documents_are_a_section_whose_first_words_are_their_assumption() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=4, n_topics=12)
    runs, qrels = made.runs[:3], made.qrels.to_dict()
    for labels in qrels.values():
        for document in list(labels)[::4]:
            del labels[document]
    estimates = cranfield.estimate_holes(runs, qrels).evaluate(["nDCG@10", "P@5"], draws=200)
    page = quiet(runs, qrels, ["nDCG@10", "AP"], holes=estimates)
    (section,) = [part for part in data_of(page.html)["sections"] if part["id"] == "holes"]
    assert section["words"][0].startswith("Blind: assumes that holes are less relevant than judged documents by -1.5")
    assert "200 draws of labels, seed 1" in section["words"][1]
    assert [figure["id"] for figure in section["figures"]] == ["hole-intervals-1", "hole-intervals-2"]
    assert page.signature["holes"]["analysis"] == "holes"
    shown = [row[1:6] for row in section["tables"][0]["rows"]]
    table = estimates.table.loc["nDCG@10"].sort_values("estimate", ascending=False, kind="stable")
    np.testing.assert_allclose(shown, table[["estimate", "lower", "upper", "zero", "holes"]], rtol=0, atol=1e-12)
    plain = quiet(runs, qrels, ["nDCG@10", "AP"])
    assert "holes" not in {part["id"] for part in data_of(plain.html)["sections"]} | plain.signature.keys()
    with pytest.raises(UsageError, match=r"estimates are of the runs of the report: .* is without an estimate"):
        quiet(made.runs, qrels, "nDCG@10", holes=estimates)
    with pytest.raises(UsageError, match="is among the estimates alone"):
        quiet(runs[:2], qrels, "nDCG@10", holes=estimates)
    with pytest.warns(CranfieldWarning, match="a team does not show estimates of unjudged documents"):
        entries = {name: {"team": "ours"} for name in estimates.table.index.unique("system")}
        cranfield.report(runs, qrels, "AP", holes=estimates, entries=entries, participant="ours")


@pytest.mark.slow
def test_a_page_without_estimates_makes_no_model() -> None:
    script = (
        "import sys, warnings, cranfield; warnings.simplefilter('ignore'); "
        f"cranfield.report({RUNS!r}, {QRELS!r}, 'AP'); "
        "sys.exit('cranfield.holes.model' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_topics_without_a_group_at_all_are_refused() -> None:
    with pytest.raises(InputError, match="no topic of the scores has a group"):
        quiet(RUNS, QRELS, "AP", topic_groups={"x": "y"})
    with pytest.warns(CranfieldWarning, match="a team does not show groups"):
        entries = {name: {"team": "ours"} for name in RUNS}
        cranfield.report(RUNS, QRELS, "AP", topic_groups={"1": "y"}, entries=entries, participant="ours")


def test_what_grows_with_the_square_of_systems_is_left_out_with_its_reason() -> None:
    rng = np.random.default_rng(3)
    names = {"topic": [str(topic) for topic in range(6)], "system": [f"s{at}" for at in range(142)]}
    scores = xr.DataArray(rng.random((6, 142)), names, dims=("topic", "system"), name="AP")
    fewer = cranfield.report_scores(scores.isel(system=slice(0, 141))).html
    few = data_of(fewer)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        many = packed(cranfield.report_scores(scores).html)["tested"]
    assert few["systems"][-1][0] == "s140"
    assert len(packed(fewer)["tested"]["rows"]) == math.comb(141, 2)
    assert many == {"measure": "AP", "level": "95%", "alpha": "0.05"}  # the page's script tests the two that are chosen


@pytest.mark.heavy
@pytest.mark.parametrize(("topics", "systems", "seconds"), [(50, 2000, 60), (100_000, 2, 30), (12_500, 4, 15)])
def test_large_reports_take_no_longer_than(topics: int, systems: int, seconds: int) -> None:
    rng = np.random.default_rng(3)
    names = {"topic": [f"q{at}" for at in range(topics)], "system": [f"s{at}" for at in range(systems)]}
    values = rng.random((topics, 1)) + 0.1 * rng.random((topics, systems))
    begun = time.process_time()  # of all threads, and of nobody who works beside
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        cranfield.report_scores(xr.DataArray(values, names, dims=("topic", "system"), name="AP"))
    assert time.process_time() - begun < seconds
