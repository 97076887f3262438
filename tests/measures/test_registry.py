"""A name is found in the file that declares it, and files that no name needs are not imported."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import json
import subprocess
import sys
import threading
import types
from concurrent.futures import ThreadPoolExecutor

import pytest

import cranfield.measures
from cranfield.measures import _registry, aliases, registry
from cranfield.measures._declaration import is_of_package, spelled

EACH = """
import importlib, json, sys
from cranfield.measures import _registry, named, parse_measures
from cranfield.measures._declaration import aliases, registry, spelled

def files():
    return sorted(name for name in sys.modules if name.startswith("cranfield.measures.") and "._" not in name)

if sys.argv[2] == "unlisted":
    _registry.DECLARED.clear()  # as if all files had been added since the list was made

found = {}
for name in json.loads(sys.argv[1]):
    for each in _registry.Registry.instances:
        each.loaded.clear()
    for module in files():
        del sys.modules[module]
    _registry.fetch_all.cache_clear()
    owner = registry[name].name if name in registry else aliases[name] if name in aliases else spelled[name][1]
    found[name] = [owner, len(files())]
print(json.dumps(found))
"""


def import_for(names: list[str], files: str = "listed") -> dict[str, tuple[str, int]]:
    """Owner of each name when it is looked up first, and how many files were imported for it."""
    command = [sys.executable, "-c", EACH, json.dumps(names), files]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


@pytest.mark.slow
def test_every_name_is_found_when_it_is_asked_for_first() -> None:
    owners = {name: name for name in registry} | dict(aliases) | {name: owner for name, (_, owner) in spelled.items()}
    assert {name: owner for name, (owner, _) in import_for(list(owners)).items()} == owners


def test_names_of_files_that_were_added_are_found() -> None:
    found = import_for(["nDCG", "map", "D#-nDCG"], "unlisted")
    assert {name: owner for name, (owner, _) in found.items()} == {"nDCG": "nDCG", "map": "AP", "D#-nDCG": "D#-nDCG"}
    assert min(files for _, files in found.values()) > 20


@pytest.mark.parametrize("names", [["nDCG", "AP", "RR", "P", "R", "Judged"], ["map", "ndcg_cut", "recip_rank"]])
def test_everyday_names_import_few_files(names: list[str]) -> None:
    assert max(files for _, files in import_for(names).values()) <= 6


def test_no_name_belongs_to_the_package() -> None:
    for name in (*registry, *aliases, *spelled):
        assert not is_of_package(name), name
    assert is_of_package("trust")
    assert is_of_package("evaluate")


def test_all_names_come_in_alphabetical_order() -> None:
    for names in (registry, aliases, spelled):
        assert list(names) == sorted(names, key=str.lower)


def test_a_name_waits_until_its_file_is_imported_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread saw the names of a file that was half imported, whose functions lacked those behind them."""
    begun, go_on = threading.Event(), threading.Event()
    module = "cranfield.measures.slow"

    class Slow(importlib.abc.Loader, importlib.abc.MetaPathFinder):
        def find_spec(self, fullname: str, *_: object) -> importlib.machinery.ModuleSpec | None:
            return importlib.machinery.ModuleSpec(fullname, self) if fullname == module else None

        def exec_module(self, half: types.ModuleType) -> None:
            registry.loaded["Slow"] = registry["AP"]
            begun.set()
            go_on.wait(10)
            half.complete = True  # type: ignore[attr-defined]

    monkeypatch.setattr(sys, "meta_path", [Slow(), *sys.meta_path])
    monkeypatch.setitem(_registry.DECLARED, "slow", ("Slow",))
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(lambda: registry["Slow"])
        assert begun.wait(10)
        second = pool.submit(lambda: (registry["Slow"], hasattr(sys.modules[module], "complete"))[1])
        try:
            with pytest.raises(TimeoutError):
                second.result(timeout=0.05)
        finally:
            go_on.set()
        assert second.result(10)
        first.result(10)
    del registry.loaded["Slow"], sys.modules[module], cranfield.measures.slow  # type: ignore[attr-defined]
    _registry._find_file.cache_clear()
