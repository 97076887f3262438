"""The mistakes that tools make, each with a name: a failing tool is told which of them explains its number."""

from __future__ import annotations

ERROR_CLASSES: dict[str, str] = {
    # the ideal list
    "ideal-from-top-k": "The ideal list holds only the documents that the run has in its first k ranks.",
    "ideal-from-retrieved": "The ideal list holds only documents that the run retrieved.",
    "ideal-as-long-as-list": "The ideal list is cut at the length of the run's list.",
    "ideal-ones-per-retrieved": "The ideal list has a gain of 1 at each rank that the run fills.",
    "ideal-k-ones": "The ideal list has a gain of 1 at each of k ranks.",
    "ideal-constant-gain": "The ideal list has the largest gain at the rank of each relevant document.",
    "ideal-unit-gain": "The ideal list has a gain of 1 for each relevant document, while the run's gains are graded.",
    "ideal-uncut": "The ideal list is not cut at k.",
    "ideal-exact": "The ideal list is the best of all, where the definition builds it greedily.",
    # gain and discount
    "gain-exponential": "The gain is 2^label - 1.",
    "gain-linear": "The gain is the label.",
    "labels-binary": "Every label above 0 counts as 1.",
    "discount-off-by-one": "The discount is max(1, log2(rank)): ranks 1 and 2 are not discounted.",
    "discount-natural-log": "The discount is ln(rank + 1).",
    "discount-rank": "The discount is the rank.",
    "negative-subtracted": "A label below 0 is subtracted from the sum of gains.",
    "clipped": "A label below 0 has no gain, where the measure subtracts it.",
    # order
    "ties-file-order": "Documents with equal scores stay in the order of the file.",
    "ties-docid-ascending": "Documents with equal scores are ordered by their identifiers, smallest first.",
    "ties-docid-descending": "Documents with equal scores are ordered by their identifiers, largest first.",
    "ties-docid-numeric": "Documents with equal scores are ordered by their identifiers as numbers, largest first.",
    "ties-expected": "The value is the mean over all orders of documents with equal scores.",
    "ties-best": "Documents with equal scores are in the best order.",
    "ties-worst": "Documents with equal scores are in the worst order.",
    "file-order": "Scores are ignored: the list is read in the order of the file.",
    "ascending-scores": "The smallest score is first.",
    "scores-as-float32": "Scores are rounded to single precision before they are ordered.",
    # denominators
    "precision-over-retrieved": "Precision is divided by the number of documents retrieved.",
    "ap-over-min-k-R": "Average precision is divided by the smaller of k and the number of relevant documents.",
    "ap-over-found": "Average precision is divided by the number of relevant documents retrieved.",
    "ap-over-k": "Average precision is divided by k.",
    "recall-capped": "Recall is divided by the smaller of k and the number of relevant documents.",
    "recall-of-found": "Recall is divided by the number of relevant documents retrieved.",
    "recall-over-k": "Recall is divided by k.",
    # topics
    "missing-skipped": "A topic that is missing in the run is left out of the mean.",
    "empty-lists-skipped": "A topic for which nothing was retrieved is left out of the mean.",
    "extra-topics-counted": "A topic without judgments counts.",
    "undefined-skipped": "A topic without a relevant document is left out of the mean.",
    "undefined-one": "A topic without a relevant document counts 1.",
    "undefined-zero": "A topic without a relevant document counts 0.",
    "arithmetic-mean": "The mean over topics is arithmetic, where the definition has a geometric one.",
    # relevance
    "rel-any-positive": "Every label above 0 is relevant.",
    "rel-strictly-above": "Only labels above the threshold are relevant.",
    "rel-any-judged": "Every judged document is relevant.",
    "rel-nonzero": "Every label but 0 is relevant, labels below 0 too.",
    "labels-truncated": "Labels are cut to whole numbers.",
    "unjudged-dropped": "Documents without a judgment are taken out of the list.",
    "unjudged-as-nonrelevant": "Documents without a judgment count as judged not relevant.",
    "duplicates-counted": "A document that is listed twice counts twice.",
    "duplicates-last": "A document that is listed twice has the score of its last line.",
    # cutoffs and parameters
    "cutoff-ignored": "The list is not cut at k.",
    "cutoff-short": "The list is cut at k - 1.",
    "rr-mean-over-relevant": "The reciprocal ranks of all relevant documents retrieved are averaged.",
    "rr-sum-over-relevant": "The reciprocal ranks of all relevant documents are summed, by the number of them.",
    "rank-from-zero": "The first rank is 0, and 1 is added too late or too early.",
    "max-grade-of-topic": "The largest label is the topic's, not the scale's.",
    "max-grade-four": "The largest label is taken to be 4.",
    "err-stop-linear": "The chance to stop is label / (largest label + 1).",
    "rbp-unscaled": "The sum is not multiplied by 1 - p.",
    "residual-without-tail": "The residual leaves out the ranks after the end of the list.",
    "q-without-gain": "The blended ratio has no gains in it: it is average precision.",
    "novelty-ignored": "A document that repeats an intent counts as if it were the first.",
    "empty-intents-counted": "Intents without a relevant document count.",
    "weights-ignored": "All intents weigh the same.",
}
"""Each class of mistakes, with the sentence that a failing tool's author reads."""


def list_mistakes() -> dict[str, str]:
    """The mistakes that have a name, each with a sentence: what a tool does that gives another value."""
    return dict(ERROR_CLASSES)
