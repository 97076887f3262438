"""One order of systems, the best first and equal ones by name, through every output."""

import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
import xarray as xr

import cranfield
from cranfield.cli import app
from cranfield.plot import heat_map, measures_by_system
from cranfield.scoring import score
from reading_pages import column, data_of, table

ORDER = ["best", "abe", "zed", "last"]
HITS = {"best": "1111", "zed": "1100", "abe": "0011", "last": "0001"}
"""``zed`` and ``abe``, given in this order, are equal, by other topics each."""
NOISY = xr.DataArray(
    [[0.3, 0.1, 0.3, 0.0], [0.3, 0.2, 0.2, 0.0], [0.3, 0.3, 0.1, 0.1]],
    {"topic": ["1", "2", "3"], "system": list(HITS)},
    ("topic", "system"),
    name="AP",
)
"""(.1 + .2) + .3 is not (.3 + .2) + .1: ``zed`` would be better by the last bit of its sum."""


@pytest.fixture
def given(tmp_path: Path) -> tuple[str, list[str]]:
    """Judgments and runs."""
    qrels = tmp_path / "qrels"
    qrels.write_text("".join(f"{topic} 0 good 1\n{topic} 0 bad 0\n" for topic in range(4)))
    for name, hits in HITS.items():
        lists = [("good", "bad") if hit == "1" else ("bad", "good") for hit in hits]
        rows = [(topic, *row) for topic, documents in enumerate(lists) for row in enumerate(documents)]
        lines = [f"{topic} Q0 {document} {rank} {2 - rank} {name}\n" for topic, rank, document in rows]
        (tmp_path / name).write_text("".join(lines))
    return str(qrels), [str(tmp_path / name) for name in HITS]


@pytest.fixture(autouse=True)
def no_remarks() -> Iterator[None]:
    """Equal systems are remarked upon, which is tested elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cranfield.CranfieldWarning)
        yield


def seen(text: str) -> list[str]:
    """Systems in the order in which they are first named."""
    return list(dict.fromkeys(re.findall(rf"\b({'|'.join(ORDER)})\b", text)))


@pytest.mark.parametrize(
    "arguments",
    [
        *(["evaluate", "-f", form] for form in ("table", "markdown", "latex")),
        ["evaluate", "--by-topic"],
        ["standardize", "--scheme", "raw"],
    ],
    ids=" ".join,
)
def test_the_shell(given: tuple[str, list[str]], arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    qrels, runs = given
    app([*arguments, qrels, *runs, "-m", "P@1"], "cranfield", standalone_mode=False)
    assert seen(capsys.readouterr().out) == ORDER


def test_pairs_in_the_shell(given: tuple[str, list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    """Pairs are sorted by their differences; between equal systems the order is that of all tables."""
    qrels, runs = given
    app(["compare", qrels, *runs, "-m", "P@1"], "cranfield", standalone_mode=False)
    found = seen(capsys.readouterr().out)
    assert sorted(found) == sorted(ORDER)
    assert found.index("abe") < found.index("zed")


def test_the_notebook(given: tuple[str, list[str]]) -> None:
    assert seen(score(given[1], given[0], "P@1")._repr_html_()) == ORDER


def test_the_report(given: tuple[str, list[str]]) -> None:
    board = table(data_of(cranfield.report(given[1], given[0], "P@1").html), "leaderboard")
    assert column(board, "system") == ORDER
    assert column(board, "rank") == [1, 2, 2, 4]


def test_what_was_only_summed_in_another_order_is_equal() -> None:
    sums = NOISY.sum("topic").to_numpy()
    assert sums[1] != sums[2]
    found = cranfield.compare(NOISY)
    assert found.means.index.tolist() == ORDER
    assert found.groups().index.tolist() == ORDER
    pairs = zip(found.pairs["system"], found.pairs["other"], strict=True)
    assert list(pairs) == [(ORDER[one], ORDER[other]) for one in range(4) for other in range(one + 1, 4)]


def test_charts() -> None:
    assert _domain(heat_map(NOISY).to_dict(), "y") == ORDER
    several = xr.Dataset({"AP": NOISY, "RR": NOISY})
    assert _domain(measures_by_system(several).to_dict(), "x") == ORDER


def _domain(chart: object, channel: str) -> list[str]:
    """The order along an axis, wherever a chart has it."""
    if isinstance(chart, dict):
        axis = chart.get(channel)
        if isinstance(axis, dict) and isinstance(axis.get("scale"), dict) and "domain" in axis["scale"]:
            return list(axis["scale"]["domain"])
        parts = list(chart.values())
    else:
        parts = chart if isinstance(chart, list) else []
    return next(filter(None, (_domain(part, channel) for part in parts)), [])
