"""What standardization and rank correlation cost inside a process.

`python benchmarks/analyses/probe_standard.py grid|kernels`: `grid` does the whole study of Urbano et al. 2019, whose
cost is that of the process. `kernels` prints, as JSON, the CPU seconds of single calls, the least of several, because a
call of milliseconds is disturbed by anything.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from real_collections import STANDARDIZATION

ROOT = Path(__file__).resolve().parents[2]


def grid(trials: int) -> None:
    """5 schemes, all matrices, within and between."""
    from cranfield import read_scores
    from cranfield.standardization import study_standardization

    for path in sorted((ROOT / STANDARDIZATION).glob("*.csv")):
        scores = read_scores(path)
        for design in ("within", "between"):
            study = study_standardization(scores, design=design, trials=trials)
            mean = float(study.trials["tau_b"].sel(scheme="E").mean())
            print(f"{path.stem} {design} {trials:,} trials: tau_b of E {mean:.4f}")


def kernels(scale: float) -> None:
    """Correlations of many rankings beside a loop over SciPy's, and one standardization."""
    import numpy as np
    import scipy.stats
    import xarray as xr

    from cranfield import standardize
    from cranfield.statistics.rank_correlation import tau_ap_b, tau_b

    rng = np.random.default_rng(0)
    lists = max(100, round(10_000 * scale))
    truth = rng.random((lists, 129))
    estimate = truth + 0.3 * rng.random((lists, 129))
    few = max(10, lists // 20)
    labels = {"topic": [f"t{i}" for i in range(250)], "system": [f"s{i}" for i in range(500)]}
    scores = xr.DataArray(rng.random((250, 500)), labels, ("topic", "system"), name="AP")

    def loop() -> None:
        for one, other in zip(estimate[:few], truth[:few], strict=True):
            scipy.stats.kendalltau(one, other)

    found = {
        "tau_b": _least(lambda: tau_b(estimate, truth), 5),
        "tau_ap_b": _least(lambda: tau_ap_b(estimate, truth), 5),
        "scipy": _least(loop, 3) * lists / few,
        **{f"standardize {scheme}": _least(lambda s=scheme: standardize(scores, s), 20) for scheme in "ENUz"},
    }
    print(json.dumps(found | {"lists": lists}))


def _least(call: Callable[[], object], times: int) -> float:
    seconds = []
    for _ in range(times + 1):
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    return min(seconds[1:])


if __name__ == "__main__":
    what, scale = sys.argv[1], float(sys.argv[2])
    if what == "grid":
        grid(max(1, round(10_000 * scale)))
    elif what == "kernels":
        kernels(scale)
    else:
        sys.exit(f"{what!r} is neither grid nor kernels")
