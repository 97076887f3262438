"""Commands of declared analyses: made from the declaration, without importing the analysis until it is called.

A command computes a ``Result`` and then presents it. With ``--topic-groups`` it computes one for each group of topics,
corrects them together where that is requested, and presents them below each other.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield._message import setting
from cranfield._text import counted, every_one, in_full, shown
from cranfield.cli._command import command_of_runs
from cranfield.cli._completion import complete_measures
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._option_names import VIEW
from cranfield.cli._options import (
    across_option,
    format_option,
    groups_option,
    limit_option,
    measure_option,
    output_option,
)
from cranfield.cli._output import (
    check_output_path,
    emit,
    gather_warnings,
    print_warning,
    show_progress,
    show_progress_of_pairs,
    warnings_to_stderr,
)
from cranfield.cli._topic_groups import (
    CORRECTED,
    SECTIONS,
    UNTESTED,
    WITHIN,
    join_sheets,
    make_refused_option,
    merge_warnings,
    refuse_topic_groups,
)
from cranfield.collection.policy import POLICIES
from cranfield.declarations.analysis import Analysis, Facts, FromRuns, FromScores, ListedAnalysis, View
from cranfield.declarations.checks import check_options
from cranfield.declarations.option import OptionFacts, name_in_shell, name_options
from cranfield.errors import InputError, UsageError
from cranfield.io.system_names import expanded
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.results.result import Result
    from cranfield.scores.topic_groups import TopicGroups


def make_command(declared: ListedAnalysis) -> click.Command:
    """Make the command of an analysis."""
    facts = declared.facts

    def run(**arguments: Any) -> None:
        _run(declared, arguments)

    command: Callable[..., Any] = run
    decorators: list[Callable[[Callable[..., Any]], Callable[..., Any]]] = []
    decorators += _input_options(facts)
    decorators += _group_options(facts)
    decorators += [_make_option(option, declared) for option in declared.every_option.values() if option.option.shell]
    decorators += [_make_option(option, declared) for option in declared.printing.values()]
    decorators += _view_options(declared.views)
    decorators += [limit_option] if any(view.pairs for view in declared.views) else []
    decorators += [format_option(*facts.formats), output_option]
    for decorate in reversed(decorators):
        command = decorate(command)
    name = facts.command.rpartition(" ")[2]
    made: click.Command = command_of_runs(name, help=declared.doc, short_help=facts.line, loads_libraries=True)(command)
    own = _list_inputs(declared)
    known = {parameter.name for parameter in made.params}
    further = [parameter for other in declared.others for parameter in _list_inputs(other)]
    further = list({parameter.name: parameter for parameter in further if parameter.name not in known}.values())
    made.params = [*made.params[: len(own)], *further, *made.params[len(own) :]]
    return made


def _input_options(facts: Facts) -> list[Callable[..., Any]]:
    """The arguments and options that say what an analysis works on."""
    from cranfield.cli._runs_input import judges_options, reading_options, runs_arguments, runs_input
    from cranfield.cli._scores_input import MISSING_SCORES, ZERO, scores_input

    inputs = facts.inputs
    usual = ", ".join(inputs.default)
    if isinstance(inputs, FromScores):
        several = inputs.measures != "one"
        default = f"{usual}; of score files, what they hold" if several and usual else f"{usual}, or the score file's"
        default = default if usual else "as `evaluate`, without Judged@10; of score files, what they hold"
        missing = (*MISSING_SCORES, ZERO) if inputs.zero else MISSING_SCORES
        return [lambda command: scores_input(command, default, several=several, ranges=inputs.ranges, missing=missing)]
    measures = {
        "several": [measure_option(usual)],
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
    reading = functools.partial(reading_options, policies=inputs.policies or POLICIES, rel=inputs.rel)
    return [runs_arguments, *measures, *([judges_options] if inputs.evidence else []), reading, runs_input]


def _group_options(facts: Facts) -> list[Callable[..., Any]]:
    groups = facts.groups
    if groups.refused:
        return [refuse_topic_groups(groups.refused)]
    lacked = make_refused_option("--across-groups", f"{WITHIN if groups.tested else UNTESTED}; {CORRECTED}")
    return [groups_option, across_option if groups.across else lacked]


class Choice(click.Choice[str]):
    """A choice that is refused in the words of the analysis itself."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word; Click has one sentence for this, and Python another."""
        if value not in self.choices and param is not None:
            flag = max(param.opts, key=len)
            raise UsageError(f"{flag} {shown(value)} is not one of {', '.join(self.choices)}")
        return str(value)


LONGEST = 30
"""Characters of choices that stand in the flags' column of the help; longer ones stand in the text."""


def _make_option(option: OptionFacts, declared: ListedAnalysis) -> Callable[..., Any]:
    """Make the option of a command."""
    flags = name_in_shell({name: other.flags[0] for name, other in declared.every_option.items()})
    text = name_options(option.option.meaning, flags)
    if option.kind == "flag":
        return click.option(*option.flags, option.name, is_flag=True, help=text)
    having = [one for one in declared.functions if option.name in one.options]
    parts = [text.removesuffix(".")]
    settings: dict[str, Any] = {"type": {"integer": int, "number": float}.get(option.kind, str)}
    if option.kind == "choice":
        alike = all(set(one.options[option.name].choices) == set(option.choices) for one in having)
        settings["type"] = Choice(option.choices) if alike else str
        settings |= {} if alike else {"metavar": f"[{'|'.join(option.choices)}]"}
        if len("|".join(option.choices)) > LONGEST:
            parts.append(f": {', '.join(option.choices[:-1])} or {option.choices[-1]}")
            settings["metavar"] = "NAME"
    if option.option.metavar:
        settings["metavar"] = option.option.metavar
    if option.several:
        settings["multiple"] = True
        parts.append("; repeat")
    parts.append(".")
    defaults = _defaults(option, declared)
    if len(defaults) > 1:
        parts.append(f"  [default: {'; '.join(defaults)}]")
    elif option.option.default:
        parts.append(f"  [default: {option.option.default}]")
    elif option.default is not None and option.default != ():
        settings |= {"default": option.default, "show_default": True}
    return click.option(*option.flags, option.name, required=option.required, help="".join(parts), **settings)


def _defaults(option: OptionFacts, declared: ListedAnalysis) -> list[str]:
    """The defaults of an option in the functions of a command: one, or each with its tables where they differ."""
    having = [one for one in declared.functions if option.name in one.options]
    if len({repr(one.options[option.name].default) for one in having}) < 2:
        return [str(option.default)]
    written = [f"{one.options[option.name].default} with {_list_choices(one.facts.views)}" for one in having]
    return [str(option.default), *written[1:]]


def _list_choices(views: Sequence[View]) -> str:
    """List the tables as a call chooses them: ``--show systems and movers``."""
    named = list(dict.fromkeys(view.name for view in views if not view.flags))
    flagged = dict.fromkeys(view.choice for view in views if view.flags)
    return every_one([*([f"--show {every_one(named)}"] if named else []), *flagged])


def _view_options(views: Sequence[View]) -> list[Callable[..., Any]]:
    """The options that choose one of the tables."""
    flagged = [
        click.option(*view.flags, _parameter(view), is_flag=True, help=view.meaning)
        for view in views
        if view.flags and not view.given
    ]
    named = [view for view in views if not view.flags]
    if len(named) < 2:
        return flagged
    meanings = " ".join(f"{view.name}: {view.meaning}" for view in named)
    choice = Choice([view.name for view in named])
    return [*flagged, click.option("--show", type=choice, default=named[0].name, show_default=True, help=meanings)]


def _parameter(view: View) -> str:
    return f"{VIEW}{view.name}"


def _choose_view(views: Sequence[View], arguments: dict[str, Any]) -> View | None:
    """Choose the table that is requested, and take its options out of the arguments.

    Raises:
        UsageError: two tables are requested.
    """
    flagged = [
        view
        for view in views
        if view.flags and (arguments[view.given] is not None if view.given else arguments.pop(_parameter(view)))
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
    called, view = declared.choose(view, given)
    for name in _list_parameters(*declared.functions) if declared.others else ():
        if name not in _list_parameters(called):
            refuse_without_effect(context, [name], _explain_refusal(name, declared, called, view))
    for name in view.unused if view else ():
        others = [other for other in called.facts.views if name not in other.unused]
        own = f"; it is for {_list_choices(others)}" if others else ""
        refuse_without_effect(context, [name], f"with {view.choice if view else ''}{own}")
    return called, view


def _list_inputs(declared: ListedAnalysis) -> list[click.Parameter]:
    """List the parameters that say what a function works on."""

    def probe(**_: Any) -> None:
        """Collect parameters."""

    decorated: Any = probe
    for decorate in reversed(_input_options(declared.facts)):
        decorated = decorate(decorated)
    return list(reversed(getattr(decorated, "__click_params__", ())))


def _list_parameters(*functions: ListedAnalysis) -> list[str]:
    """List the names of the parameters that functions take: their inputs, and their options."""
    inputs = [parameter.name or "" for one in functions for parameter in _list_inputs(one)]
    return list(dict.fromkeys([*inputs, *(name for one in functions for name in one.options)]))


def _explain_refusal(name: str, declared: ListedAnalysis, called: ListedAnalysis, view: View | None) -> str:
    """Explain why a function does not take an option, as the end of a sentence."""
    having = [one for one in declared.functions if name in _list_parameters(one)]
    beside = [one for one in having if one.makes(view)]
    if view is not None and not beside:
        return f"with {view.choice}; it is for {_list_choices([table for one in having for table in one.facts.views])}"
    if called.facts.given:
        return f"with {' and '.join(map(setting, called.facts.given))}"
    return f"without {' and '.join(map(setting, beside[0].facts.given))}"


def _run(declared: ListedAnalysis, arguments: dict[str, Any]) -> None:
    """Compute the result of a call, and present it."""
    format_, output, limit = arguments.pop("format_"), arguments.pop("output"), arguments.pop("limit", None)
    groups, across = arguments.pop("topic_groups", None), arguments.pop("across_groups", "none")
    if groups is None and across != "none":
        raise UsageError("--across-groups is about groups of topics: name them with --topic-groups")
    called, view = _choose_function(declared, _choose_view(declared.views, arguments))
    if limit is not None and not (view and view.pairs):
        elsewhere = " or ".join(other.choice for other in declared.views if other.pairs)
        verb = "take" if elsewhere.startswith("--show") else "add"
        elsewhere = f"{verb} {elsewhere}, or " if elsewhere else ""
        usual = [other for other in declared.views if not other.flags]
        elsewhere = f"leave {view.choice} out, or " if view and len(usual) == 1 and usual[0].pairs else elsewhere
        raise UsageError(f"--limit is about pairs, and this table has none: {elsewhere}leave it out")
    check_output_path(output)
    source = arguments.pop("runs", None) or arguments.pop("scores")
    analysis = called.load()
    options = {name: value for name, value in arguments.items() if name in analysis.options}
    options = {name: _value(analysis.options[name], value) for name, value in options.items()}
    analysis.check(options)
    shape = {name: arguments.pop(name) for name in declared.printing}
    check_options(declared.printing, (), shape)
    if analysis.facts.check_systems is not None and (runs := getattr(source, "runs", source).paths):
        analysis.facts.check_systems(sum(len(expanded(run)) for run in runs), options)
    if across != "none":
        _refuse_correction(analysis, options)
    work = _Work(analysis, source, options, arguments)

    def present(results: Sequence[Result]) -> Sheet | str:
        name, pairs = (view.table or view.name, view.pairs) if view else (None, "")
        own = results[0].own_text(format_, name or "", plain=output is not None, **shape)
        if own is not None:
            return own
        sheets = [result.sheet(name, format_, limit, pairs=pairs) for result in results]
        each = isinstance(called.facts.inputs, FromScores) and called.facts.inputs.measures == "each"
        return _join_measures(results, sheets) if each else sheets[0]

    if groups is not None:
        _present_groups(work, groups, across, present, format_, output)
        return
    with warnings_to_stderr():
        printed = present(work.compute())
    emit(_write(printed, format_, output), output)


def _write(printed: Sheet | str, format_: str, output: str | None) -> str:
    """Write what is printed in a format."""
    return printed if isinstance(printed, str) else printed.text(format_, plain=output is not None)


def _refuse_correction(analysis: Analysis, options: Mapping[str, Any]) -> None:
    """Raise UsageError for a correction within each group, where tests are corrected over all groups."""
    declared, value = analysis.options.get("correction"), options.get("correction")
    if declared is not None and declared.is_set(value) and value != "holm":
        raise UsageError(f"--across-groups holm contradicts --correction {value}: leave one of them out")


def _join_measures(results: Sequence[Any], sheets: Sequence[Sheet]) -> Sheet:
    """Join the tables of several measures, the first column being the measure."""
    names = [result.measure for result in results]
    rows = [[name, *row] for name, sheet in zip(names, sheets, strict=True) for row in sheet.rows]
    first = sheets[0]
    signature = first.signature | {"measure": names}
    captions = [sheet.caption.splitlines() for sheet in sheets]
    shared = [line for line in captions[0] if all(line in lines for lines in captions)]
    own = [line for lines in captions for line in lines if line not in shared]
    return replace(
        first,
        columns=["measure", *first.columns],
        rows=rows,
        signature=signature,
        caption="\n".join([*own, *shared]),
        answer="\n".join(dict.fromkeys(sheet.answer for sheet in sheets)),
    )


def _value(option: OptionFacts, value: Any) -> Any:
    """The value of an option as the function takes it: none, or an empty list, is the default."""
    return option.default if value is None or (option.several and not value) else value


@dataclass(frozen=True)
class _Work:
    """What a call computes, for all topics or for a part.

    Args:
        analysis: what is called.
        source: ``ScoresInput`` or ``RunsInput``.
        options: of the analysis.
        arguments: the measures of runs.
    """

    analysis: Analysis
    source: Any
    options: Mapping[str, Any]
    arguments: Mapping[str, Any]

    def compute(self) -> list[Result]:
        """Compute the result; one for each measure, where each is analysed by itself."""
        inputs, function = self.analysis.facts.inputs, self.analysis.function
        if isinstance(inputs, FromRuns):
            return [self._analyse_runs(inputs)]
        if not inputs.ranges:
            from cranfield.cli._scores_input import refuse_ranges

            refuse_ranges(self.source.runs.reading)
        streamed = self.source.streamed_scores() if inputs.streamed else None
        if streamed is not None:
            return [self._call(function, scores) for scores in ([streamed] if inputs.measures == "all" else streamed)]
        if inputs.measures == "all":
            scores, named = self._read_all(inputs)
            return [replace(self, options={**self.options, **named})._call(function, scores)]
        if inputs.measures == "one":
            return [self._call(function, self.source.array(*inputs.default))]
        dataset = self.source.dataset(list(inputs.default))
        arrays = [dataset[name].assign_attrs(dataset.attrs | dataset[name].attrs) for name in dataset.data_vars]
        return [self._call(function, array) for array in arrays]

    def _read_all(self, inputs: FromScores) -> tuple[Any, dict[str, Any]]:
        """Read scores by all measures, further ones too; and what the function is told of these."""
        if not inputs.further or self.source.group_scores is not None:
            return self.source.dataset(list(inputs.default) or None), {}
        scores, compared, further = self.source.dataset_beside(self.options[inputs.further])
        return scores, {"measures": compared, inputs.further: further}

    def _call(self, function: Callable[..., Result], scores: Any) -> Result:
        facts, options = self.analysis.facts, dict(self.options)
        if self.source.missing_scores == "zero":
            options["missing_scores"] = "zero"
        if not self.source.files:
            for derived in facts.derived:
                options |= derived.compute(self.source.runs, options)
        if not facts.progress:
            return function(scores, **options)
        shown = (
            show_progress_of_pairs(scores.sizes["system"])
            if facts.steps is None
            else show_progress(facts.progress, facts.steps(options))
        )
        with shown as progress:
            return function(scores, **options, progress=progress)

    def _analyse_runs(self, inputs: FromRuns) -> Result:
        from cranfield.cli._scores_input import refuse_unread_rel

        runs, options = self.source, dict(self.options)
        measures = {"several": self.arguments.get("measures"), "one": self.arguments.get("measure"), "none": None}
        chosen = measures[inputs.measures] or inputs.default
        positional = [] if inputs.measures == "none" else [chosen]
        if positional:
            refuse_unread_rel([chosen] if isinstance(chosen, str) else chosen)
        steps = len(runs.paths) + (self.analysis.facts.steps(options) if self.analysis.facts.steps else 0)
        qrels, reading = runs.read_judges()
        with show_progress(inputs.progress, steps) as progress:
            shown = {"progress": progress} if self.analysis.reports_progress else {}
            result: Result = self.analysis.function(runs.paths, qrels, *positional, **options, reading=reading, **shown)
        return result

    def split(self, groups: TopicGroups, *, tested: bool) -> dict[str, tuple[int, _Work]]:
        """Split the work into groups of topics: name -> their number, and what is computed of them."""
        inputs = self.analysis.facts.inputs
        if isinstance(inputs, FromRuns):
            from cranfield.cli._scores_input import ScoresInput
            from cranfield.cli._topic_groups import list_topics

            parts = groups.members(
                list_topics({"scores": ScoresInput(self.source, (), ())}), "the judgments", tested=tested
            )
            return {name: (len(members), self._restricted(members)) for name, members in parts.items()}
        scored, named = (self.source.array(), {}) if inputs.measures == "one" else self._read_all(inputs)
        options = {**self.options, **named}
        return {
            name: (
                part.sizes["topic"],
                replace(
                    self, options=options, source=replace(self.source, group_scores=part, group=name, groups=groups)
                ),
            )
            for name, part in groups.split(scored, tested=tested).items()
        }

    def _restricted(self, topics: Any) -> _Work:
        return replace(self, source=self.source.restricted(topics))


def _present_groups(
    work: _Work,
    path: str,
    across: str,
    present: Callable[[Sequence[Result]], Sheet | str],
    format_: str,
    output: str | None,
) -> None:
    """Compute the result of each group of topics, and present all of them.

    A group that the analysis refuses, as one with too few topics, is left out with a warning; a warning that all groups
    share is printed once.

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
        options = {**work.options, **options_across(work.analysis.function, work.options, len(parts))}
        parts = {name: (size, replace(part, options=options)) for name, (size, part) in parts.items()}
    results: dict[str, list[Result]] = {}
    warned: dict[str, list[str]] = {}
    errors = []
    with show_progress("groups of topics", len(parts)) as progress:
        for number, (name, (_, part)) in enumerate(parts.items(), 1):
            with gather_warnings() as warned[name]:
                try:
                    results[name] = part.compute()
                except InputError as error:
                    warned[name].append(f"left out: {error}")
                    errors.append(error)
            if progress is not None:
                progress(number, len(parts))
    if not results:
        raise errors[0]
    if across != "none":
        corrected = correct_across({name: parts[0] for name, parts in results.items()})
        results = {name: [result] for name, result in corrected.items()}
    printed = {name: present(result) for name, result in results.items()}
    for line in merge_warnings(warned):
        print_warning(line)
    apart = f", not corrected for {counted(len(parts), 'group')}" if tested and len(parts) > 1 else ""
    heads = {name: f"{in_full(name)}: {counted(parts[name][0], 'topic')}{apart}" for name in printed}
    emit(_join(groups, printed, heads, format_, output), output)


def _join(
    groups: TopicGroups, printed: Mapping[str, Sheet | str], heads: Mapping[str, str], format_: str, output: str | None
) -> str:
    """Join the tables of groups: rows with their group, or a section for each.

    Raises:
        UsageError: the format has no room for groups.
    """
    sheets = {name: one for name, one in printed.items() if isinstance(one, Sheet)}
    if sheets and format_ != "table":
        return _write(join_sheets(groups, sheets), format_, output)
    if format_ not in SECTIONS:
        raise UsageError(f"--format {format_} has no room for groups of topics: use table or json")
    texts = {name: _write(one, format_, output) for name, one in printed.items()}
    return "\n".join(SECTIONS[format_].format(heads[name]) + text for name, text in texts.items())
