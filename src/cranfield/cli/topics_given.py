"""The topics of a call: those of its judgments, or of its score files."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from cranfield.errors import CranfieldWarning, UsageError
from cranfield.findings.location import STDIN


def topics_of(given: Mapping[str, Any]) -> list[str]:
    """Every topic of what a command was given, in order of first appearance; what is odd in the files is said later.

    Args:
        given: its arguments: ``qrels``, one or several, ``score_files``, or an object that holds them in ``asked`` or
            ``scores``.

    Raises:
        InputError: a file is refused.
        UsageError: standard input, which cannot be read for each group anew; or sources besides QRELS.
    """
    from cranfield.io.inputs import qrels_of
    from cranfield.scores.files import read_scores

    source = given.get("asked") or given.get("scores")
    qrels = getattr(source, "qrels", None) or given.get("qrels") or ()
    judgments = [qrels] if isinstance(qrels, str) else list(qrels)
    files = list(getattr(source, "files", ()) or given.get("score_files") or ())
    if getattr(source, "preferences", ()) or getattr(source, "references", ()):
        raise UsageError("--topic-groups takes topics from QRELS: leave --preferences and --reference-ranking out")
    others = [one for value in given.values() for one in (value if isinstance(value, tuple) else (value,))]
    if STDIN in [*judgments, *files, *getattr(source, "runs", ()), *(one for one in others if isinstance(one, str))]:
        raise UsageError("--topic-groups reads all files once for each group, and standard input (-) can be read once")
    layout = given if source is None else getattr(source, "options", None) or vars(source)
    how = {name: layout[name] for name in ("input_format", "columns") if name in layout}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        topics = dict.fromkeys(topic for one in judgments for topic in qrels_of(one, **how).topics)
        if files:
            topics |= dict.fromkeys(str(topic) for path in files for topic in read_scores(path)["topic"].values)
    return list(topics)
