"""One word, one meaning: public signatures keep to the table of ``docs/vocabulary.md``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import cranfield
from test_names_of_a_call import list_functions

PAGE = Path(__file__).parents[1] / "docs" / "vocabulary.md"
ROWS = re.findall(r"^\| (`.*`) \| (.+) \| (`.*`) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
TAKES = {word: set(re.findall(r"`(\w+)`", kinds)) for words, _, kinds in ROWS for word in re.findall(r"`(\w+)`", words)}
"""Word -> the types of its parameter."""
REPLACED = {
    "baselines": "baseline",
    "cluster": "executor",
    "dask": "executor",
    "judged": "qrels",
    "judgments": "qrels",
    "on_error": "keep_going",
    "policy": "reading",
    "pool_depth": "depth",
    "random": "subsets",
    "relevant": "rel",
    "scale": "label_scale, or pixel_ratio",
    "seeds": "replicates",
    "tie_tol": "tau_tolerance",
}
"""A word that the vocabulary does not have -> what is said for it."""


def parameters() -> Iterator[tuple[str, inspect.Parameter]]:
    """Each parameter of the public functions and charts, with its function."""
    public = {*cranfield._ROOMS, "plot"} - {"conformance"}
    for name, function in list_functions():
        room = name.split(".")[1]
        if name.count(".") == 1 or room in public:
            for parameter in inspect.signature(function).parameters.values():
                yield name, parameter


def find_types(annotation: object) -> set[str]:
    """Find the words of an annotation that name types: neither modules, nor words of a choice, nor parts of a list."""
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    text = re.sub(r"\[('[^\]]*'|[^\[\]]*)\]", "", re.sub(r"\bOptional\b", "", text)).replace("None", "")
    return {word.rpartition(".")[2] for word in re.findall(r"[\w.]*\w", text)} - {"typing", "Union", "ForwardRef"}


def test_a_word_of_the_vocabulary_takes_what_it_says() -> None:
    found = list(parameters())
    assert len(found) > 1000
    other = [
        f"{name}({parameter.name}: {parameter.annotation})"
        for name, parameter in found
        if parameter.name in TAKES and not find_types(parameter.annotation) <= TAKES[parameter.name]
    ]
    assert other == []


def test_every_word_of_the_vocabulary_is_used() -> None:
    assert len(TAKES) > 25
    assert set(TAKES) <= {parameter.name for _, parameter in parameters()}


def test_no_word_occurs_that_was_replaced() -> None:
    assert not set(TAKES) & set(REPLACED)
    assert [(name, parameter.name) for name, parameter in parameters() if parameter.name in REPLACED] == []


def test_random_numbers_begin_at_one() -> None:
    seeds = {name: parameter.default for name, parameter in parameters() if parameter.name == "seed"}
    assert len(seeds) > 30
    assert set(seeds.values()) <= {1, inspect.Parameter.empty}, seeds


SPOKEN = {".md", ".py", ".js"}
PERCENT = re.compile(r"(?<![\w.{:\"'])\.\d+ ?%|\d\s+%(?![\w({\"'])")
"""A share in percent that is not written as 0.3%: without a digit before the point, or with a blank."""


def test_percents_are_written_in_one_way() -> None:
    root = Path(cranfield.__file__).parents[2]
    files = [path for folder in ("docs", "src") for path in (root / folder).rglob("*.*") if path.suffix in SPOKEN]
    assert len(files) > 500
    assert PERCENT.search("of .3% and") and PERCENT.search("of 0.3 % and") and not PERCENT.search("0.3%, 5%")
    wrong = {
        f"{path.relative_to(root)}: ...{text[max(0, found.start() - 30) : found.end()]}"
        for path in [*files, *root.glob("*.md")]
        for text in [path.read_text(encoding="utf-8")]
        for found in PERCENT.finditer(text)
    }
    assert wrong == set()
