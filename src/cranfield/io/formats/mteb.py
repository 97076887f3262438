"""MTEB's predictions: subset -> split -> topic -> document -> score in one object of JSON."""

from __future__ import annotations

import re
from typing import Any

from cranfield._text import cut, quoted, shown
from cranfield.errors import InputError
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import object_in, read_nested
from cranfield.io.formats._rows import make_run

META = "mteb_model_meta"


def _run(file: File) -> Loaded:
    predictions = object_in(file)
    splits = _splits(file, predictions)
    chosen = _choose_split(file, list(splits))
    meta = predictions.get(META)
    model = meta.get("model_name") if isinstance(meta, dict) else None
    location = file.location if file.part else file.location.within(chosen)
    rows = read_nested(file, splits[chosen], location, tag=model if isinstance(model, str) else "")
    return make_run(file, rows)


def _splits(file: File, predictions: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """``subset/split`` -> topic -> document -> score."""
    by_split = {}
    for subset, splits in predictions.items():
        if subset == META:
            continue
        for split, topics in splits.items() if isinstance(splits, dict) else ((None, None),):
            if not isinstance(topics, dict):
                text = f"the subset {quoted(subset)} is not an object: split -> topic -> document -> score"
                raise InputError(text, file.location, code="layout", value=cut(subset))
            by_split[f"{subset}/{split}"] = topics
    if not by_split:
        text = f"holds no subset beside {META}; expected subset -> split -> topic -> document -> score"
        raise InputError(text, file.location, code="layout")
    return by_split


def _choose_split(file: File, names: list[str]) -> str:
    """The split that is asked for, or the only one."""
    fitting = [name for name in names if not file.part or file.part in (name, name.partition("/")[0])]
    if len(fitting) == 1:
        return fitting[0]
    listed = ", ".join(map(shown, fitting or names))
    description = f"no split {quoted(file.part)}, only {listed}" if not fitting else f"{len(fitting)} splits: {listed}"
    path = file.location.path.removesuffix(f"#{file.part}") if file.part else file.location.path
    text = f"holds {description}; name one, as in {shown(path)}#{shown((fitting or names)[0])}"
    raise InputError(text, file.location, code="part", value=cut(file.part))


FORMAT = Format(
    holds="MTEB's predictions, `TASK_predictions.json`; of several splits one is named: `FILE#subset/split`",
    recognized_by="an object of JSON with the key `mteb_model_meta`",
    example="evaluate qrels.txt 'Two_predictions.json#en/test'",
    is_here=lambda file: bool(re.match(rb"\s*\{", file.text)) and b'"mteb_model_meta"' in file.text,
    run=_run,
    parts=True,
)
