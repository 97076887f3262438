"""Parameters that measures of diversity share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from cranfield.measures._parameter import Meaning

IntentRel = Annotated[float, Meaning("smallest label that counts as relevant to an intent", low=0, open=True)]
Gamma = Annotated[
    float | Mapping[str, float],
    Meaning("weight of I-rec against the other part, the same for all topics or one for each", low=0, high=1),
]
Alpha = Annotated[
    float, Meaning("what a document relevant to an intent takes from the gain of the next one", low=0, high=1)
]
Ideal = Annotated[
    Literal["greedy", "exact"],
    Meaning(
        "the list that is divided by: the documents picked one by one by gain, or the best list there is, "
        "where it can be found"
    ),
]
