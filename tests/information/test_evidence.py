"""Q from several sources: grades, preferences and a reference ranking, counted over all ordered pairs."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ordered_pairs import DOCUMENTS, Drawn, drawn, information, mean, places, said

import cranfield
from cranfield import InputError, Qrels, Run, UsageError
from cranfield.collection import Preferences
from cranfield.information import Evidence
from effort import examples

# Topics without pairs, and topics that a run lacks, are drawn too.
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")

Rows = list[tuple[str, str, str]]


def one_way(rows: Rows) -> Rows:
    """Each pair once, as it is first stated."""
    kept: dict[frozenset[str], tuple[str, str, str]] = {}
    for row in rows:
        if row[1] != row[2]:
            kept.setdefault(frozenset({row[0] + " topic", row[1], row[2]}), row)
    return list(kept.values())


PREFERENCES = st.lists(
    st.tuples(st.sampled_from(["1", "2"]), st.sampled_from(DOCUMENTS), st.sampled_from(DOCUMENTS)), max_size=9
).map(lambda rows: one_way(rows) or [("1", "a", "b")])
RANKING = st.lists(st.sampled_from(DOCUMENTS), unique=True, min_size=1, max_size=4)


def opinion(source: object, topic: str, one: str, other: str) -> int:
    """1, 0, -1 as a source prefers the one, neither or the other."""
    if isinstance(source, list):
        return ((topic, one, other) in source) - ((topic, other, one) in source)
    known = source.get(topic, {})  # type: ignore[attr-defined]
    if one not in known or other not in known:
        return 0
    return (known[one] > known[other]) - (known[one] < known[other])


def useful(source: object, topic: str) -> set[str]:
    if isinstance(source, list):
        return {better for where, better, _ in source if where == topic}
    known = source.get(topic, {})  # type: ignore[attr-defined]
    if source_is_ranking(known):
        return {document for document, height in known.items() if height > min(known.values())}
    return {document for document, label in known.items() if label >= 1}


def source_is_ranking(known: dict[str, float]) -> bool:
    """Rankings have negative heights in these tests, and grades of at least 0."""
    return bool(known) and max(known.values()) < 0


@examples(40)
@given(case=drawn(systems=2), rows=PREFERENCES, ranking=RANKING, chosen=st.sampled_from(["gp", "gr", "gpr", "p", "g"]))
def test_all_ordered_pairs_are_counted(case: Drawn, rows: Rows, ranking: list[str], chosen: str) -> None:
    grades = {topic: {d: abs(g) for d, g in labels.items()} for topic, labels in case.qrels.items()}
    reference = {"1": {document: -1.0 - at for at, document in enumerate(ranking)}}
    plain = {"g": grades, "p": rows, "r": reference}
    given_ = {"g": Qrels.from_dict(grades), "p": Preferences.of(rows), "r": Run.from_dict(reference)}
    sources = [plain[kind] for kind in chosen]
    evidence = Evidence(*(given_[kind] for kind in chosen))
    topics = evidence.qrels.topics
    runs = {
        name: {t: s for t, s in run.items() if t in topics} or {topics[0]: {"z": 1.0}}
        for name, run in case.runs.items()
    }
    expected = []
    for topic in topics:
        documents = set(evidence.qrels.to_dict()[topic])
        ends = {d: float(any(d in useful(source, topic) for source in sources)) for d in documents}
        of_systems = [places(run, topic, ends) for run in runs.values()]
        table = Counter[tuple[object, object]]()
        for one, other in permutations(documents, 2):
            q = tuple(opinion(source, topic, one, other) for source in sources)
            if any(q):
                table[tuple(said(place, one, other) for place in of_systems), q] += 1
        expected.append(information(table) if table else math.nan)  # type: ignore[arg-type]
    found = cranfield.information.compute_joint_ric(runs, evidence, permutations=0, estimator="table")
    assert found.topics["joint"].values == pytest.approx(expected, abs=1e-12, nan_ok=True)
    if not math.isnan(found.value):
        singles = [
            cranfield.information.compute_joint_ric(
                {name: runs[name]}, evidence, permutations=0, estimator="table"
            ).value
            for name in runs
        ]
        pair = cranfield.information.compute_information_difference(runs, evidence).between(*runs)
        assert pair.only_system == pytest.approx(found.value - singles[1], abs=1e-12)
        assert pair.only_other == pytest.approx(found.value - singles[0], abs=1e-12)
        assert found.systems["RIC"].tolist() == pytest.approx(singles, abs=1e-12)
        assert found.systems["contribution"].tolist() == pytest.approx(
            [found.value - singles[1], found.value - singles[0]], abs=1e-12
        )


@examples(40)
@given(case=drawn(systems=2))
def test_evidence_of_grades_alone_is_the_qrels(case: Drawn) -> None:
    qrels = Qrels.from_dict(case.qrels)
    one, other = (
        cranfield.information.compute_joint_ric(case.runs, source, permutations=0, estimator="table")
        for source in (qrels, Evidence(qrels))
    )
    assert other.topics["joint"].values == pytest.approx(one.topics["joint"].values, abs=1e-12, nan_ok=True)


def test_preferences_that_say_what_grades_say_change_nothing() -> None:
    grades = {"1": {"a": 2, "b": 1, "c": 0, "d": 0, "e": 1}}
    labels = grades["1"]
    rows = [("1", x, y) for x, y in permutations(labels, 2) if labels[x] > labels[y]]
    runs = {
        "S1": {"1": {"c": 5.0, "a": 4, "b": 2, "d": 1}},
        "S2": {"1": {"a": 3.0, "e": 2, "c": 1}},
    }
    values = [
        cranfield.information.compute_joint_ric(runs, evidence, permutations=0, estimator="table").value
        for evidence in (
            Evidence(Preferences.of(rows)),
            Evidence(Qrels.from_dict(grades), Preferences.of(rows)),
            Evidence(Preferences.of(rows), Qrels.from_dict(grades), Preferences.of(rows)),
        )
    ]
    assert values == pytest.approx([0.75] * 3, abs=1e-12)


def test_sources_that_contradict_each_other() -> None:
    """A list that puts both documents in order agrees with one source and not with the other: still one bit in all."""
    evidence = Evidence(Preferences.of([("1", "a", "b")]), Preferences.of([("1", "b", "a")]))
    found = cranfield.information.compute_ric({"S": {"1": {"a": 2.0, "b": 1.0}}}, evidence)
    assert found["RIC"].item() == 1.0
    assert (found["C"].item(), found["D"].item()) == (1, 0)


def test_more_than_one_bit() -> None:
    """One source orders a and b, the other c and d: which of the pairs it is counts as well as its order."""
    evidence = Evidence(Preferences.of([("1", "a", "b")]), Preferences.of([("1", "c", "d")]))
    runs = {"one": {"1": {"a": 2.0, "b": 1.0}}, "two": {"1": {"c": 2.0, "d": 1.0}}}
    # a list of [a] says +1/-1 of (a, b) and 0 of (c, d): H(R) = 1.5 bits, all of it about Q
    found = cranfield.information.compute_joint_ric(runs, evidence, permutations=0, estimator="table")
    assert found.systems["RIC"].tolist() == pytest.approx([1.5, 1.5])
    assert found.value == pytest.approx(2.0)


def test_the_null_deals_documents_of_any_evidence() -> None:
    evidence = Evidence(Preferences.of([("1", x, y) for x, y in combinations("abcdef", 2)]))
    runs = {"S": {"1": {document: -float(at) for at, document in enumerate("abcdef")}}}
    found = cranfield.information.compute_joint_ric(runs, evidence, permutations=50, estimator="table")
    assert found.value == 1.0
    assert 0 < found.null < 0.5
    assert found.signature["judgments"][0]["kind"] == "Preferences"
    assert mean([found.null]) == found.null


def test_refusals() -> None:
    with pytest.raises(UsageError, match="at least one source"):
        Evidence()
    with pytest.raises(UsageError, match="dict is not evidence"):
        Evidence({"1": {"a": 1}})  # type: ignore[arg-type]
    two = Evidence(Preferences.of([("1", "a", "b")]), Preferences.of([("1", "c", "d")]))
    with pytest.raises(UsageError, match="estimator='logistic' is for one source"):
        cranfield.information.compute_joint_ric({"S": {"1": {"a": 1.0}}}, two, estimator="logistic")
    with pytest.raises(InputError, match="share no topic"):
        cranfield.information.compute_joint_ric({"S": {"9": {"a": 1.0}}}, two)


# ---- preferences themselves


def test_preferences() -> None:
    found = Preferences.of([("1", "a", "b"), ("2", "c", "d"), ("1", "a", "b")])
    assert found.pairs == {"1": (("a", "b"),), "2": (("c", "d"),)}
    assert len(found) == 2
    assert found.repeated == 1
    assert repr(found) == "Preferences(2 topics, 2 pairs)"
    assert found.digest == Preferences.of([("1", "a", "b"), ("2", "c", "d")]).digest


def test_preferences_from_frames() -> None:
    import pandas as pd
    import polars as pl

    columns = {"qid": [1, 1], "better": ["a", "b"], "worse": ["b", "c"]}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), pl.LazyFrame(columns)):
        assert Preferences.from_frame(frame).pairs == {"1": (("a", "b"), ("b", "c"))}
    with pytest.raises(
        InputError, match=r"no column worse \(worse\); rename the one that is; its columns are 'qid', 'better'"
    ):
        Preferences.from_frame(pd.DataFrame(columns)[["qid", "better"]])
    with pytest.raises(UsageError, match="not a data frame"):
        Preferences.from_frame([1])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "preferences holds no preferences"),
        ([("1", "a", "a")], "row 1: document 'a' is preferred to itself"),
        ([("1", "a", "b"), ("1", "b", "a")], "row 2: topic '1' has 'b' before 'a' here and the other way round in"),
        ([("1", "a")], r"row 1: \('1', 'a'\) is not"),
        (["1ab"], "row 1: '1ab' is not"),
        ([("1", "", "b")], "row 1: a document id has 1 to 4,096 bytes"),
    ],
)
def test_preferences_that_are_none(rows: list[tuple[str, ...]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Preferences.of(rows)
