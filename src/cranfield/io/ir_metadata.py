"""The header that ir_metadata puts at the head of a run: YAML behind ``#``, between two markers.

Engines skip it, as they skip every comment. It is stored as it is written, so that a signature does not depend on what
is installed; PyYAML, where it is installed, says whether it is well formed.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cranfield.findings.finding import notice

if TYPE_CHECKING:
    from cranfield.engine.protocol import Facts, Source

START, END = "# ir_metadata.start", "# ir_metadata.end"
LARGEST = 1 << 16
"""Bytes of a header; a longer one has no end."""


def note_header(facts: Facts, source: Source, max_unpacked: int) -> None:
    """Note the header of a run, where it has one, and what is wrong with it.

    Args:
        facts: of the engine that read the run; where it skipped no line there is no header.
        source: of the run.
        max_unpacked: largest size of it, unpacked.
    """
    if not facts.get("skipped"):
        return
    lines = [line.rstrip() for line in _head(source, max_unpacked).split("\n")]
    first = next((number for number, line in enumerate(lines) if line), 0)
    if lines[first] != START:
        return
    comments = next((at for at, line in enumerate(lines) if at > first and not line.startswith("#")), len(lines))
    if END not in lines[first:comments]:
        notice(facts, "metadata", line=first + 1, reason=f"the line {END!r} is missing at the end of the comments")
        return
    text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines[first + 1 : lines.index(END)])
    facts["metadata"] = text
    wrong = _wrong(text)
    if wrong is not None:
        notice(facts, "metadata", line=first + 2 + wrong[0], reason=wrong[1])


def _head(source: Source, max_unpacked: int) -> str:
    from cranfield.reference_engine.decompression import packing_of, text_of

    if isinstance(source, bytes):
        head = source
    else:
        with open(source, "rb") as stream:  # noqa: PTH123  (any name is answered)
            head = stream.read(LARGEST)
    if packing_of(head) is not None:
        head = text_of(source, max_unpacked)
    return head[:LARGEST].removeprefix(b"\xef\xbb\xbf").decode(errors="replace")


def _wrong(text: str) -> tuple[int, str] | None:
    """The line, from 0, and the fault of a text that is not YAML; None where no fault is known."""
    if find_spec("yaml") is None:
        return None
    import yaml

    try:
        held: Any = yaml.safe_load(text)
    except Exception as error:  # PyYAML lets pass whatever a value's type raises, such as KeyError of !!bool x
        mark = getattr(error, "problem_mark", None)
        return (mark.line if mark is not None else 0), str(
            getattr(error, "problem", None) or f"{type(error).__name__}: {error}"
        )
    if not isinstance(held, dict):
        return 0, "it is no mapping of keys such as platform and research goal"
    return None
