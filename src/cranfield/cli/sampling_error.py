"""What ``cranfield evaluate --sampling-error`` prints: estimates from a sample of judgments, with their errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.collection.reading import Reading
    from cranfield.pooling.sampling import SampledScores

ERROR_FORMATS = ("table", "tsv", "csv", "json", "latex", "markdown")


def print_sampling_error(
    asked: tuple[str, Sequence[str], Sequence[str], Reading],
    format_: str,
    output: str | None,
    others: Mapping[str, object],
    *,
    by_topic: bool,
) -> None:
    """Print scores, errors, biases and intervals, of systems or of their topics.

    Args:
        asked: qrels, runs, measures, and how they are read.
        format_: of the output.
        output: its file, or None.
        others: options that print something else, by their names.
        by_topic: topics, not systems.

    Raises:
        UsageError: a format that cannot hold them, or one of the ``others`` is given.
    """
    from cranfield.cli.streams import present, progress_of, warnings_to_stderr
    from cranfield.pooling.sampling import MEASURES, estimate_sampling_error
    from cranfield.results.sheet import Sheet, mark_of

    _refuse(format_, others)
    qrels, runs, measures, reading = asked
    with warnings_to_stderr(), progress_of("reading runs", len(runs)) as progress:
        found = estimate_sampling_error(list(runs), qrels, measures or MEASURES, reading=reading, progress=progress)
    said = caption(found)
    if format_ in ("latex", "markdown"):
        said += f"; {mark_of(found.signature)}"
    rows = found.to_frame("topics" if by_topic else "systems")
    present(Sheet.of_frame(rows, said, found.signature), format_, output)


def caption(found: SampledScores) -> str:
    """What errors and intervals are about."""
    return (
        "error, bias: of the sample of judgments, by the jackknife; lower to upper: "
        f"{found.settings['level']:.0%} of score - bias, for these topics"
    )


def _refuse(format_: str, others: Mapping[str, object]) -> None:
    """Raises: UsageError: a format or an option that has no room for errors of sampling."""
    if format_ not in ERROR_FORMATS:
        word = "--flat" if format_ == "flat" else f"--format {format_}"
        raise UsageError(f"{word} has no room for errors of sampling: use {', '.join(ERROR_FORMATS)}")
    for option, value in others.items():
        if value:
            raise UsageError(f"--{option} and --sampling-error print different things: leave one of them out")
