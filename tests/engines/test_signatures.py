"""A function of the engine has one name and the same parameters in Rust, in the contract and in NumPy."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import cranfield.collection
import cranfield.measures
import cranfield.scores
from cranfield.engine import Engine, protocol
from cranfield.engine.kernels import KERNELS, kernel
from cranfield.reference_engine import columns

CLASSES = ("ColumnPools", "PoolBuilder", "UnorderedRows")
PROBES = {"ask_for_numpy", "count_bytes", "count_fields"}
"""What is only for the start of Python and for benchmarks."""


def parameters(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    """The names of a function's parameters, and their defaults."""
    signature = inspect.signature(function)
    return [(name, value.default) for name, value in signature.parameters.items() if name != "self"]


def methods(contract: type) -> dict[str, Callable[..., Any]]:
    """The public methods of a protocol."""
    return {name: method for name, method in inspect.getmembers(contract, inspect.isfunction) if name[0] != "_"}


@pytest.fixture(scope="module")
def kernels() -> dict[str, Callable[..., Any]]:
    """The twins of all kernels."""
    for package in (cranfield.collection, cranfield.measures, cranfield.scores):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    return KERNELS


def test_kernels_have_the_parameters_of_their_twins(compiled: Any, kernels: dict[str, Callable[..., Any]]) -> None:
    assert len(kernels) > 30
    for name, twin in kernels.items():
        assert parameters(getattr(compiled, name)) == parameters(twin), name


def test_both_engines_have_the_parameters_of_the_contract(compiled: Any, reference: Engine) -> None:
    for name, method in methods(protocol.Engine).items():
        for engine in (compiled, reference):
            assert parameters(getattr(engine, name)) == parameters(method), (engine.NAME, name)


@pytest.mark.parametrize("name", CLASSES)
def test_classes_of_both_engines_have_the_methods_of_the_contract(compiled: ModuleType, name: str) -> None:
    contract = methods(getattr(protocol, name))
    assert contract
    for owner in (compiled, columns):
        found = getattr(owner, name)
        for method, declared in contract.items():
            assert parameters(getattr(found, method)) == parameters(declared), (name, method)


def test_nothing_else_is_compiled(compiled: ModuleType, kernels: dict[str, Callable[..., Any]]) -> None:
    functions = {name for name in dir(compiled) if callable(getattr(compiled, name)) and name[0].islower()}
    assert functions == {*methods(protocol.Engine), *kernels, *PROBES}


def test_a_kernel_has_one_twin() -> None:
    def list_sums() -> None:
        """Of the name of another kernel."""

    with pytest.raises(AssertionError, match="two kernels of the name list_sums"):
        kernel(list_sums)
