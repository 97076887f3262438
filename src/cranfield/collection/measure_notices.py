"""Decisions of measures about odd judgments, which a careful reader should know, collected by listeners."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_heard: ContextVar[dict[str, None] | None] = ContextVar("heard", default=None)


def notice(text: str) -> None:
    """Say something about the judgments; heard once, and only inside ``listening``."""
    heard = _heard.get()
    if heard is not None:
        heard[text] = None


@contextmanager
def listening() -> Iterator[dict[str, None]]:
    """Collect the notices inside, each text once."""
    heard: dict[str, None] = {}
    token = _heard.set(heard)
    try:
        yield heard
    finally:
        _heard.reset(token)
