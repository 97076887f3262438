"""Malformed and odd files: refused with the line and the value, or read with what a careful user should know."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest

from cranfield import CranfieldWarning, InputError, Qrels, Run, read_qrels, read_run
from cranfield.engine import Engine
from cranfield.errors import FormatError, TopicError
from cranfield.findings import REFUSALS
from cranfield.scoring import Evaluation, score
from data_sets import GOLDEN, rows

FOLDER = GOLDEN / "malformed"

REFUSED: dict[str, tuple[type[InputError], int, tuple[str, ...]]] = {
    "missing-column.run": (FormatError, 3, ("5 fields", "expected 6")),
    "extra-column.run": (FormatError, 3, ("7 fields", "expected 6")),
    "score-not-a-number.run": (FormatError, 2, ("'high'",)),
    "score-nan.run": (FormatError, 2, ("'nan'", "finite")),
    "score-inf.run": (FormatError, 1, ("'inf'", "finite")),
    "score-decimal-comma.run": (FormatError, 2, ("'9,5'",)),
    "score-overflow.run": (FormatError, 1, ("'1e999'", "finite")),
    "empty.run": (InputError, 0, ("no rows",)),
    "blank-lines-only.run": (InputError, 0, ("no rows",)),
    "duplicate-doc.run": (FormatError, 5, ("'301'", "'DOC-A'")),
    "duplicate-line.run": (FormatError, 5, ("'301'", "'DOC-A'")),
    "duplicate-qrels-conflict.qrels": (FormatError, 11, ("'301'", "'DOC-A'", "line 1;")),
    "nul-bytes.run": (FormatError, 3, ("NUL byte",)),
    "invalid-utf8.run": (FormatError, 3, ("not valid UTF-8",)),
    "utf16.run": (InputError, 0, ("not UTF-8 text",)),
    "long-line.run": (FormatError, 3, ("4,096", "1,000,000 bytes")),
    "label-text.qrels": (FormatError, 1, ("'yes'",)),
    "qrels-three-columns.qrels": (FormatError, 1, ("3 fields", "expected 4", "topic iteration document label")),
    "qrels-empty.qrels": (InputError, 0, ("no rows",)),
    "no-shared-topic.run": (TopicError, 0, ("share no topic", "'901'", "'301'")),
    "topic-zero-padded.run": (TopicError, 0, ("share no topic", "'0301'", "'301'", "zeros in front")),
    "truncated.run.gz": (InputError, 0, ("gzip", "truncated")),
    "corrupt.run.gz": (InputError, 0, ("gzip", "damaged")),
    "msmarco.tsv": (FormatError, 1, ("3 fields", "input_format=msmarco")),
    "header-line.run": (FormatError, 1, ("'score'", "header")),
    "qrels-as-run.run": (FormatError, 1, ("4 fields", "is this a qrels file?")),
    "run-as-qrels.qrels": (FormatError, 1, ("6 fields", "is this a run?")),
    "html-error-page.run": (FormatError, 1, ("2 fields", "<!DOCTYPE html>")),
}
"""File -> the class of the error, its line (0: the file as a whole), what else the message says."""

ATTRIBUTES: dict[str, tuple[str, str]] = {
    "missing-column.run": ("fields", "301 Q0 DOC-X 3 sys"),
    "extra-column.run": ("fields", "301 Q0 DOC-X 3 8.0 sys extra"),
    "score-not-a-number.run": ("score", "high"),
    "score-nan.run": ("score", "nan"),
    "score-inf.run": ("score", "inf"),
    "score-decimal-comma.run": ("score", "9,5"),
    "score-overflow.run": ("overflow", "1e999"),
    "empty.run": ("empty", ""),
    "blank-lines-only.run": ("empty", ""),
    "duplicate-doc.run": ("duplicate", "DOC-A"),
    "duplicate-line.run": ("duplicate", "DOC-A"),
    "duplicate-qrels-conflict.qrels": ("conflict", "DOC-A"),
    "nul-bytes.run": ("nul", ""),
    "invalid-utf8.run": ("utf8", ""),
    "utf16.run": ("utf16", ""),
    "long-line.run": ("long", "D" * 80),
    "label-text.qrels": ("label", "yes"),
    "qrels-three-columns.qrels": ("fields", "301 DOC-A 2"),
    "qrels-empty.qrels": ("empty", ""),
    "no-shared-topic.run": ("no-shared-topic", "901"),
    "topic-zero-padded.run": ("no-shared-topic", "0301"),
    "truncated.run.gz": ("truncated", ""),
    "corrupt.run.gz": ("damaged", ""),
    "msmarco.tsv": ("fields", "301\tDOC-B\t1"),
    "header-line.run": ("score", "score"),
    "qrels-as-run.run": ("fields", "301 0 DOC-A 2"),
    "run-as-qrels.qrels": ("fields", "301 Q0 DOC-B 1 10.0 sys"),
    "html-error-page.run": ("fields", "<!DOCTYPE html>"),
}
"""File -> code and value of the error."""

REMARKED: dict[str, tuple[str, tuple[str, ...]]] = {
    "rank-not-a-number.run": (":4", ("'four'", "not a whole number")),
    "rank-huge.run": (":1", ("'99999999999999999999'", "at most 18 digits (2 more like it)", "not used")),
    "duplicate-qrels-same.qrels": (":11", ("'DOC-A'", "'301'", "ignored")),
    "fractional-label.qrels": (":1", ("1.7", "not a whole number", "kept")),
    "all-labels-negative.qrels": ("", ("no topic", "label 1 or more", "0")),
    "no-relevant-anywhere.qrels": ("", ("no topic", "label 1 or more", "0")),
    "topic-without-relevant.qrels": ("", ("topic 303", "label 1 or more", "0")),
    "topic-missing.run": ("", ("302", "missing")),
    "topic-unjudged.run": ("", ("999", "not judged", "ignored")),
    "mixed-tags.run": (":6", ("'other'", "'sys'")),
}
"""File -> where (behind the file's name), and what the one remark says. Files that are not here have none."""

READ_WITH_A_REMARK = {"rank-huge.run"}
"""Expected to be read, as they are; that their ranks are taken as none is still said."""

REFUSED_WITH_QRELS = {"no-shared-topic.run", "topic-zero-padded.run"}
"""Refused because of what the qrels hold: alone, such a run is read."""

SEEN_WITH_QRELS = {
    "all-labels-negative.qrels",
    "no-relevant-anywhere.qrels",
    "topic-without-relevant.qrels",
    "topic-missing.run",
    "topic-unjudged.run",
}
"""Remarked only where runs, qrels and measures meet."""

MANIFEST = list(rows(FOLDER / "manifest.tsv")) if FOLDER.is_dir() else [{"file": "absent"}]


def scored(row: dict[str, str]) -> tuple[Evaluation, list[str]]:
    """The scores of a file with its valid other half, and all that was said about them."""
    pair = (row["file"], row["pair_with"]) if row["kind"] == "run" else (row["pair_with"], row["file"])
    run, qrels = (str(FOLDER / name) for name in pair)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = score(run, qrels, ["AP", "nDCG@10"])
    assert all(issubclass(warning.category, CranfieldWarning) for warning in caught)
    return table, [str(remark) for remark in table.remarks] + [str(warning.message) for warning in caught]


def read_alone(row: dict[str, str]) -> tuple[Run | Qrels, list[str]]:
    path = FOLDER / row["file"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = read_run(path) if row["kind"] == "run" else read_qrels(path)
    return data, [str(warning.message) for warning in caught]


def test_tables_and_manifest_name_the_same_files() -> None:
    expected = {kind: {row["file"] for row in MANIFEST if row["expect"] == kind} for kind in ("error", "warn", "ok")}
    assert REFUSED.keys() == expected["error"]
    assert REMARKED.keys() == expected["warn"] | READ_WITH_A_REMARK
    assert len(MANIFEST) == sum(map(len, expected.values())) == 65
    listed = {row["file"] for row in MANIFEST} | {"manifest.tsv", "README.md", "base.run", "base.qrels"}
    assert {path.name for path in FOLDER.iterdir()} == listed


def assert_refused(error: InputError, file: str) -> None:
    kind, line, words = REFUSED[file]
    message = str(error)
    assert type(error) is kind
    code, value = ATTRIBUTES[file]
    assert (error.path, error.line, error.code) == (str(FOLDER / file), line or None, code)
    assert error.value == value
    assert code in REFUSALS
    assert message == f"{FOLDER / file}{f':{line}' if line else ''}: {error.text}"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (kind, message, vars(error))
    assert message.startswith(f"{FOLDER / file}:{line}: " if line else f"{FOLDER / file}: ")
    assert [word for word in words if word not in message] == []
    assert len(message) < len(str(FOLDER / file)) + 300, "values from the file are cut to 80 characters"
    assert message.isprintable()


def assert_remarked(said: list[str], file: str) -> None:
    where, words = REMARKED[file]
    assert len(said) == 1
    assert said[0].startswith(f"{FOLDER / file}{where}: ")
    assert [word for word in words if word not in said[0]] == []


@pytest.mark.parametrize("row", MANIFEST, ids=lambda row: row["file"])
def test_scoring(row: dict[str, str], each_engine: Engine) -> None:
    file = row["file"]
    if row["expect"] == "error":
        with pytest.raises(InputError) as refused:
            scored(row)
        assert_refused(refused.value, file)
        return
    table, said = scored(row)
    np.testing.assert_allclose(table.summaries[:, 0], [float(row["AP"]), float(row["nDCG@10"])], rtol=0, atol=1e-9)
    assert len(table.topics) == int(row["topics"])
    assert table.signature()["engine"] == each_engine.NAME
    if file in REMARKED:
        assert_remarked(said, file)
    else:
        assert said == []


@pytest.mark.parametrize("row", MANIFEST, ids=lambda row: row["file"])
def test_reading_alone(row: dict[str, str], each_engine: Engine) -> None:
    file = row["file"]
    if row["expect"] == "error" and file not in REFUSED_WITH_QRELS:
        with pytest.raises(InputError) as refused:
            read_alone(row)
        assert_refused(refused.value, file)
        return
    data, said = read_alone(row)
    assert data.path == str(FOLDER / file)
    assert len(data.topics) == {"topic-missing.run": 2, "topic-unjudged.run": 4}.get(file, 3)
    if file in REMARKED and file not in SEEN_WITH_QRELS:
        assert_remarked(said, file)
    else:
        assert said == []


UNCHANGED = [
    row["file"]
    for row in MANIFEST
    if row.get("kind") == "run"
    and row["expect"] == "ok"
    and row["file"].partition(".")[0]
    in {
        *("base2", "blank-lines-inside", "no-final-newline", "bom", "crlf", "tabs", "many-spaces", "comment-lines"),
        *("good", "gzip-named", "plain-named"),
    }
]


@pytest.mark.parametrize("file", UNCHANGED)
def test_odd_layouts_hold_the_same_run(file: str, each_engine: Engine) -> None:
    assert read_run(FOLDER / file) == read_run(FOLDER / "base.run")
    assert read_run(FOLDER / file).tag == "sys"


def test_every_odd_layout_was_found() -> None:
    assert len(UNCHANGED) == 14


@pytest.mark.parametrize("file", ["bom.qrels", "crlf.qrels", "float-labels.qrels"])
def test_odd_layouts_hold_the_same_qrels(file: str, each_engine: Engine) -> None:
    assert read_qrels(FOLDER / file) == read_qrels(FOLDER / "base.qrels")


def test_msmarco_run_with_its_format(each_engine: Engine) -> None:
    ours = score(str(FOLDER / "msmarco.tsv"), str(FOLDER / "base.qrels"), ["AP", "nDCG@10"], input_format="msmarco")
    base = score(str(FOLDER / "base.run"), str(FOLDER / "base.qrels"), ["AP", "nDCG@10"])
    assert ours.values.tobytes() == base.values.tobytes()
    assert ours.remarks == ()


@pytest.mark.parametrize("file", ["duplicate-doc.run", "duplicate-line.run"])
def test_duplicates_kept_on_request(file: str, each_engine: Engine) -> None:
    with pytest.warns(CranfieldWarning, match=r"duplicate-\w+\.run:5: document 'DOC-A' occurs twice in topic '301'"):
        run = read_run(FOLDER / file, on_duplicate="first")
    assert run == read_run(FOLDER / "base.run")


def test_decomposed_and_composed_ids_differ(each_engine: Engine) -> None:
    ids = set(read_run(FOLDER / "docid-decomposed.run").documents)
    assert any("\u0301" in document or "\u0302" in document or "\u0308" in document for document in ids)
