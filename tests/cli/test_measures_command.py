"""``cranfield measures``: the listing, one page, the table for the documentation."""

from __future__ import annotations

import csv
import json

import pytest
from command import cranfield, printed

from cranfield.measures import registry

PROPERTIES = (
    "boundedness", "monotonicity", "convergence", "top-weightedness", "localization", "completeness", "realizability",
    "shift invariance", "scale invariance", "promotion", "swap", "exchange", "appending", "padding",
)  # fmt: skip
SHORT = {name[:3]: name for name in PROPERTIES}
"""What heads of columns say of them."""


def test_the_listing_names_every_measure_and_reading() -> None:
    lines = printed("measures").splitlines()
    names = [*registry, *(version for declaration in registry.values() for version in declaration.versions)]
    assert [line.split()[0] for line in lines[:-2] if not line.startswith(" ")] == sorted(names, key=str.lower)
    assert lines[-1] == "`cranfield measures NAME` explains one."
    assert all(len(line) <= 100 for line in lines)


@pytest.mark.parametrize("name", ["AP", "MAP", "map", "map_cut", "map_cut_10", "AP@10", "AP(rel=2)"])
def test_a_page_is_found_by_any_spelling(name: str) -> None:
    assert printed("measures", name) == printed("measures", "AP")


@pytest.mark.parametrize("name", ["rated documents", "precision of rated documents", "Precision over rated-documents"])
def test_a_name_of_other_tools_says_which_variant_it_is(name: str) -> None:
    first, _, second, *_ = printed("measures", name).splitlines()
    assert first.startswith("P(")
    assert second == f"'{name}' of other tools: P(denominator=\"judged\")"


@pytest.mark.parametrize("name", ["p-MRR", "pMRR", "FollowIR", "follow_ir"])
def test_a_measure_of_two_runs_is_told_how_it_is_computed(name: str) -> None:
    call = "cranfield.comparison.compute_p_mrr(old, new, old_qrels, new_qrels)"
    page = printed("measures", name)
    assert page.startswith("p-MRR\n\nWhether systems follow a changed instruction")
    assert call in page
    assert all(len(line) <= 100 for line in page.splitlines())
    for format_ in ("markdown", "csv", "tsv"):
        assert call in printed("measures", name, "-f", format_).splitlines()[-1]
    assert call in json.loads(printed("measures", name, "-f", "json"))["rows"][0]["meaning"]


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
        "  consistent: no replacement and no upward swap lowers it, with the defaults, and whatever rel and\n"
        "      recall are\n"
        "  satisfies boundedness, monotonicity, promotion, swap, exchange, appending and padding\n"
        "  does not satisfy convergence or top-weightedness: a larger precision further down hides it\n"
        "  does not satisfy localization or completeness: it divides by R, which includes documents that are\n"
        "      not retrieved\n"
        "  does not satisfy realizability: fewer than R documents cannot hold all that are relevant\n"
        "  does not satisfy shift invariance or scale invariance: labels may cross rel\n"
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


def test_the_facts_of_all_measures() -> None:
    head, *lines = printed("measures", "--facts").splitlines()
    shorts = list(SHORT)
    assert head.split() == ["measure", "values", *shorts]
    blank = lines.index("")
    assert [line.split()[0] for line in lines[:blank]] == sorted(registry, key=str.lower)
    assert {len(line.rstrip()) for line in lines[:blank]} == {len(head.rstrip()) - 1}, "columns are aligned"
    assert [line.split()[0] for line in lines[blank:] if line[2:5] in shorts] == shorts


@pytest.mark.parametrize("columns", [60, 80])
def test_a_page_fits_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield.results.table_text.columns", lambda: columns)
    lines = printed("measures", "nDCG").splitlines()
    assert max(map(len, lines)) < columns
    assert " ".join(" ".join(lines).split()).startswith(
        'nDCG(dcg="log2", gains=None, discount="log2", b=2, judged_only=False, negative=None, baseline="zero", '
        'mean_gain=False, no_relevant="undefined")[@cutoff] Discounted'
    )


@pytest.mark.parametrize("columns", [40, 60, 80, 99, 200])
def test_facts_fit_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {(row["measure"], row["property"]): row["holds"] for row in csv.DictReader(facts_as_csv().splitlines())}
    monkeypatch.setattr("cranfield.results.table_text.columns", lambda: columns)
    out = printed("measures", "--facts")
    assert max(map(len, out.splitlines())) <= columns
    shown = {}
    for head, *lines in (block.splitlines() for block in out.split("\n\n")):
        laws = [word for word in head.split() if word in SHORT]
        if not head.startswith("measure "):
            continue
        for line in lines:
            marks = line.split()[-len(laws) :]
            shown |= {(line.split()[0], SHORT[law]): mark for law, mark in zip(laws, marks, strict=True)}
    assert shown == {key: {"yes": "+", "no": "-"}[holds] for key, holds in whole.items()}


def facts_as_csv() -> str:
    return printed("measures", "--facts", "-f", "csv")


def test_the_facts_of_one_measure() -> None:
    (line,) = (line for line in printed("measures", "--facts", "ndcg_cut_10").splitlines() if "nDCG" in line)
    # Moffat 2013: bounded, not monotonic, convergent, top-weighted, not localized, not complete, realizable
    assert line.split() == ["nDCG", "0", "to", "1", *"+-++--+", *"-+", *"+++++"]


@pytest.mark.parametrize("facts", [True, False])
def test_the_same_in_all_formats(facts: bool) -> None:
    asked = ("measures", "--facts") if facts else ("measures",)
    comma = list(csv.reader(printed(*asked, "--format", "csv").splitlines()))
    tabs = [line.split("\t") for line in printed(*asked, "--format", "tsv").splitlines()]
    assert comma == tabs
    assert len(comma) == 1 + len(registry) * (len(PROPERTIES) if facts else 1)
    assert (
        comma[0] == ["measure", "property", "holds", "because"]
        if facts
        else ["measure", "meaning", "also", "reference"]
    )
    plain = json.loads(printed(*asked, "--format", "json"))
    if not facts:
        assert [list(row.values()) for row in plain["rows"]] == comma[1:]
        return
    assert list(plain["signature"]["properties"]) == list(PROPERTIES)
    again = [
        [measure["measure"], law, "yes" if law in measure["holds"] else "no", measure["does_not_hold"].get(law, "")]
        for measure in plain["rows"]
        for law in PROPERTIES
    ]
    assert again == comma[1:]


def test_one_measure_in_other_formats() -> None:
    assert printed("measures", "DCG", "-f", "markdown").count("\n") == 3
    (measure,) = json.loads(printed("measures", "DCG", "--facts", "-f", "json"))["rows"]
    assert measure["values"] == [0.0, None], "JSON has no infinity"
    assert measure["does_not_hold"]["boundedness"] == "it grows with the documents that it counts"
    assert cranfield("measures", "--facts", "nDGC").err.startswith("cranfield: error: there is no measure 'nDGC'")


@pytest.mark.parametrize(
    ("name", "message"),
    {
        "nope": "there is no measure 'nope' (`cranfield measures` lists them)",
        "nDGC": "there is no measure 'nDGC'; did you mean nDCG or Rndcg? (`cranfield measures` lists them)",
        "BPREF": "there is no measure 'BPREF'; did you mean Bpref? (`cranfield measures` lists them)",
    }.items(),
)
def test_a_measure_that_does_not_exist(name: str, message: str) -> None:
    ended = cranfield("measures", name)
    assert (ended.status, ended.out, ended.err) == (2, "", f"cranfield: error: {message}\n")
