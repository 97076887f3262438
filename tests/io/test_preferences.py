"""Files of preference judgments."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from unittest import mock

import pytest

import cranfield
from cranfield import CranfieldWarning, InputError
from cranfield.errors import FormatError


def test_lines(tmp_path: Path) -> None:
    text = "\ufeff# topic better worse\r\n1  a\tb\r\n\r\n2 c d\n 1 b  c"
    path = tmp_path / "some.prefs.txt"
    path.write_text(text, encoding="utf-8", newline="")
    found = cranfield.io.read_preferences(path)
    assert found.pairs == {"1": (("a", "b"), ("b", "c")), "2": (("c", "d"),)}
    assert found.name == "some.prefs"
    packed = tmp_path / "packed.txt.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert cranfield.io.read_preferences(packed).pairs == found.pairs
    stdin = mock.Mock(buffer=io.BytesIO(text.encode()))
    with mock.patch.object(sys, "stdin", stdin):
        assert cranfield.io.read_preferences("-").pairs == found.pairs


def test_ids_may_hold_what_some_call_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text("1 a\u2028x b\x0by\n", encoding="utf-8")
    assert cranfield.io.read_preferences(path).pairs == {"1": (("a\u2028x", "b\x0by"),)}


def test_repeated_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text("1 a b\n1 a b\n")
    with pytest.warns(CranfieldWarning, match=r"p\.txt: 1 line of preferences repeated from an earlier line"):
        assert len(cranfield.io.read_preferences(path)) == 1


def test_comments_that_are_rows_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text("# topic better worse\n# a b\n#\n#1 a b\n1 a b\n#2 a b\n#3 a\n")
    with pytest.warns(CranfieldWarning) as warned:
        assert len(cranfield.io.read_preferences(path)) == 1
    assert [str(warning.message).removeprefix(str(tmp_path)) for warning in warned] == [
        "/p.txt:4: the line is skipped as a comment, but has the fields of a row: '#1 a b' (1 more like it); "
        "a row cannot begin with #"
    ]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("1 a b\n1 a\n", FormatError, r"p\.txt:2: '1 a' is not three fields: topic better worse"),
        ("1 a b c\n", FormatError, r"p\.txt:1: '1 a b c' is not three fields"),
        ("#\n1 a b\n1 b a\n", InputError, r"p\.txt:3: topic '1' has 'b' before 'a' here.*p\.txt:2; keep one"),
        ("1 a a\n", InputError, r"p\.txt:1: document 'a' is preferred to itself"),
        ("# nothing\n", InputError, r"p\.txt: holds no preferences"),
    ],
)
def test_lines_that_are_refused(tmp_path: Path, text: str, error: type[Exception], message: str) -> None:
    path = tmp_path / "p.txt"
    path.write_text(text)
    with pytest.raises(error, match=message) as refused:
        cranfield.io.read_preferences(path)
    assert isinstance(refused.value, InputError)
    assert refused.value.path == str(path)
    assert refused.value.line == (text.count("\n") if issubclass(error, FormatError) else refused.value.line)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.txt"):
        cranfield.io.read_preferences(tmp_path / "nothing.txt")
