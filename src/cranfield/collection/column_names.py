"""Columns by the names that tools and collections give them: the one table of them, for frames, tuples and files.

The names are those of TREC and ir_measures, PyTerrier, ranx, BEIR and HuggingFace, and of recommenders (RePlay,
RecTools). A column is recognised by its name alone: as a caller names it, as it is spelled here, or, where there is no
such column, in another case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from cranfield._message import name_value
from cranfield._text import quoted
from cranfield.errors import InputError, UsageError

ColumnNames = Mapping[str, str] | None
"""Role -> name of its column, where a caller names it."""

NAMES: dict[str, tuple[str, ...]] = {
    "topic": ("qid", "query_id", "query-id", "q_id", "query", "user_id", "userID", "topic", "topic_id"),
    "document": (
        "docno",
        "doc_id",
        "docid",
        "doc",
        "corpus-id",
        "corpus_id",
        "item_id",
        "itemID",
        "document",
        "document_id",
    ),
    "score": ("score", "rating", "prediction", "similarity"),
    "label": ("label", "relevance", "rel", "score"),
    "rank": ("rank",),
    "intent": ("iteration", "intent", "subtopic_id"),
    "system": ("system",),
    "probability": ("probability", "weight", "p"),
    "better": ("better",),
    "worse": ("worse",),
    "type": ("type",),
}
"""Role of a column -> the names that tools give it."""

KNOWN = frozenset(name for names in NAMES.values() for name in names)
SYSTEMS = (
    "system",
    *("system_id", "system_name", "model", "model_id", "model_name", "method", "ranker", "retriever"),
    *("run", "run_id", "runid", "run_name", "run_tag", "tag"),
)
"""Columns that may name the system of each row. Only ``system`` does so by its name alone: the values of the others are
looked at, so that the rows of two systems are never read as those of one."""
RANKS = ("rank", "position", "pos", "place")
"""Names of ranks: the smaller such a number, the better the document, unlike a score."""

DISTANCES = ("distance", "dist", "l2_distance", "cosine_distance", "euclidean_distance", "_distance")
"""Names of numbers of which smaller ones are nearer, unlike scores."""

_IDS = ("docno", "doc_id", "docid", "corpus-id", "corpus_id", "item_id", "itemID", "document_id")
BESIDE = {
    "query": tuple(name for name in NAMES["topic"] if name != "query"),  # its text
    "topic": ("topic_id",),  # its text
    "docid": ("docno",),  # PyTerrier's own number of a document
    "doc": _IDS,  # its text
    "document": _IDS,
}
"""A name that means something else beside one of these."""

LABELLED = {("query-id", "corpus-id"), ("query_id", "corpus_id"), ("q_id", "doc_id")}
"""Topics and documents of BEIR, HuggingFace and ranx, whose judgments are called ``score``."""

WANTED = {
    "score": (("topic", "document", "score"), ("rank", "system")),
    "label": (("topic", "document", "label"), ("intent",)),
    "weight": (("topic", "intent", "probability"), ("type",)),
    "preference": (("topic", "better", "worse"), ()),
}
"""Kind of rows -> the roles that they must have, and those that they may have."""
NAMEABLE = ("score", "label")
"""Kinds whose columns a caller can name."""
OWNERS = {"score": "run.", "label": "qrels."}
"""The prefix of a role that a caller names for rows of one kind alone, as in ``qrels.document``."""


def resolve(
    names: Sequence[str], kind: str, columns: ColumnNames = None, *, owner: str = "the frame"
) -> dict[str, str]:
    """The column of each role: role -> name, for the roles that rows of this kind must have, and those present.

    Args:
        names: of all columns.
        kind: what the rows are: ``score`` for a run, ``label`` for judgments, ``weight`` for weights of intents,
            ``preference`` for preferences.
        columns: role -> name, where the caller says so; those that rows of this kind do not have are not looked at.
        owner: what messages call the columns' owner.

    Raises:
        InputError: a column is missing, or two columns could be meant.
        UsageError: ``columns`` names a role that does not exist.
    """
    required, optional = WANTED[kind]
    named = {role: name for role, name in select_columns(columns, kind).items() if role in (*required, *optional)}
    for column in named.values():
        if list(named.values()).count(column) > 1:
            raise UsageError(f"columns names {name_value(column)} twice; a column is one thing")
    roles = {}
    for role in (*required, *optional):
        name = find(names, role, named, owner=owner)
        if name is not None:
            roles[role] = name
        elif role in required:
            raise InputError(_missing(names, role, owner, kind), code="column", value=role)
    if kind == "score" and roles["score"].lower() in DISTANCES:
        column = quoted(roles["score"])
        text = f"{column} is named as the score, of which larger is better, and of distances smaller are nearer"
        raise InputError(
            f"{text}: make a column score of minus the distance; or call it otherwise, if larger ones are nearer",
            code="column",
            value=roles["score"],
        )
    return roles


def find(names: Sequence[str], role: str, named: ColumnNames = None, *, owner: str = "the frame") -> str | None:
    """The column of one role; None where there is none.

    Raises:
        InputError: two columns could be meant, or the one given is not there.
    """
    if named and role in named:
        if named[role] not in names:
            text = f"{owner} has no column {quoted(named[role])}, which is to be the {role}; {_held(names)}"
            alternative = find(names, role)
            if role in ("topic", "document") and alternative is not None:
                text += (
                    f"; where runs and judgments call it differently, say run.{role}=... and qrels.{role}=..., "
                    f"of which one is {quoted(alternative)}"
                )
            raise InputError(text, code="column", value=named[role])
        return named[role]
    taken = set((named or {}).values())
    known_names = {name: known_as(name) for name in names if name not in taken}
    exact = [name for name in known_names if name in NAMES[role]]
    candidates = {name: known for name, known in known_names.items() if known in (exact or NAMES[role])}
    known = sorted(set(candidates.values()), key=NAMES[role].index)
    if role == "label" and (len(known) > 1 or not any(set(pair) <= {*map(known_as, names)} for pair in LABELLED)):
        known = [name for name in known if name != "score"]  # a run's
    ordinary = [name for name in known if not (set(known) - {name}) & set(BESIDE.get(name, ()))]
    matches = [column for name in ordinary for column, known_name in candidates.items() if known_name == name]
    if len(matches) > 1:
        both = " and ".join(map(quoted, matches))
        text = f"the columns {both} of {owner} could each be the {role}; {_remedy(role, owner)}"
        raise InputError(text, code="column", value=matches[1])
    return matches[0] if matches else None


def known_as(name: str) -> str:
    """The known name that equals a name but for capitals and blanks; the name itself where there is none.

    >>> known_as("QID"), known_as("Query ID"), known_as("DocId"), known_as("price")
    ('qid', 'query_id', 'docid', 'price')
    """
    if name in KNOWN or not isinstance(name, str):
        return name
    joined = re.sub(r"\s+", "_", name.strip())
    forms = joined.lower(), re.sub(r"(?<=[a-z])(?=[A-Z])", "_", joined).lower()
    return next((form for form in forms if form in KNOWN), name)


def select_columns(columns: ColumnNames, kind: str) -> dict[str, str]:
    """The columns a caller names for rows of one kind: ``qrels.document`` is the ``document`` of judgments alone."""
    named, prefix = check_roles(columns), OWNERS.get(kind)
    common = {role: name for role, name in named.items() if "." not in role}
    if prefix is None:
        return common
    return common | {role.removeprefix(prefix): name for role, name in named.items() if role.startswith(prefix)}


def rank_alone(names: Sequence[str], columns: ColumnNames = None) -> str | None:
    """The column of ranks of a run that has no scores; None where it has some, or no ranks."""
    named = select_columns(columns, "score")
    if "score" in named or holds(names, "score", named) or holds(names, "label", named):
        return None
    return find(names, "rank", named)


def may_name_systems(names: Sequence[str], columns: ColumnNames = None) -> list[str]:
    """Columns of a run without a role that may name the system of each row."""
    named = select_columns(columns, "score")
    if "system" in named:
        return []
    used = {*named.values(), find(names, "system", named)}
    return [name for name in names if isinstance(name, str) and _joined(name) in SYSTEMS and name not in used]


def _joined(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip()).lower()


def several_systems(column: str, first: str, second: str, remedy: str) -> str:
    """The text about a column that seems to name several systems."""
    return (
        f"the column {quoted(column)} holds {quoted(first)} and {quoted(second)}: if these are several systems, "
        f"{remedy}; if not, leave the column out"
    )


def holds(names: Sequence[str], role: str, columns: ColumnNames = None) -> bool:
    """Return whether a column could have this role, or several could."""
    try:
        return find(names, role, columns) is not None
    except InputError:
        return True


def check_roles(columns: ColumnNames) -> dict[str, str]:
    """The columns that a caller names, unchanged.

    Raises:
        UsageError: not a mapping of roles to names of columns.
    """
    if columns is None:
        return {}
    if not isinstance(columns, Mapping):
        raise UsageError(
            f"columns={name_value(columns)} should be a dict such as {{'topic': 'user_id', 'document': 'item_id'}}"
        )
    for role, name in columns.items():
        if str(role).removeprefix("run.").removeprefix("qrels.") not in NAMES:
            raise UsageError(f"columns has no {name_value(role)}; what can be named is {', '.join(NAMES)}")
        if not isinstance(name, str) or not name:
            raise UsageError(f"columns[{name_value(role)}]={name_value(name)} should be the name of a column")
    return dict(columns)


def _remedy(role: str, owner: str) -> str:
    typed = f"--columns {role}=NAME, in Python " if owner == "the file" else ""
    return f"say which it is: {typed}columns={{{name_value(role)}: ...}}"


def _missing(names: Sequence[str], role: str, owner: str, kind: str) -> str:
    known = ", ".join(name for name in NAMES[role] if (role, name) != ("label", "score"))
    remedy = _remedy(role, owner) if kind in NAMEABLE else "rename the one that is"
    ranks = [name for name in names if isinstance(name, str) and name.lower() in RANKS] if role == "score" else []
    advice = f"; if {quoted(ranks[0])} holds ranks, name it as such: columns={{'rank': {ranks[0]!r}}}" if ranks else ""
    distances = [name for name in names if isinstance(name, str) and name.lower() in DISTANCES]
    if role == "score" and distances:
        advice += f"; of {quoted(distances[0])} smaller is nearer: make a column score of minus it"
    return f"{owner} has no column {role} ({known}); {remedy}{advice}; {_held(names)}"


def _held(names: Sequence[str]) -> str:
    return f"its columns are {', '.join(map(quoted, map(str, names)))}"
