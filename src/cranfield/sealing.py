"""Pages in which nothing runs, styles or loads but what is in them: their policy, and data inside a script element."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any


def policy(scripts: tuple[str, ...], style: str) -> str:
    """A Content-Security-Policy under which these inline elements work, and nothing else runs, styles or loads."""
    run = " ".join(map(_hash, scripts))
    return (
        f"default-src 'none'; script-src {run}; style-src {_hash(style)}; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def for_script(value: Any) -> str:
    """JSON for the inside of a script element: nothing in it ends the element or begins a comment."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(text: str) -> str:
    """Of an inline element, as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
