"""Figure 1 of Golbus & Aslam 2013: agreement of two measures topic by topic, alone and given others."""

from __future__ import annotations

import altair as alt

from cranfield._text import counted, numeral
from cranfield.errors import UsageError
from cranfield.information.tau import InformationTau
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import PALETTE, QUIET, layered, styled
from cranfield.plot.conditional_tau import TIED
from cranfield.statistics._numeric import finite

SIDE = 320


def topic_tau(alone: InformationTau, conditional: InformationTau) -> alt.LayerChart:
    """A point for each topic: information tau alone across, given other measures up, in bits.

    On the dashed line the others explain nothing; at 0 they explain everything.

    Args:
        alone: of ``cranfield.information.compute_information_tau`` on scores, nothing given.
        conditional: of the same two measures, others given.

    Raises:
        UsageError: results of plain vectors, or of other topics.
        InputError: information tau is undefined on every topic.
    """
    for result in (alone, conditional):
        if not isinstance(result, InformationTau):
            raise UsageError("only compute_information_tau on scores has values by topic, not on vectors")
    topics = [str(topic) for topic in alone.topics["topic"].to_numpy()]
    if topics != [str(topic) for topic in conditional.topics["topic"].to_numpy()]:
        raise UsageError("the two results are of different topics")
    rows = [
        {"topic": label(topic), "alone": value, "conditional": conditional_value}
        for topic, value, conditional_value in zip(
            topics, alone.topics.to_numpy(), conditional.topics.to_numpy(), strict=True
        )
    ]
    names = [label(conditional.settings[which]) for which in ("measure", "other")]
    conditions = ", ".join(label(name) for name in conditional.settings["given"]) or "nothing"
    both = [value for row in rows for value in (row["alone"], row["conditional"])]
    end = max(float(finite(both, "information tau is", TIED).max()), 1e-9)
    means = [numeral(result.value, ".3f") for result in (alone, conditional)]
    title = f"Information tau of {' and '.join(names)}"
    notes = [
        f"{counted(len(rows), 'topic')}; means {means[0]} alone, {means[1]} given",
        f"given: {conditions}",
    ]
    described = f"{title}, topic by topic: mean {means[0]} alone, {means[1]} given {conditions}."
    topic = choice("topic")
    scale = alt.Scale(domain=[0, end], nice=True)
    bits = [alt.Tooltip(f"{name}:Q", format=".3f") for name in ("alone", "conditional")]
    points = (
        alt.Chart(inline(rows))
        .mark_point(color=PALETTE[0])
        .encode(
            x=alt.X("alone:Q", title="alone, bits", scale=scale),
            y=alt.Y("conditional:Q", title="given the others, bits", scale=scale),
            opacity=unless_chosen(topic),
            tooltip=[alt.Tooltip("topic:N"), *bits],
        )
        .add_params(topic)
    )
    ends = inline([{"at": 0.0}, {"at": end}])
    x, y = alt.X("at:Q"), alt.Y("at:Q")
    diagonal = alt.Chart(ends).mark_line(color=QUIET, strokeDash=[4, 3], strokeWidth=1).encode(x, y)
    return styled(layered(diagonal, points), title, notes, described, width=SIDE, height=SIDE)
