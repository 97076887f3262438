"""Tables, JSON and frames as other tools and people write them: read as they are meant, or refused by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.errors import FormatError
from cranfield.io import read_intent_weights

pytestmark = pytest.mark.usefixtures("each_engine")

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
ROWS = [("q1", "b", 2.0), ("q1", "a", 1.0), ("q2", "c", 1.0)]
Row = dict[str, Any]


def rows(**more: list[Any]) -> list[Row]:
    return [
        {"qid": topic, "docno": document, "score": score, **{name: values[row] for name, values in more.items()}}
        for row, (topic, document, score) in enumerate(ROWS)
    ]


def as_csv(folder: Path, given: list[Row]) -> Any:
    path = folder / "run.csv"
    path.write_text("\n".join([",".join(given[0]), *(",".join(map(str, row.values())) for row in given)]) + "\n")
    return path


def as_tsv(folder: Path, given: list[Row]) -> Any:
    path = as_csv(folder, given)
    path.write_text(path.read_text().replace(",", "\t"))
    return path


def as_lines(folder: Path, given: list[Row]) -> Any:
    path = folder / "run.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in given))
    return path


def as_json(folder: Path, given: list[Row]) -> Any:
    path = folder / "run.json"
    path.write_text(json.dumps(given))
    return path


def as_parquet(folder: Path, given: list[Row]) -> Any:
    path = folder / "run.parquet"
    pq.write_table(pa.Table.from_pylist(given), path)
    return path


def as_frame(_: Path, given: list[Row]) -> Any:
    return pd.DataFrame(given)


def as_arrow(_: Path, given: list[Row]) -> Any:
    return pa.Table.from_pylist(given)


def as_records(_: Path, given: list[Row]) -> Any:
    return given


def as_tuples(_: Path, given: list[Row]) -> Any:
    return list(pd.DataFrame(given).itertuples(index=False))


FILES = [as_csv, as_tsv, as_lines, as_json, as_parquet]
IN_MEMORY = [as_frame, as_arrow, as_records, as_tuples]
Form = Callable[[Path, list[Row]], Any]


def rr(run: Any, qrels: Any = QRELS, **how: Any) -> float:
    (means,) = cranfield.evaluate_means(run, qrels, "RR", **how).values()
    return float(means["RR"])


@pytest.mark.parametrize("column", ["system", "model", "run", "tag", "run_id", "Model"])
@pytest.mark.parametrize("form", FILES + IN_MEMORY)
def test_rows_of_two_systems_are_never_one_run(form: Form, column: str, tmp_path: Path) -> None:
    given = form(tmp_path, rows(**{column: ["main", "main", "change"]}))
    if form in IN_MEMORY and column == "system":
        with pytest.warns(CranfieldWarning, match="missing"):
            assert list(cranfield.evaluate_means(given, QRELS, "RR")) == ["main", "change"]
        return
    with pytest.raises(InputError, match=r"'main' and 'change'") as refused:
        cranfield.evaluate(given, QRELS, "RR")
    assert (refused.value.code, refused.value.value) == ("several-systems", "change")
    assert column in str(refused.value)
    if form in IN_MEMORY:
        with pytest.warns(CranfieldWarning, match="missing"):
            found = cranfield.evaluate_means(given, QRELS, "RR", columns={"system": column})
        assert list(found) == ["main", "change"]


@pytest.mark.parametrize("form", FILES + IN_MEMORY)
def test_one_system_in_a_column_is_one_run(form: Form, tmp_path: Path) -> None:
    assert rr(form(tmp_path, rows(tag=["x"] * 3, model=[1] * 3))) == 0.75


@pytest.mark.parametrize("form", [as_json, as_parquet, as_arrow])
def test_what_is_said_of_one_system_in_a_structure(form: Form, tmp_path: Path) -> None:
    assert rr(form(tmp_path, rows(model=[{"name": "x"}] * 3))) == 0.75


@pytest.mark.parametrize("form", FILES + IN_MEMORY)
def test_ranks_without_scores_are_ranks(form: Form, tmp_path: Path) -> None:
    ranked = [
        {"qid": topic, "docno": document, "rank": rank}
        for (topic, document, _), rank in zip(ROWS, (1, 2, 1), strict=True)
    ]
    given = form(tmp_path, ranked)
    with pytest.warns(CranfieldWarning, match="the score of each of the 3 documents is minus its rank"):
        assert rr(given) == 0.75
    with pytest.warns(CranfieldWarning, match="the column 'rank' is named as the score, .* and holds ranks"):
        assert rr(form(tmp_path, ranked), columns={"score": "rank"}) == 1
    other = form(tmp_path, [{"qid": row["qid"], "docno": row["docno"], "at": row["rank"]} for row in ranked])
    with pytest.warns(CranfieldWarning, match="the column 'at' is named as the score, .* and holds ranks"):
        assert rr(other, columns={"score": "at"}) == 1
    with pytest.warns(CranfieldWarning, match="minus its rank"):
        assert rr(other, columns={"rank": "at"}) == 0.75


def test_a_table_with_positions_alone_is_told_how_to_name_them(tmp_path: Path) -> None:
    frame = pd.DataFrame({"qid": ["q1"], "docno": ["a"], "position": [1]})
    for given in (frame, as_csv(tmp_path, frame.to_dict("records"))):
        with pytest.raises(InputError, match=r"'position' holds ranks, name it .* columns=\{'rank': 'position'\}"):
            rr(given)


@pytest.mark.parametrize("form", FILES + IN_MEMORY)
def test_a_rank_that_is_a_score_is_not_turned_round(form: Form, tmp_path: Path) -> None:
    ranked = [{"qid": topic, "docno": document, "rank": score / 4} for topic, document, score in ROWS]
    with pytest.raises(InputError, match=r"'0\.5' is not a whole number, as ranks are; .* --columns score=rank"):
        rr(form(tmp_path, ranked))
    assert rr(form(tmp_path, ranked), columns={"score": "rank"}) == 0.75


@pytest.mark.parametrize("name", ["qid", "docno", "score"])
@pytest.mark.parametrize("mark", [",", "\t"])
def test_a_column_that_is_read_and_there_twice_is_refused(name: str, mark: str, tmp_path: Path) -> None:
    run = tmp_path / "run.csv"
    lines = [["qid", "docno", "score", name], ["q1", "b", "1", "2"]]
    run.write_text("".join(mark.join(line) + "\n" for line in lines))
    with pytest.raises(FormatError, match=rf":1: two columns are called '{name}'; rename one, or leave it out"):
        rr(run)
    run.write_text("".join(mark.join(["text", *line[:3], "text"]) + "\n" for line in lines))
    with pytest.warns(CranfieldWarning, match="missing"):
        assert rr(run) == 0
    qrels = tmp_path / "qrels.csv"
    qrels.write_text(mark.join(["qid", "docno", "label", "label"]) + "\n" + mark.join(["q1", "b", "1", "0"]) + "\n")
    with pytest.raises(FormatError, match=":1: two columns are called 'label'"):
        cranfield.read_qrels(qrels)


def test_a_column_of_a_frame_that_is_there_twice() -> None:
    frame = pd.DataFrame(rows())
    with pytest.raises(InputError, match="two columns of the frame are called 'score'"):
        rr(pd.concat([frame, frame[["score"]]], axis=1))
    unread = pd.concat([frame, frame[["score"]].rename(columns={"score": "text"})], axis=1)
    assert rr(pd.concat([unread, unread[["text"]]], axis=1)) == 0.75


@pytest.mark.parametrize("form", [*FILES, as_frame, as_arrow, as_records])
def test_two_spellings_of_a_name_are_two_columns(form: Form, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'score' and 'Score' of the (file|frame) could each be the score"):
        rr(form(tmp_path, rows(Score=[1, 2, 3])))


@pytest.mark.parametrize(
    "names", [("QID", "DocNo", "Score"), ("Query ID", "Doc_Id", "SCORE"), ("QueryId", "DocID", "score")]
)
@pytest.mark.parametrize("form", FILES + IN_MEMORY)
def test_capitals_do_not_hide_a_column(form: Form, names: tuple[str, ...], tmp_path: Path) -> None:
    if form is as_tuples and " " in names[0]:
        return
    assert rr(form(tmp_path, [dict(zip(names, row, strict=True)) for row in ROWS])) == 0.75


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("who,what,much\nq1,a,2\n", "this is a table with commas .* 'who', 'what', 'much' none is known as topic or"),
        ("who,what\nq1,a\n", "this is a table with commas .* --columns topic=NAME,document=NAME"),
        ("who\twhat\tmuch\nq1\ta\t2\n", "this is a table with tabs .* 'who', 'what', 'much'"),
        (
            "qid;docno;score\nq1;a;2\n",
            "this is a table with semicolons .*'qid', 'docno', 'score'; write it with commas",
        ),
        ('{"who": "q", "what": "a"}\n{"who": "q", "what": "b"}\n', "objects of JSON, one a line; of its columns 'who'"),
        ('{"qid": "q", "have": ["a"]}\n{"qid": "r", "have": ["b"]}\n', "one a line; .* none is known as document"),
    ],
)
def test_a_table_of_unknown_names_is_called_one(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text(text)
    for given in ((path, QRELS), (QRELS, path)):
        with pytest.raises(FormatError, match=said) as refused:
            cranfield.evaluate(*given, "RR")
        assert refused.value.line == 1


def test_runs_and_judgments_name_their_columns_apart(tmp_path: Path) -> None:
    run, qrels = tmp_path / "run.csv", tmp_path / "qrels.csv"
    run.write_text("qid,sku,score\nq1,b,2\nq1,a,1\nq2,c,1\n")
    qrels.write_text("qid,doc_id,label\nq1,a,1\nq2,c,1\n")
    with pytest.raises(FormatError, match=r"no column 'sku'.*run\.document=\.\.\. and qrels\.document=\.\.\."):
        rr(run, qrels, columns={"document": "sku"})
    assert rr(run, qrels, columns={"run.document": "sku"}) == 0.75
    qrels.write_text("qid,asin,label\nq1,a,1\nq2,c,1\n")
    assert rr(run, qrels, columns={"document": "sku", "qrels.document": "asin"}) == 0.75
    frames = pd.read_csv(run), pd.read_csv(qrels)
    assert rr(*frames, columns={"run.document": "sku", "qrels.document": "asin"}) == 0.75
    with pytest.raises(UsageError, match=r"columns has no 'runs\.document'"):
        rr(run, qrels, columns={"runs.document": "sku"})


def test_judgments_without_labels() -> None:
    for relevant in ({"q1": {"a"}, "q2": {"c"}}, {"q1": ["a"], "q2": ("c",)}, {"q1": frozenset("a"), "q2": {"c": 1}}):
        assert cranfield.Qrels.from_dict(relevant).to_dict() == {"q1": {"a": 1.0}, "q2": {"c": 1.0}}
        assert rr({"q1": {"b": 2, "a": 1}, "q2": {"c": 1}}, relevant) == 0.75
    with pytest.raises(UsageError, match="a set of documents, which has no order"):
        rr({"q1": {"a"}}, QRELS)


@pytest.mark.parametrize(
    ("run", "scores"),
    [
        ({"q1": ["b", "a"]}, {"q1": {"b": -1.0, "a": -2.0}}),
        ({"q1": [["b", 2], ["a", "1.5"]], "q2": []}, {"q1": {"b": 2.0, "a": 1.5}}),
    ],
)
def test_lists_of_json_are_in_their_order(run: Any, scores: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(run))
    assert cranfield.read_run(path).to_dict() == scores


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ({"q1": ["b", "b"]}, "topic 'q1': document 'b': document 'b' occurs twice in topic 'q1': keep one"),
        ({"q1": ["b", ["a", 1]]}, "some documents have numbers and others none"),
        ({"q1": [["a", 1, 2]]}, "not the id of a document"),
        ({"q1": ["b"], "q2": {"a": 1}}, "topic 'q1': holds a list, expected an object"),
        ([{"qid": "q1", "docno": "a", "score": 1}, {"qid": "q1"}], "object 2: the key '.*' is not in every object"),
    ],
)
def test_lists_of_json_that_are_none(run: Any, said: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(run))
    with pytest.raises(InputError, match=said):
        cranfield.read_run(path)


def test_judgments_in_lists_of_json(tmp_path: Path) -> None:
    path = tmp_path / "qrels.json"
    path.write_text('{"q1": ["a"], "q2": ["c"]}')
    with pytest.warns(CranfieldWarning, match="each of the 2 documents listed has label 1"):
        assert cranfield.read_qrels(path).to_dict() == {"q1": {"a": 1.0}, "q2": {"c": 1.0}}


def test_a_generator_that_is_used_up() -> None:
    given = (row for row in [("q1", "a", 1), ("q2", "c", 1)])
    assert rr({"q1": {"a": 1}, "q2": {"c": 1}}, given) == 1
    with pytest.raises(UsageError, match=r"generator given as qrels holds nothing: .*list\(\.\.\.\)"):
        rr({"q1": {"a": 1}}, given)
    with pytest.raises(UsageError, match="generator given as a run holds nothing"):
        rr(given, QRELS)


def test_numbers_written_as_text() -> None:
    assert rr({"q1": {"b": "2.0", "a": "1e0"}, "q2": {"c": "1"}}, {"q1": {"a": "1"}, "q2": {"c": 1}}) == 0.75
    assert rr(pd.DataFrame(rows()).astype({"score": str})) == 0.75
    for text in ("1,5", "nan", " 1", "inf", ""):
        with pytest.raises(InputError, match="is not a finite number"):
            rr({"q1": {"b": text}})


def test_a_folder_of_parts_is_named_as_a_data_set(tmp_path: Path) -> None:
    folder = tmp_path / "run.parquet"
    folder.mkdir()
    (folder / "part-00000.parquet").touch()
    with pytest.raises(InputError, match=r"a folder of files that may be parts of one: .* --dataset"):
        rr(folder)


class Retrieved(NamedTuple):
    query_id: str
    doc_id: str
    score: float


def test_named_tuples_without_a_system_are_one_run(tmp_path: Path) -> None:
    assert rr([Retrieved(*row) for row in ROWS]) == 0.75
    with pytest.raises(InputError, match="'main' and 'change'"):
        cranfield.Run.from_rows(as_tuples(tmp_path, rows(model=["main", "main", "change"])))


def test_cbor_with_a_key_twice_or_something_behind_it(tmp_path: Path) -> None:
    cbor2 = pytest.importorskip("cbor2")
    path = tmp_path / "run.cbor"
    path.write_bytes(cbor2.dumps(QRELS))
    assert cranfield.read_qrels(path).to_dict() == {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
    path.write_bytes(cbor2.dumps(QRELS) + b"\x00\x01")
    with pytest.raises(InputError, match="2 bytes follow the end of the CBOR data"):
        cranfield.read_qrels(path)
    for twice in (b"\xa1\x62q1\xa2\x61a\x01\x61a\x02", b"\xa2\x62q1\xa1\x61a\x01\x62q1\xa1\x61b\x01"):
        path.write_bytes(twice)
        with pytest.raises(InputError, match=r"(?i)duplicate map key"):
            cranfield.read_qrels(path)


@pytest.mark.parametrize("code", ["utf-16", "utf-32"])
def test_a_table_in_a_wide_encoding_is_called_so(code: str, tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    path.write_text("qid\tdocno\tscore\nq1\ta\t1\n", encoding=code)
    for form in ("auto", "csv", "json", "jsonl", "prels"):
        with pytest.raises(InputError, match=f"the file is {code.upper()}, not UTF-8 text"):
            (cranfield.read_qrels if form == "prels" else cranfield.read_run)(path, input_format=form)


@pytest.mark.parametrize("kind", ["run", "qrels"])
@pytest.mark.parametrize("encoding", ["utf-32", "utf-32-be"])
def test_utf_32_is_not_called_utf_16(kind: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(("\ufeff" * (encoding != "utf-32") + "1 Q0 a 1\n").encode(encoding))
    with pytest.raises(InputError, match=r"the file is UTF-32, not UTF-8 text; .* -f utf-32 -t utf-8") as refused:
        cranfield.read_run(path) if kind == "run" else cranfield.read_qrels(path)
    assert refused.value.code == "utf32"


HIDDEN_ROWS = {
    "trec": "q0 Q0 a 1 2 t\n#1 Q0 a 1 2 t\n# a b c 1 d\n#2 Q0 a 1 x t\n#3 Q0 a\t1 2 t \r\n",
    "msmarco": "q0 a 1\n#1 a 1\n# a 1\n#2 a x\n#3\ta 1\r\n",
}


@pytest.mark.parametrize("layout", HIDDEN_ROWS)
@pytest.mark.parametrize("scattered", [False, True])
def test_rows_of_a_run_that_are_comments_are_told(layout: str, scattered: bool, tmp_path: Path) -> None:
    path, text = tmp_path / "file", HIDDEN_ROWS[layout]
    first = text.partition("\n")[0] + "\n"
    path.write_text(text + (first.replace("q0", "q5") + first.replace(" a", " b") if scattered else ""))
    told = r":2: the line is skipped as a comment, but has the fields of a row of topic '#1' \(1 more like it\)"
    with pytest.warns(CranfieldWarning, match=told):
        cranfield.read_run(path, input_format=layout)
    with pytest.warns(CranfieldWarning, match=told):
        cranfield.evaluate(path, {"q0": {"a": 1}} | ({"q5": {"a": 1}} if scattered else {}), "RR", input_format=layout)


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        ("trec", "q0 0 a 1\n#1 0 a 1\n# of topics 50\n#2 0 a x\n#3 0\ta 1 \r\n"),
        ("beir", "query-id corpus-id score\n#1 a 1\nq0 a 1\n# topics 50\n#2 a x\n#3\ta 1\n"),
        ("prels", "q0 0 a 1 1\n#1 0 a 1 1\n# of topics 5 0\n#2 0 a x 1\n#3 0 a 2 1\n"),
        ("ntcir", "q0 i a L1\n#1 i a L1\n# of it L1\n#2 i a 1\n#3 i a L2\n"),
    ],
)
def test_rows_of_judgments_that_are_comments_are_told(layout: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.warns(CranfieldWarning, match=r":2: the line is skipped .* topic '#1' \(1 more like it\)"):
        assert cranfield.read_qrels(path, input_format=layout).topics == ("q0",)


def test_weights_that_are_comments_are_told(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    path.write_text("q0 1 0.5\nq0 2 0.5\n#1 1 0.5\n# no weight\n#2 1 half\n")
    with pytest.warns(CranfieldWarning, match=":3: the line is skipped as a comment, .* topic '#1';"):
        read_intent_weights(path)
