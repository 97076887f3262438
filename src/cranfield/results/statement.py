"""In-toto statements: the subject of a result, and the files, measures and policies behind it, for a tool to sign.

The fields are described in docs/how-to/statement.md, and the choice of them in docs/decisions/0033.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from cranfield._version import package_version
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import Location
from cranfield.io.atomic_write import packed
from cranfield.scores.signature import WORDS

STATEMENT = "https://in-toto.io/Statement/v1"
ROLES = {"runs": "run", "judged": "qrels", "excluded": "excluded documents"}
"""Key of a signature -> the role of the files below it; other keys are the roles themselves."""
BASELINE, CONTRIBUTOR = "baseline", "contributor"


@dataclass(frozen=True)
class NamedFile:
    """A file that a statement names.

    Args:
        role: what it was read or written as.
        name: of the system, or the name of the file without its folder; empty where it has none.
        sha256: of its bytes, as they lie on disk.
    """

    role: str
    name: str
    sha256: str

    @classmethod
    def read(cls, role: str, path: str) -> NamedFile:
        """Read a file and hash it.

        Raises:
            InputError: it cannot be read.
        """
        try:
            with Path(path).open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", Location(path), code="unreadable") from None
        return cls(role, PurePath(path).name, digest)

    @property
    def subject(self) -> dict[str, Any]:
        """The descriptor of the file as a subject."""
        named = {"name": self.name} if self.name else {}
        return {**named, "digest": {"sha256": self.sha256}}

    @property
    def descriptor(self) -> dict[str, Any]:
        """The descriptor of the file as an input."""
        return {**self.subject, "annotations": {"role": self.role}}


def make_statement(subjects: Sequence[NamedFile], predicate_type: str, predicate: Mapping[str, Any]) -> str:
    """Make a statement without a time, so that the same inputs give the same bytes.

    Args:
        subjects: what the statement is about.
        predicate_type: a URI that says what the fields of the predicate mean.
        predicate: what is stated.

    Raises:
        UsageError: there is no subject.
    """
    if not subjects:
        raise UsageError("a statement is about files, and these scores have none: they come from memory")
    statement = {
        "_type": STATEMENT,
        "subject": [file.subject for file in subjects],
        "predicateType": predicate_type,
        "predicate": predicate,
    }
    return json.dumps(statement, indent=1, allow_nan=False) + "\n"


def describe_evaluation(
    signature: Mapping[str, Any],
    inputs: Sequence[NamedFile],
    settings: Mapping[str, Any],
    policies: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Describe how numbers came about: version, inputs, measures, policies, settings, and the signature as it is.

    Args:
        signature: of the result.
        inputs: the files that were read.
        settings: of the analysis.
        policies: option -> word; those that the signature names where None.
    """
    evaluations = list(_list_evaluations(signature))
    measures = signature.get("measures") or [name for found in evaluations for name in found["measures"]]
    stated = {name: source[name] for source in evaluations for name in WORDS if name in source}
    return {
        "cranfield": package_version(),
        "inputs": [file.descriptor for file in inputs],
        "measures": list(dict.fromkeys(measures)),
        "policies": stated if policies is None else dict(policies),
        "settings": dict(settings),
        "signature": signature,
    }


def list_files(signature: object, role: str = "") -> list[NamedFile]:
    """List the files that a signature names by their SHA-256, each once, in the order of the signature.

    The signature inside a file of scores is left out: it is what the file says of itself, and nobody has checked it.

    Args:
        signature: of a result, or a part of it.
        role: of the files in this part; where empty, that of the key below which each file stands.
    """
    return list(dict.fromkeys(_walk(signature, role, role)))


def join_files(files: Sequence[NamedFile], further: Sequence[NamedFile]) -> list[NamedFile]:
    """Join files and those of the further ones whose bytes are not among them."""
    joined = list(files)
    for file in further:
        if all(file.sha256 != known.sha256 for known in joined):
            joined.append(file)
    return joined


def _walk(part: object, role: str, key: str) -> Iterator[NamedFile]:
    if isinstance(part, Mapping):
        if isinstance(part.get("sha256"), str):
            yield NamedFile(role or ROLES.get(key, key.replace("_", " ")), str(part.get("name", "")), part["sha256"])
            return
        for name, value in part.items():
            below = key if name in ("signature", "new") else name
            yield from _walk(value, BASELINE if name == "against" else role, below)
    elif isinstance(part, list):
        for item in part:
            yield from _walk(item, role, key)


def _list_evaluations(part: object) -> Iterator[Mapping[str, Any]]:
    """List the signatures of evaluations of runs that this call made, not those that files of scores tell of."""
    if isinstance(part, Mapping):
        if isinstance(part.get("qrels"), Mapping):
            yield part
        elif "sha256" not in part:
            for value in part.values():
                yield from _list_evaluations(value)
    elif isinstance(part, list):
        for item in part:
            yield from _list_evaluations(item)


def make_file(role: str, name: str, text: str) -> NamedFile:
    """Make the entry of a text that is written to a file, packed as the ending of its name says.

    Args:
        role: what it is written as.
        name: of the file.
        text: that it holds.
    """
    path = PurePath(name)
    data = packed(text.encode("utf-8", "surrogateescape"), path.suffix)
    return NamedFile(role, path.name, hashlib.sha256(data).hexdigest())


@functools.cache
def predicate_type(what: str) -> str:
    """The URI of a predicate of ours: below the address of the documentation, which the package's metadata names."""
    from importlib.metadata import metadata

    addresses = dict(entry.split(", ", 1) for entry in metadata("cranfield").get_all("Project-URL") or ())
    return f"{addresses['Documentation']}/statements/{what}"
