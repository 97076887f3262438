"""Topics of the data sets of ir_datasets."""

from __future__ import annotations

from cranfield.errors import InputError
from cranfield.io import irds
from cranfield.io.topics.fields import Row, topic_of


def topics_of_dataset(name: str) -> list[Row]:
    """The topics of a data set that was named.

    Args:
        name: ``irds:ID``.

    Raises:
        InputError: there is no such data set, it holds no topics, or they are not on this machine.
        UsageError: ir_datasets is not installed.
    """
    found = irds.dataset_called(name)
    if not hasattr(found, "queries_handler"):
        raise InputError("holds no topics", name, code="empty")
    rows = []
    with irds.without_downloads(name, "queries"):
        for query in found.queries_iter():
            fields = query._asdict()
            told = getattr(query, "default_text", None)
            said = told() if callable(told) else None
            rows.append(topic_of(fields, str(fields.pop("query_id")), query=said))
    return rows
