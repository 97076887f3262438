"""The paper: its form is the journal's, and its numbers are those that the project states or computes elsewhere."""

from __future__ import annotations

import csv
import io
import itertools
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image

from data_sets import DATA

ROOT = Path(__file__).resolve().parents[1]
PAPER = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
_, METADATA, BODY = PAPER.split("---\n", 2)
FIGURES = runpy.run_path(str(ROOT / "paper" / "figures.py"))
AUTHORS = runpy.run_path(str(ROOT / "paper" / "authors.py"))
SECTIONS = [
    *("Summary", "Statement of need", "State of the field", "Software design"),
    *("Research impact statement", "AI usage disclosure", "Acknowledgements", "References"),
]


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def table(name: str, number: int = 0) -> list[list[str]]:
    """Cells of one table of a page of the project."""
    rows: list[list[str]] = FIGURES["read_tables"](page(name))[number]
    return rows


def percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f}%"


# ---- form


def test_the_sections_are_those_of_the_journal() -> None:
    assert re.findall(r"^# (.*)$", BODY, re.MULTILINE) == SECTIONS
    prose = re.sub(r"^[|!:].*$", "", BODY, flags=re.MULTILINE)
    assert 750 <= len(prose.split()) <= 1750


def test_what_is_signed_is_what_the_project_says_in_one_place() -> None:
    signed = AUTHORS["read_signed"]()
    assert AUTHORS["sign"](PAPER, signed) == PAPER
    metadata = yaml.safe_load(METADATA)
    assert [author["name"] for author in metadata["authors"]] == [author["name"] for author in signed["authors"]]
    assert metadata["bibliography"] == "paper.bib"
    assert {author["affiliation"] for author in metadata["authors"]} <= {
        str(part["index"]) for part in metadata["affiliations"]
    }


def test_placeholders_are_named_until_they_are_replaced() -> None:
    signed = AUTHORS["read_signed"]()
    changed = signed | {
        "authors": [{"name": "Josiah Carberry", "orcid": "0000-0002-1825-0097", "affiliation": "1"}],
        "affiliations": [{"index": 1, "name": "Brown University"}],
        **dict.fromkeys(("ai-tools", "ai-review", "funding"), "settled"),
    }
    assert AUTHORS["placeholders"](changed) == []
    assert "Josiah Carberry" in AUTHORS["sign"](PAPER, changed)
    left = AUTHORS["placeholders"](changed | {"authors": [{"name": "A", "orcid": "0000-0000-0000-0000"}]})
    assert left == ["'A' has no valid ORCID, but '0000-0000-0000-0000'"]
    assert AUTHORS["placeholders"](changed | {"funding": "funding.example"}) == [
        "funding is a placeholder, 'funding.example'"
    ]


@pytest.mark.parametrize(("orcid", "valid"), [("0000-0001-5109-3700", True), ("0000-0002-1694-233X", True)])
def test_an_orcid_ends_in_its_check_digit(orcid: str, valid: bool) -> None:
    assert AUTHORS["is_orcid"](orcid) is valid
    assert not AUTHORS["is_orcid"](f"{orcid[:-1]}{'1' if orcid.endswith('0') else '0'}")
    assert not AUTHORS["is_orcid"]("")


def test_every_reference_is_cited_and_has_a_doi_where_one_is_known() -> None:
    entries = re.split(r"^@\w+\{", page("paper/paper.bib"), flags=re.MULTILINE)[1:]
    named = {entry.partition(",")[0]: entry for entry in entries}
    assert set(re.findall(r"@([a-z]+\d{4}\w*)", BODY)) == set(named)
    without = {name for name, entry in named.items() if "doi = {10." not in entry}
    assert without == {"gienapp2020difficulty", "inspect2024", "palotti2019", "sakai2010"}
    stated = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
    stated += "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    ours = {name for name, entry in named.items() if (doi := re.search(r"10\.[^}]+", entry)) and doi[0] in stated}
    tools = {"bassani2022", "breuer2021", "macavaney2021", "vangysel2018"}
    assert ours == set(named) - without - tools


def test_figures_and_tables_are_in_the_order_of_their_numbers() -> None:
    figures = re.findall(r"^!\[.*\]\((\w+\.png)\)", BODY, re.MULTILINE)
    assert figures == ["rates.png", "board.png"]
    assert all(0 < (ROOT / "paper" / name).stat().st_size < 100_000 for name in figures)
    assert re.findall(r"(?:Figure|Table) \d", BODY) == ["Table 1", "Figure 1", "Figure 1", "Figure 2"]


# ---- numbers


def simulated_boards() -> list[str]:
    rates = FIGURES["board_rates"]()
    bootstrapped = max(row["share"] for row in rates if row["intervals"] == "bootstrapped ranks")
    ours = {row["share"] for row in rates if row["intervals"] == "cranfield"}
    assert len(ours) == 1
    return [
        f"percentile intervals of bootstrapped ranks, which are often proposed, hold all true ranks in at most "
        f"{percent(bootstrapped)} of boards; these sets hold them in {percent(*ours)}, where 95% is meant"
    ]


def nested_designs() -> list[str]:
    header, *rows = table("reproductions/nested/tables.md")
    shares = {row[0]: [float(share) for cell in row[1:] for share in cell.split("/")[1:]] for row in rows}
    naive, clustered = shares[FIGURES["NOTHING"]], shares[FIGURES["CLUSTERS"]]
    assert len(header) == 5
    return [
        f"calls {percent(min(naive))} to {percent(max(naive))} of pairs of equal systems different at the level of 5%",
        f"err in {percent(min(clustered), 1)} to {percent(max(clustered), 1)}",
    ]


def holes() -> list[str]:
    header, *rows = ([cell.strip("*") for cell in row] for row in table("reproductions/scores_under_holes/README.md"))
    half, robust, _covid = (
        dict(zip(header, row, strict=True)) | {"collection": first[0]}
        for first, row in itertools.pairwise(rows)
        if row[0] == "half of the teams"
    )
    assert half["collection"] == "Deep Learning 2019, each team out"
    assert robust["collection"] == "Robust 2003, each team out"
    return [
        f"the root mean squared error of nDCG@10 is {half['estimate']}, against {half['zero']} with unjudged documents "
        "as not relevant",
        f"and the intervals hold {percent(float(half['covered']))} of the truths",
        f"on Robust 2003 it is {robust['estimate']} against {robust['zero']}",
    ]


def information() -> list[str]:
    header, *rows = table("reproductions/golbus_2013/entropy_estimators.md")
    (nothing,) = [row for row in rows if row[0] == "nothing" and row[2] == "20 + 180"]
    published = nothing[header.index("table")].split(" / ")[0]
    corrected = nothing[header.index("logistic")].split(" / ")[1]
    return [f"is {published} for ten simulated rankings that say nothing", f"reduce this to {corrected}"]


def trials_of_tests() -> list[str]:
    _, *rows = table("docs/testing-the-tests.md")

    def rates(test: str, correction: str) -> tuple[str, str]:
        (row,) = [row for row in rows if row[:2] == [f"`{test}`", correction]]
        found = [float(cell) for cell in row[2:]]
        return percent(min(found), 1), percent(max(found), 1)

    return [
        "by max-T in {} to {}".format(*rates("permutation", "`max-t`")),
        "by t with Holm's correction in {} to {}".format(*rates("t", "`holm`")),
        "by Tukey's test in {} to {}, where 5% is meant".format(*rates("tukey", "its own")),
    ]


def conformance() -> list[str]:
    text = page("docs/conformance.md")
    (cases, measures) = re.findall(r"([\d,]+) small cases of (\d+) measures", text)[0]
    rows = {row[0]: row for row in table("docs/conformance.md")}
    passed = {name: f"{rows[name][3]} of {rows[name][2]}" for name in rows if rows[name][0] != "tool"}
    return [
        f"{cases} small cases of {measures} measures",
        f"`ir_measures` passes {passed['ir_measures']}, `pytrec_eval` {passed['pytrec_eval']}, `ranx` {passed['ranx']} "
        f"and `TrecTools` {passed['trectools']}",
    ]


def speed() -> list[str]:
    measured = {row[0]: row[1] for row in table("docs/performance.md")}
    first = measured["M, CPU of pytrec_eval-terrier 0.5.11 beside ours"].removesuffix(" times")
    return [f"{first} and {measured['S, the same'].removesuffix(' times')} times less CPU time than `pytrec_eval`"]


def leaderboard() -> list[str]:
    text = " ".join(page("docs/compatibility.md").split())
    assert "nDCG@20, P@20, MAP and Bpref of all 126 runs of TREC-COVID round 5 agree with the published" in text
    return ["four measures of all 126 runs of TREC-COVID's fifth round agree with the published leaderboard"]


def reproduced() -> list[str]:
    (row,) = [row for row in table("reproductions/README.md", 1) if row[0] == "all"]
    _, rows, yes, in_part, no, not_testable = row
    return [
        f"all {rows} definitions, tables, figures and claims",
        f"{yes} agree, {in_part} agree in part, {no} do not, and {not_testable} cannot be tested",
    ]


def board_of_mteb() -> list[str]:
    ranks = list(csv.DictReader(io.StringIO(page("paper/board.tsv")), delimiter="\t"))
    text = " ".join(page("docs/questions/my-board-has-ten-tasks.md").split())
    separated = re.findall(r"pairs of models that are separated \| (\d+%)", text)[0]
    tasks, complete = re.findall(r"324 models and (\d+) tasks; (\d+) models have all of them", text)[0]
    assert int(complete) == len(ranks)
    assert f"One of {len(ranks) - 1} adjacent places is separated" in text
    best = sum(row["low"] == "1" for row in ranks)
    return [
        f"{len(ranks)} models have all {tasks} tasks: {separated} of their pairs are separated, {best} models may be "
        f"the best, the first may have any rank from {ranks[0]['low']} to {ranks[0]['high']}, and of {len(ranks) - 1} "
        "adjacent places one is separated",
        f"The first {FIGURES['SHOWN']} models of MTEB (English, version 2) by their mean over {tasks} tasks",
        f"for all {len(ranks)} models together with 95% confidence",
    ]


CLAIMS = [simulated_boards, nested_designs, holes, information, trials_of_tests, conformance]
CLAIMS += [speed, leaderboard, reproduced, board_of_mteb]


def test_every_number_is_one_that_the_project_states_or_computes() -> None:
    text = " ".join(BODY.split())
    for claim in CLAIMS:
        for sentence in claim():
            assert sentence in text, f"{claim.__name__}: the paper does not say {sentence!r}"
            text = text.replace(sentence, "")
    text = re.sub(r"\|.*\|", "", text)  # the table of tools: the next test
    text = re.sub(r"@[a-z]+\d{4}\w*|(Figure|Table) \d|\d+\.\d+\.\d+|width=\d+%", "", text)
    named = r"TREC Deep Learning 2019|Robust 2003|MTEB \(English, version 2|nDCG@10|at \.05 calls|for 20 clusters"
    assert re.findall(r".{30}\d.{10}", re.sub(named, "", text)) == []


def test_the_table_has_the_versions_of_tools_that_the_project_compares() -> None:
    ours = {row[0].lower(): row[1] for row in FIGURES["read_tables"](BODY)[0][1:]}
    compared = {row[0].lower(): row[1] for row in table("docs/conformance.md")[1:]}
    assert {name: compared[name] for name in ours if name in compared} == {
        name: ours[name] for name in ("cranfield", "ir_measures", "pytrec_eval", "ranx", "trectools")
    }


# ---- figures


def test_figures_show_what_they_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are drawn from tables of the project, and the board from its ranks where the collection is not there."""
    drawn: dict[str, Any] = {}
    globals_of = FIGURES["main"].__globals__
    monkeypatch.setitem(globals_of, "save", lambda chart, name: drawn.update({name: chart.to_dict()}))
    before = page("paper/board.tsv")
    FIGURES["main"](["--data", str(tmp_path)])
    assert page("paper/board.tsv") == before
    assert set(drawn) == {"rates.png", "board.png"}
    first, second = drawn["rates.png"]["hconcat"]
    assert len(first["layer"][0]["data"]["values"]) == 8
    assert len(second["layer"][0]["data"]["values"]) == 6
    assert {chart["config"]["background"] for chart in drawn.values()} == {"#ffffff"}


def test_figures_are_written_with_three_pixels_for_each_of_the_chart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FIGURES["save"].__globals__, "HERE", tmp_path)
    FIGURES["save"](FIGURES["draw_rates"](), "rates.png")
    with Image.open(tmp_path / "rates.png") as drawn, Image.open(ROOT / "paper" / "rates.png") as kept:
        for pixels, before in zip(drawn.size, kept.size, strict=True):
            assert abs(pixels - before) < 90, "as the figure of the paper, but for the fonts of this system"


@pytest.mark.data("data/mteb-eng-v2")
def test_ranks_of_the_real_board_are_those_of_today() -> None:
    assert FIGURES["make_ranks"](DATA / "mteb-eng-v2" / "scores.csv") == page("paper/board.tsv")
