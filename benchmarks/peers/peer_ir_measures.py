"""ir_measures as its users run it: its own readers, one evaluator for all runs, `calc_aggregate`.

ERR is computed by a Perl script that ir_measures calls on copies of the files, and costs more than everything else
together. `--without-err` leaves it out, so that both costs are known.
"""

import sys
from pathlib import Path

import ir_measures  # type: ignore[import, unused-ignore]
from ir_measures import AP, ERR, RR, P, R, nDCG

MEASURES = [nDCG @ 10, AP, RR @ 10, P @ 10, R @ 100]


def main(*arguments: str) -> None:
    """Print the mean of every measure for every run, as tab-separated lines."""
    without_err = arguments[0] == "--without-err"
    qrels_path, *run_paths = arguments[1:] if without_err else arguments
    measures = MEASURES if without_err else [*MEASURES, ERR @ 20]
    qrels = ir_measures.read_trec_qrels(qrels_path)  # type: ignore[no-untyped-call, unused-ignore]
    evaluator = ir_measures.evaluator(measures, qrels)
    print("system", "topic", "measure", "value", sep="\t")
    for path in run_paths:
        run = ir_measures.read_trec_run(path)  # type: ignore[no-untyped-call, unused-ignore]
        means = evaluator.calc_aggregate(run)
        for measure in measures:
            print(Path(path).stem, "all", measure, repr(float(means[measure])), sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
