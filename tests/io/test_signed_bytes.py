"""What is signed is what was scored, whatever becomes of the file afterwards."""

from __future__ import annotations

import gzip
import hashlib
import io
from collections.abc import Callable
from pathlib import Path

import pytest

import cranfield
from cranfield import UsageError, engine
from cranfield.information import Evidence
from cranfield.scoring import score

QRELS = b"1 0 a 1\n2 0 b 1\n"
RUN = b"1 Q0 a 1 2 x\n2 Q0 b 1 2 x\n"


@pytest.fixture(params=["compiled", "reference"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run and judgments, and each engine to read them."""
    monkeypatch.setenv("CRANFIELD_ENGINE", request.param)
    engine.current.cache_clear()
    request.addfinalizer(engine.current.cache_clear)
    (tmp_path / "qrels.txt").write_bytes(QRELS)
    (tmp_path / "a.run").write_bytes(RUN)
    return tmp_path


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def replace(path: Path) -> None:
    path.write_bytes(b"9 Q0 other 1 2 y\n")


@pytest.mark.parametrize("change", [replace, Path.unlink], ids=["replaced", "deleted"])
def test_a_file_that_changes_after_it_was_read(folder: Path, change: Callable[[Path], None]) -> None:
    table = score(folder / "a.run", folder / "qrels.txt", "AP")
    for name in ("a.run", "qrels.txt"):
        change(folder / name)
    signature = table.signature()
    assert signature["runs"] == [{"name": "a", "tag": "x", "sha256": sha256(RUN)}]
    assert signature["qrels"]["sha256"] == sha256(QRELS)


def test_runs_and_judgments_carry_the_hash_of_their_file(folder: Path) -> None:
    run, qrels = cranfield.read_run(folder / "a.run"), cranfield.read_qrels(folder / "qrels.txt")
    replace(folder / "a.run")
    replace(folder / "qrels.txt")
    assert (run.sha256, qrels.sha256) == (sha256(RUN), sha256(QRELS))
    table = cranfield.evaluate(run, qrels, "AP")
    assert table["sha256"].values.tolist() == [sha256(RUN)]
    assert table.attrs["qrels_sha256"] == sha256(QRELS)
    assert Evidence(qrels).digest[0]["sha256"] == qrels.digest


def test_packed_files_are_hashed_as_they_lie_on_disk(folder: Path) -> None:
    packed = gzip.compress(RUN)
    (folder / "b.run.gz").write_bytes(packed)
    assert cranfield.evaluate(folder / "b.run.gz", folder / "qrels.txt", "AP")["sha256"].values.tolist() == [
        sha256(packed)
    ]


def test_standard_input_is_hashed_as_it_came(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (RUN, gzip.compress(RUN)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        found = cranfield.evaluate("-", folder / "qrels.txt", "AP")
        assert found["sha256"].values.tolist() == [sha256(data)]


def test_weights_of_intents_and_levels(folder: Path) -> None:
    weights, levels = b"1 i 0.5\n1 j 0.5\n", b"1 i a L1\n1 j b L2\n"
    (folder / "weights").write_bytes(weights)
    (folder / "levels").write_bytes(levels)
    asked = cranfield.io.read_intent_weights(folder / "weights")
    qrels = cranfield.read_qrels(folder / "levels").with_intents(asked)
    for name in ("weights", "levels"):
        (folder / name).unlink()
    signature = score(folder / "a.run", qrels, "alpha_nDCG@10").signature()
    assert signature["intents"]["sha256"] == sha256(weights)
    assert signature["qrels"]["sha256"] == sha256(levels)


def test_what_is_not_to_be_signed_is_not_hashed(folder: Path) -> None:
    in_use = engine.current()
    qrels = in_use.read_qrels(QRELS, "trec", 0)
    index = in_use.index(qrels["topics"], qrels["starts"], qrels["data"], qrels["offsets"])
    for source in (str(folder / "a.run"), RUN, gzip.compress(RUN)):
        assert in_use.judge_file(source, "trec", 0, index, "trec", "error", 1, False)["sha256"] == ""
    with pytest.raises(UsageError, match="sign=False"):
        score(folder / "a.run", folder / "qrels.txt", "AP", sign=False).signature()
