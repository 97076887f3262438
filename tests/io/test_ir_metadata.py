"""The header of ir_metadata: kept in the signature, the same scores, and no crash whatever is in it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import cranfield
from cranfield import CranfieldWarning

pytestmark = pytest.mark.usefixtures("each_engine")

ROWS = "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 2 t\n"
QRELS = {"1": {"b": 1}, "2": {"a": 1}}
YAML = "platform:\n  hardware:\n    cpu: two\nresearch goal:\n  venue: here"


def with_header(yaml: str, start: str = "# ir_metadata.start\n", end: str = "# ir_metadata.end\n") -> str:
    return start + "".join(f"# {line}\n" for line in yaml.split("\n")) + end + ROWS


def signed(path: Path) -> dict[str, str]:
    scores = cranfield.evaluate(path, QRELS, "AP")
    assert scores["AP"].values.tolist() == [[0.5], [1.0]]
    (run,) = json.loads(scores.attrs["signature"])["runs"]
    return dict(run)


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])
def test_it_is_kept_as_it_is_written(packed: bool, tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    text = with_header(YAML).encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    assert signed(path)["ir_metadata"] == YAML
    path.write_text(ROWS)
    assert "ir_metadata" not in signed(path)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (with_header("platform: [1\nactor: x"), 3, "the header of ir_metadata is not well formed: "),
        (with_header("only words"), 2, "it is not a mapping of keys"),
        (with_header(YAML, end=""), 1, "the line '# ir_metadata.end' is missing at the end of the comments"),
    ],
)
def test_what_is_wrong_is_told(text: str, line: int, said: str, tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text(text)
    with pytest.warns(CranfieldWarning, match=rf"x\.run:{line}: .*{said}"):
        signed(path)
    (tmp_path / "qrels").write_text("1 0 b 1\n2 0 a 1\n")
    found = [one for one in cranfield.check([str(path)], str(tmp_path / "qrels")).findings if one.code == "metadata"]
    assert [(one.severity, one.location.line) for one in found] == [("warning", line)]


@pytest.mark.parametrize("yaml", ["a: !!bool x", "a: !!int ''", "a: !!timestamp x", "a: !!float x", "? {}\n: 1", "- ["])
def test_what_no_yaml_can_hold_is_told(yaml: str, tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text(with_header(yaml))
    with pytest.warns(CranfieldWarning, match=r"x\.run:\d: the header of ir_metadata is not well formed"):
        signed(path)


def test_a_fault_while_a_run_is_read_is_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(text: str) -> None:
        raise KeyError(text[:3])

    monkeypatch.setattr("cranfield.io.formats._detection._wrong", fail)
    path = tmp_path / "x.run"
    path.write_text(with_header(YAML))
    with pytest.raises(
        cranfield.InputError, match=r"x\.run: cannot be read: KeyError: 'pla'; this is a fault"
    ) as failed:
        cranfield.evaluate(path, QRELS, "AP")
    assert failed.value.code == "fault"


def test_only_at_the_head(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text("# a comment\n" + with_header("platform: [1"))
    assert "ir_metadata" not in signed(path)
    path.write_text(ROWS + "# ir_metadata.start\n# platform: [1\n")
    assert "ir_metadata" not in signed(path)
