"""What commands have read ahead is what they then ask for: nothing is read twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command import cranfield

from cranfield import engine
from cranfield.io import prefetch

RUNS = 3


class Recorder:
    """The engine in use, which notes how runs are begun and asked for."""

    def __init__(self, behind: Any) -> None:
        self._behind = behind
        self.begun: list[tuple[Any, ...]] = []
        self.asked: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._behind, name)

    def begin_reading(self, *given: Any) -> None:
        self.begun.append(given)

    def end_reading(self) -> None:
        pass

    def read_run(self, source: Any, layout: str, limit: int, on_duplicate: str) -> Any:
        self.asked.append(("whole", source, layout, limit, on_duplicate))
        return self._behind.read_run(source, layout, limit, on_duplicate)

    def judge_file(self, source: Any, layout: str, limit: int, index: Any, *given: Any) -> Any:
        self.asked.append(("judged", source, layout, limit, *given))
        return self._behind.judge_file(source, layout, limit, index, *given)


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    found = Recorder(engine.current())
    monkeypatch.setattr(engine, "current", lambda: found)
    monkeypatch.setattr(prefetch, "before_numpy", lambda: found)
    return found


@pytest.mark.parametrize("runs", [1, RUNS])
@pytest.mark.parametrize(
    "command",
    [
        ("evaluate",),
        ("evaluate", "-f", "json", "--ties", "docid", "--on-duplicate", "first"),
        ("audit",),
        ("audit", "--ties", "trec9", "--on-duplicate", "first"),
        ("table", "-m", "P@1"),
        ("compare", "-m", "AP"),
        ("reliability", "-m", "AP"),
        ("sensitivity", "-m", "AP"),
        ("standardize", "-m", "AP"),
        ("check",),
        ("report", "--on-duplicate", "first"),
    ],
    ids=" ".join,
)
def test_they_ask_for_what_they_had_begun(
    command: tuple[str, ...], runs: int, recorder: Recorder, tmp_path: Path
) -> None:
    qrels, names = tmp_path / "qrels", [str(tmp_path / f"{number}.run") for number in range(runs)]
    qrels.write_text("".join(f"{topic} 0 d{one} {one % 2}\n" for topic in range(3) for one in range(4)))
    for number, name in enumerate(names):
        rows = [(topic, one, (one * number + topic) % 4) for topic in range(3) for one in range(4)]
        Path(name).write_text("".join(f"{topic} Q0 d{one} 1 {score} run{number}\n" for topic, one, score in rows))
    cranfield(*command, qrels, *names, "-o", tmp_path / ("out.html" if command[0] == "report" else "out"))
    ((begun_qrels, limit, files, ties, on_duplicate, threads, _, sign, whole),) = recorder.begun
    assert (begun_qrels, files) == (str(qrels), names)
    how = ("trec", limit, on_duplicate) if whole else ("trec", limit, ties, on_duplicate, threads, sign)
    expected = [("whole" if whole else "judged", name, *how) for name in names]
    assert sorted(recorder.asked) == expected
