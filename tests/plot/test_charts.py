"""What holds of every chart: its words, its data, and that neither names nor the network can do harm."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cranfield import plot
from figures import CHARTS, HOSTILE, chart, render, spec, svg

SYSTEMS = {"topic_difficulty", "heat_map", "system_map", "dendrogram", "headroom", "diversity_plane", "intent_coverage"}
SYSTEMS |= {
    "critical_difference",
    "rank_intervals",
    "rank_scatter",
    "scale_scatter",
    "measure_scatter",
    "measures_by_system",
}
SYSTEMS |= {
    "topic_systems",
    "credible_intervals",
    "mean_intervals",
    "hole_intervals",
    "difference_intervals",
    "system_boxes",
    "score_history",
}
TOPICS = {
    "system_ranges",
    "topic_scatter",
    "pair_bars",
    "topic_difficulty",
    "heat_map",
    "intent_coverage",
    "topic_differences",
    "topic_tau",
    "wins_and_losses",
}

DRAWN = {"svg", "g", "path", "text", "tspan", "rect", "line", "defs", "linearGradient", "stop", "clipPath", "title"}
"""Elements of SVG that do nothing."""


def test_every_chart_is_tested() -> None:
    assert {name.partition(",")[0] for name in CHARTS} == set(plot.__all__) - {"by_group", "darken", "label", "save"}


def test_channels_are_given_by_their_classes() -> None:
    """Altair holds a bare string against every class of its schema, which takes milliseconds."""
    bare = [
        f"{path.name}:{given.lineno}"
        for path in sorted(Path(plot.__file__).parent.glob("*.py"))
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "encode"
        for word in call.keywords
        for given in (word.value.elts if isinstance(word.value, ast.List) else [word.value])
        if isinstance(given, ast.Constant)
    ]
    assert not bare, "write x=alt.X(...) for x='...'"


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_says_what_it_shows(name: str) -> None:
    drawn = spec(name)
    title, notes = drawn["title"]["text"], drawn["title"]["subtitle"]
    assert max(map(len, title)) <= 46
    assert max(map(len, notes)) <= 62
    assert re.search(r"\d", " ".join(notes)), "of how many topics or systems"
    assert len(drawn["description"]) > 20
    said = " ".join(ElementTree.fromstring(svg(name)).itertext())
    for line in (*title, *notes):
        assert line in said


@pytest.mark.parametrize("name", CHARTS)
def test_data_stand_inside(name: str) -> None:
    drawn = spec(name)
    for key, value in _members(drawn):
        assert key != "url"
        assert not isinstance(value, str) or key == "$schema" or "://" not in value
    assert drawn["datasets"]
    json.dumps(drawn, allow_nan=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHARTS)
def test_names_of_strangers_are_harmless(name: str) -> None:
    picture = svg(name)
    for element in ElementTree.fromstring(picture).iter():
        assert element.tag.rpartition("}")[2] in DRAWN
        assert not any(attribute.lower().startswith("on") for attribute in element.attrib)
    assert "\u202e" not in picture
    assert "x" * 200 not in picture
    page = render(chart(name), ".html").decode()
    assert page.lower().count("<script") == page.lower().count("</script") == 3
    assert "default-src 'none'" in page
    assert "unsafe" not in page.partition("<body>")[0]
    assert not re.search(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=", page.partition("<script>")[0])
    # Altair's own page, and what it shows in a notebook, put names between script elements as they are.
    assert "</script><script>" not in chart(name).to_html()


@pytest.mark.parametrize("name", CHARTS)
def test_what_can_be_chosen(name: str) -> None:
    params = {param["name"]: param for param in spec(name).get("params", [])}
    kind = name.partition(",")[0]
    of = "team" if name.endswith(", teams") else "system"
    assert set(params) == ({of} if kind in SYSTEMS else set()) | ({"topic"} if kind in TOPICS else set())
    for field, param in params.items():
        assert param["select"]["fields"] == [field]


def test_labels_tell_names_apart() -> None:
    labels = [plot.label(name) for name in HOSTILE]
    assert labels[2:4] == ["=HYPERLINK(1)", "../../x"]
    assert all(len(label) <= 50 and label.isprintable() for label in labels)
    assert len({*labels, plot.label("x" * 9_999), plot.label("abc\\u202edcb")}) == len(HOSTILE) + 2


def _members(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    yield key, value
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _members(member, name)
    elif isinstance(value, list):
        for member in value:
            yield from _members(member, key)
