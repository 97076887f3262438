"""Write the Parquet data sets of `scale` into benchmarks/.data/, by seed; those already there are left alone."""

import argparse
import shutil
import sys
import time

from drawn import lake_files
from drawn.lake import JUDGMENTS, RUNS, Lake


def main() -> None:
    """Write the named data sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shapes", nargs="+", choices=(*RUNS, *JUDGMENTS), metavar="SHAPE", help="%(choices)s")
    parser.add_argument("--rows", type=int, default=10_000_000, help="of the run, default: %(default)s")
    arguments = parser.parse_args()
    for shape in arguments.shapes:
        wanted = Lake(shape, arguments.rows)
        if wanted.is_present():
            continue
        start = time.perf_counter()
        shutil.rmtree(wanted.folder, ignore_errors=True)
        wanted.folder.mkdir(parents=True)
        lake_files.write(wanted)
        wanted.manifest.write_text(wanted.manifest_text())
        print(f"wrote {shape} of {wanted.rows:,} rows in {time.perf_counter() - start:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
