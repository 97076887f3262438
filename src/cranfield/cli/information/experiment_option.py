"""``QRELS RUN...`` and all that says how pairs of documents are drawn: what every analysis of pairs takes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.options import OPEN_TIES, file_options, names_option, policy_options
from cranfield.collection.policy import REWRITING, Policy

if TYPE_CHECKING:
    from cranfield.information.experiment import Experiment

POLICIES = ("ties", "missing", "compat", "on_duplicate", *REWRITING)
"""What means something where labels are only compared."""


@dataclass(frozen=True)
class ExperimentInput:
    """Where an experiment comes from."""

    qrels: str
    runs: Sequence[str]
    preferences: Sequence[str]
    references: Sequence[str]
    policy: Policy
    options: dict[str, Any]

    def experiment(self) -> Experiment:
        """Read everything.

        Raises:
            InputError: a file is refused, or runs and judgments do not fit together.
        """
        from cranfield.information.experiment import prepare_experiment
        from cranfield.information.judgment_sources import Evidence, Source
        from cranfield.io.preferences import read_preferences
        from cranfield.io.trec import read_qrels, read_run

        options = dict(self.options)
        if not self.preferences and not self.references:
            return prepare_experiment(list(self.runs), self.qrels, policy=self.policy, **options)
        layout = {"input_format": options["input_format"], "columns": options["columns"]}
        sources: list[Source] = [
            read_qrels(self.qrels, **layout),
            *map(read_preferences, self.preferences),
            *(read_run(path, **layout) for path in self.references),
        ]
        return prepare_experiment(
            list(self.runs), Evidence(*sources, rel=options.pop("rel")), policy=self.policy, **options
        )


OPTIONS: tuple[Callable[[Any], Any], ...] = (
    names_option,
    file_options,
    functools.partial(policy_options, names=POLICIES, refused=tuple(OPEN_TIES)),
    click.option(
        "--reference-ranking",
        "references",
        multiple=True,
        metavar="RUN",
        help="A reference ranking as one more judge; repeat.",
    ),
    click.option(
        "--preferences",
        multiple=True,
        metavar="FILE",
        help="Preference judgments as one more judge, lines `topic better worse`; repeat.",
    ),
    click.option(
        "--persistence",
        type=float,
        metavar="P",
        help="A user goes on to the next rank with this probability, as of SRIC.  [default: one who reads all]",
    ),
    click.option("-p", type=float, default=0.8, show_default=True, help="p of the geometric weight: p^(rank - 1)."),
    click.option(
        "--pair-weight",
        type=click.Choice(["uniform", "geometric"]),
        default="uniform",
        show_default=True,
        help="Pairs of documents count alike, or by the better place that a system gives to either.",
    ),
    click.option("--cutoff", "-k", type=click.IntRange(1), help="Cut lists after this rank.  [default: none]"),
    click.option(
        "--rel",
        "-l",
        type=float,
        default=1,
        show_default=True,
        help="Lists end after their last document of this label or more.",
    ),
    click.argument("runs", metavar="RUN...", nargs=-1, required=True),
    click.argument("qrels", metavar="QRELS"),
)
"""Files and options, the last one first."""


def experiment_input(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command ``QRELS RUN...`` and its options as one argument ``asked``."""

    @functools.wraps(command)
    def wrapped(
        qrels: str, runs: tuple[str, ...], preferences: tuple[str, ...], references: tuple[str, ...], **given: Any
    ) -> Any:
        policy = Policy(**{name: given.pop(name) for name in POLICIES})
        options = {
            name: given.pop(name)
            for name in ("rel", "cutoff", "pair_weight", "p", "persistence", "input_format", "columns", "names")
        }
        return command(asked=ExperimentInput(qrels, runs, preferences, references, policy, options), **given)

    for option in OPTIONS:
        wrapped = option(wrapped)
    return wrapped
