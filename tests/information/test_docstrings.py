"""The examples in the docstrings print what they say."""

from __future__ import annotations

import doctest
import importlib

import pytest

MODULES = (
    *("information.difference", "information.joint", "information.ric", "information.tau"),
    "fusion.combination",
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(f"cranfield.{name}"))
    assert tried > 0
    assert failed == 0
