"""A measure is declared once: a new file, or a user's own, and nothing else is edited."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import cranfield
from cranfield import Measure, measure, parse_measure, parse_measures
from cranfield.collection import Rankings
from cranfield.errors import MeasureError
from cranfield.measures import Cutoff, Declaration, Persistence, Rel, Trec, aliases, registry, values
from cranfield.measures._cwl import User, user
from cranfield.measures._registry import Registry

PROJECT = Path(__file__).parents[2]

NEW = '''
"""The last rank that counts."""

from typing import Annotated

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures import Cutoff, Meaning, Rel, Trec, measure


@measure("LastRank", aliases=["LR"], trec=[Trec("last_rank")], range=(0.0, float("inf")), larger_is_better=False,
         reference="Nobody 2026, doi:10.0/0",
         declines={"promotion": "the rank where it stands says nothing of others",
                   "appending": "nothing at all is promised of a test"})
def LastRank(
    rankings: Rankings,
    *,
    rel: Rel = 1,
    bonus: Annotated[float, Meaning("added to every rank", low=0)] = 0,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Rank of the last relevant document.

    LastRank = max{r : the document at rank r is relevant} + bonus.
    """
    view = rankings.top(cutoff)
    return view.maximum(view.relevant(rel) * view.rank * 1.0) + bonus
'''


@pytest.fixture(scope="module")
def with_a_new_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package in which one file was added."""
    folder = tmp_path_factory.mktemp("copy")
    package = Path(cranfield.__file__).parent
    shutil.copytree(package, folder / "cranfield")
    (folder / "cranfield" / "measures" / "last_rank.py").write_text(NEW)
    (folder / "qrels.txt").write_text("1 0 a 1\n1 0 b 1\n2 0 c 0\n")
    (folder / "x.run").write_text("1 Q0 a 1 3 x\n1 Q0 u 2 2 x\n1 Q0 b 3 1 x\n2 Q0 c 1 1 x\n")
    return folder


def python(folder: Path, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder), "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "examples")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd or folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def test_a_new_file_is_all_that_python_and_the_parser_need(with_a_new_file: Path) -> None:
    script = (
        "import cranfield, sys, pathlib\n"
        "assert pathlib.Path(cranfield.__file__).parent == pathlib.Path('cranfield').resolve()\n"
        "assert 'LastRank' in dir(cranfield)\n"
        "from cranfield import LastRank, LR, parse_measure\n"
        "assert parse_measure('last_rank') == parse_measure('LR') == LR == LastRank\n"
        "assert str(parse_measure('LastRank(bonus=0.5)@2')) == 'LastRank(bonus=0.5)@2'\n"
        "scores = cranfield.evaluate('x.run', 'qrels.txt', [LastRank, LastRank(bonus=2) @ 2])\n"
        "assert scores['LastRank'].values.tolist() == [[3.0], [0.0]], scores['LastRank'].values\n"
        "assert scores['LastRank(bonus=2)@2'].values.tolist() == [[3.0], [2.0]]\n"
        "assert scores['LastRank'].attrs['larger_is_better'] == 0\n"
        "from cranfield.measures._stub import stub\n"
        "assert 'LastRank: _LastRank\\n' in stub() and 'bonus: float = ...' in stub()\n"
    )
    ended = python(with_a_new_file, "-W", "ignore", "-c", script)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_new_file_is_all_that_the_command_line_needs(with_a_new_file: Path) -> None:
    def run(*arguments: str) -> str:
        ended = python(with_a_new_file, "-m", "cranfield", *arguments)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    rows = run("evaluate", "qrels.txt", "x.run", "-m", "LastRank", "-m", "last_rank", "-f", "tsv", "--by-topic")
    assert rows.splitlines()[1:] == ["x\t1\tLastRank\t3.0", "x\t2\tLastRank\t0.0"]
    assert "last_rank             \tall\t1.5000\n" in run("evaluate", "qrels.txt", "x.run", "-m", "LR", "-f", "trec")
    listing = [line.split(maxsplit=1) for line in run("measures").splitlines() if line]
    assert ["LastRank", "Rank of the last relevant document."] in listing
    page = run("measures", "LR")
    assert page.startswith("LastRank(rel=1, bonus=0)[@cutoff]\n\nRank of the last relevant document.\n")
    assert "bonus: added to every rank; a number of at least 0 (default 0)" in page
    assert "Reference: Nobody 2026, doi:10.0/0\nAlso known as: LR, last_rank\n" in page
    table = run("measures", "--format", "markdown")
    assert (
        "| `LastRank(rel=1, bonus=0)[@cutoff]` | Rank of the last relevant document. | `LR`, `last_rank` "
        "| Nobody 2026, doi:10.0/0 |\n"
    ) in table


@pytest.mark.slow
def test_a_new_file_is_tested_by_the_laws(with_a_new_file: Path) -> None:
    files = [PROJECT / "tests" / "laws" / f"test_{name}.py" for name in ("declarations", "twins", "properties")]
    chosen = "(test_declarations and LastRank) or has_a_twin or (decline_it and convergence)"
    ended = python(
        with_a_new_file, "-m", "pytest", "-p", "no:cacheprovider", "-k", chosen, *map(str, files), cwd=PROJECT
    )
    assert ended.returncode == 1, ended.stdout
    failed = re.findall(r"^FAILED tests/laws/(\S+)", ended.stdout, re.MULTILINE)
    assert [name.partition("::")[2].partition("[")[0] for name in failed] == [
        "test_every_measure_has_a_twin",
        "test_a_law_is_obeyed_by_all_that_do_not_decline_it",
    ]
    assert re.search(r"^2 failed, 8 passed, ", ended.stdout, re.MULTILINE), "its declaration is in order"
    assert "Extra items in the left set:\nE         'LastRank'" in ended.stdout
    assert "LastRank: obey 'convergence', or decline it with a reason and a counterexample" in ended.stdout


@pytest.mark.slow
def test_a_user_declares_one_in_a_script(tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text(
        '''
import numpy as np

import cranfield
from cranfield.collection import Rankings
from cranfield.measures import Rel


@cranfield.measure("Relevant", reference="Me 2026", range=(0, np.inf), summary="sum")
def relevant(rankings: Rankings, *, rel: Rel = 1):
    """Relevant documents retrieved.

    Relevant = |relevant retrieved|.
    """
    return rankings.retrieved(rel)


assert cranfield.Relevant == relevant
assert cranfield.parse_measure("Relevant(rel=2)") == relevant(rel=2)
scores = cranfield.evaluate({"1": {"a": 1.0, "b": 0.5}}, {"1": {"a": 2, "b": 1}}, ["Relevant", relevant(rel=2)])
print(cranfield.summarize(scores).to_dict("records"))
'''
    )
    ended = subprocess.run(
        [sys.executable, "-W", "error", str(script)], capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert (ended.stdout, ended.stderr) == ("[{'Relevant': 2.0, 'Relevant(rel=2)': 1.0}]\n", "")
    pickled = "import mine, pickle; pickle.dump(mine.relevant(rel=3), open('measure', 'wb'))"
    assert python_in(tmp_path, pickled).returncode == 0
    again = python_in(tmp_path, "import pickle; print(pickle.load(open('measure', 'rb')))")
    assert again.stdout.splitlines()[-1:] == ["Relevant(rel=3)"], "another process declares it first"


def python_in(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, encoding="utf-8", timeout=120, check=False
    )


# ---- in this process, and taken back afterwards


@pytest.fixture(autouse=True)
def taken_back() -> Iterator[None]:
    """What was declared before, and no more."""
    before, attributes = [dict(each) for each in Registry.instances], set(vars(cranfield))
    yield
    for each, declared in zip(Registry.instances, before, strict=True):
        each.loaded.clear()
        each.loaded.update(declared)
    for attribute in set(vars(cranfield)) - attributes:
        delattr(cranfield, attribute)


def declare(name: str, **facts: object) -> Measure:
    @measure(name, reference="Me 2026", **facts)  # type: ignore[arg-type]
    def mine(rankings: Rankings, *, rel: Rel = 1, cutoff: Cutoff = None) -> np.ndarray:
        """Half of everything.

        Mine = 1/2.
        """
        return np.full(len(rankings.length), 0.5)

    return mine


def test_declaring_gives_the_measure() -> None:
    mine = declare("Mine", aliases=["MINE"], trec=[Trec("mine"), Trec("mine_cut", at="cutoff", values=(1, 2))])
    assert isinstance(mine, Measure)
    assert isinstance(mine.declaration, Declaration)
    assert cranfield.Mine == mine  # type: ignore[attr-defined]
    assert parse_measure("MINE(rel=2)@3") == mine(rel=2) @ 3
    assert parse_measures("mine_cut") == [mine @ 1, mine @ 2]
    assert "Mine" in dir(cranfield)
    scores = cranfield.evaluate({"1": {"a": 1.0}}, {"1": {"a": 1.0}}, [mine, "Mine@5"])
    assert scores["Mine@5"].item() == 0.5


def test_a_user_is_a_measure_of_what_the_user_may_expect() -> None:
    @user("Hasty", reference="Me 2026", among="depth", rel=2, declines={})
    def hasty(*, p: Persistence = 0.5) -> User:
        """Utility of who leaves in a hurry.

        C_i = p.
        """
        return User(lambda rank: np.full_like(rank, p))

    shared = ["p", "rel", "min_rel", "max_rel", "depth", "quantity", "residual"]
    assert list(hasty.parameters) == shared
    assert (hasty.parameters["rel"], hasty.range, hasty.declaration.usual_range) == (2, (-np.inf, np.inf), (0.0, 1.0))
    assert hasty.declaration.function.__module__ == __name__
    judged = cranfield.evaluation.make_rankings({"1": {"a": 2.0, "b": 1.0}}, {"1": {"a": 1, "b": 2}})
    # V = 1, 1/2: of an attention of 3/2, the second document has 1/2.
    assert values(hasty(depth=2), judged).tolist() == [pytest.approx(1 / 3)]
    assert values(hasty(depth=2, quantity="ED"), judged).tolist() == [1.5]
    assert values(hasty(depth=2, residual=True), judged).tolist() == [0.0]


def test_what_is_declared_does_not_change_with_a_list_of_the_caller() -> None:
    aliases_given = ["MINE"]
    mine = declare("Mine", aliases=aliases_given)
    aliases_given.append("AP")
    assert mine.declaration.aliases == ("MINE",)


def test_a_cell_that_runs_again_replaces_its_measure() -> None:
    declare("Mine", aliases=["MINE"])
    second = declare("Mine", aliases=["MINE"], range=(0.0, 2.0))
    assert registry["Mine"] is second.declaration
    assert parse_measure("MINE").declaration.range == (0.0, 2.0)
    assert cranfield.Mine.declaration is second.declaration  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        pytest.param("AP", {}, id="name of a measure"),
        pytest.param("MAP", {}, id="alias of a measure"),
        pytest.param("MAP", {"attribute": "MyMap"}, id="alias of a measure, under another attribute"),
        pytest.param("map", {}, id="spelling of trec_eval"),
        pytest.param("ndcg_cut_10", {}, id="spelling of trec_eval with its cutoff"),
        pytest.param("Mine", {"aliases": ["AP"]}, id="alias that is a name"),
        pytest.param("Mine", {"aliases": ["NDCG"]}, id="alias that is an alias"),
        pytest.param("Mine", {"aliases": ["Fresh", "AP"]}, id="second alias that is a name"),
        pytest.param("Mine", {"aliases": ["map"]}, id="alias that is a spelling of trec_eval"),
        pytest.param("Mine", {"trec": [Trec("map")]}, id="trec_eval's spelling of another measure"),
        pytest.param("Mine", {"attribute": "AP"}, id="attribute of a measure"),
        pytest.param("evaluate", {}, id="name of a function of the package"),
        pytest.param("Mine", {"attribute": "Run"}, id="attribute of the package"),
        pytest.param("errors", {}, id="name of a module of the package"),
        pytest.param("Mine", {"attribute": "measures"}, id="attribute that is a module of the package"),
        pytest.param("my measure", {}, id="no Python name"),
        pytest.param("my measure", {"attribute": "Mine"}, id="a blank in the name"),
        pytest.param("Mine@10", {"attribute": "Mine"}, id="a cutoff in the name"),
        pytest.param("Mine(rel=2)", {"attribute": "Mine"}, id="a parameter in the name"),
    ],
)
def test_names_that_would_mean_two_things_are_refused(name: str, facts: dict[str, object]) -> None:
    before, names = dict(registry), dict(aliases)
    with pytest.raises(MeasureError):
        declare(name, **facts)
    assert (dict(registry), dict(aliases)) == (before, names), "a refused declaration leaves nothing behind"


def test_a_clash_says_with_whom() -> None:
    with pytest.raises(MeasureError, match=r"^AP is already declared in cranfield\.measures\.average_precision$"):
        declare("AP")
    with pytest.raises(MeasureError, match=r"^Mine: the alias 'NDCG' belongs to nDCG$"):
        declare("Mine", aliases=["NDCG"])
    with pytest.raises(MeasureError, match=r"^'my measure' is not a Python name: declare attribute=\.\.\. too$"):
        declare("my measure")


def test_a_parameter_needs_a_meaning() -> None:
    with pytest.raises(TypeError, match=r"mine: parameter depth needs Annotated\[type, Meaning\(\.\.\.\)\]"):

        @measure("Mine", reference="Me 2026")
        def mine(rankings: Rankings, *, depth: int = 3) -> np.ndarray:
            """Nothing."""
            return np.zeros(len(rankings.length))


def test_values_of_the_wrong_shape_are_not_passed_on() -> None:
    @measure("Mine", reference="Me 2026")
    def mine(rankings: Rankings) -> np.ndarray:
        """Nothing."""
        return np.zeros(99)

    with pytest.raises(MeasureError, match=r"^Mine gave values of shape \(99,\), expected one a list"):
        values(mine, cranfield.evaluation.make_rankings({"1": {"a": 1.0}}, {"1": {"a": 1.0}}))
