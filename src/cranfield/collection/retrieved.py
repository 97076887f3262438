"""Documents as retrievers and search engines return them: objects and dicts that hold an id and mostly a score.

They are known by their shape, whatever made them: documents of LangChain (``page_content``, ``metadata``), nodes of
LlamaIndex (``node``, ``score``), hits of Elasticsearch (``_id``, ``_score``), candidates of RankLLM and TREC RAG
(``query``, ``candidates``), samples of ragas (``retrieved_context_ids``), and dicts with an id. Objects in memory and
values of JSON are read alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeAlias

from cranfield._text import quoted, warn
from cranfield._validation import is_number
from cranfield.collection.column_names import DISTANCES, NAMES, known_as
from cranfield.collection.ids import quoted_id
from cranfield.errors import InputError

Ranked: TypeAlias = dict[Any, Any]
"""Topic -> its documents: ids, best first; pairs of an id and a score; or of judgments id -> label."""
Kind = Literal["run", "qrels"]

LISTS: dict[Kind, tuple[str, ...]] = {
    "run": (
        *("retrieved_context_ids", "docids", "doc_ids", "docnos", "document_ids", "retrieved_ids", "retrieved_docs"),
        *("candidates", "hits", "results", "documents", "retrieved", "ranking"),
    ),
    "qrels": (
        *("reference_context_ids", "docids", "doc_ids", "docnos", "document_ids", "relevant_ids", "relevant_docs"),
        *("relevant_documents", "relevant"),
    ),
}
"""Names under which a row of a topic lists its documents."""
NUMBERS: dict[Kind, tuple[str, ...]] = {"run": ("scores", "similarities"), "qrels": ("labels", "relevances", "grades")}
"""Names under which it lists their numbers."""
TOPICS = (*NAMES["topic"], "user_input", "question", "query_text")
IDS = (*NAMES["document"], "_id", "id", "id_", "node_id", "chunk_id")
SCORES: dict[Kind, tuple[str, ...]] = {
    "run": ("score", "_score", "similarity", "relevance_score"),
    "qrels": ("label", "relevance", "rel", "grade", "rating", "score"),
}
ATTRIBUTES = ("page_content", "node", "metadata", "meta")
"""Attributes of objects that are documents, besides ids: the last is that of Elasticsearch's language of queries."""
ROW = "{topic: [(hit.id, hit.score) for hit in hits] for topic, hits in results.items()}"
"""The line of code that makes of any results what is read."""


@dataclass(frozen=True)
class Hit:
    """A document of a list.

    Args:
        document: its id.
        score: or label; None where it has none.
        own: another id of the same object, where the document's is in its metadata.
    """

    document: Any
    score: Any = None
    own: Any = None


def read_retrieved(value: Any, kind: Kind, name: str) -> Ranked | None:
    """Topic -> documents with their numbers; None of a value that holds none that a retriever returned.

    Args:
        value: results by topic, or a list of rows each of which lists the documents of a topic.
        kind: what is wanted of it.
        name: what it is called in messages.

    Raises:
        InputError: such a document has no id, some have a score and others none, the scores rise along all lists, or
            nothing says which topics the results are of.
    """
    refuse_without_topics(value, name)
    if not holds_retrieved(value, kind):
        refuse_without_lists(value, kind, name)
        return None
    if isinstance(value, Mapping):
        return _number({topic: _hits_in(hits) for topic, hits in value.items()}, kind, name)
    return _number(dict(_read_topics(getattr(value, "samples", value), kind, name)), kind, name)


def holds_retrieved(value: Any, kind: Kind) -> bool:
    """Return whether a value has the shape of what retrievers return, see ``read_retrieved``."""
    if isinstance(value, Mapping):
        return bool(value) and all(map(_is_list_of_hits, value.values()))
    samples = getattr(value, "samples", value)  # the data set of ragas
    return isinstance(samples, (list, tuple)) and bool(samples) and lists_documents(samples[0], kind)


def refuse_without_topics(value: Any, name: str) -> None:
    """Raises: InputError: results that do not say which topics they are of, or an error in place of a topic's."""
    body = _body(value)
    if isinstance(body, Mapping):
        ids, hits = body.get("ids"), body.get("hits")
        if isinstance(body.get("responses"), list):
            _refuse_unnamed("responses without their topics", "dict(zip(topics, responses['responses']))", name)
        if isinstance(ids, list) and ids and isinstance(ids[0], list):
            _refuse_unnamed("lists of ids without their topics", "dict(zip(topics, results['ids']))", name)
        others = not all(map(_is_list_of_hits, body.values()))
        if _search_hits(body) is not None and (others or isinstance(hits, Mapping)):
            _refuse_unnamed("a response without its topic", "{topic: response}", name)
        for topic, inner in body.items():
            failed = _body(inner)
            if isinstance(failed, Mapping) and isinstance(failed.get("error"), Mapping) and "status" in failed:
                text = f"topic {quoted_id(topic)}: the response is an error, {quoted(str(failed['error'].get('type')))}"
                raise InputError(f"{text}: search again, or leave the topic out", name, code="fields")
    elif isinstance(value, (list, tuple)) and value and not isinstance(value[0], Mapping):
        if _is_list_of_hits(value[0]) and value[0]:
            _refuse_unnamed("results without their topics", "dict(zip(topics, results))", name)
        if not (isinstance(value[0], (list, tuple)) or hasattr(value[0], "keys")) and _is_hit(value[0]):
            _refuse_unnamed("documents without their topic", "{topic: documents}", name)


def _refuse_unnamed(found: str, line: str, name: str) -> NoReturn:
    raise InputError(f"{found}: give {line}", name, code="fields")


def refuse_without_lists(value: Any, kind: Kind, name: str) -> None:
    """Raises: InputError: rows of a topic each, none of whose lists has a name that lists of documents have."""
    samples = getattr(value, "samples", value)
    first = samples[0] if isinstance(samples, (list, tuple)) and samples else None
    if _find_topic(first) is None or _first(first, NAMES["document"]) is not None:
        return
    fields = first if isinstance(first, Mapping) else getattr(first, "__dict__", {})
    held = [str(key) for key, inner in fields.items() if isinstance(inner, (list, tuple))]
    if held:
        text = (
            f"the row has a topic, and no list of ids of documents under a name that is known "
            f"({', '.join(LISTS[kind])}); its lists are {', '.join(map(quoted, held[:8]))}: rename one of them"
        )
        raise InputError(text, f"{name}, row 1", code="fields", value=held[0][:80])


def _number(lists: Mapping[Any, Sequence[Any]], kind: Kind, name: str) -> Ranked:
    """The documents of each topic with their numbers, where they have some."""
    read: dict[Any, list[Hit]] = {}
    for topic, entries in lists.items():
        where = f"{name}, topic {quoted_id(topic)}"
        read[topic] = [_read_hit(entry, kind, f"{where}, rank {rank}") for rank, entry in enumerate(entries, 1)]
    every = [hit for hits in read.values() for hit in hits]
    scored = sum(hit.score is not None for hit in every)
    if 0 < scored < len(every):
        topic, rank = next((t, r) for t, hits in read.items() for r, hit in enumerate(hits, 1) if hit.score is None)
        text = (
            f"{scored:,} of {len(every):,} documents have a score, and rank {rank} of topic {quoted_id(topic)} has "
            "none: give one to all, or to none"
        )
        raise InputError(text, name, code="score")
    if kind == "run" and scored:
        _refuse_rising(read, name)
    other = next((hit for hit in every if hit.own is not None), None)
    if other is not None:
        warn(
            f"{name}: the ids of documents are those of their metadata, such as {quoted_id(other.document)}, and not "
            f"their own, {quoted_id(other.own)}"
        )
    if not scored:
        return {topic: [hit.document for hit in hits] for topic, hits in read.items()}
    if kind == "qrels":
        return {topic: {hit.document: hit.score for hit in hits} for topic, hits in read.items()}
    return {topic: [(hit.document, hit.score) for hit in hits] for topic, hits in read.items()}


def _refuse_rising(lists: Mapping[Any, Sequence[Hit]], name: str) -> None:
    """Raises: InputError: scores rise along all lists, as distances do."""
    scores = [[hit.score for hit in hits] for hits in lists.values()]
    if not all(is_number(score) for row in scores for score in row):
        return
    differing = [row for row in scores if len(set(row)) > 1]
    if differing and all(row == sorted(row) for row in differing):
        text = (
            "the scores rise along every list, as distances do, of which smaller is nearer: give minus the distance "
            "as the score, or the documents without scores, best first"
        )
        raise InputError(text, name, code="score", value=repr(differing[0][0]))


def lists_documents(row: Any, kind: Kind) -> bool:
    """Return whether a row names a topic and lists its documents."""
    key = _find_list(row, kind)
    return key is not None and _find_topic(row) is not None and isinstance(_get(row, key), (list, tuple))


def _find_list(row: Any, kind: Kind) -> str | None:
    """The name under which a row lists documents; where other tools have one name for two things, also an id's."""
    names = (*LISTS[kind], *NAMES["document"])
    return next((key for key in names if isinstance(_get(row, key), (list, tuple))), None)


def _find_topic(row: Any) -> Any:
    """The topic of a row: an id, or the id or the text of its query."""
    topic = _first(row, TOPICS)
    return topic if topic is None or isinstance(topic, (str, int)) else _first(topic, ("qid", "id", "text"))


def _read_topics(rows: Sequence[Any], kind: Kind, name: str) -> Iterator[tuple[Any, list[Any]]]:
    """Each topic with its documents.

    Raises:
        InputError: a row without a list, a topic that is there twice, or numbers that are not as many as documents.
    """
    seen = set()
    for number, row in enumerate(rows, 1):
        key, topic, where = _find_list(row, kind), _find_topic(row), f"{name}, row {number}"
        if key is None or topic is None:
            raise InputError(
                "the row does not list the documents of a topic, as the first one does", where, code="fields"
            )
        if topic in seen:
            text = f"topic {quoted_id(topic)} has a list already; give one of each topic, or ids to topics"
            raise InputError(text, where, code="duplicate", value=str(topic)[:80])
        seen.add(topic)
        documents = list(_get(row, key))
        numbers = _first(row, NUMBERS[kind])
        if numbers is None:
            yield topic, documents
            continue
        if not isinstance(numbers, (list, tuple)) or len(numbers) != len(documents):
            text = f"topic {quoted_id(topic)} lists {len(documents):,} documents and not as many {NUMBERS[kind][0]}"
            raise InputError(text, where, code="fields", value=str(topic)[:80])
        yield topic, list(zip(documents, numbers, strict=True))


def _is_list_of_hits(value: Any) -> bool:
    """Return whether a topic holds what a retriever returned, and neither ids alone nor something else."""
    if (inner := _search_hits(value)) is not None:
        return all(map(_is_hit, inner))
    return isinstance(value, (list, tuple)) and all(map(_is_hit, value)) and (not value or _is_rich(value[0]))


def _hits_in(value: Any) -> Sequence[Any]:
    inner = _search_hits(value)
    hits: Sequence[Any] = value if inner is None else inner
    return hits


def _search_hits(value: Any) -> list[Any] | None:
    """The hits of a response of Elasticsearch or OpenSearch; None of anything else."""
    body = _body(value)
    outer = body.get("hits") if isinstance(body, Mapping) else None
    inner = outer.get("hits") if isinstance(outer, Mapping) else outer  # or of response["hits"]
    return inner if isinstance(inner, list) else None


def _body(value: Any) -> Any:
    """The dict that a response of a client holds, of Elasticsearch's or its language of queries; other values as is."""
    if hasattr(getattr(value, "hits", None), "hits") and hasattr(value, "to_dict"):
        return value.to_dict()
    return getattr(value, "body", value)


def _is_rich(entry: Any) -> bool:
    """Return whether an entry is more than an id and perhaps its score."""
    first = entry[0] if isinstance(entry, tuple) and entry else entry
    return not isinstance(first, (str, int))


def _is_hit(entry: Any) -> bool:
    """Return whether an entry of a list is a document with its fields: not a run, not a row with its topic."""
    if isinstance(entry, tuple) and len(entry) == 2:
        entry = entry[0]
    if isinstance(entry, Mapping):
        nested = any(isinstance(value, Mapping) for key, value in entry.items() if key in IDS)
        has_id = any(key in entry for key in (*IDS, "metadata", "doc"))
        return has_id and not nested and not any(known_as(str(key)) in NAMES["topic"] for key in entry)
    return any(hasattr(entry, name) for name in (*ATTRIBUTES, "docid", "doc_id", "document_id"))


def _read_hit(entry: Any, kind: Kind, where: str) -> Hit:
    """The id and the number of a document.

    Raises:
        InputError: it has no id, or a distance in place of a score.
    """
    if isinstance(entry, (str, int)):
        return Hit(entry)
    if isinstance(entry, (tuple, list)) and len(entry) == 2:
        document, own = _read_ids(entry[0], where) if _is_rich(entry) else (entry[0], None)
        return Hit(document, entry[1], own)
    meta = getattr(entry, "meta", None)  # of a hit whose other attributes are fields of the document
    if (name := getattr(meta, "id", None)) is not None:
        return Hit(name, getattr(meta, "score", None))
    node = _get(entry, "node")
    document, own = _read_ids(entry if node is None else node, where)
    score = _first(entry, SCORES[kind])
    if score is None and (key := next((key for key in DISTANCES if is_number(_get(entry, key))), None)):
        text = f"there is a {key} and no score, and smaller ones are nearer: give minus the {key} as the score"
        raise InputError(text, where, code="score", value=key)
    return Hit(document, score, own)


def _read_ids(holder: Any, where: str) -> tuple[Any, Any]:
    """The id of a document, that of its metadata before that of the object, and the object's where it is another.

    Raises:
        InputError: there is none.
    """
    own, metadata = _first(holder, IDS), _get(holder, "metadata")
    named = _first(metadata, IDS) if isinstance(metadata, Mapping) else None
    if named is not None:
        return named, None if own in (None, named) else own
    if own is not None:
        return own, None
    known = list(metadata) if isinstance(metadata, Mapping) else list(holder) if isinstance(holder, Mapping) else []
    held = f"it has {', '.join(map(quoted, map(str, known[:8])))}" if known else "it has none of its own"
    text = (
        f"a {type(holder).__name__} without the id of its document ({', '.join(IDS[:6])}, ..., or one of these in its "
        f"metadata); {held}: give {ROW}"
    )
    raise InputError(text, where, code="id", value=type(holder).__name__)


def _first(holder: Any, names: Sequence[str]) -> Any:
    """Return the value of the first of these names that has one; None where none has."""
    return next((value for name in names if (value := _get(holder, name)) is not None), None)


def _get(holder: Any, name: str) -> Any:
    """Return the value of a key of a dict, or of an attribute of an object; None where there is none."""
    return holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)
