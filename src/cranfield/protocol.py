"""Protocols: how the runs of a track are evaluated, as a file to be published, and to be repeated by anyone.

Plain tables of texts, numbers and lists as TOML, which Python reads and does not write.
"""

from __future__ import annotations

import difflib
import json
import math
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield._text import in_full, quoted, shown
from cranfield.collection.policy import POLICIES
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import InputOptions
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import STDIN, Location
from cranfield.io import ir_datasets
from cranfield.io.atomic_write import write_whole
from cranfield.io.error_messages import missing_file
from cranfield.io.inputs import RunsLike
from cranfield.io.source import as_text, check_regular
from cranfield.io.trec import load_qrels
from cranfield.scores.signature import fingerprint

if TYPE_CHECKING:
    import xarray as xr


VERSION = 1
"""Version of the file format."""
LONGEST_NUMBER = 63
"""Bits of a whole number in TOML, without its sign."""
ValueTypes = tuple[type, ...]
NUMBER: ValueTypes = (int, float)
TEXTS: ValueTypes = (list,)
KEYS: dict[str, dict[str, ValueTypes]] = {
    "": {"protocol": (int,), "title": (str,), "command": (str,), "measures": TEXTS, "seed": (int,)},
    "qrels": {"path": (str,), "sha256": (str,)},
    "reading": {"names": (str,), "input_format": (str,), "rel": NUMBER, "columns": (dict,), "labels": (dict,)},
    "policies": dict.fromkeys(POLICIES, (str,)),
    "intents": {"weights": (str,), "sha256": (str,), "weight_sum": (str,), "keep_empty_intents": (bool,)},
    "groups": {"path": (str,), "sha256": (str,), "column": (str,)},
    "tests": {
        "test": (str,),
        "correction": (str,),
        "alpha": NUMBER,
        "baseline": TEXTS,
        "margin": NUMBER,
        "interval": (str,),
        "resamples": (int,),
    },
}
"""Table -> key -> what its value may be; the first ones are in no table."""
RANGES = (
    ("", "protocol", 1, VERSION),
    ("", "seed", 0, math.inf),
    ("tests", "alpha", 0, 1),
    ("tests", "margin", 0, math.inf),
    ("tests", "resamples", 1, math.inf),
)
"""Table, key, and the smallest and the largest number that it may be."""
NEEDED = (("", "protocol"), ("", "measures"), ("qrels", "path"), ("qrels", "sha256"))
WORDS_OF_WEIGHTS = ("uniform", "simulated")


@dataclass(frozen=True)
class Protocol:
    """A plan of evaluation: judgments by their SHA-256, measures, policies, groups, tests, seed.

    Args:
        tables: what the file holds: table -> key -> value; what is in no table below ``""``.
        location: of the file, or of data in memory.
        outside: whether a file may name files that are neither in its folder nor in one below it.

    >>> import cranfield
    >>> general = {"protocol": 1, "title": "A small track", "measures": ["nDCG@10", "AP"]}
    >>> protocol = cranfield.Protocol({"": general, "qrels": {"path": "qrels.txt", "sha256": "0" * 64}})
    >>> protocol.title, protocol.measures
    ('A small track', ['nDCG@10', 'AP'])
    """

    tables: Mapping[str, Mapping[str, Any]]
    location: Location = field(default=Location(name="the protocol"), compare=False)
    outside: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        _check(self.tables, self.location)

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, outside: bool = False) -> Protocol:
        """Read a protocol, without the files that it names.

        Args:
            path: of the file, in TOML; paths in it are relative to its folder.
            outside: whether it may name files that are neither in its folder nor in one below it.

        Raises:
            InputError: it cannot be read, is not TOML, is of a later format, or holds what no protocol does.
        """
        location = Location(as_text(path))
        if location.path == STDIN:
            text = "cannot be a protocol, which must be a file: paths in it are relative to its folder"
            raise InputError(text, location, code="missing-file")
        try:
            check_regular(location.path)
            data = Path(location.path).read_bytes()
        except FileNotFoundError:
            raise missing_file(location) from None
        except IsADirectoryError:
            raise InputError("is a folder; name the protocol in it", location, code="folder") from None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", location, code="missing-file") from None
        refuse_unreadable(location, data)
        try:
            held = tomllib.loads(data.decode("utf-8-sig"))
        except Exception as error:  # of the library: also of texts nested too deeply, and of whole numbers too long
            raise InputError(f"is not a protocol in TOML: {shown(str(error), 200)}", location, code="layout") from None
        plain = {key: value for key, value in held.items() if not isinstance(value, dict)}
        return cls(
            {"": plain, **{key: value for key, value in held.items() if isinstance(value, dict)}}, location, outside
        )

    def get(self, table: str, key: str) -> Any:
        """Return what is said of something; None where nothing is."""
        return self.tables.get(table, {}).get(key)

    @property
    def title(self) -> str:
        """Title of the track."""
        return str(self.get("", "title") or "")

    @property
    def measures(self) -> list[str]:
        """Names, in their order."""
        return list(self.get("", "measures"))

    @property
    def reading(self) -> InputOptions:
        """Return how files and runs are read.

        Raises:
            InputError: a word that is none of its choices.
        """
        options = dict(self.tables.get("reading", {}))
        intents = dict(self.tables.get("intents", {}))
        more = {key: intents[key] for key in ("weight_sum", "keep_empty_intents") if key in intents}
        weights = self.weights
        try:
            return InputOptions(**self.tables.get("policies", {}), intent_weights=weights, **more, **options)
        except UsageError as error:
            raise InputError(str(error), self.location, code="unknown") from None

    def path_of(self, table: str, key: str = "path") -> str | None:
        """A file that the protocol names, from where this program is; None where it names none."""
        path: str | None = self.get(table, key)
        if path is None or path.startswith(ir_datasets.PREFIX) or not self.location.path:
            return path
        return os.path.normpath(Path(self.location.path).parent / path)

    @property
    def weights(self) -> str | None:
        """P(i|q): a path or a word; None where none are named."""
        word: str | None = self.get("intents", "weights")
        return word if word in WORDS_OF_WEIGHTS else self.path_of("intents", "weights")

    @property
    def groups(self) -> str | None:
        """Groups of topics as ``--topic-groups`` takes them; None where none are named."""
        path, column = self.path_of("groups"), self.get("groups", "column")
        return path if column is None or path is None else f"{path}#{column}"

    def check_measures(self) -> None:
        """Raises: InputError: a measure that there is not, or that takes no such parameter."""
        from cranfield.scoring import read_measures

        try:
            read_measures(self.measures, self.reading.rel)
        except UsageError as error:
            raise InputError(str(error), self.location, code="unknown") from None

    def check_files(self) -> Qrels:
        """Read the judgments, and compare the SHA-256 of every file with that of the protocol.

        Raises:
            InputError: a file cannot be read, or is another one.
        """
        path = self.path_of("qrels")
        assert path is not None, "checked when the protocol was read"
        for named in (path, self.path_of("groups"), self.weights):
            if named is not None and named not in WORDS_OF_WEIGHTS and not named.startswith(ir_datasets.PREFIX):
                self._check_path(named)
        qrels, _ = load_qrels(path, **self.reading.file_judgment_options)
        self._compare(path, "qrels", fingerprint(qrels))
        for table, key in (("groups", "path"), ("intents", "weights")):
            named = self.path_of(table, key)
            if named is not None and self.get(table, "sha256") is not None:
                self._compare(named, table, compute_digest(named))
        return qrels

    def _check_path(self, path: str) -> None:
        """Refuse a file before a byte of it is read.

        Raises:
            InputError: it is not there, is not a regular file, or lies outside the protocol's folder and may not.
        """
        try:
            check_regular(as_text(path))
        except OSError:
            raise missing_file(Location(path)) from None
        folder = os.path.realpath(Path(self.location.path).parent)
        if self.location.path and not self.outside and not Path(os.path.realpath(path)).is_relative_to(folder):
            text = (
                f"is outside the folder of {self.location.file}, which names it: put a copy into that folder, or allow "
                "it with --protocol-outside (in Python, outside=True)"
            )
            raise InputError(text, Location(path), code="outside")

    def _compare(self, path: str, table: str, digest: str) -> None:
        wanted = self.get(table, "sha256")
        if digest != str(wanted).lower():
            text = (
                f"is not the file of {self.location.file}: its SHA-256 is {digest}, and that of the protocol is "
                f"{shown(wanted)}; get the file that was published, or write a new protocol"
            )
            raise InputError(text, Location(path), code="changed", value=digest)

    def evaluate(self, runs: RunsLike, *, keep_going: bool = False) -> xr.Dataset:
        """Score runs as the protocol says; see ``cranfield.evaluate``.

        Args:
            runs: as in ``evaluate``.
            keep_going: as in ``evaluate``.

        Raises:
            InputError: the judgments are others than the protocol's, a measure is unknown, or a file is refused.
        """
        from cranfield.evaluation import evaluate

        self.check_measures()
        return evaluate(runs, self.check_files(), self.measures, reading=self.reading, keep_going=keep_going)

    def text(self) -> str:
        """The file, in TOML."""
        return protocol_text({table: dict(self.tables.get(table, {})) for table in KEYS})

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file completely or not at all.

        Args:
            path: of the file; paths in it should be relative to its folder.

        Raises:
            InputError: it cannot be written.
        """
        write_whole(Path(as_text(path)), self.text())


def compute_digest(path: str) -> str:
    """SHA-256 of a file as it lies on disk.

    Raises:
        InputError: it cannot be read.
    """
    try:
        check_regular(as_text(path))
        return sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", Location(path), code="missing-file") from None


def relative(path: str, folder: str) -> str:
    """A path as a protocol in a folder names it.

    Raises:
        UsageError: standard input, which nobody could read again.
    """
    if path == STDIN:
        raise UsageError("standard input (-) cannot be read again: a protocol needs the name of a file")
    return path if path.startswith(ir_datasets.PREFIX) else Path(os.path.relpath(path, folder or ".")).as_posix()


def _check(tables: Mapping[str, Mapping[str, Any]], location: Location) -> None:
    """Raises: InputError: what no protocol of this format holds, or what is missing."""
    for table, keys in tables.items():
        for key, value in keys.items():
            if isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:
                text = f"{shown(_called(table, key))} is a whole number of more than 64 bits, which TOML has not"
                raise InputError(text, location, code="layout")
    version = tables.get("", {}).get("protocol")
    if isinstance(version, int) and version > VERSION:
        text = f"is of format {version}, and this cranfield reads format {VERSION}: update it"
        raise InputError(text, location, code="layout", value=str(version))
    for table, keys in tables.items():
        _known(table, KEYS, "", location)
        for key, value in keys.items():
            _known(key, KEYS[table], table, location)
            if not isinstance(value, KEYS[table][key]) or (isinstance(value, bool) and bool not in KEYS[table][key]):
                text = f"{_called(table, key)} = {quoted(str(value))} should be {_expected(table, key)}"
                raise InputError(text, location, code="layout", value=str(value))
            if isinstance(value, list) and not (value and all(isinstance(item, str) for item in value)):
                text = f"{_called(table, key)} is not a list of texts such as [{quoted('nDCG@10')}]"
                raise InputError(text, location, code="layout")
            if isinstance(value, str) and key == "sha256" and not re.fullmatch("[0-9a-fA-F]{64}", value):
                of = f"{_called(table, key)} = {quoted(shown(value, 100))}"
                text = f"{of} should be the 64 hexadecimal digits of a SHA-256"
                raise InputError(text, location, code="layout", value=shown(value, 100))
    _check_numbers(tables, location)
    for table, key in NEEDED:
        if key not in tables.get(table, {}):
            raise InputError(f"{_called(table, key)} is missing", location, code="layout")


def _check_numbers(tables: Mapping[str, Mapping[str, Any]], location: Location) -> None:
    """Raises: InputError: a number outside its range, which no command could use."""
    for table, key, lowest, highest in RANGES:
        value = tables.get(table, {}).get(key)
        if value is not None and not lowest <= value <= highest:
            bounds = f"at least {lowest:g}" if highest == math.inf else f"from {lowest:g} to {highest:g}"
            text = f"{_called(table, key)} = {shown(str(value), 100)} should be {bounds}"
            raise InputError(text, location, code="layout", value=shown(str(value), 100))


def _known(name: str, known: Mapping[str, Any], table: str, location: Location) -> None:
    if name in known:
        return
    if not table and name in KEYS and known is not KEYS:
        raise InputError(
            f"{name} should be a table, [{name}], with its keys below it", location, code="layout", value=name
        )
    what = _called(table, name) if table or not name else name
    near = difflib.get_close_matches(name, [choice for choice in known if choice], 1)
    every = ", ".join(choice for choice in known if choice)
    hint = f"did you mean {near[0]}?" if near else f"there are {every}"
    raise InputError(
        f"has {quoted(in_full(what))}, which no protocol holds; {hint}", location, code="unknown", value=name
    )


def _called(table: str, key: str) -> str:
    return f"{table}.{key}" if table else key


def _expected(table: str, key: str) -> str:
    names = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", list: "a list of texts"}
    return names.get(KEYS[table][key][-1], "a table")


LARGEST = 1 << 18
"""Bytes of the largest protocol; others have some hundreds."""
DEEPEST = 32
"""Parts of the longest key; Python's reader takes time and memory by the square of them."""
NO_KEYS = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|' + r"'''.*?'''|" + r'"(?:[^"\\\n]|\\.)*+"|' + r"'[^'\n]*+'|#[^\n]*+", re.DOTALL
)
"""Strings and comments of TOML, which may hold any number of dots."""
HEAD = "# How runs are evaluated: `cranfield protocol run THIS_FILE RUN...` repeats it.\n"


def refuse_unreadable(location: Location, data: bytes) -> None:
    """Refuse what Python's reader of TOML would need minutes and gigabytes for.

    Raises:
        InputError: the file is too large for a protocol, or a key in it has too many parts.
    """
    if len(data) > LARGEST:
        text = f"has {len(data):,} bytes: a protocol has at most {LARGEST:,}"
        raise InputError(text, location, code="layout")
    plain = NO_KEYS.sub("_", data.decode(errors="replace"))
    if any(key.count(".") >= DEEPEST for key in re.split(r"[=,\[\]{}\n]", plain)):
        raise InputError(f"has a key of more than {DEEPEST} parts, which no protocol has", location, code="layout")


def protocol_text(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of a protocol; tables that hold nothing are left out.

    Args:
        tables: table -> key -> value, what is in no table first, below ``""``.
    """
    parts = []
    for table, keys in tables.items():
        lines = [f"{_key(key)} = {_value(value)}\n" for key, value in keys.items() if value is not None]
        if lines:
            parts.append("".join([f"[{table}]\n"] * bool(table) + lines))
    return HEAD + "\n".join(parts)


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else _value(name)


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            # The escapes of JSON are among those of TOML, which also wants one for DEL.
            return json.dumps(value).replace("\x7f", "\\u007F")
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case Mapping():
            return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
    return repr(value)
