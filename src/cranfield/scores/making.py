"""How scores were made, as far as it decides whether they may be compared: judgments and policies, from signatures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from cranfield._text import cut, quoted, shown
from cranfield.collection.policy import REWRITING, Policy
from cranfield.errors import InputError
from cranfield.findings.location import Place
from cranfield.scores.scale import Scale

WORDS = ("bounds", *(field.name for field in fields(Policy)))
"""What a signature of an evaluation says in one word each."""
DEFAULTS = {name: getattr(Policy(), name) for name in REWRITING}
"""What is meant by signatures that are older than these words."""
HASH = 12
"""Letters of a hash that people compare."""


def evaluations_in(source: Any) -> list[Mapping[str, Any]]:
    """The signatures of evaluations that a signature of scores holds, each different one once.

    Args:
        source: of scores, from a call or from files; anything, as files hold anything.
    """
    found: list[Mapping[str, Any]] = []
    for one in _evaluations(source):
        if one not in found:
            found.append(one)
    return found


def _evaluations(source: Any) -> Iterator[Mapping[str, Any]]:
    if not isinstance(source, Mapping) or "analysis" in source:
        return
    if isinstance(source.get("qrels"), Mapping) and isinstance(source.get("measures"), list):
        yield source
    for part in source["scores"] if isinstance(source.get("scores"), list) else ():
        if isinstance(part, Mapping):
            yield from _evaluations(part.get("signature"))


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """In which judgments and policies two evaluations differ, each with both values; empty where they compare.

    Engine, version and runs are left out: engines agree to the last bit, and runs are what is compared.

    Args:
        one: signature of an evaluation.
        other: another.
    """
    found = []
    hashes = [str(source["qrels"].get("sha256")) for source in (one, other)]
    if hashes[0] != hashes[1]:
        names = [quoted(str(source["qrels"].get("name"))) for source in (one, other)]
        said = [f"{name} with SHA-256 {shown(digest, HASH)}" for name, digest in zip(names, hashes, strict=True)]
        found.append(f"qrels ({' and '.join(said)})")
    for name in WORDS:
        words = [source.get(name, DEFAULTS.get(name)) for source in (one, other)]
        if words[0] != words[1]:
            found.append(f"{name} ({shown(str(words[0]))} and {shown(str(words[1]))})")
    if one.get("excluded") != other.get("excluded"):
        found.append("the documents that were excluded")
    weights = [source.get("intents") for source in (one, other)]
    if None not in weights and weights[0] != weights[1]:
        found.append("the weights of intents")
    return found


def refuse_other_facts(ours: Scale, theirs: Scale, path: str, where: Place) -> None:
    """Refuse scores of a measure of which two files say different things.

    Args:
        ours, theirs: what they say.
        path: of the first file.
        where: the second file.

    Raises:
        InputError: one takes larger scores as better and the other smaller ones, or they sum up topics otherwise.
    """
    for fact in ("larger_is_better", "summary"):
        first, second = getattr(ours, fact), getattr(theirs, fact)
        if first != second:
            text = (
                f"{shown(ours.name)}: {fact} is {shown(str(second))} here and {shown(str(first))} in "
                f"{shown(path, 200)}, so that their systems cannot be compared: correct one of the files"
            )
            raise InputError(text, where, code="contradiction", value=cut(ours.name))


def unlike(ours: Any, theirs: Any) -> list[str]:
    """The first differences between the evaluations of two signatures; empty also where one of them says nothing."""
    pairs = ((one, other) for one in evaluations_in(ours) for other in evaluations_in(theirs))
    return next((found for one, other in pairs if (found := differences(one, other))), [])
