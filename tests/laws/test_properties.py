"""Laws hold for every measure, or are declined in its declaration, with a reason and a counterexample that is kept."""

from __future__ import annotations

import math

import at_once
import counterexamples
import pytest
from hypothesis import given

from cranfield.errors import MeasureError
from cranfield.measures import registry
from cranfield.measures.laws import LAWS
from cranfield.testing import LAWS as TRIED
from cranfield.testing import Case, LabelledList, score
from cranfield.testing import laws as changes
from effort import examples

DECLINED = [(name, law) for name, declaration in registry.items() for law in declaration.declines]


@pytest.fixture(scope="module")
def kept() -> counterexamples.Kept:
    """The counterexamples, read once."""
    return counterexamples.load()


def test_every_law_is_tested() -> None:
    assert list(TRIED) == list(LAWS)


@pytest.mark.parametrize("law", LAWS)
def test_a_law_is_obeyed_by_all_that_do_not_decline_it(law: str) -> None:
    claiming = [declaration for declaration in registry.values() if law not in declaration.declines]
    cases: list[Case] = []

    @examples(100)
    @given(case=TRIED[law].cases)
    def draw(case: Case) -> None:
        cases.append(case)

    draw()
    broken = dict(at_once.broken(TRIED[law], claiming, cases))
    names = ", ".join(broken)
    assert not broken, f"{names}: obey {law!r}, or decline it with a reason and a counterexample; {broken}"


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_what_is_broken_alone_is_broken_among_others(law: str, kept: counterexamples.Kept) -> None:
    """The test above scores lists together, and has to find what is found in one list."""
    cases = {name: counterexamples.case_of(laws[law]) for name, laws in kept.items() if law in laws}
    found = set(at_once.broken(TRIED[law], [registry[name] for name in cases], [*cases.values()]))
    assert set(cases.items()) <= found


@pytest.mark.parametrize(("name", "law"), DECLINED)
def test_a_declined_law_is_indeed_broken(name: str, law: str, kept: counterexamples.Kept) -> None:
    laws = kept.get(name, {})
    assert law in laws, f"{name} declines {law!r} without a counterexample: run tests/laws/counterexamples.py"
    case = counterexamples.case_of(laws[law])
    assert not TRIED[law].obeyed(registry[name], case), "the counterexample is none"


def test_no_counterexample_is_kept_for_what_is_claimed(kept: counterexamples.Kept) -> None:
    pairs = {(name, law) for name, laws in kept.items() for law in laws}
    assert pairs - set(DECLINED) == set()


@pytest.mark.parametrize("name", registry)
def test_bounded_measures_have_bounds(name: str) -> None:
    declaration = registry[name]
    low, high = declaration.usual_range
    assert declaration.range[0] <= low < high <= declaration.range[1]
    assert (math.isfinite(low) and math.isfinite(high)) is ("boundedness" not in declaration.declines)


@examples(100)
@given(case=changes.swapped(inside=True))
def test_binary_measures_do_not_tell_relevant_documents_apart(case: Case) -> None:
    def flattened(view: LabelledList) -> LabelledList:
        ranked = tuple(None if grade is None else min(grade, 1.0) for grade in view.ranked)
        return LabelledList(ranked, tuple(min(label, 1.0) for label in view.elsewhere), view.top)

    for declaration in registry.values():
        if declaration.binary and not declaration.needs_intents:  # other labels would be other intents
            before = score(declaration, case.before, case.depth)
            after = score(declaration, flattened(case.before), case.depth)
            assert before == after or (math.isnan(before) and math.isnan(after)), declaration.name


def test_some_measures_are_binary_and_some_are_not() -> None:
    binary = {name for name, declaration in registry.items() if declaration.binary}
    assert {"AP", "P", "RR", "Bpref"} <= binary
    assert not {"nDCG", "RBP", "ERR", "Q", "Compat", "Judged"} & binary


def test_without_a_cutoff_some_properties_change_sides() -> None:
    """As docs/measure-facts.md says: on lists that just end, the best list is that of the whole topic."""
    for name in ("nDCG", "nERR", "GAP", "Q"):
        declaration = registry[name]
        short, longer = LabelledList((1.0,), (4.0,)), LabelledList((1.0, None), (4.0,))
        assert score(declaration, longer, None) == score(declaration, short, None), name
        assert score(declaration, LabelledList((4.0,), (4.0,)), None) < 1, name


def test_a_law_that_does_not_exist_cannot_be_declined() -> None:
    from cranfield import measure
    from cranfield.collection import Rankings
    from cranfield.measures import registry as known

    def nothing(rankings: Rankings) -> None:
        """Nothing.

        N = 0.
        """

    with pytest.raises(
        MeasureError, match=r"Nothing declines 'monotony', which is not a law: did you mean 'monotonicity'\?"
    ):
        measure("Nothing", reference="nobody 2000", declines={"monotony": "it is not a law at all"})(nothing)  # type: ignore[arg-type]
    with pytest.raises(MeasureError, match="which is not a law: there are boundedness, monotonicity, "):
        measure("Nothing", reference="nobody 2000", declines={"xyz": "it is not a law at all"})(nothing)  # type: ignore[arg-type]
    assert "Nothing" not in known
