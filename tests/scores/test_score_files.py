"""Score files: every format there and back, what is recognised, and what is refused with which words."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import cranfield
from cli.command import printed
from cranfield import CranfieldWarning, InputError, UsageError, escaping, evaluate, read_scores, write_scores
from cranfield.errors import FormatError
from data_sets import DATA
from effort import examples

MATRIX = "topic,a,b\n1,0.25,0.5\n2,1,nan\n"


def written(folder: Path, text: str | bytes, name: str = "AP.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def frame(values: Sequence[Sequence[float]], topics: Sequence[str], systems: Sequence[str]) -> xr.DataArray:
    labels: Mapping[str, Any] = {"topic": np.array(topics, dtype=object), "system": np.array(systems, dtype=object)}
    return xr.DataArray(np.array(values, dtype=float), labels, ("topic", "system"))


def same(found: xr.Dataset, expected: Mapping[str, xr.DataArray]) -> None:
    """Equal labels in equal order, and equal bits."""
    assert list(found.data_vars) == list(expected)
    for name, array in expected.items():
        assert found[name].dims == ("topic", "system")
        assert found["topic"].to_numpy().tolist() == array["topic"].to_numpy().tolist()
        assert found["system"].to_numpy().tolist() == array["system"].to_numpy().tolist()
        assert found[name].dtype == np.float64
        np.testing.assert_array_equal(found[name].to_numpy(), array.to_numpy())


# ---- what is read


EXPECTED = frame([[0.25, 0.5], [1, np.nan]], ["1", "2"], ["a", "b"])


@pytest.mark.parametrize(
    "text",
    [
        MATRIX,
        "a,b\n0.25,0.5\n1,\n",
        "a\tb\n.25\t5e-1\n1.\tNA\n",
        ",a,b\n1,0.25,0.5\n2,1,NA\n",
        "Query,a,b\r\n1,0.25,0.5\r\n2,+1,NaN\r\n",
        '"","a","b"\n"1",0.25,0.5\n"2",1,NA\n',
        "a,b\n1,0.25,0.5\n2,1,nan\n",
        "\ufefftopic,a,b\n1,0.25,0.5\n\n2, 1 ,nan",
        "topic\ta\tb\n1\t0.25\t0.5\n2\t1\tnan\n",
        '\n"topic",a,b\n1,0.25,0.5\n2,1,nan\n',
    ],
)
def test_matrices(tmp_path: Path, text: str) -> None:
    same(read_scores(written(tmp_path, text)), {"AP": EXPECTED})


MAX_IN_MEMORY = "run,topic,measure,value\na,1,AP,0.25\na,2,AP,1\na,all,AP,0.6\nb,1,AP,0.5\nb,2,AP,nan\nb,all,AP,0.5\n"


@pytest.mark.parametrize(
    "text",
    [
        MAX_IN_MEMORY,
        MAX_IN_MEMORY.replace("run", "system"),
        MAX_IN_MEMORY.replace(",", "\t"),
        MAX_IN_MEMORY.replace(",", "\t").replace("run", "system"),
        "value,run,measure,topic\n0.25,a,AP,1\n0.5,b,AP,1\n1,a,AP,2\nnan,b,AP,2\n",
        json.dumps(
            {
                "signature": {"ties": "trec"},
                "rows": [
                    {"run": "a", "topic": "1", "measure": "AP", "value": 0.25},
                    {"system": "b", "topic": "1", "measure": "AP", "value": 0.5},
                    {"run": "a", "topic": "2", "measure": "AP", "value": 1},
                    {"run": "b", "topic": "2", "measure": "AP", "value": None},
                ],
            }
        ),
    ],
)
def test_rows(tmp_path: Path, text: str) -> None:
    found = read_scores(written(tmp_path, text, "x.txt"))
    same(found, {"AP": EXPECTED})
    assert found["AP"].attrs["summary"] == "mean"
    assert found["AP"].attrs["reference"]


def test_a_topic_called_all_is_in_nobodys_way_without_topics(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a topic is called 'all'"):
        write_scores(evaluate({"all": {"a": 1.0}}, {"all": {"a": 1}}, "AP"), tmp_path / "x.tsv")
    (tmp_path / "qrels").write_text("all 0 a 1\n")
    (tmp_path / "x.run").write_text("all Q0 b 1 2 x\nall Q0 a 2 1 x\n")
    means = printed("evaluate", tmp_path / "qrels", tmp_path / "x.run", "-m", "AP", "-f", "tsv")
    assert means.splitlines()[1:] == ["x\tall\tAP\t0.5"]


@pytest.mark.data("data/urbano")
@pytest.mark.parametrize(
    ("name", "topics", "systems"),
    [
        ("sigir2019-standardization/data/robust2004_ap.csv", 99, 110),
        ("sigir2019-standardization/data/terabyte2006_ndcg.csv", 149, 61),
        ("adhoc3.csv", 50, 40),
    ],
)
def test_published_matrices(name: str, topics: int, systems: int) -> None:
    path = DATA / "urbano" / name
    found = read_scores(path)
    by_hand = np.loadtxt(path, delimiter=",", skiprows=1)
    (measure,) = found.data_vars
    assert measure == path.stem
    assert dict(found.sizes) == {"topic": topics, "system": systems}
    assert found["topic"].to_numpy().tolist() == [str(number) for number in range(1, topics + 1)]
    np.testing.assert_array_equal(found[measure], by_hand)


def test_the_first_separator_counts(tmp_path: Path) -> None:
    for text, systems in (
        ('topic,a\tb,"x\ty"\n1,2,3\n', ["a\tb", "x\ty"]),
        ("topic\ta,b\n1\t2\n", ["a,b"]),
    ):
        assert read_scores(written(tmp_path, text))["system"].to_numpy().tolist() == systems


def test_several_files_are_several_measures(tmp_path: Path) -> None:
    first = written(tmp_path, MATRIX, "P@10.csv")
    second = written(tmp_path, "topic,b,a\n2,4,3\n1,2,1\n", "mine.csv")
    found = read_scores([first, second])
    assert found["P@10"].attrs["larger_is_better"] == 1
    assert "larger_is_better" not in found["mine"].attrs, "nothing says it"
    same(found, {"P@10": EXPECTED, "mine": frame([[1, 2], [3, 4]], ["1", "2"], ["a", "b"])})
    names = [part["name"] for part in json.loads(found.attrs["signature"])["scores"]]
    assert names == ["P@10.csv", "mine.csv"]


def test_compressed(tmp_path: Path) -> None:
    packed = gzip.compress(MATRIX.encode())
    same(read_scores(written(tmp_path, packed, "AP.csv.gz")), {"AP": EXPECTED})


# ---- what files say of measures


def _as_netcdf(folder: Path, name: str, measure: str, **attributes: Any) -> str:
    made = xr.Dataset({measure: (("topic", "system"), [[0.1, 0.2], [0.3, 0.5]])}, {"system": [f"{name}1", f"{name}2"]})
    made[measure].attrs = attributes
    made.to_netcdf(folder / f"{name}.nc", engine="scipy")
    return str(folder / f"{name}.nc")


@pytest.mark.parametrize(
    ("measure", "fact", "value", "known"),
    [
        ("AP", "larger_is_better", 0, "1"),
        ("AP lower", "larger_is_better", 0, "1"),
        ("NumNonRelJudgedRet", "larger_is_better", 1, "0"),
        ("nDCG@10", "summary", "sum", "mean"),
    ],
)
def test_a_file_cannot_change_what_a_known_measure_is(
    tmp_path: Path, measure: str, fact: str, value: Any, known: str
) -> None:
    said = f"{measure}: the file says {fact} {value}, and of {measure} it is {known}: correct the file"
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        read_scores(_as_netcdf(tmp_path, "a", measure, **{fact: value}))
    assert caught.value.code == "contradiction"
    scores = xr.DataArray([[0.1, 0.2]], {"topic": ["1"], "system": ["a", "b"]}, ("topic", "system"), measure)
    write_scores(scores.assign_attrs({fact: value}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=re.escape(said)):
        read_scores(tmp_path / "a.parquet")
    read_scores(_as_netcdf(tmp_path, "b", "mine", **{fact: value}))


def test_files_that_say_different_things_of_a_measure_are_refused(tmp_path: Path) -> None:
    one = _as_netcdf(tmp_path, "one", "cost", larger_is_better=1)
    two = _as_netcdf(tmp_path, "two", "cost", larger_is_better=0)
    for files in ([one, two], [two, one]):
        with pytest.raises(InputError, match=r"cost: larger_is_better is (True|False) here and (True|False) in .*nc"):
            read_scores(files)
    folder = tmp_path / "folder"
    for number, larger in enumerate((1, 0)):
        scores = read_scores(_as_netcdf(tmp_path, f"s{number}", "cost", larger_is_better=larger))
        write_scores(scores, tmp_path / f"s{number}.parquet")
    folder.mkdir()
    for number in (0, 1):
        (tmp_path / f"s{number}.parquet").rename(folder / f"s{number}.parquet")
    with pytest.raises(InputError, match="cost: larger_is_better is False here and True in"):
        read_scores(folder)


# ---- there and back

NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=5).filter(
    lambda name: name != "all"
)


@st.composite
def score_sets(draw: st.DrawFn, names: st.SearchStrategy[str] = NAMES) -> xr.Dataset:
    topics = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    systems = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    values = st.floats(-1e300, 1e300) | st.just(np.nan)
    shape = len(topics), len(systems)
    return xr.Dataset(
        {
            measure: frame(draw(arrays.arrays(np.float64, shape, elements=values)).tolist(), topics, systems)
            for measure in draw(st.sampled_from([["AP"], ["nDCG@10", "RBP(p=0.9)"], ['odd, "name"']]))
        }
    )


SUMMARIES = ("all", "mean", "amean", "average", "avg", "overall", "macro", "macro avg", "macro average")
"""What rows of means are called."""
WORDS = NAMES.map(lambda name: "".join(name.split()).lstrip("\ufeff") or "x").filter(
    lambda name: name.isprintable() and name not in ("all", "topic")
)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["s.csv.gz", "s.tsv.xz", "s.json.bz2"])
def test_scores_are_packed_by_the_ending(name: str, tmp_path: Path) -> None:
    scores = evaluate({"q1": {"d1": 1.0}, "q2": {"d2": 1.0}}, {"q1": {"d1": 1}, "q2": {"d1": 1}}, ["AP", "RR"])
    write_scores(scores, tmp_path / name)
    assert (tmp_path / name).read_bytes()[:2] in (b"\x1f\x8b", b"BZ", b"\xfd7")
    assert read_scores(tmp_path / name).equals(scores.drop_vars(["tag", "sha256"]))


def test_netcdf_and_parquet_are_not_packed_as_a_whole(tmp_path: Path) -> None:
    scores = evaluate({"q1": {"d1": 1.0}}, {"q1": {"d1": 1}}, "AP")
    for name in ("s.nc.gz", "s.parquet.gz"):
        with pytest.raises(UsageError, match=r"is not packed as a whole: leave \.gz out"):
            write_scores(scores, tmp_path / name)
    with pytest.raises(UsageError, match=r"s\.gz: scores are written to a file whose name ends in \.tsv, \.csv"):
        write_scores(scores, tmp_path / "s.gz")
    assert not list(tmp_path.iterdir())


@pytest.mark.filterwarnings("ignore:.* look alike, and count as two:cranfield.CranfieldWarning")
@pytest.mark.parametrize("format", ["tsv", "csv", "json", "netcdf", "matrix"])
@examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_scores_come_back_as_they_were(tmp_path: Path, format: Any, data: st.DataObject) -> None:
    names = WORDS if format in ("tsv", "netcdf") else NAMES
    scores = data.draw(score_sets(names.filter(lambda name: name.strip().lower() not in SUMMARIES)))
    if format == "matrix":
        scores = scores[list(scores.data_vars)[:1]].rename({next(iter(scores.data_vars)): "AP"})
    path = tmp_path / "AP.csv"
    write_scores(scores, path, format=format)
    same(read_scores(path), {str(name): variable for name, variable in scores.data_vars.items()})


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz"])
def test_rows_of_topics_have_no_summary_among_them(tmp_path: Path, ending: str) -> None:
    """Other programs average and test the rows of topics as they are."""
    scores = cranfield.evaluate({"x": {"1": {"a": 1.0}, "2": {"b": 1.0}}}, {"1": {"a": 1}, "2": {"a": 1}}, "AP, GMAP")
    path, separator = tmp_path / f"scores{ending}", "\t" if ending == ".tsv" else ","
    with pytest.warns(CranfieldWarning, match="GMAP has no value by topic and is left out: summary=True adds"):
        write_scores(scores, path)
    rows = pd.read_csv(path, sep=separator, dtype={"topic": str})
    assert rows.topic.tolist() == ["1", "2"]
    assert rows.value.mean() == cranfield.summarize(scores)["AP"].item()
    write_scores(scores, path, summary=True)
    assert pd.read_csv(path, sep=separator).topic.tolist() == ["1", "2", "all", "all"]


@given(st.text(max_size=4))
def test_guarding_is_undone(name: str) -> None:
    ((field, _),) = csv.reader(io.StringIO(f"{escaping.csv(name)},x\n", newline=""))
    assert escaping.unguarded(field) == name


def test_what_evaluate_prints_is_read(tmp_path: Path) -> None:
    qrels = {"q1": {"a": 2, "b": 1}, "q2": {"b": 1}}
    runs = {"=x": {"q1": {"b": 3.2, "a": 2.9}, "q2": {"b": 7.0}}, "y": {"q1": {"a": 1.0}, "q2": {"c": 1.0}}}
    scores = cranfield.evaluate(runs, qrels, ["nDCG@10", "AP", "NumRet", "GMAP"])
    for ending in (".tsv", ".csv", ".json", ".nc"):
        path = tmp_path / f"scores{ending}"
        write_scores(scores, path, summary=True)
        if ending == ".nc":
            found = read_scores(path)
            assert list(found.data_vars) == ["nDCG@10", "AP", "NumRet", "GMAP"]
        else:
            with pytest.warns(CranfieldWarning, match="GMAP without scores of topics, left out"):
                found = read_scores(path)
            assert list(found.data_vars) == ["nDCG@10", "AP", "NumRet"]
        for name in ("nDCG@10", "AP", "NumRet"):
            xr.testing.assert_equal(
                found[name].drop_vars(["tag", "sha256"], errors="ignore"), scores[name].drop_vars(["tag", "sha256"])
            )
            assert found[name].attrs["summary"] == scores[name].attrs["summary"]
        ours, theirs = cranfield.summarize(found)[["AP", "NumRet"]], cranfield.summarize(scores)[["AP", "NumRet"]]
        assert ours.equals(theirs)


def test_the_signature_of_json_is_kept(tmp_path: Path) -> None:
    scores = cranfield.evaluate({"q": {"a": 1.0}}, {"q": {"a": 1}}, "AP")
    write_scores(scores, tmp_path / "x.json")
    (source,) = json.loads(read_scores(tmp_path / "x.json").attrs["signature"])["scores"]
    assert source["signature"] == json.loads(scores.attrs["signature"])
    assert source["name"] == "x.json"
    assert len(source["sha256"]) == 64


# ---- what is refused


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("topic,a\n1,0.5\n2,x\n", 3, "'x' is not a number such as 0.25; a missing score is nan"),
        ("topic,a\n1,inf\n", 2, "'inf' is not a number"),
        ("topic,a\n1,0x1\n", 2, "'0x1' is not a number"),
        ("topic,a\n1,1_0\n", 2, "'1_0' is not a number"),
        ("topic,a\n1,1e999\n", 2, "too large for a double"),
        ('topic,a\n1,"0,5"\n', 2, "'0,5' is not a number"),
        ("topic,a\n1,0.5,0.5\n1,1,1\n", 3, "topic '1' occurs twice"),
        ("topic,a,b\n1,0.5\n", 2, "2 fields, expected 3 (a topic and 2 systems)"),
        ("a,b\n0.5,1\n0.5\n", 3, "1 field, expected 2 (2 systems)"),
        ("topic,a,a\n1,1,1\n", 1, "system 'a' occurs twice"),
        ("topic,a,\n1,1,1\n", 1, "a system has no name"),
        ("topic,a\n,1\n", 2, "a topic has no name"),
        ("0.25,0.5\n0.5,0.5\n", 1, "the first line should name the systems, and '0.25' is a number"),
        ("word,a\nq1,0.5\n", 2, "'q1' is not a number such as 0.25; a missing score is nan; if the first column"),
        ("a;b\n1;2\n", 2, "separate columns with commas, not semicolons"),
        ('topic,a\n1,"0.5\n', 2, "is not CSV"),
        (
            "whose,topic,measure,value\na,1,AP,0.5\n",
            2,
            "rows of single scores have the header system topic measure value",
        ),
        ("run,topic,measure,value\na,1,AP,x\n", 2, "'x' is not a number"),
        ("run,topic,measure,value\na,1,AP,1\n\na,1,AP,2\n", 4, "AP of system 'a' on topic '1' occurs twice"),
        ("system\ttopic\tmeasure\tvalue\na\t1\tAP\n", 2, "3 fields, expected 4 (system topic measure value)"),
        ("run,topic,measure,value\n,1,AP,1\n", 2, "a system has no name"),
        ('{"rows": [\n{,]}', 2, "is not JSON"),
        (b"topic,a\n1,0.5\n2,\xff\n", 3, "not valid UTF-8"),
        ("topic,a\n" + "x" * 5000 + ",1\n", 2, "1 to 4,096 bytes"),
        ("topic,a\nx\0,1\n", 2, "no NUL"),
    ],
)
def test_a_line_that_is_refused(tmp_path: Path, text: str | bytes, line: int, words: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(FormatError) as refused:
        read_scores(path)
    assert str(refused.value).startswith(f"{path}:{line}: ")
    assert words in str(refused.value)
    assert len(str(refused.value)) < 400 + len(str(path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        ("\n\n", "the file is empty"),
        ("topic,a\n", "the file holds no scores"),
        ("run,topic,measure,value\n", "holds no score of a topic"),
        ("run,topic,measure,value\na,all,AP,1\n", "summaries only: write scores with --by-topic"),
        ("{}", 'expected {"signature": ..., "rows": [...]}'),
        ('{"rows": []}', "holds no score of a topic"),
        ('{"rows": [3]}', "row 1: expected an object with system, topic, measure, value"),
        ('{"rows": [{"run": "a", "topic": 1, "measure": "AP", "value": 1}]}', "system, topic and measure are strings"),
        ('{"rows": [{"run": "a", "topic": "1", "measure": "AP", "value": true}]}', "'True' is not a number"),
        ('{"rows": [{"run": "a", "topic": "1", "measure": "AP", "value": NaN}]}', "what is missing is null"),
        ('{"rows": [{"run": "a", "topic": "1", "measure": "AP", "value": 1e999}]}', "'inf' is not a number"),
        (b"CDF\1rubbish", "is damaged, or no netCDF"),
        (b"\x89HDF\r\n\x1a\nrubbish", "netCDF"),
    ],
)
def test_a_file_that_is_refused(tmp_path: Path, text: str | bytes, words: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as refused:
        read_scores(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert words in str(refused.value)


def test_files_that_do_not_fit_together(tmp_path: Path) -> None:
    first = written(tmp_path, MATRIX)
    with pytest.raises(InputError, match=r"b\.csv: topic 3 not in every score file"):
        read_scores([first, written(tmp_path, MATRIX + "3,1,1\n", "b.csv")])
    with pytest.raises(
        InputError, match=r"b\.csv: 'b', 'c' not in every score file: .*to put systems together, join the"
    ):
        read_scores([first, written(tmp_path, MATRIX.replace("b", "c"), "b.csv")])
    with pytest.raises(InputError, match=r"AP\.csv: these scores are given twice$"):
        read_scores([first, first])
    with pytest.raises(UsageError, match="no score file"):
        read_scores([])
    with pytest.raises(InputError, match=r"no such file"):
        read_scores(tmp_path / "missing.csv")


ROWS = "system\ttopic\tmeasure\tvalue\n{0}\t1\tAP\t{1}\n{0}\t2\tAP\t0.5\n"


def test_files_of_one_measure_are_systems(tmp_path: Path) -> None:
    """Of other names each its own; of the same name each with its file's in front."""
    main, new = (
        written(tmp_path, ROWS.format("bm25", 0.25), "main.tsv"),
        written(tmp_path, ROWS.format("x", 1), "n.tsv"),
    )
    found = read_scores([main, new])
    assert found["AP"].to_pandas().to_dict() == {"bm25": {"1": 0.25, "2": 0.5}, "x": {"1": 1.0, "2": 0.5}}
    again = written(tmp_path, ROWS.format("bm25", 0.75), "pr.tsv")
    found = read_scores([main, new, again])
    assert found["system"].to_numpy().tolist() == ["main/bm25", "x", "pr/bm25"]
    assert found["AP"].sel(topic="1").to_numpy().tolist() == [0.25, 1.0, 0.75]


def test_matrices_of_the_same_name_are_systems_of_one_measure(tmp_path: Path) -> None:
    paths = []
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        paths.append(written(tmp_path / folder, MATRIX, "AP.csv"))
    assert read_scores(paths)["system"].to_numpy().tolist() == ["old/AP/a", "old/AP/b", "new/AP/a", "new/AP/b"]


def test_files_that_share_some_of_their_measures(tmp_path: Path) -> None:
    first = written(tmp_path, ROWS.format("a", 1), "a.tsv")
    second = written(tmp_path, ROWS.format("b", 1) + "b\t1\tRR\t1\nb\t2\tRR\t1\n", "b.tsv")
    with pytest.raises(InputError, match=r"b\.tsv: AP is in an earlier score file too, but not all measures are: "):
        read_scores([first, second])


def test_systems_in_files_with_other_judgments_are_refused(tmp_path: Path) -> None:
    run, qrels = {"1": {"a": 1.0}, "2": {"a": 1.0}}, {"1": {"a": 1}, "2": {"b": 1}}
    files = []
    for name, how in (("a", {}), ("b", {"ties": "docid"}), ("c", {"qrels": {"1": {"a": 2}, "2": {"b": 1}}}), ("d", {})):
        judged: Any = {"runs": {name: run}, "qrels": qrels, "measures": "AP"} | how
        files.append(tmp_path / f"{name}.json")
        write_scores(evaluate(**judged), files[-1])
    with pytest.raises(
        InputError, match=r"b\.json: was scored otherwise than .*: ties \(trec and docid\); evaluate both"
    ):
        read_scores(files[:2])
    said = r"c\.json: was scored otherwise than .*: qrels \('qrels' with SHA-256 \w{12}\.\.\. and 'qrels' with SHA-256 "
    with pytest.raises(InputError, match=said):
        read_scores([files[0], files[2]])
    assert read_scores([files[0], files[3]])["system"].to_numpy().tolist() == ["a", "d"]


def test_cells_without_a_row_are_told(tmp_path: Path) -> None:
    path = written(tmp_path, "run,topic,measure,value\na,1,AP,1\nb,1,AP,1\na,2,AP,1\n")
    with pytest.warns(
        CranfieldWarning, match="1 of 4 cells have no row and are read as nan .first AP of system 'b' on topic '2'"
    ):
        found = read_scores(path)
    assert int(np.isnan(found["AP"]).sum()) == 1


def test_netcdf_of_others(tmp_path: Path) -> None:
    path = tmp_path / "x.nc"
    xr.Dataset({"AP": (("system", "topic"), [[1, 2, 3], [4, 5, 6]])}).to_netcdf(path, engine="scipy")
    same(read_scores(path), {"AP": frame([[1, 4], [2, 5], [3, 6]], ["1", "2", "3"], ["1", "2"])})
    for bad, words in (
        (xr.Dataset({"AP": ("topic", [1.0])}), "expected .topic, system."),
        (xr.Dataset({"AP": (("topic", "system"), [[np.inf]])}), "not finite"),
        (
            xr.Dataset({"A\x1b[31mP": (("topic", "system"), [[np.inf]])}),
            r"A\\x1b\[31mP holds values that are not finite",
        ),
        (xr.Dataset(), "holds no scores"),
        (
            xr.Dataset({"AP": (("topic", "system"), [[1.0], [2.0]])}, {"topic": [7, 7]}),
            "topic '7' occurs twice: rename one",
        ),
    ):
        bad.to_netcdf(path, engine="scipy")
        with pytest.raises(InputError, match=words):
            read_scores(path)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    two = xr.Dataset({"AP": EXPECTED, "RR": EXPECTED})
    with pytest.raises(UsageError, match=r"a matrix holds one measure, not 2 \(AP, RR\)"):
        write_scores(two, tmp_path / "x", format="matrix")
    with pytest.raises(UsageError, match=r"x\.dat: scores are written to a file whose name ends in"):
        write_scores(two, tmp_path / "x.dat")
    with pytest.raises(UsageError, match="dict is not scores: give what evaluate"):
        write_scores({}, tmp_path / "x.tsv")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"score has dims \('topic', 'run'\)"):
        write_scores(EXPECTED.rename(system="run"), tmp_path / "x.tsv")
    with pytest.raises(InputError, match="a topic is called 'all'"):
        write_scores(EXPECTED.assign_coords(topic=["1", "all"]), tmp_path / "x.tsv")
    with pytest.raises(InputError, match=r"x\.tsv: cannot be written"):
        write_scores(two, tmp_path / "no" / "x.tsv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "attributes",
    [
        {"peer_summary": "x", "peer_summary_topics": 2},
        {"peer_summary": 1.0, "peer_summary_topics": "x"},
        {"larger_is_better": "x"},
        {"larger_is_better": [0, 1]},
        {"larger_is_better": 7},
        {"summary": "median"},
        {"summary": 3},
    ],
)
def test_attributes_of_others_are_ignored_with_a_warning(tmp_path: Path, attributes: dict[str, Any]) -> None:
    path, plain = tmp_path / "x.nc", tmp_path / "plain" / "x.nc"
    plain.parent.mkdir()
    theirs = xr.Dataset({"AP": (("topic", "system"), [[1.0, 2.0], [3.0, 5.0]])})
    theirs.to_netcdf(plain, engine="scipy")
    theirs["AP"].attrs = attributes
    theirs.to_netcdf(path, engine="scipy")
    with pytest.warns(
        CranfieldWarning, match=r"x\.nc: AP: the attribute \w+ is .*: it is not cranfield's and is ignored"
    ):
        found = read_scores(path)
    expected = read_scores(plain)
    ours, plainly = (dict(one["AP"].attrs) for one in (found, expected))
    assert ours.pop("signature") != plainly.pop("signature"), "of other bytes"
    assert ours == plainly
    write_scores(found, tmp_path / "found.csv", format="csv")
    write_scores(expected, tmp_path / "expected.csv", format="csv")
    assert (tmp_path / "found.csv").read_bytes() == (tmp_path / "expected.csv").read_bytes()
    assert cranfield.compare(found["AP"]).pairs.equals(cranfield.compare(expected["AP"]).pairs)


@pytest.mark.parametrize("signature", ["made with ncgen", 7, '{"a": 1, "a": 2}', "[NaN]"])
@pytest.mark.parametrize("of_measure", [True, False])
def test_a_signature_of_others_is_ignored_with_a_warning(tmp_path: Path, signature: Any, of_measure: bool) -> None:
    path = tmp_path / "x.nc"
    theirs = xr.Dataset({"AP": (("topic", "system"), [[1.0, 2.0], [3.0, 5.0]])})
    (theirs["AP"] if of_measure else theirs).attrs["signature"] = signature
    theirs.to_netcdf(path, engine="scipy")
    said = "the attribute signature is .*, not a signature: it is not cranfield's and is ignored"
    with pytest.warns(CranfieldWarning, match=said):
        found = read_scores(path)
    [source] = json.loads(found.attrs["signature"])["scores"]
    assert set(source) == {"name", "sha256"}
    assert found["AP"].attrs["signature"] == found.attrs["signature"]
    for analysis in (
        cranfield.compare,
        cranfield.standardize,
        lambda scores: write_scores(scores, tmp_path / "x.json"),
    ):
        with pytest.warns(CranfieldWarning, match=said):
            analysis(theirs["AP"].assign_attrs(signature=signature))  # type: ignore[operator]


@pytest.mark.parametrize(
    "text",
    [
        '{"signature": null, "signature": null, "rows": []}',
        '{"rows": [{"run": "a", "topic": "1", "measure": "AP", "value": 1, "value": 0}]}',
        '{"signature": {"a": {"b": 1, "b": 2}}, "rows": [{"run": "a", "topic": "1", "measure": "AP", "value": 1}]}',
    ],
)
def test_a_key_that_occurs_twice_is_refused(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError, match=r"the key '(signature|value|b)' occurs twice in one object: keep one of them"):
        read_scores(path)


def test_guarded_names_of_systems_are_read_in_csv_alone(tmp_path: Path) -> None:
    """Our CSV puts an apostrophe before what a spreadsheet would compute; in TSV it is part of the name."""
    names = {}
    for ending, separator in (("csv", ","), ("tsv", "\t")):
        path = tmp_path / f"scores.{ending}"
        path.write_text("\n".join(separator.join(row) for row in (["topic", "'=a", "b"], ["1", ".1", ".2"])) + "\n")
        names[ending] = cranfield.scores.read_scores(str(path))["system"].values.tolist()
    assert names == {"csv": ["=a", "b"], "tsv": ["'=a", "b"]}
