"""``--scores FILE``: several sources of scores of the same systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import cut, in_full, quoted, shown
from cranfield.cli._completion import complete_measures
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._scores_input import missing_scores_option
from cranfield.declarations.analysis import FromSources
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import STDIN, Location
from cranfield.io.system_names import expanded

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.results.result import Result


def list_options(_: FromSources) -> list[Callable[..., Any]]:
    """List the options of sources."""
    scores = click.option(
        "--scores",
        multiple=True,
        metavar="FILE",
        help="Score files of one measure, or one of several.",
    )
    measure = click.option(
        "--measure", "-m", metavar="MEASURE", shell_complete=complete_measures, help="The measure of several files."
    )
    return [scores, missing_scores_option(), measure]


def take_input(_: FromSources, arguments: Mapping[str, Any], table: str) -> SourcesInput:
    """Take the sources of a call."""
    return SourcesInput(arguments["scores"], arguments["measure"])


@dataclass(frozen=True)
class SourcesInput:
    """The sources of a call.

    Args:
        files: of scores, or patterns.
        measure: the one that is compared; None where files hold one.
        topics: those of a group, to which the scores are restricted.
    """

    files: Sequence[str]
    measure: str | None
    topics: Sequence[str] | None = None

    def call(self, function: Callable[..., Result], options: Mapping[str, Any]) -> Result:
        """Call the function of an analysis."""
        sources = _read_sources(self.files, self.measure, self.topics)
        return function(sources, **options)

    def list_topics(self) -> list[str]:
        """List the topics, in order of first appearance.

        Raises:
            UsageError: standard input, which cannot be read again for each group.
        """
        from cranfield.scores.files import read_scores

        if STDIN in self.files:
            raise UsageError("--topic-groups reads all files once for each group, and standard input (-) only once")
        files = [path for pattern in self.files for path in expanded(pattern)]
        return list(dict.fromkeys(str(topic) for path in files for topic in read_scores(path)["topic"].values))

    def within(self, topics: Sequence[str]) -> SourcesInput:
        """The same, restricted to topics."""
        return replace(self, topics=topics)


def _read_sources(patterns: Sequence[str], measure: str | None, topics: Sequence[str] | None) -> Any:
    from cranfield.scores.files import read_scores, score_file_name
    from cranfield.scores.measure_selection import select_effectiveness

    files = [path for pattern in patterns for path in expanded(pattern)]

    if len(files) == 1:
        if measure is not None:
            raise UsageError("the measures of one score file are compared with each other: leave -m out")
        return select_effectiveness(_restrict(read_scores(files[0]), topics))
    sources: dict[str, Any] = {}
    datasets = [(path, _restrict(read_scores(path), topics)) for path in files]
    if all(len(dataset.data_vars) == 1 for _, dataset in datasets):
        refuse_without_effect(click.get_current_context(), ["measure"], "where each score file holds one measure")
    for path, dataset in datasets:
        names = [str(name) for name in dataset.data_vars]
        if measure is None and len(names) > 1:
            held = ", ".join(map(shown, names))
            raise UsageError(f"{in_full(path)} holds {len(names)} measures: choose one with -m ({held})")
        chosen = names[0] if measure is None or len(names) == 1 else measure
        if chosen not in names:
            held = ", ".join(map(shown, names))
            text = f"holds no measure {quoted(str(measure))}, only {held}"
            raise InputError(text, Location(path), code="unknown", value=cut(str(measure)))
        source = score_file_name(path)
        if source in sources:
            text = f"two score files are called {quoted(source)}: rename one of the files"
            raise InputError(text, Location(path), code="equal-names", value=cut(source))
        sources[source] = dataset[chosen].assign_attrs(dataset.attrs | dataset[chosen].attrs)
    return sources


def _restrict(scores: xr.Dataset, topics: Sequence[str] | None) -> xr.Dataset:
    """The scores of the topics of a group; all where None."""
    if topics is None:
        return scores
    return scores.isel(topic=[number for number, topic in enumerate(scores["topic"].values) if topic in {*topics}])
