"""ir_datasets: ``irds:ID`` wherever a file of judgments or topics may be named, its data sets, and their tuples.

``irds:ID#FIELD`` reads another field of the judgments as the label, such as ``quality``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from typing import Any, Protocol

from cranfield._optional import import_optional
from cranfield._text import cut, quoted, shown
from cranfield._validation import is_decimal
from cranfield.collection.word_labels import WordLabels, advise, read_word
from cranfield.errors import CranfieldError, InputError, UsageError

PREFIX = "irds:"
LABEL = "relevance"
KEYS = ("query_id", "doc_id", "iteration", "subtopic_id", "method", "iprob")
"""Fields of a judgment that are not labels."""

LoadedLabels = Mapping[str, Mapping[str, Any]]


class IrDataset(Protocol):
    """A data set that yields judgments one by one."""

    def qrels_iter(self) -> Iterable[Any]:
        """Tuples of judgments."""


class Judgment(Protocol):
    """A tuple of ir_datasets or ir_measures."""

    @property
    def query_id(self) -> str:
        """The topic."""

    @property
    def doc_id(self) -> str:
        """The document."""


def names_dataset(path: str) -> bool:
    """Return whether a data set is named, and no file."""
    return path.startswith(PREFIX)


def is_dataset(value: Any) -> bool:
    """Return whether an object gives judgments as data sets of ir_datasets do."""
    return callable(getattr(value, "qrels_iter", None))


def read_judgments(name: str, dataset: Any = None, labels: WordLabels = None) -> LoadedLabels:
    """The labels of a data set: topic -> document -> label, or topic -> intent -> document -> label.

    Args:
        name: ``irds:ID``, perhaps with ``#FIELD``.
        dataset: the object; looked up by its name where None.
        labels: the numbers of labels in words.

    Raises:
        InputError: there is no such data set, it holds no judgments, ir_datasets cannot read them, or they have no
            such field.
        MissingPackageError: ir_datasets is not installed.
    """
    dataset_name, _, field = name.partition("#")
    source = dataset_called(dataset_name) if dataset is None else dataset
    if not hasattr(source, "qrels_handler"):
        raise InputError("holds no judgments" + _below(dataset_name), name, code="empty")
    with reading(dataset_name):
        return read_labels(source.qrels_iter(), name, field, labels)


def official_measures(qrels: Any) -> list[str]:
    """The measures that a data set's documentation calls official; none where nothing is known.

    Args:
        qrels: judgments in any form.
    """
    if isinstance(qrels, str) and names_dataset(qrels):
        qrels = dataset_called(qrels.partition("#")[0])
    describe = getattr(qrels, "documentation", None)
    documentation = describe() if callable(describe) and is_dataset(qrels) else None
    official = (documentation or {}).get("official_measures") or []
    return [name for name in official if isinstance(name, str)]


def read_labels(rows: Iterable[Any], name: str, field: str = "", labels: WordLabels = None) -> LoadedLabels:
    """Labels from tuples with the fields ``query_id``, ``doc_id`` and ``relevance``, and perhaps field 2.

    Args:
        rows: of ir_datasets or ir_measures.
        name: of what holds them.
        field: that holds the label; ``relevance`` where empty.
        labels: the numbers of labels in words.

    Raises:
        InputError: there is no row, no such field, a label that is not a number, or two of one document.
    """
    rows = iter(rows)
    first = next(rows, None)
    if first is None:
        raise InputError("holds no judgments", name, code="empty")
    label, second = _fields(first, name, field)
    nested: dict[str, dict[str, dict[str, Any]]] = {}
    for number, row in enumerate(chain([first], rows), 1):
        value = read_word(getattr(row, label), labels)
        if isinstance(value, str) and is_decimal(value):
            value = float(value)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            text = (
                f"the {label} {shown(str(value))} of document {quoted(str(row.doc_id))} is not a number; name a field "
            )
            text += f"that holds labels: {name.partition('#')[0]}#FIELD{advise(value)}"
            raise InputError(text, f"{name}, row {number}", code="label", value=cut(str(value)))
        intent = str(getattr(row, second)) if second else "0"
        known = nested.setdefault(row.query_id, {}).setdefault(intent, {})
        if known.setdefault(row.doc_id, value) != value:
            text = (
                f"document {quoted(str(row.doc_id))} of topic {quoted(str(row.query_id))} has the labels "
                f"{known[row.doc_id]} and {value}: keep one of them, and give Qrels.from_dict(...)"
            )
            raise InputError(text, f"{name}, row {number}", code="conflict", value=cut(str(row.doc_id)))
    if all(set(intents) <= {"0", "Q0"} for intents in nested.values()) and all(
        len(intents_) == 1 for intents_ in nested.values()
    ):
        return {topic: next(iter(intents.values())) for topic, intents in nested.items()}
    return nested


def _fields(row: Any, name: str, field: str) -> tuple[str, str]:
    """The fields that hold the label, and field 2 or nothing."""
    names = tuple(getattr(row, "_fields", ()))
    if not {"query_id", "doc_id"} <= set(names):
        raise UsageError(f"{name}: a {type(row).__name__} is not a judgment, which has query_id, doc_id and relevance")
    labels = [column for column in names if column not in KEYS]
    if field and field not in labels:
        text = f"its judgments have no field {quoted(field)}; there are {', '.join(labels)}"
        raise InputError(text, name, code="column", value=cut(field))
    if not field and "iprob" in names:
        text = (
            "holds a sample of judgments with inclusion probabilities, which no measure here uses, and without them "
            f"scores would be biased; {name}#{LABEL} reads the labels alone"
        )
        raise InputError(text, name, code="sampled")
    if not field and LABEL not in names:
        text = f"its judgments have no {LABEL}; name a field: {name}#FIELD, of {', '.join(labels)}"
        raise InputError(text, name, code="column", value=LABEL)
    return field or LABEL, next((column for column in ("subtopic_id", "iteration") if column in names), "")


def dataset_called(name: str) -> Any:
    """A data set by ``irds:ID``.

    Raises:
        InputError: there is none of this name.
        MissingPackageError: ir_datasets is not installed.
    """
    dataset_id = name.removeprefix(PREFIX)
    package = import_optional("ir_datasets", name)
    try:
        return package.load(dataset_id)
    except KeyError:
        import difflib

        near = difflib.get_close_matches(dataset_id, list(package.registry), 2)
        hint = f"; did you mean {' or '.join(PREFIX + near_id for near_id in near)}?" if near else ""
        raise InputError(f"ir_datasets has no data set {quoted(dataset_id)}{hint}", name, code="missing-file") from None


def _below(name: str) -> str:
    """Data sets below one that have judgments."""
    package, above = import_optional("ir_datasets", name), name.removeprefix(PREFIX) + "/"
    inner = [
        dataset_id
        for dataset_id in package.registry
        if dataset_id.startswith(above) and hasattr(package.registry[dataset_id], "qrels_handler")
    ]
    return f"; there are some in {', '.join(PREFIX + dataset_id for dataset_id in sorted(inner)[:5])}" if inner else ""


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Word whatever ir_datasets raises while it reads a data set, which it downloads where it is not yet here.

    Raises:
        InputError: a file is missing, cannot be downloaded, or cannot be read.
    """
    try:
        yield
    except (CranfieldError, MemoryError):
        raise
    except FileNotFoundError as error:
        text = f"ir_datasets does not find {error.filename or error}, which it cannot download: its page says how"
        raise InputError(text, name, code="missing-file") from None
    except Exception as error:
        text = f"ir_datasets cannot download or read it: {shown(f'{type(error).__name__}: {error}', 200)}"
        raise InputError(text, name, code="unreadable") from error
