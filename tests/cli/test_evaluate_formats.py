"""``cranfield evaluate``: every format to the byte."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from command import cranfield, printed

import cranfield as package

pytestmark = pytest.mark.usefixtures("folder")

RUNS = ("none.run", "best.run", "late.run")


def test_tsv() -> None:
    assert printed("evaluate", "qrels.txt", *RUNS, "-m", "RR", "-m", "P@1", "-f", "tsv") == (
        "system\ttopic\tmeasure\tvalue\n"
        "none\tall\tRR\t0.0\n"
        "none\tall\tP@1\t0.0\n"
        "best\tall\tRR\t1.0\n"
        "best\tall\tP@1\t1.0\n"
        "late\tall\tRR\t0.5\n"
        "late\tall\tP@1\t0.0\n"
    )


def test_rows_by_topic_are_in_the_order_of_the_qrels() -> None:
    measures = ("-m", "AP", "-m", "GMAP", "-m", "map", "-m", "NumRet")
    assert printed("evaluate", "qrels.txt", "late.run", *measures, "--by-topic", "-f", "tsv", "--summary") == (
        "system\ttopic\tmeasure\tvalue\n"
        "late\t2\tAP\t0.5\n"
        "late\t2\tNumRet\t2.0\n"
        "late\t1\tAP\t0.25\n"
        "late\t1\tNumRet\t2.0\n"
        "late\tall\tAP\t0.375\n"
        "late\tall\tGMAP\t0.3535533905932738\n"
        "late\tall\tNumRet\t4.0\n"
    )


def test_digits_read_back_exactly() -> None:
    out = printed("evaluate", "qrels.txt", *RUNS, "-m", "nDCG", "-m", "ERR", "-q", "-f", "tsv")
    scores = package.evaluate([Path(run) for run in RUNS], "qrels.txt", ["nDCG", "ERR"])
    rows = [line.split("\t") for line in out.splitlines()[1:]]
    for run, topic, measure, value in rows:
        assert float(value) == scores[measure].sel(system=run, topic=topic).item()
        assert value == repr(float(value))
    assert len(rows) == 3 * 2 * 2


def test_csv() -> None:
    assert printed("evaluate", "qrels.txt", "late.run", "-m", "RR", "-f", "csv", "-q") == (
        "system,topic,measure,value\nlate,2,RR,0.5\nlate,1,RR,0.5\n"
    )


def test_a_summary_stands_beside_topics_only_where_it_is_requested() -> None:
    refused = cranfield("evaluate", "qrels.txt", "late.run", "-m", "RR", "-f", "csv", "--summary")
    assert (refused.status, refused.out) == (2, "")
    assert "--summary changes nothing without --by-topic: leave it out" in refused.err


@pytest.mark.parametrize(
    ("name", "guarded"),
    {
        "=cmd|' A0": "'=cmd|' A0",
        "+1": "'+1",
        "-1": "'-1",
        "@x": "'@x",
        "\tx": "'\tx",
        "\rx": "'\rx",
        "\x1bx": "'\x1bx",
        "\x7fx": "'\x7fx",
        "a,b": "a,b",
        'a"b': 'a"b',
        "a=b": "a=b",
        "1": "1",
    }.items(),
)
def test_csv_guards_names_that_a_spreadsheet_would_run(folder: Path, name: str, guarded: str) -> None:
    (folder / f"{name}.run").write_text("1 Q0 a 1 -3 x\n2 Q0 a 1 -3 x\n")
    out = printed("evaluate", "-m", "DCG(gains={0:-1,1:-1,2:-1})", "-f", "csv", "--", "qrels.txt", f"{name}.run")
    header, row = csv.reader(io.StringIO(out, newline=""))
    assert header == ["system", "topic", "measure", "value"]
    assert row == [guarded, "all", "DCG(gains={0:-1,1:-1,2:-1})", "-1.0"], "numbers are never guarded"


def test_csv_guards_topics(folder: Path) -> None:
    (folder / "qrels.txt").write_text("=1+1 0 a 1\n")
    (folder / "x.run").write_text("=1+1 Q0 a 1 1 x\n")
    assert "x,'=1+1,RR,1.0\n" in printed("evaluate", "qrels.txt", "x.run", "-m", "RR", "-f", "csv", "-q")
    assert "x\t=1+1\tRR\t1.0\n" in printed("evaluate", "qrels.txt", "x.run", "-m", "RR", "-f", "tsv", "-q")


def test_a_name_that_is_guarded_already_can_be_told_from_one_that_was_not(folder: Path) -> None:
    for name in ("=x", "'=x"):
        (folder / f"{name}.run").write_text("1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n")
    out = printed("evaluate", "qrels.txt", "=x.run", "'=x.run", "-m", "RR", "-f", "csv")
    first, second = list(csv.reader(io.StringIO(out)))[1:]
    assert first[0] != second[0]


@pytest.mark.parametrize("name", ["a\tb", "a\nb", "a\rb"])
def test_tsv_refuses_names_that_would_break_its_lines(folder: Path, name: str) -> None:
    (folder / f"{name}.run").write_text("1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n")
    ended = cranfield("evaluate", "qrels.txt", f"{name}.run", "-f", "tsv")
    shown = name.encode("unicode_escape").decode()
    assert (ended.status, ended.out) == (1, "")
    assert ended.err == (
        f"cranfield: error: the name '{shown}' holds a tab or a line end, which tsv cannot: use csv or json\n"
    )
    (row,) = list(
        csv.reader(io.StringIO(printed("evaluate", "qrels.txt", f"{name}.run", "-m", "RR", "-f", "csv"), newline=""))
    )[1:]
    assert row[0] == name


def sha256(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def test_json() -> None:
    out = printed("evaluate", "qrels.txt", "late.run", "-m", "RR", "-m", "GMAP", "-f", "json", "-q", "--ties", "docid")
    found = json.loads(out)
    assert list(found) == ["signature", "rows", "notes", "seal"]
    assert found["rows"] == [
        {"system": "late", "topic": "2", "measure": "RR", "value": 0.5},
        {"system": "late", "topic": "1", "measure": "RR", "value": 0.5},
        {"system": "late", "topic": "all", "measure": "RR", "value": 0.5},
        {"system": "late", "topic": "all", "measure": "GMAP", "value": 0.3535533905932738},
    ]
    assert found["signature"]["measures"] == ["RR", "GMAP"]
    assert found["signature"]["ties"] == "docid"
    assert found["signature"]["cranfield"] == package.__version__
    assert found["signature"]["qrels"] == {"name": "qrels", "sha256": sha256("qrels.txt")}
    assert found["signature"]["runs"] == [{"name": "late", "tag": "x", "sha256": sha256("late.run")}]
    lines = ",\n".join(f"  {json.dumps(row)}" for row in found["rows"])
    # Whole numbers are sealed as such, as other programs may write 1.0 without its end.
    plain = json.loads(out, parse_float=lambda text: json.loads(text.removesuffix(".0")))["signature"]
    sealed = f"{json.dumps(plain, sort_keys=True)}\n{lines},\n"
    seal = hashlib.sha256(sealed.encode()).hexdigest()
    head = f'{{"signature": {json.dumps(found["signature"])},\n "rows": [\n'
    assert found["notes"] == [
        {"code": "relevance-level", "text": "RR and GMAP count labels of 1 or more as relevant; labels go up to 2"}
    ]
    assert out == f'{head}{lines}\n],\n "notes": {json.dumps(found["notes"])},\n "seal": "{seal}"}}\n'


def test_values_that_are_not_there(folder: Path) -> None:
    (folder / "half.run").write_text("1 Q0 a 1 1 x\n")
    options = ("evaluate", "qrels.txt", "half.run", "-m", "RR", "-q", "--missing", "skip")
    said = "cranfield: warning: half.run: judged topic 2 missing from the run, left out of its means\n"
    for form, cell in {
        "tsv": "half\t2\tRR\tnan\n",
        "csv": "half,2,RR,nan\n",
        "json": '{"system": "half", "topic": "2", "measure": "RR", "value": null}',
        "trec": "recip_rank            \t2\t   nan\n",
        "table": "half     2          nan\n",
    }.items():
        ended = cranfield(*options, "-f", form)
        assert (ended.status, ended.err) == (0, said)
        assert cell in ended.out
    json.loads(cranfield(*options, "-f", "json").out, parse_constant=pytest.fail)


def test_trec() -> None:
    measures = ("map", "P.5,10", "ndcg_cut_2", "gm_map", "num_rel", "iprec_at_recall_0.50", "RBP(p=0.5)", "Judged@2")
    asked = [part for name in measures for part in ("-m", name)]
    assert printed("evaluate", "qrels.txt", "late.run", *asked, "-f", "trec", "-q") == (
        "map                   \t2\t0.5000\n"
        "P_5                   \t2\t0.2000\n"
        "P_10                  \t2\t0.1000\n"
        "ndcg_cut_2            \t2\t0.6309\n"
        "num_rel               \t2\t1\n"
        "iprec_at_recall_0.50  \t2\t0.5000\n"
        "RBP(p=0.5)            \t2\t0.1250\n"
        "Judged@2              \t2\t1.0000\n"
        "map                   \t1\t0.2500\n"
        "P_5                   \t1\t0.2000\n"
        "P_10                  \t1\t0.1000\n"
        "ndcg_cut_2            \t1\t0.4796\n"
        "num_rel               \t1\t2\n"
        "iprec_at_recall_0.50  \t1\t0.5000\n"
        "RBP(p=0.5)            \t1\t0.2500\n"
        "Judged@2              \t1\t0.5000\n"
        "map                   \tall\t0.3750\n"
        "P_5                   \tall\t0.2000\n"
        "P_10                  \tall\t0.1000\n"
        "ndcg_cut_2            \tall\t0.5553\n"
        "gm_map                \tall\t0.3536\n"
        "num_rel               \tall\t3\n"
        "iprec_at_recall_0.50  \tall\t0.5000\n"
        "RBP(p=0.5)            \tall\t0.1875\n"
        "Judged@2              \tall\t0.7500\n"
    )


def test_trec_counts_topics_once_as_trec_eval_does() -> None:
    assert printed("evaluate", "qrels.txt", "late.run", "-m", "num_q", "-m", "num_ret", "-f", "trec", "-q") == (
        "num_ret               \t2\t2\n"
        "num_ret               \t1\t2\n"
        "num_q                 \tall\t2\n"
        "num_ret               \tall\t4\n"
    )


def test_relstring(tmp_path: Path) -> None:
    """As m_relstring.c has it; ids fall where scores tie."""
    labels = {"a": "0", "b": "3", "c": "-1", "d": "12", "e": "-2", "f": "9", "g": "10", "h": "1", "i": "2.7"}
    Path("qrels").write_text("".join(f"7 0 {name} {label}\n" for name, label in labels.items()) + "8 0 a 1\n6 0 a 1\n")
    order = "abxcdefgyhiz"
    ranked = "".join(f"7 Q0 {name} 0 {100 - rank} t\n" for rank, name in enumerate(order))
    Path("run").write_text(ranked + "8 Q0 a 1 2 t\n8 Q0 b 2 2 t\n8 Q0 c 3 2 t\n")
    asked = "evaluate", "qrels", "run", "-f", "trec", "-q"
    found = cranfield(*asked, "-m", "relstring")
    assert (found.status, found.out) == (
        0,
        "relstring             \t7\t'03-.>.9>-1'\nrelstring             \t8\t'--1'\nrelstring             \t6\t''\n",
    )
    found = cranfield(*asked, "-m", "relstring.12", "-m", "num_ret,relstring_2", "-m", "relstring.12")
    assert found.out == (
        "num_ret               \t7\t12\n"
        "relstring_12          \t7\t'03-.>.9>-12-'\n"
        "relstring_2           \t7\t'03'\n"
        "num_ret               \t8\t3\n"
        "relstring_12          \t8\t'--1'\n"
        "relstring_2           \t8\t'--'\n"
        "num_ret               \t6\t0\n"
        "relstring_12          \t6\t''\n"
        "relstring_2           \t6\t''\n"
        "num_ret               \tall\t15\n"
    )
    judged_only = cranfield(*asked, "-m", "relstring", "--unjudged", "condense", "--compat", "trec_eval")
    assert judged_only.out.splitlines()[0] == "relstring             \t7\t'03>9>12'"


@pytest.mark.parametrize("form", [("-q",), ("-f", "trec"), ("-q", "-f", "json"), ("-q", "-f", "tsv")])
def test_relstring_is_no_number(form: tuple[str, ...]) -> None:
    ended = cranfield("evaluate", "qrels.txt", "late.run", "-m", "map", "-m", "relstring.5", *form)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == (
        "cranfield: error: relstring is a string for each topic and not a number: "
        "only --format trec with --by-topic prints it\n"
    )


def test_relstring_needs_an_order() -> None:
    ended = cranfield("evaluate", "qrels.txt", "late.run", "-m", "relstring", "-f", "trec", "-q", "--ties", "expected")
    assert (ended.status, ended.out) == (2, "")
    assert "relstring needs the documents in one order, which --ties expected leaves open" in ended.err


def test_trec_holds_one_run() -> None:
    ended = cranfield("evaluate", "qrels.txt", *RUNS, "-f", "trec")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == "cranfield: error: --format trec holds one run, not 3: use tsv, csv or json\n"


# ---- the table


def test_table() -> None:
    assert printed("evaluate", "qrels.txt", *RUNS, "-m", "RR", "-m", "Unjudged@2", "-m", "NumRet") == (
        "    system        RR   Unjudged@2   NumRet\n"
        "──────────────────────────────────────────\n"
        "1   best     1.0000*      0.0000*       3\n"
        "2   late     0.5000       0.2500        4*\n"
        "3   none     0.0000       0.5000        2\n"
        "\n"
        "3 systems by RR, 2 topics of qrels; ties=trec; * best of its column\n"
        "RR counts labels of 1 or more as relevant; labels go up to 2\n"
    )


def test_the_first_measure_orders_the_table() -> None:
    def order(*measures: str) -> list[str]:
        asked = [part for name in measures for part in ("-m", name)]
        lines = printed("evaluate", "qrels.txt", *RUNS, *asked).partition("\n\n")[0].splitlines()[2:]
        assert [line.split()[0] for line in lines] == (["1"] * 3 if measures[0] == "NumQ" else ["1", "2", "3"])
        return [line.split()[1] for line in lines]

    assert order("RR") == ["best", "late", "none"]
    assert order("Unjudged@1", "RR") == ["best", "late", "none"], "fewer is better"
    assert order("NumQ", "RR") == ["best", "late", "none"], "equal ones by name"
    assert order("NumRet", "RR") == ["late", "best", "none"]


def test_a_run_without_values_stands_last(folder: Path) -> None:
    (folder / "a.run").write_text("1 Q0 a 1 1 x\n")
    (folder / "qrels.txt").write_text("1 0 b 0\n2 0 a 1\n")
    ended = cranfield(
        "evaluate", "qrels.txt", "a.run", "none.run", "-m", "AP", "--missing", "skip", "--undefined", "keep"
    )
    table, _, caption = ended.out.partition("\n\n")
    assert [line.split() for line in table.splitlines()[2:]] == [["none", "0.0000"], ["a", "nan"]]
    assert caption.splitlines() == [
        "2 systems by AP, 2 topics of qrels; ties=trec, missing=skip, undefined=keep; AP: means are over different "
        "topics and do not rank systems",
        "many of the first 10 documents are not judged, and count as not relevant (a 100.0%, none 100.0%)",
        "judged topics are absent from runs, and left out of their means (a 50.0%)",
    ]


def test_a_star_is_explained_where_there_is_one(folder: Path) -> None:
    one = cranfield("evaluate", "qrels.txt", "best.run", "-m", "AP")
    equal = cranfield("evaluate", "qrels.txt", "best.run", "late.run", "-m", "NumQ", "-f", "markdown")
    assert "\n1 system, 2 topics of qrels; ties=trec\n" in one.out
    assert "2 systems by NumQ, 2 topics of qrels; ties=trec; cranfield " in equal.out
    for arguments, sign in (((), "*"), (("-f", "markdown"), "bold:"), (("-f", "latex"), "bold:")):
        ended = cranfield("evaluate", "qrels.txt", "best.run", "late.run", "-m", "AP", *arguments)
        assert f"ties=trec; {sign} best of its column" in ended.out


def test_where_there_is_nothing_to_win_there_is_no_star() -> None:
    for runs, who in ((("best.run",), "1 system"), (("best.run", "late.run"), "2 systems by NumQ")):
        table, _, caption = printed("evaluate", "qrels.txt", *runs, "-m", "NumQ").partition("\n\n")
        assert "*" not in table
        assert caption.startswith(f"{who}, 2 topics of qrels; ties=trec")


def test_equal_best_values_all_carry_the_star(folder: Path) -> None:
    (folder / "copy.run").write_text((folder / "best.run").read_text())
    lines = printed("evaluate", "qrels.txt", "late.run", "best.run", "copy.run", "-m", "RR").splitlines()
    ranked = [["1", "best", "1.0000*"], ["1", "copy", "1.0000*"], ["3", "late", "0.5000"]]
    assert [line.split() for line in lines[2:5]] == ranked


def test_every_table_has_systems_best_first_and_files_of_scores_have_the_order_of_the_runs(folder: Path) -> None:
    (folder / "copy.run").write_text((folder / "best.run").read_text())
    names = ["late", "copy", "none", "best"]
    rows = printed("evaluate", "qrels.txt", *(f"{name}.run" for name in names), "-m", "RR", "-f", "tsv").splitlines()
    assert [row.split()[0] for row in rows[1:]] == names
    frame = pd.DataFrame(np.random.default_rng(1).random((8, 4)) / 9 + [0.4, 0.8, 0, 0], columns=names)
    frame["best"] = frame["copy"]
    with pytest.warns(package.CranfieldWarning, match="have the same scores on every topic"):
        tables = (
            package.compare(frame).to_frame("means"),
            package.comparison.estimate_ranks(frame).to_frame(),
            package.board(frame.T.rename_axis("model"), values_only=True).to_frame(),
        )
    for table in tables:
        assert table["system"].tolist() == ["best", "copy", "late", "none"]
    assert all(table["rank"].tolist() == [1, 1, 3, 4] for table in tables[1:])


def test_table_by_topic() -> None:
    assert printed("evaluate", "qrels.txt", "late.run", "best.run", "-m", "RR", "-m", "NumRet", "-q") == (
        "    system   topic        RR   NumRet\n"
        "─────────────────────────────────────\n"
        "    best     2       1.0000        1\n"
        "    best     1       1.0000        2\n"
        "1   best     all     1.0000*       3\n"
        "\n"
        "    late     2       0.5000        2\n"
        "    late     1       0.5000        2\n"
        "2   late     all     0.5000        4*\n"
        "\n"
        "2 systems by RR, 2 topics of qrels; ties=trec; * best of its column\n"
        "RR counts labels of 1 or more as relevant; labels go up to 2\n"
    )


def test_a_geometric_mean_has_no_cell_of_a_topic() -> None:
    lines = printed("evaluate", "qrels.txt", "late.run", "-m", "GMAP", "-q").splitlines()
    of_topics = [line.split() for line in lines if line.split()[:1] == ["late"]]
    assert [cells[1] for cells in of_topics] == ["2", "1"]
    assert all("0." not in cell for cells in of_topics for cell in cells[2:]), "what stands for a topic is its AP"


def test_large_counts_are_readable(folder: Path) -> None:
    (folder / "x.run").write_text(
        "".join(f"1 Q0 d{number} 1 {-number} x\n" for number in range(1234)) + "2 Q0 a 1 1 x\n"
    )
    lines = printed("evaluate", "qrels.txt", "x.run", "-m", "NumRet").splitlines()
    assert lines[2].split() == ["1", "x", "1,235"]
    assert printed("evaluate", "qrels.txt", "x.run", "-m", "NumRet", "-f", "tsv").endswith("\t1235.0\n")


HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202ename"


def test_hostile_names_are_written_out_in_a_table(folder: Path) -> None:
    (folder / f"{HOSTILE}.txt").write_text(f"{HOSTILE} 0 a 1\n")
    (folder / f"{HOSTILE}.run").write_text(f"{HOSTILE} Q0 a 1 1 {HOSTILE}\n\u2028topic Q0 a 1 1 other\n")
    for options in ((), ("-q",), ("--names", "tag")):
        ended = cranfield("evaluate", f"{HOSTILE}.txt", f"{HOSTILE}.run", *options)
        assert ended.status == 0
        assert "\\x1b[2J\\x1b]0;owned\\x07\\x9b31m\\u202ename" in ended.out
        for text in (ended.out, ended.err):
            assert all(line.isprintable() for line in text.split("\n"))
    for arguments in (
        (f"{HOSTILE}.tx", f"{HOSTILE}.run"),
        (f"{HOSTILE}.run", "best.run"),
        ("qrels.txt", f"{HOSTILE}.run"),
    ):
        ended = cranfield("evaluate", *arguments)
        assert (ended.status, ended.out) == (1, "")
        assert ended.err.startswith("cranfield: error: ")
        assert all(line.isprintable() for line in ended.err.split("\n"))


def test_names_may_hold_what_tables_are_made_of(folder: Path) -> None:
    (folder / "[bold]x :smile:.run").write_text("1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n")
    assert "[bold]x :smile:" in printed("evaluate", "qrels.txt", "[bold]x :smile:.run", "-m", "RR")


def test_long_names_are_not_cut(folder: Path) -> None:
    name = "x" * 200
    (folder / f"{name}.run").write_text("1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n")
    assert f"1   {name}" in printed("evaluate", "qrels.txt", f"{name}.run")
