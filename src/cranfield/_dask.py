"""Work on the workers of a Dask cluster, by the interface of ``concurrent.futures``."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import pickle
import platform
import re
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from cranfield._message import setting
from cranfield._optional import cloudpickle, dask, distributed, import_optional
from cranfield._text import shown
from cranfield.errors import CranfieldError, InputError, UsageError
from cranfield.threads import cpus

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from distributed import Client
    from distributed.deploy import Cluster


LOCAL = "local"
"""A cluster of this machine's processors, for as long as a call takes."""
RETRIES = 2
"""The number of times that a task is tried again whose worker raises what is not a fault of the data."""
WAIT = 30
"""Seconds until a cluster should have answered, and have a worker."""
NO_WORKER = {"NoWorkerError", "NoValidWorkerError"}
"""Errors of a scheduler for a task that no worker took in time; which one depends on whether the last worker went
before or after it had the task."""
ALONE = "2 minutes"
"""The time that a cluster of this machine may be without a worker; Dask's scheduler would wait forever."""


@contextlib.contextmanager
def open_executor(cluster: Client | Cluster | str, *, retries: int = RETRIES) -> Iterator[DaskExecutor]:
    """An executor whose tasks run on a cluster, which is left as it was.

    Args:
        cluster: a client or a cluster of Dask's, the address of a scheduler (``tcp://host:8786``), or ``local``.
        retries: how often a task is tried again.

    Raises:
        MissingPackageError: Dask is not installed.
        InputError: the cluster does not answer, has no worker, or has other versions.
        UsageError: it is none of these.
    """
    with contextlib.ExitStack() as opened:
        client = _connect(cluster, opened)
        _check_workers(client)
        executor = DaskExecutor(client, retries)
        try:
            yield executor
        finally:
            executor.shutdown(wait=False)


def _connect(cluster: Client | Cluster | str, opened: contextlib.ExitStack) -> Client:
    if isinstance(cluster, distributed.Client):
        if cluster.status != "running" or cluster.asynchronous:
            raise UsageError(
                f"{setting('executor')} is a Dask client that is closed or asynchronous: give one that is connected"
            )
        return cluster
    opened.enter_context(quiet())
    if cluster == LOCAL:
        _check_main()
        with dask.config.set({"distributed.scheduler.no-workers-timeout": ALONE}):
            cluster = opened.enter_context(
                distributed.LocalCluster(
                    n_workers=cpus(), threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
                )
            )
    elif isinstance(cluster, str):
        check_address(cluster)
    try:
        return opened.enter_context(distributed.Client(cluster, timeout=WAIT, set_as_default=False))
    except Exception as error:  # of any way to communicate that an address names, such as ucx:// and tls://
        text = f"the cluster {_address(cluster)} does not answer: {_first_line(error)}; is its scheduler running?"
        raise InputError(text, code="dask", value=_address(cluster)) from None


def _check_main() -> None:
    """Refuse a script that the processes of a cluster of this machine would run again when they import it.

    Raises:
        UsageError: it does not ask whether it is the main program.
    """
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    try:
        text = "" if script is None else Path(script).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    if script is not None and script.endswith(".py") and "__main__" not in text:
        raise UsageError(
            f"{setting('executor', LOCAL)} starts processes that import {shown(script)}: put what the script does "
            'under `if __name__ == "__main__":`'
        )


def _check_workers(client: Client) -> None:
    """Raises: InputError: the cluster has no worker, or one with other versions."""
    try:
        client.wait_for_workers(1, timeout=WAIT)
        versions: Mapping[str, Mapping[str, str]] = client.run(facts)
    except TimeoutError:
        raise InputError(f"the cluster {_address(client)} has no worker: start one", code="dask") from None
    except ModuleNotFoundError as error:
        text = f"a worker of {_address(client)} lacks {error.name}: install this version of cranfield there"
        raise InputError(text, code="versions", value=str(error.name)) from None
    except (OSError, AttributeError) as error:
        text = f"the workers of {_address(client)} cannot be asked for their versions: {_first_line(error)}"
        raise InputError(text, code="dask") from None
    for worker, theirs in versions.items():
        if find_differences(theirs, facts()):
            raise _refuse_versions(worker, theirs, facts())


SOURCES, LIBRARY, PLATFORM = "sources of cranfield", "engine library", "platform"


@functools.cache
def facts() -> dict[str, str]:
    """Versions and builds that must be the same in all processes, so that their numbers are."""
    from importlib.metadata import version
    from importlib.resources import files

    from cranfield import engine

    current = engine.current()
    versions = {"cranfield": version("cranfield"), "numpy": version("numpy"), "engine": current.NAME}
    versions["python"] = ".".join(platform.python_version_tuple()[:2])
    sources = (text.replace(b"\r\n", b"\n") for text in _read_sources(files("cranfield")))
    library = Path(file).read_bytes() if (file := getattr(current, "__file__", "")).endswith(BINARY) else b""
    machine = f"{platform.system()} {platform.machine()}"
    return {**versions, SOURCES: _digest(sources), LIBRARY: _digest([library]), PLATFORM: machine}


BINARY = (".so", ".pyd")
"""Endings of the file of a compiled engine."""


def _read_sources(folder: Traversable) -> Iterator[bytes]:
    """Names and contents of the modules in a folder and those below it, always in one order."""
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.is_dir():
            yield from _read_sources(file)
        elif file.name.endswith(".py"):
            yield f"\0{file.name}\0".encode()
            yield file.read_bytes()


def _digest(parts: Iterable[bytes]) -> str:
    """The first digits of the SHA-256 of parts that follow each other."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:12]


def find_differences(theirs: Mapping[str, str], ours: Mapping[str, str]) -> list[str]:
    """Return what differs between two processes. Libraries of two platforms always do, and are not compared."""
    alone = {PLATFORM} if theirs.get(PLATFORM) == ours.get(PLATFORM) else {PLATFORM, LIBRARY}
    return [name for name in ours if name not in alone and theirs.get(name) != ours[name]]


def _refuse_versions(worker: str, theirs: Mapping[str, str], ours: Mapping[str, str]) -> InputError:
    differ = find_differences(theirs, ours)
    differences = ", ".join(f"{name} {theirs.get(name)} (here {ours[name]})" for name in differ)
    text = f"the worker {worker} has {differences}: numbers could differ; install the same on all workers and here"
    return InputError(text, code="versions", value=worker)


class DaskExecutor(Executor):
    """Tasks on the workers of a cluster, which repeats those whose worker is lost.

    A function is sent to a worker once, however many tasks it has. An error of the data comes back at once and is not
    tried again. Use ``open_executor`` to get one.

    Args:
        client: that is connected.
        retries: how often a task is tried again.
    """

    def __init__(self, client: Client, retries: int) -> None:
        self._client = client
        self._retries = retries
        self._futures: weakref.WeakSet[Any] = weakref.WeakSet()
        self._held: dict[int, tuple[object, Any]] = {}

    @property
    def window(self) -> int:
        """Tasks that keep all workers busy."""
        threads: Mapping[str, int] = self._client.nthreads()
        return max(2, 2 * sum(threads.values()))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a worker call ``fn``; see ``concurrent.futures.Executor``."""
        outer: Future[Any] = Future()
        # Larger than Dask expects of a task; it is the only way that survives the loss of any worker.
        try:
            with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
                key = f"{name_tasks(fn)}-cranfield", describe_task(args), uuid4().hex
                packed = cloudpickle.dumps((args, kwargs))  # else arrays come misaligned, as of functions
                inner: Any = self._client.submit(
                    _called, self._sent(fn), facts(), packed, key=key, pure=False, retries=self._retries
                )
        except Exception as error:  # of a client that has lost its cluster
            if self._client.status == "running":
                raise
            outer.set_exception(self._worded(error, args))
            return outer
        self._futures.add(inner)
        inner.add_done_callback(functools.partial(self._answer, outer, args))
        return outer

    def _sent(self, function: Callable[..., Any]) -> Any:
        if id(function) not in self._held:
            key = f"sending-{name_tasks(function)}-cranfield", uuid4().hex
            future = self._client.submit(_Sent, cloudpickle.dumps(function), pure=False, key=key)
            self._held[id(function)] = function, future  # the function, so that no other one gets its number
        return self._held[id(function)][1]

    def _answer(self, outer: Future[Any], args: tuple[Any, ...], inner: Any) -> None:
        """Hand over what a task came to.

        A result whose worker was lost before it was fetched is worked out again: Dask's future waits for that, the
        futures of its executor fail.
        """
        try:
            value, error = inner.result()
        except BaseException as failed:
            value, error = None, self._worded(failed, args)
        if error is None:
            outer.set_result(value)
        else:
            outer.set_exception(error)

    def _worded(self, error: BaseException, args: tuple[Any, ...]) -> Exception:
        """The error of a cluster in our words."""
        what = describe_task(args)
        if isinstance(error, distributed.KilledWorker):
            text = f"{what}: every worker that worked on it was lost; has a worker enough memory for it?"
            return InputError(text, code="worker", value=what)
        if isinstance(error, CancelledError) or self._client.status != "running":
            address = _address(self._client)
            text = f"the cluster {address} went away while it worked on {what}; start it again, then repeat the call"
            return InputError(text, code="dask", value=address)
        if type(error).__name__ in NO_WORKER:
            address = _address(self._client)
            text = f"{what}: the cluster {address} has no worker left, and none came in time: start one, then try again"
            return InputError(text, code="dask", value=address)
        text = f"{what}: its worker failed: {type(error).__name__}: {_first_line(error)}"
        return InputError(text, code="worker", value=what)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Release what the cluster holds; the client stays connected."""
        with contextlib.suppress(Exception):  # of a cluster that is gone
            if cancel_futures or not wait:
                self._client.cancel(list(self._futures))
            else:
                distributed.wait(list(self._futures))
        self._held.clear()


class _Sent:
    """A function that goes from worker to worker as it was packed: Dask would hand over its arrays misaligned."""

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        self.function: Callable[..., Any] = pickle.loads(packed)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Sent, (self.packed,)


def _called(sent: _Sent, ours: Mapping[str, str], packed: bytes) -> tuple[Any, CranfieldError | None]:
    """On a worker: the value, or an error of the data as a value, which is not tried again."""
    if find_differences(facts(), ours):
        return None, _refuse_versions(platform.node(), facts(), ours)  # it came later than the others
    args, kwargs = pickle.loads(packed)
    try:
        return sent.function(*args, **kwargs), None
    except CranfieldError as error:
        return None, error


def _address(cluster: Any) -> str:
    scheduler = getattr(cluster, "scheduler", None)
    address = cluster if isinstance(cluster, str) else getattr(scheduler, "address", None) or cluster
    return shown(str(address), 200)


def _first_line(error: BaseException) -> str:
    return shown((str(error).strip() or type(error).__name__).partition("\n")[0], 200)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppress the trace that a client logs when its scheduler is lost, which has a message of ours."""
    logger = logging.getLogger("distributed.client")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def check_address(address: str) -> None:
    """Raises: UsageError: it is not an address, which Dask's client would only report after minutes."""
    comm = import_optional("distributed.comm")
    wrong = UsageError(f"{setting('executor', address)} should be an address such as tcp://host:8786, or local")
    try:
        scheme, location = comm.parse_address(address, strict=True)
        comm.registry.get_backend(scheme)
        if scheme in ("tcp", "tls"):
            comm.parse_host_port(location)
    except (ValueError, ImportError):
        raise wrong from None


def describe_task(args: tuple[Any, ...]) -> str:
    """The name of what a task works on, if it has one."""
    first = args[0] if args else ""
    return shown(str(getattr(first, "name", None) or getattr(first, "location", None) or "a task"), 200)


def name_tasks(function: Callable[..., Any]) -> str:
    """The name of tasks of this function in a dashboard, in small letters and hyphens: what it says that it ``does``.

    A dashboard shows the first dozen letters, so that these come before the name of the package.
    """
    inner: Any = function
    while (within := getattr(inner, "func", None) or getattr(inner, "task", None)) is not None:
        inner = within  # of a partial, of what names its results, and of what tries it again
    does = getattr(inner, "does", None) or getattr(inner, "__name__", type(inner).__name__)
    name = str(does).strip("_<>").replace(" ", "-")
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_+", "-", name).lower()
