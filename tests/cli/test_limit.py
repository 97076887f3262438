"""Tables of pairs: the largest first, twenty lines for people, everything for programs."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import pytest
from command import cranfield, printed


@pytest.fixture(autouse=True)
def scores(folder: Path) -> None:
    """Nine systems, and so 36 pairs, by two measures; nine measures of three systems."""
    draw = random.Random(7)
    names = [f"s{number}" for number in range(9)]
    for file, systems in (("AP.csv", names), ("RR.csv", names), *((f"m{at}.csv", names[:3]) for at in range(9))):
        rows = (",".join(f"{draw.random() / 2 + at / 20:.3f}" for at, _ in enumerate(systems)) for _ in range(12))
        (folder / file).write_text("\n".join([",".join(systems), *rows]) + "\n")


MANY = [option for number in range(9) for option in ("--scores", f"m{number}.csv")]
CALLS = {
    "differences of systems": ["compare", "--scores", "AP.csv"],
    "differences of measures": ["audit", "sensitivity", *MANY, "--differences", "--resamples", "50"],
    "levels": ["audit", "sensitivity", "--scores", "AP.csv", "--curve", "--resamples", "50"],
    "information tau": ["information", "tau", *MANY, "--resamples", "0"],
}
WITHOUT_PAIRS = {
    "fuse headroom": (["qrels.txt", "best.run", "late.run"], "add --pairs"),
    "audit sensitivity": (["--scores", "AP.csv"], "add --curve or --differences"),
    "compare": (["--scores", "AP.csv", "--groups"], "leave --groups out"),
    "information difference": (["qrels.txt", "best.run", "late.run", "--map"], "leave --map out"),
}


def lines(text: str) -> list[str]:
    """The rows between the rule and the caption."""
    return text.split("─\n", 1)[1].split("\n\n", 1)[0].splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("called", CALLS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_twenty_lines_and_how_to_see_all(called: str) -> None:
    out = cranfield(*CALLS[called]).out
    assert len(lines(out)) == 20
    assert "\n20 of 36 pairs, " in out
    assert "; --limit 0 shows all\n" in out
    whole = cranfield(*CALLS[called], "--limit", "0").out
    assert len(lines(whole)) == 36
    assert "--limit" not in whole
    assert lines(whole)[:20] == lines(out) or "of systems" in called, "columns may be narrower without the last rows"
    assert len(lines(cranfield(*CALLS[called], "--limit", "3").out)) == 3


def test_pairs_that_a_reader_looks_for_come_by_default() -> None:
    """The pairs of the first place, neighbours in the ranking, and the smallest significant differences."""
    rows = json.loads(printed("compare", "--scores", "AP.csv", "-f", "json"))["rows"]
    means = {row["system"]: row["mean"] for row in rows} | {row["other"]: row["mean_other"] for row in rows}
    ranking = sorted(means, key=means.__getitem__, reverse=True)
    pairs = [tuple(line.split()[:2]) for line in lines(printed("compare", "--scores", "AP.csv"))]
    assert pairs == sorted(pairs, key=lambda pair: tuple(map(ranking.index, pair))), "in the order of the ranking"
    assert set(pairs) >= {(ranking[0], other) for other in ranking[1:7]}
    assert set(pairs) >= set(itertools.pairwise(ranking[:7]))
    significant = sorted((row["difference"], row["system"], row["other"]) for row in rows if row["significant"])
    assert set(pairs) >= {(system, other) for _, system, other in significant[:6]}


def test_the_answer_is_a_sentence() -> None:
    rows = json.loads(printed("compare", "--scores", "AP.csv", "-f", "json"))["rows"]
    best = max(rows, key=lambda row: row["mean"])["system"]
    better = sum(row["significant"] for row in rows if row["system"] == best)
    out = printed("compare", "--scores", "AP.csv")
    assert out.startswith(f"{best} has the largest mean (")
    assert f" and is significantly better than {better} of the 8 others, but not separated from " in out


def test_letters_of_many_systems_are_refused(tmp_path: Path) -> None:
    rows = [["topic", *(f"s{number}" for number in range(21))]]
    rows += [[f"q{topic}", *(f"{(topic * number) % 7 / 7}" for number in range(1, 22))] for topic in range(1, 9)]
    (tmp_path / "many.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    ended = cranfield("compare", "--scores", tmp_path / "many.csv", "--groups")
    assert (ended.status, ended.out) == (2, "")
    assert "21 systems are too many to mark with letters: compare 20 or fewer" in ended.err
    assert "groups need all pairs" in cranfield("compare", "no.txt", "a", "b", "--groups", "--baseline", "a").err


@pytest.mark.slow
@pytest.mark.parametrize("called", CALLS)
def test_programs_get_everything(called: str) -> None:
    found = json.loads(cranfield(*CALLS[called], "-f", "json").out)
    assert found.keys() == {"signature", "rows", "notes"}
    assert len(found["rows"]) == 36
    for form in ("tsv", "csv"):
        assert len(cranfield(*CALLS[called], "-f", form).out.splitlines()) == 37
        assert len(cranfield(*CALLS[called], "-f", form, "--limit", "5").out.splitlines()) == 6


@pytest.mark.parametrize("called", ["differences of systems", "differences of measures"])
def test_the_largest_differences_come_first(called: str) -> None:
    rows = json.loads(printed(*CALLS[called], "-f", "json"))["rows"]
    sizes = [abs(row["difference"]) for row in rows]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) > 1


def test_a_paper_gets_the_marks_of_its_own_rows() -> None:
    rows = json.loads(printed("compare", "--scores", "AP.csv", "--correction", "none", "-f", "json"))["rows"]
    table = printed("compare", "--scores", "AP.csv", "--correction", "none", "-f", "markdown").splitlines()[2:38]
    assert ["\\*" in line for line in table] == [row["significant"] for row in rows]
    assert {row["significant"] for row in rows} == {True, False}


@pytest.mark.parametrize("called", WITHOUT_PAIRS)
def test_tables_without_pairs_have_no_limit(called: str) -> None:
    arguments, where = WITHOUT_PAIRS[called]
    ended = cranfield(*called.split(), *arguments, "--limit", "5")
    assert (ended.status, ended.out) == (2, "")
    assert f"--limit is about pairs, and this table has none: {where}, or leave it out" in ended.err


def test_fused_pairs_have_a_limit() -> None:
    three = ("fuse", "headroom", "qrels.txt", "best.run", "late.run", "again.run", "--pairs", "--permutations", "0")
    Path("again.run").write_text(Path("best.run").read_text())
    assert len(lines(cranfield(*three).out)) == 3
    out = cranfield(*three, "--limit", "2").out
    assert len(lines(out)) == 2
    assert "\n2 of 3 pairs, the best fused first; --limit 0 shows all\n" in out
    assert len(json.loads(cranfield(*three, "-f", "json").out)["rows"]) == 3
