"""What is immutable stays so: attributes, arrays, copies and pickles."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield import Qrels, Run
from cranfield._frozen import Frozen
from cranfield.collection import IntentWeights, Policy, Preferences, Rankings
from cranfield.evaluation import make_rankings
from cranfield.information import Evidence, prepare_experiment
from cranfield.partitions import Dataset

RUN = Run.from_dict({"1": {"a": 2.5, "\u00e9": 1.0}, "2": {"a": 1.0}}, name="mine")
QRELS = Qrels.from_dict({"1": {"a": 1, "b": 2}, "2": {"b": 0}})
WEIGHTS = IntentWeights.from_dict({"1": {"x": 0.75, "y": 0.25}}, navigational={"1": ["x"]})
BY_INTENT = Qrels.from_dict({"1": {"x": {"a": 1}, "y": {"b": 2}}}).with_intents(WEIGHTS)
PREFERENCES = Preferences.of([("1", "a", "b")])
EXPERIMENT = prepare_experiment({"1": {"a": 2.5, "b": 1.0}}, {"1": {"a": 1, "b": 2}})
cranfield.fuse([RUN, {"1": {"a": 1.0}}])  # imports what it is made with
KINDS: dict[str, Any] = {kind.__name__: kind for kind in Frozen.__subclasses__()}
MADE: tuple[Any, ...] = (
    *(RUN, RUN.documents, QRELS, QRELS.pool, WEIGHTS, BY_INTENT.intents, PREFERENCES),
    make_rankings(RUN, QRELS, ties="docid"),
    KINDS["Strata"].from_names(["a", "b", "a"], np.array([0, 2, 3])),
    Evidence(QRELS, PREFERENCES, rel=2),
    *(EXPERIMENT, EXPERIMENT.positions, EXPERIMENT.pairs[0]),
    KINDS["UnionLists"].from_runs([("mine", RUN)], Policy()),
    KINDS["StoppingUser"](0.9, np.ones(2)),
    Dataset("runs/bm25/", columns={"topic": "user"}),
)
EXAMPLES: dict[type[Any], Any] = {type(made): made for made in MADE}

each = pytest.mark.parametrize("made", EXAMPLES.values(), ids=lambda made: type(made).__name__)
COPIES: tuple[Callable[[Any], Any], ...] = (
    copy.copy,
    copy.deepcopy,
    *(lambda made, protocol=protocol: pickle.loads(pickle.dumps(made, protocol)) for protocol in (2, 4, 5)),
)


def test_every_frozen_class_is_looked_at() -> None:
    assert set(Frozen.__subclasses__()) == EXAMPLES.keys() - {type(RUN.documents)}


def attributes(made: Any) -> dict[str, Any]:
    return {name: getattr(made, name) for name in signature(type(made)).parameters}


@each
def test_no_attribute_is_set_added_or_deleted(made: Any) -> None:
    refused = rf"^{type(made).__name__} is immutable: make a new one instead of|^cannot assign to field"
    for name in (*attributes(made), "colour"):
        with pytest.raises(AttributeError, match=refused):
            setattr(made, name, 1)
    assert not hasattr(made, "colour")
    for name in attributes(made):
        with pytest.raises(AttributeError):
            delattr(made, name)


def arrays(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from arrays(item)
    elif type(value) in EXAMPLES:
        for item in attributes(value).values():
            yield from arrays(item)


@each
def test_copies_hold_the_same_and_cannot_be_written_either(made: Any) -> None:
    wanted = [array.tobytes() for array in arrays(made)]
    assert wanted or isinstance(made, IntentWeights | Preferences | Dataset)
    for again in (made, *(make(made) for make in COPIES)):
        assert type(again) is type(made)
        assert repr(again) == repr(made)
        assert [array.tobytes() for array in arrays(again)] == wanted
        for array in arrays(again):
            assert not array.flags.writeable
        with pytest.raises(AttributeError, match=r"immutable|cannot assign to field"):
            again.colour = 1


def test_copies_keep_names_and_content() -> None:
    for make in COPIES:
        run, qrels, rankings = make(RUN), make(QRELS), make(EXAMPLES[Rankings])
        assert (run == RUN, run.name, run.tag, run.path) == (True, "mine", "", None)
        assert (qrels == QRELS, qrels.name, qrels.iterations) == (True, "qrels", ("0",))
        assert (rankings.policy, rankings.systems) == (Policy(ties="docid"), ("mine",))


def test_a_cache_does_not_travel() -> None:
    big = make_rankings(RUN, QRELS)
    small = len(pickle.dumps(big))
    assert big.condensed.longest == 1
    assert big.pool.count(low=1).tolist() == [2, 0]
    assert len(pickle.dumps(big)) == small
