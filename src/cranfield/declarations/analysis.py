"""The declaration of an analysis, from which checks, documentation and command follow.

@analysis("audit stability", "Print error and tie rates by number of topics.", ScoresNeeded(each=True))
def estimate_stability(scores: ScoresLike, *, subsets: Annotated[int, Option(...)] = 200, ...) -> Stability:
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, ParamSpec, TypeVar, get_args

from cranfield._message import setting
from cranfield.declarations.checks import Idle, Rule, check_options
from cranfield.declarations.docstring import write_docstring
from cranfield.declarations.inputs import (
    ByHand,
    FromFiles,
    FromJudges,
    FromJudgments,
    FromRoles,
    FromRuns,
    FromScores,
    FromSources,
    FromVerdicts,
    Inputs,
    Role,
)
from cranfield.declarations.option import OptionFacts, find_option, read_option
from cranfield.errors import UsageError

__all__ = (
    "Analysis",
    "AnalysisFacts",
    "ByHand",
    "Derived",
    "FromFiles",
    "FromJudges",
    "FromJudgments",
    "FromRoles",
    "FromRuns",
    "FromScores",
    "FromSources",
    "FromVerdicts",
    "Groups",
    "Inputs",
    "ListedAnalysis",
    "Role",
    "View",
    "analysis",
    "find_declaration",
    "find_named",
    "with_options",
)
P = ParamSpec("P")
R = TypeVar("R")
ATTRIBUTE = "analysis"
"""The attribute by which the function of an analysis has its declaration."""


@dataclass(frozen=True, slots=True)
class View:
    """A table of the result that the command can print.

    Args:
        name: of the table; the first view is printed where none is chosen.
        meaning: a sentence on it, for the help.
        flags: of the option that chooses it; without flags, it is a choice of ``--show``.
        pairs: for a table with a row a pair, in which order these stand ("the largest differences first"): it is cut
            for people, and ``--limit`` says after how many rows.
        unused: options of the analysis that change nothing of this table, and are refused with it.
        rules: between options, where this table is printed: in Python a result has all of its tables.
        given: an option of the analysis, spelled by the flags, that chooses this table by being given.
        sets: options that this table needs, with their values.
        table: what the result calls the table, where that is not the name.
        text: what it is where it is not a table but text of its own, ``TREC text``: ``Result.text`` writes it, and
            other formats have the ``table``, where that is named.
        formats: formats of this table alone, beside those of all tables. ``parquet`` is written by the function
            itself, see ``writes``, or by ``Result.write_own``.
    """

    name: str
    meaning: str = ""
    flags: tuple[str, ...] = ()
    pairs: str = ""
    unused: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    given: str = ""
    table: str = ""
    sets: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    formats: tuple[str, ...] = ()

    @property
    def choice(self) -> str:
        """The option with which a command chooses the table: its longest flag, or ``--show`` and its name."""
        return max(self.flags, key=len) if self.flags else f"--show {self.name}"


@dataclass(frozen=True, slots=True)
class Groups:
    """The effect of ``--topic-groups`` on an analysis.

    Args:
        tested: whether differences are tested, so that groups multiply the number of tests.
        across: whether tests can be corrected over all groups.
        refused: why topics cannot be split, where they cannot.
        passed: the parameter that takes the groups, where the function itself has a table of them.
        options: options of each group that a call does not set, with their values.
        cut: options that hold scores, of which each group is given those of its topics.
        ungrouped: ``module:name`` of a function that takes the same options and analyses topics without a group, where
            these must not be passed over.
    """

    tested: bool = False
    across: bool = False
    refused: str = ""
    passed: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    cut: tuple[str, ...] = ()
    ungrouped: str = ""


@dataclass(frozen=True, slots=True)
class Derived:
    """An option that a command computes from judgments and runs where it is not given; score files need it given.

    Args:
        option: its name.
        where: option -> the value with which it is computed.
        source: ``module:name`` of what computes it, ``name(runs, qrels, reading)``, imported when it is needed.
        of_value: whether it is computed from its own value in the shell, where that is given; and from the options of
            these names: ``name(runs, qrels, value, reading=..., **options)``.
        of_lists: whether it is computed from the runs as they are scored, with their lists, by ``name(evaluation,
            options)``; not for a group of topics, nor for very many runs.
    """

    option: str
    where: Mapping[str, Any]
    source: str
    of_value: tuple[str, ...] | None = None
    of_lists: bool = False

    def compute(self, runs: Any, values: Mapping[str, Any]) -> dict[str, Any]:
        """Compute the option of a call; nothing where it is given, or not called for.

        Args:
            runs: the paths of runs, judgments, and how they are read.
            values: name -> value, of the options.
        """
        value = values.get(self.option)
        if self.of_value is not None and value is not None:
            named = {name: values[name] for name in self.of_value}
            return {self.option: self._load()(runs.paths, runs.qrels, value, reading=runs.reading.weighed, **named)}
        if self.of_value is not None or self.of_lists or value is not None:
            return {}
        if any(values.get(name) != wanted for name, wanted in self.where.items()):
            return {}
        return {self.option: self._load()(runs.paths, runs.qrels, runs.reading)}

    def _load(self) -> Any:
        return find_named(self.source)

    def compute_from_lists(self, evaluation: Any, values: Mapping[str, Any]) -> dict[str, Any]:
        """Compute the option from the scores of runs, and their lists.

        Args:
            evaluation: of the runs.
            values: name -> value, of the options.
        """
        return {self.option: self._load()(evaluation, values)}


def find_named(name: str) -> Any:
    """Find what a declaration names, ``module:name``, as importing it would take long."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


@dataclass(frozen=True, slots=True)
class AnalysisFacts:
    """The facts that the decorator ``@analysis`` states of a function.

    A command may have several functions. The one with a ``line`` is its main one. The table that is chosen says which
    is called: that of whose ``views`` it is; of several with this table, one whose ``given`` are all given goes first.

    Args:
        command: what the shell calls it, ``audit stability``.
        line: what the command does, in one line; empty for a further function of a command.
        inputs: what it works on.
        tests: whether it makes the tests that a protocol describes, and takes their options from it.
        given: options or inputs, such as ``topic_clusters`` or ``unjudged=estimate``, with which a function takes the
            place of the main one.
        switch: what the flag ``given[0]`` is for, where it does nothing but choose this function.
        views: the tables of its result that can be printed.
        rules: between options.
        idle: options that change nothing beside others.
        groups: what groups of topics do.
        examples: two calls of the command, without its name.
        words: words that people type for what the command computes, in small letters with ``_`` between them; where it
            is one of several things, followed by the options that choose it: ``rrf --method rrf``.
        guide: the text of the command's help, where the function's own first paragraph says too little.
        progress: what a progress bar calls the steps of the analysis, where it reports them.
        steps: their number, from the options.
        formats: further formats of its tables.
        derived: options that the command computes from runs.
        check_systems: refuses a number of systems with the options of a call, before any run is read.
        each: an option of which the command takes several values, where the function takes one: it is called for each,
            and the tables are joined.
        page: ``module:name`` of what writes an HTML page, where the output's name ends in .html:
            ``name(results, source, options, paths)``, with the files that the call names. Its annotated parameters are
            options of the command.
        writes: the parameter that takes the path of the output, where the function itself writes it, as Parquet.
        light: whether it does without pandas and SciPy, which need address space.
        statement: what the statement of ``--statement FILE`` is about, that ``Result.make_statement`` makes; what an
            earlier call wrote there, or to the output, is removed first, so that a call that fails leaves none behind.
        first_is_baseline: whether the first run is the baseline where none is named, and cannot be left out.
        about: another command, whose options are named where the text of the result names settings: ``evaluate``.
        public: whether the function and its result are names of their room, as ``cranfield.trust.estimate_stability``;
            ``make stub`` writes those into the stub of the room.
    """

    command: str
    line: str
    inputs: Inputs
    tests: bool = False
    given: tuple[str, ...] = ()
    views: tuple[View, ...] = ()
    rules: tuple[Rule, ...] = ()
    idle: tuple[Idle, ...] = ()
    groups: Groups = Groups()
    examples: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    guide: str = ""
    progress: str = ""
    steps: Callable[[Mapping[str, Any]], int] | None = None
    formats: tuple[str, ...] = ()
    derived: tuple[Derived, ...] = ()
    check_systems: Callable[[int, Mapping[str, Any]], None] | None = None
    each: str = ""
    page: str = ""
    switch: str = ""
    writes: str = ""
    light: bool = False
    statement: str = ""
    first_is_baseline: bool = False
    about: str = ""
    public: bool = True


@dataclass(frozen=True, slots=True)
class Analysis:
    """An analysis: its facts, its function, and its options.

    Args:
        facts: what was declared.
        function: computes it, without checks.
        options: name -> what is known of it, in the order of the signature.
    """

    facts: AnalysisFacts
    function: Callable[..., Any]
    options: Mapping[str, OptionFacts] = field(default_factory=dict)

    @property
    def result(self) -> Any:
        """The class of the result, by the annotation of the function; None where it cannot be told."""
        return _evaluate(self.function.__annotations__.get("return"), self.function)

    @property
    def printing(self) -> dict[str, OptionFacts]:
        """The options by which its result is written: the annotated parameters of ``own_text``."""
        own = getattr(self.result, "own_text", None)
        return {} if own is None else _read_options(own, inspect.signature(own))

    @property
    def paging(self) -> dict[str, OptionFacts]:
        """The options by which its page is written: the annotated parameters of what writes it."""
        if not self.facts.page:
            return {}
        writer = find_named(self.facts.page)
        return _read_options(writer, inspect.signature(writer))

    @property
    def reports_progress(self) -> bool:
        """True if the function takes ``progress``, so that the command can show a progress bar."""
        return "progress" in inspect.signature(self.function).parameters

    @property
    def may_sign(self) -> bool:
        """True if the function takes ``sign``: inputs are hashed only where the output has a signature."""
        return "sign" in inspect.signature(self.function).parameters

    def check(self, values: Mapping[str, Any], view: View | None = None) -> None:
        """Check the options of a call, and what holds of the table that is printed.

        Raises:
            UsageError: an option has a value that it does not take, or contradicts another.
        """
        full = {name: option.default for name, option in self.options.items()} | dict(values)
        of_view = [rule for own in self.facts.views if view and own.name == view.name for rule in own.rules]
        check_options(self.options, (*self.facts.rules, *of_view), full)


@dataclass(frozen=True, slots=True)
class ListedAnalysis:
    """An analysis as the generated list of the command line holds it: all that help, completion and parsing need.

    Args:
        module: where the function is.
        function: its name.
        facts: what was declared, without functions.
        options: name -> what is known of it.
        doc: the first paragraphs of the docstring.
        others: further functions of the same command.
        printing: options of ``Result.own_text``, which say how the result is written.
        paging: options of the page, where the command writes one.
        statuses: exit status -> what it says of the result, the worst first.
    """

    module: str
    function: str
    facts: AnalysisFacts
    options: Mapping[str, OptionFacts]
    doc: str
    others: tuple[ListedAnalysis, ...] = ()
    printing: Mapping[str, OptionFacts] = field(default_factory=dict)
    paging: Mapping[str, OptionFacts] = field(default_factory=dict)
    statuses: Mapping[int, str] = field(default_factory=dict)

    @property
    def by_hand(self) -> bool:
        """True if its command is written by hand, because it does more than this analysis."""
        return isinstance(self.facts.inputs, ByHand)

    @property
    def functions(self) -> tuple[ListedAnalysis, ...]:
        """All functions of the command, the main one first."""
        return (replace(self, others=()), *self.others)

    @property
    def views(self) -> tuple[View, ...]:
        """The tables of the command, each once."""
        found: dict[str, View] = {}
        for one in self.functions:
            for view in one.facts.views:
                found.setdefault(view.name, view)
        return tuple(found.values())

    @property
    def every_option(self) -> dict[str, OptionFacts]:
        """The options of all functions; what two of them share is described by the first, and has the words of all.

        One that only a further function needs is not required.
        """
        found: dict[str, OptionFacts] = {}
        for one in self.functions:
            for name, option in one.options.items():
                first = found.get(name, option)
                required = first.required and name in self.options
                words = tuple(dict.fromkeys((*first.choices, *option.choices)))
                same = (words, required) == (first.choices, first.required)
                found[name] = first if same else replace(first, choices=words, required=required)
        return found

    @property
    def every_printing(self) -> dict[str, OptionFacts]:
        """The options by which the results of all functions are written."""
        return {name: option for one in reversed(self.functions) for name, option in one.printing.items()}

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats of all functions and tables, beside those of every command."""
        every = [name for one in self.functions for name in one.facts.formats]
        of_views = [name for one in self.functions for view in one.facts.views for name in view.formats]
        return tuple(dict.fromkeys([*every, *of_views]))

    @property
    def switches(self) -> dict[str, str]:
        """Flags that choose a function -> what they are for."""
        return {one.facts.given[0]: one.facts.switch for one in self.functions if one.facts.switch}

    def choose(self, view: View | None, given: Collection[str]) -> tuple[ListedAnalysis, View | None]:
        """Choose the function that makes a table, and the table as this function has it.

        Args:
            view: the table that is chosen.
            given: the options and inputs of the call.

        Raises:
            UsageError: the table needs what is not given.
        """
        makers = [one for one in self.functions if one.makes(view)]
        fitting = [one for one in makers if set(one.facts.given) <= set(given)]
        if not fitting:
            needed = ", or ".join(dict.fromkeys(" and ".join(map(setting, one.facts.given)) for one in makers))
            open_to = [one for one in self.functions if set(one.facts.given) <= set(given)]
            instead = [f"; without, there is {one.facts.views[0].choice}" for one in open_to if one.facts.views]
            raise UsageError(f"{view.choice if view else self.facts.command} needs {needed}{''.join(instead[:1])}")
        # Groups of topics may be given to any function, which takes them, or says why not.
        chosen = max(fitting, key=lambda one: (len(one.facts.given), "topic_groups" not in one.facts.given))
        for other in {name for one in self.functions for name in one.facts.given if "=" in name} & {*given}:
            if other not in chosen.facts.given and view is not None:
                raise UsageError(f"{view.choice} changes nothing with {setting(other)}: leave it out")
        return chosen, next((own for own in chosen.facts.views if view and own.name == view.name), view)

    def makes(self, view: View | None) -> bool:
        """True if this function of the command makes the table; every one makes the default, None."""
        return view is None or any(own.name == view.name for own in self.facts.views)

    def load(self) -> Analysis:
        """Import the function and find its declaration."""
        analysis = find_declaration(getattr(import_module(self.module), self.function))
        assert analysis is not None, "the list is made from declarations"
        return analysis


def analysis(command: str, line: str, inputs: Inputs, **facts: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declare an analysis by its function, whose annotated parameters are its options.

    The function keeps its signature; what is annotated is checked before it is called, and described in its docstring.

    Args:
        command: what the shell calls it.
        line: what the command does, in one line.
        inputs: what it works on.
        facts: further fields of ``AnalysisFacts``.
    """

    return _declare(AnalysisFacts(command, line, inputs, **facts))


def with_options(*rules: Rule) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declare the options of a function that belongs to no command: they are checked and described.

    Args:
        rules: between them.
    """
    return _declare(AnalysisFacts("", "", ByHand(), rules=rules))


def _declare(facts: AnalysisFacts) -> Callable[[Callable[P, R]], Callable[P, R]]:
    def declare(function: Callable[P, R]) -> Callable[P, R]:
        signature, grouped = _list_grouped(inspect.signature(function), function)
        declaration = Analysis(facts, function, _read_options(function, signature))

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                given = signature.bind(*args, **kwargs).arguments
            except TypeError as wrong:
                if grouped:
                    raise TypeError(f"{function.__name__}() {wrong}") from None
                return function(*args, **kwargs)  # which names itself where it refuses the call
            declaration.check(given)
            return function(*args, **kwargs)

        plain = [_without_option(parameter, declaration.options) for parameter in signature.parameters.values()]
        checked.__signature__ = signature.replace(parameters=plain)  # type: ignore[attr-defined]
        types = {name: option.type for name, option in declaration.options.items()}
        checked.__annotations__ = {**function.__annotations__, **types}
        checked.__doc__ = write_docstring(function.__doc__ or "", list(signature.parameters), declaration.options)
        setattr(checked, ATTRIBUTE, declaration)
        return checked

    return declare


def find_declaration(function: Any) -> Analysis | None:
    """Find the declaration of a function; None where it has none."""
    declaration = getattr(function, ATTRIBUTE, None)
    return declaration if isinstance(declaration, Analysis) else None


def _read_options(function: Callable[..., Any], signature: inspect.Signature) -> dict[str, OptionFacts]:
    """Read the options of a function from its annotations, which are text where a module postpones them."""
    options = {}
    for name, parameter in signature.parameters.items():
        annotation = _evaluate(parameter.annotation, function)
        required = parameter.default is inspect.Parameter.empty
        option = read_option(name, annotation, None if required else parameter.default, required=required)
        if option is not None:
            options[name] = option
    return options


def _list_grouped(signature: inspect.Signature, function: Callable[..., Any]) -> tuple[inspect.Signature, bool]:
    """List the options of ``**options: Unpack[Group]`` as parameters, where the group declares them.

    A group is a dictionary of types, of options that several functions take and pass on together; each is None where a
    call has none, or the ``Default`` that its entry states. Entries that declare nothing, such as those of
    ``ReadingOptions``, stay as they are: what takes them refuses the unknown ones.

    Returns:
        the signature, and whether it had such a group and nothing else.
    """
    parameters = list(signature.parameters.values())
    if not parameters or parameters[-1].kind is not inspect.Parameter.VAR_KEYWORD:
        return signature, False
    from cranfield._signatures import Default, evaluate_annotation

    (group,) = get_args(_evaluate(parameters[-1].annotation, function)) or (None,)
    entries = getattr(group, "__annotations__", {})
    declared = []
    for name, reference in entries.items():
        annotation = evaluate_annotation(reference)
        defaults = [extra.value for extra in getattr(annotation, "__metadata__", ()) if isinstance(extra, Default)]
        is_option = find_option(annotation) is not None
        if is_option or defaults:
            (default,) = defaults or (None,)
            if not is_option:
                annotation = getattr(annotation.__origin__, "__forward_arg__", annotation.__origin__)
            declared.append(
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            )
    if not declared:
        return signature, False
    mixed = len(declared) < len(entries)
    rest = parameters[-1:] if mixed else []
    return signature.replace(parameters=[*parameters[:-1], *declared, *rest]), not mixed


def _evaluate(annotation: Any, function: Callable[..., Any]) -> Any:
    """Evaluate an annotation; None where only type checkers understand it, so that it declares nothing."""
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, function.__globals__)
    except (NameError, TypeError):  # a type in quotes takes no `|`
        return None


def _without_option(parameter: inspect.Parameter, options: Mapping[str, OptionFacts]) -> inspect.Parameter:
    """A parameter with its type alone, as ``help()`` shows it: the docstring says what it means."""
    if parameter.name not in options:
        return parameter
    return parameter.replace(annotation=options[parameter.name].type)
