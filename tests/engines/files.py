"""Files as they come: well-formed ones with every oddity that the format allows, and such files after an accident."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

TIES = ("trec", "trec9", "docid", "rank", "file", "expected")
LAYOUTS = ("trec", "beir", "msmarco")

JUDGED_TOPICS = ("1", "2", "10", "q-7", "\u00fc", "301")
TOPICS = (*JUDGED_TOPICS, "01", "999", "\u4e2d", "1\r2", "x" * 9)
DOCUMENTS = (
    *("d", "d1", "d10", "d2", "D1", "doc-1", "doc10", "0", "00", "+1", "-", ".", "_", "~", "a,b", '"', "<b>", "=1+1"),
    *(
        "#d",
        "nan",
        "1\r",
        "\r1",
        "a\x0bb",
        "\x1f",
        "\x7f",
        "\u0085",
        "\u00a0x",
        "\u2028",
        "\ufeffd",
        "\u00e9",
        "e\u0301",
    ),
    *("d\u00f4c9", "\uffff", "\U0001f600", "clueweb12-0000tw-00-00000", "clueweb12-0000tw-00-00001", "abcdefg"),
    *("abcdefgh", "abcdefgi", "abcdefghi", "y" * 300, "y" * 301, "z" * 4096),
)
NUMBERS = (
    *("0", "-0", "+0", "0.0", "-0.0", "1", "+1", "1.0", "1.", "+.5", "-.5", "5e-1", "2", "2e0", "20E-1", "0002"),
    *("1e-3", ".001", "1e400", "-1e400", "1e-400", "0e999", "1e39", "1e40", "-1e39", "1e-46", "16777216", "16777217"),
    *("1.00000001", "1.0000001", "0.3", "0.30000000000000004", "0.29999999999999999", "9007199254740993", "1e22"),
    *("179769313486231580793728971405303e276", "2.2250738585072011e-308", "4.9e-324", "123456789012345678901234567890"),
    *("0." + "0" * 30 + "1", "1" * 40, "1" * 400, "0" * 90 + "1", "72057594037927945", "3.14159265358979323846"),
)
RANKS = (
    *("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "0", "-1", "+1", "01", "-0"),
    *("999999999999999999", "-999999999999999999", "1000000000000000000", "18446744073709551617", "0" * 30 + "1"),
)
RANK_WORDS = ("four", "1.0", "1e3", "", "-", "+-1", "1_0", "\u0661", "x" * 90)
"""What stands where a rank should be; the empty one stands for a missing field."""
LABELS = ("0", "1", "2", "3", "-1", "-2", "1.0", "+1", "1.7", "0.5", "-0", "-0.0", "0.0", "1e0", "2e0", "1e400", "yes")
TAGS = ("sys", "sys", "sys", "other", "=cmd", "\u00fc", "a\rb", "t" * 5000)

BLANKS = (" ", " ", " ", "\t", "  ", " \t ", "\t\t")
ENDS = ("\n", "\n", "\n", "\r\n", " \n", "\t\r\n", "\r\r\n", "\r \n")
NO_DATA = ("\n", "\r\n", " \t\n", "# a comment\n", "#\n", "#1 Q0 d 1 1 t\n", "#\0\n", "\r\r\n")
INDENTS = ("", "", "", "", " ", "\t", " \t")


def mostly(usual: tuple[str, ...], odd: tuple[str, ...]) -> SearchStrategy[str]:
    """An odd one once in 30 times: files that are wrong in one place are worth more than those that are wrong in many.

    One number says whether it is one, and which: each draw takes its time.
    """
    often = 29 * len(odd) * len(usual)
    numbered = st.integers(0, often + len(odd) * len(usual) - 1)
    return numbered.map(lambda number: usual[number % len(usual)] if number < often else odd[number % len(odd)])


numbers = mostly(("0", "1", "1.0", "+1.", "2", "2e0", "-0.0", "0.5", ".5", "1.00000001"), NUMBERS)
ranks = mostly(("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"), RANKS + RANK_WORDS)
tags = mostly(("sys",), TAGS)
documents = mostly(DOCUMENTS[:18], DOCUMENTS)
topics = mostly(("1", "2", "10"), TOPICS)

# Made once: hypothesis keeps none of these, and to make and check one takes longer than to draw from it.
SIZES = st.sampled_from((0, 1, 3, 8, 15))
"""Of files, at the least."""
AROUND = st.sampled_from(tuple(product(("",) * (9 * len(NO_DATA)) + NO_DATA, INDENTS, BLANKS, ENDS)))
"""A line without data before one in ten; what begins a line, stands between its fields, and ends it."""
FIELD_TWO = mostly(("0", "0", "1", "2"), ("Q0", "4.5", "z" * 4097))
USUAL_LABELS = {usual: mostly((usual,), LABELS) for usual in ("0", "1", "2")}
HEADERS, HOW_MANY_HEADERS = st.sampled_from(("score", "score", "1")), st.sampled_from((1, 1, 1, 2))


@st.composite
def laid_out(draw: st.DrawFn, rows: list[list[str]]) -> bytes:
    """Rows as lines: separators, line ends, blank lines and comments of every kind, with or without a mark in front."""
    plain = draw(st.booleans())
    lines = []
    for fields in rows:
        if plain:
            lines.append(" ".join(fields) + "\n")
            continue
        before, indent, blank, end = draw(AROUND)
        lines.append(before + indent + blank.join(fields) + end)
    text = "".join(lines)
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    mark = "\ufeff" if draw(st.integers(0, 4)) == 0 else ""
    return (mark + text).encode()


@st.composite
def runs(draw: st.DrawFn, layout: str = "trec", *, twice: bool = True) -> bytes:
    """A run, topics grouped or scattered; ``twice`` lets documents repeat in a topic of every second one."""
    unique = not (twice and draw(st.booleans()))
    keys = draw(st.lists(st.tuples(topics, documents), min_size=draw(SIZES), max_size=30, unique=unique))
    if draw(st.booleans()):
        keys.sort(key=lambda key: key[0])
    rows = []
    for topic, document in keys:
        if layout == "msmarco":
            rows.append([topic, document, draw(ranks)])
        else:
            rows.append([topic, "Q0", document, draw(ranks), draw(numbers), draw(tags)])
    if draw(st.booleans()):  # ranks as they should be
        for rank, row in enumerate(rows, start=1):
            row[2 if layout == "msmarco" else 3] = str(rank)
    return draw(laid_out(rows))


@st.composite
def qrels(draw: st.DrawFn, layout: str = "trec") -> bytes:
    """Judgments, some of them repeated or contradicted, some of one document under several values of field 2."""
    rows = []
    for topic, document in draw(st.lists(st.tuples(topics, documents), min_size=draw(SIZES), max_size=25)):
        field = [] if layout == "beir" else [draw(FIELD_TWO)]
        usual = str(len(document) % 3)
        rows.append([topic, *field, document, draw(USUAL_LABELS[usual])])
    if layout == "beir" and draw(st.booleans()):
        header = ["query-id", "corpus-id", draw(HEADERS)]
        rows = [header] * draw(HOW_MANY_HEADERS) + rows
    return draw(laid_out(rows))


def judgments() -> bytes:
    """Judgments for the runs above: every second document of most topics."""
    pairs = [(topic, number) for topic in JUDGED_TOPICS for number in range(0, len(DOCUMENTS), 2)]
    return "".join(f"{topic} 0 {DOCUMENTS[number]} {number % 3}\n" for topic, number in pairs).encode()


PIECES = (
    *(b"\0", b"\r", b"\n", b"\t", b" ", b"#", b"\n#", b"\r\n", b"\x0b", b"\x0c", b"\x1c", b"\x1f", b"\x7f"),
    *(b"\xff", b"\xfe", b"\x80", b"\xc3", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\xc2\x85"),
    *(b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xc2\xa0"),
    *(
        b"-",
        b"+",
        b".",
        b"e",
        b"E5",
        b",",
        b"_",
        b"nan",
        b"inf",
        b"0x1p3",
        b"9" * 25,
        b"x" * 4097,
        "\u00e9".encode() * 2049,
    ),
    *(b"1 Q0 d1 1 1 sys\n", b"1 0 d1 1\n", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"),
)
PIECE = st.sampled_from(PIECES)
ACCIDENTS = st.sampled_from(("insert", "insert", "overwrite", "lose", "repeat", "byte"))


@st.composite
def damaged(draw: st.DrawFn, whole: SearchStrategy[bytes]) -> bytes:
    """A file after a few accidents: bytes lost, repeated, overwritten or put in between."""
    data = draw(whole)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        until = at + draw(st.integers(0, 12))
        kind = draw(ACCIDENTS)
        piece = draw(PIECE)
        if kind == "insert":
            data = data[:at] + piece + data[at:]
        elif kind == "overwrite":
            data = data[:at] + piece + data[at + len(piece) :]
        elif kind == "lose":
            data = data[:at] + data[until:]
        elif kind == "repeat":
            data = data[:until] + data[at:]
        else:
            data = data[:at] + bytes([draw(st.integers(0, 255))]) + data[at + 1 :]
    return data
