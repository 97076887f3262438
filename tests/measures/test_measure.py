"""What a user holds: an immutable value that is called, cut with @, compared and printed."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield
from cranfield import AP, P, R, nDCG
from cranfield.errors import MeasureError
from cranfield.measures import values


def test_calls_and_at_leave_the_measure_as_it_was() -> None:
    cut = nDCG @ 10
    strict = cut(dcg="exp-log2")
    assert str(nDCG) == "nDCG"
    assert str(cut) == "nDCG@10"
    assert str(strict) == 'nDCG(dcg="exp-log2")@10'
    assert str(strict(cutoff=5)) == 'nDCG(dcg="exp-log2")@5'
    assert str(strict(cutoff=10)) == str(strict)
    assert cut.name == "nDCG"


def test_a_measure_cannot_be_changed() -> None:
    measure = AP(rel=2)
    with pytest.raises(AttributeError, match=r"^measures are immutable: write AP\(rel=3\)$"):
        measure.rel = 3
    with pytest.raises(AttributeError):
        measure.given = {}
    with pytest.raises(TypeError):
        measure.given["rel"] = 3  # type: ignore[index]
    measure.parameters["rel"] = 3
    assert measure == AP(rel=2)
    assert measure.parameters == {
        **{"rel": 2, "denominator": "R", "judged_only": False, "no_relevant": "undefined"},
        "cutoff": None,
    }


def test_a_map_of_gains_is_the_measures_own() -> None:
    gains = {0.0: 0.0, 1.0: 10.0}
    measure = nDCG(gains=gains)
    gains[1.0] = -1.0
    assert measure == nDCG(gains={0: 0, 1: 10})
    with pytest.raises(TypeError):
        measure.parameters["gains"][1] = 3


def test_equal_measures_are_one_key() -> None:
    assert AP(rel=1) == AP
    assert hash(AP(rel=1)) == hash(AP)
    assert len({AP, AP(rel=1), AP(rel=1.0), cranfield.MAP, AP(rel=np.int64(1)), AP(rel=np.float32(1))}) == 1
    assert AP(rel=2) != AP
    assert AP @ 10 != AP
    assert P @ 10 != R @ 10
    assert AP != "AP"
    assert nDCG(gains={1: 2, 0: 0}) == nDCG(gains={0: 0.0, 1: 2.0})


def test_numpy_numbers_are_numbers() -> None:
    assert str(nDCG @ np.int32(10)) == "nDCG@10"
    assert str(AP(rel=np.float64(1.5))) == "AP(rel=1.5)"
    assert str(nDCG(gains={np.int64(1): np.float64(2.5)})) == "nDCG(gains={1:2.5})"


@pytest.mark.parametrize("wrong", [True, "10", 1.5, 0, -3, float("nan"), [10], {}])
def test_a_cutoff_is_a_whole_number(wrong: object) -> None:
    with pytest.raises(MeasureError, match=r"^nDCG: cutoff=.* should be a whole number of at least 1$"):
        nDCG @ wrong  # type: ignore[operator]


def test_a_wrong_parameter_has_the_nearest_name_in_its_message() -> None:
    with pytest.raises(MeasureError, match=r"^nDCG has no parameter 'cutof': did you mean cutoff\?$"):
        nDCG(cutof=10)  # type: ignore[call-arg]


def test_a_large_cutoff_is_no_cutoff() -> None:
    rankings = cranfield.evaluation.make_rankings({"1": {"a": 1.0, "u": 0.5}}, {"1": {"a": 1.0}})
    for cutoff in (10**9, 2**63 - 1):
        for measure in (nDCG, AP, cranfield.Judged):
            assert values(measure @ cutoff, rankings).tolist() == values(measure, rankings).tolist(), cutoff


def test_a_required_parameter_is_asked_for_when_it_is_needed() -> None:
    unfinished = P(rel=2)
    with pytest.raises(MeasureError, match=r"^P needs a cutoff, for example P@10$"):
        unfinished.complete()
    with pytest.raises(MeasureError, match=r"^P needs a cutoff, for example P@10$"):
        cranfield.evaluate({"1": {"a": 1.0}}, {"1": {"a": 1.0}}, [unfinished])
    assert (unfinished @ 5).complete() == P(rel=2) @ 5


def test_a_measure_does_not_change_what_it_sees() -> None:
    rankings = cranfield.evaluation.make_rankings(
        {"1": {"a": 2.0, "b": 1.0}}, {"1": {"1": {"a": -1.0}, "2": {"b": 2.0}}}
    )
    before = [getattr(rankings, fact).copy() for fact in ("length", "starts", "rank", "document", "grade")]
    for declaration in cranfield.measures.registry.values():
        from cranfield.testing import example

        values(example(declaration), rankings)
    after = [getattr(rankings, fact) for fact in ("length", "starts", "rank", "document", "grade")]
    assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))
