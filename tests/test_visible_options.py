"""Words that say how runs are read are visible: in signatures, in ``help()`` and in the completion of a notebook."""

from __future__ import annotations

import inspect
import pydoc
import subprocess
import sys

import pytest

import cranfield
from cranfield.collection import InputOptions
from cranfield.integrations.ir_measures import use
from test_names_of_a_call import list_functions

WORDS = set(InputOptions().as_dict())


@pytest.mark.parametrize("name", ["evaluate", "evaluate_means", "estimate_headroom", "report", "diff"])
def test_a_signature_holds_the_words_with_their_types_and_defaults(name: str) -> None:
    parameters = inspect.signature(getattr(cranfield, name)).parameters
    assert set(parameters) >= WORDS
    for word in WORDS:
        assert parameters[word].default == getattr(InputOptions(), word)
        assert parameters[word].kind is inspect.Parameter.KEYWORD_ONLY
    assert str(parameters["ties"].annotation).startswith("typing.Literal['trec', 'trec9'")
    assert parameters["rel"].annotation == "float | None"


def test_every_public_signature_is_written_out() -> None:
    """Those of measures alone take any parameter, which each declares for itself."""
    functions = dict(list_functions()) | {"cranfield.Scorer": cranfield.Scorer}
    assert len(functions) > 150
    for name, function in functions.items():
        for parameter in inspect.signature(function).parameters.values():
            assert "Unpack" not in str(parameter.annotation), name


def test_a_default_of_its_own_is_shown() -> None:
    parameters = inspect.signature(use).parameters
    assert (parameters["ties"].default, parameters["compat"].default) == ("trec9", "trec_eval9")


def test_help_shows_the_words() -> None:
    text = pydoc.plain(pydoc.render_doc(cranfield.evaluate))
    assert "ties: Literal['trec', 'trec9', 'docid'" in text
    assert "Unpack" not in text


@pytest.mark.parametrize("uses_jedi", [True, False])
@pytest.mark.parametrize(
    "call", ["cranfield.evaluate(runs, qrels, ti", "cranfield.trust.estimate_abstention(runs, qrels, ti"]
)
def test_a_notebook_completes_a_word_of_a_function_that_was_never_used(call: str, uses_jedi: bool) -> None:
    pytest.importorskip("IPython")
    script = (
        "from IPython.core.completer import provisionalcompleter\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "shell.run_cell('import cranfield')\n"
        f"shell.Completer.use_jedi = {uses_jedi}\n"
        "with provisionalcompleter():\n"
        f"    print([found.text for found in shell.Completer.completions({call!r}, {len(call)})])\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert "'ties='" in ended.stdout
