"""A server that takes a connection and never answers: a signal ends the program all the same."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time

import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="no process of Windows is sent these signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_a_server_is_waited_for(number: signal.Signals) -> None:
    """PyArrow holds the main thread until the server answers, which heard no signal."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        keys = {"AWS_ACCESS_KEY_ID": "one", "AWS_SECRET_ACCESS_KEY": "S3cretTwo", "AWS_DEFAULT_REGION": "us-east-1"}
        process = subprocess.Popen(
            [sys.executable, "-m", "cranfield", "compare", "--scores", "s3://lake/x.parquet"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **keys, "AWS_ENDPOINT_URL": address, "AWS_EC2_METADATA_DISABLED": "true"},
        )
        try:
            connection, _ = server.accept()
            with connection:
                sent = time.monotonic()
                process.send_signal(number)
                out, err = process.communicate(timeout=10)
        finally:
            process.kill()
            process.communicate()
    assert time.monotonic() - sent < 5
    assert (out, err) == ("", "cranfield: stopped\n")
    assert process.returncode in (-number, -signal.SIGKILL)
