"""Names of strangers in HTML, LaTeX, CSV and file names: they stay text, and can be told apart."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath, PureWindowsPath
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import escaping
from reading_pages import show_text

SPECIAL = "\\{}$&#^_~%<>|\"'`[]*-,?!/:;=+@. \t\r\n\0\x1b\x7f\u0085\u00a0\u2028\u202e\u2066\u200b\ufeff\U000e0041\udcff"
PIECES = (
    "--",
    "---",
    "``",
    "''",
    "?`",
    "<b>",
    "</script>",
    "<!--",
    "]]>",
    "&amp;",
    "&#x41;",
    "\\n",
    "\\\\",
    "..",
    "%2E",
)
LETTERS = (
    "a",
    "Z",
    "7",
    "\u00e9",
    "e\u0301",
    "\u4e2d",
    "\U0001f600",
    "\u05d0",
    "\u212b",
    "con",
    "NUL",
    "COM1",
    "lpt\u00b9",
)

names = st.lists(st.sampled_from((*SPECIAL, *PIECES, *LETTERS)), max_size=12).map("".join) | st.text(max_size=20)


# ---- HTML


class Page(HTMLParser):
    """What a browser would make of a page: its text, its attributes and its tags."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    handle_decl = unknown_decl = handle_pi = handle_comment


@given(names)
def test_a_page_shows_the_name_and_nothing_else(name: str) -> None:
    page = Page()
    page.feed(f"<td title=\"{escaping.html(name)}\" class='{escaping.html(name)}'>{escaping.html(name)}</td>")
    page.close()
    assert page.text == show_text(name)
    assert page.tags == [("td", [("title", show_text(name)), ("class", show_text(name))])]
    assert all(line.isprintable() for line in escaping.html(name).split("\n"))


@pytest.mark.parametrize(
    ("name", "html"),
    {
        "bm25": "bm25",
        "<script>alert(1)</script>": "&lt;script&gt;alert(1)&lt;/script&gt;",
        "\"onload='x' & y": "&quot;onload=&#x27;x&#x27; &amp; y",
        "&amp;": "&amp;amp;",
        "a\u202eb\0\n": "a\\u202eb\\x00\\n",
        "x" * 10_000: "x" * 80 + "...",
        "": "",
    }.items(),
)
def test_html(name: str, html: str) -> None:
    assert escaping.html(name) == html


def test_as_long_as_there_is_room() -> None:
    assert escaping.html("<" * 10_000, 10_000) == "&lt;" * 10_000
    assert escaping.latex("_" * 10_000, 3) == "\\_\\_\\_..."


# ---- LaTeX

TOKENS = {
    **{f"\\{char}": char for char in "#$%&_{}"},
    **{f"{{{char}}}": char for char in "[]*"},
    **{"\\textbackslash{}": "\\", "\\textasciitilde{}": "~", "\\textasciicircum{}": "^"},
    **{"\\textless{}": "<", "\\textgreater{}": ">", "\\textbar{}": "|", "{\\char34}": '"', "{}": ""},
}
TOKEN = re.compile("|".join(map(re.escape, TOKENS)) + r"|[^\\{}#$%&_~^<>|\"\[\]*]", re.DOTALL)
JOINED = ("--", "``", "''", "?`", "!`", ",,", "  ")


@given(names)
def test_latex_prints_the_name(name: str) -> None:
    """Read back by the rules of TeX: commands, groups, and letters that mean themselves."""
    written = escaping.latex(name, 1000)
    tokens = TOKEN.findall(written)
    assert "".join(tokens) == written, "nothing in it means anything else to TeX"
    assert "".join(TOKENS.get(token, token) for token in tokens) == show_text(name, 1000)
    assert not any(joined in written for joined in JOINED)


@pytest.mark.parametrize(
    ("name", "latex"),
    {
        "bm25": "bm25",
        "a_b^c": "a\\_b\\textasciicircum{}c",
        "50% & $1 #2 {x}": "50\\% \\& \\$1 \\#2 \\{x\\}",
        "\\input{/etc/passwd}": "\\textbackslash{}input\\{/etc/passwd\\}",
        "[t]*": "{[}t{]}{*}",
        "run--2 ''x'' ?`": "run-{}-2 '{}'x'{}' ?{}`",
        "a  b\n\tc~": "a {} b\\textbackslash{}n\\textbackslash{}tc\\textasciitilde{}",
        '<"|>': "\\textless{}{\\char34}\\textbar{}\\textgreater{}",
        "\u202eabc": "\\textbackslash{}u202eabc",
        "\u00e9\u4e2d": "\u00e9\u4e2d",
        "y" * 10_000: "y" * 80 + "...",
        "": "",
    }.items(),
)
def test_latex(name: str, latex: str) -> None:
    assert escaping.latex(name) == latex


# ---- CSV


@given(st.lists(names, min_size=1, max_size=4))
def test_csv_gives_the_names_back_and_no_formula(row: list[str]) -> None:
    text = ",".join(map(escaping.csv, ["first", *row])) + "\n"
    (fields,) = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert len(fields) == len(row) + 1
    for name, field in zip(row, fields[1:], strict=True):
        assert field in ("+", "-") or field[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "\x1b", "\u0085")
        assert not re.search(r"[;\t\r\n][-=+@]", field)
        back = re.sub(r"(^|(?<=[;\t\r\n]))'(?='*[-=+@\x00-\x1f\x7f-\x9f])", "", field)
        assert back == escaping.unguarded(field) == name


@pytest.mark.parametrize(
    ("name", "field"),
    {
        "bm25": "bm25",
        "=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0",
        "+1": "'+1",
        "-1": "'-1",
        "+": "+",
        "-": "-",
        "'+": "''+",
        "+;": '"\'+;"',
        "@SUM(A1)": "'@SUM(A1)",
        "\t=1": "\"'\t'=1\"",
        "a;b": '"a;b"',
        "a\tb": '"a\tb"',
        "a;=1+1": '"a;\'=1+1"',
        "a;'=1": "\"a;''=1\"",
        "a;'b": '"a;\'b"',
        "a\n-1": '"a\n\'-1"',
        "\n-": "\"'\n'-\"",
        "a;+": '"a;\'+"',
        "-\r-": "\"'-\r'-\"",
        "'=1": "''=1",
        "'a": "'a",
        'a,"b"': '"a,""b"""',
        "=1,2": '"\'=1,2"',
        "a\rb\nc": '"a\rb\nc"',
        "": "",
    }.items(),
)
def test_csv(name: str, field: str) -> None:
    assert escaping.csv(name) == field


# ---- file names

DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$"}
DEVICES |= {f"{port}{number}" for port in ("com", "lpt") for number in "0123456789\u00b9\u00b2\u00b3"}


def assert_harmless(made: str) -> None:
    for path in (PurePosixPath("folder", made), PureWindowsPath("folder", made)):
        assert path.parent == type(path)("folder")
        assert path.name == made
    assert not re.search(r'[\x00-\x20<>:"/\\|?*\x7f]', made)
    assert made.isprintable()
    assert made[0] not in ".-~ "
    assert made[-1] not in ". "
    assert made.partition(".")[0].lower() not in DEVICES
    assert 0 < len(made.encode()) <= escaping.LONGEST_FILE_NAME


@given(names)
def test_a_file_stays_in_its_folder(name: str) -> None:
    made = escaping.file_name(name)
    assert_harmless(made)
    if "~" not in made and name:
        assert unquote(made, errors="surrogatepass") == name


@given(names, names)
def test_different_names_are_different_files(one: str, other: str) -> None:
    assert (escaping.file_name(one) == escaping.file_name(other)) == (one == other)


@given(st.text(min_size=100, max_size=300), st.text(max_size=3), st.text(max_size=3))
def test_long_names_too(long: str, one: str, other: str) -> None:
    for name in (long + one, long + other):
        assert_harmless(escaping.file_name(name))
    assert (escaping.file_name(long + one) == escaping.file_name(long + other)) == (one == other)


@pytest.mark.parametrize(
    ("name", "made"),
    {
        "bm25+rm3_k=10,b@2.v1": "bm25+rm3_k=10,b@2.v1",
        "\u00e9\u4e2d": "\u00e9\u4e2d",
        "e\u0301": "e%CC%81",
        "../../x": "%2E.%2F..%2Fx",
        "/etc/passwd": "%2Fetc%2Fpasswd",
        "C:\\x": "C%3A%5Cx",
        ".hidden": "%2Ehidden",
        "..": "%2E%2E",
        ".": "%2E",
        "": "%",
        "%": "%25",
        "a.": "a%2E",
        "a ": "a%20",
        "-rf": "%2Drf",
        "~root": "%7Eroot",
        "CON": "%43ON",
        "aux.txt": "%61ux.txt",
        "auxiliary": "auxiliary",
        "a\nb\0\u202e": "a%0Ab%00%E2%80%AE",
    }.items(),
)
def test_file_name(name: str, made: str) -> None:
    assert escaping.file_name(name) == made


def test_a_tag_of_ten_thousand_letters_is_a_file(tmp_path: Path) -> None:
    for letter in ("x", "\u4e2d", "/", "\U0001f600"):
        path = tmp_path / (escaping.file_name(letter * 10_000) + ".svg")
        path.write_text("")
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("bm25+rm3", "bm25+rm3"),
        ("nDCG(dcg='log2')@10", "nDCG(dcg='log2')@10"),
        ("a|b", r"a\|b"),
        ("![x](http://h)", r"\!\[x\](http\://h)"),
        ("<script>", r"\<script\>"),
        ("&lt;", r"\&lt;"),
        ("www.x", r"www\.x"),
        ("a\\|b\n\u202ec", r"a\\\|b\\n\\u202ec"),
        ("$x$ *y* _z_ `c` #1 ~d~", r"\$x\$ \*y\* \_z\_ \`c\` \#<!-- -->1 \~d\~"),
        ("@team/x me@host.org", "@<!-- -->team/x me@<!-- -->host.org"),
        ("GH-1 owner/repo#12", r"GH-<!-- -->1 owner/repo\#<!-- -->12"),
    ],
)
def test_markdown(name: str, written: str) -> None:
    assert escaping.markdown(name) == written
    assert escaping.markdown("_" * 10_000, 3) == r"\_\_\_..."
