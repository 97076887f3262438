"""Table 1 of Golbus & Aslam 2013 with more systems than seven: eight public ones, and 25 simulated ones.

    python reproductions/golbus_2013/table_1.py

writes ``table_1.md`` beside this file; README.md says what to make of it. The systems are those of the reproduction of
Sakai et al. 2010, whose simulated ones prefer what is relevant, to any intent or mostly to one of a topic.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import warnings
from pathlib import Path
from types import ModuleType

import cranfield

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "sakai_2010")]

from real_collections import DATA  # noqa: E402


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    warnings.simplefilter("ignore", cranfield.CranfieldWarning)
    text = tables(parser.parse_args().data)
    (HERE / "table_1.md").write_text(text)
    print(text)


def tables(data: Path) -> str:
    """Information tau of ERR-IA with the other two measures, given their components."""
    golbus = module_of(HERE / "reproduce.py")
    sakai = module_of(HERE.parent / "sakai_2010" / "more_systems.py")
    runs, damaged = sakai.eight(data)
    eight = {}
    for year in golbus.YEARS:
        scores = golbus.diversity_scores(data, year, runs)
        eight[year] = scores.sel(topic=[topic for topic in scores["topic"].values.tolist() if topic not in damaged])
    many = {
        year: golbus.diversity_scores(
            data, year, sakai.simulated(data / "trec-web" / str(year) / golbus.JUDGMENTS[year][1])
        )
        for year in golbus.YEARS
    }
    return (
        f"## 8 systems\n\n{golbus.table_1(eight)}\n\n## {sakai.SYSTEMS} simulated systems\n\n{golbus.table_1(many)}\n"
    )


def module_of(path: Path) -> ModuleType:
    """The module of a script."""
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
