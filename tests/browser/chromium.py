"""The browser that tests drive, found on this machine and required where all is tested; and how they wait for it."""

from __future__ import annotations

import json
import os
import shutil
import time
from typing import Literal
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 30
"""Seconds."""


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


def wait_until(page: Page, said: str) -> None:
    """Wait until an expression is true, asked again and again from outside.

    Playwright's own ``wait_for_function`` has the page evaluate a text, which its security policy refuses wherever
    the first answer was no.
    """
    end = time.monotonic() + PATIENCE
    while not page.evaluate(said):
        assert time.monotonic() < end, f"{said} was not true within {PATIENCE} seconds"
        page.wait_for_timeout(20)


def emulate(page: Page, **media: Literal["print", "screen", "light", "dark"]) -> None:
    """Change the page's medium or colour scheme, and wait until its listeners have run.

    Styles follow at once; a browser tells listeners only when it next renders, before it runs animation frames.
    """
    page.emulate_media(**media)  # type: ignore[arg-type]
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def place_of(kind: str, *names: str) -> str:
    """Where a page has its page of a topic or of systems, as scripts write it."""
    return f"#/{kind}/" + "/".join(quote(name, safe="!~*'()") for name in names)


def go(page: Page, place: str) -> None:
    """Follow a link inside the page."""
    page.evaluate("(place) => { location.hash = place; }", place)
    wait_until(page, f"document.getElementById('view').dataset.shown === {json.dumps(place)}")
