"""Judgments of ir_datasets, from data sets that are registered here: nothing can be downloaded."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.scoring import score

TEXT = "q1 0 a 2\nq1 0 b 1\nq1 0 c 0\nq2 0 a 1\n"
RUN = {"q1": {"b": 3.0, "a": 2.0}, "q2": {"c": 2.0, "a": 1.0}}


class Rated(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    quality: int
    stance: str
    iteration: str


class Bare(NamedTuple):
    query_id: str
    doc_id: str
    quality: int


class Rows:
    """A reader of ir_datasets' kind that has rows in memory."""

    def __init__(self, rows: list[Any]) -> None:
        self.rows = rows

    def qrels_iter(self) -> Iterator[Any]:
        return iter(self.rows)

    def qrels_handler(self) -> Rows:
        return self


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """``t/...`` data sets in a registry of their own."""
    folder = tmp_path_factory.mktemp("irds")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IR_DATASETS_HOME", str(folder / "home"))
        patch.setenv("IR_DATASETS_TMP", str(folder / "tmp"))
        patch.setenv("IR_DATASETS_DL_TRIES", "1")
        import ir_datasets
        from ir_datasets.datasets.base import Dataset
        from ir_datasets.formats import TrecPrels, TrecQrels, TrecSubQrels
        from ir_datasets.util import Cache, Download, GzipExtract, LocalDownload, RequestsDownload, StringFile

        (folder / "qrels.txt").write_text(TEXT)
        (folder / "qrels.gz").write_bytes(gzip.compress(TEXT.encode()))
        (folder / "three.txt").write_text("q1 a 2\nq1 b 1\n")
        (folder / "subtopics.txt").write_text("q1 1 a 1\nq1 2 b 1\nq2 1 a 0\nq2 2 a 1\n")
        (folder / "prels.txt").write_text("q1 a 1 1 0.5\nq1 b 0 1 0.25\n")

        def local(name: str) -> Any:
            return LocalDownload(folder / name)

        class Documented:
            def documentation(self) -> dict[str, Any]:
                return {"official_measures": ["nDCG@10", "RR(rel=2)", "AP@100", "NotOurs(x=1)"]}

        away = Download([RequestsDownload("http://127.0.0.1:9/qrels.txt")], folder / "home" / "away.txt")
        rated = [Rated("q1", "a", 1, 3, "PRO", "0"), Rated("q1", "b", 0, 1, "CON", "0")]
        made = {
            "t": Dataset(),
            "t/plain": Dataset(TrecQrels(local("qrels.txt"), {})),
            "t/packed": Dataset(TrecQrels(GzipExtract(local("qrels.gz")), {})),
            "t/cached": Dataset(TrecQrels(Cache(StringFile(TEXT), folder / "cached.txt"), {})),
            "t/memory": Dataset(TrecQrels(StringFile(TEXT), {})),
            "t/several": Dataset(TrecQrels([local("qrels.txt"), StringFile("q3 0 a 1\n")], {})),
            "t/three": Dataset(TrecQrels(local("three.txt"), {}, format_3col=True)),
            "t/subtopics": Dataset(TrecSubQrels(local("subtopics.txt"), {})),
            "t/sampled": Dataset(TrecPrels(local("prels.txt"), {})),
            "t/rated": Dataset(Rows(rated)),
            "t/bare": Dataset(Rows([Bare("q1", "a", 2)])),
            "t/contradicts": Dataset(Rows([Bare("q1", "a", 2), Bare("q1", "a", 1)])),
            "t/empty": Dataset(Rows([])),
            "t/level": Dataset(TrecQrels(local("qrels.txt"), {}), Documented()),
            "t/away": Dataset(TrecQrels(away, {})),
            "t/damaged": Dataset(TrecQrels(local("three.txt"), {})),
            "t/by-hand": Dataset(TrecQrels(local("not-there.txt"), {})),
        }
        for name, one in made.items():
            ir_datasets.registry.register(name, one)
        yield folder
        for name in made:
            del ir_datasets.registry._registered[name]


def read(name: str) -> cranfield.Qrels:
    return cranfield.read_qrels(f"irds:{name}")


@pytest.mark.parametrize("name", ["plain", "packed", "cached", "memory"])
def test_every_way_reads_the_same(datasets: Path, name: str) -> None:
    found = read(f"t/{name}")
    assert found == cranfield.read_qrels(str(datasets / "qrels.txt"))
    assert found.name == f"irds:t/{name}"
    assert not found.sha256, "ir_datasets reads the file"


def test_several_files_and_three_columns(datasets: Path) -> None:
    assert [*read("t/several").topics] == ["q1", "q2", "q3"]
    assert read("t/three") == cranfield.Qrels.from_dict({"q1": {"a": 2, "b": 1}})


def test_wherever_judgments_stand(datasets: Path) -> None:
    import ir_datasets

    wanted = score({"r": RUN}, str(datasets / "qrels.txt"), "AP").summaries
    dataset = ir_datasets.load("t/plain")
    for given in ("irds:t/plain", dataset, dataset.qrels_iter(), [*dataset.qrels_iter()], ir_datasets.load("t/memory")):
        assert score({"r": RUN}, given, "AP").summaries == wanted
    path = datasets / "a.run"
    cranfield.write(cranfield.Run.from_dict(RUN, name="a"), path)
    assert not [one for one in cranfield.check([str(path)], "irds:t/plain").findings if one.severity == "error"]
    assert cranfield.evaluate(path, "irds:t/plain", "AP").attrs["qrels"] == "irds:t/plain"
    assert cranfield.describe_labels("irds:t/plain")


def test_tuples_of_ir_measures(datasets: Path) -> None:
    import ir_measures

    rows = [ir_measures.Qrel("q1", "a", 2), ir_measures.Qrel("q1", "b", 1)]
    assert score({"r": RUN}, iter(rows), "NumRel").summaries == 2


def test_subtopics_are_intents(datasets: Path) -> None:
    assert read("t/subtopics").intents is not None
    assert score({"r": RUN}, "irds:t/subtopics", "S-recall@1").values[0, :, 0].tolist() == [0.5, 0]


def test_samples_are_refused(datasets: Path) -> None:
    """No measure here uses inclusion probabilities."""
    with pytest.raises(InputError, match=r"^irds:t/sampled: holds a sample of judgments with inclusion probabilities"):
        read("t/sampled")
    assert read("t/sampled#relevance") == cranfield.Qrels.from_dict({"q1": {"a": 1, "b": 0}})


def test_other_fields(datasets: Path) -> None:
    assert read("t/rated").grade.tolist() == [1, 0]
    assert read("t/rated#quality").grade.tolist() == [3, 1]
    for name, said in {
        "t/rated#stance": r"the stance PRO of document 'a' is not a number; name a field that holds labels",
        "t/rated#other": r"its judgments have no field 'other'; there are relevance, quality, stance$",
        "t/bare": r"its judgments have no relevance; name a field: irds:t/bare#FIELD, of quality$",
        "t/contradicts#quality": r"document 'a' of topic 'q1' has the labels 2 and 1: keep one of them",
        "t/empty": r"holds no judgments$",
    }.items():
        with pytest.raises(InputError, match=said):
            read(name)


def test_what_is_not_there(datasets: Path) -> None:
    for name, said in {
        "t/plane": r"^irds:t/plane: ir_datasets has no data set 't/plane'; did you mean irds:t/plain",
        "t": r"^irds:t: holds no judgments; there are some in irds:t/away, ",
        "t/away": r"^irds:t/away: ir_datasets cannot download or read it: ConnectionError: ",
        "t/damaged": r"^irds:t/damaged: ir_datasets cannot download or read it: RuntimeError: expected 4",
        "t/by-hand": r"^irds:t/by-hand: ir_datasets does not find .*not-there.txt, which it cannot download",
    }.items():
        with pytest.raises(InputError, match=said):
            read(name)
    assert not (datasets / "home" / "away.txt").exists()
    with (
        mock.patch.dict(sys.modules, {"ir_datasets": None}),
        pytest.raises(ImportError, match=r"^irds:t needs ir_datasets, .*: pip install 'cranfield\[irds\]'$"),
    ):
        read("t")
    with pytest.raises(UsageError, match=r"rows \(topic, document, label\);"):
        score({"r": RUN}, iter([("q1", "a")]), "AP")


def test_another_level_of_relevance_is_told(datasets: Path) -> None:
    def said(measures: str, **words: Any) -> list[str]:
        found = score({"r": RUN}, "irds:t/level", measures, **words).remarks
        return [str(one.text) for one in found if one.code == "other-level"]

    assert said("RR, nDCG@10, AP, P@5") == [
        "2 measures (RR, P@5) count labels of 1 or more as relevant, and the data set's documentation those of 2 or "
        "more: give --rel 2, or --rel 1 if you mean it"
    ]
    assert said("RR(rel=2)") == said("RR", rel=2) == said("RR", rel=1) == said("nDCG@10, AP") == []
    with pytest.warns(CranfieldWarning, match=r"^irds:t/level: measure RR counts labels of 1 or more"):
        cranfield.evaluate({"r": RUN}, "irds:t/level", "RR")
