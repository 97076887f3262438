"""Labels in words are read as the numbers that a caller gives them, from any source, and refused by name without."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import cranfield
from cli.command import cranfield as shell
from cranfield import InputError, UsageError

WORDS = {"relevant": 2, "partial": 1, "not relevant": 0}
OPTION = "relevant=2,partial=1,not relevant=0"
ROWS = [("q1", "d1", "partial"), ("q1", "d2", "relevant"), ("q1", "d3", "not relevant"), ("q2", "d1", "2")]
NUMBERS = {"q1": {"d1": 1.0, "d2": 2.0, "d3": 0.0}, "q2": {"d1": 2.0}}
RUN = "q1 Q0 d3 1 3 a\nq1 Q0 d2 2 2 a\nq2 Q0 d1 1 1 a\n"
NESTED = {t: {d: label for topic, d, label in ROWS if topic == t} for t in NUMBERS}
FRAME = pd.DataFrame(ROWS, columns=["topic", "document", "label"])
FILES = {
    "trec.txt": "# of people\n" + "".join(f"{t} 0 {d}\t{label} \r\n" for t, d, label in ROWS),
    "beir.tsv": "query-id\tcorpus-id\tscore\n" + "".join("\t".join(row) + "\n" for row in ROWS),
    "table.csv": FRAME.to_csv(index=False),
    "nested.json": json.dumps(NESTED),
    "rows.jsonl": FRAME.to_json(orient="records", lines=True),
}
MEMORY: dict[str, Any] = {"dict": NESTED, "frame": FRAME, "rows": ROWS, "records": FRAME.to_dict("records")}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {**FILES, "a.run": RUN, "b.run": RUN.replace(" 3 a", " 1 a")}.items():
        (tmp_path / name).write_bytes(text.encode())


@pytest.mark.parametrize("name", FILES)
def test_files(name: str) -> None:
    read = cranfield.read_qrels(name, labels=WORDS)
    assert read.to_dict() == NUMBERS
    assert read.sha256 == hashlib.sha256(FILES[name].encode()).hexdigest()
    with pytest.raises(InputError) as refused:
        cranfield.read_qrels(name, labels={"relevant": 2, "partial": 1})
    assert "not relevant" in str(refused.value)
    assert "labels={'not relevant': 1}" in str(refused.value)
    assert str(refused.value).startswith(name)


def test_the_line_and_the_value_are_named() -> None:
    with pytest.raises(InputError, match=r"^trec\.txt:2: the label 'partial' .*labels=\{'partial': 1\}$"):
        cranfield.read_qrels("trec.txt")
    with pytest.raises(InputError, match=r"^table\.csv:4: column 'label': the label 'not relevant'"):
        cranfield.read_qrels("table.csv", labels={"relevant": 2, "partial": 1})


def test_lines_without_a_header_of_beir() -> None:
    Path("plain.tsv").write_text(FILES["beir.tsv"].partition("\n")[2])
    assert cranfield.read_qrels("plain.tsv", input_format="beir", labels=WORDS).to_dict() == NUMBERS


@pytest.mark.parametrize("kind", MEMORY)
def test_memory(kind: str) -> None:
    run = {"q1": {"d3": 3.0, "d2": 2.0}, "q2": {"d1": 1.0}}
    scores = cranfield.evaluate(run, MEMORY[kind], "nDCG@10", labels=WORDS)
    wanted = cranfield.evaluate(run, NUMBERS, "nDCG@10")
    assert scores["nDCG@10"].to_numpy().tolist() == wanted["nDCG@10"].to_numpy().tolist()
    assert json.loads(scores.attrs["signature"])["qrels"]["labels"] == WORDS
    with pytest.raises(InputError, match=r"labels=\{'partial': 1\}"):
        cranfield.evaluate(run, MEMORY[kind], "nDCG@10")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({"1": 2}, "a number already"),
        ({"relevant": "2"}, r"labels={'relevant': '2'}: 'relevant' is given '2': give a number"),
        ({"": 2}, "should be a word"),
        (["relevant"], "should be a dict"),
        ({"relevant": True}, "give a number"),
    ],
)
def test_wrong_numbers(labels: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        cranfield.InputOptions(labels=labels)


@pytest.mark.parametrize(
    "call",
    [
        ("evaluate", "trec.txt", "a.run"),
        ("check", "trec.txt", "a.run"),
        ("judges", "trec.txt", "table.csv", "--show", "labels"),
        ("table", "trec.txt", "a.run", "b.run", "-m", "AP"),
        ("check", "labels", "trec.txt"),
        ("pool", "order", "a.run", "--qrels", "trec.txt", "--order", "mtf"),
        ("diff", "trec.txt", "a.run", "a.run"),
    ],
    ids=" ".join,
)
def test_commands(call: tuple[str, ...]) -> None:
    """Each refuses words without the option, which it names, and reads them with it as it reads their numbers."""
    refused = shell(*call)
    assert refused.status in (1, 2)
    assert "--labels partial=1" in refused.err + refused.out
    ended = shell(*call, "--labels", OPTION, "-f", "json")
    assert ended.status == 0, ended.err
    for name in ("trec.txt", "table.csv"):
        Path(name).write_text(
            "".join(f"{t} 0 {d} {label:g}\n" for t, row in NUMBERS.items() for d, label in row.items())
        )
    assert json.loads(ended.out)["rows"] == json.loads(shell(*call, "-f", "json").out)["rows"]


def test_a_protocol_repeats_them() -> None:
    assert shell("protocol", "init", "-o", "p.toml", "evaluate", "trec.txt", "-m", "AP", "--labels", OPTION).status == 0
    assert '\nlabels = {relevant = 2.0, partial = 1.0, "not relevant" = 0.0}\n' in Path("p.toml").read_text()
    ended = shell("evaluate", "a.run", "--protocol", "p.toml", "-f", "json")
    assert json.loads(ended.out)["signature"]["qrels"]["labels"] == WORDS
    assert cranfield.Protocol.read("p.toml").evaluate("a.run")["AP"].shape == (2, 1)
    Path("p.toml").write_text(Path("p.toml").read_text().replace("{relevant", '{"a,b" = 1.0, relevant'))
    refused = shell("evaluate", "a.run", "--protocol", "p.toml")
    assert "names 'a,b', and --labels separates them by commas" in refused.err


def test_scores_of_other_numbers_are_not_compared() -> None:
    for name, option in (("one", OPTION), ("two", OPTION.replace("partial=1", "partial=0"))):
        call = ("evaluate", "trec.txt", "a.run", "--labels", option, "--by-topic", "-m", "AP")
        assert shell(*call, "-o", f"{name}.json").status == 0
    ended = shell("compare", "--scores", "one.json", "--scores", "two.json")
    assert "the numbers of labels in words" in ended.err


def test_a_data_set_of_judgments_refuses_them() -> None:
    FRAME.to_parquet("judged.parquet")
    FRAME.assign(score=[3.0, 2.0, 1.0, 1.0]).to_parquet("run.parquet")
    call = ("evaluate", "--dataset", "judged.parquet", "run.parquet", "--labels", OPTION)
    assert "write numbers into its column of labels" in shell(*call).err


def test_wrong_pairs_in_the_shell() -> None:
    for text in ("relevant", "relevant=x", "relevant=1,relevant=2", ""):
        assert (
            "expected WORD=NUMBER,..., each word once" in shell("evaluate", "trec.txt", "a.run", "--labels", text).err
        )


def test_pairs_may_be_given_again() -> None:
    """Each of two options counts, as the advice on a second word is to give one more."""
    call = ("evaluate", "trec.txt", "a.run", "-f", "tsv")
    again = shell(*call, *(word for pair in OPTION.split(",") for word in ("--labels", pair)))
    assert (again.status, again.out) == (0, shell(*call, "--labels", OPTION).out)
    Path("named.csv").write_text("q,d,label,doc\nq1,d2,1,d1\n")
    columns = [word for pair in ("topic=q", "document=d") for word in ("--columns", pair)]
    scored = shell("evaluate", "named.csv", "a.run", "-m", "P@2", "-f", "tsv", "--missing", "skip", *columns)
    assert scored.out.splitlines()[-1] == "a\tall\tP@2\t0.5"
    assert "each role once" in shell("check", "named.csv", *columns, "--columns", "topic=doc").err


HEADERS = [
    ("qid\titer\tdocno\trel", "\t0"),
    ("query-id\tcorpus-id\trel", ""),
]


@pytest.mark.parametrize(("header", "between"), HEADERS)
def test_a_header_is_one_though_its_last_name_is_a_label(header: str, between: str) -> None:
    Path("headed.tsv").write_text(f"{header}\nq1{between}\td1\trel\nq1{between}\td2\t0\n")
    read = cranfield.read_qrels("headed.tsv", labels={"rel": 1})
    assert read.to_dict() == {"q1": {"d1": 1.0, "d2": 0.0}}


def test_a_header_of_lines_is_refused() -> None:
    Path("headed.txt").write_text("qid iter docno relevant\nq1 0 d1 relevant\n")
    with pytest.raises(InputError, match=r"^headed\.txt:1: the label 'relevant' .* if the line is a header, remove it"):
        cranfield.read_qrels("headed.txt", labels={"relevant": 1})


def test_blanks_within_a_label_take_no_time() -> None:
    """Where each blank looked for the end of its line, 100,000 of them took minutes."""
    Path("blanks.txt").write_text(f"q1 0 d1 relevant{' ' * 100_000}x\n")
    begun = time.process_time()
    with pytest.raises(InputError):
        cranfield.read_qrels("blanks.txt", labels=WORDS)
    assert time.process_time() - begun < 1


def test_a_word_with_two_numbers_is_refused() -> None:
    """Blanks around it are none of it, so that the later would count without a word."""
    with pytest.raises(UsageError, match="'relevant' is there twice, with two numbers"):
        cranfield.evaluate({"r": {"q": {"a": 1.0}}}, {"q": {"a": "relevant"}}, labels={"relevant": 1, " relevant": 0})
