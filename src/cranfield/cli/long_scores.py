"""``--scores`` of more topics than are held, for commands that need no more than sums over topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.cli.scores_option import ScoresInput, refuse_several

if TYPE_CHECKING:
    from cranfield.scoring.long_scores import LongScores


def long_scores_of(scores: ScoresInput) -> LongScores | None:
    """Scores by one measure, to be gone through in blocks; None where they are better taken as ``scores.array``.

    Raises:
        InputError: a file is refused, or holds no such measure.
        UsageError: several measures, of which one must be chosen.
    """
    if scores.of_group is not None or len(scores.files) != 1:
        return None
    from cranfield.scores.choosing import called
    from cranfield.scores.matrix import names_of_effectiveness
    from cranfield.scores.opening import open_scores
    from cranfield.scoring.long_scores import LongScores

    held = open_scores(scores.files[0])
    if held is None:
        return None
    names = {name: name for name in held.measures}
    chosen = list(dict.fromkeys(name for asked in scores.measures for name in called(asked, names)))
    chosen = chosen or names_of_effectiveness(held.measures, ": ask with -m to have it in")
    refuse_several(chosen)
    return LongScores.stored(held.by(chosen[0]))
