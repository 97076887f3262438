"""Commands of declared analyses: made from the declaration, without importing the analysis until it is called.

A command computes a ``Result`` and then presents it. With ``--topic-groups`` it computes one for each group of topics,
corrects them together where that is requested, and presents them below each other.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield._message import setting
from cranfield._text import counted, in_full
from cranfield.cli._command import CommandOfRuns
from cranfield.cli._completion import complete_measures
from cranfield.cli._declared_options import Choice, list_choices, make_option, read_value
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._help import FoldedHelp
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
    list_named_files,
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
from cranfield.declarations.analysis import (
    Analysis,
    ByHand,
    Facts,
    FromFiles,
    FromJudges,
    FromRuns,
    FromScores,
    ListedAnalysis,
    View,
    find_named,
)
from cranfield.declarations.checks import GIVEN
from cranfield.errors import InputError, UsageError
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.results.result import Result
    from cranfield.scores.topic_groups import TopicGroups


OWN_INPUTS: dict[type[Any], str] = {FromJudges: "cranfield.cli._judges_input"}
"""Kind of input -> the module that has its options and reads it: ``list_options(inputs)`` are the options of a command,
and ``take_input(inputs, arguments)`` what they name, with ``call(function, options)``, ``list_topics()`` and, for a
group of topics, ``within(topics)``."""


def make_command(declared: ListedAnalysis) -> click.Command:
    """Make the command of an analysis."""
    facts = declared.facts

    def run(**arguments: Any) -> None:
        _run(declared, arguments)

    command: Callable[..., Any] = run
    decorators: list[Callable[[Callable[..., Any]], Callable[..., Any]]] = []
    decorators += _input_options(facts)
    decorators += _group_options(facts)
    decorators += [make_option(option, declared) for option in declared.every_option.values() if option.option.shell]
    decorators += _view_options(declared.views)
    decorators += [limit_option] if any(view.pairs for view in declared.views) else []
    decorators += [format_option(*facts.formats), output_option]
    for decorate in reversed(decorators):
        command = decorate(command)
    name = facts.command.rpartition(" ")[2]
    reads_runs = any(parameter.name == "names" for one in declared.functions for parameter in _list_inputs(one))
    kind = CommandOfRuns if reads_runs else FoldedHelp
    made: click.Command = click.command(name, cls=kind, help=declared.doc, short_help=facts.line)(command)
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
    if isinstance(facts.inputs, FromFiles):
        return []
    if groups.refused:
        return [refuse_topic_groups(groups.refused)]
    lacked = make_refused_option("--across-groups", f"{WITHIN if groups.tested else UNTESTED}; {CORRECTED}")
    return [groups_option, across_option if groups.across else lacked]


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
        own = f"; it is for {list_choices(others)}" if others else ""
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
        return f"with {view.choice}; it is for {list_choices([table for one in having for table in one.facts.views])}"
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
    is_text = bool(view and view.text and (format_ == "table" or not view.table))
    if view and is_text and format_ != "table":
        tables = list_choices([other for other in declared.views if not other.text or other.table])
        raise UsageError(f"{view.choice} is {view.text}: -f is for {tables}")
    is_page = bool(declared.facts.page) and output is not None and output.lower().endswith((".html", ".htm"))
    if is_page:
        _refuse_table_options()
    check_output_path(output, page=is_page)
    inputs = called.facts.inputs
    if type(inputs) in OWN_INPUTS:
        source = import_module(OWN_INPUTS[type(inputs)]).take_input(inputs, arguments)
    else:
        source = arguments.pop("runs", None) or arguments.pop("scores", None) or arguments.pop("files")
    analysis = called.load()
    options = {name: value for name, value in arguments.items() if name in analysis.options}
    options = {name: read_value(analysis.options[name], value) for name, value in options.items()}
    for one in _take_each(analysis, options):
        analysis.check(one, view)
    if across != "none":
        _refuse_correction(analysis, options)
    work = _Work(analysis, source, options, arguments)
    if is_page:
        with warnings_to_stderr():
            emit(_make_page(work.opened()), output)
        return

    def present(results: Sequence[Result]) -> Sheet:
        name, pairs = (view.table or view.name, view.cut) if view else (None, "")
        sheets = [result.sheet(name, format_, limit, pairs=pairs) for result in results]
        each = isinstance(inputs, FromScores) and inputs.measures == "each"
        return _join_measures(results, sheets) if each else _join_values(called.facts.each, results, sheets)

    if groups is not None:
        _present_groups(work, groups, across, present, format_, output)
        return
    with warnings_to_stderr():
        results = work.opened().compute()
        sheet = None if is_text else present(results)
    if sheet is None:
        assert view is not None, "only a view is text"
        emit(results[0].text(view.name), output)
        for line in filter(None, results[0].caption(view.name).splitlines()):
            print_warning(line)  # the text has no room for it
        return
    emit(sheet.text(format_, plain=output is not None), output)


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


def _refuse_table_options() -> None:
    """Refuse the options of a printed table where a page is written, which shows all rows and no single table.

    Raises:
        UsageError: one is there.
    """
    context = click.get_current_context()
    for name, option in (("show", "--show"), ("limit", "--limit"), ("format_", "--format")):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(f"{option} is for a table, and -o FILE.html writes a page of all rows: leave one out")


def _make_page(work: _Work) -> str:
    """Make the page of a call."""
    page: str = find_named(work.analysis.facts.page)(work.compute(), work.source, work.options, list_named_files())
    return page


def _join_values(each: str, results: Sequence[Result], sheets: Sequence[Sheet]) -> Sheet:
    """Join the tables of several values of an option, which the first column names unless the tables do."""
    first = sheets[0]
    if len(sheets) == 1:
        return first
    named = each in first.columns
    values = [result.settings[each] for result in results]
    return replace(
        first,
        columns=first.columns if named else [each, *first.columns],
        rows=[
            row if named else [value, *row] for value, sheet in zip(values, sheets, strict=True) for row in sheet.rows
        ],
        caption="\n".join(dict.fromkeys(line for sheet in sheets for line in sheet.caption.splitlines())),
        signature={
            **{name: first.signature[name] for name in ("cranfield", "analysis")},
            each: {str(value): sheet.signature for value, sheet in zip(values, sheets, strict=True)},
        },
    )


def _take_each(analysis: Analysis, options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The options of each call: several, where an option has several values of which the function takes one."""
    each = analysis.facts.each
    values = options.get(each)
    if not isinstance(values, tuple):
        return [dict(options)]
    calls = [{**options, each: value} for value in dict.fromkeys(values)]
    for rule in analysis.facts.rules:
        refused = [call for call in calls if each in rule.where and rule.holds(analysis.options, call)]
        for call in refused if len(refused) < len(calls) else ():
            for name, wanted in rule.where.items():  # what is given for another value is left out with this one
                call[name] = analysis.options[name].default if wanted == GIVEN else call[name]
    return calls


@dataclass(frozen=True)
class _Work:
    """What a call computes, for all topics or for a part.

    Args:
        analysis: what is called.
        source: ``ScoresInput`` or ``RunsInput``, or what a module of ``OWN_INPUTS`` has taken.
        options: of the analysis.
        arguments: the measures of runs.
    """

    analysis: Analysis
    source: Any
    options: Mapping[str, Any]
    arguments: Mapping[str, Any]

    def opened(self) -> _Work:
        """The same work on files that are read already, where they are read once."""
        inputs = self.analysis.facts.inputs
        if not isinstance(inputs, FromFiles) or not inputs.read:
            return self
        options = {name: self.options[name] for name in inputs.reads}
        return replace(self, source=find_named(inputs.read)(self.source, **options))

    def compute(self) -> list[Result]:
        """Compute the result; one for each measure, or value of an option, where each is analysed by itself."""
        every = _take_each(self.analysis, self.options)
        return [result for options in every for result in replace(self, options=options)._compute()]

    def _compute(self) -> list[Result]:
        inputs, function = self.analysis.facts.inputs, self.analysis.function
        assert not isinstance(inputs, ByHand), "called by hand"
        if isinstance(inputs, FromFiles):
            return [self._call(function, self.source)]
        if isinstance(inputs, FromRuns):
            return [self._analyse_runs(inputs)]
        if isinstance(inputs, FromJudges):
            return [self.source.call(function, self.options)]
        if inputs.measures == "all":
            scores, named = self._read_all(inputs)
            return [replace(self, options={**self.options, **named})._call(function, scores)]
        if inputs.measures == "one":
            return [self._call(function, self.source.array(*inputs.default))]
        streamed = self.source.streamed_scores() if inputs.streamed else None
        if streamed is not None:
            return [self._call(function, scores) for scores in streamed]
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
        if getattr(self.source, "missing_scores", None) == "zero":
            options["missing_scores"] = "zero"
        if facts.derived and not self.source.files:
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
        assert not isinstance(inputs, (ByHand, FromFiles)), "these have no topics"
        if isinstance(inputs, FromRuns):
            from cranfield.cli._scores_input import ScoresInput
            from cranfield.cli._topic_groups import list_topics

            parts = groups.members(
                list_topics({"scores": ScoresInput(self.source, (), ())}), "the judgments", tested=tested
            )
            return {name: (len(members), self._restricted(members)) for name, members in parts.items()}
        if isinstance(inputs, FromJudges):
            parts = groups.members(self.source.list_topics(), "the judgments", tested=tested)
            return {
                name: (len(members), replace(self, source=self.source.within(members)))
                for name, members in parts.items()
            }
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
    work: _Work, path: str, across: str, present: Callable[[Sequence[Result]], Sheet], format_: str, output: str | None
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
    sheets = {name: present(result) for name, result in results.items()}
    for line in merge_warnings(warned):
        print_warning(line)
    apart = f", not corrected for {counted(len(parts), 'group')}" if tested and len(parts) > 1 else ""
    heads = {name: f"{in_full(name)}: {counted(parts[name][0], 'topic')}{apart}" for name in sheets}
    emit(_join(groups, sheets, heads, format_, plain=output is not None), output)


def _join(
    groups: TopicGroups, sheets: Mapping[str, Sheet], heads: Mapping[str, str], format_: str, *, plain: bool
) -> str:
    """Join the tables of groups: rows with their group, or a section for each."""
    if format_ != "table":
        return join_sheets(groups, sheets).text(format_, plain=plain)
    texts = {name: sheet.text(format_, plain=plain) for name, sheet in sheets.items()}
    return "\n".join(SECTIONS[format_].format(heads[name]) + text for name, text in texts.items())
