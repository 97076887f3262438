"""Preferences between lists beside a comparison of scores."""

from __future__ import annotations

import pytest

import cranfield
from cranfield import UsageError
from cranfield.comparison import add_preferences, compare, prefer

MADE = cranfield.simulation.simulate_runs(n_systems=4, n_topics=12, depth=30, seed=2)
SCORES = cranfield.evaluate(MADE.runs, MADE.qrels, "AP")


@pytest.mark.parametrize("baseline", [(), ("system3",)])
def test_every_pair_is_given_its_own_preference(baseline: tuple[str, ...]) -> None:
    compared = compare(SCORES, baseline=baseline)
    lists = prefer(MADE.runs, MADE.qrels, "lexirecall", baseline=baseline)
    found = add_preferences(compared, lists)
    for row in found.pairs.itertuples():
        mine = lists.pairs[(lists.pairs["system"] == row.system) & (lists.pairs["other"] == row.other)]
        turned = lists.pairs[(lists.pairs["system"] == row.other) & (lists.pairs["other"] == row.system)]
        assert len(mine) + len(turned) == 1
        expected = [*mine["preference"], *(-turned["preference"])][0]
        assert row.preference == expected
        assert row.p_preference == [*mine["p_adjusted"], *turned["p_adjusted"]][0]
    assert found.pairs[compared.pairs.columns].equals(compared.pairs)
    assert found.settings["preferences"]["preference"] == "lexirecall"
    assert found.signature["preferences"] == lists.signature
    assert found != compared


def test_preferences_between_other_systems_are_refused() -> None:
    lists = prefer(MADE.runs, MADE.qrels, baseline="system1")
    with pytest.raises(UsageError, match="the preferences do not compare"):
        add_preferences(compare(SCORES), lists)
