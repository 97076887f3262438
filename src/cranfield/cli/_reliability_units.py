"""Tables of ``cranfield audit reliability`` for topics in clusters, and for systems with several runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import shown
from cranfield.errors import UsageError

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.results.sheet import Sheet
    from cranfield.streaming.scores import StreamedScores
    from cranfield.trust.cluster_reliability import ClusterReliability
    from cranfield.trust.replicate_reliability import ReplicateReliability

NOT_OF_UNITS = ("drop", "target")
"""Options of the analysis of topics by themselves."""
NOT_OF_REPLICATES = ("level", "resample", "resamples", "seed", "cluster_cost", "clusters")


def refuse_options(context: click.Context, show: str) -> None:
    """Raise UsageError for options that mean nothing where topics are in clusters, or systems have several runs."""
    clusters, replicates = context.params["topic_clusters"] is not None, context.params["replicates"] is not None
    if clusters and replicates:
        raise UsageError("--topic-clusters and --replicates split variance in two ways: choose one")
    source = context.get_parameter_source
    default = click.core.ParameterSource.DEFAULT
    names = (
        NOT_OF_UNITS + (NOT_OF_REPLICATES if replicates else ())
        if clusters or replicates
        else ("clusters", "cluster_cost")
    )
    for name in names:
        if source(name) is not default:
            option = f"--{name.replace('_', '-')}"
            if not (clusters or replicates):
                raise UsageError(f"{option} is about topics in clusters: add --topic-clusters")
            unit = "--replicates" if replicates else "--topic-clusters"
            raise UsageError(f"{option} means nothing with {unit}: leave it out")
    if (clusters or replicates) and show == "needed":
        raise UsageError("--show needed is about topics by themselves: take --show curve")


def tabulate_units(
    measures: Iterable[xr.DataArray | StreamedScores],
    show: str,
    sizes: tuple[int, ...],
    clusters: tuple[int, ...],
    **options: Any,
) -> Sheet:
    """Tabulate components or the curve of each measure, with the answer below.

    Args:
        measures: scores by each.
        show: the table.
        sizes: topics to project to; in each cluster, where topics are in clusters.
        clusters: clusters to project to.
        options: of the analysis.
    """
    import pandas as pd

    from cranfield.results.sheet import Sheet
    from cranfield.trust.cluster_reliability import estimate_cluster_reliability
    from cranfield.trust.replicate_reliability import estimate_replicate_reliability

    tables, results = [], []
    for scores in measures:
        array: Any = scores if hasattr(scores, "dims") else scores.in_memory().labelled()
        estimate: ClusterReliability | ReplicateReliability
        if options["replicates"] is not None:
            estimate = estimate_replicate_reliability(array, options["replicates"], topics=sizes or None)
        else:
            weighs_clusters = {
                name: value for name, value in options.items() if name not in ("replicates", *NOT_OF_UNITS)
            }
            weighs_clusters["resample"] = "clusters" if options["resample"] == "topics" else "both"
            estimate = estimate_cluster_reliability(
                array, topics_in_each=sizes or None, clusters=clusters or None, **weighs_clusters
            )
        table = estimate.to_frame("curve" if show == "curve" else "components")
        table.insert(0, "measure", estimate.measure)
        tables.append(table)
        results.append(estimate)
    signature = results[0].signature | {"measure": [estimate.measure for estimate in results]}
    caption = "\n".join(_write_caption(estimate) for estimate in results)
    return Sheet.from_frame(pd.concat(tables), caption, signature)


def _write_caption(estimate: ClusterReliability | ReplicateReliability) -> str:
    """The answer, and what intervals are."""
    from cranfield.scores.system_runs import describe_runs
    from cranfield.scores.topic_clusters import describe_sizes
    from cranfield.trust.cluster_reliability import ClusterReliability

    settings, answer = estimate.settings, f"{shown(estimate.measure)}: {estimate.sentence}"
    if not isinstance(estimate, ClusterReliability):
        return f"{answer}\n{describe_runs(settings)}"
    drawn = "clusters and systems" if settings["resample"] == "both" else "clusters"
    now = estimate.now
    return (
        f"{answer}\nmeans of these {describe_sizes(settings)}: Erho2 {now['Erho2']:.3f} "
        f"({now['Erho2_low']:.3f} to {now['Erho2_high']:.3f}), Phi {now['Phi']:.3f} ({now['Phi_low']:.3f} to "
        f"{now['Phi_high']:.3f}), by analysis of variance\n"
        f"low to high: {settings['resamples']:,} resamples of {drawn}, seed {settings['seed']}"
    )
