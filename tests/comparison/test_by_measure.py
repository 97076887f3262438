"""The table of a paper: marks against ``compare``, best and second, the caption, and the source of every format."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import cranfield
from cranfield import UsageError
from cranfield.comparison import MeasureComparison, compare, compare_measures


def dataset(systems: dict[str, float], topics: int = 20, noise: float = 0.05) -> xr.Dataset:
    """Two measures of systems with so large means; RR is smaller for better systems."""
    rng = np.random.default_rng(3)
    table = np.array(list(systems.values())) + noise * rng.standard_normal((topics, len(systems)))
    labels: Any = {"topic": [f"q{topic}" for topic in range(topics)], "system": list(systems)}
    ap = xr.DataArray(table, labels, ("topic", "system"), attrs={"larger_is_better": 1})
    return xr.Dataset({"AP": ap, "cost": (1 - ap).assign_attrs(larger_is_better=0)})


SYSTEMS = {"good_1": 0.7, "bm25": 0.4, "bad": 0.2, "alike": 0.41}


@pytest.fixture(scope="module")
def against_one() -> MeasureComparison:
    return compare_measures(dataset(SYSTEMS), baseline="bm25")


def marks(found: MeasureComparison, measure: str) -> dict[str, str]:
    some = found.rows[found.rows["measure"] == measure]
    return dict(zip(some["system"], some["mark"], strict=True))


def test_marks_are_what_compare_finds(against_one: MeasureComparison) -> None:
    scores = dataset(SYSTEMS)
    for measure, sign in (("AP", 1), ("cost", -1)):
        pairs = compare(scores[measure], baseline="bm25").pairs
        wanted = {
            row.system: ("+" if sign * row.difference > 0 else "-") if row.significant else ""
            for row in pairs.itertuples()
        }
        assert marks(against_one, measure) == wanted | {"bm25": ""}
    assert marks(against_one, "cost") == {"bm25": "", "good_1": "+", "alike": "", "bad": "-"}
    assert list(dict.fromkeys(against_one.rows["system"])) == ["bm25", "good_1", "alike", "bad"], "baseline, then by AP"


def test_letters_where_all_pairs_or_several_baselines_are_compared() -> None:
    scores = dataset(SYSTEMS)
    for measure in ("AP", "cost"):
        assert marks(compare_measures(scores), measure) == {"good_1": "bcd", "alike": "d", "bm25": "d", "bad": ""}
        two = compare_measures(scores, baseline=["bm25", "bad"])
        assert marks(two, measure) == {"bm25": "b", "bad": "", "good_1": "ab", "alike": "b"}
    assert "(\\textsuperscript{a})" in two.to_latex()


def test_latex(against_one: MeasureComparison) -> None:
    """The whole source, as booktabs takes it."""
    ap, cost = (dataset(SYSTEMS)[measure].mean("topic").to_series().map("{:.3f}".format) for measure in ("AP", "cost"))
    up, down = r"\textsuperscript{+}", r"\textsuperscript{$-$}"
    *head, tail = against_one.to_latex(digits=3).partition("\\begin{tabular}{lll}\n")
    assert tail == (
        "\\toprule\nSystem & AP & cost \\\\\n\\midrule\n"
        f"bm25 & \\underline{{{ap['bm25']}}} & \\underline{{{cost['bm25']}}} \\\\\n\\midrule\n"
        f"good\\_1 & \\textbf{{{ap['good_1']}}}{up} & \\textbf{{{cost['good_1']}}}{up} \\\\\n"
        f"alike & {ap['alike']} & {cost['alike']} \\\\\n"
        f"bad & {ap['bad']}{down} & {cost['bad']}{down} \\\\\n"
        "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    )
    assert re.fullmatch(
        r"\\begin\{table\}\n\\centering\n\\caption\{4 systems on 20 topics, best in bold, second underlined\. "
        r"cost: smaller is better\. "
        r"Not beaten \(no other system is as good by every mean and better by one\): good\\_1\. "
        r"\+ and -: significantly better and worse than bm25 \(paired t-tests of each system and bm25 within each "
        r"measure, Holm's correction, alpha = 0\.05\)\. Cranfield [\w.]+, signature \w{12}\.\}\n",
        head[0],
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"test": "tukey"}, "Tukey's HSD test of all pairs within each measure, alpha = 0.05"),
        ({"test": "dunnett", "baseline": "bm25"}, "Dunnett's test of each system and bm25 within each measure, alpha"),
        ({"test": "wilcoxon", "correction": "bonferroni", "alpha": 0.01}, "Bonferroni's correction, alpha = 0.01"),
        (
            {"test": "bootstrap", "resamples": 200, "seed": 7},
            "corrected by the largest |t|, 200 resamples, seed 7, alpha",
        ),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_the_caption_says_what_was_tested(options: dict[str, Any], said: str) -> None:
    assert said in compare_measures(dataset(SYSTEMS), **options).layout().caption


def test_best_and_second_are_what_is_printed() -> None:
    def ranks(*means: float, measure: str = "AP") -> list[int]:
        scores = dataset(dict(zip("abcde", means, strict=False)), noise=0.001)[[measure]]
        # From the best system to the worst.
        return [row[0].rank for row in compare_measures(scores).layout(2).cells]

    assert ranks(0.50, 0.40, 0.50, 0.30, 0.40) == [1, 1, 2, 2, 0]
    assert ranks(0.50, 0.60, 0.70, measure="cost") == [1, 2, 0]
    assert ranks(0.50, 0.50) == [0, 0]
    close = compare_measures(dataset({"a": 0.50, "b": 0.51, "c": 0.2}, noise=0.001)[["AP"]])
    assert [row[0].rank for row in close.layout(1).cells] == [1, 1, 2]
    assert [row[0].rank for row in close.layout(3).cells] == [1, 2, 0]


class Read(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_untrusted_names_do_no_harm() -> None:
    name = "a_&<b>%|$\\x{"
    found = compare_measures(dataset({name: 0.5, "other": 0.4}), baseline="other")
    assert r"a\_\&\textless{}b\textgreater{}\%\textbar{}\$\textbackslash{}x\{" in found.to_latex()
    page = Read()
    page.feed(found.to_html())
    assert page.open == []
    assert "b" not in page.seen
    assert {"strong", "sup", "caption", "table"} <= set(page.seen)
    row = next(line for line in found.to_markdown().splitlines() if r"\<b\>" in line)
    assert len(re.findall(r"(?<!\\)\|", row)) == 4


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TypeError, match="margin"):
        compare_measures(dataset(SYSTEMS), margin=0.1)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="seed= changes nothing with a test that draws nothing"):
        compare_measures(dataset(SYSTEMS), seed=2)
    with pytest.raises(UsageError, match="digits=-1 should be at least 0"):
        compare_measures(dataset(SYSTEMS)).to_latex(-1)
    many = dataset({f"s{number}": 0.1 for number in range(21)}, topics=3)
    monkeypatch.setattr("cranfield.comparison.paper_table.compare", None)  # before anything is computed
    with pytest.raises(UsageError, match="21 systems are too many to mark with letters: name a baseline"):
        compare_measures(many)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from cranfield.cli import app

    monkeypatch.chdir(tmp_path)
    scores = dataset(SYSTEMS)[["AP"]]
    cranfield.write_scores(scores, "AP.csv", format="matrix")
    called = ["table", "--scores", "AP.csv", "--baseline", "bm25", "--digits", "3", "-f"]
    found = compare_measures(cranfield.read_scores("AP.csv"), baseline="bm25")
    for format_, text in (
        ("latex", found.to_latex(3)),
        ("markdown", found.to_markdown(3)),
        ("html", found.to_html(3)),
    ):
        assert CliRunner().invoke(app, [*called, format_]).stdout == text
    shown = CliRunner().invoke(app, [*called, "table"]).stdout.splitlines()
    assert shown[0].split() == ["system", "AP"]
    assert re.fullmatch(r"good_1 +0\.\d{3}\*\+", shown[3])


def test_beside_a_cost_the_systems_that_none_beats_by_both() -> None:
    scores = dataset({"cheap": 0.4, "dear": 0.7, "worse": 0.3, "near": 0.69})
    cost = scores["cost"] * 0.1 + np.array([1.0, 5.0, 6.0, 5.5])
    found = compare_measures(xr.Dataset({"AP": scores["AP"], "cost": cost.assign_attrs(larger_is_better=0)}))
    unbeaten = found.rows[found.rows["measure"] == "cost"].set_index("system")["unbeaten"]
    assert unbeaten.to_dict() == {"cheap": True, "dear": True, "near": False, "worse": False}
    assert "Not beaten (no other system is as good by every mean and better by one): dear, cheap." in found.to_latex()
    one_way = compare_measures(xr.Dataset({"AP": scores["AP"], "RR": scores["AP"]}))
    assert "unbeaten" not in one_way.rows
    assert "Not beaten" not in one_way.to_latex()
