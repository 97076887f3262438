"""Computation of a call of a declared analysis, from the inputs of its declaration, for all topics or a part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cranfield._message import setting
from cranfield.cli._declared_options import take_each
from cranfield.cli._output import show_progress, show_progress_of_pairs
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
    find_named,
)
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.results.result import Result
    from cranfield.scores.topic_groups import TopicGroups

UNGROUPED = "without a group"
"""The name of the topics without a group, where they are analysed too."""
MOST_LISTS = 200
"""Runs whose lists are kept beside their scores."""


@dataclass(frozen=True)
class CallWork:
    """The computation of a call, for all topics or for a part.

    Args:
        analysis: what is called.
        source: ``ScoresInput`` or ``RunsInput``, or what a module of ``OWN_INPUTS`` has taken.
        options: of the analysis.
        arguments: the measures of runs.
        chosen: what rules between options know besides, as the table.
    """

    analysis: Analysis
    source: Any
    options: Mapping[str, Any]
    arguments: Mapping[str, Any]
    chosen: Mapping[str, Any]

    def opened(self) -> CallWork:
        """The same work on files that are read already, where they are read once."""
        inputs = self.analysis.facts.inputs
        if not isinstance(inputs, FromFiles) or not inputs.read:
            return self
        options = {name: self.options[name] for name in inputs.reads}
        return replace(self, source=find_named(inputs.read)(self.source, **options))

    def compute(self) -> list[Result]:
        """Compute the result; one for each measure, or value of an option, where each is analysed by itself."""
        every = take_each(self.analysis, self.options, self.chosen)
        return [result for options in every for result in replace(self, options=options)._compute()]

    def _compute(self) -> list[Result]:
        inputs, function = self.analysis.facts.inputs, self.analysis.function
        assert not isinstance(inputs, ByHand), "called by hand"
        if isinstance(inputs, FromFiles):
            return [self._call(function, self.source)]
        if isinstance(inputs, FromRuns):
            return [self._analyse_runs(inputs)]
        if isinstance(inputs, (FromRoles, FromJudges, FromJudgments, FromSources, FromVerdicts)):
            return [self.source.call(function, self.options)]
        if not inputs.ranges:
            from cranfield.cli._scores_input import refuse_ranges

            refuse_ranges(self.source.runs.reading)
        if inputs.measures == "all" and inputs.streamed and (blocks := self.source.streamed_scores()):
            return [self._call(function, blocks)]
        if inputs.measures == "all":
            scores, named = self._read_all(inputs, grouped=self.source.group_scores is not None)
            return [replace(self, options={**self.options, **named})._call(function, scores)]
        if inputs.measures == "one":
            scores = self.source.measure_scores() if inputs.streamed else self.source.array(*inputs.default)
            return [self._call(function, scores)]
        streamed = self.source.streamed_scores() if inputs.streamed else None
        if streamed is not None:
            return [self._call(function, scores) for scores in streamed]
        dataset = self.source.dataset(list(inputs.default))
        arrays = [dataset[name].assign_attrs(dataset.attrs | dataset[name].attrs) for name in dataset.data_vars]
        return [self._call(function, array) for array in arrays]

    def _read_all(self, inputs: FromScores, *, grouped: bool = False) -> tuple[Any, dict[str, Any]]:
        """Read scores by all measures, further ones too; and what the function is told of these."""
        if inputs.further and self.source.group_scores is None:
            scores, compared, further = self.source.dataset_beside(self.options[inputs.further])
            return scores, {"measures": compared, inputs.further: further}
        of_lists = [one for one in self.analysis.facts.derived if one.of_lists]
        named: dict[str, Any] = {}
        if of_lists and not grouped and not self.source.files and len(self.source.runs.paths) <= MOST_LISTS:
            from cranfield.evaluation import to_dataset

            evaluation = self.source.evaluate_runs(list(inputs.default) or None, keep_rankings=True)
            scores = self.source.fill_missing(to_dataset(evaluation))
            for one in of_lists:
                named |= one.compute_from_lists(evaluation, self.options)
        else:
            scores = self.source.dataset(list(inputs.default) or None)
        return self._add_preferences(scores), named

    def _add_preferences(self, scores: Any) -> Any:
        """Add the preferences between lists that are requested as further measures."""
        for preference in dict.fromkeys(self.arguments.get("preferences", ())):
            from cranfield.cli._preference import compute_preferences

            scores = scores.assign({preference: compute_preferences(self.source, preference).scores})
        return scores

    def _call(self, function: Callable[..., Result], scores: Any) -> Result:
        facts, options = self.analysis.facts, dict(self.options)
        if getattr(self.source, "missing_scores", None) == "zero":
            options["missing_scores"] = "zero"
        for derived in facts.derived:
            if derived.of_value is not None and options.get(derived.option) is not None:
                self._refuse_without_runs(derived.option)
            if not self.source.files:
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

    def _refuse_without_runs(self, option: str) -> None:
        """Raise UsageError for an option that is computed from the lists of all topics, where there are none."""
        if self.source.files:
            raise UsageError(f"{setting(option)} compares lists, and --scores FILE has none: give QRELS RUN...")
        if self.source.group_scores is not None:
            raise UsageError(f"{setting(option)} compares lists on all topics: leave --topic-groups out")

    def _analyse_runs(self, inputs: FromRuns) -> Result:
        from cranfield.cli._scores_input import refuse_unread_rel

        runs, options = self.source, dict(self.options)
        measures = {"several": self.arguments.get("measures"), "one": self.arguments.get("measure"), "none": None}
        if inputs.beside_scores:
            runs, measures["one"] = self.source.runs, ", ".join(self.source.measures) or inputs.default[0]
            measures["several"] = list(self.source.measures)
        chosen = measures[inputs.measures] or inputs.default
        positional = [] if inputs.measures == "none" else [chosen]
        if positional:
            refuse_unread_rel([chosen] if isinstance(chosen, str) else chosen)
        steps = len(runs.paths) + (self.analysis.facts.steps(options) if self.analysis.facts.steps else 0)
        qrels, reading = runs.read_judges()
        with show_progress(inputs.progress, steps) as progress:
            shown = {"progress": progress} if self.analysis.reports_progress else {}
            positional = [qrels, *positional] if inputs.judged else []
            result: Result = self.analysis.function(runs.paths, *positional, **options, reading=reading, **shown)
        return result

    def split(self, groups: TopicGroups, *, tested: bool) -> dict[str, tuple[int, CallWork]]:
        """Split the work into groups of topics: name -> their number, and what is computed of them."""
        inputs = self.analysis.facts.inputs
        assert not isinstance(inputs, (ByHand, FromFiles)), "these have no topics"
        if isinstance(inputs, FromRuns):
            from cranfield.cli._scores_input import ScoresInput
            from cranfield.cli._topic_groups import list_topics

            parts = groups.members(
                list_topics({"scores": ScoresInput(self.source, (), ())}), "the judgments", tested=tested
            )
            return {
                name: (len(members), replace(self, source=self.source.restricted(members)))
                for name, members in parts.items()
            }
        if isinstance(inputs, (FromRoles, FromJudges, FromJudgments, FromSources, FromVerdicts)):
            parts = groups.members(self.source.list_topics(), "the judgments", tested=tested)
            return {
                name: (len(members), replace(self, source=self.source.within(members)))
                for name, members in parts.items()
            }
        if self.arguments.get("preferences"):
            raise UsageError("--preference compares lists on all topics: leave --topic-groups out")
        scored, named = (self.source.array(), {}) if inputs.measures == "one" else self._read_all(inputs, grouped=True)
        return {
            name: (part.sizes["topic"], self._restrict_to_group(part, name, groups, named))
            for name, part in groups.split(scored, tested=tested).items()
        } | self._split_others(scored, groups, named)

    def _restrict_to_group(self, scores: Any, name: str, groups: TopicGroups, named: Mapping[str, Any]) -> CallWork:
        """The work on the scores of a group."""
        from cranfield.results.by_group import options_of_group

        options = {**self.options, **named}
        options |= options_of_group(self.analysis.facts.groups, options, groups, name)
        return replace(self, options=options, source=replace(self.source, group_scores=scores))

    def _split_others(
        self, scores: Any, groups: TopicGroups, named: Mapping[str, Any]
    ) -> dict[str, tuple[int, CallWork]]:
        """The work on topics without a group, where the analysis looks at these too."""
        facts = self.analysis.facts.groups
        if not facts.ungrouped:
            return {}
        others, name = groups.others(scores), UNGROUPED
        while name in groups.names:
            name = f"({name})"
        if not others.sizes["topic"]:
            return {}
        part = self._restrict_to_group(others, name, groups, named)
        judged = replace(part, analysis=replace(self.analysis, function=find_named(facts.ungrouped)))
        return {name: (others.sizes["topic"], judged)}
