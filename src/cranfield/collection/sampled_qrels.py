"""Judgments of a stratified sample of a pool, which sample_eval calls prels: each document has its stratum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from cranfield._typing import Ints
from cranfield.collection.ids import TextColumn
from cranfield.collection.pool import Pool, Strata
from cranfield.collection.qrels import Qrels

UNSAMPLED = -1.0
"""Label of a document that was pooled but not sampled, and is therefore not judged."""


class SampledQrels(Qrels):
    """Immutable judgments of a sample, whose every document belongs to a stratum of the pool of its topic.

    Args:
        topics, starts, documents, grade, judgments, iterations, name, path, sha256, elsewhere, excluded: as those of
            ``Qrels``; the label of a document below 0 says that it was pooled and not sampled.
        strata: the stratum of each pool row.
    """

    def __init__(
        self,
        topics: Iterable[str],
        starts: Ints,
        documents: TextColumn,
        grade: np.ndarray[Any, np.dtype[np.float64]],
        judgments: Any,
        iterations: Iterable[str],
        strata: Strata,
        *,
        name: str = "prels",
        path: str | None = None,
        sha256: str = "",
        elsewhere: Iterable[str] = (),
        excluded: Qrels | None = None,
    ) -> None:
        vars(self)["strata"] = strata
        columns = topics, starts, documents, grade, judgments, iterations
        super().__init__(*columns, name=name, path=path, sha256=sha256, elsewhere=elsewhere, excluded=excluded)

    strata: Strata

    @classmethod
    def sampled(
        cls,
        read: Mapping[str, Any],
        stratum: Mapping[tuple[str, str], str],
        *,
        name: str,
        path: str | None,
        sha256: str,
    ) -> SampledQrels:
        """Build it from grouped columns (``QrelsColumns``) and the stratum of each (topic, document)."""
        documents = TextColumn(read["data"], read["offsets"])
        topic = np.repeat(np.arange(len(read["topics"])), np.diff(read["starts"]))
        keys = zip((read["topics"][number] for number in topic), documents.tolist(), strict=True)
        strata = Strata.from_names([stratum[key] for key in keys], read["starts"])
        judgments = read["document"], read["iteration"], read["label"]
        columns = read["topics"], read["starts"], documents, read["grade"], judgments, read["iterations"]
        return cls(*columns, strata, name=name, path=path, sha256=sha256)

    def cut(self, rows: Ints, excluded: Qrels | None = None) -> SampledQrels:
        """The judgments of a subset of the documents, which stay in their strata; see ``Qrels.cut``."""
        plain = super().cut(rows, excluded)
        names = [self.strata.texts[code] for code in self.strata.names[rows].tolist()]
        columns = plain.topics, plain.starts, plain.documents, plain.grade, plain.judgments, plain.iterations
        return SampledQrels(
            *columns,
            Strata.from_names(names, plain.starts),
            name=plain.name,
            path=plain.path,
            sha256=plain.sha256,
            elsewhere=plain.elsewhere,
            excluded=plain.excluded,
        )

    @cached_property
    def pool(self) -> Pool:
        """The judgments as measures see them."""
        return Pool(self.starts, self.grade, self.topics, strata=self.strata)

    @cached_property
    def intents(self) -> None:
        """None: field 2 names no intents here."""
        return None

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content, hexadecimal; two equal samples in memory have the same."""
        import hashlib

        digest = hashlib.sha256(super().digest.encode())
        digest.update(self.strata.names.tobytes() + "\n".join(self.strata.texts).encode())
        return digest.hexdigest()

    def sampled_rows(self) -> Iterator[tuple[str, str, str, str, float]]:
        """Topic, field 2, document, stratum and label of every row, as a file of prels has them."""
        row, _, _ = self.judgments
        stratum = [self.strata.texts[code] for code in self.strata.names[row].tolist()]
        topics, iterations, documents, labels = self.rows()
        yield from zip(topics, iterations, documents, stratum, labels.tolist(), strict=True)
