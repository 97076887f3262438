"""``cranfield standardize``: scores relative to those of reference systems by topic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield._text import counted, in_full
from cranfield.cli._command import command_of_runs
from cranfield.cli._declared_options import declared_options
from cranfield.cli._options import groups_option, make_format_option, output_option
from cranfield.cli._output import check_output_path, emit, print_warning, warnings_to_stderr
from cranfield.cli._scores_input import ScoresInput, scores_input
from cranfield.cli._topic_groups import CORRECTED, UNTESTED, compute_by_group, make_refused_option
from cranfield.errors import UsageError
from cranfield.findings.location import STDIN

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.streaming.parquet import StoredSet


@command_of_runs(loads_libraries=True)
@scores_input
@groups_option
@make_refused_option("--across-groups", f"{UNTESTED}; {CORRECTED}")
@declared_options("standardize")
@click.option("--fit", metavar="FILE", help="Write the learned factors to this file (JSON).")
@click.option("--factors", metavar="FILE", help="Use factors that --fit wrote.")
@click.option("--by-topic", "-q", is_flag=True, help="Print every topic, not only the mean.")
@make_format_option(
    ["table", "tsv", "csv", "json", "matrix", "parquet"],
    "matrix: topics in rows, systems in columns; parquet: a file, or a folder (-o scaled/)",
)
@output_option
def standardize(
    scores: ScoresInput,
    scheme: str,
    reference_systems: Any,
    topic_groups: str | None,
    format_: str,
    output: str | None,
    by_topic: bool,
    **options: Any,
) -> None:
    """Standardize scores so that hard and easy topics count alike.

    A score becomes the share of reference systems that it reaches on the topic (scheme E), or a value by another
    scheme. The reference systems are those of --reference-systems. --factors reuses those of an earlier --fit, which
    puts later systems on the same scale.
    """
    format_ = _resolve_format(format_, output)
    if options["factors"] is not None and (options["fit"] is not None or reference_systems):
        raise UsageError("--factors FILE learns nothing: leave out --fit and --reference-systems")
    if topic_groups is not None and options["fit"] is not None:
        raise UsageError("--fit writes factors of all topics, not of groups: leave --topic-groups out")
    if topic_groups is not None and format_ not in ("table", "json"):
        raise UsageError(f"--format {format_} has no room for groups of topics: use table or json")
    check_output_path(output, folder=format_ == "parquet")
    check_output_path(options["fit"])
    learning = _Learning(scheme, reference_systems, options["fit"], options["factors"])
    if topic_groups is not None:
        _print_groups(learning, scores, topic_groups, format_, output, by_topic=by_topic)
        return
    with warnings_to_stderr():
        if format_ == "parquet":
            learning.write_parquet(scores, str(output))
            return
        held = learning.open_stored(scores, ranges=False) if format_ in ("tsv", "csv", "matrix") else None
        if held is not None:
            from cranfield.standardization.streamed import standardized_text

            text_format: Any = format_
            emit(standardized_text(*held, text_format, **learning.how, by_topic=by_topic), output)
            return
        raw, scaled = learning.standardize(scores)
    if format_ == "table":
        from cranfield.cli._standardization_text import format_leaderboard

        text = format_leaderboard(raw, scaled, by_topic=by_topic, plain=output is not None)
    else:
        from cranfield.scores.files import scores_as_text

        text = scores_as_text(scaled, format_, by_topic=by_topic)
    emit(text, output)


def _print_groups(
    learning: _Learning, scores: ScoresInput, path: str, format_: str, output: str | None, *, by_topic: bool
) -> None:
    """Standardize the scores of each group of topics by itself, and print all of them."""
    from cranfield.cli._joined_sheets import join_groups
    from cranfield.cli._standardization_text import format_leaderboard, list_scores
    from cranfield.scores.topic_groups import TopicGroups

    groups = TopicGroups.from_source(path)
    with warnings_to_stderr():
        parts = groups.split(scores.dataset(), tested=False)
    standardized, warned = compute_by_group(
        {name: partial(learning.standardize, replace(scores, group_scores=part)) for name, part in parts.items()}
    )
    printed = {
        name: format_leaderboard(raw, scaled, by_topic=by_topic, plain=output is not None)
        if format_ == "table"
        else list_scores(scaled, by_topic=by_topic)
        for name, (raw, scaled) in standardized.items()
    }
    for line in warned:
        print_warning(line)
    heads = {name: f"{in_full(name)}: {counted(parts[name].sizes['topic'], 'topic')}" for name in printed}
    emit(join_groups(groups, printed, heads, format_, output), output)


def _resolve_format(format_: str, output: str | None) -> str:
    """Resolve the format of scores, which the name of a folder implies too.

    Raises:
        UsageError: Parquet without an output path.
    """
    from cranfield.io.filesystem import is_address
    from cranfield.scores.parquet_write import ENDING, names_folder

    named = output is not None and (names_folder(output) or output.endswith(ENDING) or is_address(output))
    if format_ == "table" and named:
        return "parquet"
    if format_ == "parquet" and output is None:
        raise UsageError(
            "parquet holds the scores of topics, in a folder or a file: -o scaled/ or -o scaled.parquet is missing"
        )
    return format_


@dataclass(frozen=True)
class _Learning:
    """The factors of a call.

    Args:
        scheme: by which scores are standardized.
        reference_systems: to learn from.
        fit: the file that factors are written to.
        factors: the file that they are read from, in place of learning.
    """

    scheme: str
    reference_systems: Any
    fit: str | None
    factors: str | None

    @property
    def how(self) -> dict[str, Any]:
        """The options of a function that standardizes."""
        return {"scheme": self.scheme, "reference_systems": self.reference_systems}

    def standardize(self, scores: ScoresInput) -> tuple[xr.Dataset, xr.Dataset]:
        """Return raw and standardized scores; factors are written only after all else succeeded."""
        from cranfield.standardization.factors import fit_standardization, read_factors
        from cranfield.standardization.schemes import parse_scheme

        if self.factors == STDIN and STDIN in (scores.runs.qrels, *scores.runs.paths, *scores.files):
            raise UsageError("standard input (-) can be the factors or the scores, not both")
        parse_scheme(self.scheme)
        stored = None
        if self.factors is not None:
            stored = read_factors(self.factors, scheme=self.scheme if _is_given("scheme") else None)
        raw = scores.dataset()
        factors = stored or fit_standardization(raw, **self.how)
        scaled = factors.apply(raw)
        if self.fit is not None:
            factors.write_factors(self.fit)
        return raw, scaled

    def write_parquet(self, scores: ScoresInput, output: str) -> None:
        """Write standardized scores by topic; those of very many topics a block at a time."""
        from cranfield.scores.files import write_scores
        from cranfield.standardization.streamed import standardize_stored

        held = None if output.endswith(".parquet") else self.open_stored(scores, ranges=True)
        if held is None:
            write_scores(self.standardize(scores)[1], output, format="parquet")
            return
        standardize_stored(*held, output, **self.how)

    def open_stored(self, scores: ScoresInput, *, ranges: bool) -> tuple[StoredSet, list[str]] | None:
        """Open the scores of very many topics, with the requested measures, where factors are only learned.

        The result is None where there are fewer topics, or where a measure is the end of a range and ``ranges`` is
        false.
        """
        from cranfield.scores.named_direction import ENDS

        held = scores.stored_scores() if self.factors is None and self.fit is None else None
        if held is None or (not ranges and any(name.rpartition(" ")[2] in ENDS for name in held[1])):
            return None
        return held


def _is_given(parameter: str) -> bool:
    return click.get_current_context().get_parameter_source(parameter) is not ParameterSource.DEFAULT
