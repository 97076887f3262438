"""``--scores`` of more topics than fit into memory, for commands that need no more than sums over topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.cli._scores_input import ScoresInput, refuse_several

if TYPE_CHECKING:
    from cranfield.streaming.parquet import StoredSet
    from cranfield.streaming.scores import StreamedScores


def open_measure_scores(scores: ScoresInput) -> StreamedScores | None:
    """Scores by one measure, read in blocks; None where they are better taken as ``scores.array``.

    Raises:
        InputError: a file is refused, or holds no such measure.
        UsageError: several measures, of which one must be chosen.
    """
    opened = open_stored_scores(scores)
    if opened is None:
        return None
    from cranfield.streaming.scores import StreamedScores

    refuse_several(opened[1])
    return StreamedScores.from_files(opened[0].by(opened[1][0]))


def open_all_scores(scores: ScoresInput) -> list[StreamedScores] | None:
    """Scores by every requested measure; None where they are better taken as ``scores.dataset``.

    Raises:
        InputError: a file is refused, or holds no such measure.
    """
    from cranfield.streaming.scores import StreamedScores

    opened = open_stored_scores(scores)
    return None if opened is None else [StreamedScores.from_files(opened[0].by(name)) for name in opened[1]]


def open_stored_scores(scores: ScoresInput) -> tuple[StoredSet, list[str]] | None:
    """Scores of more topics than are held in memory, and the requested measures; None where there are fewer topics.

    Raises:
        InputError: a file is refused, or holds no such measure.
    """
    if scores.group_scores is not None or scores.missing_scores is not None or len(scores.files) != 1:
        return None
    from cranfield.scores.matrix import names_of_effectiveness
    from cranfield.scores.measure_selection import called
    from cranfield.streaming.parquet import open_scores

    opened = open_scores(scores.files[0])
    if opened is None:
        return None
    names = {name: name for name in opened.measures}
    chosen = list(dict.fromkeys(name for requested in scores.measures for name in called(requested, names)))
    return opened, chosen or list(names_of_effectiveness(opened.measures, ": ask with -m to have it in"))
