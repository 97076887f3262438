"""What the information framework costs inside a process.

`python benchmarks/analyses/probe_information.py kernels|growth SCALE` prints, as JSON, the CPU seconds of single calls
after reading, the least of several, because a call of milliseconds is disturbed by anything. Lists are drawn by seed:
judged documents stand by a quality that all systems know in part.
"""

import json
import os
import sys
import time
import tracemalloc
from collections.abc import Callable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the commands do; CPU seconds are then those of the work

import numpy as np

import cranfield
from cranfield import RIC, Qrels
from cranfield.collection import Policy, Rankings
from cranfield.information.pairwise_joint import compute_pairwise_joint
from cranfield.measures import values

SYSTEMS, TOPICS, JUDGED, RELEVANT = 129, 50, 1_700, 100
RETRIEVED = 600
"""Judged documents among the 1,000 of a list."""


def drawn(systems: int, topics: int, judged: int) -> tuple[Rankings, Qrels]:
    """Lists as they are after reading, and their judgments; one in 17 documents is relevant."""
    rng = np.random.default_rng(1)
    relevant, kept = round(judged * RELEVANT / JUDGED), round(judged * RETRIEVED / JUDGED)
    qrels = Qrels.from_dict({f"t{t}": {f"d{d:05d}": int(d < relevant) for d in range(judged)} for t in range(topics)})
    latent = rng.normal(size=(topics, judged)) + 1.5 * (np.arange(judged) < relevant)
    order = np.argsort(-(latent + rng.normal(size=(systems, topics, judged))), axis=2)[:, :, :kept]
    document = (order + judged * np.arange(topics)[:, None]).ravel()
    lists = systems * topics
    rank = np.sort(rng.random((lists, 1_000 * judged // JUDGED)).argpartition(kept, axis=1)[:, :kept], axis=1).ravel()
    length, starts = np.full(lists, 1_000 * judged // JUDGED), np.arange(lists + 1) * kept
    rankings = Rankings(
        systems=tuple(f"s{s}" for s in range(systems)),
        pool=qrels.pool,
        length=length,
        starts=starts,
        rank=rank + 1,
        document=document,
        grade=qrels.pool.grade[document],
        policy=Policy(),
    )
    return rankings, qrels


def kernels(scale: float) -> dict[str, float]:
    """The four calls that have a target, at full size where the scale is 1."""
    import xarray as xr

    systems, topics = max(12, round(SYSTEMS * scale)), max(2, round(TOPICS * scale))
    rankings, qrels = drawn(systems, topics, JUDGED)
    asked = cranfield.information.prepare_experiment(rankings, qrels)
    ten = asked.of_systems(list(asked.systems[:10]))
    scores = np.random.default_rng(2).random((topics, systems, 10)).round(2)
    labels = {"topic": list(qrels.topics), "system": list(asked.systems)}
    measures = {f"m{number}": (("topic", "system"), scores[:, :, number]) for number in range(10)}
    dataset = xr.Dataset(measures, labels, {"signature": "{}"})
    found = {
        "systems": systems,
        "topics": topics,
        "pairs": sum(pairs.size for pairs in asked.pairs),
        "RIC": _least(lambda: values(RIC, rankings), 5),
        "joint": _least(lambda: [ten.cells(topic).information() for topic in range(topics)], 5),
        "joint with null": _least(lambda: cranfield.information.compute_joint_ric(ten), 1),
        "taus": _least(lambda: cranfield.information.compute_information_taus(dataset, resamples=0), 3),
    }
    tracemalloc.start()
    found["difference"] = _least(lambda: compute_pairwise_joint(asked), 1)
    found["memory"] = tracemalloc.get_traced_memory()[1]
    return found


def growth(scale: float) -> list[dict[str, float]]:
    """RIC, joint RIC of ten and all differences, one size changed at a time."""
    usual = {"systems": 64, "topics": 25, "judged": 850}
    rows = []
    for name, size in usual.items():
        for factor in (0.5, 1, 2):
            asked_for = usual | {name: max(10, round(size * factor * scale))}
            rankings, qrels = drawn(**asked_for)
            asked = cranfield.information.prepare_experiment(rankings, qrels)
            ten = asked.of_systems(list(asked.systems[:10]))
            rows.append(
                {
                    **asked_for,
                    "RIC": _least(lambda some=rankings: values(RIC, some), 3),
                    "joint": _least(lambda some=ten: [some.cells(t).information() for t in range(len(some.topics))], 3),
                    "difference": _least(lambda some=asked: compute_pairwise_joint(some), 1),
                }
            )
    return rows


def _least(call: Callable[[], object], times: int) -> float:
    seconds = []
    for _ in range(times + (times > 1)):
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    return min(seconds)


if __name__ == "__main__":
    what, scale = sys.argv[1], float(sys.argv[2])
    if what not in ("kernels", "growth"):
        sys.exit(f"{what!r} is neither kernels nor growth")
    print(json.dumps(kernels(scale) if what == "kernels" else growth(scale)))
