"""``--unjudged estimate`` of evaluate and compare, and ``pool settle``: what is printed, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from command import cranfield, printed

from reading_pages import data_of

TOPICS, DOCUMENTS = 8, 40


@pytest.fixture
def pooled(folder: Path) -> Path:
    """Eight runs of which the first five were judged to rank 10; ``new`` was not."""
    rng = np.random.default_rng(7)
    labels = rng.integers(0, 3, (TOPICS, DOCUMENTS)) * (rng.random((TOPICS, DOCUMENTS)) < 0.5)
    judged = np.zeros_like(labels, dtype=bool)
    for name in ("a", "b", "c", "d", "e", "new"):
        lines = []
        for topic in range(TOPICS):
            order = np.argsort(-(labels[topic] + rng.normal(0, 1.5, DOCUMENTS)))[:20]
            lines += [f"{topic} Q0 d{document} 0 {100 - rank} {name}" for rank, document in enumerate(order)]
            if name != "new":
                judged[topic, order[:10]] = True
        (folder / f"{name}.run").write_text("\n".join(lines) + "\n")
    rows = [
        (topic, document, labels[topic, document])
        for topic in range(TOPICS)
        for document in range(DOCUMENTS)
        if judged[topic, document] and (topic + document) % 4
    ]
    (folder / "holes.txt").write_text("".join(f"{topic} 0 d{document} {label}\n" for topic, document, label in rows))
    every = [(topic, document) for topic in range(TOPICS) for document in range(DOCUMENTS)]
    text = "".join(f"{topic} 0 d{document} {labels[topic, document]}\n" for topic, document in every)
    (folder / "predicted.txt").write_text(text)
    return folder


DRAWS = ("--draws", "200")
ESTIMATE = ("--unjudged", "estimate", *DRAWS)
POOL = ("--contributors", "a.run", "--contributors", "b.run", "--contributors", "c.run")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_estimates_stand_beside_zero_with_their_assumption(pooled: Path) -> None:
    text = printed("evaluate", "holes.txt", "new.run", "d.run", "-m", "nDCG@10", "-m", "P@5", *ESTIMATE)
    assert text.splitlines()[0].split() == ["measure", "system", "estimate", "interval", "zero", "holes"]
    assert "mode blind; unjudged documents of the first 10 of 2 runs; 200 draws, seed 1; 95% intervals" in text
    assert "assumes that holes are less relevant than judged documents by -1.5, -0.5" in text


@pytest.mark.parametrize(
    "more",
    [(), POOL, (*POOL, "--predicted", "predicted.txt"), ("--learn-from", "holes.txt"), ("--topic-sample", "sampled")],
)
def test_estimates_lie_in_their_intervals(pooled: Path, more: tuple[str, ...]) -> None:
    ended = cranfield("evaluate", "holes.txt", "new.run", "d.run", *ESTIMATE, *more, "-f", "csv")
    assert ended.status == 0
    assert ("blind: assumes" in ended.err) == (POOL[0] not in more)
    for row in rows(ended.out):
        assert row["measure"] == "nDCG@10"
        assert float(row["lower"]) <= float(row["estimate"]) <= float(row["upper"])
        assert 0 < float(row["holes"]) < 1


def test_zero_is_the_plain_score_and_the_seed_fixes_the_bytes(pooled: Path) -> None:
    call = ("evaluate", "holes.txt", "new.run", "d.run", "-m", "P@10", *ESTIMATE, "-f", "csv")
    first = cranfield(*call).out
    assert first == cranfield(*call).out != cranfield(*call, "--seed", "2").out
    plain = {
        row["system"]: row["value"]
        for row in rows(printed("evaluate", "holes.txt", "new.run", "d.run", "-m", "P@10", "-f", "csv"))
    }
    assert {row["system"]: float(row["zero"]) for row in rows(first)} == pytest.approx(
        {name: float(value) for name, value in plain.items()}
    )


def test_an_offset_moves_estimates(pooled: Path) -> None:
    low, high = (
        float(
            rows(cranfield("evaluate", "holes.txt", "new.run", *ESTIMATE, "--hole-offset", text, "-f", "csv").out)[0][
                "estimate"
            ]
        )
        for text in ("-3,-1", "0,0")
    )
    assert low < high


def test_the_bootstrap_says_that_it_is_not_calibrated(pooled: Path) -> None:
    text = printed("evaluate", "holes.txt", "new.run", "--unjudged", "bootstrap", *DRAWS)
    assert "its interval is not calibrated" in text


def test_differences_have_a_probability_and_an_answer(pooled: Path) -> None:
    text = printed("compare", "holes.txt", "new.run", "d.run", *ESTIMATE)
    assert text.splitlines()[0].split() == ["system", "other", "difference", "interval", "zero", "prob_better"]
    table = rows(cranfield("compare", "holes.txt", "new.run", "d.run", "e.run", *ESTIMATE, "-f", "csv").out)
    assert len(table) == 3
    table = rows(
        cranfield("compare", "holes.txt", "new.run", "d.run", "e.run", *ESTIMATE, "--baseline", "d", "-f", "csv").out
    )
    assert [row["other"] for row in table] == ["d", "d"]


def test_the_gate_cannot_tell_and_holes_are_named(pooled: Path) -> None:
    ended = cranfield("gate", "holes.txt", "new.run", "d.run", *ESTIMATE, "--margin", "0.01")
    assert ended.status == 4
    assert "cannot tell" in ended.out and "blind: assumes" in ended.out
    blamed = [
        ended
        for margin in range(2, 40)
        if "because of holes"
        in (ended := cranfield("gate", "holes.txt", "d.run", "new.run", *ESTIMATE, "--margin", f"{margin / 100}")).out
    ]
    assert blamed and {ended.status for ended in blamed} == {4}
    assert "cannot tell, because of holes: new compared with d" in blamed[0].out
    assert cranfield("gate", "holes.txt", "d.run", "new.run", *ESTIMATE, "--margin", "5").status == 0
    table = rows(cranfield("gate", "holes.txt", "d.run", "new.run", *ESTIMATE, *POOL, "-f", "csv").out)
    assert float(table[0]["error_holes"]) > 0


@pytest.mark.parametrize("format_", ["table", "tsv", "csv", "json"])
@pytest.mark.parametrize("call", ["evaluate", "compare", "gate", "pool settle"])
def test_the_assumption_is_on_the_screen_with_every_number(pooled: Path, call: str, format_: str) -> None:
    options = DRAWS if call == "pool settle" else ESTIMATE
    ended = cranfield(*call.split(), "holes.txt", "new.run", "d.run", *options, "-f", format_)
    assumption = "blind: assumes that holes are less relevant than judged documents by -1.5, -0.5"
    where = ended.out if format_ == "table" else ended.err
    assert " ".join(where.split()).count(assumption) == 1
    if format_ != "json":  # the signature of the gate has it, too
        assert assumption not in " ".join((ended.err if where is ended.out else ended.out).split())


@pytest.mark.parametrize("method", ["estimate", "bootstrap"])
def test_a_report_has_estimates_by_its_first_measure(pooled: Path, method: str) -> None:
    call = ("report", "holes.txt", "new.run", "d.run", "-m", "P@5", "-m", "AP", "--unjudged", method, *DRAWS)
    assert cranfield(*call, "-o", "page.html").status == 0
    page = data_of(Path("page.html").read_text())
    (section,) = [part for part in page["sections"] if part["id"] == "holes"]
    assert section["words"][0].startswith({"estimate": "Blind: assumes", "bootstrap": "Bootstrap: "}[method])
    assert [table["title"] for table in section["tables"]] == [
        "Estimated P@5, under the assumption above",
        "Neighbours by estimated P@5",
    ][: 2 if method == "estimate" else 1]
    printed(*call[:4], "-m", "P@5", "-o", "plain.html")
    means = [
        [row[2] for row in one["sections"][0]["tables"][0]["rows"]]
        for one in (page, data_of(Path("plain.html").read_text()))
    ]
    assert means[0] == means[1], "the leaderboard counts unjudged documents as not relevant"


def test_a_report_names_the_systems_whose_order_is_open(pooled: Path) -> None:
    printed("report", "holes.txt", str(pooled / "new.run"), "./d.run", "-m", "P@5", "-o", "page.html")
    leaderboard = data_of(Path("page.html").read_text())["sections"][0]
    (sentence,) = [words for words in leaderboard["words"] if "could reverse the order" in words]
    assert re.search(r"by P@5: (new|d) \(0\.\d{4}, could be .* unjudged\) and (new|d) \(0\.", sentence), sentence


def test_what_to_judge_next_is_unjudged_and_ordered_by_value(pooled: Path) -> None:
    ended = cranfield("pool", "settle", "holes.txt", "new.run", "d.run", "--budget", "5", *DRAWS, "-f", "csv")
    table = rows(ended.out)
    assert len(table) == 5
    values = [float(row["value"]) for row in table]
    assert values == sorted(values, reverse=True)
    judged = {tuple(line.split()[::2]) for line in Path("holes.txt").read_text().splitlines()}
    assert not {(row["topic"], row["document"]) for row in table} & {pair[:2] for pair in judged}


def test_the_level_of_differences_is_that_of_alpha(pooled: Path) -> None:
    call = ("compare", "holes.txt", "new.run", "d.run", *ESTIMATE, "-f", "csv")
    wide, narrow = (rows(cranfield(*call, "--alpha", alpha).out)[0] for alpha in ("0.01", "0.4"))
    assert float(wide["lower"]) < float(narrow["lower"]) < float(narrow["upper"]) < float(wide["upper"])
    assert rows(cranfield(*call, "--alpha", "0.05").out) == rows(cranfield(*call).out)


def test_estimates_are_signed_with_how_runs_were_read(pooled: Path) -> None:
    call = ("evaluate", "holes.txt", "new.run", "d.run", *ESTIMATE, "-f", "json")
    signed = json.loads(cranfield(*call, "--undefined", "keep").out)["signature"]
    assert signed["undefined"] == "keep"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            ("evaluate", "holes.txt", "new.run", *DRAWS),
            "--draws changes nothing without --unjudged bootstrap or --unjudged estimate",
        ),
        (
            ("evaluate", "holes.txt", "new.run", "--learn-from", "x"),
            "--learn-from changes nothing without --unjudged estimate",
        ),
        (("evaluate", "holes.txt", "new.run", "--teams", "x"), "--teams changes nothing without --unjudged estimate"),
        (("evaluate", "holes.txt", "new.run", *ESTIMATE, "-q"), "--by-topic changes nothing with --unjudged estimate"),
        (("evaluate", "holes.txt", "new.run", *ESTIMATE, "-f", "trec"), "--format trec has no room for this table"),
        (("evaluate", "holes.txt", "new.run", *ESTIMATE, "--hole-offset", "x"), "expected numbers with commas"),
        (("evaluate", "holes.txt", "new.run", *ESTIMATE, "-m", "Bpref"), "which documents are judged"),
        (("evaluate", "holes.txt", "new.run", *ESTIMATE, *POOL[:2]), "three teams besides the evaluated ones"),
        (("evaluate", "holes.txt", "new.run", *ESTIMATE, "--predicted", "holes.txt"), "have no predicted label"),
        (("evaluate", "holes.txt", "new.run", "--unjudged", "bootstrap", "-m", "AP"), "has no cutoff"),
        (("compare", "holes.txt", "new.run", *ESTIMATE), "QRELS RUN RUN"),
        (
            ("compare", "holes.txt", "new.run", "d.run", *ESTIMATE, "--ranks"),
            "--ranks changes nothing with --unjudged estimate",
        ),
        (("compare", "holes.txt", "new.run", "d.run", "--unjudged", "bootstrap"), "'bootstrap' is not one of"),
        (("gate", "holes.txt", "new.run", *ESTIMATE), "QRELS BASELINE NEW"),
        (
            ("gate", "holes.txt", "a.run", "b.run", *ESTIMATE, "--worst-topic", "0.5"),
            "--worst-topic changes nothing",
        ),
        (("gate", "holes.txt", "a.run", "b.run", *ESTIMATE, "--against", "x"), "--against changes nothing with"),
        (("gate", "holes.txt", "a.run", "b.run", "--unjudged", "bootstrap"), "'bootstrap' is not one of"),
        (
            ("gate", "holes.txt", "a.run", "b.run", *ESTIMATE, "--topic-sample", "sampled"),
            "No such option '--topic-sample'",
        ),
        (
            ("report", "holes.txt", "new.run", *ESTIMATE, "--participants", "sheets", "--runs", "holes.txt"),
            "the sheet of a team has no estimates: leave --unjudged estimate out",
        ),
        (
            ("report", "holes.txt", "new.run", *DRAWS, "-o", "x.html"),
            "--draws changes nothing without --unjudged estimate or bootstrap",
        ),
        (("report", "--scores", "x.csv", *ESTIMATE, "-o", "x.html"), "--unjudged says how runs are read and scored"),
        (
            ("report", "holes.txt", "new.run", *ESTIMATE, "--intent-weights", "uniform", "-o", "x.html"),
            "--intent-weights changes nothing with --unjudged estimate",
        ),
        (("pool", "settle", "holes.txt", "new.run"), "two runs are settled by one measure"),
        (("pool", "settle", "holes.txt", "new.run", "d.run", "-m", "RR"), "is not a sum of what each document adds"),
    ],
)
def test_what_is_refused(pooled: Path, call: tuple[str, ...], message: str) -> None:
    ended = cranfield(*call)
    assert ended.status in (1, 2)
    assert message in " ".join(ended.err.split())
