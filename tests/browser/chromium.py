"""The browser that tests drive: found on this machine, required where everything must be tested."""

from __future__ import annotations

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def browser_path() -> str:
    """Where a browser is; without one the test is skipped and says how to get one, or fails where CI=true."""
    for name in NAMES:
        found = shutil.which(name)
        if found is not None:
            return found
    said = "no Chromium here: install one (Debian and Ubuntu: apt-get install chromium) to test pages in a browser"
    if os.environ.get("CI") == "true":
        pytest.fail(said)
    pytest.skip(said)
