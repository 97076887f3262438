"""gamma of D#-nDCG from clicks, which Sakai et al. 2010 leave to future work, on clicks whose truth is known.

    python reproductions/sakai_2010/gamma_from_clicks.py

writes ``gamma_from_clicks_tables.md`` beside this file; README.md says what follows.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import cranfield

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from real_collections import DATA  # noqa: E402

QRELS = "trec-web/2009"
REFUSED = "indri-lemur-baseline"  # three of its lines are two lines glued together
RANKS, SESSIONS, REPETITIONS, SEED = 10, 200, 200, 2010
PLANTED = (0.0, 0.2, 0.5, 0.8, 1.0)

Floats = NDArray[np.float64]


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    text = tables(parser.parse_args().data)
    (HERE / "gamma_from_clicks_tables.md").write_text(text)
    print(text)


def estimate(recall: Floats, gain: Floats, success: Floats) -> float:
    """The gamma in [0, 1] for which gamma I-rec + (1 - gamma) D-nDCG is nearest to success, by least squares.

    Args:
        recall: I-rec of each list, [lists].
        gain: D-nDCG of each list, [lists].
        success: share of the sessions on each list with a click, [lists].
    """
    apart = recall - gain
    if not (apart**2).sum() > 0:
        return float("nan")
    return float(np.clip((apart * (success - gain)).sum() / (apart**2).sum(), 0, 1))


def tables(data: Path) -> str:
    """What is planted is found; and what users who look for one intent each would give."""
    qrels = next(path for path in sorted((data / QRELS).iterdir()) if "div" in path.name)
    runs = sorted(path for path in (data / "trec-web-diversity-runs").iterdir() if not path.name.startswith(REFUSED))
    measures = [f"I-rec@{RANKS}", f"D-nDCG@{RANKS}"]
    found = cranfield.evaluate(runs, qrels, measures, ties="rank", intent_weights="simulated").fillna(0.0)
    recall, gain = (found[name].transpose("topic", "system").to_numpy() for name in measures)
    topics = [str(topic) for topic in found["topic"].values]
    parts = [
        f"## gamma planted and found: {SESSIONS} sessions on each of {recall.size} lists, {REPETITIONS} repetitions"
    ]
    parts.append(planted(recall, gain))
    judged = relevant(qrels)
    tops = [first_documents(path) for path in runs]
    rows = []
    for name, likely in (("the P of the paper", True), ("intents equally likely", False)):
        success = np.array([[chance(judged[topic], top.get(topic, []), likely) for top in tops] for topic in topics])
        rows.append([name, *one_intent_each(recall, gain, success)])
    head = [
        "users look for one intent",
        "mean success",
        "gamma",
        "95% over topics",
        "rmse at it",
        "at .5",
        "at 0",
        "at 1",
    ]
    parts += [
        "## Users with one intent each, who look at rank r with probability 1 / log2(r + 1)",
        markdown(head, rows),
    ]
    return "\n\n".join(parts) + "\n"


def planted(recall: Floats, gain: Floats) -> str:
    """Clicks with the probability gamma I-rec + (1 - gamma) D-nDCG; by all lists, and by those of one topic."""
    rng = np.random.default_rng(SEED)
    rows = []
    for gamma in PLANTED:
        chances = np.clip(gamma * recall + (1 - gamma) * gain, 0, 1)
        whole, by_topic = [], []
        for _ in range(REPETITIONS):
            success = rng.binomial(SESSIONS, chances) / SESSIONS
            whole.append(estimate(recall.ravel(), gain.ravel(), success.ravel()))
            by_topic.append([estimate(*lists) for lists in zip(recall, gain, success, strict=True)])
        error = np.abs(np.array(by_topic) - gamma)
        cells = [np.mean(whole), np.std(whole, ddof=1), float(np.nanmean(error)), float(np.nanquantile(error, 0.9))]
        rows.append([f"{gamma:g}", *(f"{cell:.3f}" for cell in cells)])
    return markdown(["planted", "mean found", "sd", "by topic: mean error", "by topic: error, 90%"], rows)


def one_intent_each(recall: Floats, gain: Floats, chances: Floats) -> list[str]:
    """gamma for users that follow neither component, and how well each gamma predicts their success."""
    rng = np.random.default_rng(SEED)
    success = rng.binomial(SESSIONS, chances) / SESSIONS
    gamma = estimate(recall.ravel(), gain.ravel(), success.ravel())
    drawn = [rng.integers(0, len(recall), len(recall)) for _ in range(1000)]
    ends = np.quantile(
        [estimate(recall[d].ravel(), gain[d].ravel(), success[d].ravel()) for d in drawn], [0.025, 0.975]
    )
    errors = [np.sqrt(np.mean((g * recall + (1 - g) * gain - success) ** 2)) for g in (gamma, 0.5, 0.0, 1.0)]
    return [f"{success.mean():.3f}", f"{gamma:.3f}", f"{ends[0]:.3f} to {ends[1]:.3f}", *(f"{e:.3f}" for e in errors)]


def chance(intents: Mapping[str, set[str]], documents: Sequence[str], likely: bool) -> float:
    """Probability that a user clicks: one who is after intent i clicks what is relevant to it when seen."""
    names = sorted(intents, key=int)
    weights = 0.5 ** np.arange(len(names)) if likely else np.ones(len(names))
    seen = 1 / np.log2(np.arange(2, len(documents) + 2))
    missed = [np.prod([1 - p for p, d in zip(seen, documents, strict=True) if d in intents[name]]) for name in names]
    return float((weights / weights.sum()) @ (1 - np.array(missed))) if names else 0.0


def relevant(path: Path) -> dict[str, dict[str, set[str]]]:
    """Topic -> intent -> relevant documents; intents without any are left out."""
    found: dict[str, dict[str, set[str]]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            topic, intent, document, label = line.split()
            intents = found.setdefault(topic, {})
            if float(label) > 0:
                intents.setdefault(intent, set()).add(document)
    return found


def first_documents(path: Path) -> dict[str, list[str]]:
    """The first documents of each topic by rank."""
    run = cranfield.read_run(path)
    lists: dict[str, list[str]] = {}
    texts = [text.decode() for text in run.documents.tobytes()]
    for at, topic in enumerate(run.topics):
        rows = range(int(run.starts[at]), int(run.starts[at + 1]))
        assert run.rank is not None
        ranks = run.rank
        lists[str(topic)] = [texts[row] for row in sorted(rows, key=lambda row: ranks[row])[:RANKS]]
    return lists


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    warnings.simplefilter("ignore", cranfield.CranfieldWarning)
    main()
