"""Any analysis of scores, repeated on each group of topics: ``repeat_by_group``.

One correction over the comparisons of all groups of topics: ``correct_across``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from inspect import signature as read_parameters
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from cranfield._message import name_value, setting
from cranfield._typing import Floats
from cranfield._validation import word
from cranfield.declarations.analysis import Groups, find_declaration
from cranfield.errors import UsageError
from cranfield.results.frames import stacked, tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.scores.dataset import ScoresLike, as_dataset, read_labels
from cranfield.scores.topic_groups import TopicGroups
from cranfield.statistics.multiple_testing import adjust
from cranfield.statistics.test_names import SIMULTANEOUS

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.scores.topic_groups import GroupsLike


NOT_TESTED = ("estimate_means",)
"""Analyses by whose results nothing is called significant."""
CORRECTED_LATER = ("gate", "estimate_risk")
"""Analyses of which each group is made as it is by itself, and then corrected with the others."""


@dataclass(frozen=True, eq=False, repr=False)
class ByGroup(Result):
    """An analysis of each group of topics.

    Every table is that of the groups' results below each other, with the ``group`` in the first column; the table
    ``groups`` has the number of ``topics`` of each ``group``.

    Args:
        results: group -> the result of its topics, in the order of the groups; ``found["easy"]`` is one of them.
        sizes: of every ``group`` its number of ``topics``.
        settings: ``analysis`` and its options.
        signature: all that changes these numbers.
    """

    results: dict[str, Result]
    sizes: pd.Series[int]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def __getitem__(self, group: str) -> Result:
        """The result of one group.

        Raises:
            UsageError: there is no such group.
        """
        if group not in self.results:
            raise UsageError(f"there is no group {name_value(group)}, only {', '.join(self.results)}")
        return self.results[group]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def _tables(self) -> Tables:
        first = next(iter(self.results.values()))
        return {name: self._stack(name) for name in first.frames()} | {"groups": lambda: tidy(self.sizes)}

    def _stack(self, table: str) -> Callable[[], pd.DataFrame]:
        return lambda: stacked({name: result.to_frame(table) for name, result in self.results.items()}, "group")


def repeat_by_group(
    analysis: Callable[..., Result],
    scores: ScoresLike,
    groups: GroupsLike,
    *,
    across_groups: Across = "none",
    **options: Any,
) -> ByGroup:
    """Repeat an analysis of scores on each group of topics.

    What is corrected for many pairs is corrected within a group, unless p is to be adjusted ``across_groups``; a
    warning tells of small groups, of many, of topics without a group and of unknown ones.

    Args:
        analysis: a function that takes scores and returns a result, such as ``cranfield.compare``.
        scores: dims (topic, system).
        groups: topic -> group, a Series, or a file of lines ``topic group``, or ``FILE#COLUMN`` of a tsv or csv file.
        across_groups: ``holm`` adjusts p of tests of pairs (``compare``, ``compare_measures``) over the pairs of all
            groups, in place of a correction within each, and lets the intervals of all groups hold together; likewise
            the verdicts of ``gate`` over the systems of all groups, and p of ``estimate_risk``.
        options: of the analysis.

    Raises:
        InputError: the groups are refused, or the analysis refuses the scores of one.
        UsageError: no analysis, an option that it does not take, or no tests that could be adjusted across groups.

    >>> import cranfield
    >>> made = cranfield.simulation.simulate_runs(n_systems=2, n_topics=20)
    >>> scores = cranfield.evaluate(made.runs, made.qrels, "AP")
    >>> groups = {topic: "odd" if int(topic) % 2 else "even" for topic in scores["topic"].values.tolist()}
    >>> result = cranfield.repeat_by_group(cranfield.estimate_means, scores, groups)
    >>> result.to_frame()[["group", "system", "mean"]].round(3)
      group   system   mean
    0   odd  system2  0.699
    1   odd  system1  0.113
    2  even  system2  0.730
    3  even  system1  0.130
    """
    import pandas as pd

    if not callable(analysis):
        raise UsageError(f"{name_value(analysis)} is not an analysis: give a function such as cranfield.compare")
    topic_groups = TopicGroups.from_source(groups)
    name = getattr(analysis, "__name__", type(analysis).__name__)
    word("across_groups", across_groups, get_args(Across))
    is_corrected = across_groups == "holm"
    parts = topic_groups.split(scores, tested=not is_corrected and name not in NOT_TESTED)
    group_options = {**options, **options_across(analysis, options, len(parts))} if is_corrected else options
    declaration = find_declaration(analysis)
    facts = Groups() if declaration is None else declaration.facts.groups
    results = {
        group: analysis(part, **{**group_options, **options_of_group(facts, group_options, topic_groups, group)})
        for group, part in parts.items()
    }
    results = correct_across(results) if is_corrected else results
    sizes = pd.Series({group: part.sizes["topic"] for group, part in parts.items()}, name="topics").rename_axis("group")
    settings = {
        "analysis": name,
        "across_groups": across_groups,
        **{key: value for key, value in options.items() if _is_plain(value)},
    }
    of_groups = {group: result.signature for group, result in results.items()}
    signature = signed("repeat_by_group", settings, topic_groups=topic_groups.signature(), groups=of_groups)
    return ByGroup(results, sizes, settings, signature)


def options_of_group(facts: Groups, options: Mapping[str, Any], groups: TopicGroups, group: str) -> dict[str, Any]:
    """Options of an analysis that its declaration sets for a group, or cuts to the topics of this group.

    Args:
        facts: what is declared of groups.
        options: of the call.
        groups: all of them.
        group: the group's name; another name stands for the topics without a group.
    """
    found = {name: value for name, value in facts.options.items() if name not in options}
    for name in facts.cut:
        if options.get(name) is not None:
            scores = as_dataset(options[name])
            topics = read_labels(scores, "topic", name)
            own = group if group in groups.names else None
            found[name] = scores.isel(
                topic=[at for at, topic in enumerate(topics) if groups.of_topic.get(topic) == own]
            )
    return found


def options_across(analysis: Callable[..., Result], options: Mapping[str, Any], groups: int) -> dict[str, Any]:
    """Options by which the p-values of a test can be adjusted for that many groups, and its intervals hold for all."""
    if getattr(analysis, "__name__", "") in CORRECTED_LATER:
        return {}
    takes = read_parameters(analysis).parameters
    if "correction" not in takes and not any(parameter.kind is parameter.VAR_KEYWORD for parameter in takes.values()):
        raise UsageError(
            f"{getattr(analysis, '__name__', 'this')} tests no pairs, whose p could be adjusted across groups"
        )
    required: dict[str, Any] = {"correction": options.get("correction") or "holm"}
    if "level" in takes and options.get("level") is None and options.get("interval") is None:
        required["level"] = 1.0 - options.get("alpha", takes["alpha"].default) / groups
    return required


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float, list, tuple))


Across = Literal["none", "holm"]
OF_PAIRS = ("holm", "none")
"""Corrections by whose results p of each pair by itself is known to be what counts."""


def correct_across(results: Mapping[str, Any]) -> dict[str, Any]:
    """Adjust p by Holm's method over the pairs of all groups together, within each measure.

    Args:
        results: group -> its tests, of one kind: ``pairs`` with a column ``p``, and ``measure`` where there are
            several; ``settings`` with ``correction`` and ``alpha``; and where more than the pairs hangs on p, a method
            ``corrected`` that is given the adjusted p and over how many ``groups`` and ``comparisons``. Results with
            tests of another kind have a class method ``corrected_together`` that is given all of them.

    Raises:
        UsageError: a result without tests of pairs, or one that is corrected in another way.
    """
    together: Any = getattr(type(next(iter(results.values()))), "corrected_together", None)
    if together is not None:
        of_groups: dict[str, Any] = together(results)
        return of_groups
    for result in results.values():
        if "p" not in getattr(result, "pairs", ()):
            raise UsageError(
                f"{type(result).__name__} has no p of pairs, of which Holm's correction across groups is made"
            )
        if result.settings.get("correction") not in OF_PAIRS or result.settings.get("test") in SIMULTANEOUS:
            raise UsageError(
                "Holm's correction across groups takes p of each pair by itself: use a test of pairs with "
                f"{setting('correction', 'holm')}"
            )
    measures = [_measures(result) for result in results.values()]
    p = np.concatenate([result.pairs["p"].to_numpy(dtype=np.float64) for result in results.values()])
    of = np.concatenate(measures)
    adjusted = np.empty(len(p))
    for measure in dict.fromkeys(of.tolist()):
        adjusted[of == measure] = adjust(p[of == measure], "holm")
    across = {"groups": len(results), "comparisons": int((of == of[0]).sum()) if len(of) else 0}
    ends = np.cumsum([len(of_group) for of_group in measures])
    return {
        name: _corrected(result, p_values, across)
        for (name, result), p_values in zip(results.items(), np.split(adjusted, ends[:-1]), strict=True)
    }


def _corrected(result: Any, adjusted: Floats, across: dict[str, int]) -> Any:
    """A result with other adjusted p-values."""
    if hasattr(result, "corrected"):
        return result.corrected(adjusted, across)
    pairs = result.pairs.assign(p_adjusted=adjusted, significant=adjusted < result.settings["alpha"])
    settings = {"across_groups": across}
    return replace(result, pairs=pairs, settings=result.settings | settings, signature=result.signature | settings)


def _measures(result: Any) -> Any:
    """By which measure each pair was tested, [pairs]."""
    return (
        result.pairs["measure"].to_numpy(dtype=object) if "measure" in result.pairs else np.full(len(result.pairs), "")
    )
