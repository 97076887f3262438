"""Measures of other packages, found by their entry points: the page that says how, and packages that are broken."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "write-a-measure.md"
FILE = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)

GOOD = '''
from cranfield import measure

@measure("{name}", reference="Nobody 2026", aliases={aliases})
def found(rankings):
    """Documents retrieved."""
    return rankings.length * 1.0
'''


def install(folder: Path, package: str, points: dict[str, str]) -> None:
    """What an installer leaves beside a package that lies in the folder already."""
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"{name} = {value}\n" for name, value in points.items()]
    (info / "entry_points.txt").write_text("[cranfield.measures]\n" + "".join(lines))


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python, where the packages of a folder are installed."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONWARNINGS": "default"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_the_page_on_how_to_write_one(tmp_path: Path) -> None:
    text = PAGE.read_text()
    files = dict(FILE.findall(text))
    assert set(files) == {
        *("src/my_measures/__init__.py", "pyproject.toml", "test_mine.py"),
        *("qrels.txt", "my.run"),
    }
    for name, content in files.items():
        place = tmp_path / name.removeprefix("src/")
        place.parent.mkdir(exist_ok=True)
        place.write_text(content)
    project = tomllib.loads(files["pyproject.toml"])["project"]
    install(tmp_path, project["name"], project["entry-points"]["cranfield.measures"])
    few = "import test_mine; test_mine.check_measure('mine@10', examples=3)"
    assert 'check_measure("mine@10")' in files["test_mine.py"]
    tested = python(tmp_path, "-c", few)
    assert (tested.returncode, tested.stderr) == (0, "")
    ran = []
    for block in CONSOLE.findall(text):
        for called, printed in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block, re.MULTILINE):
            ran.append(called)
            if called == "pip install .":
                continue  # what it leaves is there already
            words = shlex.split(called)
            assert words[0] == "cranfield"
            ended = python(tmp_path, "-m", "cranfield", *words[1:])
            assert (ended.returncode, ended.stderr) == (0, "")
            assert ended.stdout.startswith(printed)
    assert len(ran) == 3


USE = """
import sys
import cranfield
from cranfield.measures import _registry

assert not _registry._tried
cranfield.parse_measures("nDCG@10, AP, ndcg_cut_10, P.5,10")
assert not _registry._tried, "names of ours wait for no other package"
assert "importlib.metadata" not in sys.modules
run, qrels = {"q": {"a": 1.0, "b": 1.0}}, {"q": {"a": 1}}
print(cranfield.evaluate({"r": run}, qrels, ["Good", "AP"])["Good"].item(), cranfield.parse_measure("alsoGood"))
print(cranfield.Good, "Good" in dir(cranfield), "Clash" in cranfield.measures.registry)
from cranfield.measures._stub import stub
print("Good" in stub())
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Packages: a good one, one that fails, one that ends the program, and three whose names are taken."""
    folder = tmp_path_factory.mktemp("installed")
    modules = {
        "good": GOOD.format(name="Good", aliases=["alsoGood"]),
        "fails": "import a_module_that_is_not_there",
        "quits": "raise SystemExit(3)",
        "takes_ours": GOOD.format(name="nDCG", aliases=[]),
        "takes_an_alias": GOOD.format(name="Clash", aliases=["MAP"]),
        "takes_theirs": GOOD.format(name="Good", aliases=[]),
    }
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
        install(folder, name.replace("_", "-"), {"any": name})
    (folder / "qrels.txt").write_text("q 0 a 1\n")
    (folder / "a.run").write_text("q Q0 a 1 1.0 t\n")
    return folder


@pytest.mark.slow
def test_a_good_one_is_found_beside_broken_ones(installed: Path) -> None:
    ended = python(installed, "-W", "ignore", "-c", USE)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "2.0 Good\nGood True False\nFalse\n"


def test_broken_ones_are_named(installed: Path) -> None:
    ended = python(installed, "-m", "cranfield", "evaluate", "qrels.txt", "a.run", "-m", "Good", "-f", "tsv")
    assert (ended.returncode, ended.stdout) == (0, "system\ttopic\tmeasure\tvalue\na\tall\tGood\t1.0\n")
    left_out = "cranfield: warning: measures of the package {0} ({1}) are left out, as importing them failed: {2}"
    assert ended.stderr.splitlines() == [
        left_out.format("fails", "fails", "ModuleNotFoundError: No module named 'a_module_that_is_not_there'"),
        left_out.format("quits", "quits", "SystemExit: 3"),
        left_out.format("takes-an-alias", "takes_an_alias", "MeasureError: Clash: the alias 'MAP' belongs to AP"),
        left_out.format(
            "takes-ours", "takes_ours", "MeasureError: nDCG is already declared in cranfield.measures.discounted_gain"
        ),
        left_out.format("takes-theirs", "takes_theirs", "MeasureError: Good is already declared in good"),
    ]
    ended = python(installed, "-m", "cranfield", "evaluate", "qrels.txt", "a.run", "-m", "nDCG@10", "-f", "tsv")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_all_measures_are_listed_with_them(installed: Path) -> None:
    ended = python(installed, "-m", "cranfield", "measures")
    assert ended.returncode == 0
    assert re.search(r"^Good +Documents retrieved\.$", ended.stdout, re.MULTILINE)
    assert ended.stderr.count("are left out, as importing them failed") == 5
    ended = python(installed, "-m", "cranfield", "measures", "Clash")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "there is no measure 'Clash'" in ended.stderr


def test_packages_are_searched_again_only_where_something_was_installed(tmp_path: Path) -> None:
    """Asking for many unknown names, as score files of other tools have them, searches all packages once."""
    ran = python(
        tmp_path,
        "-c",
        """
import importlib.metadata, pathlib, sys, time
from cranfield.measures import parse_measure
asked = []
found = importlib.metadata.entry_points
importlib.metadata.entry_points = lambda **group: asked.append(group) or found(**group)

def known(name):
    try:
        return str(parse_measure(name))
    except ValueError:
        return None

assert [known(name) for name in ("m1", "m2", "late")] == [None] * 3
assert len(asked) == 1, asked
time.sleep(0.02)
info = pathlib.Path("late-1.0.dist-info")
info.mkdir()
(info / "METADATA").write_text("Metadata-Version: 2.1\\nName: late\\nVersion: 1.0\\n")
(info / "entry_points.txt").write_text("[cranfield.measures]\\nlate = late\\n")
pathlib.Path("late.py").write_text(
    "from cranfield import measure\\n"
    "@measure('late', reference='Nobody 2026')\\n"
    "def late(rankings):\\n    'Documents retrieved.'\\n    return rankings.length * 1.0\\n"
)
print(known("late"), len(asked))
""".replace("\\\\", "\\"),
    )
    assert (ran.stdout, ran.stderr) == ("late 2\n", "")
