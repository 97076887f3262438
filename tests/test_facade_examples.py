"""Every public name of the package shows how it is called, in an example that runs."""

from __future__ import annotations

import doctest
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import cranfield

NAMES = sorted(cranfield._FACADE)
DECLARES = "measure"
"""The name whose example declares a measure, which would stay in the registry of this process."""


def failures(name: str) -> int:
    """Run the example of a name, and count what fails."""
    (example,) = doctest.DocTestFinder(recurse=False).find(
        getattr(cranfield, name), name, globs={"__name__": "__main__"}
    )
    assert example.examples
    return doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example).failed


@pytest.mark.parametrize("name", [name for name in NAMES if name != DECLARES])
def test_an_example_prints_what_the_docstring_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cranfield.CranfieldWarning)
        assert failures(name) == 0


def test_the_example_of_a_new_measure_runs(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); "
        f"import test_facade_examples as t; sys.exit(t.failures({DECLARES!r}))"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_examples_fit_a_terminal() -> None:
    for name in NAMES:
        lines = (getattr(cranfield, name).__doc__ or "").splitlines()
        assert max(map(len, lines)) <= 120, name
