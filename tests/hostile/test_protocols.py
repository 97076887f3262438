"""Protocols of other people: whatever a file holds, it is read or refused by name, and reads nothing else."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from cranfield import InputError, Protocol

QRELS = "1 0 a 1\n2 0 b 1\n"
DIGEST = hashlib.sha256(QRELS.encode()).hexdigest()
HEAD = 'protocol = 1\nmeasures = ["AP"]\n'
TABLE = f'[qrels]\npath = "qrels.txt"\nsha256 = "{DIGEST}"\n'
RUN = {"1": {"a": 1.0}, "2": {"a": 1.0}}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)


def read(text: str) -> Protocol:
    Path("track.toml").write_text(text, encoding="utf-8")
    return Protocol.read("track.toml")


@pytest.mark.parametrize(
    "text",
    [
        HEAD + TABLE,
        "\ufeff" + HEAD + TABLE,
        (HEAD + TABLE).replace("\n", "\r\n"),
        HEAD + TABLE.replace(DIGEST, DIGEST.upper()),
    ],
    ids=["plain", "byte-order mark", "lines of Windows", "digits in capitals"],
)
def test_files_of_other_systems_are_read(text: str) -> None:
    assert float(read(text).evaluate(RUN)["AP"].mean()) == 0.5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            HEAD + TABLE.replace(DIGEST, "2f4dde"),
            "qrels.sha256 = '2f4dde' should be the 64 hexadecimal digits of a SHA-256",
        ),
        (HEAD + TABLE.replace(DIGEST, ""), "qrels.sha256 = '' should be the 64"),
        ("policies = 'trec'\n" + HEAD + TABLE, "policies should be a table, [policies], with its keys below it"),
        (HEAD + TABLE + "[[policies]]\nties = 'trec'\n", "policies should be a table"),
        (HEAD.replace("1", "true") + TABLE, "protocol = 'True' should be a whole number"),
        (HEAD.replace("1", '"1"') + TABLE, "protocol = '1' should be a whole number"),
        ("seed = nan\n" + HEAD + TABLE, "seed = 'nan' should be a whole number"),
        (f"seed = {10**30}\n" + HEAD + TABLE, "seed"),
        ("a = " + "[" * 5000 + "]" * 5000 + "\n" + HEAD + TABLE, "is not a protocol in TOML"),
    ],
)
def test_what_is_not_a_protocol_is_refused_by_name(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text).evaluate(RUN)
    assert said in str(caught.value)


@pytest.mark.parametrize("path", ["/etc/passwd", "../other.txt", "/dev/stdin", "http://127.0.0.1:9/qrels", "-", "."])
def test_nothing_outside_its_folder_is_read(path: str) -> None:
    Path("../other.txt").resolve().write_text(QRELS)
    with pytest.raises(InputError):
        read(HEAD + TABLE.replace("qrels.txt", path)).evaluate(RUN)
