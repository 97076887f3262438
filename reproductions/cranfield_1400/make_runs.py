"""Make the judgments, topics and six runs on the Cranfield collection that the package contains.

    python reproductions/cranfield_1400/make_runs.py            # anew, where they belong
    python reproductions/cranfield_1400/make_runs.py FOLDER     # elsewhere

It needs ``../shared/data/cranfield-1400``, and only the standard library. The README of the data, which is beside them,
says what the codes mean and which parameters the runs have.
"""

from __future__ import annotations

import lzma
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT.parent / "shared" / "data" / "cranfield-1400"
TARGET = ROOT / "src" / "cranfield" / "datasets" / "cranfield_1400"
DEPTH = 100
DIGITS = 5
SOURCE_DOCUMENT = -1
"""The code of the document from which a query arose, which is not a grade."""

STOP_WORDS = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they "
    "this to was will with"
)
"""Those of Lucene for English."""

Counts = Mapping[str, int]
Weigh = Callable[["Index", Counts], Mapping[str, float]]


class Index:
    """The terms of all documents.

    Args:
        texts: document -> text.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.terms = {document: Counter(tokenize(text)) for document, text in texts.items()}
        self.length = {document: counts.total() for document, counts in self.terms.items()}
        self.total = sum(self.length.values())
        self.mean_length = self.total / len(texts)
        self.postings: dict[str, dict[str, int]] = defaultdict(dict)
        for document, counts in self.terms.items():
            for term, count in counts.items():
                self.postings[term][document] = count
        self.squares = {
            document: math.fsum((1 + math.log(count)) ** 2 for count in counts.values())
            for document, counts in self.terms.items()
        }
        self.collection = {term: sum(counts.values()) for term, counts in self.postings.items()}

    def matches(self, query: Counts) -> Iterator[tuple[str, int, dict[str, int]]]:
        """Each term of a query that a document has, in the order of the alphabet: its count there, and its postings."""
        for term in sorted(query):
            if term in self.postings:
                yield term, query[term], self.postings[term]


def tokenize(text: str) -> list[str]:
    """Runs of ASCII letters and digits in lower case, without stop words, each without the s of a plural."""
    stop_words = STOP_WORDS.split()
    return [stem(word) for word in re.findall("[a-z0-9]+", text.lower()) if word not in stop_words]


def stem(word: str) -> str:
    """Harman's S stemmer (https://doi.org/10.1002/(SICI)1097-4571(199101)42:1%3C7::AID-ASI2%3E3.0.CO;2-P)."""
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")):
        return word[:-1]
    return word


def bm25(k1: float, b: float) -> Weigh:
    """BM25 with the idf log(1 + (N - n + 0.5) / (n + 0.5)), which is never negative."""

    def weigh(index: Index, query: Counts) -> Mapping[str, float]:
        scores: dict[str, float] = defaultdict(float)
        for _, times, postings in index.matches(query):
            idf = math.log(1 + (len(index.length) - len(postings) + 0.5) / (len(postings) + 0.5))
            for document, count in postings.items():
                norm = k1 * (1 - b + b * index.length[document] / index.mean_length)
                scores[document] += times * idf * count * (k1 + 1) / (count + norm)
        return scores

    return weigh


def dirichlet(mu: float) -> Weigh:
    """Query likelihood with Dirichlet smoothing, less the part that all documents share."""

    def weigh(index: Index, query: Counts) -> Mapping[str, float]:
        scores: dict[str, float] = defaultdict(float)
        size = 0
        for term, times, postings in index.matches(query):
            size += times
            for document, count in postings.items():
                scores[document] += times * math.log(1 + count * index.total / (mu * index.collection[term]))
        return {
            document: score + size * math.log(mu / (mu + index.length[document])) for document, score in scores.items()
        }

    return weigh


def jelinek_mercer(weight: float) -> Weigh:
    """Query likelihood with Jelinek-Mercer smoothing, less the part that all documents share."""

    def weigh(index: Index, query: Counts) -> Mapping[str, float]:
        scores: dict[str, float] = defaultdict(float)
        for term, times, postings in index.matches(query):
            background = weight * index.collection[term] / index.total
            for document, count in postings.items():
                scores[document] += times * math.log(1 + (1 - weight) * count / index.length[document] / background)
        return scores

    return weigh


def tf_idf() -> Weigh:
    """The cosine of (1 + log tf) in documents and (1 + log tf) * log(N / n) in queries, SMART's lnc.ltc."""

    def weigh(index: Index, query: Counts) -> Mapping[str, float]:
        scores: dict[str, float] = defaultdict(float)
        squares = 0.0
        for _, times, postings in index.matches(query):
            wanted = (1 + math.log(times)) * math.log(len(index.length) / len(postings))
            squares += wanted**2
            for document, count in postings.items():
                scores[document] += wanted * (1 + math.log(count))
        return {document: score / math.sqrt(squares * index.squares[document]) for document, score in scores.items()}

    return weigh


SYSTEMS: dict[str, Weigh] = {
    "bm25": bm25(1.2, 0.75),
    "bm25-b04": bm25(0.9, 0.4),
    "dirichlet-100": dirichlet(100),
    "dirichlet-1000": dirichlet(1000),
    "jelinek-mercer": jelinek_mercer(0.7),
    "tf-idf": tf_idf(),
}


def rank(scores: Mapping[str, float]) -> list[tuple[str, float]]:
    """The best documents; among equal scores, as written, the larger id as text comes first, as in trec_eval."""
    rounded = [(round(score, DIGITS), document) for document, score in scores.items()]
    return [(document, score) for score, document in sorted(rounded, reverse=True)[:DEPTH]]


def write_list(topic: str, ranking: Sequence[tuple[str, float]]) -> str:
    """A line: topic, documents, and scores in units of the last digit: the first, then each drop from the one before.

    Small numbers take little space: the runs as TREC text would take twice as much.
    """
    scores = [round(score * 10**DIGITS) for _, score in ranking]
    drops = [scores[0], *(before - score for before, score in pairwise(scores))]
    return f"{topic}\t{' '.join(document for document, _ in ranking)}\t{' '.join(map(str, drops))}\n"


def read_documents(source: Path) -> dict[str, str]:
    """Document -> its field .W, which begins with the title."""
    return dict(_records(lzma.decompress((source / "cran.all.1400.xz").read_bytes()).decode("latin-1")))


def read_queries(source: Path) -> dict[str, str]:
    """Topic -> query; a topic is the position of the query in the file, as in the judgments."""
    texts = [text for _, text in _records((source / "cran.qry").read_text("latin-1"))]
    return {str(number): " ".join(text.split()).rstrip(" .") for number, text in enumerate(texts, 1)}


def _records(text: str) -> Iterator[tuple[str, str]]:
    for record in re.split(r"^\.I ", text, flags=re.MULTILINE)[1:]:
        number, _, fields = record.partition("\n")
        yield str(int(number)), fields.partition(".W\n")[2]


def read_codes(source: Path) -> list[tuple[str, str, int]]:
    """Topic, document and code, in the order of topics and documents."""
    rows = [line.split() for line in (source / "cranqrel").read_text("ascii").splitlines()]
    return sorted(
        ((topic, document, int(code)) for topic, document, code in rows), key=lambda row: (int(row[0]), int(row[1]))
    )


def make_files(source: Path) -> dict[str, str]:
    """Name -> text of every file."""
    queries, codes = read_queries(source), read_codes(source)
    files = {
        "qrels.txt": "".join(
            f"{topic} 0 {document} {0 if code == SOURCE_DOCUMENT else 5 - code}\n" for topic, document, code in codes
        ),
        "sources.txt": "".join(
            f"{topic} 0 {document} 0\n" for topic, document, code in codes if code == SOURCE_DOCUMENT
        ),
        "topics.tsv": "".join(f"{topic}\t{query}\n" for topic, query in queries.items()),
    }
    index = Index(read_documents(source))
    counts = {topic: Counter(tokenize(query)) for topic, query in queries.items()}
    for name, weigh in SYSTEMS.items():
        files[f"{name}.tsv"] = "".join(write_list(topic, rank(weigh(index, query))) for topic, query in counts.items())
    return files


def main(arguments: Sequence[str]) -> int:
    """Write the files, packed; the exit status."""
    target = Path(arguments[0]) if arguments else TARGET
    size = 0
    for name, text in make_files(SOURCE).items():
        path = target / f"{name}.xz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(lzma.compress(text.encode("ascii"), preset=9 | lzma.PRESET_EXTREME))
        size += path.stat().st_size
        print(f"{path.stat().st_size:9,} bytes  {name}.xz")
    print(f"{size:9,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
