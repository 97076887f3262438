"""pytrec_eval as its users run it: its own parsers, one evaluator for all runs, means over topics.

It has no ERR and no cutoff for the reciprocal rank, so `RR` here reads the whole list.
"""

import sys
from pathlib import Path

import pytrec_eval  # type: ignore[import, unused-ignore]

MEASURES = {"nDCG@10": "ndcg_cut_10", "AP": "map", "RR": "recip_rank", "P@10": "P_10", "R@100": "recall_100"}


def main(qrels_path: str, *run_paths: str) -> None:
    """Print the mean of every measure for every run, as tab-separated lines."""
    with Path(qrels_path).open() as file:
        qrels = pytrec_eval.parse_qrel(file)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES.values()))
    print("system", "topic", "measure", "value", sep="\t")
    for path in run_paths:
        with Path(path).open() as file:
            run = pytrec_eval.parse_run(file)
        topics = evaluator.evaluate(run).values()
        for name, theirs in MEASURES.items():
            value = pytrec_eval.compute_aggregated_measure(theirs, [topic[theirs] for topic in topics])
            print(Path(path).stem, "all", name, repr(value), sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
