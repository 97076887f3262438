"""Fusion some topics at a time: the same lines as of all topics at once, and nothing written of what is refused."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from command import cranfield as command

import cranfield
from cranfield.collection import InputOptions, Policy, Run
from cranfield.fusion import chunked, fuse
from cranfield.fusion.combination import method_names
from cranfield.io.trec import can_stand, trec_lines

pytestmark = pytest.mark.filterwarnings("ignore:.*of the other runs missing from the run")
TIES = ("trec", "trec9", "docid", "rank", "file")


def drawn(seed: int) -> Run:
    """Most of thirty topics in an order of its own, each with its own list, one of them longer than a part."""
    draw = random.Random(seed)
    topics = draw.sample([f"q{number}" for number in range(30)], 24)
    lists = {topic: draw.sample(range(90), 80 if topic == "q7" else draw.randint(1, 12)) for topic in topics}
    scores = {
        topic: {f"d{document}": float(draw.randint(0, 5)) for document in documents}
        for topic, documents in lists.items()
    }
    return Run.from_dict(scores, name=f"run{seed}")


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(chunked, "ROWS", 20)
    files = [str(tmp_path / f"{seed}.run") for seed in range(3)]
    for seed, file in enumerate(files):
        cranfield.write(drawn(seed), file)
    return files


def in_parts(files: list[str], method: str, policy: Policy, **how: Any) -> list[Run]:
    return list(
        chunked.fused_in_parts(files, lambda lists: fuse(lists, method, **how), InputOptions(**policy.as_dict()))
    )


@pytest.mark.parametrize("method", method_names())
def test_parts_are_the_whole(written: list[str], method: str) -> None:
    how: dict[str, Any] = {"depth": 7, "name": "mine"}
    if method == "linear":
        how["weights"] = [0.2, 0.3, 0.7]
    found = in_parts(written, method, Policy(), **how)
    assert len(found) > 5
    whole = fuse(written, method, **how)
    assert b"".join(block for part in found for block in trec_lines(part)) == b"".join(trec_lines(whole))
    assert [topic for part in found for topic in part.topics] == list(whole.topics)


@pytest.mark.parametrize("ties", TIES)
def test_ties(written: list[str], ties: Any) -> None:
    found = in_parts(written, "rrf", Policy(ties=ties))
    whole = fuse(written, "rrf", ties=ties)
    assert b"".join(block for part in found for block in trec_lines(part)) == b"".join(trec_lines(whole))
    assert (len(found) == 1) == (ties == "rank"), "equal ranks could be refused in any topic"


def test_a_part_has_no_more_rows_than_it_may_but_for_one_topic(written: list[str]) -> None:
    rows = {topic: 0 for file in written for topic in cranfield.read_run(file).topics}
    for file in written:
        for topic, documents in cranfield.read_run(file).to_dict().items():
            rows[topic] += len(documents)
    sizes = [[rows[topic] for topic in part.topics] for part in in_parts(written, "rrf", Policy())]
    assert all(sum(size[:-1]) <= chunked.ROWS for size in sizes)
    assert sum(map(sum, sizes)) == sum(rows.values())


def test_the_command(written: list[str], tmp_path: Path) -> None:
    whole = b"".join(trec_lines(fuse(written, "combsum"))).decode()
    ended = command("fuse", *written, "--method", "combsum")
    assert (ended.status, ended.out) == (0, whole)
    assert [line.partition(": 6 topics")[0] for line in ended.err.splitlines()] == [
        f"cranfield: warning: {file}" for file in written
    ]
    assert command("fuse", *written, "--method", "combsum", "-o", tmp_path / "fused.run.gz").status == 0
    assert cranfield.read_run(str(tmp_path / "fused.run.gz")) == cranfield.read_run(_file(tmp_path, whole))


def _file(folder: Path, text: str) -> str:
    file = folder / "whole.run"
    file.write_text(text)
    return str(file)


def test_nothing_is_written_of_equal_ranks_in_the_last_topic(written: list[str], tmp_path: Path) -> None:
    with Path(written[2]).open("a") as file:
        file.write("last Q0 a 3 2 x\nlast Q0 b 3 1 x\n")
    ended = command("fuse", *written, "--ties", "rank")
    assert (ended.status, ended.out) == (1, "")
    assert "rank 3 occurs twice in its topic" in ended.err
    ended = command("fuse", *written, "--ties", "rank", "-o", tmp_path / "fused.run")
    assert ended.status == 1
    assert not (tmp_path / "fused.run").exists()


def test_nothing_is_written_of_an_id_with_a_blank_in_the_last_topic(written: list[str], tmp_path: Path) -> None:
    frame = tmp_path / "blank.csv"
    frame.write_text("topic,document,score\nlast,one two,1\n")
    ended = command("fuse", *written, frame)
    assert (ended.status, ended.out) == (1, "")
    assert "the document 'one two' cannot stand in TREC text" in ended.err


@pytest.mark.parametrize(
    ("topic", "document", "stands"),
    [
        ("q", "d", True),
        ("é", "ü#", True),
        ("#q", "d", False),
        ("q q", "d", False),
        ("q", "d\t", False),
        ("q", "d\nd", False),
        ("\ufeffq", "d", False),
    ],
)
def test_words(topic: str, document: str, stands: bool) -> None:
    run = Run.from_dict({"first": {"d": 1.0}, topic: {document: 1.0}})
    assert can_stand(run) is stands
    if not stands:
        with pytest.raises(cranfield.InputError, match="cannot stand in TREC text"):
            trec_lines(run)
