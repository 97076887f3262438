"""What all tests share: where data are missing, and which engines there are."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# Before NumPy is imported: threads of its matrix products that wait for a busy processor burn another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# ranx gives objects and files here, for which a minute of compiling it would be too much.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

import effort
from cranfield import engine, reference_engine
from cranfield.engine import Engine
from data_sets import OUTSIDE, is_missing

# A third of the suite's time went into looking for garbage among tens of thousands of tests and modules.
gc.set_threshold(1_000_000, 50, 20)


effort.register(deadline=None, print_blob=True, derandomize=bool(os.environ.get("CI")))
settings.load_profile("cranfield")

# Whoever started the tests in the background, or by nohup, had them ignore what tests of interruptions send on.
for number, usual in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
    (signal.SIGTERM, signal.SIG_DFL),
):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)

MISSING = "missing data"
"""What a report says of a test that was left out: one entry for each name."""

IN_CI = bool(os.environ.get("CI"))


def skip_or_fail(reason: str) -> None:
    """Skip; fail in continuous integration, where nothing may be left out unnoticed."""
    if IN_CI:
        pytest.fail(f"{reason} (and CI is set)", pytrace=False)
    pytest.skip(reason)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what is heavy or slow to ``make heavy``, ``make slow`` and ``make verify``."""
    if effort.thorough():
        return
    for marker in {"heavy", "slow"} - {config.option.markexpr}:
        left = [item for item in items if item.get_closest_marker(marker)]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if not item.get_closest_marker(marker)]


def pytest_collection_finish() -> None:
    """Never look for garbage among the tests themselves."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Let what was left out be taken away: extensions complain of what they still have at the end."""
    gc.unfreeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    markers = list(item.iter_markers("data"))
    if not all(marker.args for marker in markers):
        raise pytest.UsageError(f"{item.nodeid}: pytest.mark.data names what the test needs: data/... or golden/...")
    missing = [name for name in sorted({name for marker in markers for name in marker.args}) if is_missing(name)]
    if missing:
        item.user_properties += [(MISSING, name) for name in missing]
        skip_or_fail(f"these data are not there: {', '.join(str(OUTSIDE / name) for name in missing)}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were left out for want of which data."""
    skipped = terminalreporter.stats.get("skipped", [])
    missing = [
        names for report in skipped if (names := {name for key, name in report.user_properties if key == MISSING})
    ]
    if missing:
        folders = ", ".join(sorted({name.split("/")[1] for names in missing for name in names}))
        count = "1 test" if len(missing) == 1 else f"{len(missing)} tests"
        terminalreporter.write_line(f"left out for want of data, which docs/data.md names: {count} ({folders})")


def compiled_engine() -> Any:
    """The compiled engine; without it the test is skipped, or fails where it should have been built."""
    try:
        from cranfield import _engine
    except ImportError as error:
        if os.environ.get("CRANFIELD_ENGINE") == "reference":
            pytest.skip("CRANFIELD_ENGINE=reference: the compiled engine is left out")
        skip_or_fail(f"the compiled engine was not built: {error}")
        raise
    return _engine


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that anyone may look into; those of ``tmp_path`` are their owner's alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture(scope="session")
def compiled() -> Any:
    """It, with its kernels, for tests that call these themselves."""
    return compiled_engine()


@pytest.fixture(scope="session")
def reference() -> Engine:
    return reference_engine


@pytest.fixture(params=["compiled", "reference"], scope="session")
def any_engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine in turn, for tests that call it themselves."""
    return compiled_engine() if request.param == "compiled" else reference_engine


@pytest.fixture(params=["compiled", "reference"])
def each_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """Each engine in turn, used by the whole package."""
    chosen: Engine = compiled_engine() if request.param == "compiled" else reference_engine
    monkeypatch.setattr(engine, "current", lambda: chosen)
    monkeypatch.setenv("CRANFIELD_ENGINE", request.param)
    yield chosen


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all pages that tests open."""
    from chromium import browser_path
    from playwright.sync_api import sync_playwright

    path = browser_path()
    with sync_playwright() as play:
        # Without a sandbox of its own: containers of tests often have none to offer.
        opened = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()
