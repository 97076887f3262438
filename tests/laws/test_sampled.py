"""Judgments of a stratified sample: how they are read, and what is estimated from them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from twins_sampled import Pooled, estimated_gain, estimated_precision

import cranfield
from cranfield import InputError
from cranfield.collection.sampled_qrels import SampledQrels
from cranfield.errors import FormatError, MeasureError
from effort import examples

PRELS = """1 0 a 1 1
1 0 b 1 0
1 0 c 2 -1
1 0 d 2 2
1 0 e 2 -1
1 0 f 2 0
"""
RUN = {"1": {"a": 9.0, "c": 8.0, "d": 7.0, "z": 6.0, "f": 5.0}}
E5 = 1e-5


@pytest.fixture
def prels(tmp_path: Path) -> Path:
    file = tmp_path / "sampled.prels"
    file.write_text(PRELS)
    return file


def value(qrels: object, run: object, measure: str) -> float:
    return cranfield.evaluate_means(run, qrels, [measure])["run"][measure]  # type: ignore[arg-type]


def test_by_hand(prels: Path) -> None:
    # Stratum 1: 2 of 2 were sampled, stratum 2: 2 of 4, so that d stands for two documents, and R = 1 + 2.
    above = (1 + E5) / (1 + 3 * E5) + E5 / (3 * E5)
    assert value(prels, RUN, "xinfAP") == pytest.approx((1 + 2 * (1 + above) / 3) / 3, abs=1e-15)
    # Of stratum 2 the list holds c, d and f, two of them sampled; the best list is d, its twin, and a.
    found, best = 1 + 3 / 2 * 2 / 2, 2 + 2 / math.log2(3) + 1 / 2
    assert value(prels, RUN, "infNDCG") == pytest.approx(found / best, abs=1e-15)
    assert value(prels, RUN, "infNDCG@1") == pytest.approx(1 / 2, abs=1e-15)


LABELS = st.sampled_from([-1.0, -1.0, 0.0, 0.0, 1.0, 2.0])
POOLS = st.lists(st.tuples(st.sampled_from("123"), LABELS), min_size=1, max_size=12)


@examples(60)
@given(
    pool=POOLS,
    order=st.permutations(range(16)),
    length=st.integers(1, 16),
    rel=st.sampled_from([1, 2]),
    counts=st.sampled_from(["whole", "fraction"]),
)
def test_strata_equal_their_twins(pool: list[Pooled], order: list[int], length: int, rel: float, counts: str) -> None:
    documents = {f"d{number}": one for number, one in enumerate(pool)}
    ranked = [f"d{number}" for number in order[:length]]
    qrels = sample_of({"1": documents})
    run = {"1": {document: -float(rank) for rank, document in enumerate(ranked)}}
    seen = [documents.get(document) for document in ranked]
    worth = {-1.0: 0.0, 0.0: 0.0, 1.0: 1.0, 2.0: 2.0}
    with np.errstate(all="ignore"):
        ours = [raw(run, qrels, f"xinfAP(rel={rel})"), raw(run, qrels, f'infNDCG(counts="{counts}")')]
    theirs = [
        estimated_precision(seen, pool, rel),
        estimated_gain(seen, pool, worth, counts == "whole", math.inf),
    ]
    assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-12, nan_ok=True)


def sample_of(topics: dict[str, dict[str, Pooled]]) -> SampledQrels:
    from cranfield.findings import Location
    from cranfield.io.formats._format import File
    from cranfield.io.formats.prels import FORMAT

    lines = [
        f"{topic} 0 {document} {stratum} {label:g}\n"
        for topic, rows in topics.items()
        for document, (stratum, label) in rows.items()
    ]
    assert FORMAT.qrels is not None
    file = File(location=Location("sampled.prels"), name="sampled", kind="qrels", text="".join(lines).encode())
    assert FORMAT.is_here(file)
    qrels = FORMAT.qrels(file)[0]
    assert isinstance(qrels, SampledQrels)
    return qrels


def raw(run: dict[str, dict[str, float]], qrels: SampledQrels, measure: str) -> float:
    from cranfield.measures import parse_measure, values

    return float(values(parse_measure(measure), cranfield.evaluation.make_rankings({"run": run}, qrels))[0])


def test_estimates_are_right_on_average() -> None:
    rng = np.random.default_rng(3)
    labels = [float(rng.random() < 0.5 / (1 + number / 25)) for number in range(200)]
    run = {"1": {f"d{number}": -float(number) for number in range(0, 200, 2)}}
    full = sample_of({"1": {f"d{number}": ("1", label) for number, label in enumerate(labels)}})
    truth = {measure: raw(run, full, measure) for measure in ("xinfAP", "infNDCG")}
    draws: dict[str, list[float]] = {measure: [] for measure in truth}
    for _ in range(60):
        deep = set(rng.choice(np.arange(40, 200), 64, replace=False).tolist())
        rows = {
            f"d{number}": ("1" if number < 40 else "2", label if number < 40 or number in deep else -1.0)
            for number, label in enumerate(labels)
        }
        for measure, found in draws.items():
            found.append(raw(run, sample_of({"1": rows}), measure))
    for measure, found in draws.items():
        error = np.std(found) / math.sqrt(len(found))
        assert abs(np.mean(found) - truth[measure]) < 4 * error
        assert np.std(found) > 0.005


def test_a_full_sample_gives_average_precision_and_ndcg(prels: Path) -> None:
    pool = {"a": 1.0, "b": 0.0, "c": 0.0, "d": 2.0}
    full = sample_of({"1": {document: ("12"[document in "ab"], label) for document, label in pool.items()}})
    for measure, exact in (("xinfAP", "AP"), ("infNDCG", "nDCG")):
        assert raw(RUN, full, measure) == pytest.approx(value({"1": pool}, RUN, exact), abs=3e-5)


@pytest.mark.parametrize("left_out", ["b", "c", "d"])
def test_a_sample_without_a_document_stays_a_sample(tmp_path: Path, prels: Path, left_out: str) -> None:
    both = PRELS + PRELS.replace("1 0", "2 0")
    prels.write_text(both)
    remaining = tmp_path / "remaining.prels"
    remaining.write_text(
        "".join(line for line in both.splitlines(keepends=True) if not line.startswith(f"2 0 {left_out}"))
    )
    runs = dict.fromkeys("12", RUN["1"])
    shorter = {"1": RUN["1"], "2": {name: score for name, score in RUN["1"].items() if name != left_out}}
    for measure in ("xinfAP", "infNDCG"):
        excluding = cranfield.evaluate(
            runs, cranfield.read_qrels(prels).excluding(cranfield.Qrels.from_dict({"2": {left_out: 1}})), measure
        )
        by_hand = cranfield.evaluate(shorter, remaining, measure)
        assert excluding[measure].values.tolist() == by_hand[measure].values.tolist()


def test_groups_of_topics_of_a_sample_have_its_scores(prels: Path) -> None:
    prels.write_text(PRELS + PRELS.replace("1 0", "2 0").replace("d 2 2", "d 2 0"))
    sample = cranfield.read_qrels(prels)
    assert isinstance(sample, SampledQrels)
    second = sample.cut(np.arange(6, 12))
    runs = dict.fromkeys("12", RUN["1"])
    expected = cranfield.evaluate(runs, sample, "xinfAP")["xinfAP"].sel(topic="2").values.tolist()
    assert cranfield.evaluate({"2": RUN["1"]}, second, "xinfAP")["xinfAP"].sel(topic="2").values.tolist() == expected


def test_other_measures_are_refused(prels: Path) -> None:
    with pytest.raises(MeasureError, match=r"^AP would take documents that were not sampled .* infNDCG and xinfAP$"):
        cranfield.evaluate(RUN, prels, ["xinfAP", "AP"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PRELS + "1 0 g 2\n", r"prels:7: 4 fields, expected 5 \(topic iteration document stratum label\): '1 0 g 2'"),
        (PRELS + "1 0 g 2 0.5\n", r"prels:7: the label '0.5' is not a whole number from -1 on"),
        (PRELS + "1 0 g 2 -2\n", r"prels:7: the label '-2' is not a whole number from -1 on"),
        (PRELS + "1 0 a 2 1\n", r"document 'a' of topic '1' is in stratum '2' here and in '1' in line 1"),
        (PRELS + "1 0 a 1 0\n", r"prels:7: document 'a' of topic '1' has another label on line 1"),
    ],
)
def test_what_contradicts_is_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "sampled.prels"
    file.write_text(text)
    with pytest.raises(FormatError, match=said):
        cranfield.read_qrels(file)


def test_an_empty_file_that_is_asked_for_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "empty.prels"
    file.write_text("# nothing\n")
    with pytest.raises(InputError, match="no rows"):
        cranfield.read_qrels(file, input_format="prels")


def test_what_is_written_is_read_again(prels: Path, tmp_path: Path) -> None:
    qrels = cranfield.read_qrels(prels)
    cranfield.write(qrels, tmp_path / "again.prels")
    assert (tmp_path / "again.prels").read_text() == PRELS
    assert cranfield.read_qrels(tmp_path / "again.prels") == qrels
    other = tmp_path / "other.prels"
    other.write_text(PRELS.replace("b 1 0", "b 2 0"))
    assert cranfield.read_qrels(other) != qrels


def test_samples_are_copied(prels: Path) -> None:
    import pickle

    qrels = cranfield.read_qrels(prels)
    assert pickle.loads(pickle.dumps(qrels)) == qrels
    assert pickle.loads(pickle.dumps(qrels)).pool.strata.texts == ("1", "2")
