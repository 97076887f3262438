"""The JSON Schema of a case, made from the tables that cases are checked by."""

from __future__ import annotations

from typing import Any

from cranfield.conformance.cases import (
    CHOICES,
    DENOMINATORS,
    FORMAT,
    KEYS,
    MOST_DOCUMENTS,
    NULLABLE,
    OPTIONAL_PARAMETERS,
    PARAMETERS,
    POLICIES,
)
from cranfield.conformance.error_classes import ERROR_CLASSES

FRACTION = {"type": "string", "pattern": "^[0-9]+(/[1-9][0-9]*)?$"}


def make_schema() -> dict[str, Any]:
    """The schema of a case, JSON Schema 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A case of the conformance suite for software that evaluates rankings",
        "type": "object",
        "required": sorted(KEYS),
        "additionalProperties": False,
        "properties": {
            "format": {"const": FORMAT},
            "id": {"type": "string", "pattern": "^[a-z0-9-]+$"},
            "group": {"type": "string", "pattern": "^[a-z0-9-]+$"},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            "measure": {"oneOf": [_measure(name) for name in PARAMETERS]},
            "policy": _closed({name: {"enum": list(choices)} for name, choices in POLICIES.items()}),
            "qrels": {"type": "object", "additionalProperties": _topic()},
            "run": {"type": "object", "additionalProperties": _lines()},
            "intent_weights": _map_of(_map_of(FRACTION)),
            "expected": {"oneOf": [_values(), _closed({"refuse": {"const": "duplicate"}})]},
            "wrong": {"type": "object", "properties": dict.fromkeys(ERROR_CLASSES, _value()), **CLOSED},
            "source": {"type": "string"},
        },
    }


CLOSED = {"additionalProperties": False}


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), **CLOSED}


def _map_of(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": schema}


def _measure(name: str) -> dict[str, Any]:
    parameters = {parameter: _parameter(name, parameter) for parameter in PARAMETERS[name]}
    schema = _closed({"name": {"const": name}, **parameters})
    for parameter in OPTIONAL_PARAMETERS.get(name, ()):
        schema["properties"][parameter] = _parameter(name, parameter)
    return schema


def _parameter(name: str, parameter: str) -> dict[str, Any]:
    if parameter == "denominator":
        return {"enum": list(DENOMINATORS[name])}
    if parameter in CHOICES:
        return {"enum": list(CHOICES[parameter])}
    if parameter in ("cutoff", "rel", "max_grade"):
        return {"type": ["integer", "null"] if parameter in NULLABLE else "integer", "minimum": 1}
    return FRACTION


def _topic() -> dict[str, Any]:
    labels = {"type": "object", "additionalProperties": {"type": "number"}, "maxProperties": MOST_DOCUMENTS}
    return {"oneOf": [labels, {**_map_of(labels), "minProperties": 1}]}


def _lines() -> dict[str, Any]:
    line = {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "minItems": 2, "maxItems": 2}
    return {"type": "array", "items": line, "maxItems": MOST_DOCUMENTS}


def _value() -> dict[str, Any]:
    text = {"type": "string"}
    return {"oneOf": [{"const": "undefined"}, _closed({"exact": text, "decimal": text})]}


def _values() -> dict[str, Any]:
    return _closed({"topics": _map_of(_value()), "mean": _value()})
