"""``cranfield information ric``: RIC of each system with the pairs that it is counted from."""

from __future__ import annotations

from typing import Any

import click

from cranfield._text import counted
from cranfield.cli.command import command_of_runs
from cranfield.cli.information.estimator_option import estimator_option
from cranfield.cli.information.experiment_option import ExperimentInput, experiment_input
from cranfield.cli.options import format_option, output_option
from cranfield.cli.topic_groups import by_groups_of_topics


@command_of_runs(short_help="RIC of each system: the information of its ranking about relevance.")
@experiment_input
@by_groups_of_topics()
@click.option("--by-topic", "-q", is_flag=True, help="Every topic, not only the summary.")
@estimator_option
@format_option()
@output_option
def ric(asked: ExperimentInput, by_topic: bool, estimator: Any, format_: str, output: str | None) -> None:
    """RIC of each system: the information of its ranking about which of two documents is more relevant, in bits.

    SRIC is that of a user who stops at a random rank, of what the ideal list tells. RIC, SRIC and their signed forms
    are means over topics; C, D and Z are pairs in the order of their labels, against it, and of
    which neither document is retrieved, over all topics. With a corrected estimator there is no SRIC.
    """
    import pandas as pd

    from cranfield.cli.streams import check_place, present, warnings_to_stderr
    from cranfield.evaluation import summarize
    from cranfield.information.ric import COUNTS, compute_ric
    from cranfield.results.sheet import Sheet

    check_place(output)
    with warnings_to_stderr():
        experiment = asked.experiment()
        scores = compute_ric(experiment, estimator=estimator)
        table = summarize(scores).rename_axis("system").reset_index()
        table = table.sort_values("RIC", ascending=False, kind="stable")
        if by_topic:
            rows = scores.to_dataframe(dim_order=["system", "topic"]).reset_index()
            table = pd.concat([rows, table.assign(topic="all")])[["system", "topic", *scores.data_vars]]
    if experiment.pair_weight == "uniform":
        table = table.astype(dict.fromkeys(COUNTS, "Int64"))
    caption = f"{counted(len(experiment.systems), 'system')}, {counted(len(experiment.topics), 'topic')}"
    signature = experiment.signature
    if estimator != "plug-in":
        caption, signature = f"{caption}; estimator={estimator}", signature | {"estimator": estimator}
    present(Sheet.of_frame(table, caption, signature), format_, output)
