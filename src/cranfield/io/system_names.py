"""Names of systems, from file names or run tags."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from cranfield._message import remove_credentials
from cranfield._text import counted, cut, decode_name, in_full, listed, quoted, warn
from cranfield.errors import InputError
from cranfield.findings.location import STDIN, Location

COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".lz4")
ENDINGS = (".run", ".txt", ".tsv", ".res", ".trec")
QRELS_ENDINGS = (".qrel", ".qrels")
FORMAT_ENDINGS = (".json", ".jsonl", ".parquet", ".csv")
Remarked = TypeVar("Remarked")


def without_query(name: str) -> str:
    """A web address without what stands behind its ``?``, which does not name it; any other name as it is."""
    return name.partition("?")[0] if name.lower().startswith(("http://", "https://")) else name


def stem(path: str, endings: tuple[str, ...] = (*ENDINGS, *FORMAT_ENDINGS)) -> str:
    """A run's name: its file name without a compression ending, one of the usual endings, ``.qrel`` or
    ``.qrels``, and a leading ``input.``.

    Bytes of a file's name that are not UTF-8 are written out, as in messages: a name is text wherever it is written.
    """
    if path == STDIN:
        return "stdin"
    path, part = split_part(remove_credentials(without_query(path)))
    name = decode_name(_last(path))
    for known in (COMPRESSED, endings, QRELS_ENDINGS):
        ending = next((ending for ending in known if name.endswith(ending) and name != ending), "")
        name = name.removesuffix(ending)
    return (name.removeprefix("input.") or name) + (decode_name(f"#{part}") if part else "")


def by_run(remarks: Mapping[str, Remarked], runs: Collection[str]) -> dict[str, Remarked]:
    """Remarks by the names of runs: a key that is not the name of a run may be that of its file, as ``bm25.txt.gz``.

    A key stays as it is where another one stands for the same run, so that no remark is lost.
    """
    files = Counter(stem(name) for name in remarks if name not in runs)
    free = {name for name, times in files.items() if times == 1 and name in runs and name not in remarks}
    return {stem(name) if name not in runs and stem(name) in free else name: remark for name, remark in remarks.items()}


def expanded(path: str) -> list[str]:
    """The files that a glob stands for, in name order; the path itself where it is none.

    Raises:
        InputError: no file matches, the folder cannot be read, or the glob is the name of a file too, so that whoever
            put that file there could change what is read.
    """
    if path == STDIN or not glob.has_magic(without_query(path)):
        return [path]
    matches = sorted(glob.glob(path))  # noqa: PTH207  (the path may be absolute)
    if _is_there(path) and matches != [path]:
        if not matches:
            return [path]
        text = (
            f"is the name of a file and a pattern of {counted(len(matches), 'file')}: name the file as "
            f"{in_full(glob.escape(path))}, or rename it"
        )
        raise InputError(text, Location(path), code="ambiguous")
    if not matches:
        _refuse_closed_folder(path)
        raise InputError("no file matches", Location(path), code="missing-file")
    return matches


def _refuse_closed_folder(pattern: str) -> None:
    """Raises: InputError: the folder in which a glob looks for files may not be read, which finds nothing there."""
    from pathlib import PurePath

    folder = PurePath(pattern).parent
    while glob.has_magic(str(folder)):
        folder = folder.parent
    try:
        os.scandir(folder).close()
    except PermissionError as error:
        raise InputError(f"cannot be read: {error.strerror}", Location(str(folder)), code="unreadable") from None
    except (OSError, ValueError):
        return


def split_part(path: str) -> tuple[str, str]:
    """A file and the part of it that is named behind ``#``; a file of the whole name has no part.

    Raises:
        InputError: both could be meant, so that whoever put one of the files there could change what is read.

    >>> split_part("runs/bm25.run")
    ('runs/bm25.run', '')
    """
    if "#" not in path:
        return path, ""
    is_file = _is_there(path)
    for index, sign in enumerate(path):
        if sign == "#" and _is_there(path[:index]):
            if not is_file:
                return path[:index], path[index + 1 :]
            text = f"is the name of a file and a part of {in_full(path[:index])}: rename one of the two files"
            raise InputError(text, Location(path), code="ambiguous")
    return path, ""


def system_names(paths: Sequence[str], what: str = "run") -> list[str]:
    """A name for each file; equal names get their folder in front, as much of it as distinguishes them.

    Args:
        paths: of the files.
        what: they hold, for messages.

    Raises:
        InputError: a file is named twice.
    """
    names, clashes = _names_and_clashes(paths, what)
    for error, _ in clashes:
        raise error
    return names


def name_clashes(paths: Sequence[str], what: str = "run") -> list[tuple[InputError, frozenset[str]]]:
    """All reasons for which ``system_names`` refuses files, and the files that each of them concerns."""
    return _names_and_clashes(paths, what)[1]


def _names_and_clashes(
    all_paths: Sequence[str], what: str
) -> tuple[list[str], list[tuple[InputError, frozenset[str]]]]:
    clashes = [
        (InputError(f"{_are_given(what)} twice", Location(path), code="equal-names"), frozenset([path]))
        for path, count in Counter(all_paths).items()
        if count > 1
    ]
    paths = [*dict.fromkeys(all_paths)]
    names = [stem(path) for path in paths]
    if len(set(names)) == len(names):
        return names, clashes
    from pathlib import PurePath

    for depth in range(1, max(len(PurePath(path).parts) for path in paths)):
        equal = {name for name, count in Counter(names).items() if count > 1}
        if not equal:
            return names, clashes
        names = [
            "/".join((*map(decode_name, PurePath(path).parts[:-1][-depth:]), stem(path))) if name in equal else name
            for path, name in zip(paths, names, strict=True)
        ]
    owner: dict[str, str] = {}
    for name, path in zip(names, paths, strict=True):
        if name in owner and _same_file(owner[name], path):
            text = f"{_are_given(what)} twice, also as {in_full(path)}"
            error = InputError(text, Location(owner[name]), code="equal-names")
        elif name in owner:
            text = f"would be called {quoted(name)}, as would {in_full(path)}: rename one of the files"
            error = InputError(text, Location(owner[name]), code="equal-names", value=name)
        else:
            owner[name] = path
            continue
        clashes.append((error, frozenset([owner[name], path])))
    return names, clashes


def _last(path: str) -> str:
    """The name of a file or a folder within its parent."""
    name = os.path.basename(path)  # noqa: PTH119
    if name in ("", os.curdir):
        from pathlib import PurePath  # here, as a short call does without

        return PurePath(path).name
    return name


def _are_given(what: str) -> str:
    return f"these {what} are given" if what.endswith("s") else f"this {what} is given"


def _is_there(path: str) -> bool:
    try:
        return os.path.exists(path)  # noqa: PTH110  (any name is answered)
    except ValueError:
        return False


def _same_file(left: str, right: str) -> bool:
    from pathlib import PurePath

    try:
        return PurePath(left) == PurePath(right) or os.path.samefile(left, right)  # noqa: PTH121  (any name is answered)
    except (OSError, ValueError):
        return False


LATIN = str.maketrans(
    "АВЕКМНОРСТУХІЈЅ" + "аеорсухіјѕһԁԛԝ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρ",
    "ABEKMHOPCTYXIJS" + "aeopcyxijshdqw" + "ABEZHIKMNOPTYXovp",
)
"""Letters of Cyrillic and Greek -> the Latin letter that they look like, by Unicode's confusables (UTS 39)."""


def _fold(name: str) -> str:
    """Fold a name to the form that it shares with names that a reader may take for it."""
    if not name.isascii():
        import unicodedata

        name = unicodedata.normalize("NFKC", name).translate(LATIN)
        name = "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
    return " ".join(name.casefold().split())


def warn_of_lookalikes(
    names: Iterable[str], noun: str, where: Location | str, fold: Callable[[str], str] = _fold
) -> None:
    """Warn where names differ in no more than case, blanks, invisible characters, alphabet or their form in Unicode.

    They are taken as they stand, so that what may be one system is compared as two.

    Args:
        names: of all.
        noun: what a name is of, such as ``system``.
        where: they were read.
        fold: gives the form that names alike share; of topics, ids that may differ in case, ``str.strip``.
    """
    first: dict[str, str] = {}
    alike: dict[str, str] = {}
    for name in names:
        if (known := first.setdefault(fold(name), name)) != name:
            alike.setdefault(name, known)
    if alike:
        name, known = next(iter(alike.items()))
        left, right = (quoted(text) if text.isascii() else ascii(cut(text)) for text in (known, name))
        more = f" (and {len(alike) - 1:,} more)" if len(alike) > 1 else ""
        warn(f"{where}: {left} and {right}{more} look alike, and count as two {noun}s: write what is one alike")


def warn_of_unused(systems: Sequence[str], where: str) -> None:
    """Warn of systems in a list of runs that are not among the runs, if there are any.

    Args:
        systems: their names.
        where: the list is.
    """
    if systems:
        one = len(systems) == 1
        lines = "is not among the runs; its line is" if one else "are not among the runs; their lines are"
        warn(f"{where}: {listed(systems, 'system')} {lines} not used")


TELLING = 20
"""From that many on, two judges hardly have the same judgments by chance, nor two runs the same ranks."""


def warn_of_copies(judges: Iterable[tuple[str, str, int]]) -> None:
    """Warn of a judge under two names, whose judgments would count twice.

    Args:
        judges: name, digest of the judgments, and how many there are, of each.
    """
    first: dict[str, str] = {}
    for name, digest, count in judges:
        known = first.setdefault(digest, name)
        if known != name and count >= TELLING:
            warn(f"{quoted(known)} and {quoted(name)} hold the same judgments: is one judge here twice?")
