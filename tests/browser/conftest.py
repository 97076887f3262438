"""One browser for all pages that tests open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from chromium import browser_path
from playwright.sync_api import Browser, sync_playwright


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = browser_path()
    with sync_playwright() as play:
        # Without a sandbox of its own: containers of tests often have none to offer.
        opened = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()
