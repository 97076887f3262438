"""Signatures: what made scores, as an attribute that their labels carry, and how two of them are joined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from cranfield._text import cut, quoted, shown, warn
from cranfield.collection.intent_weights import IntentWeights
from cranfield.collection.policy import REWRITING, Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.io.strict_json import parse_json
from cranfield.scores.scale import Scale

SIGNATURE = "signature"
"""The attribute that holds it, as JSON: of a Dataset, and of each of its variables, which outlive it."""


def carried(source: Any) -> dict[str, str]:
    """The attribute that carries a signature; empty without one."""
    if source is None:
        return {}
    import json

    return {SIGNATURE: json.dumps(source)}


def signature_in(attributes: Mapping[str, Any], where: str) -> Any:
    """The signature among attributes; None where it is missing, or invalid, with a warning.

    Args:
        attributes: of scores.
        where: they are, for the warning.
    """
    if SIGNATURE not in attributes:
        return None
    signature, text = None, attributes[SIGNATURE]
    if isinstance(text, str):
        try:
            signature = parse_json(Location(name=where), text)
        except InputError:
            signature = None
    if signature is None and text != "null":
        ignored(SIGNATURE, text, "a signature", where)
    return signature


def ignored(name: str, value: Any, expected: str, where: str) -> None:
    """Warn of an attribute of our name that is not ours."""
    text = quoted(str(value))
    warn(f"{shown(where, 4096)}: the attribute {name} is {text}, not {expected}: it is not cranfield's and is ignored")


def together(sources: Sequence[tuple[str, Any]]) -> Any:
    """One signature of several measures: the common one, or of each measure its own.

    Args:
        sources: name and signature of each measure.
    """
    first = sources[0][1]
    if all(source == first for _, source in sources):
        return first
    return {"scores": [{"measure": name, "signature": source} for name, source in sources]}


def fingerprint(data: Run | Qrels | IntentWeights) -> str:
    """SHA-256 of the bytes that were read, as they lie on disk, or of the content where it was made in memory."""
    return data.sha256 or data.digest


def sign_qrels(qrels: Qrels) -> dict[str, Any]:
    """Return the entry of a signature on judgments: their name, their SHA-256, and the numbers of labels in words."""
    words = {} if qrels.word_labels is None else {"labels": dict(qrels.word_labels)}
    return {"name": qrels.name, "sha256": fingerprint(qrels), **words}


WORDS = ("bounds", *(field.name for field in fields(Policy)))
"""Entries of a signature of an evaluation that are one word each."""
DEFAULTS = {name: getattr(Policy(), name) for name in REWRITING}
"""Policies of signatures that are older than these words."""
HASH = 12
"""Letters of a hash that people compare."""


def evaluations_in(source: Any) -> list[Mapping[str, Any]]:
    """The signatures of evaluations that a signature of scores holds, each different one once.

    Args:
        source: of scores, from a call or from files; anything, as files hold anything.
    """
    evaluations: list[Mapping[str, Any]] = []
    for evaluation in _evaluations(source):
        if evaluation not in evaluations:
            evaluations.append(evaluation)
    return evaluations


def _evaluations(source: Any) -> Iterator[Mapping[str, Any]]:
    if not isinstance(source, Mapping) or "analysis" in source:
        return
    if isinstance(source.get("qrels"), Mapping) and isinstance(source.get("measures"), list):
        yield source
    for part in source["scores"] if isinstance(source.get("scores"), list) else ():
        if isinstance(part, Mapping):
            yield from _evaluations(part.get("signature"))


def differences(left: Mapping[str, Any], right: Mapping[str, Any]) -> list[str]:
    """List the judgments and policies in which two evaluations differ, with both values; empty where they compare.

    Engine, version and runs are left out: engines agree to the last bit, and runs are what is compared.

    Args:
        left: signature of an evaluation.
        right: another.
    """
    differing = []
    hashes = [str(source["qrels"].get("sha256")) for source in (left, right)]
    if hashes[0] != hashes[1]:
        names = [quoted(str(source["qrels"].get("name"))) for source in (left, right)]
        described = [f"{name} with SHA-256 {shown(digest, HASH)}" for name, digest in zip(names, hashes, strict=True)]
        differing.append(f"qrels ({' and '.join(described)})")
    for name in WORDS:
        values = [source.get(name, DEFAULTS.get(name)) for source in (left, right)]
        if values[0] != values[1]:
            differing.append(f"{name} ({shown(str(values[0]))} and {shown(str(values[1]))})")
    if left["qrels"].get("labels") != right["qrels"].get("labels"):
        differing.append("the numbers of labels in words")
    if left.get("excluded") != right.get("excluded"):
        differing.append("the documents that were excluded")
    weights = [source.get("intents") for source in (left, right)]
    if None not in weights and weights[0] != weights[1]:
        differing.append("the weights of intents")
    return differing


def refuse_other_facts(ours: Scale, theirs: Scale, path: str, where: Location) -> None:
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
    pairs = ((left, right) for left in evaluations_in(ours) for right in evaluations_in(theirs))
    return next((differing for left, right in pairs if (differing := differences(left, right))), [])
