"""Packages that not everybody has: none is imported unguarded, and where one is missing its extra is named."""

from __future__ import annotations

import ast
import pickle
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import cranfield
from cranfield import _optional
from cranfield.errors import MissingPackageError

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "cranfield"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LATER = {"compression"}
"""Of the standard library from Python 3.14 on."""
OF_OTHERS = {
    "integrations/provider.py": {"ir_measures"},  # use() imports it behind the guard
    "testing/checks.py": {"hypothesis"},  # behind that of the package
    "testing/laws.py": {"hypothesis"},
}


def brought_by(requirements: list[str]) -> set[str]:
    """Names of distributions."""
    return {canonicalize_name(Requirement(text).name) for text in requirements}


def imported(file: str, tree: ast.AST) -> Iterator[str]:
    """Top-level packages of others that a file imports, except what only a type checker sees."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from (name for child in node.orelse for name in imported(file, ast.Module([child], [])))
        elif isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]
        else:
            yield from imported(file, node)


@pytest.mark.slow
def test_the_environment_without_extras() -> None:
    """Look-up, help, every command's help, and what a call says that needs more."""
    ended = subprocess.run(
        [sys.executable, ROOT / ".ci" / "bare.py", "--hide"], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("without extras")


@pytest.mark.slow
def test_what_is_imported_is_declared_or_goes_through_the_guard() -> None:
    distributions = packages_distributions()
    declared = brought_by(PROJECT["dependencies"])
    used = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        names = set(imported(file, ast.parse(path.read_text(encoding="utf-8")))) - sys.stdlib_module_names - LATER
        others = names - {"cranfield"} - OF_OTHERS.get(file, set())
        packages = {canonicalize_name(dist) for name in others for dist in distributions.get(name, [name])}
        assert packages <= declared | {"backports-tarfile"}, (file, packages - declared)
        used |= packages
    assert declared - used <= {"backports-zstd"}, "declared and not imported"


@pytest.mark.slow
def test_every_optional_package_is_brought_by_its_extra() -> None:
    asked = {
        name.partition(".")[0]
        for path in PACKAGE.rglob("*.py")
        for name in re.findall(r'(?:import_optional|is_installed|Deferred)\(\s*"([\w.]+)"', path.read_text())
    }
    assert asked | {"h5netcdf", "yaml"} == set(_optional.PACKAGES)
    of_others = {"dask": "distributed", "cloudpickle": "distributed"}  # which requires them
    for name, package in _optional.PACKAGES.items():
        if package.extra is not None:
            (distribution,) = map(canonicalize_name, packages_distributions()[of_others.get(name, name)])
            assert distribution in brought_by(PROJECT["optional-dependencies"][package.extra]), name
    assert {"distributed", "pyarrow"} <= brought_by(PROJECT["optional-dependencies"]["dask"])


def test_the_error_is_an_import_error_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.compute", None)
    assert not _optional.is_installed("pyarrow")
    with pytest.raises(ImportError) as caught:
        _optional.Deferred("pyarrow.compute").sum([1])
    error = caught.value
    assert isinstance(error, cranfield.InputError)
    assert (error.code, error.value, error.name, error.line, error.path) == ("package", "pyarrow", "pyarrow", None, "")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.name) == (MissingPackageError, str(error), "pyarrow")


def test_a_package_that_is_there_and_lacks_one_of_its_own_is_not_called_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cbor2.py").write_text("import a_package_that_nobody_has\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "cbor2", raising=False)
    with pytest.raises(ModuleNotFoundError, match="a_package_that_nobody_has") as caught:
        _optional.import_optional("cbor2")
    assert not isinstance(caught.value, MissingPackageError)


def test_inspection_finds_no_name_of_its_own_in_a_deferred_module() -> None:
    deferred = _optional.Deferred("a_package_that_nobody_has")
    assert not hasattr(deferred, "__wrapped__")
    assert not hasattr(deferred, "_ipython_display_")


@pytest.mark.parametrize(("file", "extras"), [("dev", ("dev", "plot")), ("docs", ("docs", "plot"))])
def test_what_ci_installs_is_what_is_asked_for(file: str, extras: tuple[str, ...]) -> None:
    """Each requirement has one version, which it allows."""
    lines = (ROOT / ".ci" / "constraints" / f"{file}.txt").read_text().splitlines()
    pinned = {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}
    assert len(pinned) == len(lines)
    asked = PROJECT["dependencies"] + [text for extra in extras for text in PROJECT["optional-dependencies"][extra]]
    for requirement in map(Requirement, asked):
        if requirement.name != "cranfield":
            assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), str(requirement)
