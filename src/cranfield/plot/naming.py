"""Names of systems, topics and documents in charts: short, harmless, and still distinct."""

from __future__ import annotations

import hashlib

from cranfield.wording import shown

BRACKETS = str.maketrans("<>", "‹›")
LONGEST = 40
"""Characters of a name in a chart, before the ending that distinguishes it from names with the same beginning."""


def label(name: object) -> str:
    """A name as every chart writes it: itself, unless it is long or holds what cannot be printed.

    Control characters, invisible ones and those that reverse the direction of text are written out; what is longer than
    ``LONGEST`` is cut; ``<`` and ``>`` become ``‹`` and ``›``, since not every program that puts a chart into a page
    escapes them. A name so changed ends in ``~`` and a hash of the whole, so that two names never become one. The same
    name has the same label in every chart.

    >>> label("bm25"), label("x" * 10_000)
    ('bm25', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx~e4ee97')
    """
    text = str(name)
    safe = shown(text[:LONGEST], LONGEST)[:LONGEST].translate(BRACKETS)
    if safe == text:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{safe}~{digest[:6]}"
