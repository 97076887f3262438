"""Names from files, made safe for where they are written: HTML, LaTeX, CSV, the name of a file.

Tags and ids are untrusted names. For a terminal, and before anything else for people to read, ``_text.shown`` writes
out what is invisible or moves text about; here are the others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from cranfield._text import shown

LONGEST_FILE_NAME = 120
"""Bytes of a file name made here, so that a folder's path and an ending still fit what file systems allow."""

LATEX = {
    **{char: f"\\{char}" for char in "#$%&_{}"},
    **{char: f"{{{char}}}" for char in "[]*"},  # behind \\ they would be its arguments
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
}
PARTS = r"(?<=[;\t\r\n])"
"""Behind what some spreadsheet separates cells or rows by, quotation marks or not."""
JOINED = r"(?<=[-'`,?!])(?=[-'`,])|(?<= )(?= )"
"""Between two letters that LaTeX would print as one: a dash, a quotation mark, a mark upside down, a single space."""

MARKDOWN = r"(?i)[\\`*_{}\[\]<>#|~&!$]|:(?=//)|(?<=www)\."
"""Marks that would make letters bold, a link, an image, a formula, an element of HTML or the end of a cell."""
MENTION = r"(?i)(?<=(?<!\w)@)(?!(?<=\)@)\d)(?=\w)|(?<=\w@)(?=[\w-]+\.[a-z])|(?<=#)(?=\d)|(?<=GH-)(?=\d)"
"""Inside of what GitHub makes a mention of somebody or an issue, or a mail address; ``nDCG(...)@10`` is neither."""
NOTHING = "<!-- -->"
"""A mark between two parts of a text that must not be read as one; nobody sees it."""
SIGNS = ("+", "-")
"""Alone they calculate nothing, and tables mark differences with them."""
RESERVED = r"(?i)(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])(?=\.|$)"
"""Names that are devices on some systems, whatever their ending."""


def html(name: str, limit: int = 80) -> str:
    """A name as text of a page, or as the value of a quoted attribute; cut after ``limit`` characters.

    >>> html('<b>"x" & \\u202ey')
    '&lt;b&gt;&quot;x&quot; &amp; \\\\u202ey'
    """
    from html import escape

    return escape(shown(name, limit), quote=True)


def latex(name: str, limit: int = 80) -> str:
    """A name as text of a LaTeX document, in a paragraph or a cell of a table; cut after ``limit`` characters.

    Letters beyond ASCII stand as they are: they need an engine, and a font, that has them.

    >>> print(latex("bm25_k1=0.9 & 50% {x}"))
    bm25\\_k1=0.9 \\& 50\\% \\{x\\}
    """
    return "{}".join("".join(LATEX.get(char, char) for char in part) for part in re.split(JOINED, shown(name, limit)))


def markdown(name: str, limit: int = 80) -> str:
    """A name as text of Markdown, in a paragraph or a cell of a table; cut after ``limit`` characters.

    It mentions nobody, and refers to no issue, in a comment on GitHub either.

    >>> print(markdown("<b>*x*|y_z"), markdown("@team"))
    \\<b\\>\\*x\\*\\|y\\_z @<!-- -->team
    """
    return NOTHING.join(re.sub(MARKDOWN, r"\\\g<0>", part) for part in re.split(MENTION, shown(name, limit)))


def csv(name: str) -> str:
    """A name as a field of CSV (RFC 4180), whole, that no spreadsheet takes for a formula.

    ``'`` stands before what begins with ``= + - @`` or a control character, unless it is a sign alone, and before
    what already begins with such a ``'``, so that one can be taken off again; likewise behind a semicolon, a tab or a
    line end inside, where a spreadsheet that separates cells by these would begin another one.

    >>> print(csv("=1+1"), csv("a,b"), csv("a;=1+1"))
    '=1+1 "a,b" "a;'=1+1"
    """
    guarded = _join_cells(name, lambda cell: "'" + cell)
    # Python's writer would leave a lone carriage return bare, and a semicolon and a tab too.
    return '"' + guarded.replace('"', '""') + '"' if any(char in guarded for char in ',;\t"\r\n') else guarded


def unguarded(field: str) -> str:
    """The name that ``csv`` guarded from spreadsheets."""
    return _join_cells(field, lambda cell: cell.removeprefix("'"))


def _join_cells(text: str, change: Callable[[str], str]) -> str:
    """A text with every cell changed that a spreadsheet might take for a formula, now or once its guards are removed.

    Only a text that is a sign and nothing else stays: beside other cells a sign may begin a formula.
    """
    if text in SIGNS:
        return text
    return "".join(change(cell) if _is_formula(cell) else cell for cell in re.split(PARTS, text))


def _is_formula(cell: str) -> bool:
    first = cell.lstrip("'")[:1]
    return bool(first) and (first in "=+-@" or unicodedata.category(first) == "Cc")


def file_name(name: str) -> str:
    """A name as that of a file, to which an ending may be added; it lies in the folder where it is put, on any system.

    Letters and digits, and ``. _ - + = @ ,`` inside, stand as they are; every other byte of the UTF-8 is written
    ``%XX``, as in a URL. More than ``LONGEST_FILE_NAME`` bytes are cut, and end in ``~`` and a hash of the whole.
    Different names give different ones, but for upper and lower case where the file system does not distinguish them.

    >>> file_name("../../etc/passwd"), file_name("con.txt"), file_name("bm25+rm3")
    ('%2E.%2F..%2Fetc%2Fpasswd', '%63on.txt', 'bm25+rm3')
    """
    import hashlib

    if not name:
        return "%"  # which no other name becomes
    # Some file systems take the composed and the decomposed form of a letter for one.
    composed = unicodedata.is_normalized("NFC", name)
    stays = [(char.isalnum() and (composed or char.isascii())) or char in "._-+=@," for char in name]
    if name[0] in ".-" or re.match(RESERVED, name):
        stays[0] = False
    if name[-1] == ".":  # which Windows drops
        stays[-1] = False
    escaped = "".join(char if keep else _percent(char) for char, keep in zip(name, stays, strict=True))
    if len(escaped.encode()) <= LONGEST_FILE_NAME:
        return escaped
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return escaped.encode()[: LONGEST_FILE_NAME - 17].decode(errors="ignore") + "~" + digest


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))
