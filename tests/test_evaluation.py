"""``evaluate``: the labelled result, its signature, summaries, threads, and what is said of the data."""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import subprocess
import sys
import warnings
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import cranfield
from choices import CHOICES
from cranfield import (
    AP,
    RR,
    CranfieldWarning,
    InputError,
    InputOptions,
    P,
    Qrels,
    Run,
    UsageError,
    evaluate,
    nDCG,
    summarize,
)
from cranfield.engine import Engine
from cranfield.errors import FormatError, MeasureError
from cranfield.measures import describe, registry, summary
from cranfield.scoring import DEFAULT, score

QRELS = {"2": {"a": 1, "b": 0}, "1": {"a": 2, "c": 1}}
GOOD = {"2": {"a": 2.0, "b": 1.0}, "1": {"a": 3.0, "c": 2.0}}
BAD = {"1": {"c": 3.0, "u": 2.0, "a": 1.0}, "2": {"b": 2.0, "a": 1.0}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text("2 0 a 1\n2 0 b 0\n1 0 a 2\n1 0 c 1\n")
    cranfield.write(Run.from_dict(GOOD, name="good"), tmp_path / "good.run")
    cranfield.write(Run.from_dict(BAD, name="bad"), tmp_path / "bad.run")
    return tmp_path


# ---- the labelled result


def test_scores_are_a_dataset(folder: Path) -> None:
    scores = evaluate([folder / "good.run", folder / "bad.run"], folder / "qrels.txt", [nDCG @ 10, "AP", "P_1"])
    assert isinstance(scores, xr.Dataset)
    assert list(scores.data_vars) == ["nDCG@10", "AP", "P@1"]
    for variable in scores.data_vars.values():
        assert variable.dims == ("topic", "system")
        assert variable.dtype == np.float64
        assert variable.attrs["summary"] == "mean"
        assert variable.attrs["larger_is_better"] == 1
    assert scores["nDCG@10"].attrs["reference"] == registry["nDCG"].reference
    assert scores["topic"].values.tolist() == ["2", "1"], "as the qrels have them"
    assert scores["system"].values.tolist() == ["good", "bad"], "as they were given"
    assert scores["tag"].dims == scores["sha256"].dims == ("system",)
    assert scores["tag"].values.tolist() == ["good", "bad"]
    # bad: ranks c, u, a for topic 1 and b, a for topic 2
    assert scores["AP"].sel(system="bad").values.tolist() == [1 / 2, (1 + 2 / 3) / 2]
    assert scores["P@1"].sel(topic="2").values.tolist() == [1, 0]
    assert (scores["AP"].sel(system="good") == 1).all()


def test_the_usual_measures() -> None:
    scores = evaluate(GOOD, QRELS)
    assert tuple(scores.data_vars) == DEFAULT == ("nDCG@10", "AP", "RR", "P@10", "R@1000", "Judged@10")


def test_measures_are_given_once_and_in_order() -> None:
    scores = evaluate(GOOD, QRELS, ["P.1,5", AP, "P@1", "map", "AP(rel=1)", RR])
    assert list(scores.data_vars) == ["P@1", "P@5", "AP", "RR"]
    assert list(evaluate(GOOD, QRELS, AP).data_vars) == ["AP"]
    assert list(evaluate(GOOD, QRELS, "success").data_vars) == ["Success@1", "Success@5", "Success@10"]
    assert list(evaluate(GOOD, QRELS, (measure for measure in (AP, "RR"))).data_vars) == ["AP", "RR"]


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ([], "no measure was given"),
        ([3], "3 is not a measure: write its name, or cranfield.nDCG @ 10"),
        (3, "3 is not a measure: write its name, or cranfield.nDCG @ 10"),
        (None, "None is not a measure: write its name, or cranfield.nDCG @ 10"),
        ([P], "P needs a cutoff, for example P@10"),
        ("nDCG(cutof=10)", "nDCG has no parameter 'cutof': did you mean cutoff?"),
    ],
)
def test_measures_that_are_none(measures: Any, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        evaluate(GOOD, QRELS, measures)
    assert str(refused.value) == message


def test_a_measure_is_refused_before_any_file_is_read() -> None:
    with pytest.raises(MeasureError):
        evaluate("no/such/file", "no/such/qrels", "nope")


BY_INTENT = {topic: {"1": row, "2": row} for topic, row in QRELS.items()}


def test_every_measure_in_one_dataset() -> None:
    every = [describe.example(declaration) for declaration in registry.values()]
    scores = evaluate({"good": GOOD, "bad": BAD}, BY_INTENT, every)
    assert list(scores.data_vars) == [str(measure) for measure in every]
    assert json.loads(scores.attrs["signature"])["measures"] == list(scores.data_vars)


def test_dicts_frames_runs_and_paths_can_be_mixed(folder: Path) -> None:
    frame = Run.from_dict(BAD).to_frame()
    runs = {"dict": GOOD, "frame": frame, "run": Run.from_dict(BAD), "path": folder / "good.run"}
    for qrels in (QRELS, Qrels.from_dict(QRELS), Qrels.from_dict(QRELS).to_frame(), folder / "qrels.txt"):
        scores = evaluate(runs, qrels, [AP, nDCG])
        assert scores["system"].values.tolist() == list(runs)
        assert scores["AP"].sel(system="dict").values.tobytes() == scores["AP"].sel(system="path").values.tobytes()
        assert scores["nDCG"].sel(system="frame").values.tobytes() == scores["nDCG"].sel(system="run").values.tobytes()


# ---- the signature


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_signature_names_all_that_changes_the_numbers(folder: Path) -> None:
    scores = evaluate(f"{folder}/*.run", folder / "qrels.txt", ["AP", "nDCG@10"], ties="docid")
    signature = json.loads(scores.attrs["signature"])
    assert signature == {
        "cranfield": cranfield.__version__,
        "engine": score(GOOD, QRELS).signature()["engine"],
        "measures": ["AP", "nDCG@10"],
        "bounds": "none",
        "ties": "docid",
        "missing": "empty",
        "unjudged": "zero",
        "negative": "zero",
        "undefined": "declared",
        "compat": "none",
        "on_duplicate": "error",
        "own_document": "keep",
        "passages": "",
        "max_rel": 2.0,
        "qrels": {"name": "qrels", "sha256": sha256(folder / "qrels.txt")},
        "runs": [
            {"name": "bad", "tag": "bad", "sha256": sha256(folder / "bad.run")},
            {"name": "good", "tag": "good", "sha256": sha256(folder / "good.run")},
        ],
    }
    for option in CHOICES:
        assert scores.attrs[option] == signature[option]
    assert scores.attrs["qrels_sha256"] == sha256(folder / "qrels.txt")
    assert scores["sha256"].values.tolist() == [run["sha256"] for run in signature["runs"]]
    assert scores.attrs["engine"] in ("compiled", "reference")


def test_the_signature_is_stable() -> None:
    one, other = (evaluate({"good": GOOD}, QRELS).attrs for _ in range(2))
    assert one == other
    digest = json.loads(one["signature"])["runs"][0]["sha256"]
    assert digest == Run.from_dict(GOOD).digest == Run.from_dict(json.loads(json.dumps(GOOD))).digest
    assert json.loads(one["signature"])["qrels"]["sha256"] == Qrels.from_dict(QRELS).digest


def test_the_signature_changes_with_everything_that_matters(folder: Path) -> None:
    def signature(**options: Any) -> str:
        measure = "NDCG_std" if options.get("unjudged") == "mean" else "AP"
        return str(quiet(folder / "good.run", folder / "qrels.txt", measure, **options).attrs["signature"])

    changes = [{option: word} for option, words in CHOICES.items() for word in words[1:]]
    seen = {signature(), signature(rel=2), *(signature(**change) for change in changes)}
    for name in ("good.run", "qrels.txt"):
        (folder / name).write_text((folder / name).read_text() + "\n")
        seen.add(signature())
    assert len(seen) == 4 + len(changes)


def test_the_result_can_be_written_and_read_without_netcdf(folder: Path) -> None:
    scores = evaluate(f"{folder}/*.run", folder / "qrels.txt", ["AP"])
    again = xr.Dataset.from_dict(json.loads(json.dumps(scores.to_dict())))
    assert again["AP"].values.tolist() == scores["AP"].values.tolist()
    assert again.attrs == scores.attrs
    assert summarize(again).equals(summarize(scores))


# ---- summaries


def test_summaries_are_those_of_plain_scoring() -> None:
    every = [describe.example(declaration) for declaration in registry.values()]
    runs = {"good": GOOD, "bad": BAD, "half": {"1": {"x": 1.0}}}
    for options in ({}, {"missing": "skip"}, {"undefined": "keep"}, {"compat": "ndeval"}, {"compat": "trec_eval"}):
        summaries = summarize(quiet(runs, BY_INTENT, every, **options))
        table = score(runs, BY_INTENT, every, **options)  # type: ignore[arg-type]
        assert summaries.index.tolist() == list(runs)
        assert summaries.index.name == "system"
        assert list(summaries.columns) == [str(measure) for measure in every]
        np.testing.assert_array_equal(summaries.to_numpy().T, table.summaries)


def quiet(*arguments: Any, **options: Any) -> xr.Dataset:
    """Scores, whatever is remarked on the data."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        return evaluate(*arguments, **options)


def test_sums_and_geometric_means() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1, "b": 1}, "3": {"b": 1}}
    run = {"1": {"a": 1.0}, "2": {"a": 2.0, "u": 1.0}, "3": {"u": 1.0}}
    scores = evaluate(run, qrels, ["NumRet", "NumRelRet", "AP", "GMAP"])
    # average precision 1, 1/2 and 0
    assert scores["GMAP"].values.ravel().tolist() == [1, 1 / 2, 0]
    assert scores["GMAP"].attrs["summary"] == "geometric mean"
    assert scores["NumRet"].attrs["summary"] == "sum"
    (row,) = summarize(scores).to_dict("records")
    assert row["NumRet"] == 4
    assert row["NumRelRet"] == 2
    assert row["AP"] == 1 / 2
    assert row["GMAP"] == pytest.approx((1 * 1 / 2 * 1e-5) ** (1 / 3), rel=1e-14)


@pytest.mark.filterwarnings("ignore:.*ranks the same judged documents")
def test_a_summary_does_not_depend_on_how_scores_lie_in_memory() -> None:
    """The last bit too: the shell, Python, one system and many say the same number."""
    random = np.random.default_rng(1)
    labels, scores = random.random((2, 300)).round(6).tolist()
    qrels = {str(topic): {"a": label} for topic, label in enumerate(labels)}
    runs = {f"run{at}": {topic: {"a": scores[at]} for topic in qrels} for at in range(3)}
    measure = "DCG"
    table = score(runs, qrels, measure)
    together = evaluate(runs, qrels, measure)
    alone = [summarize(evaluate({name: run}, qrels, measure)).iloc[0, 0] for name, run in runs.items()]
    assert summarize(together)[measure].tolist() == table.summaries[0].tolist() == alone
    assert summarize(together.transpose("system", "topic"))[measure].tolist() == alone
    assert summarize(together.isel(system=[0, 2]))[measure].tolist() == [alone[0], alone[2]]


def test_summaries_depend_on_the_values_alone() -> None:
    """To the bit: not on other systems, nor on the order of the topics."""
    rng = np.random.default_rng(3)
    topics = [str(number) for number in range(100)]
    qrels = {topic: dict(zip("abcdefgh", rng.integers(0, 3, 8).tolist(), strict=True)) for topic in topics}
    runs = {
        name: {topic: dict(zip("abcdefgh", rng.random(8).tolist(), strict=True)) for topic in topics}
        for name in ("one", "two", "three")
    }
    names = ["AP", "nDCG", "GMAP", "RBP"]
    together = summarize(quiet(runs, qrels, names))
    for name, run in runs.items():
        alone = summarize(quiet({name: run}, dict(reversed(qrels.items())), names))
        assert alone.loc[name].tolist() == together.loc[name].tolist()
        assert score({name: run}, qrels, names).summaries.ravel().tolist() == together.loc[name].tolist()


@pytest.mark.parametrize(
    ("scores", "mean"),
    [
        ([1e16, 1.0, -1e16], 1 / 3),
        ([1e308, 1e308], math.inf),
        ([-1e308, -1e308], -math.inf),
        ([math.inf, 1.0], math.inf),
        ([math.inf, -math.inf], math.nan),
        ([math.nan, 2.0], 2.0),
        ([math.nan], math.nan),
    ],
)
def test_the_mean_of_any_numbers(scores: list[float], mean: float) -> None:
    assert summary("mean", np.array([scores])).tolist() == pytest.approx([mean], rel=1e-15, nan_ok=True)


def test_cells_without_a_value_are_left_out_of_summaries() -> None:
    scores = xr.Dataset(
        {"AP": (("topic", "system"), [[0.5, math.nan], [math.nan, math.nan], [0.25, math.nan]])},
        {"system": ["a", "b"]},
    )
    found = summarize(scores)["AP"]
    assert found["a"] == 0.375
    assert math.isnan(found["b"])
    assert summarize(scores.transpose("system", "topic"))["AP"]["a"] == 0.375


def test_only_scores_are_summarized() -> None:
    with pytest.raises(UsageError) as refused:
        summarize(xr.Dataset({"AP": ("topic", [1.0])}))
    assert str(refused.value) == "AP has dims ('topic',), expected (topic, system)"


# ---- threads


class Counting(Executor):
    """Runs tasks where they are submitted, last first, and counts them."""

    def __init__(self) -> None:
        self.tasks = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future


def test_any_executor_gives_the_same_bits(folder: Path) -> None:
    runs = {f"run{number}": folder / ("good.run", "bad.run")[number % 2] for number in range(12)}
    counting = Counting()
    usual = evaluate(runs, folder / "qrels.txt")
    with ThreadPoolExecutor(5) as threads:
        for executor in (counting, threads):
            assert evaluate(runs, folder / "qrels.txt", executor=executor).identical(usual)
        assert threads.submit(int).result() == 0, "an executor that was given is left open"
    assert counting.tasks == 12


def test_processes_give_the_same_bits(folder: Path, each_engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """From files and from runs in memory; remarks come back too."""
    monkeypatch.setenv("CRANFIELD_ENGINE", each_engine.NAME)
    (folder / "odd.run").write_text("1 Q0 a one 1 t\n1 Q0 b 2 1 s\n9 Q0 a 1 1 t\n")
    runs = {"good": folder / "good.run", "odd": folder / "odd.run", "dict": GOOD, "run": Run.from_dict(BAD)}

    def scored(executor: Executor | None) -> tuple[object, ...]:
        reading = InputOptions(ties="docid", undefined="keep")
        table = score(runs, folder / "qrels.txt", ["nDCG@10", AP(rel=2)], reading=reading, executor=executor)
        return table.values.tobytes(), table.summaries.tobytes(), table.tags, table.remarks

    usual = scored(None)
    assert len(usual[-1]) == 5  # type: ignore[arg-type]
    with ThreadPoolExecutor(3) as threads, ProcessPoolExecutor(1, get_context("spawn")) as processes:
        assert scored(threads) == usual
        assert scored(processes) == usual
        (folder / "odd.run").write_text("1 Q0 a 1 wrong t\n")
        with pytest.raises(FormatError, match=rf"^{folder}/odd\.run:1: the score 'wrong'"):
            scored(processes)


def test_the_first_wrong_run_is_named(folder: Path) -> None:
    for name in ("p", "q"):
        (folder / f"{name}.run").write_text("1 Q0 a 1 wrong t\n")
    runs = [folder / name for name in ("good.run", "q.run", "bad.run", "p.run")]
    for executor in (None, Counting()):
        with pytest.raises(InputError, match=rf"^{folder}/q\.run:1: the score 'wrong'"):
            evaluate(runs, folder / "qrels.txt", executor=executor)


def test_progress_is_told() -> None:
    steps: list[tuple[int, int]] = []
    score({"a": GOOD, "b": BAD}, QRELS, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(1, 2), (2, 2)]


# ---- what is said of the data


def test_each_remark_is_made_once(folder: Path) -> None:
    for name in ("one", "two", "three"):
        (folder / f"{name}.run").write_text("1 Q0 a 1 2 t\n9 Q0 a 1 2 t\n")
    with pytest.warns(CranfieldWarning) as noticed:
        evaluate([folder / f"{name}.run" for name in ("one", "two", "three")], folder / "qrels.txt")
    assert [str(warning.message) for warning in noticed] == [
        f"{folder}/one.run: 1 topic (9) is not judged, so it is ignored (and 2 more like it)",
        f"{folder}/one.run: judged topic 2 missing from the run, counted as an empty ranking (and 2 more like it)",
    ]


def test_several_topics_that_are_missing() -> None:
    qrels = {topic: {"a": 1} for topic in "123"}
    with pytest.warns(
        CranfieldWarning, match=r"^run 'run': 2 judged topics \(2, 3\) missing from the run, counted as empty r"
    ):
        evaluate({"1": {"a": 1.0}}, qrels, "AP")


def test_documents_that_are_called_otherwise(folder: Path) -> None:
    """Zeros everywhere are said to be odd, unless there are so few documents that it may be so."""
    (folder / "other.run").write_text("".join(f"{topic} Q0 A{at} {at} {-at} x\n" for topic in "12" for at in range(5)))
    with pytest.warns(CranfieldWarning) as noticed:
        evaluate(folder / "other.run", folder / "qrels.txt")
    assert [str(warning.message) for warning in noticed] == [
        f"{folder}/other.run: none of its documents, such as 'A0', is judged; are they named as in the qrels, such as "
        "'a'?"
    ]
    (folder / "other.run").write_text("1 Q0 A 1 1 x\n2 Q0 A 1 1 x\n")
    assert evaluate(folder / "other.run", folder / "qrels.txt", "AP")["AP"].sum() == 0


@pytest.mark.parametrize("separator", ["#", "_", "-", "::", "_chunk", ".p"])
def test_passages_are_known_by_what_follows_judged_ids(folder: Path, separator: str) -> None:
    """The advice names the separator that is there, and holds: with it the documents are judged."""
    lines = [f"{t} Q0 {d}{separator}{at} {at} {-at} x\n" for t in "12" for d in "ab" for at in range(1, 4)]
    (folder / "passages.run").write_text("".join(lines))
    named = re.escape(f"passages={separator!r}")
    with pytest.warns(CranfieldWarning, match=f"'[ab]{re.escape(separator)}[12]' has .* behind the judged .*{named}$"):
        evaluate(folder / "passages.run", folder / "qrels.txt", "AP")
    assert evaluate(folder / "passages.run", folder / "qrels.txt", "AP", passages=separator)["AP"].sum() > 0


def test_judgments_from_standard_input_are_called_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"2 0 b 0\n1 0 a 2\n")))
    with pytest.warns(CranfieldWarning, match="^standard input: topic 2 without any document of label 1 or more"):
        evaluate(folder / "good.run", "-", "AP")


def test_clean_data_are_scored_without_a_word(folder: Path) -> None:
    evaluate(f"{folder}/*.run", folder / "qrels.txt")  # warnings are errors here


def remarks(qrels: Any, measures: Any, **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always")
        evaluate({"1": {"a": 1.0}, "2": {"a": 1.0}}, qrels, measures, **options)
    assert {warning.category for warning in noticed} <= {CranfieldWarning}
    return [str(warning.message) for warning in noticed]


def test_topics_without_relevant_documents_are_mentioned() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 0}}
    assert remarks(qrels, "AP") == [
        "qrels: topic 2 without any document of label 1 or more: measures that need one give 0 there"
    ]
    assert remarks({"1": {"a": 0}, "2": {"a": 0}}, "AP") == [
        "qrels: no topic has a document of label 1 or more: measures that need one give 0 there"
    ]
    assert remarks({"1": {"a": 1}, "2": {"a": 2}}, "AP(rel=3)") == [
        "qrels: no topic has a document of label 3 or more: measures that need one give 0 there"
    ]


def test_the_label_that_is_missed_is_the_one_that_was_asked_for() -> None:
    assert remarks({"1": {"a": 1}, "2": {"a": -1}}, "AP(rel=0)") == [
        "qrels: topic 2 without any document of label 0 or more: measures that need one give 0 there"
    ]
    (line,) = remarks({"1": {"a": 1}, "2": {"a": 2}}, "nDCG(gains={1:0})")
    assert "topic 1" in line
    assert "label 1 or more" not in line, "topic 1 has one; it is without gain"


def test_values_that_stay_undefined_are_not_said_to_be_zero() -> None:
    (line,) = remarks({"1": {"a": 1}, "2": {"a": 0}}, "AP", undefined="keep")
    assert "0 there" not in line
    assert "measures that need one have no value there" in line


@pytest.mark.parametrize("measures", ["Judged@10", "NumRet", "AP(rel=0)"])
def test_measures_that_need_no_relevant_document_are_not_warned_of(measures: str) -> None:
    assert remarks({"1": {"a": 1}, "2": {"a": 0}}, measures) == []


# ---- what importing costs


def test_plain_scoring_imports_nothing_heavy(folder: Path) -> None:
    script = (
        "import sys\n"
        "from cranfield.scoring import score\n"
        f"score({str(folder / 'good.run')!r}, {str(folder / 'qrels.txt')!r})\n"
        "print(sorted({'xarray', 'pandas', 'scipy', 'narwhals', 'nanoarrow', 'click', 'rich'} & set(sys.modules)))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=False)
    assert (ended.stdout, ended.stderr) == ("[]\n", "")


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_scores_become_tidy_rows() -> None:
    runs = {"a": {"1": {"x": 1.0}, "2": {"y": 1.0}}, "b": {"1": {"y": 1.0}}}
    scores = evaluate(runs, {"1": {"x": 1}, "2": {"x": 1}}, ["AP", "P@1"], missing="skip")
    rows = cranfield.to_frame(scores)
    assert list(rows.columns) == ["topic", "system", "measure", "value"]
    assert rows["measure"].tolist() == ["AP"] * 4 + ["P@1"] * 4
    assert rows["topic"].tolist() == ["1", "1", "2", "2"] * 2
    assert rows["system"].tolist() == ["a", "b"] * 4
    for row in rows.itertuples():
        expected = float(scores[row.measure].sel(topic=row.topic, system=row.system))
        assert row.value == expected or (np.isnan(row.value) and np.isnan(expected))
    assert rows["value"].isna().sum() == 2
    one = cranfield.to_frame(scores["AP"].transpose("system", "topic"))
    assert one.equals(rows[rows["measure"] == "AP"])
    with pytest.raises(UsageError, match="is not scores"):
        cranfield.to_frame([1.0])  # type: ignore[arg-type]
