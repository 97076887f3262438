"""Measures, one family a file; a file added here is found by everything that lists measures."""

import importlib
import pkgutil

from cranfield.measures._declaration import Declaration, Trec, aliases, registry
from cranfield.measures._declare import measure, values
from cranfield.measures._measure import Measure
from cranfield.measures._parameter import Cutoff, JudgedOnly, Meaning, Parameter, Persistence, Rel
from cranfield.measures._parse import parse_measure, parse_measures, trec_name
from cranfield.measures._summary import summary

for _module in pkgutil.iter_modules(__path__):
    if not _module.name.startswith("_"):
        importlib.import_module(f"{__name__}.{_module.name}")

__all__ = [
    "Cutoff",
    "Declaration",
    "JudgedOnly",
    "Meaning",
    "Measure",
    "Parameter",
    "Persistence",
    "Rel",
    "Trec",
    "aliases",
    "measure",
    "parse_measure",
    "parse_measures",
    "registry",
    "summary",
    "trec_name",
    "values",
]
