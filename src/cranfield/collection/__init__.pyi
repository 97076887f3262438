"""Public names of ``cranfield.collection``, from the modules that define them."""

from cranfield.collection.intent_weights import IntentWeights as IntentWeights
from cranfield.collection.policy import Policy as Policy
from cranfield.collection.preferences import Preferences as Preferences
from cranfield.collection.qrels import Qrels as Qrels
from cranfield.collection.rankings import Rankings as Rankings
from cranfield.collection.reading import InputOptions as InputOptions
from cranfield.collection.run import Run as Run
from cranfield.collection.topics import TopicText as TopicText
