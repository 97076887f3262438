"""``--scores`` of more topics than are held, for commands that need no more than sums over topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.cli._scores_input import ScoresInput, refuse_several

if TYPE_CHECKING:
    from cranfield.streaming.parquet import StoredSet
    from cranfield.streaming.scores import StreamedScores


def long_scores_of(scores: ScoresInput) -> StreamedScores | None:
    """Scores by one measure, to be gone through in blocks; None where they are better taken as ``scores.array``.

    Raises:
        InputError: a file is refused, or holds no such measure.
        UsageError: several measures, of which one must be chosen.
    """
    held = opened_scores(scores)
    if held is None:
        return None
    from cranfield.streaming.scores import StreamedScores

    refuse_several(held[1])
    return StreamedScores.from_files(held[0].by(held[1][0]))


def all_long_scores(scores: ScoresInput) -> list[StreamedScores] | None:
    """Scores by every measure asked for; None where they are better taken as ``scores.dataset``.

    Raises:
        InputError: a file is refused, or holds no such measure.
    """
    from cranfield.streaming.scores import StreamedScores

    held = opened_scores(scores)
    return None if held is None else [StreamedScores.from_files(held[0].by(name)) for name in held[1]]


def opened_scores(scores: ScoresInput) -> tuple[StoredSet, list[str]] | None:
    """Scores of more topics than are held, and the measures of theirs that were asked for; None where they are fewer.

    Raises:
        InputError: a file is refused, or holds no such measure.
    """
    if scores.of_group is not None or scores.missing_scores is not None or len(scores.files) != 1:
        return None
    from cranfield.scores.matrix import names_of_effectiveness
    from cranfield.scores.measure_selection import called
    from cranfield.streaming.parquet import open_scores

    held = open_scores(scores.files[0])
    if held is None:
        return None
    names = {name: name for name in held.measures}
    chosen = list(dict.fromkeys(name for asked in scores.measures for name in called(asked, names)))
    return held, chosen or list(names_of_effectiveness(held.measures, ": ask with -m to have it in"))
