"""Labels of candidates, drawn together: errors of one system go together, and a document has one label everywhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from cranfield._typing import Floats
from cranfield.holes.features import HoleDocuments
from cranfield.holes.model import LevelModel

BLOCK = 50
"""Draws of one generator, so that any number of threads gives the same labels."""


@dataclass(frozen=True)
class OffsetSpread:
    """Standard deviations of the offsets (logit) that the labels of one draw share.

    Args:
        team: of the documents that a team retrieved.
        collection: of all documents.
        topic: of the documents of a topic.
    """

    team: float
    collection: float
    topic: float


@dataclass(frozen=True, eq=False)
class LabelModel:
    """Probabilities of labels of unjudged documents, and how they are drawn.

    Args:
        documents: rows and candidates.
        levels: a model for each label from 1 on.
        offset: what is added to eta of each level, an assumption.
        spread: of the shared offsets.
        topics: their number.
    """

    documents: HoleDocuments
    levels: tuple[LevelModel, ...]
    offset: tuple[float, ...]
    spread: OffsetSpread
    topics: int

    def probabilities(self) -> Floats:
        """P(label >= l) of every candidate without spread, [levels, candidates]."""
        wanted = ~self.documents.judged
        steps = []
        for model, offset in zip(self.levels, self.offset, strict=True):
            if model.constant is not None:
                steps.append(np.full(int(wanted.sum()), model.constant))
            else:
                steps.append(expit(offset + model.predictor(self.documents.topic)[wanted]))
        return np.multiply.accumulate(np.array(steps), axis=0)

    def draw(self, size: int, rng: np.random.Generator) -> Floats:
        """Labels of every candidate, [size, candidates]."""
        wanted = ~self.documents.judged
        shares, topic = self.documents.shares[wanted], self.documents.topic[wanted]
        teams = rng.normal(0.0, 1.0, (size, shares.shape[1])) * self.spread.team
        shared = rng.normal(0.0, 1.0, (size, 1)) * self.spread.collection
        by_topic = rng.normal(0.0, 1.0, (size, self.topics)) * self.spread.topic
        offsets = teams @ shares.T + shared + by_topic[:, topic]
        variance = self.spread.team**2 * (shares**2).sum(axis=1) + self.spread.collection**2 + self.spread.topic**2
        # Offsets pull the mean towards 1/2; this keeps it in place.
        keeps = np.sqrt(1.0 + np.pi / 8.0 * variance)
        labels = np.zeros((size, len(topic)))
        alive = np.ones((size, len(topic)), dtype=bool)
        for model, mu in zip(self.levels, self.offset, strict=True):
            if model.constant is not None:
                p = np.full(labels.shape, model.constant)
            else:
                root = np.linalg.cholesky(model.covariance)
                drawn = model.coefficients + rng.standard_normal((size, len(root))) @ root.T
                slopes = model.design.shape[1]
                eta = (
                    drawn[:, :1] + drawn[:, 1 : 1 + slopes] @ model.design[wanted].T + drawn[:, 1 + slopes :][:, topic]
                )
                p = expit(keeps * (mu + eta) + offsets)
            alive &= rng.random(labels.shape) < p
            labels += alive
        return labels


def spawn_blocks(draws: int, seed: int) -> list[tuple[int, np.random.Generator]]:
    """The size and generator of each block of draws, so that any order of work gives the same labels."""
    sizes = [min(BLOCK, draws - start) for start in range(0, draws, BLOCK)]
    return list(zip(sizes, np.random.default_rng(seed).spawn(len(sizes)), strict=True))
