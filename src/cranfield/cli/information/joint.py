"""``cranfield information joint``: the joint information of several systems."""

from __future__ import annotations

import math
from typing import Any

import click

from cranfield._text import counted, percent
from cranfield.cli.command import command_of_runs
from cranfield.cli.information.experiment_option import ExperimentInput, experiment_input
from cranfield.cli.options import format_option, output_option, seed_option
from cranfield.cli.topic_groups import by_groups_of_topics


@command_of_runs(short_help="Joint RIC: the joint information of the systems about relevance.")
@experiment_input
@by_groups_of_topics()
@click.option("--select", type=click.IntRange(1), metavar="N", help="Choose N systems that complement each other.")
@click.option(
    "--estimator",
    type=click.Choice(["logistic", "table", "miller-madow", "shrinkage"]),
    help="From the best weighted sum of the outcomes; from the table of joint outcomes, which overfits far more; or "
    "from the table with one of two corrections.  [default: logistic; table with several judges]",
)
@click.option(
    "--permutations",
    type=click.IntRange(0),
    help="Permutations of the labels, for the null.  [default: 20; 2 of more than ten systems]",
)
@seed_option
@format_option()
@output_option
def joint(asked: ExperimentInput, select: int | None, format_: str, output: str | None, **options: Any) -> None:
    """Joint RIC: the joint information of the systems about relevance, in bits, compared with chance.

    The row `all` holds first what is left beyond chance, (joint - null) / (1 - null); then what a weighted sum of the
    outcomes reaches on topics that its weights were not learned on; the joint RIC itself; and its null (labels
    permuted). Each system's row holds its RIC alone, and what the joint RIC loses without it. With --select, each
    row is a step of a greedy choice.
    """
    import pandas as pd

    from cranfield.cli.streams import check_place, present, warnings_to_stderr
    from cranfield.information.joint import compute_joint_ric
    from cranfield.information.system_selection import select_systems
    from cranfield.results.sheet import Sheet

    check_place(output)
    with warnings_to_stderr():
        experiment = asked.experiment()
        if select is not None:
            chosen = select_systems(experiment, size=select, **options)
            table, settings = chosen.steps, chosen.settings
            caption = "each row: the joint RIC of its system and all above"
        else:
            joint_ric = compute_joint_ric(experiment, **options)
            table, settings = joint_ric.systems.reset_index(), joint_ric.settings
            whole = {
                "system": "all",
                "normalized": joint_ric.normalized,
                "reachable": joint_ric.reachable,
                "RIC": joint_ric.value,
                "null": joint_ric.null,
            }
            table = pd.concat([pd.DataFrame([whole]), table])[[*whole, "contribution"]]
            silent = float(joint_ric.topics["silent"].mean())
            caption = (
                "no topic has two labels, so that nothing can be told of relevance"
                if math.isnan(silent)
                else f"no system retrieves either document of {percent(silent)} of the pairs"
            )
    used = {name: settings[name] for name in options}
    how = ", ".join(f"{name}={value}" for name, value in used.items())
    caption = (
        f"{counted(len(experiment.systems), 'system')}, {counted(len(experiment.topics), 'topic')}; {caption}\n{how}"
    )
    signature = {**experiment.signature, **used}
    present(Sheet.of_frame(table, caption, signature), format_, output)
