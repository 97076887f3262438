"""The closing question of Golbus & Aslam 2013, over one collection: are BM25's rankings those of language models?

    python reproductions/golbus_2013/ranking_models.py

writes ``ranking_models.md`` beside this file; README.md says what follows. Six runs are made from the Cranfield
collection: BM25 with two settings, query likelihood with Dirichlet's prior at two and with Jelinek and Mercer's
interpolation, and TF-IDF.
"""

from __future__ import annotations

import argparse
import lzma
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import cranfield
from cranfield import Qrels, Run

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from real_collections import DATA  # noqa: E402

DEPTH = 100

Floats = NDArray[np.float64]
Model = Callable[[Floats, "Index", int, int], Floats]


class Index:
    """How often each word is in each document: ``counts`` [words, documents], and the lengths of the documents."""

    def __init__(self, documents: Sequence[list[str]]) -> None:
        names = sorted({word for words in documents for word in words})
        self.words = {word: number for number, word in enumerate(names)}
        self.counts = np.zeros((len(names), len(documents)))
        for number, words in enumerate(documents):
            for word, count in Counter(words).items():
                self.counts[self.words[word], number] = count
        self.length = self.counts.sum(axis=0)
        self.documents_with = (self.counts > 0).sum(axis=1)
        self.share = self.counts.sum(axis=1) / self.counts.sum()

    def scores(self, query: list[str], model: Model) -> Floats:
        """The sum over the query's words, [documents]; a word of no document adds nothing."""
        known = Counter(word for word in query if word in self.words)
        total = np.zeros(len(self.length))
        for word, times in known.items():
            number = self.words[word]
            total += times * model(self.counts[number], self, number, len(query))
        return total


def bm25(k1: float, b: float) -> Model:
    """Okapi BM25 with the idf log(1 + (N - n + .5) / (n + .5))."""

    def of(count: Floats, index: Index, word: int, _: int) -> Floats:
        with_it, size = index.documents_with[word], len(index.length)
        idf = np.log(1 + (size - with_it + 0.5) / (with_it + 0.5))
        return idf * count * (k1 + 1) / (count + k1 * (1 - b + b * index.length / index.length.mean()))

    return of


def dirichlet(mu: float) -> Model:
    """Query likelihood with Dirichlet's prior: log((c + mu p) / (length + mu))."""
    return lambda count, index, word, _: np.log((count + mu * index.share[word]) / (index.length + mu))


def jelinek_mercer(weight: float) -> Model:
    """Query likelihood with a fixed weight of the collection: log((1 - w) c / length + w p)."""
    return lambda count, index, word, _: np.log(
        (1 - weight) * count / np.maximum(index.length, 1) + weight * index.share[word]
    )


def tf_idf(count: Floats, index: Index, word: int, _: int) -> Floats:
    """(1 + log c) log(N / n), over the root of the document's length."""
    idf = np.log(len(index.length) / index.documents_with[word])
    return np.where(count > 0, 1 + np.log(np.maximum(count, 1)), 0.0) * idf / np.sqrt(np.maximum(index.length, 1))


MODELS: dict[str, Model] = {
    "BM25, k1 = 1.2, b = .75": bm25(1.2, 0.75),
    "BM25, k1 = .9, b = .4": bm25(0.9, 0.4),
    "Dirichlet, mu = 100": dirichlet(100),
    "Dirichlet, mu = 1,000": dirichlet(1000),
    "Jelinek-Mercer, .5": jelinek_mercer(0.5),
    "TF-IDF": tf_idf,
}


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    warnings.simplefilter("ignore", cranfield.CranfieldWarning)
    text = tables(parser.parse_args().data)
    (HERE / "ranking_models.md").write_text(text)
    print(text)


def tables(data: Path) -> str:
    """What each run scores, and how far every two are apart."""
    runs, qrels = collection(data / "cranfield-1400")
    scores = cranfield.summarize(cranfield.evaluate(runs, qrels, ["AP", "nDCG@10", "RIC"]))
    lines = [
        [str(name), *(f"{value:.3f}" for value in row)]
        for name, row in zip(scores.index, scores.to_numpy(), strict=True)
    ]
    parts = ["## Six runs of the Cranfield collection", markdown(["run", *scores.columns], lines)]
    apart = cranfield.information.compute_information_difference(list(runs.values()), qrels)
    rows = []
    for one, other in combinations(MODELS, 2):
        pair = apart.between(one, other)
        gap = abs(scores.loc[one, "AP"] - scores.loc[other, "AP"])
        rows.append([one, other, kind(one, other), *(f"{value:.3f}" for value in pair), f"{gap:.3f}"])
    rows.sort(key=lambda row: float(row[3]))
    head = ["run", "other", "models", "information difference", "only the first", "only the second", "both", "AP"]
    parts += ["## Information difference of every two, in bits", markdown(head, rows)]
    return "\n\n".join(parts) + "\n"


def kind(one: str, other: str) -> str:
    """Whether two runs are of one family: BM25, language models, or TF-IDF."""
    families = {
        name: "BM25" if name.startswith("BM25") else "TF-IDF" if name == "TF-IDF" else "language model"
        for name in (one, other)
    }
    return f"within {families[one]}" if families[one] == families[other] else " and ".join(families.values())


def collection(folder: Path) -> tuple[dict[str, Run], Qrels]:
    """The runs and the judgments: codes 1 to 4 become labels 4 to 1, and -1, the source of the query, 0."""
    with lzma.open(folder / "cran.all.1400.xz", "rt", encoding="latin-1") as file:
        texts = file.read()
    documents = {number: words_of(text, "TW") for number, text in entries(texts)}
    queries = [words_of(text, "W") for _, text in entries((folder / "cran.qry").read_text("latin-1"))]
    index = Index(list(documents.values()))
    names = list(documents)
    runs = {}
    for name, model in MODELS.items():
        lists = {}
        for number, query in enumerate(queries, 1):
            scores = index.scores(query, model)
            best = np.argsort(-scores, kind="stable")[:DEPTH]
            lists[str(number)] = {names[document]: -float(rank) for rank, document in enumerate(best.tolist())}
        runs[name] = Run.from_dict(lists, name=name)
    labels: dict[str, dict[str, int]] = {}
    for line in (folder / "cranqrel").read_text().splitlines():
        query, document, code = line.split()[:3]
        labels.setdefault(query, {})[document] = 5 - int(code) if 1 <= int(code) <= 4 else 0
    return runs, Qrels.from_dict(labels, name="cranfield")


def entries(text: str) -> list[tuple[str, str]]:
    """(number, text) of each entry of the old format, which begins with ``.I number``."""
    return [(part.split("\n", 1)[0].strip(), part) for part in re.split(r"^\.I ", text, flags=re.MULTILINE)[1:]]


def words_of(entry: str, fields: str) -> list[str]:
    """The words of some fields, in lower case; nothing is stemmed and nothing left out."""
    parts = re.split(r"^\.([A-Z])\s*\n", entry, flags=re.MULTILINE)[1:]
    text = " ".join(body for name, body in zip(parts[::2], parts[1::2], strict=True) if name in fields)
    return re.findall(r"[a-z0-9]+", text.lower())


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *rows])


if __name__ == "__main__":
    main()
