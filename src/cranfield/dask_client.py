"""What surrounds a client of Dask: the address that it is given, and what it logs."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

from cranfield.errors import UsageError


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without the trace that a client logs when its scheduler is lost, which is worded here."""
    logger = logging.getLogger("distributed.client")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def check_address(address: str) -> None:
    """Raises: UsageError: it is none, of which Dask's client would only say so after minutes."""
    from distributed.comm import parse_address, parse_host_port
    from distributed.comm.registry import get_backend

    wrong = UsageError(f"cluster={address!r} should be an address such as tcp://host:8786, or local")
    try:
        scheme, place = parse_address(address, strict=True)
        get_backend(scheme)
        if scheme in ("tcp", "tls"):
            parse_host_port(place)
    except (ValueError, ImportError):
        raise wrong from None
