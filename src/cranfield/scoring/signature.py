"""All that changes the numbers of an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cranfield import engine
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.io.inputs import NamedRun
from cranfield.io.skipped_runs import signed_left_out
from cranfield.measures import Measure
from cranfield.scores.signature import fingerprint, package_version
from cranfield.scoring.compute import Bounds


def signature_of(
    measures: Sequence[Measure],
    qrels: Qrels,
    runs: Sequence[tuple[NamedRun, str, str, str]],
    policy: Policy,
    bounds: Bounds,
) -> dict[str, Any]:
    """Version, engine, measures, policies, and SHA-256 of every input.

    Args:
        measures: that were asked for.
        qrels: the judgments.
        runs: each with its tag, the SHA-256 of its file as it was read, and the header of ir_metadata in it.
        policy: how ties and odd cases were read.
        bounds: what intervals are about.
    """
    return {
        "cranfield": package_version(),
        "engine": engine.current().NAME,
        "measures": [str(measure) for measure in measures],
        "bounds": bounds,
        **policy.as_dict(),
        "max_rel": qrels.pool.max_grade,
        **_intents(measures, qrels),
        "qrels": {"name": qrels.name, "sha256": fingerprint(qrels)},
        **({} if (out := qrels.excluded) is None else {"excluded": {"name": out.name, "sha256": fingerprint(out)}}),
        "runs": [
            {
                "name": run.name,
                "tag": tag,
                "sha256": digest if isinstance(run.data, str) else fingerprint(run.data),
                **({"ir_metadata": metadata} if metadata else {}),
            }
            for run, tag, digest, metadata in runs
        ],
        **signed_left_out(),
    }


def narrowed(signature: dict[str, Any], measures: Sequence[Measure], runs: Sequence[int]) -> dict[str, Any]:
    """What ``signature_of`` says of some of the measures and runs.

    Args:
        signature: of all.
        measures: some of them.
        runs: some of them, by number.
    """
    some = {"measures": [str(measure) for measure in measures], "runs": [signature["runs"][at] for at in runs]}
    asked = any(measure.declaration.needs_intents for measure in measures)
    return {name: some.get(name, value) for name, value in signature.items() if asked or name != "intents"}


def _intents(measures: Sequence[Measure], qrels: Qrels) -> dict[str, Any]:
    """How likely intents were, where a measure asked."""
    if not any(measure.declaration.needs_intents for measure in measures):
        return {}
    weights = qrels.weights
    given = {"sha256": fingerprint(weights)} if weights.rule == "given" else {}
    settings = {"weight_sum": qrels.weight_sum, "keep_empty_intents": qrels.keep_empty_intents}
    return {"intents": {"weights": weights.name, **given, **settings}}
