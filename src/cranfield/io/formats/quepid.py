"""Quepid's exports: a case, a book whose raters are judges, and the basic CSV, in which documents may lack a rating."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from cranfield._text import cut, quoted, shown
from cranfield.errors import FormatError, InputError
from cranfield.findings.location import STDIN, Location
from cranfield.io.delimited import delimited_lines
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import object_in, read_text
from cranfield.io.formats._search_tools import Rated, field_in, list_in, load_rated, text_in
from cranfield.io.formats.csv import is_quepid_table, read_delimited

CASE = '"queries": [{"query_text": ..., "ratings": [{"doc_id": ..., "rating": 1}]}]'
BOOK = '"query_doc_pairs": [{"query_text": ..., "doc_id": ..., "judgements": [{"rating": 1, "user_email": ...}]}]'
BASIC_ROLES = {"topic": "query", "document": "docid", "label": "rating"}
HEAD, BOM = 64, b"\xef\xbb\xbf"
NOBODY = "anonymous"
"""The rater of judgements that name none."""


def _qrels(file: File) -> Loaded:
    if not file.bare_text.startswith(b"{"):
        return _read_basic(file)
    held = object_in(file)
    return _read_book(file, held) if "query_doc_pairs" in held else _read_case(file, held)


def _read_case(file: File, held: dict[str, Any]) -> Loaded:
    queries = list_in(held, "queries", file.location, CASE)
    places = [file.location.within(f"query {number}") for number in range(1, len(queries) + 1)]
    topics = [text_in(query, ["query_text", "query"], at, CASE) for query, at in zip(queries, places, strict=True)]
    rated = (
        rated
        for query, topic, place in zip(queries, topics, places, strict=True)
        for rated in _read_ratings(query, topic, place)
    )
    _refuse_part(file, "a case")
    return load_rated(file, rated, topics)


def _read_ratings(query: Any, topic: Any, where: Location) -> Iterator[Rated]:
    ratings = query.get("ratings") if isinstance(query, dict) else None
    if isinstance(ratings, dict):
        for document, rating in ratings.items():
            yield Rated(where.within(f"rating of {quoted(document)}"), topic, document, rating)
        return
    for number, rating in enumerate(list_in(query, "ratings", where, CASE), 1):
        here = where.within(f"rating {number}")
        yield Rated(here, topic, field_in(rating, "doc_id", here, CASE), field_in(rating, "rating", here, CASE))


def _read_book(file: File, held: dict[str, Any]) -> Loaded:
    """The judgments of one rater of a book.

    Raises:
        InputError: there are several raters, or none of this name.
    """
    by_rater = _by_rater(file, held)
    names = sorted(by_rater)
    chosen = [name for name in names if file.part in ("", name)]
    if len(chosen) != 1:
        listed = ", ".join(map(shown, names)) or "none"
        count = f"{len(names)} raters" if not file.part else f"no rater {quoted(file.part)}, only"
        path = file.location.path.removesuffix(f"#{file.part}") if file.part else file.location.path
        example = (
            f"; name one, as in {shown(path)}#{shown(names[0])}: each is a judge" if names else ": rate some pairs"
        )
        raise InputError(f"holds {count}{':' * (not file.part)} {listed}{example}", file.location, code="part")
    topics = [one.topic for rated in by_rater.values() for one in rated]
    return load_rated(file, by_rater[chosen[0]], topics)


def _by_rater(file: File, held: dict[str, Any]) -> dict[str, list[Rated]]:
    by_rater: dict[str, list[Rated]] = {}
    for number, pair in enumerate(list_in(held, "query_doc_pairs", file.location, BOOK), 1):
        where = file.location.within(f"query_doc_pair {number}")
        topic = text_in(pair, ["query_text", "query"], where, BOOK)
        document = field_in(pair, "doc_id", where, BOOK)
        for at, judgement in enumerate(list_in(pair, "judgements", where, BOOK), 1):
            here = where.within(f"judgement {at}")
            rating = field_in(judgement, "rating", here, BOOK)
            rater = judgement.get("user_email") or judgement.get("user_name") or NOBODY
            if judgement.get("unrateable") or judgement.get("judge_later"):
                rating = None
            by_rater.setdefault(str(rater), []).append(Rated(here, topic, document, rating))
    return by_rater


def list_judges(path: str) -> list[str]:
    """The raters of a book, each as ``FILE#RATER``; the path itself where it is something else."""
    if path == STDIN or "#" in path or not Path(path).is_file():
        return [path]
    with Path(path).open("rb") as opened:
        if not opened.read(HEAD).removeprefix(BOM).lstrip().startswith(b"{"):
            return [path]
        opened.seek(0)
        text = opened.read()
    if b'"query_doc_pairs"' not in text:
        return [path]
    file = File(location=Location(path), name=path, kind="qrels", text=text)
    return [f"{path}#{rater}" for rater in sorted(_by_rater(file, object_in(file)))] or [path]


def _read_basic(file: File) -> Loaded:
    """Rows ``query,docid,rating``, in any order and beside other columns; those without a rating are not judged."""
    _refuse_part(file, "a table")
    line, raw = next(delimited_lines(file.location, read_text(file)), (0, []))
    if not line:
        raise InputError("the file is empty, expected query,docid,rating", file.location, code="empty")
    names = [name.strip() for name in raw]
    columns = {}
    for role, usual in BASIC_ROLES.items():
        alike = [name for name in names if name.lower() == usual]
        column = file.columns.get(role, alike[0] if alike else usual)
        if column not in names:
            text = f"has no column {quoted(column)}, expected query, docid and rating; or name others by --columns"
            raise FormatError(text, file.location.at(line), code="column", value=cut(column))
        columns[role] = column
    return read_delimited(replace(file, columns=columns))


def _refuse_part(file: File, what: str) -> None:
    if file.part:
        text = f"is {what}, and has no part #{shown(file.part)}; leave that out"
        raise InputError(text, file.location, code="part", value=cut(file.part))


def _is_here(file: File) -> bool:
    if file.kind != "qrels":
        return False
    if not file.bare_text.startswith(b"{"):
        try:
            _, names = next(delimited_lines(file.location, file.first_line.decode()), (0, []))
        except (UnicodeDecodeError, FormatError):
            return False
        return is_quepid_table(file, [name.strip() for name in names])
    return b'"query_doc_pairs"' in file.text or (b'"queries"' in file.text and b'"query_text"' in file.text)


FORMAT = Format(
    holds="Quepid's exports: a case; a book, of several raters one is named, `FILE#RATER`; and the basic CSV "
    "`query,docid,rating`, in which a row without a rating is not judged",
    recognized_by="an object of JSON with `query_doc_pairs`, or `queries` with `query_text`; or the header "
    "`query,docid,rating`",
    example="evaluate quepid.csv mine.run",
    is_here=_is_here,
    qrels=_qrels,
    layout={"run": "trec"},
    parts=True,
)
