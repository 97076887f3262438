"""``cranfield.testing``: what is claimed and does not hold is found, and what holds passes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from cranfield import Measure, measure
from cranfield.collection import Rankings
from cranfield.measures import Cutoff, Rel, aliases, registry
from cranfield.testing import check_measure


@pytest.fixture
def claims_too_much() -> Iterator[Measure]:
    """Precision that claims all laws."""

    @measure("ClaimsTooMuch", reference="Nobody 2026", required=["cutoff"])
    def claims(rankings: Rankings, *, rel: Rel = 1, cutoff: Cutoff = None) -> NDArray[np.float64]:
        """Share of relevant documents.

        P.
        """
        assert cutoff is not None
        return rankings.top(cutoff).retrieved(rel) / cutoff

    yield claims
    del registry.loaded["ClaimsTooMuch"]
    aliases.loaded.pop("ClaimsTooMuch", None)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["P@10", "ERR@10"])
def test_measures_that_keep_their_word(name: str) -> None:
    check_measure(name, examples=5)


def test_a_law_that_does_not_hold_is_named(claims_too_much: Measure) -> None:
    with pytest.raises(AssertionError, match=r"^ClaimsTooMuch breaks 'monotonicity' \(S\(k \+ 1\) is never worse than"):
        check_measure(claims_too_much @ 10)


def test_bounds_are_declared(claims_too_much: Measure) -> None:
    object.__setattr__(claims_too_much.declaration, "range", (0.0, float("inf")))
    with pytest.raises(AssertionError, match=r"^ClaimsTooMuch: declare range=\(lowest, highest\), or decline"):
        check_measure(claims_too_much)
