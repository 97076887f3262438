"""A command of several functions: the table and the options of a call say which of them is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import pytest

from cli.command import cranfield
from cranfield.cli import app
from cranfield.cli._analysis import make_command
from cranfield.declarations.analysis import FromScores, ListedAnalysis, View, analysis, find_declaration
from cranfield.declarations.option import Option
from cranfield.results.columns import Column
from cranfield.results.result import Result

if TYPE_CHECKING:
    import pandas as pd

DepthOption = Annotated[int, Option("Some number.", low=1)]


@dataclass(frozen=True, eq=False, repr=False)
class Called(Result):
    """Which function was called, and how."""

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {"table": (Column("function"),)}
    table: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]


def make_result(function: str, **settings: Any) -> Called:
    import pandas as pd

    return Called(pd.DataFrame([{"function": function, **settings}]), settings, {"cranfield": "0"})


@analysis(
    "several", "Print which function is called.", FromScores(), views=(View("curve", table="table"), View("needed"))
)
def main_function(scores: Any, *, depth: DepthOption = 1) -> Called:
    """Say that the main function was called."""
    return make_result("main", depth=depth)


@analysis("several", "", FromScores(), given=("clusters",), views=(View("curve", table="table"),))
def of_clusters(
    scores: Any, *, clusters: Annotated[int | None, Option("Clusters.", low=1)] = None, depth: DepthOption = 5
) -> Called:
    """Say that clusters were given."""
    return make_result("clusters", clusters=clusters, depth=depth)


@analysis("several", "", FromScores(), views=(View("other", table="table"),))
def of_another_table(scores: Any, *, width: Annotated[float, Option("A width.", low=0)] = 0.5) -> Called:
    """Say that another table was chosen."""
    return make_result("other", width=width)


@pytest.fixture
def scores(tmp_path: Any) -> Iterator[str]:
    """Scores, while the command is one of the program's."""
    path = tmp_path / "scores.csv"
    path.write_text("topic,a,b\n1,.1,.2\n2,.3,.4\n")
    listed = []
    for function in (main_function, of_clusters, of_another_table):
        declaration = find_declaration(function)
        assert declaration is not None
        listed.append(
            ListedAnalysis(__name__, function.__name__, declaration.facts, declaration.options, function.__doc__ or "")
        )
    main, *others = listed
    app.commands["several"] = make_command(
        ListedAnalysis(main.module, main.function, main.facts, main.options, main.doc, tuple(others))
    )
    try:
        yield str(path)
    finally:
        del app.commands["several"]


@pytest.mark.parametrize(
    ("arguments", "row"),
    [
        ([], "main,1"),
        (["--depth", "3"], "main,3"),
        (["--clusters", "2"], "clusters,2,5"),
        (["--show", "other"], "other,0.5"),
    ],
)
def test_table_and_options_choose_the_function(scores: str, arguments: list[str], row: str) -> None:
    ended = cranfield("several", "--scores", scores, "-f", "csv", *arguments)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.splitlines()[1:] == [row]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--width", "1"], "--width changes nothing with --show curve; it is for --show other: leave it out"),
        (
            ["--show", "needed", "--clusters", "2"],
            "--clusters changes nothing with --show needed; it is for --show curve: leave it out",
        ),
        (
            ["--show", "other", "--depth", "2"],
            "--depth changes nothing with --show other; it is for --show curve and needed: leave it out",
        ),
    ],
)
def test_options_of_other_functions_are_refused_by_name(scores: str, arguments: list[str], message: str) -> None:
    ended = cranfield("several", "--scores", scores, *arguments)
    assert (ended.status, ended.err.strip()) == (2, f"cranfield: error: {message}")


def test_help_has_the_options_and_tables_of_all_functions_and_their_defaults(scores: str) -> None:
    text = " ".join(cranfield("several", "--help").out.split())
    assert "[curve|needed|other]" in text
    assert "--depth N Some number. [default: 1; 5 with --show curve]" in text
    assert all(flag in text for flag in ("--clusters", "--width"))
