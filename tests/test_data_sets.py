"""Data of the tests: the page and the list of real collections, and what is said where they are missing."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from data_sets import OWN, ROOT, check_files, is_missing

LIST = (OWN / "real_collections.sha256").read_text()
TESTS = sorted((ROOT / "tests").rglob("*.py"))
LISTED = {line.split(maxsplit=1)[1].partition("/")[0] for line in LIST.splitlines()}


def test_the_page_names_every_collection() -> None:
    page = (ROOT / "docs" / "data.md").read_text()
    assert [name for name in sorted(LISTED) if f"| `{name}` |" not in page] == []


def test_tests_name_data_that_are_known() -> None:
    markers = [match[0] for path in TESTS for match in re.finditer(r"mark\.data\([^)]*\)", path.read_text())]
    named = {name for marker in markers for name in re.findall(r'"data/([\w-]+)', marker)}
    assert named
    assert named <= LISTED


def test_the_data_of_the_project_are_small_and_explained() -> None:
    files = [path for path in OWN.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 5_000_000
    folders = [path for path in (OWN / "golden").iterdir() if path.is_dir()]
    assert [folder.name for folder in folders if not (folder / "README.md").is_file()] == []
    assert not is_missing("golden/ties/ties.run")


def test_files_are_compared_by_what_they_hold(tmp_path: Path) -> None:
    (tmp_path / "same.gz").write_bytes(gzip.compress(b"content", 1))
    (tmp_path / "other").write_bytes(b"else")
    digest = hashlib.sha256(b"content").hexdigest()
    hashes = "".join(f"{digest}  {name}\n" for name in ("same.gz", "other", "absent"))
    assert dict(check_files(tmp_path, hashes)) == {"same.gz": "as expected", "other": "different", "absent": "missing"}


def run_tests(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Tests of which one needs a real collection, with an empty folder of them."""
    settings = {name: value for name, value in os.environ.items() if name not in ("CI", "PYTEST_ADDOPTS")}
    settings |= {"CRANFIELD_DATA": str(folder), **environment}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(ROOT / "tests/golden/test_cwl_eval.py")]
    return subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_missing_data_are_counted_at_the_end_and_fail_in_ci(tmp_path: Path) -> None:
    left_out = run_tests(tmp_path)
    assert left_out.returncode == 0, left_out.stdout
    assert left_out.stdout.splitlines()[-2:-1] == [
        "left out for want of data, which docs/data.md names: 1 test (cwl_eval, trec-robust-2003)"
    ]
    failed = run_tests(tmp_path, CI="true")
    assert failed.returncode == 1
    assert "these data are not there" in failed.stdout
