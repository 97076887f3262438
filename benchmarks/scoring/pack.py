"""Pack a file beside itself, in a process of its own: `python benchmarks/scoring/pack.py FILE.gz|FILE.xz`."""

import gzip
import lzma
import shutil
import sys
from pathlib import Path


def main(target: Path) -> None:
    """Write it aside first, so that half of an archive is never read."""
    aside = target.with_name(target.name + ".partial")
    with target.with_suffix("").open("rb") as text:
        if target.suffix == ".gz":
            with gzip.open(aside, "wb", compresslevel=6) as packed:
                shutil.copyfileobj(text, packed, 1 << 20)
        else:
            with lzma.open(aside, "wb", preset=1) as packed:
                shutil.copyfileobj(text, packed, 1 << 20)
    aside.rename(target)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
