"""What a page holds, as its own script reads it."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any


def data_of(text: str) -> Any:
    """What is shown first."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def packed(text: str) -> Any:
    """Scores, texts of topics and lists of documents."""
    found = re.search(r'<script type="text/plain" id="packed">([A-Za-z0-9+/=]*)</script>', text)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))
