"""Commands of declared analyses: made from the declaration, without importing the analysis until it is called.

A command computes a ``Result`` and then presents it. With ``--topic-groups`` it computes one for each group of topics,
corrects them together where that is requested, and presents them below each other.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield._message import setting
from cranfield._text import counted, in_full
from cranfield.cli._command import LEFT_OUT, CommandOfRuns
from cranfield.cli._completion import complete_measures
from cranfield.cli._computation import CallWork
from cranfield.cli._declared_options import (
    check_page,
    list_choices,
    make_option,
    read_value,
    refuse_correction,
    refuse_format,
    refuse_limit,
    take_each,
    take_paging,
    take_printing,
    view_options,
    view_parameter,
)
from cranfield.cli._effects import check_systems, refuse_without_effect
from cranfield.cli._errors import print_to_stderr
from cranfield.cli._help import FoldedHelp
from cranfield.cli._joined_sheets import join_groups
from cranfield.cli._options import (
    OPEN_TIES,
    across_option,
    also_option,
    dask_option,
    format_option,
    groups_option,
    limit_option,
    measure_option,
    output_option,
)
from cranfield.cli._output import (
    emit,
    list_named_files,
    print_warning,
    warnings_to_stderr,
)
from cranfield.cli._presentation import Presentation
from cranfield.cli._runs_input import READING
from cranfield.cli._topic_groups import (
    CORRECTED,
    UNTESTED,
    WITHIN,
    compute_by_group,
    make_refused_option,
    refuse_topic_groups,
    sign_groups,
)
from cranfield.collection.policy import POLICIES
from cranfield.declarations.analysis import (
    Analysis,
    ByHand,
    FromFiles,
    FromJudges,
    FromJudgments,
    FromRoles,
    FromRuns,
    FromScores,
    FromSources,
    FromVerdicts,
    Groups,
    Inputs,
    ListedAnalysis,
    View,
    find_named,
)
from cranfield.declarations.checks import are_all
from cranfield.declarations.option import name_options
from cranfield.errors import UsageError
from cranfield.memory import analysing

if TYPE_CHECKING:
    from cranfield.results.result import Result


OWN_INPUTS: dict[type[Any], str] = {
    FromRoles: "cranfield.cli._roles_input",
    FromJudges: "cranfield.cli._judges_input",
    FromJudgments: "cranfield.cli._judgments_input",
    FromSources: "cranfield.cli._sources_input",
    FromVerdicts: "cranfield.cli._verdicts_input",
}
"""Kind of input -> the module that has its options and reads it: ``list_options(inputs)`` are the options of a command,
and ``take_input(inputs, arguments, table)`` what they name, with ``call(function, options)``, ``list_topics()`` and,
for a group of topics, ``within(topics)``."""


USAGE = 2
"""The exit status of wrong usage; 1 and 2 are said of every command."""
FURTHER = ("exclude", "intents")
SIGNED = ("json", "latex", "markdown", "parquet")
"""Formats that carry a signature."""


def make_command(declared: ListedAnalysis) -> click.Command:
    """Make the command of an analysis."""
    facts = declared.facts

    def run(**arguments: Any) -> None:
        with analysing(facts.command):
            _run(declared, arguments)

    command: Callable[..., Any] = run
    decorators: list[Callable[[Callable[..., Any]], Callable[..., Any]]] = []
    if facts.statement:
        from cranfield.cli._statement import clear_outputs, statement_option

        decorators += [clear_outputs]
    decorators += _input_options(facts.inputs, declared.every_option)
    decorators += _group_options(declared)
    decorators += [make_option(option, declared) for option in declared.every_option.values() if option.option.shell]
    shaping = (*declared.every_printing.values(), *declared.paging.values())
    decorators += [make_option(option, declared) for option in shaping]
    decorators += view_options(declared.views)
    decorators += [
        click.option(f"--{name.replace('_', '-')}", name, is_flag=True, help=text)
        for name, text in declared.switches.items()
    ]
    decorators += [limit_option] if any(view.pairs for view in declared.views) else []
    decorators += [format_option(*declared.formats)]
    decorators += [functools.partial(output_option, folder="parquet" in declared.formats)]
    if facts.statement:
        decorators += [also_option(declared.formats), statement_option(facts.statement)]
    for decorate in reversed(decorators):
        command = decorate(command)
    name = facts.command.rpartition(" ")[2]
    words: dict[str, Any] = {"help": declared.doc, "short_help": facts.line}
    own_ends = {status: meaning for status, meaning in declared.statuses.items() if status > USAGE}
    words["epilog"] = ", ".join(f"{status} {meaning}" for status, meaning in own_ends.items()) or None
    every_input = [parameter for one in declared.functions for parameter in _list_inputs(one.facts.inputs)]
    forgiving = isinstance(facts.inputs, FromRuns) and facts.inputs.forgiving
    reads_runs = forgiving or any(parameter.name == "names" for parameter in every_input)
    if reads_runs:
        needs_all = isinstance(facts.inputs, FromRoles) or (
            isinstance(facts.inputs, FromRuns) and facts.inputs.needs_all
        )
        # A protocol describes tests of pairs, or with a baseline.
        tested = facts.tests or {"test", "baseline"} <= declared.every_option.keys()
        words |= {"needs_all": needs_all, "tested": tested, "unset_by_protocol": _list_own(declared)}
        words |= {"loads_libraries": not facts.light, "forgiving": forgiving}
        words |= {"first_is_baseline": facts.first_is_baseline}
    made: click.Command = click.command(name, cls=CommandOfRuns if reads_runs else FoldedHelp, **words)(command)
    own = _list_inputs(declared.facts.inputs)
    known = {parameter.name for parameter in made.params}
    further = [parameter for other in declared.others for parameter in _list_inputs(other.facts.inputs)]
    further = list({parameter.name: parameter for parameter in further if parameter.name not in known}.values())
    made.params = [*made.params[: len(own)], *further, *made.params[len(own) :]]
    return made


def _list_own(declared: ListedAnalysis) -> tuple[str, ...]:
    """List the parameters that mean something else than in a protocol.

    Those are options of the analysis that are called as policies, measures that choose a table or a further function,
    and the level of relevance where nothing is read by it.
    """
    reading = [one.facts.inputs for one in declared.functions if isinstance(one.facts.inputs, FromRuns)]
    level = ("rel",) if reading and all(inputs.rel is None for inputs in reading) else ()
    measures = ("measures",) if reading and reading[0].measures == "none" else ()
    policies = [name for name in declared.every_option if name in POLICIES]
    return (*level, *measures, *policies, *(view.given for view in declared.views if view.given))


def _input_options(inputs: Inputs, own: Collection[str] = ()) -> list[Callable[..., Any]]:
    """The arguments and options that say what an analysis works on; ``own`` are those of the analysis itself."""
    from cranfield.cli._runs_input import (
        further_options,
        judges_options,
        read_files_options,
        reading_options,
        runs_arguments,
        runs_input,
    )

    assert not isinstance(inputs, ByHand), "made by hand"
    if isinstance(inputs, FromFiles):
        metavar = f"{inputs.metavar}..." if inputs.several else inputs.metavar
        return [click.argument("files", metavar=metavar, nargs=-1 if inputs.several else 1, required=True)]
    if type(inputs) in OWN_INPUTS:
        options: list[Callable[..., Any]] = import_module(OWN_INPUTS[type(inputs)]).list_options(inputs)
        return options
    assert isinstance(inputs, (FromScores, FromRuns)), "these are not among the inputs of their own"
    usual = ", ".join(inputs.default)
    if isinstance(inputs, FromScores):
        return _list_score_options(inputs, usual)
    measures = {
        "several": [measure_option(usual, meaning=inputs.of_measures)],
        "one": [
            click.option(
                "--measure",
                "-m",
                metavar="MEASURE",
                default=usual,
                show_default=True,
                shell_complete=complete_measures,
                help="The measure, such as nDCG@10 or AP(rel=2).",
            )
        ],
        "none": [],
    }[inputs.measures]
    refused = [ties for ties in OPEN_TIES if ties not in inputs.ties]
    policies = inputs.policies or POLICIES
    judged = inputs.judged or inputs.rel is not None  # --qrels is an option where judgments do not come first
    reading = functools.partial(
        reading_options, policies=policies, refused=refused, rel=inputs.rel, holes=inputs.holes, labels=judged
    )
    if not inputs.named:
        reading = functools.partial(read_files_options, policies=policies)
    if inputs.beside_scores:
        paths = click.argument("paths", metavar="QRELS RUN...", nargs=-1)
        return [paths, measure_option(usual, several=inputs.measures == "several"), reading]
    arguments = functools.partial(runs_arguments, judged=inputs.judged)
    further = [*([judges_options] if inputs.evidence else []), *further_options(inputs.further)]
    return [arguments, *measures, *further, reading, functools.partial(runs_input, own=own, holes=inputs.holes)]


def _list_score_options(inputs: FromScores, usual: str) -> list[Callable[..., Any]]:
    """List the arguments and options that say what scores an analysis works on; ``usual`` names its measures."""
    from cranfield.cli._preference import make_preference_option
    from cranfield.cli._runs_input import further_options, reading_options, runs_arguments, runs_input
    from cranfield.cli._scores_input import ZERO, scores_input

    if inputs.of_runs:
        reading = functools.partial(reading_options, refused=())
        return [runs_arguments, measure_option(usual), reading, *further_options(FURTHER), dask_option, runs_input]
    several = inputs.measures != "one"
    default = f"{usual}; of score files, what they hold" if several and usual else f"{usual}, or the score file's"
    default = default if usual else "as `evaluate`, without Judged@10; of score files, what they hold"
    scores = functools.partial(
        scores_input,
        default=default,
        several=several,
        ranges=inputs.ranges,
        missing=(*inputs.missing, ZERO) if inputs.zero else inputs.missing,
        holes=inputs.holes,
        advice=inputs.advice,
        directed=inputs.directed,
    )
    return [scores, *([make_preference_option(inputs.preferences)] if inputs.preferences else [])]


def _group_options(declared: ListedAnalysis) -> list[Callable[..., Any]]:
    if isinstance(declared.facts.inputs, FromFiles):
        return []
    having = [one.facts.groups for one in declared.functions if not one.facts.groups.refused]
    if not having:
        return [refuse_topic_groups(declared.facts.groups.refused)]
    lacked = make_refused_option("--across-groups", f"{WITHIN if having[0].tested else UNTESTED}; {CORRECTED}")
    return [groups_option, across_option if any(groups.across for groups in having) else lacked]


def _choose_view(views: Sequence[View], arguments: dict[str, Any]) -> View | None:
    """Choose the table that is requested, and take its options out of the arguments.

    Raises:
        UsageError: two tables are requested.
    """
    flagged = [
        view
        for view in views
        if view.flags
        and (arguments[view.given] not in (None, ()) if view.given else arguments.pop(view_parameter(view)))
    ]
    named = next((view for view in views if view.name == arguments.get("show")), None)
    arguments.pop("show", None)
    if len(flagged) > 1:
        raise UsageError(f"{flagged[0].choice} and {flagged[1].choice} are two tables: choose one")
    return flagged[0] if flagged else named or next((view for view in views if not view.flags), None)


def _choose_function(declared: ListedAnalysis, view: View | None) -> tuple[ListedAnalysis, View | None]:
    """Choose the function that a call is about, and its table.

    Raises:
        UsageError: an option is given that it does not take, or that changes nothing of this table.
    """
    context = click.get_current_context()
    given = {
        name
        for name, value in context.params.items()
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT and value not in (None, False, ())
    }
    given |= {f"{name}={context.params[name]}" for name in given}
    called, view = declared.choose(view, given)
    taken = _list_parameters(called)
    for name in _list_parameters(*declared.functions) if declared.others else ():
        if name not in taken:
            about = [name, "keep_going"] if name == "names" else [name]  # both are about runs
            refuse_without_effect(context, about, _explain_refusal(name, declared, called, view))
    if view is None:
        return called, view
    for name in view.unused:
        others = [other for other in called.facts.views if name not in other.unused]
        wanted = list_choices(others, declared) if others else ""
        own = f"; it is for {wanted}" if others else ""
        plain = not view.flags and others and all(other.flags for other in others)  # no option chooses it
        refuse_without_effect(context, [name], f"without {wanted}" if plain else f"with {view.choice}{own}")
    return called, view


@functools.cache
def _list_inputs(inputs: Inputs) -> list[click.Parameter]:
    """List the parameters that say what a function works on."""

    def probe(**_: Any) -> None:
        """Collect parameters."""

    decorated: Any = probe
    for decorate in reversed(_input_options(inputs)):
        decorated = decorate(decorated)
    return list(reversed(getattr(decorated, "__click_params__", ())))


def _list_parameters(*functions: ListedAnalysis) -> list[str]:
    """List the names of the parameters that functions take: their inputs, their options, and what chooses them."""
    inputs = [parameter.name or "" for one in functions for parameter in _list_inputs(one.facts.inputs)]
    own = [name for one in functions for name in (*one.options, *one.printing, *one.switches)]
    return list(dict.fromkeys([*inputs, *own]))


def _explain_refusal(name: str, declared: ListedAnalysis, called: ListedAnalysis, view: View | None) -> str:
    """Explain why a function does not take an option, as the end of a sentence."""
    having = [one for one in declared.functions if name in _list_parameters(one)]
    beside = [one for one in having if one.makes(view)]
    if view is not None and not beside:
        tables = [table for one in having for table in one.facts.views]
        return f"with {view.choice}; it is for {list_choices(tables, declared)}"
    if called.facts.given:
        return f"with {' and '.join(map(setting, called.facts.given))}"
    return f"without {' or '.join(' and '.join(map(setting, one.facts.given)) for one in beside)}"


def _run(declared: ListedAnalysis, arguments: dict[str, Any]) -> None:
    """Compute the result of a call, and present it."""
    format_, output, limit = arguments.pop("format_"), arguments.pop("output"), arguments.pop("limit", None)
    groups, across = arguments.pop("topic_groups", None), arguments.pop("across_groups", "none")
    if groups is None and across != "none":
        raise UsageError("--across-groups is about groups of topics: name them with --topic-groups")
    called, view = _choose_function(declared, _choose_view(declared.views, arguments))
    refuse_limit(limit, declared, view)
    shape = take_printing(declared, called, arguments)
    refuse_format(declared, called, view, format_, output)
    further = arguments.pop("statement", None), arguments.pop("also", ())
    how = Presentation(called.facts, view, format_, output, limit, shape, *further)
    if view and how.is_text and format_ != "table":
        tables = list_choices([other for other in declared.views if not other.text or other.table], declared)
        raise UsageError(f"{view.choice} is {view.text}: -f is for {tables}")
    is_page = check_page(called.facts, output, format_)
    _refuse_groups(called.facts.groups, groups, across)
    source = _take_source(called.facts.inputs, arguments, view)
    analysis = called.load()
    if isinstance(called.facts.inputs, FromRuns) and not called.facts.inputs.judged:
        arguments["qrels"] = source.qrels or None
    chosen = {"table": "page" if is_page else view.name if view else None, "across_groups": across, "format": format_}
    with warnings_to_stderr():  # of files that options name
        options = _take_options(analysis, view, arguments, chosen, shape)
    paging = take_paging(declared, arguments, is_page=is_page)
    check_systems(analysis, source, options | chosen)
    if across != "none":
        refuse_correction(analysis, options)
    if analysis.may_sign:
        options["sign"] = format_ in SIGNED
    if groups is not None and called.facts.groups.passed:
        options, groups = options | take_groups(called, options, groups), None
    if called.facts.writes and format_ == "parquet":
        options, how = options | {called.facts.writes: output}, replace(how, output=None)
    work = CallWork(analysis, source, options, arguments, chosen)
    if is_page:
        with warnings_to_stderr():
            emit(_make_page(work.opened(), paging), output)
    elif groups is not None:
        _present_groups(work, groups, across, how)
    else:
        _present(work, how)


def _take_source(inputs: Inputs, arguments: dict[str, Any], view: View | None) -> Any:
    """Take what an analysis works on out of the arguments of a call."""
    if type(inputs) in OWN_INPUTS:
        return import_module(OWN_INPUTS[type(inputs)]).take_input(inputs, arguments, view.name if view else "")
    source = arguments.pop("runs", None) or arguments.pop("scores", None) or arguments.pop("files")
    if isinstance(inputs, FromScores) and inputs.of_runs:
        from cranfield.cli._scores_input import ScoresInput

        return ScoresInput(source, (), arguments["measures"], executor=arguments["executor"])
    return source


def _take_options(
    analysis: Analysis,
    view: View | None,
    arguments: Mapping[str, Any],
    chosen: Mapping[str, Any],
    shape: Mapping[str, Any],
) -> dict[str, Any]:
    """Take the options of an analysis out of the arguments of a call.

    Args:
        analysis: what is called.
        view: the table that is printed.
        arguments: of the call.
        chosen: the table, the format, and the correction over groups.
        shape: options by which the result is written.

    Raises:
        UsageError: an option is refused.
    """
    context = click.get_current_context()
    options = {
        # A protocol sets how files are read, not an option that is called like that.
        name: own.default
        if name in READING and context.get_parameter_source(name) is ParameterSource.DEFAULT_MAP
        else read_value(own, arguments[name])
        for name, own in analysis.options.items()
        if name in arguments
    }
    options |= view.sets if view else {}
    for one in take_each(analysis, options, chosen):
        analysis.check({**one, **chosen}, view)
    _refuse_idle(analysis, {**options, **shape, **chosen}, str(chosen["format"]))
    return options


def _present(work: CallWork, how: Presentation) -> None:
    """Compute the result of a call, and present it.

    Raises:
        SystemExit: parts failed, and are left out.
    """
    with warnings_to_stderr():
        results = work.opened().compute()
        failures = print_failures(results)
        printed = None if how.is_text or how.is_stored else how.lay_out(results)
        how.warn_of_caveats(results)
    if how.is_stored and how.output is not None:
        results[0].write_own(how.format_, how.output)
    elif printed is not None:
        how.print(printed)
        for other in how.others:
            other.print(other.lay_out(results))
    else:
        how.print_text(results[0])
    how.conclude({"": results[0]}, results[0].signature)
    if failures:
        raise SystemExit(LEFT_OUT)


def take_groups(called: ListedAnalysis, options: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Take groups of topics as an option of the function, which makes a table of them itself.

    Raises:
        InputError: they are refused.
        UsageError: it has groups already.
    """
    from cranfield.scores.topic_groups import TopicGroups

    name = called.facts.groups.passed
    if options[name] is not None:
        flag = called.options[name].flags[0]
        raise UsageError(f"{flag} and --topic-groups both define groups of topics: give one of them")
    return {name: TopicGroups.from_source(path)}


def print_failures(results: Sequence[Result]) -> bool:
    """Print what failed and was left out, and say whether anything did."""
    failures = [line for result in results for line in result.failures]
    for line in failures:
        print_to_stderr(f"cranfield: error: {line}")
    return bool(failures)


def _refuse_groups(facts: Groups, groups: str | None, across: str) -> None:
    """Raise UsageError for groups of topics, or a correction over them, that the function does not have."""
    if groups is not None and facts.refused:
        why = name_options(facts.refused, lambda name, _: setting(name))
        raise UsageError(f"--topic-groups: {why}")
    if across != "none" and not facts.across:
        raise UsageError("--across-groups corrects tests of pairs, and this table has none: leave it out")


def _refuse_idle(analysis: Analysis, values: Mapping[str, Any], format_: str) -> None:
    """Raise UsageError for an option that was typed, and changes nothing beside the others or in this format."""
    context = click.get_current_context()
    for idle in analysis.facts.idle:
        if are_all(idle.where, analysis.options, values):
            why = name_options(idle.why, lambda name, value: setting(name, *filter(None, [value or values.get(name)])))
            refuse_without_effect(context, idle.options, why)
    for name, option in {**analysis.options, **analysis.printing}.items():
        if option.option.below and format_ not in option.option.below:
            refuse_without_effect(context, [name], f"in {format_}: it is answered below a table, which needs one")


def _make_page(work: CallWork, paging: Mapping[str, Any]) -> str:
    """Make the page of a call."""
    write = find_named(work.analysis.facts.page)
    page: str = write(work.compute(), work.source, work.options, list_named_files(), **paging)
    return page


def _present_groups(work: CallWork, path: str, across: str, how: Presentation) -> None:
    """Compute the result of each group of topics, and present all of them.

    Raises:
        InputError: every group is refused.
        UsageError: tests are to be corrected together and there are none.
    """
    from cranfield.results.by_group import correct_across, options_across
    from cranfield.scores.topic_groups import TopicGroups

    groups, facts = TopicGroups.from_source(path), work.analysis.facts
    tested = facts.groups.tested and across == "none"
    with warnings_to_stderr():
        parts = work.split(groups, tested=tested)
    if across != "none":
        corrected = options_across(work.analysis.function, work.options, len(parts))
        parts = {
            name: (size, replace(part, options={**part.options, **corrected})) for name, (size, part) in parts.items()
        }
    results, warned = compute_by_group({name: part.compute for name, (_, part) in parts.items()})
    if across != "none":
        together = correct_across({name: parts[0] for name, parts in results.items()})
        results = {name: [result] for name, result in together.items()}
    for line in warned:
        print_warning(line)
    grouped = [name for name in parts if name in groups.names]
    apart = f", not corrected for {counted(len(grouped), 'group')}" if tested and len(grouped) > 1 else ""
    heads = {
        name: f"{in_full(name)}: {counted(parts[name][0], 'topic')}{apart if name in grouped else ''}"
        for name in results
    }
    for one in (how, *how.others):
        printed = {name: one.lay_out(result, of_group=True) for name, result in results.items()}
        emit(join_groups(groups, printed, heads, one.format_, one.output), one.output)
    first = {name: of_group[0] for name, of_group in results.items()}
    how.conclude(first, sign_groups(groups, {name: result.signature for name, result in first.items()}))
