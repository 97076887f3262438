"""Several score files as one: further measures of the same systems, or further systems by the same measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import cut, listed, quoted, shown
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.scores.dataset import read_labels
from cranfield.scores.labels import labels
from cranfield.scores.scale import Scale
from cranfield.scores.signature import refuse_other_facts, unlike

if TYPE_CHECKING:
    import xarray as xr


OF_ONE_EVALUATION = ("peer_summary", "peer_summary_topics")
"""Attributes of a measure that are about the systems of one evaluation only."""


@dataclass(frozen=True)
class FileScores:
    """The scores of one file, with its name and signature.

    Args:
        path: of the file.
        name: of the file, different from those of the others.
        scores: one variable a measure.
        source: signature of what made them; None where the file says nothing.
    """

    path: str
    name: str
    scores: xr.Dataset
    source: Any

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures."""
        return tuple(str(name) for name in self.scores.data_vars)


def join_parts(parts: Sequence[FileScores]) -> xr.Dataset:
    """Join scores in one Dataset: files of the same measures hold systems, files of other measures the same systems.

    A system's name that occurs in several files gets the file's in front: ``main/bm25`` and ``new/bm25``.

    Raises:
        InputError: topics differ, systems of different measures differ, files share some of their measures only,
            or systems were scored with other judgments or policies.
    """
    groups: list[list[FileScores]] = []
    for part in parts:
        alike = next((group for group in groups if set(group[0].measures) == set(part.measures)), None)
        if alike is not None:
            alike.append(part)
            continue
        _refuse_shared_measures(groups, part)
        groups.append([part])
    first, *remaining = [(group[-1], _join_systems(group)) for group in groups]
    dataset = first[1]
    for part, addition in remaining:
        for dim in ("topic", "system"):
            _refuse_other_labels(dataset, addition, dim, part)
        dataset = dataset.assign(addition.reindex_like(dataset).data_vars)
    return dataset


def _join_systems(parts: Sequence[FileScores]) -> xr.Dataset:
    """Join systems of several files with the same measures."""
    first = parts[0]
    if len(parts) == 1:
        return first.scores
    import xarray as xr

    for part in parts[1:]:
        _refuse_other_labels(first.scores, part.scores, "topic", part)
        if differ := unlike(first.source, part.source):
            raise InputError(
                f"was scored otherwise than {shown(first.path, 200)}, so that their systems cannot be compared: "
                f"{'; '.join(differ)}; evaluate both alike",
                Location(part.path),
                code="other-scores",
            )
        for name, variable in part.scores.data_vars.items():
            ours, theirs = (Scale(str(name), array.attrs) for array in (first.scores[name], variable))
            refuse_other_facts(ours, theirs, first.path, Location(part.path))
    systems = [read_labels(part.scores, "system", Location(part.path)) for part in parts]
    count = Counter(system for names in systems for system in names)
    renamed = []
    for part, names in zip(parts, systems, strict=True):
        distinct = [f"{part.name}/{system}" if count[system] > 1 else system for system in names]
        bare = part.scores[list(first.scores.data_vars)].reset_coords(drop=True)
        renamed.append(bare.assign_coords(system=np.array(distinct, dtype=object)))
    alike = [array.reindex(topic=first.scores["topic"]) for array in renamed]
    combined = xr.concat(
        alike, "system", data_vars="all", coords="minimal", compat="override", join="outer", combine_attrs="override"
    )
    for variable in combined.data_vars.values():
        for name in OF_ONE_EVALUATION:
            variable.attrs.pop(name, None)
    labels(combined["system"].to_numpy().tolist(), "system", Location(parts[-1].path))
    return combined


def _refuse_shared_measures(groups: Sequence[Sequence[FileScores]], part: FileScores) -> None:
    """Raises: InputError: some measures, but not all, are in an earlier file too."""
    for group in groups:
        shared = [name for name in part.measures if name in group[0].measures]
        if shared:
            raise InputError(
                f"{shown(shared[0])} is in an earlier score file too, but not all measures are: files of the same "
                "measures are further systems, and files of other measures the same systems. A matrix is called by its "
                "file's name: rename the file; of rows, take the same measures in both",
                Location(part.path),
                code="duplicate",
                value=cut(shared[0]),
            )


def _refuse_other_labels(scores: xr.Dataset, addition: xr.Dataset, dim: str, part: FileScores) -> None:
    """Raises: InputError: topics or systems of an addition differ."""
    before, here = (read_labels(dataset, dim, Location(part.path)) for dataset in (scores, addition))
    ours, theirs = set(before), set(here)
    if ours != theirs:
        only = [text for text in (*before, *here) if (text in ours) != (text in theirs)]
        names = listed(only) if dim == "topic" else ", ".join(map(quoted, only[:5])) + ", ..." * (len(only) > 5)
        raise InputError(
            f"{names} not in every score file: several files hold other measures of the same systems and topics, or "
            f"other systems by the same measures on the same topics; to put {dim}s together, join the rows in one file",
            Location(part.path),
            code="other-scores",
            value=cut(only[0]),
        )
