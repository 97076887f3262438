"""Arrays to TREC text, a hundred thousand lines at a time.

Each field becomes a matrix of bytes with one row a line, where NUL stands for a character that the line does not
have; the text is all the bytes that are not NUL. This writes some millions of lines in the time that formatting
them one by one takes for a tenth.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
DocumentIds = Callable[[Ints], Bytes]

BLOCK = 100_000
MILLION = 1_000_000
SCATTERING = 2_654_435_761
DIGITS = np.frombuffer(b"0123456789abcdefghijklmnopqrstuvwxyz", dtype=np.uint8)


def write_run(
    path: Path,
    topic: Ints,
    document: Ints,
    rank: Ints,
    score: Ints,
    *,
    tag: str,
    document_ids: DocumentIds,
    decimals: int = 6,
) -> None:
    """Add `topic Q0 document rank score tag` for every element of the flat arrays, scores given in millionths.

    Behind six `decimals` stand digits without visible order, the same where document and score are.
    """
    with path.open("ab") as file:
        for block in _blocks(len(topic)):
            fields: list[Bytes | str] = [
                *(decimal(topic[block]), " Q0 ", document_ids(document[block]), " ", decimal(rank[block]), " "),
                *(decimal(score[block] // MILLION), ".", padded(score[block] % MILLION, 6)),
                *(padded(document[block] * SCATTERING % 10 ** (decimals - 6), decimals - 6), f" {tag}\n"),
            ]
            file.write(_text(fields, block.stop - block.start))


def write_qrels(path: Path, topic: Ints, document: Ints, label: Ints, *, document_ids: DocumentIds) -> None:
    """Add `topic 0 document label` for every element of the flat arrays."""
    with path.open("ab") as file:
        for block in _blocks(len(topic)):
            judged: list[Bytes | str] = [document_ids(document[block]), " ", decimal(label[block]), "\n"]
            file.write(_text([decimal(topic[block]), " 0 ", *judged], block.stop - block.start))


def decimal(values: Ints) -> Bytes:
    """Whole numbers without leading zeros."""
    digits = padded(values, len(str(values.max(initial=0))))
    for column in range(digits.shape[1] - 1):
        digits[values < 10 ** (digits.shape[1] - 1 - column), column] = 0
    return digits


def padded(values: Ints, width: int, base: int = 10) -> Bytes:
    """Whole numbers with leading zeros, in a base of up to 36."""
    columns = np.empty((len(values), width), dtype=np.uint8)
    for column in reversed(range(width)):
        values, digit = np.divmod(values, base)
        columns[:, column] = DIGITS[digit]
    return columns


def scattered_code(values: Ints) -> Bytes:
    """Document ids of eight letters and digits, different for different numbers, without visible order."""
    return padded(values * SCATTERING % 36**8, 8, base=36)  # the factor and 36 have no common divisor


def _blocks(length: int) -> Iterator[slice]:
    for start in range(0, length, BLOCK):
        yield slice(start, min(start + BLOCK, length))


def _text(fields: list[Bytes | str], lines: int) -> bytes:
    columns = [
        np.broadcast_to(np.frombuffer(field.encode(), dtype=np.uint8), (lines, len(field)))
        if isinstance(field, str)
        else field
        for field in fields
    ]
    table: Bytes = np.hstack(columns)
    characters: Bytes = table[table != 0]
    return characters.tobytes()
