"""Columns by the names that tools and collections give them: the one table of them, for frames, tuples and files.

The names are those of TREC and ir_measures, PyTerrier, ranx, BEIR and HuggingFace, and of recommenders (RePlay,
RecTools). A column is taken by its name alone, as it is spelled here or, where there is none, with capitals, or as a
caller says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from cranfield._text import quoted
from cranfield.errors import InputError, UsageError

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

KNOWN = frozenset(name for names in NAMES.values() for name in names)
SYSTEMS = (
    "system",
    *("system_id", "system_name", "model", "model_id", "model_name", "method", "ranker", "retriever"),
    *("run", "run_id", "runid", "run_name", "run_tag", "tag"),
)
"""Columns that may say of which system a row is. Only ``system`` does so by its name alone: what another one says is
looked at, so that the rows of two systems are never read as those of one."""
RANKS = ("rank", "position", "pos", "place")
"""Names that are no score's: the smaller such a number, the better the document."""

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
OWNERS = {"score": "run.", "label": "qrels."}
"""What stands before a role that a caller names for rows of one kind alone, as in ``qrels.document``."""


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
    said = {role: name for role, name in of_kind(given, kind).items() if role in (*required, *optional)}
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
            other = find(names, role)
            if role in ("topic", "document") and other is not None:
                text += (
                    f"; where runs and judgments call it differently, say run.{role}=... and qrels.{role}=..., "
                    f"of which one is {quoted(other)}"
                )
            raise InputError(text, code="column", value=given[role])
        return given[role]
    taken = set((given or {}).values())
    spelled = {name: known_as(name) for name in names if name not in taken}
    exact = {name: name for name in spelled if name in NAMES[role]}
    wanted = exact or NAMES[role]
    columns = {name: known for name, known in spelled.items() if known in wanted}
    known = sorted(set(columns.values()), key=NAMES[role].index)
    if role == "label" and (len(known) > 1 or not any(set(pair) <= {*map(known_as, names)} for pair in LABELLED)):
        known = [name for name in known if name != "score"]  # a run's
    usual = [name for name in known if not any(other in known for other in BESIDE.get(name, ()) if other != name)]
    meant = [column for name in usual for column, own in columns.items() if own == name]
    if len(meant) > 1:
        both = " and ".join(map(quoted, meant))
        text = f"the columns {both} of {place} could each be the {role}; {_remedy(role, place)}"
        raise InputError(text, code="column", value=meant[1])
    return meant[0] if meant else None


def known_as(name: str) -> str:
    """The known name that a name is but for its capitals and blanks; itself where it is none.

    >>> known_as("QID"), known_as("Query ID"), known_as("DocId"), known_as("price")
    ('qid', 'query_id', 'docid', 'price')
    """
    if name in KNOWN or not isinstance(name, str):
        return name
    joined = re.sub(r"\s+", "_", name.strip())
    forms = joined.lower(), re.sub(r"(?<=[a-z])(?=[A-Z])", "_", joined).lower()
    return next((form for form in forms if form in KNOWN), name)


def of_kind(given: Columns, kind: str) -> dict[str, str]:
    """What a caller says of rows of one kind: ``qrels.document`` is the ``document`` of judgments alone."""
    said, own = check_roles(given), OWNERS.get(kind)
    of_all = {role: name for role, name in said.items() if "." not in role}
    if own is None:
        return of_all
    return of_all | {role.removeprefix(own): name for role, name in said.items() if role.startswith(own)}


def rank_alone(names: Sequence[str], given: Columns = None) -> str | None:
    """The column of ranks of a run that has no scores; None where it has some, or no ranks."""
    said = of_kind(given, "score")
    if "score" in said or holds(names, "score", said) or holds(names, "label", said):
        return None
    return find(names, "rank", said)


def may_name_systems(names: Sequence[str], given: Columns = None) -> list[str]:
    """Columns of a run that may say of which system a row is, and have no role."""
    said = of_kind(given, "score")
    if "system" in said:
        return []
    used = {*said.values(), find(names, "system", said)}
    return [name for name in names if isinstance(name, str) and _joined(name) in SYSTEMS and name not in used]


def _joined(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip()).lower()


def several_systems(column: str, one: str, other: str, remedy: str) -> str:
    """What to say of a column that seems to name several systems."""
    return (
        f"the column {quoted(column)} holds {quoted(one)} and {quoted(other)}: if these are several systems, {remedy}; "
        "if not, leave the column out"
    )


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
        if str(role).removeprefix("run.").removeprefix("qrels.") not in NAMES:
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
    ranks = [name for name in names if isinstance(name, str) and name.lower() in RANKS] if role == "score" else []
    said = f"; if {quoted(ranks[0])} holds ranks, name it as such: columns={{'rank': {ranks[0]!r}}}" if ranks else ""
    return f"{place} has no column {role} ({known}); {remedy}{said}; {_held(names)}"


def _held(names: Sequence[str]) -> str:
    return f"its columns are {', '.join(map(quoted, map(str, names)))}"
