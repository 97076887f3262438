"""Columns by the names that tools and collections give them: the one table of them, for frames, tuples and files.

The names are those of TREC and ir_measures, PyTerrier, ranx, BEIR and HuggingFace, and of recommenders (RePlay,
RecTools). A column is taken by its name alone, exactly as it is spelled here, or as a caller says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cranfield.errors import InputError, UsageError
from cranfield.wording import quoted

Columns = Mapping[str, str] | None
"""Role -> name of the column that has it, where a caller says so."""

NAMES: dict[str, tuple[str, ...]] = {
    "topic": ("qid", "query_id", "query-id", "q_id", "query", "user_id", "userID", "topic"),
    "document": ("docno", "doc_id", "docid", "doc", "corpus-id", "corpus_id", "item_id", "itemID", "document"),
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
"""What a column may hold -> the names that say so."""

_IDS = ("docno", "doc_id", "docid", "corpus-id", "corpus_id", "item_id", "itemID")
BESIDE = {
    "query": tuple(name for name in NAMES["topic"] if name != "query"),  # its text
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
"""What rows of each kind must have, and what they may have."""
NAMEABLE = ("score", "label")
"""Kinds whose columns a caller can name."""


def resolve(names: Sequence[str], kind: str, given: Columns = None, *, place: str = "the frame") -> dict[str, str]:
    """What each column holds: role -> name, of the roles that rows of this kind must have and of those that are there.

    Args:
        names: of all columns.
        kind: what the rows are: ``score`` for a run, ``label`` for judgments, ``weight`` for weights of intents,
            ``preference`` for preferences.
        given: role -> name, where the caller says so; those that rows of this kind do not have are not looked at.
        place: what messages call the columns' owner.

    Raises:
        InputError: a column is missing, or two columns could be meant.
        UsageError: ``given`` names a role that does not exist.
    """
    required, optional = WANTED[kind]
    said = {role: name for role, name in check_roles(given).items() if role in (*required, *optional)}
    for one in said.values():
        if list(said.values()).count(one) > 1:
            raise UsageError(f"columns names {one!r} twice; a column is one thing")
    found = {}
    for role in (*required, *optional):
        name = find(names, role, said, place=place)
        if name is not None:
            found[role] = name
        elif role in required:
            raise InputError(_missing(names, role, place, kind), code="column", value=role)
    return found


def find(names: Sequence[str], role: str, given: Columns = None, *, place: str = "the frame") -> str | None:
    """The column of one role; None where there is none.

    Raises:
        InputError: two columns could be meant, or the one given is not there.
    """
    if given and role in given:
        if given[role] not in names:
            text = f"{place} has no column {quoted(given[role])}, which is to be the {role}; {_held(names)}"
            raise InputError(text, code="column", value=given[role])
        return given[role]
    taken = set((given or {}).values())
    known = [name for name in NAMES[role] if name in names and name not in taken]
    if role == "label" and (len(known) > 1 or not any(set(pair) <= set(names) for pair in LABELLED)):
        known = [name for name in known if name != "score"]  # a run's
    meant = [name for name in known if not any(other in known for other in BESIDE.get(name, ()) if other != name)]
    if len(meant) > 1:
        both = " and ".join(map(quoted, meant))
        text = f"the columns {both} of {place} could each be the {role}; {_remedy(role, place)}"
        raise InputError(text, code="column", value=meant[1])
    return meant[0] if meant else None


def holds(names: Sequence[str], role: str, given: Columns = None) -> bool:
    """Whether one of the columns, or more, could have this role."""
    try:
        return find(names, role, given) is not None
    except InputError:
        return True


def check_roles(given: Columns) -> dict[str, str]:
    """What a caller says of columns, as it is.

    Raises:
        UsageError: no mapping of roles to names of columns.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise UsageError(f"columns={given!r} should be a dict such as {{'topic': 'user_id', 'document': 'item_id'}}")
    for role, name in given.items():
        if role not in NAMES:
            raise UsageError(f"columns has no {role!r}; what can be named is {', '.join(NAMES)}")
        if not isinstance(name, str) or not name:
            raise UsageError(f"columns[{role!r}]={name!r} should be the name of a column")
    return dict(given)


def _remedy(role: str, place: str) -> str:
    typed = f"--columns {role}=NAME, in Python " if place == "the file" else ""
    return f"say which it is: {typed}columns={{{role!r}: ...}}"


def _missing(names: Sequence[str], role: str, place: str, kind: str) -> str:
    known = ", ".join(name for name in NAMES[role] if (role, name) != ("label", "score"))
    remedy = _remedy(role, place) if kind in NAMEABLE else "rename the one that is"
    return f"{place} has no column {role} ({known}); {remedy}; {_held(names)}"


def _held(names: Sequence[str]) -> str:
    return f"its columns are {', '.join(map(quoted, map(str, names)))}"
