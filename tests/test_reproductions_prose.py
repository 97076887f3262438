"""Pages with computed prose say what their tables say today."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1] / "reproductions"


@pytest.fixture(scope="module")
def prose() -> ModuleType:
    spec = importlib.util.spec_from_file_location("prose", ROOT / "prose.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["prose"] = module  # values.py of each folder imports it
    spec.loader.exec_module(module)
    return module


def test_pages_are_those_of_their_templates_and_tables(prose: ModuleType) -> None:
    pages = dict(prose.pages())
    assert pages
    for path, text in pages.items():
        assert path.read_text(encoding="utf-8") == text, f"{path}: python reproductions/prose.py"


def test_a_name_that_nothing_computes_is_refused(prose: ModuleType, tmp_path: Path) -> None:
    template = tmp_path / "page.template"
    template.write_text("tau is {{tau}}")
    assert prose.fill(template, {"tau": ".9"}) == "tau is .9"
    with pytest.raises(KeyError, match="nothing computes 'tau'"):
        prose.fill(template, {})


def test_every_computed_value_is_used(prose: ModuleType) -> None:
    texts = {path.parent.name: path.read_text() for path in ROOT.glob("*/*.template")}
    whole = (ROOT / "README.template").read_text()
    for path in ROOT.glob("*/values.py"):
        folder = path.parent.name
        own = "".join(text.read_text() for text in path.parent.glob("*.template")) if folder in texts else ""
        for name in prose.values_of(path):
            assert f"{{{{{name}}}}}" in own or f"{{{{{folder}.{name}}}}}" in whole, f"{folder}.{name} is used nowhere"


TYPED = {
    "README.template": 257,
    "gienapp_2020_negative_labels/README.template": 15,
    "gienapp_2020_negative_labels/properties.template": 18,
    "gienapp_2020_topic_difficulty/README.template": 20,
    "golbus_2013/README.template": 199,
    "sakai_2010/README.template": 22,
    "sakai_2010/discriminative_power.template": 14,
    "sakai_2010/graded.template": 2,
    "urbano_2019/README.template": 99,
    "urbano_2019/reference_systems.template": 6,
}
"""Decimals and percents that stand in a template itself: numbers that the papers print, parameters, and what was typed
before values were computed. They only become fewer: a result of ours is a value of ``values.py``."""


def count_typed(text: str) -> int:
    prose = re.sub(r"`[^`]*`|\]\([^)]*\)|\{\{[^}]*\}\}|doi:\S+", "", text)
    return len(re.findall(r"(?<![\w.,/-])-?(?:\d*\.\d+|\d+(?:\.\d+)?%)(?![\w/])", prose))


def test_no_number_is_typed_into_a_template() -> None:
    templates = [*ROOT.glob("*.template"), *ROOT.glob("*/*.template")]
    found = {path.relative_to(ROOT).as_posix(): count_typed(path.read_text(encoding="utf-8")) for path in templates}
    assert found == TYPED, "compute it in values.py; where a typed number went, lower its count here"


def test_typed_numbers_are_seen() -> None:
    assert count_typed("tau .74, -.27, 12.5% and 8%; {{tau}}, `p=.95`, k = 20, [a](b/0.5.md), section 3.1") == 5


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(0.9048, 3, ".905"), (1.0, 3, "1"), (-0.27, 2, "-.27"), (12.0, 0, "12"), (0.5, 1, ".5")],
)
def test_numbers_lose_their_leading_zero(prose: ModuleType, value: float, digits: int, text: str) -> None:
    assert prose.short(value, digits) == text


def test_words_say_where_a_claim_holds(prose: ModuleType) -> None:
    assert prose.where({"2009": True, "2010": True}, "in both", "in none") == "in both"
    assert prose.where({"2009": True, "2010": False}, "in both", "in none") == "in 2009, not in 2010"
    assert prose.verdict([True, False]) == "in part"
    assert prose.verdict([False]) == "no"
