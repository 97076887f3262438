"""What topics ask: files of TREC (SGML, XML), lines with tabs or commas, JSON, data sets of ir_datasets, and dicts."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(__name__, {"TopicsLike": "reading", "read_topics": "reading"})
