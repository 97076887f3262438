"""Write the collections of `catalogue.py` into benchmarks/.data/, by seed; those already there are left alone."""

import argparse
import shutil
import sys
import time
from functools import partial
from pathlib import Path

from drawn import synthetic, trec_text
from drawn.catalogue import CATALOGUE, JUDGED_OF_TOPIC, Collection, collection

TAG = "system"  # the same in every file, so that collections which differ in line order alone have equal sizes


def main() -> None:
    """Write the named collections, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CATALOGUE)}; all if none is given")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the full size, for trials")
    arguments = parser.parse_args()
    for name in arguments.names or CATALOGUE:
        if name not in CATALOGUE:
            parser.error(f"no collection is called {name!r}: there are {', '.join(CATALOGUE)}")
        wanted = collection(name, arguments.scale)
        if not wanted.is_present():
            start = time.perf_counter()
            write(wanted)
            print(f"wrote {name}, {wanted.lines:,} lines, in {time.perf_counter() - start:.1f} s", file=sys.stderr)


def write(wanted: Collection) -> None:
    """Write the files aside and move them into place when complete, so that a half-written folder is never read."""
    aside = Collection(wanted.recipe, wanted.folder.with_name(wanted.folder.name + ".partial"))
    shutil.rmtree(aside.folder, ignore_errors=True)
    aside.folder.mkdir(parents=True)
    {"sparse": _write_sparse, "pooled": _write_pooled, "judged": _write_judged}[wanted.recipe.shape](aside)
    aside.manifest.write_text(aside.manifest_text())
    shutil.rmtree(wanted.folder, ignore_errors=True)
    aside.folder.rename(wanted.folder)


def _write_sparse(target: Collection) -> None:
    recipe = target.recipe
    for judgments, ranked in synthetic.sparse(recipe.topics, recipe.depth, recipe.seed):
        _write_judgments(target.qrels, judgments, trec_text.decimal)
        _write_ranked(target.runs[0], ranked, target, trec_text.decimal)


def _write_pooled(target: Collection) -> None:
    recipe = target.recipe
    judgments, runs = synthetic.pooled(recipe.runs, recipe.topics, recipe.depth, recipe.seed)
    _write_judgments(target.qrels, judgments, trec_text.scattered_code)
    for path, ranked in zip(target.runs, runs, strict=True):
        _write_ranked(path, ranked, target, trec_text.scattered_code)


def _write_judged(target: Collection) -> None:
    recipe = target.recipe
    for judgments, ranked in synthetic.judged(recipe.topics, JUDGED_OF_TOPIC, recipe.depth, recipe.seed):
        _write_judgments(target.qrels, judgments, trec_text.decimal)
        _write_ranked(target.runs[0], ranked, target, trec_text.decimal)


def _write_judgments(path: Path, judgments: synthetic.Judgments, document_ids: trec_text.DocumentIds) -> None:
    trec_text.write_qrels(path, judgments.topic, judgments.document, judgments.label, document_ids=document_ids)


def _write_ranked(
    path: Path, ranked: synthetic.Ranked, target: Collection, document_ids: trec_text.DocumentIds
) -> None:
    recipe = target.recipe
    topic = ranked.topic.repeat(recipe.depth)
    rank = synthetic.ranks(len(ranked.topic), recipe.depth)
    write_run = partial(trec_text.write_run, path, tag=TAG, document_ids=document_ids, decimals=recipe.decimals)
    document, score = ranked.document.ravel(), ranked.score.ravel()
    if recipe.order == "ranked":
        write_run(topic, document, rank, score)
        return
    if recipe.order == "shuffled":
        line = synthetic.shuffled_within_topics(recipe.topics, recipe.depth, recipe.seed)
    else:
        line = synthetic.interleaved(recipe.topics, recipe.depth)
    write_run(topic[line], document[line], rank[line], score[line])


if __name__ == "__main__":
    main()
