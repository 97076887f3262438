"""The inputs of the suite: small runs and judgments, each made for one thing that tools do in different ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any


@dataclass(frozen=True, slots=True)
class Scenario:
    """One input.

    Attributes:
        name: in the id of a case; lower case, hyphens.
        tags: what it is about.
        qrels: of each topic the label of each document, or of each intent those of its documents.
        run: of each topic the lines of the file, document and score.
        readings: policies on which reputable sources differ, by their name; each value is a case of its own.
        graded: whether labels are grades, which only measures with gains read.
        weights: of each topic's intents.
    """

    name: str
    tags: tuple[str, ...]
    qrels: Mapping[str, Mapping[str, Any]]
    run: Mapping[str, tuple[tuple[str, float], ...]]
    readings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    graded: bool = False
    weights: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def has_intents(self) -> bool:
        """Return whether its judgments are by intent."""
        return any(isinstance(entry, Mapping) for entries in self.qrels.values() for entry in entries.values())


def _listed(documents: str) -> tuple[tuple[str, float], ...]:
    """Documents in the order of their falling scores."""
    names = documents.split()
    return tuple((name, len(names) - index) for index, name in enumerate(names))


def _judged(labels: str) -> dict[str, Any]:
    """Labels written ``document:label``, a label of 1 left out."""
    pairs = (entry.partition(":") for entry in labels.split())
    return {name: _number(label or "1") for name, _, label in pairs}


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def _one(name: str, tags: str, labels: str, documents: str, *, graded: bool = False) -> Scenario:
    """A scenario of one topic without equal scores."""
    return Scenario(name, tuple(tags.split()), {"q1": _judged(labels)}, {"q1": _listed(documents)}, graded=graded)


ALL_TIES = {"ties": ("docid-descending", "docid-ascending", "file-order", "expected")}

_SINGLE = [
    _one("plain", "plain", "b d e n:0 m:0", "n b d u e"),
    _one("perfect", "perfect", "b d e n:0 m:0", "e b d n m"),
    _one("worst-order", "judged-not-relevant", "b d n:0 m:0 o:0", "n m o b d"),
    _one("no-hit", "no-hit", "b d n:0", "u v n w"),
    _one("relevant-not-retrieved", "not-retrieved", "b c d e f n:0", "c n d"),
    _one("one-hit-of-two", "not-retrieved", "b d", "b u v"),
    _one("second-of-three", "plain", "b", "u b v"),
    _one("more-relevant-than-cutoff", "many-relevant", "a b c d e f g", "c u a e v g f b"),
    _one("relevant-beyond-cutoff", "cutoff", "b d", "u v w x y d b"),
    _one("short-list", "short-list", "b c d n:0", "c n"),
    _one("shorter-than-cutoff", "cutoff-beyond-list", "b d n:0", "d u b"),
    _one("unjudged-on-top", "unjudged", "b d n:0", "u v b n w d"),
    _one("judged-not-relevant-on-top", "judged-not-relevant unjudged", "b d n:0 m:0", "n u b m d"),
    _one("ten-documents", "many-relevant", "a b:0 c d e:0 f g:0 h i:0 j", "b a e c h g d i f j"),
    _one("equal-to-threshold", "threshold", "a:1 b:2 c:3 d:2 n:0", "a c n b d"),
    _one("below-threshold", "threshold", "a:1 b:1 c:2 n:0 s:-1", "s a c n b"),
    _one("float-labels", "float-label threshold", "a:0.5 b:1.5 c:1 n:0", "a n b c"),
]

_GRADED = [
    _one("plain", "plain", "a:3 b:2 c:1 n:0 m:0", "c n a u b", graded=True),
    _one("perfect", "perfect", "a:3 b:2 c:1 n:0", "a b c n", graded=True),
    _one("reversed", "judged-not-relevant", "a:3 b:2 c:1 n:0", "n c b a", graded=True),
    _one("equal-grades", "same-grade", "a:2 b:2 c:2", "u a b v c", graded=True),
    _one("one-of-two", "not-retrieved", "a:2 b:1", "b u v", graded=True),
    _one("best-not-retrieved", "not-retrieved", "a:1 b:2 c:3 d:3 n:0", "a n b", graded=True),
    _one("more-relevant-than-cutoff", "many-relevant", "a:3 b:3 c:2 d:2 e:1 f:1 g:1", "g a u f b c", graded=True),
    _one("six-of-eight", "many-relevant", "a:3 b:2 c:3 d:0 e:1 f:2 g:3 h:2", "a b c d e f", graded=True),
    _one("short-list", "short-list", "a:2 b:1 c:1 n:0", "b a", graded=True),
    _one("no-hit", "no-hit", "a:2 b:1 n:0", "u n v", graded=True),
    _one("large-labels", "large-label", "a:4 b:3 c:1 n:0", "c b n a", graded=True),
    _one(
        "ten-documents", "many-relevant", "a:3 b:0 c:1 d:2 e:0 f:1 g:0 h:3 i:0 j:2", "b a e c h g d i f j", graded=True
    ),
    _one("negative-label-on-top", "negative-label", "a:2 b:1 s:-1 r:-2", "r s a b", graded=True),
    _one("negative-label-retrieved", "negative-label", "a:3 b:1 c:1 d:0 e:0 s:-2", "b s u", graded=True),
    _one("float-labels", "float-label", "a:0.5 b:1.5 c:0.25 n:0", "n a b", graded=True),
    _one("beyond-the-pool", "cutoff-beyond-list unjudged", "a:2 b:1", "b u a", graded=True),
]


def _tied(name: str, tags: str, labels: str, lines: str, *, graded: bool) -> Scenario:
    """A scenario with equal scores; lines are written ``document=score``."""
    pairs = (entry.partition("=") for entry in lines.split())
    run = {"q1": tuple((document, _number(score)) for document, _, score in pairs)}
    return Scenario(name, tuple(tags.split()), {"q1": _judged(labels)}, run, ALL_TIES, graded)


_TIES = [
    _tied("ties-above-cutoff", "ties", "b d a:0", "c=2 b=2 a=2 d=1", graded=False),
    _tied("ties-across-cutoff", "ties cutoff", "e f", "a=9 b=8 c=5 f=5 d=5 e=5", graded=False),
    _tied("all-tied", "ties", "m", "n=0 m=0 k=0", graded=False),
    _tied("ties-by-number", "ties id-bytes", "10 n:0", "9=1 10=1 2=1", graded=False),
    _tied("ties-not-ascii", "ties id-bytes", "é z:0", "z=1 é=1 A=1", graded=False),
    _tied("ties", "ties", "a:1 c:3 d:2", "b=5 c=3 d=3 a=3 e=1", graded=True),
    _tied("ties-by-number", "ties id-bytes", "10:3 9:1", "9=1 10=1 2=1", graded=True),
    _tied("ties-not-ascii", "ties id-bytes", "é:2 z:1", "z=1 é=1 A=1", graded=True),
    _tied("all-tied", "ties", "m:2 k:1", "n=0 m=0 k=0", graded=True),
]


def _scored(name: str, tags: str, labels: str, lines: str, *, graded: bool) -> Scenario:
    tied = _tied(name, tags, labels, lines, graded=graded)
    return Scenario(name, tied.tags, tied.qrels, tied.run, graded=graded)


_SCORES = [
    _scored("lines-not-in-score-order", "score-order", "a b", "u=2 b=1 a=10 v=9", graded=False),
    _scored("lines-not-in-score-order", "score-order", "a:3 b:1", "u=2 b=1 a=10 v=9", graded=True),
    _scored("negative-scores", "negative-score", "a b", "a=-0.5 u=-3 b=-10", graded=False),
    _scored("nearly-equal-scores", "score-precision", "a", "b=16777216 a=16777217 c=1", graded=False),
    _scored("nearly-equal-scores", "score-precision", "a:2 b:1", "b=16777216 a=16777217 c=1", graded=True),
]


def _several(name: str, tags: str, qrels: Mapping[str, str], run: Mapping[str, str], **more: Any) -> Scenario:
    """A scenario of several topics without equal scores."""
    judged = {topic: _judged(labels) for topic, labels in qrels.items()}
    lists = {topic: _listed(documents) for topic, documents in run.items()}
    return Scenario(name, tuple(tags.split()), judged, lists, **more)


_MISSING = {"missing": ("zero", "skip")}
_UNDEFINED = {"undefined": ("zero", "skip")}
_TOPICS = [
    _several("two-topics", "mean", {"q1": "a b", "q2": "c n:0"}, {"q1": "a u b", "q2": "n c"}),
    _several("two-topics", "mean", {"q1": "a:3 b:1", "q2": "c:2 n:0"}, {"q1": "b u a", "q2": "n c"}, graded=True),
    _several("missing-topic", "mean missing-topic", {"q1": "a b", "q2": "c", "q3": "d"},
             {"q1": "a u b", "q3": "v d"}, readings=_MISSING),
    _several("missing-topic", "mean missing-topic", {"q1": "a:2 b:1", "q2": "c:3"},
             {"q1": "b u a"}, readings=_MISSING, graded=True),
    _several("empty-run", "mean missing-topic empty-run", {"q1": "a", "q2": "b"}, {}, readings={"missing": ("zero",)}),
    _several("empty-list", "mean empty-list", {"q1": "a", "q2": "b"}, {"q1": "", "q2": "b u"}),
    _several("empty-list", "mean empty-list", {"q1": "a:2", "q2": "b:2 c:1"}, {"q1": "", "q2": "c b"}, graded=True),
    _several("topic-without-judgments", "mean extra-topic", {"q1": "a b"}, {"q1": "a u b", "q9": "v w"}),
    _several("topic-without-judgments", "mean extra-topic", {"q1": "a:2 b:1"},
             {"q1": "b u a", "q9": "v w"}, graded=True),
    _several("no-relevant", "mean no-relevant", {"q1": "a b", "q2": "n:0 m:0"},
             {"q1": "m a b", "q2": "n m"}, readings=_UNDEFINED),
    _several("no-relevant", "mean no-relevant", {"q1": "a:3 b:1", "q2": "n:0 m:0"},
             {"q1": "b u a", "q2": "n m"}, readings=_UNDEFINED, graded=True),
    _several("none-at-second-level", "mean no-relevant threshold", {"q1": "a:1 n:0", "q2": "b:2"},
             {"q1": "a n", "q2": "v b"}, readings=_UNDEFINED),
]  # fmt: skip

_DUPLICATES = [
    Scenario("duplicate", ("duplicate",), {"q1": {"a": 1, "b": 1}},
             {"q1": (("b", 4.0), ("u", 3.0), ("b", 2.0), ("a", 1.0))}, {"duplicates": ("first", "refuse")}),
    Scenario("duplicate-only-relevant", ("duplicate",), {"q1": {"a": 1}},
             {"q1": (("a", 2.0), ("a", 1.0))}, {"duplicates": ("first", "refuse")}),
    Scenario("duplicate", ("duplicate",), {"q1": {"a": 2, "b": 1}},
             {"q1": (("b", 4.0), ("a", 3.0), ("b", 2.0), ("a", 1.0))}, {"duplicates": ("first", "refuse")}, True),
    Scenario("duplicate-again-below", ("duplicate",), {"q1": {"a": 1, "n": 0}},
             {"q1": (("a", 3.0), ("n", 2.0), ("a", 1.0))}, {"duplicates": ("first", "refuse")}),
    Scenario("duplicate-again-below", ("duplicate",), {"q1": {"a": 2, "b": 1}},
             {"q1": (("a", 3.0), ("b", 2.0), ("a", 1.0))}, {"duplicates": ("first", "refuse")}, True),
    Scenario("duplicate-again-below-unjudged", ("duplicate",), {"q1": {"a": 3, "b": 1}},
             {"q1": (("a", 4.0), ("u", 3.0), ("a", 2.0), ("b", 1.0))}, {"duplicates": ("first", "refuse")}, True),
]  # fmt: skip


def _with_intents(name: str, tags: str, intents: Mapping[str, Mapping[str, str]], run: Mapping[str, str],
                  **more: Any) -> Scenario:  # fmt: skip
    judged = {
        topic: {intent: _judged(labels) for intent, labels in entries.items()} for topic, entries in intents.items()
    }
    lists = {topic: _listed(documents) for topic, documents in run.items()}
    return Scenario(name, ("intents", *tags.split()), judged, lists, **more)


_WEIGHTS = {"q1": {"i1": "1/2", "i2": "1/4", "i3": "1/4"}}
_INTENTS = [
    _with_intents("two-intents", "plain", {"q1": {"i1": "a b", "i2": "c n:0"}}, {"q1": "a u c b"}),
    _with_intents("three-intents", "plain", {"q1": {"i1": "a", "i2": "a b", "i3": "c"}}, {"q1": "b a u c"}),
    _with_intents("redundant-list", "redundant not-retrieved", {"q1": {"i1": "a b c", "i2": "d"}}, {"q1": "a b c"}),
    _with_intents("nothing-found", "no-hit", {"q1": {"i1": "a", "i2": "b"}}, {"q1": "u v"}),
    _with_intents("short-list", "short-list", {"q1": {"i1": "a b", "i2": "c"}}, {"q1": "c"}),
    _with_intents("unjudged-on-top", "unjudged", {"q1": {"i1": "a", "i2": "b", "i3": "a b"}}, {"q1": "u v b a"}),
    _with_intents("greedy-ideal-not-optimal", "greedy",
                  {"q1": {"i1": "z y", "i2": "z x", "i3": "y", "i4": "x"}}, {"q1": "y x z"}),
    _with_intents("greedy-ideal-tied", "greedy", {"q1": {"i1": "a b", "i2": "b c", "i3": "c a"}}, {"q1": "a c b"}),
    _with_intents("graded-labels", "graded", {"q1": {"i1": "a:3 b:1", "i2": "b:2 c:1"}}, {"q1": "c a b"}),
    _with_intents("empty-intent", "empty-intent", {"q1": {"i1": "a", "i2": "b c", "i3": "a:0"}}, {"q1": "u b a"}),
    _with_intents("weights", "weights", {"q1": {"i1": "a:2", "i2": "b:1", "i3": "c"}}, {"q1": "b c a"},
                  weights=_WEIGHTS),
    _with_intents("weights-empty-intent", "weights empty-intent", {"q1": {"i1": "a:2", "i2": "b:1", "i3": "u:0"}},
                  {"q1": "b u a"}, weights=_WEIGHTS),
    _with_intents("missing-topic", "mean missing-topic", {"q1": {"i1": "a", "i2": "b"}, "q2": {"i1": "c"}},
                  {"q1": "a u b"}, readings=_MISSING),
    _with_intents("no-relevant", "mean no-relevant", {"q1": {"i1": "a", "i2": "b"}, "q2": {"i1": "c:0"}},
                  {"q1": "a u b", "q2": "c"}, readings=_UNDEFINED),
    _with_intents("two-topics", "mean", {"q1": {"i1": "a", "i2": "b c"}, "q2": {"i1": "d", "i2": "d e"}},
                  {"q1": "c u a", "q2": "e v d"}),
]  # fmt: skip


def _random(seed: int, *, graded: bool) -> Scenario:
    """A list of eight of ten documents at random, by a generator whose numbers are the same everywhere."""
    random = Random(seed)
    documents = list("abcdefghij")
    random.shuffle(documents)
    labels = {name: random.randrange(4 if graded else 2) for name in documents if random.random() < 0.7}
    labels[documents[0]] = 1
    random.shuffle(documents)
    run = {"q1": _listed(" ".join(documents[:8]))}
    return Scenario(f"random-{seed}", ("random",), {"q1": labels}, run, graded=graded)


SCENARIOS: tuple[Scenario, ...] = (
    *_SINGLE, *_GRADED, *_TIES, *_SCORES, *_TOPICS, *_DUPLICATES, *_INTENTS,
    *(_random(seed, graded=False) for seed in range(1, 4)),
    *(_random(seed, graded=True) for seed in range(4, 8)),
)  # fmt: skip
"""All inputs; which measures take which is in ``generator``."""


def label_kinds(scenario: Scenario) -> set[str]:
    """Return what its labels have that not every measure takes: ``negative``, ``fraction``."""
    labels = [
        Fraction(label)
        for entries in scenario.qrels.values()
        for entry in entries.values()
        for label in (entry.values() if isinstance(entry, Mapping) else [entry])
    ]
    kinds = {"negative": any(label < 0 for label in labels), "fraction": any(label.denominator > 1 for label in labels)}
    return {kind for kind, present in kinds.items() if present}
