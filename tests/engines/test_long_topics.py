"""A topic that lasts longer than a window is judged in stretches that forget their text; what is found stays the same.

Texts have several windows for one topic, and lines of 1,760 bytes, so that few are enough for that: the reference
engine takes its time for each line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from files import TIES
from outcomes import Judge, Refused
from test_packed_in_windows import megabytes

from cranfield.engine import Engine

TAG = "s" + 1740 * "m"
COUNT = 3_500
"""Lines of 6 MB."""
JUDGMENTS = "".join(
    f"{topic} 0 d{document} {document % 3}\n"
    for topic in (3, 4, 5)
    for document in (0, 1, 2, *range(7, COUNT, 252), 567, 568, 569, COUNT - 2, COUNT - 1, COUNT + 7)
).encode()


def lines(score: Callable[[int], object], topic: object = 3, count: int = COUNT, tag: str = TAG) -> list[str]:
    return [f"{topic} Q0 d{at} {at + 1} {score(at)} {tag}\n" for at in range(count)]


def falling(at: int) -> int:
    return -at


def swapped(rows: list[str], one: int, other: int) -> list[str]:
    rows[one], rows[other] = rows[other], rows[one]
    return rows


COMMENT = "# " + 78 * "c" + "\n"
TEXTS: dict[str, Callable[[], list[str]]] = {
    "falling": lambda: lines(falling),
    "ties of three": lambda: lines(lambda at: -(at // 3)),
    "ties longer than a window": lambda: lines(lambda at: -(at // 1250)),
    "one score": lambda: lines(lambda at: 0),
    "ties in single precision": lambda: lines(lambda at: f"{1 - at * 1e-9:.9f}"),
    "zeros of both signs": lambda: lines(lambda at: ("-0", "0", "0.0")[at % 3]),
    "two lines exchanged": lambda: swapped(lines(falling), 2250, 2251),
    "two lines far apart exchanged": lambda: swapped(lines(falling), 20, COUNT - 20),
    "scores that rise": lambda: lines(lambda at: at),
    "a document twice": lambda: [*lines(falling), f"3 Q0 d41 {COUNT + 1} {-COUNT} {TAG}\n"],
    "a document twice below itself": lambda: [*lines(falling), f"3 Q0 d{COUNT - 1} {COUNT + 1} {-COUNT} {TAG}\n"],
    "equal ranks": lambda: [*lines(falling), f"3 Q0 d{COUNT} {COUNT} {-COUNT} {TAG}\n"],
    "ranks from 0": lambda: [f"3 Q0 d{at} {at} {-at} {TAG}\n" for at in range(COUNT)],
    "ranks that are no numbers": lambda: [f"3 Q0 d{at} Q1 {-at} {TAG}\n" for at in range(COUNT)],
    "a rank that contradicts": lambda: [*lines(falling), f"3 Q0 d{COUNT} 1 {-COUNT} {TAG}\n"],
    "another tag": lambda: [*lines(falling), f"3 Q0 d{COUNT} {COUNT + 1} {-COUNT} other\n"],
    "short topics around it": lambda: [*lines(falling, 4, 9), *lines(falling), *lines(falling, 5, 9)],
    "long topics one after the other": lambda: [*lines(falling, 4), *lines(falling), *lines(lambda at: -(at // 2), 5)],
    "an unjudged one between": lambda: [*lines(falling, 9), *lines(falling), *lines(falling, "other")],
    "a topic that returns": lambda: [*lines(falling, 4, 9), *lines(falling), *lines(falling, 4, 20)[9:]],
    "a long topic that returns": lambda: [*lines(falling)[:3250], *lines(falling, 4), *lines(falling)[3250:]],
    "comments longer than a window": lambda: [
        *lines(falling)[:2475],
        *([COMMENT, "\n"] * 15_000),
        *lines(falling)[2475:],
    ],
    "a line that is too short": lambda: [*lines(falling), "3 Q0 d1\n"],
    "a byte order mark": lambda: ["\ufeff", *lines(falling)],
    "no end of the last line": lambda: [*lines(falling)[:-1], lines(falling)[-1].rstrip()],
}


@pytest.fixture(scope="module")
def judges(compiled: Engine, reference: Engine) -> tuple[Judge, Judge]:
    return Judge.of(compiled, JUDGMENTS), Judge.of(reference, JUDGMENTS)


@pytest.mark.slow
@pytest.mark.parametrize("case", TEXTS)
def test_what_is_found_is_what_the_whole_text_gives(judges: tuple[Judge, Judge], case: str, tmp_path: Path) -> None:
    ours, theirs = judges
    data = "".join(TEXTS[case]()).encode()
    assert len(data) > 6_000_000, "longer than what is kept together of a topic"
    file = tmp_path / "run"
    file.write_bytes(data)
    for ties in TIES:
        for duplicate in ("error", "first"):
            wanted = theirs.file(data, ties, on_duplicate=duplicate)
            for threads in (1, 3):
                assert ours.file(str(file), ties, on_duplicate=duplicate, threads=threads) == wanted, ties


@pytest.mark.slow
def test_cases_are_accepted_and_refused(judges: tuple[Judge, Judge]) -> None:
    """The cases above are what they are called."""
    found = {case: judges[1].file("".join(text()).encode(), "rank") for case, text in TEXTS.items()}
    refused = {case: outcome.code for case, outcome in found.items() if isinstance(outcome, Refused)}
    assert refused == {
        "a document twice": "duplicate",
        "a document twice below itself": "duplicate",
        "equal ranks": "equal-ranks",
        "ranks that are no numbers": "rank",
        "a rank that contradicts": "equal-ranks",
        "a line that is too short": "fields",
    }
    noticed = {case: set(outcome["facts"]["noticed"]) for case, outcome in found.items() if case not in refused}
    assert noticed["scores that rise"] == {"rank-contradicts-score"}
    assert noticed["another tag"] == {"mixed-tags"}
    assert noticed["an unjudged one between"] == {"extra-topics"}
    assert not noticed["falling"]


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are read from /proc")
def test_the_text_of_a_topic_is_not_held(tmp_path: Path, compiled: Engine) -> None:
    """Of 66 MB of text, all of one topic, with ties; 8 bytes a line are left, and the windows."""
    file = tmp_path / "run"
    file.write_text("".join(lines(lambda at: -(at // 4), count=150_000, tag=TAG[:421])))
    assert megabytes("judge", file) < 35
