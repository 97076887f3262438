"""Data sets: where their files are, what is read of them, and what is refused."""

from __future__ import annotations

import gzip
import json
import pickle
import warnings
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.feather
import pyarrow.fs
import pyarrow.parquet as pq
import pytest

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.engine import Engine
from cranfield.memory import parse_size
from cranfield.partitions import Dataset, evaluate_partitions

QRELS = {"1": {"10": 1, "9": 0}, "2": {"10": 2}, "3": {"8": 1}}
RUN = {"1": {"10": 1.0, "9": 2.0}, "2": {"10": 1.0, "7": 1.0}, "3": {"8": 0.5}}
AP = cranfield.evaluate_means(RUN, QRELS, "AP")["run"]


def table(run: dict[str, dict[str, float]], value: str = "score", text: bool = False) -> pa.Table:
    rows = [(topic, document, number) for topic, row in run.items() for document, number in row.items()]
    topics, documents, values = zip(*rows, strict=True)
    ids = [pa.array([one if text else int(one) for one in some]) for some in (topics, documents)]
    return pa.table({"qid": ids[0], "docno": ids[1], value: pa.array(values, pa.float64())})


def put(folder: Path, *parts: pa.Table, name: str = "part-{}.parquet", **how: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number, part in enumerate(parts):
        pq.write_table(part, folder / name.format(number), **how)
    return folder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run in three files."""
    return put(tmp_path / "bm25", *(table({topic: row}) for topic, row in RUN.items()))


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    """Judgments in one file."""
    return put(tmp_path / "qrels", table(QRELS, "label"))


def ap(run: Any, qrels: Any, **words: Any) -> dict[str, float]:
    (means,) = evaluate_partitions(run, qrels, "AP", **words).means.values()
    return means


def test_folders_globs_addresses_and_file_systems(run: Path, qrels: Path, tmp_path: Path) -> None:
    (run / "_SUCCESS").write_text("")
    assert ap(run, qrels) == ap(str(run / "part-*.parquet"), qrels) == ap(f"file://{run}", qrels) == AP
    memory = fsspec.filesystem("memory")
    memory.put(str(run), "/lake/bm25", recursive=True)
    memory.put(str(qrels), "/lake/qrels", recursive=True)
    assert ap("memory://lake/bm25", "memory://lake/qrels") == AP
    assert ap(Dataset("/lake/bm25", filesystem=memory), QRELS) == AP
    local = pyarrow.fs.SubTreeFileSystem(str(tmp_path), pyarrow.fs.LocalFileSystem())
    assert ap(Dataset("bm25", filesystem=local), QRELS) == AP
    one = pickle.loads(pickle.dumps(Dataset(run, name="mine")))
    assert list(evaluate_partitions([one], qrels, "AP").means) == ["mine"]
    assert list(evaluate_partitions({"x": one, "y": run}, qrels, "AP").means) == ["x", "y"]


def test_arrow_and_text_files(run: Path, tmp_path: Path, qrels: Path) -> None:
    arrow, text = tmp_path / "arrow", tmp_path / "text"
    arrow.mkdir()
    text.mkdir()
    for number, (topic, row) in enumerate(RUN.items()):
        pyarrow.feather.write_feather(table({topic: row}, text=True), str(arrow / f"{number}.feather"))
        lines = [f"{topic} Q0 {document} 0 {score} tag\n" for document, score in row.items()]
        (text / f"{number}.run").write_text("".join(lines))
    assert ap(arrow, QRELS) == ap(text, QRELS) == ap(arrow, qrels) == ap(text, qrels) == AP
    with pytest.raises(UsageError, match="put the rows of each topic into one file of text"):
        ap(text, QRELS, topic_layout="split")


def text_of(rows: dict[str, dict[str, float]], line: str) -> str:
    return "".join(
        line.format(topic, document, value) for topic, row in rows.items() for document, value in row.items()
    )


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """A folder of the judgments as text, one file of it packed, and a folder of the run."""
    for folder in ("judged", "lists"):
        (tmp_path / folder).mkdir()
    for topic, row in QRELS.items():
        judged = text_of({topic: row}, "{} 0 {} {}\n").encode()
        packed = topic == "2"
        name = f"{topic}.qrels{'.gz' * packed}"
        (tmp_path / "judged" / name).write_bytes(gzip.compress(judged) if packed else judged)
        (tmp_path / "lists" / f"{topic}.run").write_text(text_of({topic: RUN[topic]}, "{} Q0 {} 0 {} tag\n"))
    return tmp_path


def test_judgments_in_many_files_of_text(each_engine: Engine, text: Path, run: Path) -> None:
    judged = text / "judged"
    (text / "all.qrels").write_text(text_of(QRELS, "{} 0 {} {}\n"))
    for given in (judged, f"{judged}/*", Dataset(judged), text / "all.qrels", Dataset(text / "all.qrels")):
        assert ap(text / "lists", given) == ap(run, given) == AP
    found = evaluate_partitions(run, judged, "AP").signature["qrels"]
    assert found["name"] == "judged"
    assert len(found["sha256"]) == 64


def test_the_same_judgment_in_two_files_of_text(each_engine: Engine, text: Path, run: Path) -> None:
    again = text / "judged" / "4.qrels"
    again.write_text("1 0 10 1\n")
    with pytest.warns(CranfieldWarning, match=r"judged: .*document '10'") as said:
        assert ap(run, text / "judged") == AP
    assert "line" not in str(said[0].message)
    again.write_text("1 0 10 3\n")
    with pytest.raises(
        InputError, match=r"judged/4\.qrels: document '10' of topic '1' has another .* in .*judged/1\.qrels"
    ):
        ap(run, text / "judged")


def test_text_beside_parquet_and_text_in_a_store_are_refused(text: Path, run: Path, qrels: Path) -> None:
    (qrels / "a.txt").write_text("1 0 10 1\n")
    with pytest.raises(InputError, match=r"part-0\.parquet: is Parquet, and .*a\.txt is text; keep data of one format"):
        ap(run, qrels)
    (text / "judged" / "x.parquet").write_bytes((qrels / "part-0.parquet").read_bytes())
    with pytest.raises(InputError, match=r"x\.parquet: is Parquet, and .*1\.qrels is text"):
        ap(run, text / "judged")
    memory = fsspec.filesystem("memory")
    memory.put(str(text / "lists"), "/words/lists", recursive=True)
    for runs, judged in (("memory://words/lists", QRELS), (run, "memory://words/lists")):
        with pytest.raises(InputError, match=r"memory://.*1\.run: is text, which is read from this machine alone"):
            ap(runs, judged)


def test_folders_of_hive_are_columns(tmp_path: Path) -> None:
    for topic, row in RUN.items():
        put(tmp_path / "hive" / f"qid={topic}", table({topic: row}).drop_columns(["qid"]))
    assert ap(tmp_path / "hive", QRELS) == AP


@pytest.mark.parametrize("column", ["system", "model", "run", "tag", "run_id"])
@pytest.mark.parametrize("form", ["parquet", "without statistics", "arrow", "folders"])
def test_two_systems_in_a_data_set_are_never_one(column: str, form: str, tmp_path: Path, qrels: Path) -> None:
    def written(*names: str) -> Path:
        folder = tmp_path / "-".join(names)
        for number, name in enumerate(names):
            part = table({str(number + 1): RUN[str(number + 1)]})
            if form == "folders":
                put(folder / f"{column}={name}", part)
                continue
            part = part.append_column(column, pa.array([name] * len(part)))
            if form == "arrow":
                folder.mkdir(exist_ok=True)
                pyarrow.feather.write_feather(part, folder / f"{number}.arrow", compression="uncompressed")
            else:
                put(folder, part, name=f"{number}.parquet", write_statistics=form == "parquet")
        return folder

    with pytest.warns(CranfieldWarning, match="missing"):
        assert ap(written("a", "a"), qrels)["AP"] > 0
    two = written("a", "b")
    for on_duplicate in ("error", "first"):
        with pytest.raises(InputError, match=f"the column '{column}' holds 'a' and 'b'") as refused:
            ap(two, qrels, on_duplicate=on_duplicate)
        assert (refused.value.code, refused.value.value) == ("several-systems", "b")
    if column != "system":
        with pytest.raises(InputError, match=f"'{column}' holds 'a' and 'b'"):
            cranfield.evaluate(Dataset(two), QRELS, "AP")


def test_a_column_of_systems_may_be_named(tmp_path: Path, qrels: Path) -> None:
    parts = [table({topic: row}).append_column("algorithm", pa.array([topic] * len(row))) for topic, row in RUN.items()]
    folder = put(tmp_path / "run", *parts)
    assert ap(folder, qrels) == AP
    with pytest.raises(InputError, match="'algorithm' holds '1' and '2'"):
        ap(folder, qrels, columns={"system": "algorithm"})


def test_ranks_without_scores_are_refused(tmp_path: Path, qrels: Path) -> None:
    folder = put(tmp_path / "run", table({"1": {"10": 1}}, "rank"))
    with pytest.raises(InputError, match=r"has ranks \(column 'rank'\) and no scores; write a column score"):
        ap(folder, qrels)


@pytest.mark.parametrize("texts", [("1 Q0 10 1 2 x\n", "2 Q0 10 1 2 y\n"), ("1 Q0 10 1 2 x\n2 Q0 10 1 2 y\n",)])
@pytest.mark.filterwarnings("ignore:.*missing")
def test_different_tags_in_a_data_set_of_text_are_told(each_engine: Engine, texts: Any, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number}.run").write_text(text)
    with pytest.warns(CranfieldWarning, match="the run tag is 'y' here and 'x' above"):
        assert ap(folder, QRELS)["AP"] > 0


def test_columns_are_recognised_or_given(tmp_path: Path) -> None:
    odd = put(tmp_path / "odd", table(RUN).rename_columns(["person", "thing", "stars"]))
    with pytest.raises(InputError, match=r"part-0\.parquet: the file has no column topic .*'person'"):
        ap(odd, QRELS)
    given = Dataset(odd, columns={"topic": "person", "document": "thing", "score": "stars"})
    assert ap(given, QRELS) == AP


def test_row_groups_without_judged_topics_are_not_read(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []
    real = pq.ParquetFile.iter_batches

    def noted(self: Any, *arguments: Any, **words: Any) -> Any:
        read.append(arguments[1])
        return real(self, *arguments, **words)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", noted)
    with pytest.warns(cranfield.CranfieldWarning, match="missing"):
        found = evaluate_partitions(run, {"2": {"10": 2}, "99": {"1": 1}}, "AP")
    assert found.means["bm25"] == {"AP": 0.25}
    assert read == [[0]]


def test_labels_of_the_whole_are_known_to_each_part(run: Path, tmp_path: Path) -> None:
    """A part alone, with labels 0 and 1, would give other values of what scales labels by the largest one."""
    parts = put(tmp_path / "parts", *(table({topic: row}, "label") for topic, row in QRELS.items()))
    measures = ["RBP", "INST"]
    found = evaluate_partitions(run, parts, measures).means["bm25"]
    assert found == cranfield.evaluate_means(RUN, QRELS, measures)["run"]
    alone = cranfield.evaluate_means({"1": RUN["1"]}, {"1": QRELS["1"]}, measures)["run"]
    together = cranfield.evaluate(RUN, QRELS, measures).sel(topic="1", system="run")
    assert all(alone[name] > 1.5 * float(together[name]) for name in alone)


@pytest.mark.parametrize("topics", ["together", "complete"])
def test_a_topic_in_two_files_is_named_with_both(tmp_path: Path, topics: Any) -> None:
    two = put(tmp_path / "two", table({"1": {"9": 2.0}}), table({"2": {"10": 1.0}, "1": {"10": 1.0}}))
    with pytest.raises(InputError, match=r"topic '1' is also in .*; say topic_layout='split'") as caught:
        ap(two, QRELS, topic_layout=topics)
    assert "part-1.parquet: row group 0, row 2: topic '1' is also in" in str(caught.value)
    assert "part-0.parquet: row group 0, row 1; say" in str(caught.value)
    with pytest.warns(cranfield.CranfieldWarning, match="missing"):
        assert ap(two, QRELS) == {"AP": 0.5}


def test_a_topic_that_comes_again_in_a_file_is_named_with_both_rows(tmp_path: Path) -> None:
    rows = [table({"1": {"9": 2.0}}), table({"2": {"10": 1.0, "7": 1.0}, "3": {"8": 0.5}}), table({"1": {"10": 1.0}})]
    again = put(tmp_path / "again", pa.concat_tables(rows), row_group_size=2)
    with pytest.raises(InputError, match=r"row group 2, row 1: topic '1' occurs again.*row group 0, row 1"):
        ap(again, QRELS, topic_layout="together")
    assert ap(again, QRELS) == ap(again, QRELS, topic_layout="complete") == AP


def test_what_cannot_be_used_is_refused_with_its_place(run: Path, qrels: Path, tmp_path: Path) -> None:
    null = table(RUN).set_column(1, "docno", pa.array([10, 9, None, 7, 8]))
    with pytest.raises(InputError, match=r"row group 1, row 1: there is no document id \(null in column 'docno'\)"):
        ap(put(tmp_path / "null", null, row_group_size=2), QRELS)
    score = table(RUN).set_column(2, "score", pa.array([1.0, None, 1.0, 0.5, 0.25]))
    with pytest.raises(
        InputError, match=r"row group 0, row 2: there is no score \(null in column 'score'\); give every"
    ):
        ap(put(tmp_path / "score", score, row_group_size=2), QRELS)
    put(tmp_path / "schema", table({"1": RUN["1"]}), table({"2": RUN["2"]}, text=True))
    with pytest.raises(InputError, match=r"part-1\.parquet: the topic ids .* are text, and in .*whole numbers"):
        ap(tmp_path / "schema", QRELS)
    score = table(RUN).set_column(2, "score", pa.array([1.0, 2.0, float("nan"), 1.0, 0.5]))
    with pytest.raises(InputError, match=r"row group 0, row 3: column 'score': the score nan is not a finite number"):
        ap(put(tmp_path / "nan", score), QRELS)
    twice = pa.concat_tables([table({"1": {"9": 2.0}}), table({"1": {"9": 1.0}})])
    with pytest.raises(InputError, match=r"row group 0, row 2: document '9' occurs twice in topic '1'"):
        ap(put(tmp_path / "twice", twice), QRELS)
    with pytest.raises(InputError, match="document '9' is judged twice in topic '1'"):
        ap(run, put(tmp_path / "judged", twice.rename_columns(["qid", "docno", "label"])))
    half = tmp_path / "half"
    half.mkdir()
    (half / "part-0.parquet").write_bytes((run / "part-0.parquet").read_bytes()[:-20])
    with pytest.raises(InputError, match=r"part-0\.parquet: the Parquet data are damaged: "):
        ap(half, QRELS)
    (tmp_path / "empty").mkdir()
    for nothing in (tmp_path / "empty", tmp_path / "nowhere", "memory://nowhere"):
        with pytest.raises(InputError, match=r"no file is there|no such file or folder"):
            ap(nothing, QRELS)


def test_a_pattern_that_is_a_name_too_is_refused(tmp_path: Path, qrels: Path) -> None:
    """Whoever put a file beside others does not decide what a pattern means."""
    folder = put(tmp_path / "lake", table(RUN))
    usual = ap(folder / "*.parquet", qrels)
    only = folder / "part-0.parquet"
    (folder / "*.parquet").write_bytes(only.read_bytes())
    with pytest.raises(InputError, match=r"is a name and a pattern of 1 other file: rename what is called so"):
        ap(folder / "*.parquet", qrels)
    (folder / "*.parquet").unlink()
    only.rename(folder / "part-[0].parquet")
    assert ap(folder / "part-[0].parquet", qrels) == usual, "it can be nothing else"


def test_credentials_that_are_missing_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: Any, **__: Any) -> Any:
        raise PermissionError("Access Denied")

    monkeypatch.setattr(fsspec.get_filesystem_class("memory"), "info", denied)
    with pytest.raises(InputError, match=r"memory://bucket: cannot be read: .*; give the credentials"):
        ap("memory://bucket", QRELS)


def test_words_are_checked(run: Path, qrels: Path) -> None:
    with pytest.raises(UsageError, match="topic_layout='sorted' is not one of"):
        ap(run, qrels, topic_layout="sorted")
    with pytest.raises(UsageError, match="memory='much' should be a size such as '500MB'"):
        ap(run, qrels, memory="much")
    with pytest.raises(UsageError, match="needs ranks"):
        ap(run, qrels, ties="rank")
    with pytest.raises(UsageError, match="needs intents"):
        evaluate_partitions(run, qrels, "alpha-nDCG@10")
    assert [parse_size(one) for one in ("500MB", "2 GiB", "1.5k", 7)] == [500_000_000, 2 << 30, 1500, 7]


def test_evaluate_takes_a_data_set_that_has_room(
    run: Path, qrels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = Dataset(qrels)
    expected = {"bm25": AP}
    assert cranfield.evaluate_means(Dataset(run), judged, "AP") == expected
    assert cranfield.evaluate_means([Dataset(run)], judged, "AP") == expected
    assert cranfield.evaluate_means({"x": Dataset(run)}, QRELS, "AP") == {"x": AP}
    odd = put(tmp_path / "odd", table(RUN).rename_columns(["person", "thing", "stars"]))
    named = Dataset(odd, columns={"topic": "person", "document": "thing", "score": "stars"}, name="mine")
    assert cranfield.evaluate_means(named, judged, "AP") == {"mine": AP}
    put(tmp_path / "two", table(RUN), table({"4": {"1": 1.0}}, text=True))
    with pytest.raises(InputError, match=r"part-1.parquet: has other columns than .*'qid' is string, there int64"):
        cranfield.evaluate_means(Dataset(tmp_path / "two"), QRELS, "AP")
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "a.run").write_text("1 Q0 10 1 1.0 x\n")
    with pytest.raises(InputError, match="holds files of text: give them as a glob, or score it part by part"):
        cranfield.evaluate_means(Dataset(tmp_path / "text"), QRELS, "AP")
    monkeypatch.setenv("CRANFIELD_MEMORY", "500")
    with pytest.raises(InputError, match=r"the whole of .*bm25' would take .* of memory, .* allowed: score it part by"):
        cranfield.evaluate_means(Dataset(run), judged, "AP")


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_parts_of_a_run_that_are_given_as_runs_are_noticed(tmp_path: Path) -> None:
    parts = [{"1": {"9": 2.0}}, {"2": {"9": 1.0, "8": 3.0}}, {"3": {"7": 1.0}}]
    qrels = {"1": {"9": 1}, "2": {"9": 1}, "3": {"7": 1}}
    for number, part in enumerate([*parts, parts[1] | {"1": {"9": 1.0}}]):
        (tmp_path / f"part-{number}.json").write_text(json.dumps(part))
    runs = [tmp_path / f"part-{number}.json" for number in range(4)]
    said = (
        r"no topic is in two of these 3 runs, which are scored as 3 systems: if they are parts of one run, give their"
    )
    with pytest.warns(cranfield.CranfieldWarning, match=said):
        cranfield.evaluate_means(runs[:3], qrels, "AP")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cranfield.evaluate_means([runs[0], runs[3], runs[2]], qrels, "AP")
        cranfield.evaluate_means(runs[0], {"1": {"9": 1}, "2": {"9": 1}}, "AP")
    assert caught
    assert not any("parts of one run" in str(one.message) for one in caught)
