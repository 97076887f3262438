"""``cranfield standardize``: scores relative to those of reference systems by topic, and a study of the schemes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield._text import shown
from cranfield.cli._command import command_of_runs
from cranfield.cli._options import dask_option, make_format_option, output_option
from cranfield.cli._output import check_output_path, emit, present, show_progress, warnings_to_stderr
from cranfield.cli._scores_input import ScoresInput, scores_input
from cranfield.cli._topic_groups import split_scores_by_group
from cranfield.errors import UsageError
from cranfield.findings.location import STDIN

if TYPE_CHECKING:
    from collections.abc import Iterator

    import xarray as xr

    from cranfield.streaming.parquet import StoredSet

STUDY_OPTIONS = ("topics", "trials", "alphas", "seed", "dask")
SCALE_OPTIONS = ("reference", "fit", "factors", "by_topic")
SPELLED = {"alphas": "alpha", "reference": "reference-system"}
"""Parameter -> its option, where the names differ."""


@command_of_runs()
@scores_input
@split_scores_by_group()
@click.option(
    "--scheme",
    "-s",
    "schemes",
    multiple=True,
    metavar="SCHEME",
    help="E (empirical distribution), N (normal), U or U(A=0.15,B=0.5) (clipped line), z, raw, or a distribution of "
    "scipy.stats such as t(5); in a study repeat.  [default: E; in a study raw, N, U, z and E]",
)
@click.option(
    "--reference-system",
    "reference",
    metavar="SYSTEM",
    multiple=True,
    help="Learn factors from this system; repeat.  [default: all]",
)
@click.option("--fit", metavar="FILE", help="Write the learned factors to this file (JSON).")
@click.option("--factors", metavar="FILE", help="Use factors that --fit wrote.")
@click.option(
    "--study",
    type=click.Choice(["within", "between"]),
    help="Study whether schemes change comparisons within a collection or between two.",
)
@click.option(
    "--topics",
    type=click.IntRange(2),
    multiple=True,
    help="Topics per draw; repeat.  [default: 50, or half of fewer]",
)
@click.option("--trials", type=click.IntRange(1), default=10_000, show_default=True, help="Number of draws in a study.")
@click.option(
    "--alpha",
    "alphas",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    multiple=True,
    help="Level in a study; repeat.  [default: .001 to .009, .01 to .1]",
)
@dask_option
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Random seed of a study.",
)
@click.option("--by-topic", "-q", is_flag=True, help="Print every topic, not only the mean.")
@make_format_option(
    ["table", "tsv", "csv", "json", "matrix", "parquet"],
    "matrix: topics in rows, systems in columns; parquet: a file, or a folder (-o scaled/)",
)
@output_option
def standardize(
    scores: ScoresInput,
    schemes: tuple[str, ...],
    study: Any,
    format_: str,
    output: str | None,
    **options: Any,
) -> None:
    """Standardize scores so that hard and easy topics count alike.

    A score becomes the share of reference systems that it reaches on the topic (scheme E), or a value by another
    scheme. The reference systems are those of --reference-system. --factors reuses those of an earlier --fit, which
    puts later systems on the same scale.
    """
    from cranfield.cli._standardization_text import format_leaderboard, format_study
    from cranfield.scores.files import scores_as_text

    format_ = _resolve_format(format_, output, study)
    _check_options(schemes, study, format_, options)
    if scores.group_scores is not None and options["fit"] is not None:
        raise UsageError("--fit writes factors of all topics, not of groups: leave --topic-groups out")
    check_output_path(output, folder=format_ == "parquet")
    check_output_path(options["fit"])
    if study is not None:
        with warnings_to_stderr():
            table = scores.array()
        text = format_study(_run_studies(table, schemes, study, options), format_, plain=output is not None)
    elif format_ == "parquet":
        with warnings_to_stderr():
            _write_parquet(scores, schemes, str(output), options)
        return
    elif (
        held := _open_stored(scores, options, ranges=False) if format_ in ("tsv", "csv", "matrix") else None
    ) is not None:
        with warnings_to_stderr():
            emit(_stream_text(held, format_, schemes, options), output)
        return
    else:
        with warnings_to_stderr():
            raw, scaled = _standardize(scores, schemes, options)
        if format_ == "table":
            text = format_leaderboard(raw, scaled, by_topic=options["by_topic"], plain=output is not None)
        else:
            text = scores_as_text(scaled, format_, by_topic=options["by_topic"])
    present(text, format_, output)


def _resolve_format(format_: str, output: str | None, study: str | None) -> str:
    """Resolve the format of scores, which the name of a folder implies too.

    Raises:
        UsageError: Parquet without an output path, or of a study.
    """
    from cranfield.io.filesystem import is_address
    from cranfield.scores.parquet_write import ENDING, names_folder

    named = output is not None and (names_folder(output) or output.endswith(ENDING) or is_address(output))
    if format_ == "table" and named and study is None:
        return "parquet"
    if format_ == "parquet" and (output is None or study is not None):
        lacking = "-o scaled/ or -o scaled.parquet is missing" if study is None else "a study has tsv, csv and json"
        raise UsageError(f"parquet holds the scores of topics, in a folder or a file: {lacking}")
    return format_


def _write_parquet(scores: ScoresInput, schemes: tuple[str, ...], output: str, options: dict[str, Any]) -> None:
    """Write standardized scores by topic; those of very many topics a block at a time."""
    from cranfield.scores.files import write_scores
    from cranfield.standardization.streamed import standardize_stored

    held = None if output.endswith(".parquet") else _open_stored(scores, options, ranges=True)
    if held is None:
        write_scores(_standardize(scores, schemes, options)[1], output, format="parquet")
        return
    standardize_stored(*held, output, *schemes, reference=list(options["reference"]) or None)


def _open_stored(scores: ScoresInput, options: dict[str, Any], *, ranges: bool) -> tuple[StoredSet, list[str]] | None:
    """Open the scores of very many topics, with the requested measures, where factors are neither read nor written.

    The result is None where there are fewer topics, or where a measure is the end of a range and ``ranges`` is false.
    """
    from cranfield.scores.scale import ENDS

    held = scores.stored_scores() if options["factors"] is None and options["fit"] is None else None
    if held is None or (not ranges and any(name.rpartition(" ")[2] in ENDS for name in held[1])):
        return None
    return held


def _stream_text(
    held: tuple[StoredSet, list[str]], format_: Any, schemes: tuple[str, ...], options: dict[str, Any]
) -> Iterator[bytes]:
    """Format standardized scores of very many topics in blocks."""
    from cranfield.standardization.streamed import standardized_text

    reference = list(options["reference"]) or None
    return standardized_text(*held, format_, *schemes, reference=reference, by_topic=options["by_topic"])


def _check_options(schemes: tuple[str, ...], study: str | None, format_: str, parameters: dict[str, Any]) -> None:
    """Raise UsageError for options that contradict each other, before anything is read."""
    context = click.get_current_context()

    def options(names: tuple[str, ...]) -> list[str]:
        named = (name for name in names if context.get_parameter_source(name) is ParameterSource.COMMANDLINE)
        return ["--" + SPELLED.get(name, name).replace("_", "-") for name in named]

    if study is None:
        if options(STUDY_OPTIONS):
            raise UsageError(f"{options(STUDY_OPTIONS)[0]} belongs to --study within or between")
        if len(schemes) > 1:
            raise UsageError(f"scores have one scheme, not {len(schemes)} ({', '.join(map(shown, schemes))})")
        if parameters["factors"] is not None and (parameters["fit"] is not None or parameters["reference"]):
            raise UsageError("--factors FILE learns nothing: leave out --fit and --reference-system")
    else:
        if options(SCALE_OPTIONS):
            raise UsageError(f"{options(SCALE_OPTIONS)[0]} contradicts --study, which learns from all systems")
        if format_ == "matrix":
            raise UsageError("--format matrix is for scores: a study has tsv, csv and json")


def _standardize(
    scores: ScoresInput, schemes: tuple[str, ...], options: dict[str, Any]
) -> tuple[xr.Dataset, xr.Dataset]:
    """Return raw and standardized scores; factors are written only after all else succeeded."""
    from cranfield.standardization.factors import fit_standardization, read_factors
    from cranfield.standardization.schemes import parse_scheme

    if options["factors"] == STDIN and STDIN in (scores.runs.qrels, *scores.runs.paths, *scores.files):
        raise UsageError("standard input (-) can be the factors or the scores, not both")
    scheme = parse_scheme(schemes[0]) if schemes else None
    stored = None if options["factors"] is None else read_factors(options["factors"], scheme=scheme)
    raw = scores.dataset()
    factors = stored or fit_standardization(raw, scheme or "E", reference=list(options["reference"]) or None)
    scaled = factors.apply(raw)
    if options["fit"] is not None:
        factors.write_factors(options["fit"])
    return raw, scaled


def _run_studies(table: xr.DataArray, schemes: tuple[str, ...], study: Any, options: dict[str, Any]) -> list[Any]:
    """Run a study for each number of topics."""
    from cranfield.standardization.schemes import DEFAULT_SCHEMES
    from cranfield.standardization.study import ALPHAS, study_standardization

    studies = []
    for topics in dict.fromkeys(options["topics"]) or [None]:
        what = "drawing topics" if topics is None else f"drawing {topics} topics"
        with show_progress(what, options["trials"]) as progress:
            trial = study_standardization(
                table,
                schemes or DEFAULT_SCHEMES,
                study,
                topics=topics,
                trials=options["trials"],
                alphas=tuple(dict.fromkeys(options["alphas"])) or ALPHAS,
                seed=options["seed"],
                dask=options["dask"],
                progress=progress,
            )
        studies.append(trial)
    return studies
