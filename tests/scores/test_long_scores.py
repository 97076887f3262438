"""Scores of very many topics: gone through in blocks, with the numbers of all of them in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xarray as xr

from cranfield import InputError, compare, read_scores, write_scores
from cranfield.comparison import compare_measures, estimate_detectable_difference, gate
from cranfield.scores import blocks, opening
from cranfield.scores.measure_scores import Scores
from cranfield.statistics import generalizability, paired_differences, streamed_bootstrap
from cranfield.statistics.resampling import Samples
from cranfield.statistics.streamed_bootstrap import CHUNK, StreamedSamples, resampled_sums
from cranfield.streaming import parquet as streamed
from cranfield.streaming.parquet import open_stored
from cranfield.trust import estimate_reliability

TOPICS, SYSTEMS = 70, 4


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is very many, and a block."""
    for module in (streamed, blocks, opening):
        for name, size in (("MAX_IN_MEMORY", 50), ("BLOCK", 16)):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, size)


def made(topics: int = TOPICS) -> xr.DataArray:
    """Four systems, of which the last two have the same scores."""
    draw = np.random.default_rng(4)
    values = np.round(draw.random((topics, 1)) * 0.5 + draw.random((topics, SYSTEMS)) * 0.5, 2)
    values[:, 3] = values[:, 2]
    labels = {"topic": [f"{n}" for n in range(topics)], "system": [f"s{n}" for n in range(SYSTEMS)]}
    return xr.DataArray(values, labels, ("topic", "system"), name="AP")


@pytest.fixture
def scores() -> xr.DataArray:
    return made()


@pytest.fixture
def folder(tmp_path: Path, scores: xr.DataArray) -> Path:
    write_scores(scores, f"{tmp_path}/scores/")
    return tmp_path / "scores"


def opened(path: Path | str) -> Scores:
    held = open_stored(path)
    assert held is not None
    assert held.measures == ("AP",)
    return held.by("AP")


def in_memory(scores: xr.DataArray, monkeypatch: pytest.MonkeyPatch, **how: Any) -> Any:
    """As scores of few topics are compared."""
    with monkeypatch.context() as patch:
        patch.setattr(opening, "MAX_IN_MEMORY", 10**9)
        return compare(scores, **how)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("test", ["t", "sign"])
@pytest.mark.parametrize("more", [{}, {"baseline": "s2", "correction": "none"}, {"margin": 0.1, "interval": "t"}])
def test_blocks_give_the_numbers_of_memory(
    folder: Path, scores: xr.DataArray, monkeypatch: pytest.MonkeyPatch, test: str, more: dict[str, Any]
) -> None:
    found, plain = compare(opened(folder), test=test, **more), in_memory(scores, monkeypatch, test=test, **more)  # type: ignore[arg-type]
    assert found.settings == plain.settings
    for ours, theirs in ((found.pairs, plain.pairs), (found.margins, plain.margins)):
        assert (ours is None) == (theirs is None)
        for name in () if ours is None else ours.columns:
            expected = theirs[name].to_numpy()
            if expected.dtype.kind == "f":
                np.testing.assert_allclose(ours[name].to_numpy(), expected, rtol=1e-11, atol=1e-13)
            else:
                assert ours[name].tolist() == expected.tolist()
    assert found.means.index.tolist() == plain.means.index.tolist()


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_the_same_bits_wherever_the_scores_are(folder: Path, scores: xr.DataArray) -> None:
    stored, held = compare(opened(folder)), compare(read_scores(folder)["AP"])
    assert stored == held
    assert stored.signature == held.signature
    other = scores.isel(topic=np.random.default_rng(1).permutation(TOPICS))
    assert compare(other).pairs.equals(stored.pairs)
    plan, planned = (estimate_detectable_difference(one) for one in (opened(folder), read_scores(folder)["AP"]))
    assert plan == planned


def test_a_plan_is_that_of_memory(folder: Path, scores: xr.DataArray, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [estimate_detectable_difference(opened(folder), test=test).difference for test in ("t", "permutation")]
    monkeypatch.setattr(opening, "MAX_IN_MEMORY", 10**9)
    plain = [estimate_detectable_difference(scores, test=test).difference for test in ("t", "permutation")]
    assert found == pytest.approx(plain, rel=1e-11)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_what_needs_all_scores_reads_them(folder: Path, scores: xr.DataArray, monkeypatch: pytest.MonkeyPatch) -> None:
    for test, resamples in (("wilcoxon", None), ("permutation", 60)):
        assert compare(opened(folder), test=test, resamples=resamples).pairs.equals(  # type: ignore[arg-type]
            in_memory(scores, monkeypatch, test=test, resamples=resamples).pairs
        )
    monkeypatch.setenv("CRANFIELD_MEMORY", "2000")
    with pytest.raises(InputError, match=r"would take 7.0 kB of memory, of 2.0 kB allowed"):
        compare(opened(folder), test="wilcoxon")
    assert len(compare(opened(folder)).pairs) == 6


def written(folder: Path, rows: list[tuple[str, str, float]], cuts: list[int]) -> Path:
    folder.mkdir()
    for number, (start, stop) in enumerate(zip([0, *cuts], [*cuts, len(rows)], strict=True)):
        names = ("system", "topic", "AP")
        columns = dict(zip(names, map(list, zip(*rows[start:stop], strict=True)), strict=True))
        table = pa.table(columns, metadata={b"cranfield.scores": b'{"measures": {"AP": {}}}'})
        pq.write_table(table, folder / f"{number}.parquet", row_group_size=23)
    return folder


def rows_of(scores: xr.DataArray, topics: list[str]) -> list[tuple[str, str, float]]:
    names = scores["system"].to_numpy().tolist()
    return [(name, topic, float(scores.sel(system=name, topic=topic))) for name in names for topic in topics]


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("cuts", [[], [100], [70, 75, 140, 200]])
def test_files_cut_anywhere_and_topics_in_any_order(tmp_path: Path, scores: xr.DataArray, cuts: list[int]) -> None:
    topics = [str(n) for n in np.random.default_rng(2).permutation(TOPICS)]
    folder = written(tmp_path / "cut", rows_of(scores, topics), cuts)
    assert compare(opened(folder)).pairs.equals(compare(scores).pairs)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_what_does_not_lie_alike_is_read_into_memory(
    tmp_path: Path, scores: xr.DataArray, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics = [str(n) for n in range(TOPICS)]
    rows = rows_of(scores, topics)
    other_order = [*rows[:TOPICS], *reversed(rows[TOPICS:])]
    by_topic = sorted(rows, key=lambda row: row[1])
    assert open_stored(written(tmp_path / "order", other_order, [])) is None
    assert open_stored(written(tmp_path / "lacks", rows[:-1], [])) is None
    few = written(tmp_path / "few", [row for row in rows if int(row[1]) < 50], [])
    assert open_stored(few) is None
    mixed = written(tmp_path / "mixed", by_topic, [])
    assert compare(opened(mixed)).pairs.equals(compare(scores).pairs)
    monkeypatch.setattr(streamed, "SPLIT", 5)
    assert open_stored(mixed) is None
    text = tmp_path / "scores.csv"
    write_scores(scores, text)
    assert open_stored(text) is None


@pytest.mark.parametrize("place", [1, 69])
def test_a_topic_that_comes_twice_is_refused_by_name(tmp_path: Path, scores: xr.DataArray, place: int) -> None:
    topics = [str(n) for n in range(TOPICS)]
    rows = [
        (name, topics[0] if topic == topics[place] else topic, value) for name, topic, value in rows_of(scores, topics)
    ]
    folder = written(tmp_path / "twice", rows, [35])
    assert open_stored(folder) is None
    with pytest.raises(InputError, match=r"system 's0' has two rows of topic '0'"):
        read_scores(folder)


@pytest.mark.filterwarnings("ignore:.*has no score on 1 of")
def test_a_gap_an_infinite_score_and_a_change(tmp_path: Path, scores: xr.DataArray) -> None:
    topics = [str(n) for n in range(TOPICS)]
    rows = rows_of(scores, topics)
    gap = written(tmp_path / "gap", [(*rows[0][:2], float("nan")), *rows[1:]], [])
    assert not opened(gap).is_complete
    with pytest.warns(UserWarning, match="have the same scores"):
        assert compare(opened(gap)).pairs["topics"].min() == TOPICS - 1
    infinite = written(tmp_path / "infinite", [*rows[:30], (*rows[30][:2], float("inf")), *rows[31:]], [20])
    with pytest.raises(InputError, match=r"1.parquet: row 11: AP is infinite"):
        compare(opened(infinite))
    changed = opened(gap)
    table = pq.read_table(gap / "0.parquet")
    pq.write_table(table.slice(0, 100), gap / "0.parquet")
    with pytest.raises(InputError, match=r"0.parquet: was changed while it was read"):
        compare(changed)


def test_scores_whose_squares_are_lost(tmp_path: Path, scores: xr.DataArray) -> None:
    write_scores(scores * 1e120, f"{tmp_path}/huge/")
    with pytest.raises(InputError, match=r"AP goes up to 9.*e\+119, whose square is lost"):
        compare(opened(tmp_path / "huge"))


def test_long_samples_are_samples_of_all_items() -> None:
    rng = np.random.default_rng(3)
    counts = np.concatenate(list(StreamedSamples(400, CHUNK + 700, rng).chunks()), axis=1)
    assert counts.shape == (400, CHUNK + 700)
    assert (counts.sum(axis=1) == CHUNK + 700).all()
    # Each item is drawn a binomial number of times: mean 1, variance 1 - 1 / n, and few go together.
    assert counts.mean(axis=0).std() == pytest.approx(1 / 20, rel=0.1)
    assert counts.var() == pytest.approx(1.0, abs=0.01)
    assert counts[:, CHUNK:].sum(axis=1).var() == pytest.approx(700 * CHUNK / (CHUNK + 700), rel=0.25)


@pytest.mark.parametrize("cuts", [[], [5, 6, 30], [16, 32, 48, 64]])
def test_resampled_sums_do_not_know_of_blocks(cuts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamed_bootstrap, "CHUNK", 16)
    values = made().to_numpy().T

    def sums(parts: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
        samples = StreamedSamples(40, TOPICS, np.random.default_rng(2))
        return resampled_sums(parts, samples, lambda block: block.T, SYSTEMS, "systems")

    counts = np.concatenate(list(StreamedSamples(40, TOPICS, np.random.default_rng(2)).chunks()), axis=1)
    found = sums(np.split(values, cuts, axis=1))
    assert found.tobytes() == sums([values]).tobytes()
    np.testing.assert_allclose(found, counts @ values.T, rtol=1e-12)


@pytest.fixture
def drawn_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in memory gets the resamples of what is not."""
    monkeypatch.setattr(streamed_bootstrap, "CHUNK", 16)

    def counts(n: int, resamples: int, rng: np.random.Generator) -> Samples:
        return Samples.from_rows(np.concatenate(list(StreamedSamples(resamples, n, rng).chunks()), axis=1))

    monkeypatch.setattr(paired_differences, "bootstrap_counts", counts)
    monkeypatch.setattr(generalizability, "bootstrap_counts", counts)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize(
    "how",
    [
        {"test": "bootstrap"},
        {"test": "bootstrap", "correction": "max-t-step-down", "baseline": "s1"},
        {"test": "bootstrap", "correction": "none", "interval": "percentile"},
        {"test": "t", "interval": "bca", "resamples": 300},
        {"test": "sign", "interval": "percentile", "resamples": 300},
    ],
)
@pytest.mark.parametrize("scale", [1.0, 1e-6])
def test_the_bootstrap_in_one_pass_is_that_of_memory(
    tmp_path: Path, drawn_alike: None, monkeypatch: pytest.MonkeyPatch, how: dict[str, Any], scale: float
) -> None:
    scores, rng = made(), np.random.default_rng(1)
    scores += rng.normal(0, 1e-3, scores.shape)  # no sum is equal to another, which rounding would decide
    # One system differs on few topics from another, and is no part of the family; one is nearly the same.
    scores[:, 3] = scores[:, 2] + np.where(np.arange(TOPICS) < 20, rng.normal(0.05, 0.01, TOPICS), 0.0)
    scores[:, 1] = scores[:, 0] + scale * rng.normal(0.3, 1, TOPICS)
    write_scores(scores, f"{tmp_path}/scores/")
    found, plain = compare(opened(tmp_path / "scores"), **how), in_memory(scores, monkeypatch, **how)
    for name in plain.pairs.columns:
        expected = plain.pairs[name].to_numpy()
        if expected.dtype.kind == "f":
            np.testing.assert_allclose(found.pairs[name].to_numpy(), expected, rtol=1e-6, atol=1e-12)
        else:
            assert found.pairs[name].tolist() == expected.tolist()
    assert found.settings == {"drawn_at_a_time": CHUNK, **plain.settings}
    assert compare(read_scores(tmp_path / "scores")["AP"], **how) == found


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("how", [{}, {"resample": "topics"}, {"drop": 0.3, "n_topics": [7]}])
def test_reliability_from_sums_is_that_of_memory(
    tmp_path: Path, drawn_alike: None, monkeypatch: pytest.MonkeyPatch, how: dict[str, Any]
) -> None:
    scores = made()
    scores += np.arange(SYSTEMS) / 20
    write_scores(scores, f"{tmp_path}/scores/")
    found = estimate_reliability(opened(tmp_path / "scores"), resamples=200, **how)
    assert estimate_reliability(read_scores(tmp_path / "scores")["AP"], resamples=200, **how) == found
    monkeypatch.setattr(opening, "MAX_IN_MEMORY", 10**9)
    plain = estimate_reliability(scores, resamples=200, **how)
    for name in ("components", "curve", "needed_within"):
        pd.testing.assert_frame_equal(getattr(found, name), getattr(plain, name), rtol=1e-9)
    assert (found.needed, found.systems) == (plain.needed, plain.systems)
    assert found.settings == {**plain.settings, "drawn_at_a_time": CHUNK}


def test_reliability_of_scores_with_a_gap(tmp_path: Path, scores: xr.DataArray) -> None:
    scores = scores + np.arange(SYSTEMS) / 20
    scores[3, 1] = np.nan
    write_scores(scores, f"{tmp_path}/scores/")
    with pytest.raises(InputError, match=r"reliability"):
        estimate_reliability(opened(tmp_path / "scores"))
    filled = estimate_reliability(opened(tmp_path / "scores"), missing_scores="zero", resamples=20)
    plain = estimate_reliability(scores.fillna(0), resamples=20)
    np.testing.assert_allclose(filled.components, plain.components, rtol=1e-10)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("how", [{}, {"baseline": "s2", "worst_topic": 0.3}, {"margin": 0.2, "alpha": 0.01}])
def test_the_gate_from_sums_is_that_of_memory(
    folder: Path, scores: xr.DataArray, monkeypatch: pytest.MonkeyPatch, how: dict[str, Any]
) -> None:
    found = gate([opened(folder)], **how)
    assert gate(read_scores(folder)["AP"], **how) == found
    other = scores.isel(topic=np.random.default_rng(1).permutation(TOPICS))
    assert (
        gate(other, **how)
        .rows.drop(columns=["worst_topic", "reason"])
        .equals(found.rows.drop(columns=["worst_topic", "reason"]))
    )
    monkeypatch.setattr(opening, "MAX_IN_MEMORY", 10**9)
    plain = gate(read_scores(folder)["AP"], **how)
    pd.testing.assert_frame_equal(found.rows, plain.rows, rtol=1e-11)
    pd.testing.assert_frame_equal(found.worst_topics, plain.worst_topics)
    assert (found.verdict, found.settings, found.signature) == (plain.verdict, plain.settings, plain.signature)


def test_the_gate_of_scores_with_a_gap(tmp_path: Path, scores: xr.DataArray) -> None:
    scores = scores.copy()
    scores[40, 1] = np.nan
    write_scores(scores, f"{tmp_path}/scores/")
    found = gate([opened(tmp_path / "scores")], baseline="s0")
    assert found == gate(read_scores(tmp_path / "scores")["AP"], baseline="s0")
    assert found.rows["missing"].tolist() == [1, 0, 0]


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("how", [{}, {"baseline": "s1"}, {"test": "sign", "correction": "bh"}])
def test_the_table_from_sums_is_that_of_memory(
    folder: Path, monkeypatch: pytest.MonkeyPatch, how: dict[str, Any]
) -> None:
    found = compare_measures([opened(folder)], **how)
    assert compare_measures(read_scores(folder)["AP"], **how) == found
    monkeypatch.setattr(opening, "MAX_IN_MEMORY", 10**9)
    plain = compare_measures(read_scores(folder)["AP"], **how)
    pd.testing.assert_frame_equal(found.rows, plain.rows, rtol=1e-12)
    pd.testing.assert_frame_equal(found.pairs, plain.pairs, rtol=1e-11)
    assert found.to_latex() == plain.to_latex()


def test_names_are_found_by_number(folder: Path) -> None:
    assert opened(folder).topic_names({69, 0, 16, 15}) == {0: "0", 15: "15", 16: "16", 69: "69"}
    assert opened(folder).topic_names(()) == {}


def test_a_baseline_is_kept_where_scores_of_blocks_are_loaded(scores: xr.DataArray, folder: Path) -> None:
    topic_clusters = {str(n): str(n // 7) for n in range(TOPICS)}
    expected = gate(scores, baseline="s1", topic_clusters=topic_clusters)
    assert set(expected.rows["system"]) == {"s0", "s2", "s3"}
    means = scores.mean("topic").to_series()
    for row in expected.rows.itertuples():
        assert row.mean_baseline == pytest.approx(means["s1"])
        assert row.mean == pytest.approx(means[row.system])
    selected = opened(folder).select_systems([2, 0])
    assert selected.values.tolist() == scores.sel(system=["s2", "s0"]).to_numpy().tolist()
    assert np.concatenate([block.T for block in selected.blocks()]).tolist() == selected.values.tolist()
