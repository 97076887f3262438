"""Why measures of diversity do not obey laws that are stated for documents with one label each."""

from __future__ import annotations

from cranfield.measures._reasons import because

WORTH = "the intents decide what a document is worth, not a single label"
ORDER = because(WORTH, "swap", "exchange")
BY_INTENT = because(WORTH, "convergence", "top-weightedness") | ORDER
SHARED = because("intents that a document of the topic is relevant to share P(i|q)", "localization")
NO_INTENT = because("it needs an intent with a relevant document", "completeness") | because(
    "it depends on all intents, including those of documents that are not retrieved", "localization"
)
COVER = because("possibly no document is relevant to all intents", "realizability")
TWICE = because("its best list counts a navigational intent again and again", "realizability")
LEVEL = because("labels may cross rel", "shift invariance", "scale invariance")
COVERAGE = NO_INTENT | COVER | LEVEL
"""Of the share of intents that is covered, and of all that is made of it."""
DIVISOR = because("what it is divided by grows with k", "monotonicity")

UNKNOWN = "it looks at intents, and an unjudged document could be relevant to any of them"
"""Why there is no interval from missing judgments."""
