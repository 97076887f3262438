"""``cranfield measures``: the listing, one page, the table for the documentation."""

from __future__ import annotations

import pytest
from command import cranfield, printed

from cranfield.measures import registry


def test_the_listing_names_every_measure() -> None:
    lines = printed("measures").splitlines()
    assert [line.split()[0] for line in lines[:-2] if not line.startswith(" ")] == sorted(registry, key=str.lower)
    assert lines[-1] == "`cranfield measures NAME` explains one."
    assert all(len(line) <= 100 for line in lines)


@pytest.mark.parametrize("name", ["AP", "MAP", "map", "map_cut", "map_cut_10", "AP@10", "AP(rel=2)"])
def test_a_page_is_found_by_any_spelling(name: str) -> None:
    assert printed("measures", name) == printed("measures", "AP")


def test_a_page() -> None:
    assert printed("measures", "IPrec").startswith(
        "IPrec(rel=1, judged_only=False)@recall\n"
        "\n"
        "Interpolated precision at a level of recall: the largest precision at or after the rank that reaches\n"
        "it.\n"
        "\n"
        "IPrec@x = max over ranks r with at least round(x R) relevant documents in 1..r of P@r.\n"
        "\n"
        "Parameters:\n"
        "  rel: smallest label that counts as relevant; a number (default 1)\n"
        "  judged_only: drop unjudged documents before ranks are assigned; True or False (default False)\n"
        "  recall: level of recall; a number between 0 and 1, both included (required, set by @)\n"
        "\n"
        "Facts:\n"
        "  values: 0 to 1; larger is better\n"
        "  summary over topics: mean; an undefined value counts as 0\n"
        "\n"
        "Reference: Buckley & Voorhees 2005, Retrieval System Evaluation, in: TREC, MIT Press\n"
    )


@pytest.mark.parametrize("name", registry)
def test_every_measure_has_a_page(name: str) -> None:
    page = printed("measures", name)
    assert page.startswith(name)
    assert "\nReference: " in page


@pytest.mark.parametrize("name", registry)
def test_other_names_are_names_that_work(name: str) -> None:
    *_, last = printed("measures", name).splitlines()
    for other in last.removeprefix("Also known as: ").split(", ") if last.startswith("Also") else []:
        assert cranfield("measures", other).out.startswith(
            name + "\n" if not registry[name].parameters else (name + "(", name + "@", name + "[")
        ), other


def test_markdown() -> None:
    lines = printed("measures", "--format", "markdown").splitlines()
    assert lines[:2] == ["| Measure | Meaning | Also known as | Reference |", "| --- | --- | --- | --- |"]
    assert len(lines) == 2 + len(registry)
    assert all(line.replace("\\|", "").count("|") == 5 for line in lines), "a bar in a cell would make another cell"


@pytest.mark.parametrize(
    ("name", "message"),
    {
        "nope": "there is no measure 'nope' (`cranfield measures` lists them)",
        "nDGC": "there is no measure 'nDGC'; did you mean nDCG or Rndcg? (`cranfield measures` lists them)",
        "BPREF": "there is no measure 'BPREF'; did you mean Bpref or bpref_R? (`cranfield measures` lists them)",
    }.items(),
)
def test_a_measure_that_does_not_exist(name: str, message: str) -> None:
    ended = cranfield("measures", name)
    assert (ended.status, ended.out, ended.err) == (2, "", f"cranfield: error: {message}\n")
