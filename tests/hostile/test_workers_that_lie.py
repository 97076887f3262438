"""Workers that return what they were not asked for: another task's result, that of an earlier call, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import numpy as np
import pytest
import xarray as xr

from cranfield import InputError, evaluate
from cranfield.comparison import compare, study_tests
from cranfield.partitions import evaluate_partitions
from cranfield.standardization import study_standardization

RUNS = {name: {f"q{n}": {"d1": 1.0, f"d{n}": 2.0 + n * rank} for n in range(8)} for rank, name in enumerate("abc")}
QRELS = {f"q{n}": {"d1": 1, "x": 0} for n in range(8)}
SCORES = xr.DataArray(
    np.random.default_rng(1).random((12, 4)),
    {"topic": [f"q{n}" for n in range(12)], "system": list("abcd")},
    ("topic", "system"),
    name="AP",
)


class Keeps(Executor):
    """Works in this process and returns the result that it has kept of the first task, of this call or an earlier one.

    Args:
        lie: the result to return, of the first one and the right one.
    """

    def __init__(self, lie: Callable[[Any, Any], Any] = lambda first, right: first) -> None:
        self.lie = lie
        self.first: list[Any] = []

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The future of a task that is done."""
        future: Future[Any] = Future()
        result = work(*args, **kwargs)
        self.first.append(result)
        future.set_result(self.lie(self.first[0], result))
        return future


CALLS: dict[str, Callable[[Executor], object]] = {
    "evaluate": lambda executor: evaluate(RUNS, QRELS, "AP", executor=executor),
    "compare": lambda executor: compare(
        SCORES, test="permutation", correction="none", resamples=200, executor=executor
    ),
    "study_tests": lambda executor: study_tests(SCORES, n_topics=[6], trials=8, executor=executor),
    "study_standardization": lambda executor: study_standardization(SCORES, trials=8, executor=executor),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_an_earlier_result_or_none_is_noticed(call: Callable[[Executor], object]) -> None:
    executor = Keeps()
    call(Keeps(lambda first, right: right))  # one that is honest
    with pytest.raises(InputError, match="something else than the result of task"):
        for _ in range(2):
            call(executor)  # a call of one task is lied to by the second time
    with pytest.raises(InputError, match="something else than the result of task 1"):
        call(Keeps(lambda first, right: None))


def test_a_worker_of_another_version_is_noticed() -> None:
    with pytest.raises(InputError, match=r"version 0\.0\.7 of cranfield") as caught:
        CALLS["evaluate"](Keeps(lambda first, right: right._replace(version="0.0.7")))
    assert caught.value.code == "versions"


def test_a_part_that_comes_twice_names_its_file(tmp_path: Any) -> None:
    for number in range(2):
        text = "".join(f"q{topic} Q0 d1 1 2.5 run\n" for topic in range(4 * number, 4 * number + 4))
        (tmp_path / f"{number}.run").write_text(text)
    with pytest.raises(InputError, match=r"1\.run.*something else than the result of task 2"):
        evaluate_partitions(tmp_path, QRELS, "AP", executor=Keeps())
