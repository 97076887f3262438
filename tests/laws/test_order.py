"""Laws on the order of documents hold for every measure, or are declined with a reason and have a counterexample."""

from __future__ import annotations

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from order import LAWS, Change
from problems import at_cutoffs

from cranfield import Measure
from cranfield.measures import registry

obeying = [(law, name) for law in LAWS for name in registry if law not in registry[name].declines]
plain = [(law, name) for law, name in obeying if not registry[name].needs_intents]
diverse = [(law, name) for law, name in obeying if registry[name].needs_intents]
declining = [(law, name) for law in LAWS for name in registry if law in registry[name].declines]


@pytest.mark.parametrize(("law", "name"), plain)
@given(data=st.data())
def test_a_law_is_obeyed(law: str, name: str, data: st.DataObject) -> None:
    is_obeyed(law, name, data)


@pytest.mark.parametrize(("law", "name"), diverse)
@settings(max_examples=20)
@given(data=st.data())
def test_a_law_is_obeyed_by_diversity(law: str, name: str, data: st.DataObject) -> None:
    is_obeyed(law, name, data)


def is_obeyed(law: str, name: str, data: st.DataObject) -> None:
    measure = data.draw(at_cutoffs(registry[name]), label="measure")
    change = data.draw(LAWS[law].changes, label="change")
    assert LAWS[law].obeyed(measure, change)


@pytest.mark.parametrize(("law", "name"), declining)
def test_a_declined_law_is_indeed_broken(law: str, name: str) -> None:
    def broken(case: tuple[Measure, Change]) -> bool:
        return not LAWS[law].obeyed(*case)

    quiet = settings(max_examples=2000, database=None, derandomize=True, phases=[Phase.generate])
    try:
        find(st.tuples(at_cutoffs(registry[name]), LAWS[law].changes), broken, settings=quiet)
    except NoSuchExample:
        pytest.fail(f"{name} declines {law!r}, but no list breaks it", pytrace=False)
