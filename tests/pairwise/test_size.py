"""Verdicts of an arena's size are read and fitted within seconds and little memory."""

from __future__ import annotations

import json
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from cranfield.pairwise import estimate_strengths, read_verdicts

BATTLES, SYSTEMS = 57_000, 64


@pytest.mark.slow
def test_an_arena_is_fitted_within_seconds(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    strength, path = rng.normal(size=SYSTEMS), tmp_path / "battles.jsonl"
    left = rng.integers(0, SYSTEMS, BATTLES)
    right = (left + rng.integers(1, SYSTEMS, BATTLES)) % SYSTEMS
    wins = rng.random(BATTLES) < 1 / (1 + np.exp(strength[right] - strength[left]))
    rows = zip(left.tolist(), right.tolist(), wins.tolist(), strict=True)
    with path.open("w", encoding="utf-8") as file:
        for number, (first, second, won) in enumerate(rows):
            winner = "tie" if number % 10 == 0 else "model_a" if won else "model_b"
            battle = {"question_id": number % 2000, "model_a": f"m{first}", "model_b": f"m{second}", "winner": winner}
            file.write(json.dumps(battle) + "\n")
    begin = time.process_time()
    table = estimate_strengths(read_verdicts(path)).table
    assert time.process_time() - begin < 5  # seconds of CPU, whatever else this machine does
    assert len(table) == SYSTEMS
    means = table.set_index("system")["strength"]
    assert np.corrcoef(means[[f"m{at}" for at in range(SYSTEMS)]], strength)[0, 1] > 0.99
    tracemalloc.start()
    estimate_strengths(read_verdicts(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 500e6
