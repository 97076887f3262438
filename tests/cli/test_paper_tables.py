"""Leaderboards and comparisons as tables of papers: LaTeX and Markdown."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest
from command import cranfield, printed

pytestmark = pytest.mark.usefixtures("folder")

RUNS = ("none.run", "best.run", "late.run")
ASKED = ("evaluate", "qrels.txt", *RUNS, "-m", "AP", "-m", "P@1", "-m", "NumRet")


def signed(*arguments: str) -> str:
    """What a caption says of the signature that json prints."""
    signature = json.loads(printed(*arguments, "-f", "json"))["signature"]
    digest = hashlib.sha256(json.dumps(signature, sort_keys=True).encode()).hexdigest()[:12]
    return f"cranfield {signature['cranfield']}, signature {digest}"


def test_a_leaderboard_in_latex() -> None:
    assert printed(*ASKED, "-f", "latex") == (
        "\\begin{table}\n\\centering\n"
        "\\caption{3 systems by AP, 2 topics of qrels; ties=trec; bold: best of its column; AP and P@1 count labels of "
        f"1 or more as relevant; labels go up to 2; {signed(*ASKED)}}}\n"
        "\\begin{tabular}{lrrr}\n\\toprule\n"
        "system & AP & P@1 & NumRet \\\\\n\\midrule\n"
        "best & \\textbf{1.0000} & \\textbf{1.0000} & 3 \\\\\n"
        "late & 0.3750 & 0.0000 & \\textbf{4} \\\\\n"
        "none & 0.0000 & 0.0000 & 2 \\\\\n"
        "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    )


def test_a_leaderboard_in_markdown_by_topic() -> None:
    asked = ("evaluate", "qrels.txt", "late.run", "best.run", "-m", "AP", "-m", "GMAP")
    out = printed(*asked, "--by-topic", "-f", "markdown").splitlines()
    assert out[:5] == [
        "| system | topic | AP | GMAP |",
        "| :-- | :-- | --: | --: |",
        "| best | 2 | 1.0000 |  |",
        "| best | 1 | 1.0000 |  |",
        "| best | all | **1.0000** | **1.0000** |",
    ]
    assert out[-1].endswith(signed(*asked))


def test_bounds_have_columns() -> None:
    lines = printed("evaluate", "qrels.txt", "late.run", "-m", "P@1", "--bounds", "-f", "markdown").splitlines()
    assert lines[0] == "| system | P@1 | lower | upper |"
    # One unjudged document stands first in topic 1, and a judged one in topic 2.
    assert lines[2] == "| late | 0.0000 | 0.0000 | 0.5000 |"


def test_names_of_strangers() -> None:
    name = "a|b_<i>$x$&.run"
    Path(name).write_text(Path("best.run").read_text())
    assert "| a\\|b\\_\\<i\\>\\$x\\$\\& | 1.0000 |" in printed(
        "evaluate", "qrels.txt", name, "-m", "AP", "-f", "markdown"
    )
    latex = printed("evaluate", "qrels.txt", name, "-m", "AP", "-f", "latex")
    assert r"a\textbar{}b\_\textless{}i\textgreater{}\$x\$\& & 1.0000 \\" in latex


@pytest.fixture
def scores(folder: Path) -> str:
    """A clear difference, and one that is none."""
    rows = ["topic,good,alike,bad"]
    rows += [f"{topic},{0.8 + topic / 100},{0.8 + (topic * 7 % 10) / 100},{0.1 + topic / 200}" for topic in range(10)]
    (folder / "AP.csv").write_text("\n".join(rows) + "\n")
    return "AP.csv"


def test_marks_stand_on_significant_differences(scores: str) -> None:
    asked = ("compare", "--scores", scores, "--baseline", "bad")
    pairs = json.loads(printed(*asked, "-f", "json"))["rows"]
    markdown = printed(*asked, "-f", "markdown").splitlines()
    latex = printed(*asked, "-f", "latex")
    head = [cell.strip() for cell in markdown[0].split("|")[1:-1]]
    for pair, line in zip(pairs, markdown[2:], strict=False):
        cells = dict(zip(head, [cell.strip() for cell in line.split("|")[1:-1]], strict=True))
        assert cells["system"] == pair["system"]
        assert cells["difference"] == f"{pair['difference']:.4f}" + "\\*" * pair["significant"]
        assert (f"{pair['difference']:.4f}\\rlap{{\\textsuperscript{{{{*}}}}}}" in latex) == pair["significant"]
    assert sum(pair["significant"] for pair in pairs) == 2
    assert "adjusted p \\< 0.05" in markdown[-1]
    assert markdown[-1].endswith(signed(*asked))


def test_groups(scores: str) -> None:
    lines = printed("compare", "--scores", scores, "--groups", "-f", "markdown").splitlines()
    assert lines[2:5] == ["| alike | **0.8450** | a |", "| good | **0.8450** | a |", "| bad | 0.1225 | b |"]


def test_other_commands_say_what_they_know() -> None:
    ended = cranfield("check", "labels", "qrels.txt", "-f", "markdown")
    assert ended.status == 2
    assert "markdown" in ended.err


def test_a_table_of_more_systems_than_letters_is_refused_before_anything_is_read() -> None:
    for number in range(21):
        Path(f"copy{number}.run").write_text("no run\n")
    for runs in ([f"copy{number}.run" for number in range(21)], ["copy*.run"]):
        ended = cranfield("table", "qrels.txt", *runs)
        assert "21 systems are too many to mark with letters: name a baseline, or give 20 or fewer" in ended.err
        assert "no run" not in ended.err


def test_a_written_table_has_a_label() -> None:
    printed(*ASKED, "-o", "my table.tex.gz")
    source = gzip.decompress(Path("my table.tex.gz").read_bytes()).decode()
    assert source.count("\\label{tab:my-table}\n\\begin{tabular}") == 1
    assert "\\label" not in printed(*ASKED, "-f", "latex")
