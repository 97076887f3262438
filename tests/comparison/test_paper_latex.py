"""The source of a paper's table, read by a strict parser: what LaTeX would stop at is found without LaTeX."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import cranfield
from cranfield.comparison import compare_measures

NAMES = ("plain", "under_score", "50%&more", r"back\slash{brace}", "a#b$c^d~e", "ü–é", "<i>x</i>", "x" * 300)
TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|[{}&$#%_^~]|[^\\{}&$#%_^~]+", re.DOTALL)
COMMANDS = {
    *(r"\begin", r"\end", r"\centering", r"\caption", r"\toprule", r"\midrule", r"\bottomrule", r"\\"),
    *(r"\textbf", r"\underline", r"\textsuperscript", r"\_", r"\%", r"\&", r"\#", r"\$", r"\{", r"\}"),
    *(r"\resizebox", r"\linewidth"),
    *(r"\small", r"\footnotesize", r"\scriptsize", r"\setlength", r"\tabcolsep"),
    *(r"\textbackslash", r"\textasciicircum", r"\textasciitilde", r"\textless", r"\textgreater", r"\textbar"),
}
"""Commands of LaTeX's kernel, of booktabs and of graphicx that such a table may use."""
ELSE_AS_WIDE_AS_IT_IS = r"\providecommand{\resizebox}[3]{#3}" + "\n"


def parsed(source: str) -> list[int]:
    """Cells of each row of the tabular.

    Raises:
        AssertionError: an unknown command, a brace or an environment that does not end, a bare special letter.
    """
    depth, mathematics, environments, rows, cells = 0, False, [], [], 1
    scaled = ELSE_AS_WIDE_AS_IT_IS in source
    source = source.replace(ELSE_AS_WIDE_AS_IT_IS, "").replace("{!}{%\n", "{!}{")
    tokens = TOKEN.findall(source)
    assert "".join(tokens) == source
    for place, token in enumerate(tokens):
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            assert depth >= 0
        elif token == "$":
            mathematics = not mathematics
        elif token in ("\\begin", "\\end"):
            name = tokens[place + 2]
            if token == "\\begin":
                environments.append(name)
            else:
                assert environments.pop() == name
        elif token == "&":
            assert (environments, depth) == (["table", "tabular"], int(scaled))
            cells += 1
        elif token == "\\\\":
            rows.append(cells)
            cells = 1
        else:
            assert token[0] not in "#%_^~", token
            assert token in COMMANDS or token[0] != "\\", token
    assert (depth, mathematics, environments) == (0, False, [])
    return rows


@pytest.mark.parametrize("baseline", [(), NAMES[1], NAMES[2:4]], ids=["all pairs", "one", "two"])
def test_the_source_is_well_formed(baseline: str | tuple[str, ...]) -> None:
    random = np.random.default_rng(5)
    table = random.random((12, len(NAMES))) + np.linspace(-3, 3, len(NAMES))
    labels = {"topic": [f"q{topic}" for topic in range(12)], "system": list(NAMES)}
    scores = xr.Dataset({name: xr.DataArray(table, labels, ("topic", "system")) for name in ("AP", "nDCG@10", "P_1%")})
    found = compare_measures(scores, baseline=baseline)
    assert parsed(found.to_latex()) == [4] * (len(NAMES) + 1)
    bare = found.to_latex(digits=0)
    assert parsed(bare) == [4] * (len(NAMES) + 1)
    assert "$-3$" in bare, "a number below 0 is mathematics, where its sign is no hyphen"


WRONG = ("a_b", "{", "}", r"\begin{table}", r"\input{x}", "50% less", r"\begin{table}\end{tabular}", "$x", "a & b")


@pytest.mark.parametrize("source", WRONG)
def test_the_parser_is_strict(source: str) -> None:
    with pytest.raises((AssertionError, IndexError)):
        parsed(source)


def test_a_table_is_called_and_referred_to() -> None:
    scores = xr.DataArray([[0.1, 0.2], [0.3, 0.9], [0.2, 0.4]], {"topic": [*"123"], "system": [*"ab"]}, name="AP")
    source = compare_measures(scores, correction="holm").to_latex(caption="Systems on 3 topics.", label="tab:main 1")
    assert "\\caption{Systems on 3 topics. 2 systems on 3 topics," in source
    assert "Holm's correction" in source
    assert source.count("\\label{tab:main-1}") == 1


@pytest.mark.parametrize(
    ("letters", "chosen"),
    [
        (4, r"\begin{tabular}{ll}"),
        (58, r"\small\setlength{\tabcolsep}{4pt}"),
    ],
)
def test_wide_tables_are_set_smaller(letters: int, chosen: str) -> None:
    systems = ["x" * letters, "b"]
    scores = xr.DataArray([[0.1, 0.2], [0.3, 0.9], [0.2, 0.4]], {"topic": [*"123"], "system": systems}, name="AP")
    lines = compare_measures(scores, baseline="b").to_latex().splitlines()
    assert lines[3] == chosen
    assert not any("resizebox" in line for line in lines)


def test_the_widest_tables_are_scaled_to_the_line() -> None:
    labels = {"topic": [*"123"], "system": ["x" * 190, "b"]}
    found = compare_measures(xr.DataArray([[0.1, 0.2], [0.3, 0.9], [0.2, 0.4]], labels, name="AP"), baseline="b")
    lines = found.to_latex().splitlines()
    assert lines[3] == r"\scriptsize\setlength{\tabcolsep}{2pt}"
    assert lines[4:7] == [ELSE_AS_WIDE_AS_IT_IS.rstrip(), r"\resizebox{\linewidth}{!}{%", r"\begin{tabular}{ll}"]
    assert lines[-2:] == [r"\end{tabular}}", r"\end{table}"]


def test_a_papers_table_has_the_columns_that_people_see(tmp_path: Path) -> None:
    table = np.random.default_rng(1).random((12, 3))
    labels = {"topic": [*"abcdefghijkl"], "system": [*"xyz"]}
    audit = cranfield.audit(xr.Dataset({"AP": xr.DataArray(table, labels, ("topic", "system"))}))
    audit.write(tmp_path / "audit.tex")
    source = (tmp_path / "audit.tex").read_text()
    assert "measure & Erho2 & order\\_needed & order\\_interval & swap\\_rate & power & tied" in source
    assert ".0000," not in source, "numbers of topics are whole"
    assert "\\caption{Erho2: reliability" in source, "what each measure is good for is not part of the caption"
    assert "; ;" not in source
