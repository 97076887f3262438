"""What a careful reader should know of judgments and runs that were scored, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cranfield.arrays import Mask
from cranfield.collection.notices import listening
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.io.judging import JudgedRun, source_name
from cranfield.io.runs import NamedRun
from cranfield.io.source import display_name
from cranfield.measures import Measure, values
from cranfield.wording import Remark, in_full, listed, quoted, remarks

MANY = 10
"""So many documents do not all happen to be unjudged."""


def remarks_on_qrels(qrels: Qrels, asked: Sequence[Measure], policy: Policy) -> Iterator[Remark]:
    """Topics for which a measure has no value whatever is retrieved, mostly for want of relevant documents."""
    everything = Rankings.of_pool(qrels.pool, policy)
    where = in_full(display_name(qrels.path or qrels.name))
    found: dict[str, Mask] = {}
    said: dict[str, None] = {}
    for measure in sorted(asked, key=lambda measure: measure.parameters.get("rel") is None):
        with listening() as heard:
            without = np.isnan(values(measure, everything))
        said |= heard
        if np.isnan(measure.undefined):
            if without.any():
                topics = listed([qrels.topics[topic] for topic in np.flatnonzero(without)])
                yield Remark(where, f"{measure} has no value in {topics}, left out of its mean")
            continue
        rel = measure.parameters.get("rel")
        what = "with a gain" if rel is None else f"of label {rel:g} or more"
        known = any(np.array_equal(without, earlier) for earlier in found.values())
        if without.any() and (what in found or not known):
            found[what] = without | found.get(what, False)
    if qrels.intents is not None and any(measure.declaration.needs_intents for measure in asked):
        yield from (Remark(in_full(qrels.weights.path or qrels.weights.name), text) for text in qrels.intents.remarks())
    elif qrels.weights.rule == "given":
        yield Remark(where, "no measure asked for looks at intents, so their weights change nothing")
    yield from (Remark(where, text) for text in said)
    fate = "give 0 there" if policy.undefined == "declared" and policy.compat != "gdeval" else "have no value there"
    for what, without in found.items():
        topics = listed([qrels.topics[topic] for topic in np.flatnonzero(without)])
        which = "no topic has a document" if without.all() else f"{topics} without any document"
        yield Remark(where, f"{which} {what}: measures that need one {fate}")


def remarks_on_run(run: NamedRun, qrels: Qrels, judged: JudgedRun) -> Iterator[Remark]:
    """What was noticed while a run was read, and what of it was not found in the judgments."""
    yield from remarks(judged.facts, source_name(run), "run")
    rankings = judged.rankings
    absent = np.flatnonzero(rankings.length == 0)
    if len(absent):
        empty = "counted as an empty ranking" if len(absent) == 1 else "counted as empty rankings"
        fate = empty if rankings.policy.missing == "empty" else "left out of its means"
        topics = listed([qrels.topics[topic] for topic in absent], "judged topic")
        yield Remark(source_name(run), f"{topics} missing from the run, {fate}")
    if not len(rankings.rank) and rankings.length.sum() >= MANY:
        text = f"none of its documents is judged; are they named as in the qrels, such as {quoted(qrels.documents[0])}?"
        yield Remark(source_name(run), text)
