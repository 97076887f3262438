"""Where the real collections are that the scripts read; docs/data.md says what they are and where they are had."""

from __future__ import annotations

import os
from pathlib import Path

OUTSIDE = Path(os.environ.get("CRANFIELD_DATA") or Path(__file__).resolve().parents[2] / "shared").resolve()
DATA = OUTSIDE / "data"
