"""Laws of every declared analysis: what is declared once is what Python, the shell and the help say."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import click
import pytest

from cli.command import cranfield
from cranfield.cli import app
from cranfield.cli._analysis import make_command
from cranfield.cli._declared_stub import declared_texts
from cranfield.cli._option_names import name_options
from cranfield.cli._registry import DECLARED
from cranfield.collection import InputOptions
from cranfield.declarations.analysis import (
    ByHand,
    FromJudges,
    FromRuns,
    FromScores,
    FromSources,
    FromVerdicts,
    ListedAnalysis,
    View,
    analysis,
    find_declaration,
)
from cranfield.declarations.checks import GIVEN, UNSET
from cranfield.declarations.option import OPTION_NAME, Option, OptionFacts, name_in_shell
from cranfield.errors import UsageError
from cranfield.holes import estimate_differences, estimate_holes, gate_estimates, select_judgments
from cranfield.holes.leaderboard import estimate_scores
from cranfield.holes.options import ModelOptions
from cranfield.results.columns import Column
from cranfield.results.result import Result

if TYPE_CHECKING:
    import pandas as pd

COMMANDS = list(DECLARED)
FUNCTIONS = {
    f"{command} {function.function}" if listed.others else command: (command, function)
    for command, listed in DECLARED.items()
    for function in listed.functions
}
"""Each function, by its command and, where this has several, its own name."""
NUMBER = 7
"""A value that any required option takes."""


def wrong_values(option: OptionFacts) -> list[Any]:
    """Values that an option does not take."""
    declared = option.option
    wrong: list[Any] = ["no such word"] if option.kind == "choice" else []
    if option.kind in ("integer", "number"):
        step = 1 if option.kind == "integer" else 0.5
        wrong += [declared.low - step] if declared.low is not None else []
        wrong += [declared.low] if declared.low is not None and declared.open else []
        wrong += [declared.high + step] if declared.high is not None else []
    kind = int if option.kind == "integer" else float if option.kind == "number" else str
    return [kind(value) for value in wrong]


CASES = [
    pytest.param(called, name, value, id=f"{called}-{name}-{value}")
    for called, (_, listed) in FUNCTIONS.items()
    for name, option in listed.options.items()
    for value in wrong_values(option)
]


def refused(called: str, **options: Any) -> UsageError:
    """The refusal of a call of the function, which comes before it looks at anything."""
    _, listed = FUNCTIONS[called]
    function = getattr(import_module(listed.module), listed.function)
    needed = [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is inspect.Parameter.empty and name not in options
    ]
    with pytest.raises(UsageError) as caught:
        function(**dict.fromkeys(needed), **options)
    return caught.value


def in_the_shell(called: str, arguments: list[str]) -> tuple[int, str]:
    """Status and message of a call with files that are not there."""
    command, listed = FUNCTIONS[called]
    needed = [option.flags[0] for option in listed.options.values() if option.required and option.option.shell]
    lacking = [f"{flag}={NUMBER}" for flag in needed if not any(given.startswith(flag) for given in arguments)]
    ended = cranfield(*command.split(), *_choose(command, listed, arguments), *arguments, *lacking)
    return ended.status, ended.err.strip()


def _choose(command: str, listed: ListedAnalysis, arguments: list[str]) -> list[str]:
    """Inputs that are not there, and the table by which a function of several is chosen."""
    taken = [parameter for parameter in app.commands[command].params if isinstance(parameter, click.Argument)]
    several = any(parameter.nargs == -1 for parameter in taken)
    inputs = ["no-qrels", "no-run", "other-run"][: 3 if several else len(taken)]
    inputs += [
        word
        for parameter in app.commands[command].params
        if isinstance(parameter, click.Option) and parameter.required and parameter.name not in listed.options
        for word in ([f"{parameter.opts[0]}=made"] if parameter.nargs == 1 else [parameter.opts[0], "made", "too"])
    ]
    if isinstance(listed.facts.inputs, FromSources):
        inputs = ["--scores=no-scores", "--scores=other-scores"]
    if isinstance(listed.facts.inputs, FromJudges) and listed.facts.inputs.runs:
        inputs += ["--run=no-run"]
    if isinstance(listed.facts.inputs, FromVerdicts) and listed.facts.inputs.scores:
        inputs = ["--scores=no-scores", *(inputs if listed.facts.inputs.scores == "compared" else [])]
    given = [name.partition("=") for name in listed.facts.given]
    inputs += [f"--{name}={value}" for name, _, value in given if value]
    inputs += [f"--{name.replace('_', '-')}" for name, _, _ in given if listed.facts.switch]
    inputs += ["--topic-groups=groups.txt"] if "topic_groups" in listed.facts.given else []
    views = [view for view in listed.facts.views if not view.flags] or list(listed.facts.views)
    options = [
        name for name, option in listed.options.items() if any(one.startswith(option.flags[0]) for one in arguments)
    ]
    taking = next((view for view in views if not {*view.unused} & {*options}), None)
    is_own = isinstance(listed.facts.inputs, (FromJudges, FromSources))
    is_chosen = (bool(given) and not is_own) or any(argument.startswith("--show") for argument in arguments)
    is_first = bool(listed.facts.line) and taking is next(iter(views), None)
    return inputs if is_chosen or is_first or taking is None else [*inputs, *_choice(listed, taking)]


def _choice(listed: ListedAnalysis, view: View) -> list[str]:
    """How a call chooses a table."""
    if view.given:
        return _arguments(listed.options[view.given], _example(listed.options[view.given], GIVEN))
    if view.flags:
        return [view.flags[0]]
    others = [other for other in listed.facts.views if other is not view]
    return [] if others and all(other.flags for other in others) else ["--show", view.name]


OF_THE_SHELL = {"across_groups": ["--topic-groups=groups.txt", "--across-groups=holm"]}
"""What rules of the shell alone are about -> how a call has it."""


@pytest.mark.parametrize(("called", "name", "value"), CASES)
def test_values_are_refused_alike_in_python_and_in_the_shell(called: str, name: str, value: Any) -> None:
    command, listed = FUNCTIONS[called]
    option = listed.options[name]
    error = refused(called, **{name: [value] if option.several else value})
    if not option.option.shell:
        return
    status, message = in_the_shell(called, [f"{option.flags[0]}={value}"])
    assert status == 2
    named = name_options(error.args[0], app.commands[command])
    assert message == f"cranfield: error: {named.replace(f'{name}={value!r}', f'{option.flags[0]} {value}')}"


@pytest.mark.parametrize("called", FUNCTIONS)
def test_rules_are_refused_alike_in_python_and_in_the_shell(called: str) -> None:
    command, listed = FUNCTIONS[called]
    for rule in listed.load().facts.rules:
        own = {name: wanted for name, wanted in rule.where.items() if name in listed.options}
        options = {name: _example(listed.options[name], wanted) for name, wanted in own.items() if wanted != UNSET}
        if not all(listed.options[name].option.shell for name in options):
            assert refused(called, **options)
            continue
        arguments = [part for name, value in options.items() for part in _arguments(listed.options[name], value)]
        for name in rule.where.keys() - own.keys():
            views = {view.name: _choice(listed, view) for view in listed.facts.views}
            table = rule.where[name] if isinstance(rule.where[name], str) else rule.where[name][0]
            arguments += views[table] if name == "table" else OF_THE_SHELL[name]
        error = rule.refuse() if rule.where.keys() - own.keys() else refused(called, **options)
        status, message = in_the_shell(called, arguments)
        said = name_options(error.args[0], app.commands[command])
        assert (status, message) == (2, f"cranfield: error: {said}")


@pytest.mark.parametrize("called", FUNCTIONS)
def test_options_of_other_tables_are_refused_by_name(called: str) -> None:
    _, listed = FUNCTIONS[called]
    needed = [part for option in listed.options.values() if option.required for part in _arguments(option, 7)]
    for view in listed.facts.views:
        choice = _choice(listed, view)
        for name in view.unused:
            option = {**listed.options, **listed.printing}[name]
            wrong = _arguments(option, _example(option, GIVEN))
            status, message = in_the_shell(called, [*needed, *choice, *wrong])
            assert status == 2
            assert f"{option.flags[0]} changes nothing with{'' if choice else 'out'} " in message


def _example(option: OptionFacts, wanted: Any) -> Any:
    """A value with which a rule holds."""
    if isinstance(wanted, (tuple, frozenset)):
        return next(iter(wanted))
    if wanted != GIVEN:
        return wanted
    choices = [choice for choice in option.choices if choice != option.default]
    by_kind = {"flag": True, "integer": int(option.option.low or 0) + 7, "number": 0.37, "text": "word"}
    value = choices[0] if choices else by_kind[option.kind]
    return [value] if option.several else value


def _arguments(option: OptionFacts, value: Any) -> list[str]:
    if value is False or value is None:
        return []
    if option.kind == "flag":
        return [option.flags[0]]
    return [f"{option.flags[0]}={one}" for one in (value if isinstance(value, list) else [value])]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_every_option_and_every_column(command: str) -> None:
    listed = DECLARED[command]
    ended = cranfield("help", *command.split(), "--all")
    assert (ended.status, ended.err) == (0, "")
    for option in listed.every_option.values():
        assert not option.option.shell or all(flag in ended.out for flag in option.flags), option.name
    for view in listed.views:
        assert all(flag in ended.out for flag in view.flags), view.name


@pytest.mark.parametrize("called", FUNCTIONS)
def test_sentences_name_options_that_there_are(called: str) -> None:
    _, listed = FUNCTIONS[called]
    flags = name_in_shell({name: option.flags[0] for name, option in listed.options.items()})
    sentences = [option.option.meaning for option in listed.options.values()]
    sentences += [rule.why for rule in listed.load().facts.rules]
    for sentence in sentences:
        for name, _ in OPTION_NAME.findall(sentence):
            assert name in listed.options, (name, sentence)
    assert flags("no_such_option", "1") == "no_such_option=1"


@pytest.mark.parametrize("called", FUNCTIONS)
def test_the_docstring_describes_every_parameter(called: str) -> None:
    _, listed = FUNCTIONS[called]
    function = getattr(import_module(listed.module), listed.function)
    doc = inspect.getdoc(function) or ""
    args = doc.partition("Args:\n")[2]
    words = {field.name for field in dataclasses.fields(InputOptions)}  # which ``reading`` describes
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD or (name in words and name not in listed.options):
            continue
        assert f"    {name}" in args or f", {name}" in args, name


@pytest.mark.parametrize("called", FUNCTIONS)
def test_views_are_tables_with_described_columns(called: str) -> None:
    _, listed = FUNCTIONS[called]
    result = listed.load().result
    if isinstance(listed.facts.inputs, ByHand):
        assert listed.facts.views == ()
        return
    assert dataclasses.is_dataclass(result), "the function is annotated with the class of its result"
    for table in result.table_columns:
        assert len({column.name for column in result.table_columns[table]}) == len(result.table_columns[table])
    if isinstance(listed.facts.inputs, FromRuns):
        assert listed.facts.inputs.measures in ("several", "one", "none")


def test_the_list_is_made_from_the_declarations() -> None:
    for path, text in declared_texts().items():
        assert path.read_text(encoding="utf-8") == text, "make stub"


DepthOption = Annotated[int, Option("Some number.", low=1)]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
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


def test_options_of_a_group_are_parameters_of_every_function_that_passes_them_on() -> None:
    group = list(ModelOptions.__annotations__)
    functions: dict[str, Callable[..., Any]] = {"estimate_holes": estimate_holes, "estimate_scores": estimate_scores}
    functions |= {"estimate_differences": estimate_differences, "gate_estimates": gate_estimates}
    functions |= {"select_judgments": select_judgments}
    for name, function in functions.items():
        assert list(inspect.signature(function).parameters)[-len(group) :] == group
        with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'team'"):
            function({}, {}, team="file")
