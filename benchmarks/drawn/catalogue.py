"""The collections that the benchmarks read: how large they are and where their files lie.

Nothing here imports NumPy: a process inherits the peak memory of the process that starts it, so the harness, which
reads this page, has to stay small. `generate.py` writes the files.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

DATA = Path(__file__).resolve().parents[1] / ".data"
FORMAT = 1  # to be raised whenever the generator writes other bytes for the same recipe

BYTES_OF_LINE, BYTES_OF_JUDGMENT = 45, 20

Shape = Literal["pooled", "sparse", "judged"]
Order = Literal["ranked", "shuffled", "interleaved"]


@dataclass(frozen=True)
class Recipe:
    """All that decides the bytes of a collection.

    `pooled` has about 1,500 judged documents a topic with labels 0 to 3, as a TREC track; `sparse` has one or two, as
    MS MARCO; `judged` has a thousand, of which the run retrieves the first. `order` is that of the lines: by rank, at
    random within a topic, or one line of each topic in turn. Scores have six `decimals`, or sixteen where programs
    print them in full.
    """

    name: str
    shape: Shape
    runs: int
    topics: int
    depth: int
    order: Order = "ranked"
    decimals: int = 6
    seed: int = 1967

    def scaled(self, factor: float) -> "Recipe":
        """A smaller collection of the same kind, for trials."""

        def shrunk(size: int) -> int:
            return max(2, round(size * factor))

        if factor == 1:
            return self
        if self.topics > 1 and (self.shape != "pooled" or self.runs == 2):
            return replace(self, topics=shrunk(self.topics))
        if self.runs > 1:
            return replace(self, runs=shrunk(self.runs))
        return replace(self, depth=shrunk(self.depth))


@dataclass(frozen=True)
class Collection:
    """The files of one recipe."""

    recipe: Recipe
    folder: Path

    @property
    def qrels(self) -> Path:
        return self.folder / "qrels.txt"

    @property
    def runs(self) -> list[Path]:
        if self.recipe.runs == 1:
            return [self.folder / f"{self.recipe.name}.txt"]
        return [self.folder / f"run{number:03}.txt" for number in range(1, self.recipe.runs + 1)]

    @property
    def files(self) -> list[Path]:
        return [self.qrels, *self.runs]

    @property
    def lines(self) -> int:
        """Lines of all runs together."""
        return self.recipe.runs * self.recipe.topics * self.recipe.depth

    @property
    def judgments(self) -> int:
        """Lines of the judgments, roughly."""
        return self.recipe.topics * {"pooled": 1_500, "sparse": 1, "judged": JUDGED_OF_TOPIC}[self.recipe.shape]

    @property
    def bytes(self) -> int:
        """What the files take, roughly."""
        return BYTES_OF_LINE * self.lines + BYTES_OF_JUDGMENT * self.judgments

    @property
    def manifest(self) -> Path:
        """Written last: its presence, with the same recipe in it, says that the files are complete and current."""
        return self.folder / "manifest.json"

    def manifest_text(self) -> str:
        return json.dumps({"format": FORMAT, "recipe": asdict(self.recipe)}, indent=2) + "\n"

    def is_present(self) -> bool:
        return self.manifest.is_file() and self.manifest.read_text() == self.manifest_text()


DEPTHS = (10, 30, 100, 300, 1000)
TOPIC_COUNTS = (100, 1_000, 10_000, 50_000)
LINES = (100_000, 1_000_000, 10_000_000, 100_000_000)
ONE_TOPIC = (100_000, 1_000_000)
MANY_TOPICS = (1_000, 10_000, 100_000, 1_000_000)
MANY_RUNS = (2, 20, 200, 2_000)
JUDGMENTS = (100_000, 1_000_000, 10_000_000, 30_000_000, 100_000_000)
JUDGED_OF_TOPIC = 1_000


def _catalogue() -> Iterable[Recipe]:
    yield Recipe("S", "pooled", runs=100, topics=50, depth=1000)
    yield Recipe("T", "pooled", runs=1, topics=50, depth=1000)
    yield Recipe("M", "sparse", runs=1, topics=6_980, depth=1000)
    yield Recipe("M-shuffled", "sparse", runs=1, topics=6_980, depth=1000, order="shuffled")
    yield Recipe("M-interleaved", "sparse", runs=1, topics=6_980, depth=1000, order="interleaved")
    yield Recipe("M-printed-in-full", "sparse", runs=1, topics=6_980, depth=1000, decimals=16)
    yield Recipe("L", "sparse", runs=1, topics=100_000, depth=100)
    for depth in DEPTHS:
        yield Recipe(f"depth-{depth}", "sparse", runs=1, topics=1_000, depth=depth)
    for topics in TOPIC_COUNTS:
        yield Recipe(f"topics-{topics}", "sparse", runs=1, topics=topics, depth=100)
    yield Recipe("fused", "pooled", runs=2, topics=5_000, depth=1000)
    yield Recipe("one-topic", "sparse", runs=1, topics=1, depth=10_000_000)
    for depth in ONE_TOPIC:
        yield Recipe(f"one-topic-{depth}", "sparse", runs=1, topics=1, depth=depth)
    for lines in LINES:
        yield Recipe(f"lines-{lines}", "sparse", runs=1, topics=lines // 1000, depth=1000)
    for topics in MANY_TOPICS:
        yield Recipe(f"many-topics-{topics}", "sparse", runs=1, topics=topics, depth=10)
    yield Recipe("many-runs", "pooled", runs=MANY_RUNS[-1], topics=50, depth=100)
    for count in JUDGMENTS:
        yield Recipe(f"judgments-{count}", "judged", runs=1, topics=count // JUDGED_OF_TOPIC, depth=10)


CATALOGUE = {recipe.name: recipe for recipe in _catalogue()}


def collection(name: str, scale: float = 1.0) -> Collection:
    """The collection of that name, at full size or reduced."""
    folder = DATA / ("full" if scale == 1 else f"scale-{scale:g}") / name
    return Collection(CATALOGUE[name].scaled(scale), folder)
