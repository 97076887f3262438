"""cranfield inside ir_measures, against the providers that ir_measures brings: per query and aggregated."""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import ir_measures
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import (
    AP,
    AP_IA,
    BPM,
    ERR_IA,
    INSQ,
    INST,
    NERR8,
    NERR9,
    NERR10,
    NERR11,
    NRBP,
    P_IA,
    RBP,
    RR,
    SDCG,
    Accuracy,
    Compat,
    Judged,
    NumQ,
    NumRel,
    P,
    Qrel,
    ScoredDoc,
    StRecall,
    alpha_DCG,
    alpha_nDCG,
    nDCG,
    nERR_IA,
    nNRBP,
)
from random_collections import Collection, collections
from test_ir_measures import GAINS, GDEVAL, JUDGED_ONLY, PYTHON, TREC_EVAL

from cranfield import CranfieldWarning, InputError, Qrels, Run, UsageError
from cranfield.integrations import ir_measures as provider
from data_sets import DATA, Tally
from effort import examples

use, stop = provider.use, provider.stop
Measures = Sequence[Any]

COMPAT: Measures = [Compat, Compat(p=0.7), Compat(p=0.8, normalize=False)]
GRADED = {"max_rel": 4}
CWL: Measures = [
    *(RBP(rel=1), RBP(rel=2, p=0.5), BPM(**GRADED) @ 10, BPM(**GRADED, T=2.0) @ 5, SDCG(**GRADED) @ 10),
    *(NERR8(**GRADED) @ 5, NERR9(**GRADED) @ 5, NERR10(**GRADED, p=0.7), NERR11(**GRADED, T=2.0)),
    *(INST(**GRADED), INST(**GRADED, T=2.0), INSQ(**GRADED), INSQ(**GRADED, T=2.0)),
]
"""Computed by cwl_eval, with gains scaled to 0..1."""
DIVERSITY: Measures = [
    *(alpha_nDCG @ 5, alpha_nDCG(alpha=0.3) @ 20, alpha_DCG @ 5, ERR_IA @ 10, nERR_IA @ 20, NRBP, NRBP(beta=0.8)),
    *(AP_IA, P_IA @ 5, StRecall @ 5, alpha_nDCG(rel=2) @ 5, nNRBP),
]
"""Computed by pyndeval."""


@pytest.fixture(autouse=True)
def afterwards() -> Iterator[None]:
    before = list(ir_measures.DefaultPipeline.providers)
    yield
    stop()
    assert ir_measures.DefaultPipeline.providers == before


def cells(measures: Measures, qrels: Any, run: Any) -> dict[tuple[Any, str], float]:
    return {(metric.measure, metric.query_id): metric.value for metric in ir_measures.iter_calc(measures, qrels, run)}


def assert_same(
    measures: Measures, qrels: Any, run: Any, words: Any, tolerance: float = 1e-9, *, means: bool = True
) -> None:
    """Every value of a query and every summary, by their own providers and by this one."""
    theirs, their_means = cells(measures, qrels, run), ir_measures.calc_aggregate(measures, qrels, run)
    with use(**words), warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*none of its documents.* is judged", CranfieldWarning)
        assert all(type(one).__name__ == "CranfieldEvaluator" for one in [ir_measures.evaluator(measures, qrels)])
        ours, our_means = cells(measures, qrels, run), ir_measures.calc_aggregate(measures, qrels, run)
        both = ir_measures.calc(measures, qrels, run)
    assert ours.keys() == theirs.keys()
    assert both.aggregated == our_means
    assert {(metric.measure, metric.query_id): metric.value for metric in both.per_query} == ours
    tally = Tally(tolerance)
    for where, value in theirs.items():
        tally.add(where, ours[where], value)
    for measure, value in their_means.items() if means else ():
        tally.add(measure, our_means[measure], value)
    tally.check(len(theirs) + len(their_means) * means)


@examples(12)
@given(collection=collections())
def test_measures_of_pytrec_eval(collection: Collection) -> None:
    """Those of topics that the run lacks among them: 0 for all, the counts too, as everywhere in ir_measures."""
    assert_same(TREC_EVAL, *collection, {})
    assert_same(GAINS, *collection, {"compat": "none"})  # it maps labels before trec_eval hides negative ones


@examples(10)
@given(collection=collections())
def test_judged_only_measures_of_pytrec_eval(collection: Collection) -> None:
    # Where nothing is left of a list, theirs divides 0 by 0 for these.
    measures = [measure for measure in JUDGED_ONLY if measure.NAME != "IPrec"]
    assert_same(measures, *collection, {})


@examples(10)
@given(collection=collections())
def test_measures_of_ir_measures_itself(collection: Collection) -> None:
    assert_same(PYTHON, *collection, {"ties": "docid", "compat": "none"})


def whole_of(labels: st.SearchStrategy[int]) -> st.SearchStrategy[Collection]:
    """Collections whose labels lie on the scale, and whose scores do not tie: theirs keeps the order of the dict."""

    @st.composite
    def made(draw: st.DrawFn) -> Collection:
        drawn = draw(collections())
        qrels = {topic: {document: draw(labels) for document in pool} for topic, pool in drawn.qrels.items()}
        run = {topic: dict(zip(pool, range(len(pool), 0, -1), strict=True)) for topic, pool in drawn.run.items()}
        return Collection(qrels, run)

    return made()


@examples(6)
@given(collection=whole_of(st.integers(-2, 4)))
def test_compatibility(collection: Collection) -> None:
    # Theirs takes a document that was not retrieved for one of score 0, so that only positive scores are comparable.
    assert_same(COMPAT, *collection, {"ties": "docid", "compat": "none"})


@examples(6)
@given(collection=whole_of(st.integers(0, 4)))
def test_measures_of_cwl_eval(collection: Collection) -> None:
    # cwl_eval sums down to rank 1,000 and takes what is left of a short list as not relevant; gains end at .0 and 1.
    assert_same(CWL, *collection, {"compat": "none"}, 1e-6)


@examples(6)
@given(collection=whole_of(st.integers(0, 2)))
def test_accuracy(collection: Collection) -> None:
    measures = [Accuracy, Accuracy(rel=2) @ 5]
    try:
        assert_same(measures, *collection, {"compat": "none"}, means=False)
    except ZeroDivisionError:  # theirs, where all that is retrieved is relevant
        with use():
            assert 1.0 in cells(measures, *collection).values()


@examples(6)
@given(data=st.data())
def test_measures_of_pyndeval(data: st.DataObject) -> None:
    collection = data.draw(whole_of(st.integers(0, 2)))
    intents = st.sets(st.sampled_from(("1", "2", "3")), min_size=1)
    qrels = [
        Qrel(topic, document, label, intent)
        for topic, pool in collection.qrels.items()
        for document, label in pool.items()
        for intent in sorted(data.draw(intents))
    ]
    # One at a time: in one call, its measures of all but the first set of parameters get an empty run, and are 0.
    theirs = {cell: value for measure in DIVERSITY for cell, value in cells([measure], qrels, collection.run).items()}
    with use(compat="ndeval"), warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        ours = cells(DIVERSITY, qrels, collection.run)
    assert ours.keys() == theirs.keys()
    tally = Tally()
    for where, value in theirs.items():
        tally.add(where, *((0.0, 0.0) if math.isnan(value) and math.isnan(ours[where]) else (ours[where], value)))
    tally.check(len(theirs))


@pytest.mark.skipif(shutil.which("perl") is None, reason="ir_measures runs gdeval.pl, and there is no perl")
@examples(3)
@given(collection=collections(topics=("1", "2", "10", "301")))
def test_measures_of_gdeval(collection: Collection) -> None:
    assert_same(GDEVAL, *collection, {"ties": "trec", "compat": "gdeval"}, 0.500001e-5)


@pytest.mark.data("data/trec-dl-2019-passage")
def test_a_real_collection() -> None:
    folder = DATA / "trec-dl-2019-passage"
    qrels = list(ir_measures.read_trec_qrels(str(next(folder.glob("qrels*")))))
    runs = sorted((folder / "runs").iterdir())
    run = list(ir_measures.read_trec_run(str(runs[0])))
    assert_same([nDCG @ 10, AP(rel=2), RR(rel=2), P(rel=2) @ 10, nDCG, AP], qrels, run, {})


# ---- the examples of ir_measures' own documentation


QRELS = [Qrel("Q0", "D0", 0), Qrel("Q0", "D1", 1), Qrel("Q1", "D0", 0), Qrel("Q1", "D3", 2)]
RUN = [
    *(ScoredDoc("Q0", "D0", 1.2), ScoredDoc("Q0", "D1", 1.0)),
    *(ScoredDoc("Q1", "D0", 2.4), ScoredDoc("Q1", "D3", 3.6)),
]
DOCUMENTED = [nDCG @ 10, P @ 5, P(rel=2) @ 5, Judged @ 10]
QRELS_TEXT = "\nQ0 0 D0 0\nQ0 0 D1 1\nQ1 0 D0 0\nQ1 0 D3 2\n"
RUN_TEXT = "\nQ0 Q0 D0 0 1.2 runid\nQ0 Q0 D1 1 1.0 runid\nQ1 Q0 D3 0 3.6 runid\nQ1 Q0 D0 1 2.4 runid\n"
SHAPES: dict[str, tuple[Any, Any]] = {
    "named tuples": (lambda: QRELS, lambda: RUN),
    "generators": (lambda: iter(QRELS), lambda: (row for row in RUN)),
    "files": (lambda: ir_measures.read_trec_qrels(QRELS_TEXT), lambda: ir_measures.read_trec_run(RUN_TEXT)),
    "frames": (lambda: pd.DataFrame(QRELS), lambda: pd.DataFrame(RUN)),
    "dicts": (
        lambda: {"Q0": {"D0": 0, "D1": 1}, "Q1": {"D0": 0, "D3": 2}},
        lambda: {"Q0": {"D0": 1.2, "D1": 1.0}, "Q1": {"D0": 2.4, "D3": 3.6}},
    ),
    "our own": (lambda: Qrels.from_frame(pd.DataFrame(QRELS)), lambda: Run.from_frame(pd.DataFrame(RUN))),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_the_documentation(shape: str) -> None:
    qrels, run = SHAPES[shape]
    expected = {nDCG @ 10: (1 / math.log2(3) + 1) / 2, P @ 5: 0.2, P(rel=2) @ 5: 0.1, Judged @ 10: 1.0}
    with use():
        assert ir_measures.calc_aggregate(DOCUMENTED, qrels(), run()) == pytest.approx(expected)
        evaluator = ir_measures.evaluator(DOCUMENTED, qrels())
        assert evaluator.calc_aggregate(run()) == evaluator.calc_aggregate(run()) == pytest.approx(expected)
        assert len(list(evaluator.iter_calc(run()))) == 8
        assert AP.calc_aggregate(qrels(), run()) == 0.75
        assert [metric.value for metric in (P(rel=2) @ 10).iter_calc(qrels(), run())] == [0.0, 0.1]


def test_its_example_of_diversity() -> None:
    qrels = [Qrel("q0", "d0", 1, "0"), Qrel("q0", "d0", 1, "1"), Qrel("q0", "d1", 1, "0")]
    for document, expected in (("d0", 0.8637574337885664), ("d1", 0.4318787168942832)):
        with use():
            found = ir_measures.calc_aggregate([alpha_nDCG @ 10], qrels, [ScoredDoc("q0", document, 1)])
        assert found == {alpha_nDCG @ 10: pytest.approx(expected, abs=1e-12)}


def test_measures_made_by_define_stay_theirs() -> None:
    mine = ir_measures.define_byquery(lambda qrels, run: float(len(run)), name="AP")
    with use():
        assert ir_measures.calc_aggregate([mine, nDCG], QRELS, RUN)[mine] == 2.0


# ---- switched on and off


def names() -> list[str]:
    return [provider.NAME for provider in ir_measures.DefaultPipeline.providers]


def test_it_comes_second_and_goes_without_a_trace() -> None:
    before = names()
    for _ in range(2):
        used = use()
        assert names() == [before[0], "cranfield", *before[1:]]
    used.stop()
    used.stop()
    assert "cranfield" in names(), "the first use lasts"
    stop()
    stop()
    assert names() == before


def test_the_latest_use_decides_until_it_ends() -> None:
    tied = {"q": {"a": 1.0, "b": 1.0}}

    def rr() -> float:
        return float(ir_measures.calc_aggregate([RR], {"q": {"a": 1}}, tied)[RR])

    outer = use()
    assert rr() == 0.5
    with use(ties="docid") as inner:
        assert rr() == 1.0
        assert repr(inner) == "<ir_measures computes with cranfield: ties=docid, compat=trec_eval9>"
        outer.stop()
        assert rr() == 1.0
    assert "cranfield" not in names()
    assert repr(inner) == "<stopped: ties=docid, compat=trec_eval9>"


def test_an_error_inside_ends_it_too() -> None:
    with pytest.raises(KeyError), use():
        raise KeyError
    assert "cranfield" not in names()


def test_providers_that_others_add_stay() -> None:
    other = ir_measures.judged
    with use():
        ir_measures.DefaultPipeline.providers.append(other)
    assert ir_measures.DefaultPipeline.providers.pop() is other


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"missing": "skip"}, "not 'missing': ir_measures decides that itself"),
        (
            {"tie": "docid"},
            "use() takes ties, unjudged, negative, compat, on_duplicate, own_document, passages, and not 'tie'",
        ),
        ({"ties": "doc"}, "ties='doc'"),
        ({"ties": "bounds"}, "use(ties='bounds') gives intervals, for which ir_measures has no place"),
    ],
)
def test_wrong_words_are_named_and_change_nothing(words: Any, message: str) -> None:
    before = names()
    with pytest.raises(UsageError) as caught:
        use(**words)
    assert message in str(caught.value)
    assert names() == before


def test_without_ir_measures_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(ImportError, match=r"^use\(\) needs ir_measures, .*: pip install 'cranfield\[ir_measures\]'$"):
        use()


# ---- odd runs and judgments


def test_nothing_judged_and_nothing_retrieved() -> None:
    with use():
        assert list(ir_measures.iter_calc([AP], {}, {"q": {"a": 1.0}})) == []
        assert math.isnan(ir_measures.calc_aggregate([AP], [], RUN)[AP])
        for empty in ({}, [], pd.DataFrame([], columns=["query_id", "doc_id", "score"])):
            assert cells([AP, NumQ, Accuracy], QRELS, empty) == {
                (measure, topic): 0.0 for measure in (AP, NumQ) for topic in ("Q0", "Q1")
            }


def test_a_run_of_other_topics_is_told() -> None:
    with use(), pytest.warns(CranfieldWarning, match="share no topic.*every measure has its default value"):
        assert cells([AP], QRELS, {"other": {"D0": 1.0}}) == {(AP, "Q0"): 0.0, (AP, "Q1"): 0.0}


def test_what_a_run_lacks_and_has_besides_is_no_news() -> None:
    with use():
        assert cells([AP, NumRel], QRELS, [*RUN[:2], ScoredDoc("Q9", "D0", 1.0)]) == {
            **{(AP, "Q0"): 0.5, (AP, "Q1"): 0.0, (NumRel, "Q0"): 1.0, (NumRel, "Q1"): 0.0}
        }


@pytest.mark.parametrize(
    ("qrels", "run", "message"),
    [
        (QRELS, {"Q0": {"D0": math.nan}}, "nan"),
        (QRELS, {"Q0": {"D0": "high"}}, "high"),
        ({"Q0": {"D0": None}}, RUN, "None"),
        (QRELS, pd.DataFrame({"query_id": ["Q0"] * 2, "doc_id": ["D0"] * 2, "score": [2.0, 1.0]}), "occurs twice"),
    ],
)
def test_bad_values_are_refused_by_name(qrels: Any, run: Any, message: str) -> None:
    with use(), pytest.raises(InputError, match=message):
        ir_measures.calc_aggregate([AP], qrels, run)


def test_a_document_twice_can_be_allowed() -> None:
    run = pd.DataFrame({"query_id": ["Q0"] * 2, "doc_id": ["D1"] * 2, "score": [2.0, 1.0]})
    with use(on_duplicate="first"), pytest.warns(CranfieldWarning, match="occurs twice"):
        assert ir_measures.calc_aggregate([RR], QRELS, run) == {RR: 0.5}


def test_diversity_without_intents_is_refused() -> None:
    with use(), pytest.raises(InputError, match="intent"):
        ir_measures.calc_aggregate([alpha_nDCG @ 10], QRELS, RUN)


def test_what_is_no_run_is_refused() -> None:
    with use():
        with pytest.raises(UsageError, match=r"^int is not a run: give "):
            ir_measures.calc_aggregate([AP], QRELS, 7)
        with pytest.raises(InputError, match=r"row 1: \('q', 'd'\) is not \(topic, document, score\)"):
            ir_measures.calc_aggregate([AP], QRELS, [("q", "d")])
        with pytest.raises(InputError, match=r"row 1: \('q', 'd'\) is not \(topic, document, label\)"):
            ir_measures.calc_aggregate([AP], iter([("q", "d")]), {"q": {"d": 1.0}})


def test_nothing_heavy_is_imported_for_dicts() -> None:
    script = (
        "import sys, ir_measures\nfrom cranfield.integrations.ir_measures import use\nuse()\n"
        "assert ir_measures.calc_aggregate([ir_measures.AP], {'q': {'a': 1}}, {'q': {'a': 1.0}})[ir_measures.AP] == 1\n"
        "print(sorted({'xarray', 'pandas', 'scipy'} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert ended.stdout == "[]\n"
