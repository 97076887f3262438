"""Work on a cluster: the same bits as here, lost workers made up for, and every refusal one clear error."""

from __future__ import annotations

import ast
import functools
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cloudpickle
import pytest
from distributed import Client, LocalCluster

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError, evaluate
from cranfield import _dask as dask_module
from cranfield._dask import LIBRARY, PLATFORM, SOURCES, facts, name_tasks, open_executor
from cranfield.streaming.partitions.checkpoint import StoringWork
from cranfield.streaming.partitions.part_scoring import Attempt, PartWork

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
cloudpickle.register_pickle_by_value(sys.modules[__name__])


def runs_of(files: Path) -> list[Path]:
    return sorted(files.glob("*.run"))


def test_the_bits_of_two_workers_of_one_and_of_none(cluster: LocalCluster, files: Path) -> None:
    here = evaluate(runs_of(files), files / "qrels.txt")
    assert evaluate(runs_of(files), files / "qrels.txt", executor=cluster).identical(here)
    assert evaluate(runs_of(files), files / "qrels.txt", executor=cluster.scheduler_address).identical(here)
    with Client(cluster, set_as_default=False) as client:
        assert evaluate(runs_of(files), files / "qrels.txt", executor=client).identical(here)
        assert client.status == "running"  # it is left as it was found
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as one:
        assert evaluate(runs_of(files), files / "qrels.txt", executor=one).identical(here)


def killed_once(flag: str, number: int) -> int:
    """Its process is killed at the first call."""
    if number == 3 and not os.path.exists(flag):  # noqa: PTH110
        open(flag, "w").close()  # noqa: PTH123
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def test_a_lost_worker_is_made_up_for(cluster: LocalCluster, tmp_path: Path) -> None:
    flag = str(tmp_path / "killed")
    with open_executor(cluster) as executor:
        futures = [executor.submit(killed_once, flag, number) for number in range(8)]
        assert [future.result(60) for future in futures] == [number * number for number in range(8)]
    assert Path(flag).exists()


def wait_for(met: Callable[[], bool], seconds: float = 60) -> None:
    """Return as soon as a condition is met, and fail where it never is."""
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.slow
def test_a_cluster_of_this_machine_whose_workers_are_gone_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield._dask.ALONE", "1 s")
    with open_executor("local") as executor:
        started = executor._client.cluster
        started.scale(0)
        wait_for(lambda: not started.scheduler.workers)  # a task would be done by a worker that is still going
        with pytest.raises(
            InputError, match=r"^a task: the cluster .* has no worker left, and none came in time: start one"
        ):
            executor.submit(abs, -1).result(60)


def never_done(number: int) -> int:
    """It ends every worker that it meets."""
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_task_that_ends_its_workers_fails_alone(cluster: LocalCluster) -> None:
    with open_executor(cluster) as executor:
        cluster.scheduler.allowed_failures = 0
        try:
            futures = [executor.submit(never_done, number) for number in range(2)]
            with pytest.raises(InputError, match="every worker that worked on it was lost"):
                futures[1].result(60)
        finally:
            cluster.scheduler.allowed_failures = 3
        assert executor.submit(never_done, 5).result(60) == 5


def refused(path: str) -> None:
    with open(path, "a") as calls:  # noqa: PTH123
        calls.write("x")
    raise InputError("a label is missing", path, code="label", value="q7")


def unlucky(path: str) -> int:
    """It succeeds at the third trial."""
    with open(path, "a") as calls:  # noqa: PTH123
        calls.write("x")
    if os.path.getsize(path) < 3:  # noqa: PTH202
        raise OSError("the network is down")
    return 7


def test_errors_of_the_data_come_back_whole_and_are_not_tried_again(cluster: LocalCluster, tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    with open_executor(cluster) as executor:
        with pytest.raises(InputError, match="a label is missing") as caught:
            executor.submit(refused, str(calls)).result(60)
        assert (caught.value.code, caught.value.value) == ("label", "q7")
        assert calls.read_text() == "x"
        assert executor.submit(unlucky, str(tmp_path / "luck")).result(60) == 7
        with pytest.raises(InputError, match=r"its worker failed: ZeroDivisionError: .* by zero"):
            executor.submit(lambda number: 1 // number, 0).result(60)


def test_other_versions_are_refused(cluster: LocalCluster, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = dict(facts())
    with Client(cluster, set_as_default=False) as client, open_executor(client) as executor:
        monkeypatch.setattr(dask_module, "facts", lambda: here | {"numpy": "0.9"})
        # A worker that came after the others were asked.
        with pytest.raises(InputError, match=r"the worker .* has numpy .* \(here 0.9\): numbers could differ"):
            executor.submit(abs, -1).result(60)
    monkeypatch.setattr(dask_module, "facts", _Facts(here | {"cranfield": "0.0.9"}))
    with pytest.raises(InputError, match=r"the worker tcp://.* has cranfield .* \(here 0.0.9\)") as caught:
        evaluate(runs_of(files), files / "qrels.txt", executor=cluster)
    assert caught.value.code == "versions"


def test_another_build_of_the_same_version_is_refused(
    cluster: LocalCluster, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = dict(facts())
    monkeypatch.setattr(dask_module, "facts", _Facts(here | {SOURCES: "0" * 12}))
    with pytest.raises(InputError, match=r"has sources of cranfield [0-9a-f]{12} \(here 0{12}\): numbers could differ"):
        evaluate(runs_of(files), files / "qrels.txt", executor=cluster)
    other = {LIBRARY: "1" * 12}
    monkeypatch.setattr(dask_module, "facts", _Facts(here | other))
    with pytest.raises(InputError, match=r"has engine library [0-9a-f]{12} \(here 1{12}\)"):
        evaluate(runs_of(files), files / "qrels.txt", executor=cluster)
    monkeypatch.setattr(dask_module, "facts", _Facts(here | other | {PLATFORM: "Darwin arm64"}))
    assert evaluate(runs_of(files), files / "qrels.txt", executor=cluster).sizes["system"] == len(runs_of(files))


def test_a_change_of_any_module_is_another_build(tmp_path: Path) -> None:
    def build() -> dict[str, str]:
        code = "from cranfield._dask import facts; print(*facts().items(), sep='\\n')"
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "CRANFIELD_ENGINE": "reference"}
        printed = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True).stdout
        return dict(ast.literal_eval(line) for line in printed.decode().splitlines())

    package = tmp_path / "cranfield"
    shutil.copytree(
        Path(cranfield.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "_engine.*.so")
    )
    copied = build()
    assert copied[SOURCES] == facts()[SOURCES]
    module = package / "measures" / "precision.py"
    module.write_bytes(module.read_bytes().replace(b"\n", b"\r\n"))
    assert build() == copied
    module.write_bytes(module.read_bytes() + b"# changed\n")
    changed = build()
    assert {name for name in copied if changed[name] != copied[name]} == {SOURCES}


class _Facts:
    """Ours where it is called here, and a worker's there."""

    def __init__(self, ours: dict[str, str]) -> None:
        self.ours = ours

    def __call__(self) -> dict[str, str]:
        return self.ours

    def __reduce__(self) -> str | tuple[object, ...]:
        return getattr, (dask_module, "facts")


def test_a_cluster_that_goes_away(files: Path) -> None:
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as one,
        open_executor(one) as executor,
    ):
        future = executor.submit(time.sleep, 0.5)
        one.close()
        with pytest.raises(InputError, match="went away"):
            future.result(60)


WRONG = ("somewhere", "127.0.0.1:8786", "foo://somewhere:8786", "tcp://somewhere", "tcp://somewhere:port", "")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        *((wrong, "should be an address such as tcp://host:8786, or local") for wrong in WRONG),
        (7, "executor=7 is not an executor: give one of concurrent.futures, a client, a cluster or an address of Dask"),
    ],
)
def test_what_is_no_cluster(given: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        evaluate({"a": {"q": {"d": 1.0}}}, {"q": {"d": 1}}, executor=given)  # type: ignore[arg-type]


def test_a_cluster_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_module, "WAIT", 0.2)
    with pytest.raises(InputError, match=r"the cluster tcp://127.0.0.1:9 does not answer: .*is its scheduler running"):
        evaluate({"a": {"q": {"d": 1.0}}}, {"q": {"d": 1}}, executor="tcp://127.0.0.1:9")


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"needs distributed, which is not installed: pip install 'cranfield\[dask\]'"):
        evaluate({"a": {"q": {"d": 1.0}}}, {"q": {"d": 1}}, executor="local")


def test_warnings_are_those_of_this_process(cluster: LocalCluster, files: Path) -> None:
    with pytest.warns(CranfieldWarning) as here:
        evaluate(runs_of(files), files / "qrels.txt", "AP")
    with pytest.warns(CranfieldWarning) as there:
        evaluate(runs_of(files), files / "qrels.txt", "AP", executor=cluster)
    assert [str(one.message) for one in here] == [str(one.message) for one in there]


def test_tasks_are_called_after_what_they_do(cluster: LocalCluster) -> None:
    with Client(cluster, set_as_default=False) as client, open_executor(client) as executor:
        future = executor.submit(killed_once, Path("a.parquet"), 0)
        keys = {key for key in client.futures if isinstance(key, tuple)}
        future.result(60)
    assert {key[:2] for key in keys if len(key) == 3} == {("killed-once-cranfield", "a.parquet")}
    assert {key[0] for key in keys if len(key) == 2} == {"sending-killed-once-cranfield"}
    assert name_tasks(functools.partial(_Facts)) == "facts"
    assert name_tasks(_Facts({})) == "facts"
    kinds = {of: name_tasks(Attempt(object.__new__(of))) for of in (PartWork, StoringWork)}
    assert kinds == {PartWork: "scoring", StoringWork: "scoring-and-storing"}


def test_a_scheduler_that_is_lost_leaves_no_trace(tmp_path: Path) -> None:
    """What Dask's client logs of it would stand above the one error."""
    script = (
        "import logging, time\n"
        "from distributed import LocalCluster\n"
        "from cranfield._dask import open_executor\n"
        "from cranfield.errors import InputError\n"
        "started = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=':0')\n"
        "with open_executor(started.scheduler_address) as executor:\n"
        "    logging.getLogger('distributed.client').error('Traceback')\n"
        "logging.getLogger('distributed.client').error('heard again')\n"
        "started.close()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "Traceback" not in done.stderr
    assert "heard again" in done.stderr


@pytest.mark.slow
def test_a_script_without_a_main_guard_is_refused_in_a_line(tmp_path: Path) -> None:
    """Each process that it starts would run it again."""
    call = "cranfield.evaluate({'1': {'a': 1.0}}, {'1': {'a': 1}}, 'AP', executor='local')"
    script = tmp_path / "script.py"
    script.write_text(f"import cranfield\n{call}\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr.splitlines()[-1].endswith('put what the script does under `if __name__ == "__main__":`')
    assert len(done.stderr.splitlines()) < 30
    script.write_text(f"import cranfield\nif __name__ == '__main__':\n    print({call}['AP'].item())\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.returncode) == ("1.0\n", 0), done.stderr


def test_runs_in_memory_of_any_length_reach_a_worker_whole(cluster: LocalCluster) -> None:
    """Arrays that Dask hands over by itself may begin at any byte, which the engine refuses."""
    for topics in range(1, 12):
        run = {f"q{topic}": {f"d{place}": float(place) for place in range(topic + 1)} for topic in range(topics)}
        qrels = {topic: {"d0": 1, "d2": 2} for topic in run}
        assert evaluate(run, qrels, "AP", executor=cluster).identical(evaluate(run, qrels, "AP"))
