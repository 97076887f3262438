"""The nouns: Run, Qrels, the pool of each topic, and Rankings (runs seen through qrels). No file is opened here."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "IntentWeights": "intent_weights",
        "Policy": "policy",
        "Preferences": "preferences",
        "Qrels": "qrels",
        "Rankings": "rankings",
        "InputOptions": "reading",
        "Run": "run",
        "TopicText": "topics",
    },
)
