"""However a problem is given, and whatever else is scored with it, the bits are the same."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import Problem, engine_in_use, problems, same_bits

import cranfield
from cranfield import InputOptions, Qrels, Run
from cranfield.collection import Rankings
from cranfield.measures import registry, values
from cranfield.scoring import score
from cranfield.testing import example
from effort import examples

EVERY = [example(declaration) for declaration in registry.values()]
remarks_are_no_matter = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
TIES = st.sampled_from(["trec", "trec9", "docid", "file", "bounds"])


@examples(40)
@given(problem=problems())
def test_many_systems_at_once_are_scored_as_one_by_one(problem: Problem) -> None:
    qrels = Qrels.from_dict(problem.judgments)
    single = [cranfield.evaluation.make_rankings({name: lists}, qrels) for name, lists in problem.runs.items()]
    together = Rankings.concatenate(single)
    assert together.systems == tuple(problem.runs)
    assert same_bits(together, cranfield.evaluation.make_rankings(problem.runs, qrels))
    for measure in EVERY:
        alone = b"".join(values(measure, rankings).tobytes() for rankings in single)
        assert values(measure, together).tobytes() == alone, measure


@pytest.mark.slow
@examples(30)
@given(problem=problems(max_runs=2), first=st.integers(0, 3))
def test_all_measures_at_once_are_scored_as_one_by_one(problem: Problem, first: int) -> None:
    every = score(problem.runs, problem.judgments, EVERY)
    assert every.measures == tuple(EVERY)
    for number, measure in list(enumerate(EVERY))[first::4]:
        alone = score(problem.runs, problem.judgments, measure)
        assert alone.values[0].tobytes() == every.values[number].tobytes(), measure
        assert alone.summaries[0].tobytes() == every.summaries[number].tobytes(), measure


@pytest.mark.slow
@remarks_are_no_matter
@examples(40)
@given(problem=problems(), ties=TIES)
@pytest.mark.usefixtures("compiled")
def test_both_engines_give_the_same_bits(problem: Problem, ties: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        qrels, runs = written(problem, Path(folder))
        reading = InputOptions(ties=ties)  # type: ignore[arg-type]
        asked = [measure for measure in EVERY if ties != "bounds" or "swap" not in measure.declaration.declines]
        found: set[bytes] = set()
        for engine in ("compiled", "reference"):
            with engine_in_use(engine):
                tables = [
                    score(runs, qrels, asked, reading=reading),
                    score(problem.runs, problem.judgments, asked, reading=reading),
                ]
                assert {table.signature()["engine"] for table in tables} == {engine}
                found |= {table.values.tobytes() + table.summaries.tobytes() for table in tables}
    assert len(found) == 1


@remarks_are_no_matter
@examples(50)
@given(problem=problems(max_runs=1), ties=TIES)
def test_files_runs_dicts_and_frames_give_the_same_bits(problem: Problem, ties: str) -> None:
    reading = InputOptions(ties=ties)  # type: ignore[arg-type]
    (lists,) = problem.runs.values()
    run, qrels = Run.from_dict(lists), Qrels.from_dict(problem.judgments)
    expected = cranfield.evaluation.make_rankings(run, qrels, reading=reading)
    frame = pd.DataFrame([(topic, *row) for topic, found in lists.items() for row in found.items()])
    frame.columns = pd.Index(["qid", "docno", "score"])
    labels = pd.DataFrame(rows(problem), columns=["qid", "intent", "docno", "label"])
    with tempfile.TemporaryDirectory() as folder:
        qrels_path, paths = written(problem, Path(folder))
        read = cranfield.read_qrels(qrels_path)
        for one, other in ((lists, problem.judgments), (frame, labels), (paths[0], qrels_path)):
            assert same_bits(cranfield.evaluation.make_rankings(one, other, reading=reading), expected)
        assert same_bits(
            cranfield.evaluation.make_rankings(cranfield.read_run(paths[0]), read, reading=reading), expected
        )
        by_rank = InputOptions(ties="rank")
        assert same_bits(
            cranfield.evaluation.make_rankings(paths[0], read, reading=by_rank),
            cranfield.evaluation.make_rankings(cranfield.read_run(paths[0]), read, reading=by_rank),
        )


def rows(problem: Problem) -> list[tuple[str, str, str, float]]:
    """Topic, intent, document and label of every judgment, document by document."""
    return [
        (topic, intent, document, label)
        for topic, row in problem.intents.items()
        for document, found in row.items()
        for intent, label in found.items()
    ]


def written(problem: Problem, folder: Path) -> tuple[Path, list[Path]]:
    """The problem as TREC files. Ranks go the wrong way on purpose: only the rank policy reads them."""
    qrels = folder / "qrels.txt"
    qrels.write_text(
        "".join(f"{topic} {intent} {document} {label!r}\n" for topic, intent, document, label in rows(problem))
    )
    paths = []
    for name, lists in problem.runs.items():
        paths.append(folder / f"{name}.run")
        paths[-1].write_text(
            "".join(
                f"{topic} Q0 {document} {len(found) - number} {value!r} tag\n"
                for topic, found in lists.items()
                for number, (document, value) in enumerate(found.items())
            )
        )
    return qrels, paths


def test_a_list_keeps_its_bits_beside_a_longer_one() -> None:
    rng = np.random.default_rng(3)
    grades = {f"d{number}": float(label) for number, label in enumerate(rng.integers(0, 5, 400))}
    intents = [{name: label for name, label in grades.items() if int(name[1:]) % 3 >= least} for least in range(3)]
    qrels = Qrels.from_dict({"1": {str(number): row for number, row in enumerate(intents, 1)}})

    def run(size: int) -> dict[str, dict[str, float]]:
        return {"1": {f"d{number}": float(value) for number, value in enumerate(rng.standard_normal(size))}}

    single = [cranfield.evaluation.make_rankings(run(size), qrels) for size in (1, 7, 100, 400)]
    for measure in EVERY:
        alone = b"".join(values(measure, rankings).tobytes() for rankings in single)
        assert values(measure, Rankings.concatenate(single)).tobytes() == alone, measure
