"""A baseline may be named by its file, where systems are named by their files."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import cranfield


@pytest.mark.parametrize("command", ["compare", "gate", "table", "compare risk"])
def test_a_baseline_is_named_by_its_file_or_its_name(command: str, folder: Path) -> None:
    more = ("--margin", "0.5") if command == "gate" else ()
    calls = [
        (*command.split(), "qrels.txt", "best.run", "late.run", "--baseline", name, *more)
        for name in ("late", "late.run")
    ]
    first, second = (cranfield(*call) for call in calls)
    assert (first.status, first.out) == (second.status, second.out)
    assert "late" in first.out


def test_by_tags_a_file_is_no_name(folder: Path) -> None:
    tagged = [f"{line.rsplit(None, 1)[0]} other" for line in (folder / "late.run").read_text().splitlines()]
    (folder / "late.run").write_text("\n".join(tagged) + "\n")
    ended = cranfield("compare", "qrels.txt", "best.run", "late.run", "--names", "tag", "--baseline", "late.run")
    assert ended.status == 2
    assert "no system is called 'late.run'" in ended.err
