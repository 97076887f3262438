"""Public names of ``cranfield.io``, from the modules that define them."""

from cranfield.io.ntcir import read_intent_weights as read_intent_weights
from cranfield.io.preferences import read_preferences as read_preferences
from cranfield.io.topic_files import read_topics as read_topics
from cranfield.io.trec import read_qrels as read_qrels
from cranfield.io.trec import read_run as read_run
from cranfield.io.trec import write as write
