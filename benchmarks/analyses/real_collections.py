"""Where the real collections are, seen from the project's root; docs/data.md says what they are."""

import os
from pathlib import Path

DATA = Path(os.environ.get("CRANFIELD_DATA") or "../shared") / "data"
COVID = DATA / "trec-covid-round5"
STANDARDIZATION = DATA / "urbano" / "sigir2019-standardization" / "data"
