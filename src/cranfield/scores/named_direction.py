"""Names of measures that say whether larger or smaller is better, as ``latency_ms`` or ``answer_relevancy``."""

from __future__ import annotations

import re

ENDS = ("lower", "upper")
"""Ends of the interval of a score, in this order everywhere; "AP lower" is the least that AP could be."""


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
NEGATED = re.compile(r"^\s*-|(?<![0-9])1\s*-")
"""Signs of a value that was negated: ``-loss``, ``1-error``."""


def read_name(name: str) -> bool | None:
    """Read from the words of a name whether larger is better; None where they do not say.

    >>> [read_name(name) for name in ("latency_ms", "answerRelevancy", "tokens per second", "satisfaction")]
    [False, True, None, None]
    """
    measure, _, end = name.rpartition(" ")
    name = measure if end in ENDS else name
    split = [word.lower() for word in WORDS.findall(name)]
    whole = re.findall(r"[a-z0-9]+", name.lower())
    words, line = {*split, *whole}, f" {' '.join(split)} "
    if NEGATED.search(name) or words & DOUBTFUL:
        return None
    smaller = bool(words & SMALLER) or any(f" {phrase} " in line for phrase in SMALLER_TOGETHER)
    larger = bool(words & LARGER) or any(f" {phrase} " in line for phrase in LARGER_TOGETHER)
    larger |= bool(words & SCORE) and words <= SCORE | BESIDE_SCORE
    # A score of something whose words say that less is better may count it, or invert it.
    if smaller == larger or (smaller and words & SCORE):
        return None
    return larger
