"""``--unjudged estimate``: the options of commands that estimate scores of runs with holes, and what they print."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield.cli._declared_options import make_unset_option
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._options import ESTIMATES
from cranfield.cli._runs_input import RunsInput
from cranfield.cli._scores_input import refuse_unread_rel
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.holes import Holes, HoleScores

OPTIONS = ("contributors", "teams", "predicted", "learn_from", "hole_offset", "draws", "topic_sample")
"""Parameters that need ``--unjudged estimate`` or ``bootstrap``."""
OF_BOOTSTRAP = ("draws",)
DRAWS = 1000
UNCAPTIONED = ("tsv", "csv", "json", "junit")
"""Formats without a caption."""


@dataclass(frozen=True)
class HolesRequest:
    """What is estimated about unjudged documents, and how.

    Args:
        method: ``estimate`` or ``bootstrap``.
        fitting: arguments of ``estimate_holes``.
        draws: of labels.
        topic_sample: ``fixed`` or ``sampled``.
        seed: of the draws.
    """

    method: str
    fitting: dict[str, Any]
    draws: int
    topic_sample: Any
    seed: int


def model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options by which the labels of unjudged documents are modelled; without a value where none is given."""
    for name in ("draws", "hole_offset", "learn_from", "predicted", "teams", "contributors"):
        command = make_unset_option("pool settle", name)(command)
    return command


def holes_options(
    command: Callable[..., Any], printer: Callable[..., None], *, own_seed: bool = True
) -> Callable[..., Any]:
    """Add the options about unjudged documents, and call the printer instead where these are estimated.

    Args:
        command: its ``--unjudged`` offers ``estimate`` and ``bootstrap``.
        printer: called with the request and the other options of the call.
        own_seed: whether ``--seed`` is about these draws alone; else the command has that option itself.
    """

    @functools.wraps(command)
    def wrapped(**options: Any) -> Any:
        holes, remaining = _take_request(options, own_seed=own_seed)
        return command(**remaining) if holes is None else printer(holes, **remaining)

    topics = click.option(
        "--topic-sample",
        type=click.Choice(["fixed", "sampled"]),
        help="Intervals for these topics, or for others like them, too; with --unjudged estimate.  [default: fixed]",
    )
    with_options = model_options(topics(wrapped))
    if not own_seed:
        return with_options
    return click.option("--seed", type=click.IntRange(0), help="Random seed of the draws.  [default: 1]")(with_options)


def _take_request(options: Mapping[str, Any], *, own_seed: bool) -> tuple[HolesRequest | None, dict[str, Any]]:
    method = options["unjudged"]
    names = (*OPTIONS, "seed") if own_seed else OPTIONS
    context = click.get_current_context()
    # A protocol sets the seed of whatever draws; it is not a request for draws.
    from_protocol = context.get_parameter_source("seed") is ParameterSource.DEFAULT_MAP
    used = {name: options[name] for name in names if options[name] not in (None, ())}
    if from_protocol and method not in ESTIMATES:
        used.pop("seed", None)
    remaining = {name: value for name, value in options.items() if name not in names}
    allowed = {"estimate": names, "bootstrap": (*OF_BOOTSTRAP, "seed")}.get(method, ())
    for name in used:
        if name not in allowed:
            needed = (
                "--unjudged estimate" if name not in (*OF_BOOTSTRAP, "seed") else "--unjudged estimate or bootstrap"
            )
            raise UsageError(f"--{name.replace('_', '-')} needs {needed}")
    if method not in ESTIMATES:
        return None, remaining
    fitting: dict[str, Any] = {
        name: used[name] for name in ("contributors", "teams", "predicted", "learn_from", "hole_offset") if name in used
    }
    if "contributors" in fitting:
        fitting["contributors"] = list(fitting["contributors"])
    seed = used.get("seed", 1) if own_seed else options["seed"]
    request = HolesRequest(method, fitting, used.get("draws", DRAWS), used.get("topic_sample", "fixed"), seed)
    return request, {**remaining, "unjudged": "zero"}


UNKNOWN_TO_HOLES = ("topic_groups", "dataset", "dask", "intent_weights")
"""Parameters without a meaning for estimates, whatever the command."""


def refuse_for_holes(holes: HolesRequest, names: Sequence[str]) -> None:
    """Raise UsageError for an option that has no meaning for estimates; a protocol may set what changes no number."""
    context = click.get_current_context()
    refuse_without_effect(context, names, f"with --unjudged {holes.method}")
    for option in context.command.params:
        if option.name in {*names} & {*UNKNOWN_TO_HOLES} and context.params.get(option.name):
            raise UsageError(f"{option.opts[0]} of the protocol does not go with --unjudged {holes.method}")


def fit_holes(runs: RunsInput, holes: HolesRequest, measures: Sequence[str]) -> Holes:
    """Model the labels of the unjudged documents in as many ranks as the measures look at."""
    refuse_unread_rel(measures)
    from cranfield.holes import estimate_holes
    from cranfield.holes.scoring import find_depth

    depth = find_depth(list(measures), runs.reading.rel)
    return estimate_holes(runs.paths, runs.qrels, **holes.fitting, depth=depth, reading=runs.reading)


def estimate_scores(
    runs: RunsInput, measures: Sequence[str], holes: HolesRequest, progress: Callable[[int, int], None] | None
) -> HoleScores:
    """Estimate the scores of runs by ``holes.method``; ``progress`` as in ``Holes.evaluate``."""
    numbers: dict[str, Any] = {"draws": holes.draws, "seed": holes.seed, "progress": progress}
    if holes.method == "bootstrap":
        from cranfield.holes import estimate_by_bootstrap

        if len(measures) > 1:
            raise UsageError("--unjudged bootstrap works on one measure: choose it with --measure")
        refuse_unread_rel(measures)
        return estimate_by_bootstrap(runs.paths, runs.qrels, measures[0], **numbers, reading=runs.reading)
    fitted = fit_holes(runs, holes, measures)
    return fitted.evaluate(list(measures), **numbers, topic_sample=holes.topic_sample)


def warn_of_assumptions(caveats: Iterable[str], format_: str) -> None:
    """Print what estimates rest on as warnings, for formats without a caption that has it."""
    from cranfield.cli._output import print_warning

    if format_ in UNCAPTIONED:
        for line in caveats:
            print_warning(line)
