"""Score files whose table is far larger than they are: refused by name before the memory is asked for."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import cranfield
from cranfield import CranfieldWarning, InputError

Cell = tuple[str, str, str]


def as_tsv(cells: list[Cell]) -> str:
    return "run\ttopic\tmeasure\tvalue\n" + "".join("\t".join((*cell, "0.5\n")) for cell in cells)


def as_json(cells: list[Cell]) -> str:
    names = ("run", "topic", "measure")
    rows = [dict(zip(names, cell, strict=True)) | {"value": 0.5} for cell in cells]
    return json.dumps({"signature": None, "rows": rows})


@pytest.mark.parametrize("write", [as_tsv, as_json])
@pytest.mark.parametrize("size", [1_000, 3_000])
def test_each_score_of_a_run_topic_and_measure_of_its_own(
    tmp_path: Path, write: Callable[[list[Cell]], str], size: int
) -> None:
    """Of 18.7 and 62 kB; their tables are of 8 and of 216 GB."""
    path = tmp_path / "scores"
    path.write_text(write([(f"r{at}", str(at), f"m{at}") for at in range(size)]))
    with pytest.raises(InputError) as refused:
        cranfield.read_scores(path)
    assert str(refused.value) == (
        f"{path}: {size:,} systems x {size:,} topics x {size:,} measures are {size**3:,} cells, and only {size:,} "
        f"scores would fill them ({size**-2:.1g} of all): put what was scored together in a file of its own"
    )


@pytest.mark.slow
def test_six_measures_of_systems_of_their_own(tmp_path: Path) -> None:
    """A diagonal that is meant: every measure has been taken of other systems."""
    blocks = [product((f"r{m}-{at}" for at in range(50)), map(str, range(200)), [f"m{m}"]) for m in range(6)]
    path = tmp_path / "scores.tsv"
    path.write_text(as_tsv([cell for block in blocks for cell in block]))
    with pytest.warns(CranfieldWarning, match="300,000 of 360,000 cells have no row"):
        scores = cranfield.read_scores(path)
    assert dict(scores.sizes) == {"topic": 200, "system": 300}
    assert [int(np.isfinite(scores[name]).sum()) for name in scores.data_vars] == [10_000] * 6


def test_where_it_ends(tmp_path: Path) -> None:
    """A million cells are always taken, and a hundred more for each score."""
    cells = [(f"s{at % 1500}", str((at + at // 1500) % 1000), "AP") for at in range(5_000)]
    path = tmp_path / "scores.tsv"
    path.write_text(as_tsv(cells[1:]))
    with pytest.raises(InputError, match=r"tsv: 1,500 systems x 1,000 topics x 1 measure are 1,500,000 cells"):
        cranfield.read_scores(path)
    path.write_text(as_tsv(cells))
    with pytest.warns(CranfieldWarning, match="1,495,000 of 1,500,000 cells have no row"):
        assert cranfield.read_scores(path)["AP"].size == 1_500_000


@pytest.mark.slow
@pytest.mark.parametrize("last", ["s0", "one more"])
def test_a_header_costs_what_it_is_long(tmp_path: Path, last: str) -> None:
    """Quadratic in its names it was: 58 s of 100,000."""

    def read(systems: int) -> None:
        names = [f"s{at}" for at in range(systems)]
        (tmp_path / "wide.csv").write_text(f"topic,{','.join(names)},{last}\n1,{','.join('0' * (systems + 1))}\n")
        try:
            cranfield.read_scores(tmp_path / "wide.csv")
        except InputError as refused:
            assert str(refused).endswith("wide.csv:1: system 's0' occurs twice: rename one")
            assert last == "s0"

    def seconds(systems: int) -> float:
        before = time.process_time()
        read(systems)
        return time.process_time() - before

    read(100)
    few, many = (min(seconds(systems) for _ in range(3)) for systems in (4_000, 32_000))
    assert many < 20 * few, "eight times as many"
