"""Analyses of many topics: what fits a budget is done in blocks to the same bits, what does not is refused by size."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cranfield
from cranfield import InputError, UsageError
from cranfield.memory import BUDGET, budget, require, rows_within

MEASURED = """
import resource, sys, warnings
import numpy as np
import pandas as pd
import cranfield

resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
topics, systems = {topics}, {systems}
values = 0.6 * rng.beta(1, 2, (topics, 1)) + 0.3 * rng.beta(2, 3, (topics, systems)) + np.linspace(0, 0.02, systems)
scores = pd.DataFrame(values, [str(topic) for topic in range(topics)], [f"s{{at}}" for at in range(systems)])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
{call}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in one unit of ru_maxrss."""


def taken(call: str, topics: int, systems: int) -> int:
    """Bytes that an analysis takes in a process of its own, beyond what its scores and the package take."""
    script = MEASURED.format(call=call, topics=topics, systems=systems, limit=6 * BUDGET)
    ended = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return int(ended.stdout) * UNIT


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS holds no process to a limit on its addresses")
@pytest.mark.parametrize("megabytes", [150, 200, 300, 400])
@pytest.mark.parametrize("command", [["gate"], ["report", "-o", "page.html"], ["compare"]])
def test_a_limit_below_what_libraries_take_is_one_line(tmp_path: Path, command: list[str], megabytes: int) -> None:
    """Libraries that find no room end the process, or wait for ever."""
    (tmp_path / "s.csv").write_text("topic,a,b,c\n" + "".join(f"{n},.{n},.5,.6\n" for n in range(10, 40)))
    script = (
        "import resource, sys; from cranfield.__main__ import main\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({megabytes}_000_000, {megabytes}_000_000))\nmain()"
    )
    name, *options = command
    ended = subprocess.run(
        [sys.executable, "-c", script, name, "--scores", "s.csv", *options],
        cwd=tmp_path, capture_output=True, encoding="utf-8", check=False, timeout=60,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (1, "", 1), ended.stderr
    assert f"may take {megabytes}.0 MB of addresses" in ended.stderr


STUDY = """
labelled = scores.rename_axis(index="topic", columns="system").stack().to_xarray()
cranfield.standardization.study_standardization(labelled, trials=300)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("topics", "call"),
    [
        pytest.param(30_000, "cranfield.compare(scores, test='permutation', resamples=1000)", marks=pytest.mark.heavy),
        (30_000, "cranfield.compare(scores, interval='bca')"),
        (30_000, "cranfield.trust.estimate_stability(scores, n_topics=[50, 15_000])"),
        pytest.param(20_000, "cranfield.simulation.simulate_scores(scores)", marks=pytest.mark.heavy),
        (30_000, STUDY),
    ],
)
def test_many_topics_stay_small(topics: int, call: str) -> None:
    assert taken(call, topics, 2) < 0.4 * BUDGET


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("topics", "systems", "call"),
    [
        (100_000, 5, "cranfield.compare(scores, test='permutation')"),
        (100_000, 5, "cranfield.compare(scores, test='bootstrap', interval='bca')"),
        (100_000, 5, "cranfield.compare(scores, test='randomized-tukey', resamples=2000)"),
        (100_000, 5, "cranfield.trust.estimate_sensitivity(scores)"),
        (100_000, 5, "cranfield.trust.estimate_stability(scores)"),
        (100_000, 5, "cranfield.trust.estimate_stability(scores, n_topics=[50, 50_000], disjoint=True)"),
        (100_000, 5, "cranfield.trust.estimate_stability(scores, n_topics=[50, 50_000], unit='topic')"),
        (100_000, 5, "cranfield.simulation.simulate_scores(scores)"),
        (100_000, 5, "cranfield.simulation.simulate_scores(scores, null=True)"),
        (100_000, 5, "cranfield.audit(scores)"),
        (1_000_000, 3, "cranfield.compare(scores, interval='bca')"),
        (1_000_000, 3, "cranfield.trust.estimate_sensitivity(scores)"),
        (6_980, 30, "cranfield.select_topics(scores, 10)"),
        (6_980, 30, "cranfield.audit(scores)"),
        (6_980, 30, "cranfield.simulation.simulate_scores(scores, null=True)"),
    ],
)
def test_as_many_topics_as_collections_of_queries_have(topics: int, systems: int, call: str) -> None:
    assert taken(call, topics, systems) < BUDGET


# ---- the budget


def test_the_budget_is_a_gigabyte_or_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRANFIELD_MEMORY", raising=False)
    assert budget() == BUDGET == 10**9
    monkeypatch.setenv("CRANFIELD_MEMORY", "4000000")
    assert budget() == 4_000_000
    assert rows_within(100, 0.5) == 2500
    assert rows_within(10**9, 0.5) == 1


@pytest.mark.parametrize("asked", ["much", "0", "-1", "1e9", "1G"])
def test_a_budget_that_is_no_number_of_bytes(monkeypatch: pytest.MonkeyPatch, asked: str) -> None:
    monkeypatch.setenv("CRANFIELD_MEMORY", asked)
    with pytest.raises(UsageError, match=f"CRANFIELD_MEMORY='{asked}' should be a number of bytes"):
        budget()


def test_a_refusal_names_both_sizes_and_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_MEMORY", "1500000")
    require(1_500_000, "this", "do less")
    with pytest.raises(InputError) as refused:
        require(2_340_000_000, "this", "do less")
    assert str(refused.value) == (
        "this would take 2.3 GB of memory, of 1.5 MB allowed: do less, or set CRANFIELD_MEMORY to a larger number of "
        "bytes"
    )


def scores_of(topics: int, systems: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    values = rng.beta(1, 2, (topics, 1)) * 0.6 + rng.beta(2, 3, (topics, systems)) * 0.3
    return pd.DataFrame(values, [f"q{at}" for at in range(topics)], [f"s{at}" for at in range(systems)])


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda scores: cranfield.compare(scores, test="permutation"), "resampling 5,000 topics or systems"),
        (lambda scores: cranfield.trust.estimate_stability(scores, n_topics=[5]), "200 orders of 5,000 topics"),
        (
            lambda scores: cranfield.trust.estimate_stability(scores, n_topics=[5], subsets=10, unit="topic"),
            "deciding 45 pairs of systems on each of 5,000 topics",
        ),
        (
            lambda scores: cranfield.trust.estimate_reliability(scores, resamples=2000),
            "2,000 resamples of 10 systems",
        ),
    ],
)
def test_what_cannot_be_done_in_blocks_is_refused(monkeypatch: pytest.MonkeyPatch, call: object, what: str) -> None:
    monkeypatch.setenv("CRANFIELD_MEMORY", "500000")
    with pytest.raises(InputError, match=f"^{what} would take .* MB of memory, of 0.5 MB allowed: "):
        call(scores_of(5000, 10))  # type: ignore[operator]


# ---- the same bits


CALLS = {
    "permutation": lambda scores: cranfield.compare(scores, test="permutation", interval="percentile").pairs,
    "bootstrap": lambda scores: cranfield.compare(scores, test="bootstrap", interval="bca").pairs,
    "reliability": lambda scores: cranfield.trust.estimate_reliability(scores).curve,
    "sensitivity": lambda scores: cranfield.trust.estimate_sensitivity(scores).table,
    "power of flips": lambda scores: (
        cranfield.trust.estimate_sensitivity(scores, test="permutation", resamples=2000).table
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_blocks_change_no_bit(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The budget decides what is held, never what is drawn, nor the order in which it is added."""
    scores = scores_of(600, 12)
    whole = CALLS[name](scores)
    monkeypatch.setenv("CRANFIELD_MEMORY", "700000")
    monkeypatch.setattr("cranfield.statistics.resampling.CELLS", 1 << 15)
    monkeypatch.setattr("cranfield.statistics.resampling.DRAWN", 1 << 12)
    monkeypatch.setattr("cranfield.statistics.numeric.CALL", 1 << 15)
    for module, name_of_limit in (
        ("cranfield.statistics.bootstrap", "DIFFERENCES"),
        ("cranfield.statistics.intervals", "DIFFERENCES"),
        ("cranfield.statistics.generalizability", "CELLS"),
        ("cranfield.statistics.contrasts", "CELLS"),
    ):
        monkeypatch.setattr(f"{module}.{name_of_limit}", 4 * len(scores))
    pd.testing.assert_frame_equal(whole, CALLS[name](scores), check_exact=True)


@pytest.mark.heavy
@pytest.mark.parametrize("call", [["compare"], ["compare", "--test", "bootstrap"], ["audit", "reliability"]])
def test_a_million_topics_of_five_systems(tmp_path: Path, call: list[str]) -> None:
    draw, topics = np.random.default_rng(1), [str(number) for number in range(1_000_000)]
    (tmp_path / "scores").mkdir()
    about = {b"cranfield.scores": b'{"measures": {"AP": {}}}'}
    for number in range(5):
        columns = {"system": [f"s{number}"] * len(topics), "topic": topics, "AP": draw.random(len(topics))}
        pq.write_table(pa.table(columns, metadata=about), tmp_path / "scores" / f"{number}.parquet")
    code = "import resource, sys; from cranfield.__main__ import main\ntry: main()\nfinally: " + (
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    call = [*call, "--scores", str(tmp_path / "scores"), "-f", "csv"]
    ended = subprocess.run([sys.executable, "-c", code, *call], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert int(ended.stderr.split()[-1]) < 1_000_000


def counted_by(script: str) -> list[int]:
    """What a script prints in a process that keeps what it frees, and in another."""
    calls = ([sys.executable, "-c", script, word] for word in ("kept", "given back"))
    return [int(subprocess.run(call, capture_output=True, check=True, text=True).stdout) for call in calls]
