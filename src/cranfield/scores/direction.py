"""Whether larger or smaller scores of a measure are better, and how that is known: a verdict never guesses it.

It is known of measures of this package, and of what the scores or the call say; some names say it by a word, as
``latency_ms`` or ``answer_relevancy``. Otherwise it is unknown: ``find_direction`` gives None.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

from cranfield._message import setting
from cranfield._text import quoted, shown
from cranfield.errors import InputError, UsageError
from cranfield.scores.scale import ENDS, Scale, is_known


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


SMALLER = _words(
    "latency latencies ms millis millisecond milliseconds sec secs second seconds runtime duration delay",
    "cost costs price prices tokens error errors loss perplexity ppl distance regret",
    "hallucination hallucinations toxicity rmse mse mae wer cer",
)
"""Words of names of which smaller values are better."""
SMALLER_TOGETHER = ("response time", "query time", "search time", "elapsed time", "wall time", "cpu time")
"""Words that say so together."""
LARGER = _words(
    "accuracy acc f1 recall precision ndcg dcg map mrr ap auc auroc hit hits success pass exactmatch em",
    "bleu rouge meteor bertscore faithfulness relevancy relevance correctness groundedness helpfulness",
    "similarity quality",
)
"""Words of names of which larger values are better."""
LARGER_TOGETHER = ("exact match",)
SCORE, BESIDE_SCORE = _words("score scores"), _words("strict vital all mean average avg overall")
"""A score by itself is better if it is larger; with another word beside it, that word may say what it counts."""
DOUBTFUL = _words(
    "no non not without free less reduction reduced saved saving savings avoided avoidance improvement",
    "inverse inverted inv negative neg minus anti detection detected drop decrease decline",
    "gap difference diff delta change variance var std stdev sd se ci rank count per",
)
"""Words beside which another one may mean the opposite, or something else."""
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
TURNED = re.compile(r"^\s*-|(?<![0-9])1\s*-")
"""Signs of a value that was negated: ``-loss``, ``1-error``."""

How = Literal["measure", "said", "name"]


class Direction(NamedTuple):
    """Which scores of a measure are better.

    Args:
        larger_is_better: whether larger ones are.
        how: that is known: it is a ``measure`` of this package; the scores or the call have ``said`` so; or its
            ``name`` says so.
    """

    larger_is_better: bool
    how: How

    @property
    def sentence(self) -> str:
        """For captions; nothing of a measure of this package, of which it is known."""
        if self.how == "measure":
            return ""
        better = "larger is better" if self.larger_is_better else "smaller is better"
        return better + ", by its name" * (self.how == "name")


def find_direction(name: str, *, larger_is_better: bool, said: bool) -> Direction | None:
    """The direction of a measure; None where nothing says it.

    Args:
        name: of the measure.
        larger_is_better: what its scores are taken for.
        said: whether the scores themselves say so, so that this is not a default.
    """
    if is_known(name):
        measure, _, end = name.rpartition(" ")
        fact = Scale.called(measure if end in ENDS else name).larger_is_better
        if not said or larger_is_better == fact:
            return Direction(fact, "measure")
    if said:
        return Direction(larger_is_better, "said")
    named = read_name(name)
    return None if named is None else Direction(named, "name")


def read_name(name: str) -> bool | None:
    """Whether larger is better, by the words of a name that no measure of this package has; None where they do not say.

    >>> [read_name(name) for name in ("latency_ms", "answerRelevancy", "tokens per second", "satisfaction")]
    [False, True, None, None]
    """
    measure, _, end = name.rpartition(" ")
    name = measure if end in ENDS else name
    split = [word.lower() for word in WORDS.findall(name)]
    whole = re.findall(r"[a-z0-9]+", name.lower())
    words, line = {*split, *whole}, f" {' '.join(split)} "
    if TURNED.search(name) or words & DOUBTFUL:
        return None
    smaller = bool(words & SMALLER) or any(f" {phrase} " in line for phrase in SMALLER_TOGETHER)
    larger = bool(words & LARGER) or any(f" {phrase} " in line for phrase in LARGER_TOGETHER)
    larger |= bool(words & SCORE) and words <= SCORE | BESIDE_SCORE
    # A score of something whose words say that less is better may count it, or invert it.
    if smaller == larger or (smaller and words & SCORE):
        return None
    return larger


def choose_directions(
    known: Mapping[str, Direction | None], larger: Collection[str], smaller: Collection[str]
) -> dict[str, Direction | None]:
    """The directions of measures, where a call says some of them.

    Args:
        known: measure -> its direction without that.
        larger: measures of which the call says that larger is better.
        smaller: those of which it says that smaller is.

    Raises:
        UsageError: a name is none of the measures, in both, or of a measure of which the opposite is known.
    """
    chosen = dict(known)
    for option, names, is_larger in (("larger_is_better", larger, True), ("smaller_is_better", smaller, False)):
        for name in [names] if isinstance(names, str) else names:
            if name not in known:
                raise UsageError(
                    f"{setting(option)}: {quoted(name)} is none of the measures {', '.join(map(shown, known))}"
                )
            before = known[name]
            if before is not None and before.how == "measure" and before.larger_is_better != is_larger:
                better = "larger" if before.larger_is_better else "smaller"
                raise UsageError(
                    f"{setting(option)}: {shown(name)} is a measure of which {better} is better: call other scores "
                    "otherwise"
                )
            if not is_larger and name in ([larger] if isinstance(larger, str) else larger):
                raise UsageError(f"{setting('larger_is_better')} and {setting('smaller_is_better')} both name {name}")
            if before is None or before.how != "measure":
                chosen[name] = Direction(is_larger, "said")
    return chosen


def require_directions(directions: Mapping[str, Direction | None], what: str) -> dict[str, Direction]:
    """The directions, all of which a verdict needs.

    Args:
        directions: measure -> its direction.
        what: needs them.

    Raises:
        InputError: nothing says the direction of a measure.
    """
    unknown = [name for name, direction in directions.items() if direction is None]
    if unknown:
        raise InputError(
            f"{what} needs to know whether larger or smaller is better, and nothing says so of "
            f"{', '.join(map(shown, unknown))}: give each of these names with {setting('larger_is_better')} or "
            f"{setting('smaller_is_better')}",
            code="no-direction",
            value=unknown[0],
        )
    return {name: direction for name, direction in directions.items() if direction is not None}
