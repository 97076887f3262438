"""``cranfield standardize``: scores relative to what systems reach on the same topic, and a study of the schemes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield._text import Remark, shown
from cranfield.cli._command import command_of_runs
from cranfield.cli._options import cluster_option, format_option_of, output_option
from cranfield.cli._scores_input import ScoresInput, scores_input
from cranfield.cli._streamed_scores import open_stored_scores
from cranfield.cli._topic_groups import by_topic_groups
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import xarray as xr

    from cranfield.streaming.parquet import StoredSet

OF_STUDY = ("topics", "trials", "alphas", "seed", "cluster")
OF_SCALE = ("reference", "fit", "factors", "by_topic")
OPTION = {"alphas": "alpha", "reference": "reference-system"}
"""Options that are called otherwise than what they set."""


@command_of_runs()
@scores_input
@by_topic_groups()
@click.option(
    "--scheme",
    "-s",
    "schemes",
    multiple=True,
    metavar="SCHEME",
    help="E (empirical distribution), N (normal), U or U(A=0.15,B=0.5) (clipped line), z, raw, or a distribution of "
    "scipy.stats such as t(5); repeat for more in a study.  [default: E, or that of --factors; in a study raw, N, U, z "
    "and E]",
)
@click.option(
    "--reference-system",
    "reference",
    metavar="SYSTEM",
    multiple=True,
    help="Learn from this system; repeat.  [default: all]",
)
@click.option("--fit", metavar="FILE", help="Keep what was learnt in this file (JSON).")
@click.option("--factors", metavar="FILE", help="Learn nothing: use what --fit kept.")
@click.option(
    "--study",
    type=click.Choice(["within", "between"]),
    help="Draw topics again and again: do schemes change comparisons within a collection, or between two?",
)
@click.option(
    "--topics",
    type=click.IntRange(2),
    multiple=True,
    help="Topics of a draw in a study; repeat to see how many are needed.  [default: 50, or half of fewer]",
)
@click.option("--trials", type=click.IntRange(1), default=10_000, show_default=True, help="Draws of a study.")
@click.option(
    "--alpha",
    "alphas",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    multiple=True,
    help="Level of significance in a study; repeat for more.  [default: .001 to .009, .01 to .1]",
)
@cluster_option
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same draws.")
@click.option("--by-topic", "-q", is_flag=True, help="Every topic, not only the mean.")
@format_option_of(
    ["table", "tsv", "csv", "json", "matrix", "parquet"],
    "How to print; a matrix has topics in rows and systems in columns, and parquet is a folder of files, or one, "
    "for very many topics: -o scaled/.",
)
@output_option
def standardize(
    scores: ScoresInput,
    schemes: tuple[str, ...],
    study: Any,
    format_: str,
    output: str | None,
    **given: Any,
) -> None:
    """Put scores on a scale that hard and easy topics share.

    A score becomes the share of reference systems that it reaches on the topic (scheme E), or another view of it. The
    reference systems are those given, or those that --fit learnt from earlier, so that later systems stand on
    the same scale.
    """
    from cranfield.cli._output import check_place, emit, present, warnings_to_stderr
    from cranfield.cli._standardization_text import leaderboard_of, study_as_text
    from cranfield.scores.files import scores_as_text

    format_ = _form(format_, output, study)
    _check(schemes, study, format_, given)
    if scores.of_group is not None and given["fit"] is not None:
        raise UsageError("--fit keeps what was learnt on all topics, not on groups of them: leave --topic-groups out")
    check_place(output, folder=format_ == "parquet")
    check_place(given["fit"])
    if study is not None:
        with warnings_to_stderr() as gathered:
            table = scores.array(gathered)
        text = study_as_text(_studies(table, schemes, study, given), format_, plain=output is not None)
    elif format_ == "parquet":
        with warnings_to_stderr() as gathered:
            _write_parquet(scores, gathered, schemes, str(output), given)
        return
    elif (held := _held(scores, given, ranges=False) if format_ in ("tsv", "csv", "matrix") else None) is not None:
        with warnings_to_stderr():
            emit(_text_of(held, format_, schemes, given), output)
        return
    else:
        with warnings_to_stderr() as gathered:
            raw, scaled = _scaled(scores, gathered, schemes, given)
        if format_ == "table":
            text = leaderboard_of(raw, scaled, by_topic=given["by_topic"], plain=output is not None)
        else:
            text = scores_as_text(scaled, format_, by_topic=given["by_topic"])
    present(text, format_, output)


def _form(format_: str, output: str | None, study: str | None) -> str:
    """How scores are written, also by the name of a folder.

    Raises:
        UsageError: Parquet without a place, or of a study.
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


def _write_parquet(
    scores: ScoresInput, gathered: list[Remark], schemes: tuple[str, ...], output: str, given: dict[str, Any]
) -> None:
    """Standardized scores of topics; of very many, which are not held, a block at a time."""
    from cranfield.scores.files import write_scores
    from cranfield.standardization.streamed import standardize_stored

    held = None if output.endswith(".parquet") else _held(scores, given, ranges=True)
    if held is None:
        write_scores(_scaled(scores, gathered, schemes, given)[1], output, format="parquet")
        return
    standardize_stored(*held, output, *schemes, reference=list(given["reference"]) or None)


def _held(scores: ScoresInput, given: dict[str, Any], *, ranges: bool) -> tuple[StoredSet, list[str]] | None:
    """Scores of very many topics, and the measures asked for, where factors are neither given nor kept.

    None too where a measure is the end of a range, unless ``ranges`` are taken end by end.
    """
    from cranfield.scores.scale import ENDS

    held = open_stored_scores(scores) if given["factors"] is None and given["fit"] is None else None
    if held is None or (not ranges and any(name.rpartition(" ")[2] in ENDS for name in held[1])):
        return None
    return held


def _text_of(
    held: tuple[StoredSet, list[str]], format_: Any, schemes: tuple[str, ...], given: dict[str, Any]
) -> Iterator[bytes]:
    """Standardized scores of very many topics, some at a time."""
    from cranfield.standardization.streamed import standardized_text

    reference = list(given["reference"]) or None
    return standardized_text(*held, format_, *schemes, reference=reference, by_topic=given["by_topic"])


def _check(schemes: tuple[str, ...], study: str | None, format_: str, given: dict[str, Any]) -> None:
    """Raises: UsageError: options that do not go together, before anything is read."""
    context = click.get_current_context()

    def options(names: tuple[str, ...]) -> list[str]:
        named = (name for name in names if context.get_parameter_source(name) is ParameterSource.COMMANDLINE)
        return ["--" + OPTION.get(name, name).replace("_", "-") for name in named]

    if study is None:
        if options(OF_STUDY):
            raise UsageError(f"{options(OF_STUDY)[0]} belongs to --study within or between")
        if len(schemes) > 1:
            raise UsageError(f"scores have one scheme, not {len(schemes)} ({', '.join(map(shown, schemes))})")
        if given["factors"] is not None and (given["fit"] is not None or given["reference"]):
            raise UsageError("--factors FILE learns nothing: leave out --fit and --reference-system")
    else:
        if options(OF_SCALE):
            raise UsageError(f"{options(OF_SCALE)[0]} does not go with --study, which learns from all systems")
        if format_ == "matrix":
            raise UsageError("--format matrix is of scores: a study has tsv, csv and json")


def _scaled(
    scores: ScoresInput, gathered: list[Remark], schemes: tuple[str, ...], given: dict[str, Any]
) -> tuple[xr.Dataset, xr.Dataset]:
    """Raw and standardized scores; what was learnt is kept only where all went well."""
    from cranfield.findings.location import STDIN
    from cranfield.standardization.factors import fit_standardization, read_factors
    from cranfield.standardization.schemes import parse_scheme

    if given["factors"] == STDIN and STDIN in (scores.runs.qrels, *scores.runs.files, *scores.files):
        raise UsageError("standard input (-) can be the factors or the scores, not both")
    scheme = parse_scheme(schemes[0]) if schemes else None
    kept = None if given["factors"] is None else read_factors(given["factors"], scheme=scheme)
    raw = scores.dataset(gathered)
    factors = kept or fit_standardization(raw, scheme or "E", reference=list(given["reference"]) or None)
    scaled = factors.apply(raw)
    if given["fit"] is not None:
        factors.write_factors(given["fit"])
    return raw, scaled


def _studies(table: xr.DataArray, schemes: tuple[str, ...], study: Any, given: dict[str, Any]) -> list[Any]:
    """One study for each number of topics."""
    from cranfield.cli._output import progress_of
    from cranfield.standardization.schemes import DEFAULT_SCHEMES
    from cranfield.standardization.study import ALPHAS, study_standardization

    studies = []
    for topics in dict.fromkeys(given["topics"]) or [None]:
        what = "drawing topics" if topics is None else f"drawing {topics} topics"
        with progress_of(what, given["trials"]) as progress:
            trial = study_standardization(
                table,
                schemes or DEFAULT_SCHEMES,
                study,
                topics=topics,
                trials=given["trials"],
                alphas=tuple(dict.fromkeys(given["alphas"])) or ALPHAS,
                seed=given["seed"],
                cluster=given["cluster"],
                progress=progress,
            )
        studies.append(trial)
    return studies
