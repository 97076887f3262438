"""What each command does with the scores of very many topics is what docs/scores.md says."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from command import cranfield
from test_outputs import commands

from cranfield import write_scores
from cranfield.scores import blocks, opening, parquet_dataset
from cranfield.streaming import parquet as streamed

PAGE = Path(__file__).parents[2] / "docs" / "scores.md"
ROWS = re.findall(r"^\| (`.*`) \| in (blocks|memory): (.*) \|$", PAGE.read_text(), re.MULTILINE)
CALLS = [(call, where, what) for calls, where, what in ROWS for call in re.findall("`([^`]*)`", calls)]
MORE = {"study": ["--trials", "20", "--n-topics", "20"], "study-tests": ["--trials", "20"], "sensitivity": ["-m", "AP"]}
"""So that studies of so few topics end soon."""


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folder that commands run in holds scores by two measures; here are the measures that are read whole."""
    for module in (streamed, opening):
        monkeypatch.setattr(module, "MAX_IN_MEMORY", 50)
    for module in (streamed, blocks):
        monkeypatch.setattr(module, "BLOCK", 16)
    draw = np.random.default_rng(4)
    values = np.round(draw.random((70, 1)) * 0.5 + draw.random((70, 4)) * 0.5, 2)
    labels = {"topic": [f"{n}" for n in range(70)], "system": [f"s{n}" for n in range(4)]}
    by = {name: (("topic", "system"), values**power) for name, power in (("AP", 1), ("RR", 2))}
    monkeypatch.chdir(tmp_path)
    write_scores(xr.Dataset(by, labels), "scores/")
    found: list[str] = []
    whole = parquet_dataset._values

    def noted(measure: str, *more: object) -> object:
        found.append(measure)
        return whole(measure, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(parquet_dataset, "_values", noted)
    return found


def words_of(call: str, what: str) -> list[str]:
    words = shlex.split(call)
    extra = [word for name, more in MORE.items() if name in call for word in more]
    one = (
        ["-m", "AP"]
        if ("one measure" in what or words[0] == "compare" or "reliability" in words or "matrix" in call)
        else []
    )
    return [*words, *extra, *one, "--scores", "scores"]


@pytest.mark.slow
@pytest.mark.parametrize(("call", "where", "what"), CALLS, ids=[call for call, _, _ in CALLS])
def test_scores_are_where_the_page_says(
    read: list[str], monkeypatch: pytest.MonkeyPatch, call: str, where: str, what: str
) -> None:
    words = words_of(call, what)
    ended = cranfield(*words)
    assert ended.status in ((0, 3, 4) if words[0] == "gate" else (0,)), ended.err
    assert bool(read) == (where == "memory")
    if where == "memory":
        monkeypatch.setenv("CRANFIELD_MEMORY", "2000")
        refused = cranfield(*words)
        assert refused.status == 1
        command = " ".join(words[:2]) if " ".join(words[:2]) in commands() else words[0]
        assert f"error: {command} of 70 topics by name would take 7.0 kB of memory, of 2.0 kB allowed" in refused.err


def with_scores() -> Iterator[str]:
    """All commands that take --scores."""
    for called, command in commands().items():
        if any("--scores" in parameter.opts for parameter in command.params):
            yield called


def test_the_page_has_all_commands_that_take_scores() -> None:
    named = {call for call, _, _ in CALLS}
    assert {name for name in with_scores() if not any(call.startswith(name) for call in named)} == set()
    assert {where for _, where, _ in CALLS} == {"blocks", "memory"}


@pytest.mark.parametrize("format_", ["tsv", "csv", "matrix"])
@pytest.mark.parametrize(
    "more", [[], ["-q"], ["-q", "-s", "z", "--reference-systems", "s1", "--reference-systems", "s2"]]
)
def test_standardized_text_has_the_bytes_of_memory(
    read: list[str], monkeypatch: pytest.MonkeyPatch, format_: str, more: list[str]
) -> None:
    call = ["standardize", *more, "-m", "AP" if format_ == "matrix" else "AP,RR", "-f", format_, "--scores", "scores"]
    assert cranfield(*call, "-o", "blocks.txt").status == 0
    assert read == []
    monkeypatch.setattr(streamed, "MAX_IN_MEMORY", 10**9)
    assert cranfield(*call, "-o", "memory.txt").status == 0
    assert read
    assert Path("blocks.txt").read_bytes() == Path("memory.txt").read_bytes()


def test_what_is_wrong_in_the_midst_is_said_of_the_scores(read: list[str]) -> None:
    part = max(Path("scores").glob("*.parquet"))
    part.write_bytes((data := part.read_bytes())[:200] + b"x" * 400 + data[600:])
    ended = cranfield("standardize", "-q", "-f", "csv", "-o", "out.csv", "--scores", "scores")
    assert ended.status == 1
    assert str(part) in ended.err
    assert "cannot be written" not in ended.err
    assert not Path("out.csv").exists()
