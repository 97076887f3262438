"""Evaluate retrieval runs, and then evaluate the evaluation.

    import cranfield
    from cranfield import AP, nDCG

    scores = cranfield.evaluate("runs/*.run", "qrels.txt", [nDCG @ 10, AP, "RBP(p=0.9)"])
    cranfield.summarize(scores)

Five nouns carry everything: a **Run** (ranked documents by topic) and **Qrels** (labels by topic) are read from files,
frames or dicts; **Rankings** are runs seen through qrels, all that a measure sees; a **Measure** is declared once and
written ``nDCG @ 10``; **Scores** are an ``xarray.Dataset`` with dims (topic, system), signed with all that changes
its numbers. Every measure is an attribute here. Less frequent analyses are in their packages: ``cranfield.trust``
(reliability, stability, sensitivity), ``cranfield.comparison``, ``cranfield.information``,
``cranfield.standardization``, ``cranfield.topic_difficulty``, ``cranfield.fusion``, ``cranfield.pooling``,
``cranfield.simulation``, ``cranfield.agreement`` and ``cranfield.plot``. ``cranfield.load_cranfield`` loads real
runs to try them on. ``cranfield.integrations`` is this engine inside ir_measures and PyTerrier.
"""

from __future__ import annotations

from importlib import import_module

from cranfield._lazy import attach, read_stub

_NAMES = read_stub(__name__)
_ROOMS = tuple(name for name, module in _NAMES.items() if module == __name__)
"""Packages whose names are public beside these."""
_FACADE = {name: module for name, module in _NAMES.items() if module != __name__}
"""Public name -> its module, imported when the name is first used, so that ``cranfield --help`` waits for nothing."""
_import_name = attach(__name__, _FACADE)


def __getattr__(name: str) -> object:
    if name in _FACADE:
        return _import_name(name)
    if name == "__version__":
        value = import_module("importlib.metadata").version("cranfield")
    elif name == "__all__":
        value = [public for public in __dir__() if not public.startswith("_") and public not in _ROOMS]
    elif name.startswith("_"):
        raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
    elif _is_module(name):
        value = _import_room(name)
    else:
        value = import_module("cranfield.measures").named(name)
        if value is None:
            raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
        return value
    globals()[name] = value
    return value


def _is_module(name: str) -> bool:
    """Return whether the package has a module of this name."""
    from importlib.util import find_spec  # here, since `import cranfield` would take half as long again

    return name.isidentifier() and find_spec(f"cranfield.{name}") is not None


def _import_room(name: str) -> object:
    """Import a module of the package.

    Raises:
        AttributeError: it needs a package that is not installed, for ``hasattr`` and inspection, which know no other.
    """
    try:
        return import_module(f"cranfield.{name}")
    except ModuleNotFoundError as error:
        if isinstance(error, import_module("cranfield.errors").MissingPackageError):
            raise AttributeError(str(error), name=name) from error
        raise


def __dir__() -> list[str]:
    measures = import_module("cranfield.measures")
    attributes = {declaration.attribute for declaration in measures.registry.values()}
    return sorted({*_FACADE, *_ROOMS, *attributes, "__version__"})
