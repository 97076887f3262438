"""``make verify`` tries more random examples than ``make test``, in every test."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from effort import EFFORT, effort

TESTS = Path(__file__).resolve().parent
COUNTING = """
from effort import examples
from hypothesis import given, strategies

seen = []

@given(number=strategies.integers())
def test_usual(number):
    seen.append(number)

@examples(30)
@given(number=strategies.integers())
def test_own_number(number):
    seen.append(number)

def teardown_module():
    print(f"tried {len(seen)}")
"""


@pytest.mark.slow
@pytest.mark.parametrize("profile", EFFORT)
def test_a_profile_tries_so_many_examples(tmp_path: Path, profile: str) -> None:
    (tmp_path / "conftest.py").write_text((TESTS / "conftest.py").read_text())
    (tmp_path / "test_counting.py").write_text(COUNTING)
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-s",
            "-p",
            "no:cacheprovider",
            f"--hypothesis-profile={profile}",
            tmp_path,
        ],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])},
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"tried {130 * EFFORT[profile]}" in ended.stdout


def test_no_test_sets_a_number_that_no_profile_can_change() -> None:
    fixed = [
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("test_*.py")
        if path != Path(__file__) and re.search(r"\bmax_examples\b", path.read_text())
    ]
    assert fixed == [], "write @examples(number) of effort.py"


def test_the_effort_is_that_of_the_profile() -> None:
    assert effort() in EFFORT.values()
