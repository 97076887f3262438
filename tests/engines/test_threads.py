"""A large file is cut into pieces that are read side by side: nothing in the result may tell.

The compiled engine cuts text of more than two mebibytes, by topics, and reads files in windows of one. Each text here
is compared on one, two and four threads, and what should be found in it is known from how it was made.
"""

from __future__ import annotations

import functools
import hashlib
import random
import tempfile
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from outcomes import Judge, Refused

from cranfield.engine import Engine

TOPICS, DEPTH = 120, 1000
JUDGED = range(0, DEPTH, 7)

Lines = list[str]


def line(topic: int, document: int, rank: int | str, score: str, tag: str = "sys") -> str:
    return f"topic-{topic} Q0 clueweb12-{topic:04}-{document:06} {rank} {score} {tag}\n"


def grouped() -> Lines:
    """Topics one after the other, scores falling but for ties."""
    return [
        line(topic, document, document + 1, f"{(DEPTH - document) // 3}.5")
        for topic in range(TOPICS)
        for document in range(DEPTH)
    ]


def judgments() -> bytes:
    """Of two topics in three."""
    topics = (topic for topic in range(TOPICS) if topic % 3)
    pairs = ((topic, document) for topic in topics for document in JUDGED)
    return "".join(
        f"topic-{topic} 0 clueweb12-{topic:04}-{document:06} {document % 2}\n" for topic, document in pairs
    ).encode()


def shuffled(lines: Lines) -> Lines:
    return random.Random(20).sample(lines, len(lines))


def rotated(lines: Lines) -> Lines:
    """The first topic begins at the end of the file: no topic is whole, but only one is in two places."""
    return lines[DEPTH // 2 :] + lines[: DEPTH // 2]


def with_comments(lines: Lines) -> Lines:
    """A comment or a blank line every few lines, so that pieces begin at them and their lines must be counted."""
    notes = ("# topic-1 Q0 d 1 1 t\n", "\n", " \t\n", "#\n")
    return [text for number, row in enumerate(lines) for text in ([row] if number % 11 else [notes[number % 4], row])]


def indented(lines: Lines) -> Lines:
    return [(" ", "\t", "")[number % 3] + row.replace("\n", "\r\n") for number, row in enumerate(lines)]


def padded(lines: Lines) -> Lines:
    """Lines of very different lengths: topics begin anywhere."""
    wide = random.Random(21)
    blanks = [" " * wide.randint(1, 40) for _ in range(TOPICS)]
    return [row.replace(" ", blanks[number // DEPTH]) for number, row in enumerate(lines)]


def one_topic(lines: Lines) -> Lines:
    """A single topic that is larger than any piece."""
    return [f"topic-1 Q0 d{number:09} {number + 1} {len(lines) - number}.5 sys\n" for number in range(len(lines))]


LAYOUTS: dict[str, Callable[[Lines], Lines]] = {
    "grouped": lambda lines: lines,
    "reversed": lambda lines: lines[::-1],
    "rotated": rotated,
    "shuffled": shuffled,
    "round-robin": lambda lines: [lines[topic * DEPTH + rank] for rank in range(DEPTH) for topic in range(TOPICS)],
    "padded": padded,
    "comments": with_comments,
    "indented": indented,
    "one-topic": one_topic,
}


class Defect(NamedTuple):
    """What is put into the file, how far into it, and what must be said."""

    place: float
    change: Callable[[str], str]
    found: Callable[[int, str], Refused]
    ties: str = "trec"


def fields_of(text: str) -> list[str]:
    return text.split()


def cut_short(text: str) -> str:
    return " ".join(fields_of(text)[:5]) + "\n"


def repeated(text: str) -> str:
    """The same document on the line after."""
    return text + text


DEFECTS: dict[str, Defect] = {
    **{
        f"fields-{place}": Defect(
            place, cut_short, lambda at, text: Refused("fields", at, cut_short(text).strip(), 5, "6")
        )
        for place in (0.0, 0.2, 0.5, 0.9, 1.0)
    },
    "score": Defect(
        0.8,
        lambda text: text.replace(".5 ", ",5 "),
        lambda at, text: Refused("score", at, fields_of(text)[4].replace(".", ","), 0, ""),
    ),
    "nul": Defect(0.95, lambda text: text.replace("Q0", "Q\0"), lambda at, text: Refused("nul", at, "", 0, "")),
    "duplicate": Defect(
        0.9,
        repeated,
        lambda at, text: Refused("duplicate", at + 1, fields_of(text)[0], 0, fields_of(text)[2]),
    ),
    "rank": Defect(
        0.7,
        lambda text: " ".join([*fields_of(text)[:3], "1.5", *fields_of(text)[4:]]) + "\n",
        lambda at, text: Refused("rank", at, "1.5", 0, ""),
        ties="rank",
    ),
}


@pytest.fixture(scope="module")
def judge(compiled: Engine) -> Judge:
    return Judge.of(compiled, judgments())


@pytest.fixture(scope="module")
def lines() -> Lines:
    return grouped()


@pytest.fixture(scope="module")
def laid_out(lines: Lines) -> Callable[[str], Lines]:
    """The lines in a layout, each put in order once; whoever changes them changes a copy."""
    made = functools.cache(lambda layout: LAYOUTS[layout](lines))
    return lambda layout: made(layout)[:]


def on_all_threads(judge: Judge, data: bytes, ties: str, on_duplicate: str = "error") -> Any:
    """The one outcome of every number of threads, of bytes in memory and of a file, which is read in windows."""
    assert len(data) > 4 << 20
    alone = judge.file(data, ties, on_duplicate=on_duplicate, threads=1)
    if not isinstance(alone, Refused):
        assert alone["sha256"] == hashlib.sha256(data).hexdigest()
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        for source, threads in ((data, 2), (data, 4), (file.name, 1), (file.name, 2), (file.name, 4)):
            assert judge.file(source, ties, on_duplicate=on_duplicate, threads=threads) == alone, (source[:0], threads)
    return alone


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("ties", ["trec", "docid", "file"])
def test_threads_change_nothing(
    judge: Judge, lines: Lines, laid_out: Callable[[str], Lines], layout: str, ties: str
) -> None:
    text = laid_out(layout)
    found = on_all_threads(judge, "".join(text).encode(), ties)
    facts = found["facts"]
    assert facts["rows"] == len(lines)
    assert facts["skipped"] == len(text) - len(lines)
    assert "rank-contradicts-score" not in facts["noticed"]
    topics = TOPICS - TOPICS // 3
    if layout == "one-topic":
        assert found["length"][2] == [len(lines)] + [0] * (topics - 1)
    else:
        assert facts["noticed"]["extra-topics"]["count"] == TOPICS // 3
        assert found["length"][2] == [DEPTH] * topics
        for column in ("rank", "document"):
            assert len(found[column][1]) == 8 * len(JUDGED) * topics


def data_lines(text: Lines) -> list[int]:
    """Where rows stand."""
    return [number for number, row in enumerate(text) if row.startswith("topic")]


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["grouped", "rotated", "shuffled", "comments", "one-topic"])
@pytest.mark.parametrize("defect", DEFECTS)
def test_the_first_defect_is_named_with_its_line(
    judge: Judge, laid_out: Callable[[str], Lines], layout: str, defect: str
) -> None:
    text = laid_out(layout)
    place, change, wanted, ties = DEFECTS[defect]
    rows = data_lines(text)
    at = rows[int(place * (len(rows) - 1))]
    original = text[at]
    text = [*text[:at], change(original), *text[at + 1 :]]
    assert on_all_threads(judge, "".join(text).encode(), ties) == wanted(at + 1, original)


@pytest.mark.parametrize("layout", ["grouped", "shuffled"])
def test_of_two_defects_the_earlier_line_is_named(judge: Judge, laid_out: Callable[[str], Lines], layout: str) -> None:
    """A defect of a line hides a repeated document, wherever that stands; of two lines the earlier one counts."""
    text = laid_out(layout)
    early, late = len(text) // 3, len(text) * 2 // 3
    text[early] = repeated(text[early])
    assert on_all_threads(judge, "".join(text).encode(), "trec").code == "duplicate"
    text[late] = cut_short(text[late])
    found = on_all_threads(judge, "".join(text).encode(), "trec")
    assert (found.code, found.line) == ("fields", late + 2)
    text[late - 1000] = cut_short(text[late - 1000])
    found = on_all_threads(judge, "".join(text).encode(), "trec")
    assert (found.code, found.line) == ("fields", late + 2 - 1000)


@pytest.mark.parametrize("layout", ["grouped", "rotated", "shuffled", "comments"])
def test_what_is_noticed_is_counted_over_all_pieces(
    judge: Judge, lines: Lines, laid_out: Callable[[str], Lines], layout: str
) -> None:
    text = laid_out(layout)
    rows = data_lines(text)
    words = [rows[len(rows) * part // 10] for part in (3, 5, 9)]
    twice = [rows[len(rows) * part // 10 + 1] for part in (4, 8)]
    tagged = [rows[len(rows) * part // 10 + 2] for part in (2, 6)]
    for at in words:
        fields = fields_of(text[at])
        text[at] = " ".join([*fields[:3], "first", *fields[4:]]) + "\n"
    for at in tagged:
        text[at] = text[at].replace(" sys\n", f" tag{at}\n")
    names = fields_of(text[twice[0]])
    for at in reversed(twice):
        text[at : at + 1] = [text[at], text[at]]
    facts = on_all_threads(judge, "".join(text).encode(), "trec", "first")["facts"]
    assert facts["rows"] == len(lines) + 2
    assert facts["noticed"]["rank-text"] == {"count": 3, "line": words[0] + 1, "value": "first"}
    repeated = {"count": 2, "line": twice[0] + 2, "topic": names[0], "document": names[2]}
    assert facts["noticed"]["duplicate"] == repeated
    other = {"line": tagged[0] + 1, "value": f"tag{tagged[0]}", "first": "sys"}
    assert (facts["tag"], facts["noticed"]["mixed-tags"]) == ("sys", other)


def test_equal_ranks_are_named_with_their_line(judge: Judge, lines: Lines) -> None:
    text = list(lines)
    for at in (DEPTH * 90 + 300, DEPTH * 50 + 200):
        text[at] = text[at - 1].replace("clueweb12", "clueweb09")
    found = on_all_threads(judge, "".join(text).encode(), "rank")
    assert found == Refused("equal-ranks", DEPTH * 50 + 201, "200", 0, "")


def test_pieces_may_begin_at_any_byte(judge: Judge, lines: Lines) -> None:
    """A comment of every length in front moves the cuts over every byte of a line."""
    body = "".join(lines).encode()
    alone = judge.file(b"#\n" + body, "trec")
    for length in range(len(lines[0]) + 1):
        found = judge.file(b"#" + b"." * length + b"\n" + body, "trec", threads=4)
        assert found | {"sha256": alone["sha256"]} == alone, length


@pytest.mark.slow
def test_all_threads_agree_with_the_reference_engine(judge: Judge, reference: Engine, lines: Lines) -> None:
    data = "".join(with_comments(shuffled(lines))).encode()
    assert on_all_threads(judge, data, "trec9") == Judge.of(reference, judgments()).file(data, "trec9")
