"""A page is one file in which strangers' text is data, and nothing may run or load that is not in it."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
from html.parser import HTMLParser

import pytest

from cranfield._html import for_script
from cranfield.escaping import unguarded
from cranfield.reporting import Content, PageColumn, Section, Table, render_page
from odd_collection import HOSTILE


class Elements(HTMLParser):
    """Elements with their attributes, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, str]] = []
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._open = tag
            self.inside.append((tag, ""))

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            tag, text = self.inside[-1]
            self.inside[-1] = tag, text + data


def small() -> Content:
    columns = (PageColumn("=head"), PageColumn("system", "system"), PageColumn("tag", "text"))
    rows = tuple((float(at), name, name) for at, name in enumerate(HOSTILE))
    section = Section("one", "One", ("</script><b>words</b>\u2028",), tables=(Table("t", "</script>", columns, rows),))
    return Content("<title> & co", (section,), HOSTILE, ("1",), ("AP",), [[[0.5]] * len(HOSTILE)], {"a": "</script>"})


def test_the_policy_allows_what_is_inside_and_nothing_else() -> None:
    found = Elements(render_page(small()))
    policy = next(
        attrs["content"] for tag, attrs in found.found if attrs.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert not {"unsafe-inline", "unsafe-eval", "http:", "https:", "*"} & set(re.split(r"[ ']+", policy))
    scripts = [text for tag, text in found.inside if tag == "script"]
    assert len(scripts) == 3
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts[2:]]
    assert rules["script-src"].split() == [f"'sha256-{one}'" for one in hashes]
    style = next(text for tag, text in found.inside if tag == "style")
    assert rules["style-src"] == f"'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'"


def test_nothing_is_fetched_and_no_attribute_runs() -> None:
    for tag, attributes in Elements(render_page(small())).found:
        assert tag not in ("img", "iframe", "object", "embed", "link", "base", "form")
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in ("src", "style", "srcset", "action")
            assert name != "href" or (value or "").startswith("#")


def test_strangers_text_comes_out_of_the_data_as_it_is_shown() -> None:
    found = Elements(render_page(small()))
    data = json.loads(found.inside[1][1])
    assert [name[0] for name in data["systems"]][:3] == list(HOSTILE[:3])
    assert data["systems"][3][0] == "bidi\\u202egnp.exe"
    assert len(data["systems"][4][0]) <= 83
    assert data["systems"][2][1] == "'=HYPERLINK(1)"
    assert data["sections"][0]["tables"][0]["columns"][0]["name"] == ["=head", "'=head"]


@pytest.mark.parametrize("text", ["</script>", "<!--", "\u2028\u2029", "]]>", "a&b", "é\ud800"])
def test_json_stays_inside_its_element(text: str) -> None:
    written = for_script({"x": text})
    assert json.loads(written) == {"x": text}
    assert not set(written) & set("<>&\u2028\u2029")
    assert written.isascii()


def test_fields_of_csv_are_read_back_whole() -> None:
    data = json.loads(Elements(render_page(small())).inside[1][1])
    text = ",".join(name[1] for name in data["systems"])
    assert [unguarded(one) for one in next(csv.reader(io.StringIO(text)))] == list(HOSTILE)
