"""Pages with computed prose say what their tables say today."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import numpy as np
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


ALLOWED = (
    r"`[^`]*`|\]\([^)]*\)|\{\{[^}]*\}\}|doi:\S+",  # code, links, values, addresses
    r"\b[Ss]ections? \d[\d., and]*",
    r"\b(?:p|P|A|B|f|alpha|RBP) =\s(?:\.\d+|5%)(?: and \.\d+)?",  # a parameter after its name
    r"\bgamma \.\d|the paper's \.5|\n\s*\.5 predicts",  # gamma is a parameter too
    r"\b(?:at|level|level of|ASL) \.(?:001|01|05)\b",  # of a test
    r"\b(?:fuzziness|within) 5%|\b95% intervals|\b97\.5% of them",  # of an analysis
    r"more than 5% of its power|more than \.01 of τ_b|at a τ_b of \.95",  # what "enough" means to reference_systems.py
    r"1 - \.95\^5|[Ll]abel \d of \d{4}",
    r"the mean is \(n\+1\)/2n, not \.5",
    r"CC BY-SA 4\.0|trectools 0\.0\.50",
)
NUMBER = re.compile(r"(?<![\w.,/-])-?(?:\d*\.\d+%?|\d+%|\d[\d,]* of \d[\d,]*)(?![\w/])")
WORDS = re.compile(
    r"\b(?:in every row|as printed(?!\s+_|,)|the lowest of each"
    r"|(?:on|in) (?:all|none|all three|none of three) (?:collections|years))\b"
)


def typed(text: str) -> list[str]:
    """Numbers and words of a template that its tables could contradict, as no value gives them."""
    for pattern in ALLOWED:
        text = re.sub(pattern, " _ ", text)
    return NUMBER.findall(text) + WORDS.findall(text)


def test_no_result_is_typed_into_a_template() -> None:
    """prose.py says what is allowed, and why."""
    templates = [*ROOT.glob("*.template"), *ROOT.glob("*/*.template")]
    found = {path.relative_to(ROOT).as_posix(): typed(path.read_text(encoding="utf-8")) for path in templates}
    assert not any(found.values()), f"a number of ours comes from values.py, one in print from printed.toml: {found}"


BY_READING = {
    "issue 2: estimates depend on the set of topics; ease does not",
    "section 3.2: shifted and scaled, nDCG keeps all properties but its bounds",
    "section 5: the general trend is captured",
    "section 1: trectools too; RankLib, LETOR and LTR-evaluate refuse them",
    "section 3: NDCG_min is bounded for all labels, its properties those of NDCG_org",
    "table 2b: rho of NDCG_org and NDCG_0",
    "table 2b: rho of NDCG_0 and NDCG_min",
    "table 2d: values of Phi",
    "figure 2e: error rates",
    "section 5: the error rate falls with topics",
    "section 6: conclusive with fewer topics",
    "section 3.2: measures that use R, such as Q, are more discriminative than RBP",
    "table 2: Idiv-nDCG with other measures",
    "table 3: Idiv-Q with other measures",
    "table 4: effect of gamma",
    "section 4.2: Idiv-nDCG ranks runs similarly to alpha-nDCG, with differences",
    "figure 1: I-recall by div-nDCG",
    "footnote 8: tau of I-recall and div-nDCG {{printed.axes_tau}}",
    "figure 2: systems by all measures",
    "figure 3: differences by topic",
    "table 5: discriminative power",
    "table 5: required differences",
    "section 5: gamma from clicks",
    "section 2: E-std has nearly constant mean and variance by design",
    "figure 1: scores under each scheme",
    "section 3.2: the exception of tau_ap on Terabyte",
    "section 3.2: power is alike on Robust, E-std ahead on Terabyte",
    "section 4, future work: further measures",
    "section 4, future work: how many systems E-std needs",
    "figure 1: information tau by query",
    "section 5: RIC and GAP are monotonic, not particularly linear",
    "figure 4: information space",
    "table 4: closest pairs are of one team",
    "section 7: sorting by difference of AP shows no pattern",
    "section 8, future work: language models and BM25",
}
"""Rows whose word is typed though tables are their only evidence: what a figure shows, what follows from a definition,
or a likeness to print of which no rule is to be had."""


def test_the_word_of_a_row_that_rests_on_tables_comes_from_a_rule() -> None:
    lines = (ROOT / "README.template").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)] for line in lines if line.startswith("| ")]
    typed_words = {row[1] for row in rows if len(row) == 6 and row[3] in ("yes", "in part", "no")
                   and not any("tests/" in target for target in re.findall(r"\]\(([^)#]+)", row[2]))}  # fmt: skip
    assert typed_words == BY_READING


def test_typed_results_are_seen() -> None:
    text = "tau .74, -.27, 12.5% and 8%; 3 of 19; {{tau}}, `p=.95`, k = 20, [a](b/0.5.md), section 3.1, p = .8, at .05"
    assert typed(text) == [".74", "-.27", "12.5%", "8%", "3 of 19"]
    assert typed("tau is {{tau}} as printed, and {{order}} in every row") == ["in every row"]
    assert typed("the order is as printed") == ["as printed"]


def test_a_claim_that_the_tables_contradict_is_refused(prose: ModuleType) -> None:
    assert prose.claim("the lowest of each", [0.1] == [0.1]) == "the lowest of each"
    with pytest.raises(ValueError, match="the tables contradict 'the lowest of each'"):
        prose.claim("the lowest of each", [0.1] == [0.2])


def test_numbers_of_papers_and_of_no_table_are_each_used(prose: ModuleType) -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in [*ROOT.glob("*.template"), *ROOT.glob("*/*.template")])
    code = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("*/*.py"))
    for kind in ("printed", "once"):
        unused = [
            name for name in prose.constants(kind) if f"{{{{{kind}.{name}}}}}" not in texts and f'"{name}"' not in code
        ]
        assert not unused, f"{kind}.toml"


def test_what_was_rounded_once_is_not_rounded_in_doubt(prose: ModuleType) -> None:
    assert [prose.short(0.905, 2), prose.short(0.904, 2), prose.fixed(0.145), prose.fixed(1.0)] == [
        ".905",
        ".90",
        ".145",
        "1.00",
    ]


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


ELSEWHERE = {
    "boards": (
        ".95 .5 1.5 .5 .10 97% 96.5% 98% 2.4 5.3 5.9 .065 .95",
        "sizes of the simulation, what was asked, seconds",
    ),
    "discriminative_power": ("", ""),
    "few_topics": (".015 .022 .055 .007 .065", "Monte Carlo errors, and what was asked"),
    "llm_judges": ("", ""),
    "nested": (".935 .93 .93 1.6 2.1", "what was asked, seconds"),
    "scores_under_holes": (
        ".0072 .0084 .0196 .0189 .0206 -.0200 .0130 .0160 .0145 -.0119 .0189 .0255 .0051 .0133 .0466 .0667 .0473 .0671 "
        ".733 .621 .760 .740 .732 .613",
        "what was asked, and other seeds and readings",
    ),
    "stopping_depth": (".95 .010 .006 .016", "a parameter, and differences"),
}
"""Pages without a template: their numbers that no table of the folder has, and what they are."""


def numbers_of(paths: Iterable[Path]) -> np.ndarray:
    """Every number in tables."""
    texts = [path.read_text(encoding="utf-8") for path in paths]
    found = (word.replace(",", "") for text in texts for word in re.findall(r"\d[\d,]*\.?\d*|\.\d+", text))
    return np.unique([float(word) for word in found])


def without_table(text: str, known: np.ndarray) -> list[str]:
    """Numbers of a text that are no number of a table, rounded to their digits."""
    strange = []
    for word in typed(text):
        if re.fullmatch(r"-?[\d.]+%?", word):
            value, half = abs(float(word.rstrip("%"))), 0.5 / 10 ** len(word.rstrip("%").partition(".")[2]) + 1e-9
            scales = (1, 100) if word.endswith("%") else (1,)
            if not any((np.abs(scale * known - value) <= half).any() for scale in scales):
                strange.append(word)
    return strange


@pytest.mark.parametrize("folder", sorted(ELSEWHERE))
def test_numbers_of_a_page_without_a_template_are_in_its_tables(folder: str) -> None:
    page = ROOT / folder / "README.md"
    tables = [path for path in page.parent.iterdir() if path.suffix in (".md", ".tsv", ".csv") and path != page]
    assert without_table(page.read_text(encoding="utf-8"), numbers_of(tables)) == ELSEWHERE[folder][0].split()


def test_every_page_has_a_template_or_is_compared_with_its_tables() -> None:
    pages = {path.parent.name for path in ROOT.glob("*/README.md") if not path.with_suffix(".template").exists()}
    assert pages == ELSEWHERE.keys()


@pytest.mark.parametrize(
    ("page", "start", "tables"),
    [
        ("negative-labels.md", "On the eight baselines of Web 2012, k = 20", "gienapp_2020_negative_labels/penalty.md"),
        (
            "comparison.md",
            "By nDCG@10 the best system stays",
            "gienapp_2020_topic_difficulty/weighted.md",
        ),
        ("comparison.md", "| system | mean | letters |", "gienapp_2020_topic_difficulty/weighted.md"),
        ("information.md", "**Language models err together", "llm_judges/judge_weights.md"),
        ("information.md", "**Panels** (`judges panel`", "llm_judges/judge_weights.md"),
    ],
)
def test_numbers_of_the_documentation_are_in_the_tables_that_it_names(page: str, start: str, tables: str) -> None:
    text = (ROOT.parent / "docs" / page).read_text(encoding="utf-8")
    paragraph = start + text.partition(start)[2].partition("\n\n")[0]
    assert len(typed(paragraph)) >= 2, "the paragraph is found"
    assert without_table(paragraph, numbers_of([ROOT / tables])) == []


def test_a_number_of_no_table_is_seen() -> None:
    known = np.array([0.9048, 12.0, 0.666])
    assert without_table("tau .905, .91, 66.6% and 12%", known) == [".91"]
