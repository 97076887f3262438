"""What a row of an audit means, in plain sentences."""

from __future__ import annotations

import math

from cranfield._text import percent

MOST = 0.05
"""Share of the pairs, above which those that are no different belie the difference that is enough for the others."""


def reading(
    name: str, row: dict[str, float], topics: int, pairs: int, target: float, alpha: float, beyond: float = 0.0
) -> str:
    """What a row means, in plain sentences.

    Args:
        name: of the measure.
        row: of the table.
        topics: how many there are.
        pairs: of systems.
        target: reliability.
        alpha: level of significance.
        beyond: share of the pairs whose means are as far apart as the row says to be enough, and which are not
            distinguished.
    """
    if math.isnan(row["Phi"]):
        return f"{name} gives every system the same score on every topic: it says nothing here."
    distinguished = round(row["power"] * pairs)
    swapped = f"{percent(row['swap_rate'])} of all pairs of systems (Monte-Carlo error {percent(row['swap_se'])})"
    parts = [
        _suffices(name, row, topics, target),
        f"Two halves of the topics order {swapped} in opposite ways.",
        f"It distinguishes {distinguished:,} of {pairs:,} pairs at {alpha:g} ({percent(row['power'])}); "
        f"{_enough(row['required_low'], row['required_high'], beyond)}.",
    ]
    if not math.isnan(row["agreement"]):
        parts.append(
            f"Its order of systems agrees with the other measures' by tau_b = {row['agreement']:.2f} on average."
        )
    if not math.isnan(row["used"]):
        parts.append(f"Systems' means spread over {percent(row['used'])} of its scale.")
    tied = percent(row["tied"])
    parts.append(f"{tied[0].upper()}{tied[1:]} of comparisons of two systems on one topic tie.")
    return " ".join(parts)


def _suffices(name: str, row: dict[str, float], topics: int, target: float) -> str:
    """Whether there are topics enough for the order of systems, and for their scores."""
    if math.isinf(row["scores_needed"]):
        return f"No number of topics would make {name} reliable: it does not distinguish systems."
    order, scores = (verdict(row, question, topics) for question in ("order", "scores"))
    return (
        f"For a reliability of {target:g}, {name} has {order[0]} topics for the order of systems (of {topics:,}; "
        f"needed: {order[1]}) and {scores[0]} for the scores themselves (needed: {scores[1]}); now "
        f"it is {row['Erho2']:.3f} and {row['Phi']:.3f}."
    )


def verdict(row: dict[str, float], question: str, topics: int) -> tuple[str, str]:
    """Whether topics suffice, and how many are needed with their interval in brackets."""
    needed, low, high = (row[f"{question}_{what}"] for what in ("needed", "low", "high"))
    sure = high <= topics or low > topics
    enough = "enough" if needed <= topics else "too few"
    end = "any number" if math.isinf(high) else f"{high:,.0f}"
    return f"{'' if sure else 'probably '}{enough}", f"{needed:,.0f}, {low:,.0f} to {end}"


def _enough(low: float, high: float, beyond: float) -> str:
    """How far means have to lie apart, to the digit that the width of the range leaves, and one digit at least."""
    middle, width = (low + high) / 2, high - low
    if math.isnan(middle):
        return "too few resamples were drawn to say how far means have to lie apart"
    if beyond > MOST:
        return (
            "how far means have to lie apart cannot be estimated, as "
            f"{percent(beyond)} of the pairs lie as far apart as the estimate and are not distinguished"
        )
    first = -math.floor(math.log10(middle)) if middle else 0
    places = max(first, min(first + 2, math.floor(-math.log10(width)))) if width else first + 2
    return f"for 95% of the pairs, means {round(middle, places):.{max(0, places)}f} apart are far enough"
