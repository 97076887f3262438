"""Ids of topics and documents: checked one by one as they come from Python, and as columns of integers or UTF-8 text.

Both kinds of columns are ordered as the text of their ids is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from cranfield._message import name_value
from cranfield._text import cut, quoted
from cranfield._typing import Ints
from cranfield.engine.protocol import IdColumn
from cranfield.errors import Located, refusal

Places = Sequence[tuple[Located | str, Located | str, Located | str]]
"""The places of the topic, the document and the value of each row."""


def count_of(ids: IdColumn) -> int:
    """The number of ids."""
    return len(ids[1]) - 1 if isinstance(ids, tuple) else len(ids)


def text_at(ids: IdColumn, row: int) -> str:
    """The id of a row as text."""
    if not isinstance(ids, tuple):
        return str(int(ids[row]))
    data, offsets = ids
    return data[offsets[row] : offsets[row + 1]].tobytes().decode(errors="replace")


def texts_of(ids: IdColumn) -> list[bytes]:
    """All ids as UTF-8."""
    if not isinstance(ids, tuple):
        return [str(number).encode() for number in ids.tolist()]
    data, offsets = ids
    begin = int(offsets[0])
    text = data[begin : int(offsets[-1])].tobytes()
    return [text[a:b] for a, b in pairwise((offsets - begin).tolist())]


def part_of(ids: IdColumn, start: int, end: int) -> IdColumn:
    """The ids of some rows, not copied."""
    if not isinstance(ids, tuple):
        return ids[start:end]
    data, offsets = ids
    return data, offsets[start : end + 1]


def taken(ids: IdColumn, rows: Ints) -> IdColumn:
    """The ids of these rows, in that order."""
    if not isinstance(ids, tuple):
        return ids[rows]
    data, offsets = ids
    sizes = np.diff(offsets)[rows]
    ends = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(sizes, out=ends[1:])
    source = np.repeat(offsets[:-1][rows] - ends[:-1], sizes) + np.arange(ends[-1])
    return data[source], ends


def joined(parts: Sequence[IdColumn]) -> IdColumn:
    """The ids of all parts, which are of one kind, one behind the other."""
    if len(parts) == 1:
        return parts[0]
    if not isinstance(parts[0], tuple):
        return np.concatenate([part for part in parts if not isinstance(part, tuple)])
    data, offsets, length = [], [np.zeros(1, dtype=np.int64)], 0
    for part in parts:
        begin, end = int(part[1][0]), int(part[1][-1])
        data.append(part[0][begin:end])
        offsets.append(part[1][1:] + (length - begin))
        length += end - begin
    return np.concatenate(data), np.concatenate(offsets)


LONGEST = 4096
"""Bytes of the longest id."""


def quoted_id(value: object) -> str:
    """An id in quotation marks, for a message; a number has those of its digits, if Python writes them out."""
    try:
        return quoted(str(value))
    except ValueError:
        return name_value(value)


def identifier(value: object, what: str, where: Located | str) -> bytes:
    """An id as UTF-8.

    Raises:
        InputError: no string or whole number, empty, longer than 4,096 bytes, or not valid text.
    """
    if isinstance(value, str):
        text = value
    elif hasattr(value, "__index__") and not isinstance(value, bool):
        try:
            text = str(value.__index__())
        except ValueError:  # which Python does not write out
            reason = f"a {what} id has 1 to {LONGEST:,} bytes, not a whole number of thousands of digits"
            raise refusal(reason, where, code="id") from None
    else:
        text = f"the {what} id {name_value(value)} is a {type(value).__name__}; ids are strings"
        raise refusal(text, where, code="id", value=cut(repr(value)))
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        reason = f"the {what} id {name_value(value)} is not valid Unicode text"
        raise refusal(reason, where, code="id", value=cut(text)) from None
    if not encoded or len(encoded) > LONGEST or b"\0" in encoded:
        reason = f"a {what} id has 1 to {LONGEST:,} bytes and no NUL, not {cut(text)!r} ({len(encoded):,})"
        raise refusal(reason, where, code="id", value=cut(text))
    return encoded


def first_repeated(names: Iterable[str]) -> str | None:
    """The first name that occurs a second time; None where each occurs once."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
