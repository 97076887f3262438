"""What other packages write is read back: by the packages themselves where they are here, and by random runs."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from choices import input_formats
from cranfield import InputError, UsageError
from cranfield.io.formats import all_formats
from effort import examples

IDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=6).map(str.strip).filter(bool)
SCORES = st.floats(-1e9, 1e9) | st.sampled_from([0.0, 1e-300, 1e300])
RUNS = st.dictionaries(IDS, st.dictionaries(IDS, SCORES, min_size=1, max_size=4), min_size=1, max_size=4)


def rows_of(run: dict[str, dict[str, float]]) -> list[tuple[str, str, float]]:
    return [(topic, document, score) for topic, row in run.items() for document, score in row.items()]


def mteb(run: dict[str, Any]) -> bytes:
    return json.dumps({"default": {"test": run}, "mteb_model_meta": {"model_name": "m", "revision": None}}).encode()


def sentences(run: dict[str, Any]) -> bytes:
    lines = [
        {"query_id": topic, "query": "?", "results": [{"corpus_id": d, "score": s} for d, s in row.items()]}
        for topic, row in run.items()
    ]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def lines(run: dict[str, Any]) -> bytes:
    rows = [json.dumps(dict(zip(("qid", "docno", "score"), row, strict=True))) for row in rows_of(run)]
    return ("\n".join(rows) + "\n").encode()


def csv(run: dict[str, Any]) -> bytes:
    frame = pd.DataFrame(rows_of(run), columns=["query_id", "doc_id", "score"])
    return bytes(frame.to_csv(index=False).encode())


WRITERS = {
    "json": lambda run: json.dumps(run).encode(),
    "mteb": mteb,
    "sentence-transformers": sentences,
    "jsonl": lines,
    "csv": csv,
}


@pytest.mark.parametrize("name", WRITERS)
def test_random_runs_come_back(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / "x"

        @examples(10)
        @given(run=RUNS, packed=st.booleans())
        def come_back(run: dict[str, dict[str, float]], packed: bool) -> None:
            text = WRITERS[name](run)
            path.write_bytes(gzip.compress(text, 1) if packed else text)
            assert cranfield.read_run(path).to_dict() == run
            assert cranfield.read_run(path, input_format=name).to_dict() == run

        come_back()


RANX = """
import sys, ranx
run = ranx.Run({"q1": {"d1": 0.5, "d2": 0.25}, "q2": {"d1": -1.0}}, name="mine")
qrels = ranx.Qrels({"q1": {"d1": 1, "d2": 2}, "q2": {"d3": 1}})
for ending in ("json", "lz4", "parquet", "trec"):
    run.save(f"{sys.argv[1]}/run.{ending}")
for ending in ("json", "parquet", "trec"):
    qrels.save(f"{sys.argv[1]}/qrels.{ending}")
print(ranx.evaluate(qrels, run, "ndcg@10"))
"""


@pytest.mark.heavy  # it is compiled anew, in a process of its own: the others hold its objects as they are
def test_ranx_writes_what_is_read(tmp_path: Path) -> None:
    process = [sys.executable, "-W", "ignore", "-c", RANX, str(tmp_path)]
    value = float(subprocess.check_output(process, env={**os.environ, "NUMBA_DISABLE_JIT": "0"}))
    for ending in ("json", "lz4", "parquet", "trec"):
        read = cranfield.read_run(tmp_path / f"run.{ending}").to_dict()
        assert read == {"q1": {"d1": 0.5, "d2": 0.25}, "q2": {"d1": -1.0}}
    for ending in ("json", "parquet", "trec"):
        judged = cranfield.read_qrels(tmp_path / f"qrels.{ending}").to_dict()
        assert judged == {"q1": {"d1": 1, "d2": 2}, "q2": {"d3": 1}}
    ours = cranfield.evaluate(tmp_path / "run.lz4", tmp_path / "qrels.json", "nDCG@10")
    assert ours["nDCG@10"].mean().item() == pytest.approx(value)


def test_frames_of_recommenders_by_the_names_of_their_columns(tmp_path: Path) -> None:
    run = pd.DataFrame({"who": [1, 1, 2], "what": [10, 11, 10], "guess": [0.5, 0.25, 1.0], "rank": [1, 2, 1]})
    run.to_parquet(tmp_path / "run.parquet")
    pl.DataFrame({"who": [1, 2], "what": [11, 10], "stars": [1, 1]}).write_parquet(tmp_path / "qrels.parquet")
    names = {"topic": "who", "document": "what", "score": "guess", "label": "stars"}
    files = tmp_path / "run.parquet", tmp_path / "qrels.parquet"
    assert cranfield.evaluate(*files, "RR", columns=names)["RR"].values.tolist() == [[0.5], [1.0]]
    assert cranfield.evaluate(*files, "RR", columns=names, ties="rank")["RR"].values.tolist() == [[0.5], [1.0]]
    read = cranfield.read_run(files[0], columns=names)
    assert read.rank is not None and read.rank.tolist() == [1, 2, 1]
    with pytest.raises(InputError, match=r"run\.parquet: the file has no column topic \(.*its columns are 'who'") as no:
        cranfield.read_run(files[0])
    assert (no.value.code, no.value.value) == ("column", "topic")
    with pytest.raises(InputError, match="has no column 'whom', which is to be the topic"):
        cranfield.read_run(files[0], columns={"topic": "whom"})
    with pytest.raises(UsageError, match="columns has no 'subject'"):
        cranfield.read_run(files[0], columns={"subject": "who"})


def test_several_systems_in_one_file_are_refused(tmp_path: Path) -> None:
    frame = pd.DataFrame({"system": ["a", "b"], "qid": ["1", "1"], "docno": ["x", "y"], "score": [1.0, 2.0]})
    frame.to_csv(tmp_path / "run.csv", index=False)
    with pytest.raises(InputError) as refused:
        cranfield.read_run(tmp_path / "run.csv")
    assert (refused.value.line, refused.value.code, refused.value.value) == (3, "several-systems", "b")


def test_duplicates_as_the_policy_says(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("qid,docno,score\n1,a,1\n1,b,3\n1,a,2\n")
    with pytest.raises(InputError, match=r"run\.csv:4: column 'docno': document 'a' occurs twice in topic '1'"):
        cranfield.read_run(path)
    with pytest.warns(cranfield.CranfieldWarning, match=r"run\.csv:4: document 'a' occurs twice"):
        run = cranfield.read_run(path, on_duplicate="first")
    assert run.to_dict() == {"1": {"a": 2.0, "b": 3.0}}


def test_labels_that_contradict_each_other_name_both_rows(tmp_path: Path) -> None:
    frame = pd.DataFrame({"qid": ["1", "2", "1"], "docno": ["x", "x", "x"], "label": [1, 1, 2]})
    frame.to_parquet(tmp_path / "q.parquet")
    frame.to_csv(tmp_path / "q.csv", index=False)
    said = "document 'x' of topic '1' has another label in"
    with pytest.raises(InputError, match=rf"q\.parquet: row 3: column 'label': {said} row 1: column 'label'; keep"):
        cranfield.read_qrels(tmp_path / "q.parquet")
    with pytest.raises(InputError, match=rf"q\.csv:4: column 'label': {said} line 2; keep one"):
        cranfield.read_qrels(tmp_path / "q.csv")


def test_damaged_parquet(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"PAR1" + bytes(50) + b"PAR1")
    with pytest.raises(InputError, match=r"x\.parquet: the Parquet data are damaged") as refused:
        cranfield.read_run(tmp_path / "x.parquet")
    assert refused.value.code == "damaged"


@pytest.mark.parametrize(
    ("package", "extra", "file"), [("pyarrow", "parquet", "x.parquet"), ("lz4", "formats", "x.lz4")]
)
def test_a_package_that_is_not_there_is_named(
    package: str, extra: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import lz4.frame

    pd.DataFrame({"qid": ["1"], "docno": ["x"], "score": [1.0]}).to_parquet(tmp_path / "x.parquet")
    (tmp_path / "x.lz4").write_bytes(lz4.frame.compress(b'{"1": {"x": 1.0}}'))
    for module in (package, f"{package}.frame", f"{package}.parquet"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(InputError, match=rf"needs {package}, .*: pip install 'cranfield\[{extra}\]'$") as refused:
        cranfield.read_run(tmp_path / file)
    assert (refused.value.code, refused.value.value) == ("package", package)


def test_a_good_file_of_lines_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.run"
    path.write_text("1 Q0 a 1 2 t\n")
    monkeypatch.setattr(
        "cranfield.reference_engine.decompression.unpack_signed_text",
        lambda *given: pytest.fail("it is looked at again"),
    )
    assert cranfield.read_run(path).to_dict() == {"1": {"a": 2.0}}
    path.write_text("1 Q0 a 1 2 t\n" * 70 + "1 Q0 b\n")
    with pytest.raises(InputError, match=r"x\.run:71: 3 fields"):
        cranfield.read_run(path)


def test_a_format_is_its_file() -> None:
    declared = all_formats()
    assert set(input_formats()) == {"auto", *declared}
    for form in declared.values():
        assert form.holds and form.example.startswith(("evaluate ", "judges "))
        assert form.run or form.qrels or form.layout
