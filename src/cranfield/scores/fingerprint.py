"""SHA-256 of what scores were made from."""

from __future__ import annotations

from cranfield.collection.intent_weights import IntentWeights
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run


def fingerprint(data: Run | Qrels | IntentWeights) -> str:
    """SHA-256 of the bytes that were read, as they lie on disk, or of the content where it was made in memory."""
    return data.sha256 or data.digest
