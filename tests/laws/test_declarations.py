"""What every declaration promises: names that print and parse back, parameters with a meaning, a reference."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from problems import changed, one_of_each

import cranfield
from cranfield import Measure, parse_measure, parse_measures
from cranfield.measures import Declaration, registry, trec_name
from cranfield.measures.describe import explain, find, listing, markdown, spellings, written_out
from cranfield.measures.laws import LAWS
from cranfield.measures.properties import markdown as facts_markdown
from cranfield.measures.properties import plain, rows, table
from cranfield.testing import example
from effort import examples

each = pytest.mark.parametrize("name", registry)


@pytest.mark.slow
@examples(60)
@given(measures=one_of_each(registry))
def test_a_name_prints_and_parses_back(measures: tuple[Measure, ...]) -> None:
    for measure in measures:
        again = parse_measure(str(measure))
        assert again == measure
        assert str(again) == str(measure)
        assert hash(again) == hash(measure)
        assert again.parameters == measure.parameters
        assert again.complete() is again


@pytest.mark.slow
@examples(60)
@given(measures=one_of_each(registry))
def test_blanks_and_the_place_of_the_cutoff_do_not_matter(measures: tuple[Measure, ...]) -> None:
    for measure in measures:
        text = str(measure)
        for char in "()@,=:{}":
            text = text.replace(char, f" {char} ")
        assert parse_measure(f" {text} ") == measure
        at = measure.declaration.at
        if measure.given.get(at) is not None:
            inside = ", ".join(f"{key}={_plain(value)!r}" for key, value in measure.parameters.items())
            assert parse_measure(f"{measure.name}({inside})") == measure


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value


@each
def test_every_parameter_can_be_changed_and_is_printed(name: str) -> None:
    usual = example(registry[name])
    for parameter, known in registry[name].parameters.items():
        value = changed(known)
        measure = usual(**{parameter: value})
        assert measure.parameters[parameter] == value
        assert str(measure) != str(usual)
        assert measure != usual
        named = any(str(measure).startswith(version) for version in registry[name].versions)
        assert (f"{parameter}=" in str(measure)) or parameter == registry[name].at or named
        assert parse_measure(str(measure)) == measure


@each
def test_copies_are_equal(name: str) -> None:
    usual = example(registry[name])
    every = usual(**{parameter: changed(known) for parameter, known in registry[name].parameters.items()})
    for measure in (usual, every):
        for again in (pickle.loads(pickle.dumps(measure)), copy.deepcopy(measure), copy.copy(measure)):
            assert type(again) is Measure
            assert again == measure
            assert again.parameters == measure.parameters


@each
def test_a_measure_hides_nothing_from_its_reader(name: str) -> None:
    declaration = registry[name]
    assert len(declaration.reference) > len("Author 1970"), "where is it defined?"
    assert any(char.isdigit() for char in declaration.reference), "in which year?"
    assert declaration.meaning.endswith("."), "the first paragraph is one sentence"
    assert "(" not in declaration.meaning.split()[0]
    assert " = " in " ".join(declaration.paragraphs[1:]), "the second paragraph is the formula"
    for known in declaration.parameters.values():
        assert known.meaning.text
        assert not known.meaning.text.endswith("."), "the meaning of a parameter goes on with its range"
        assert known.expected
        assert known.required or known.default == known.check(known.default, name), "a default that is refused"
    low, high = declaration.range
    assert low < high
    assert math.isnan(declaration.undefined) or low <= declaration.undefined <= high
    assert not declaration.parameters or declaration.at == "cutoff" or declaration.at in declaration.parameters


@each
def test_a_declined_law_has_a_reason(name: str) -> None:
    for law, why in registry[name].declines.items():
        assert law in LAWS, f"there is no law {law!r}"
        assert len(why.split()) >= 4
        assert why[0].islower() or why[0].isdigit(), "it goes on with because"
        assert not why.endswith("."), "it is part of a sentence"


@each
def test_every_other_spelling_finds_the_measure(name: str) -> None:
    declaration = registry[name]
    required = str(example(declaration)).removeprefix(name)
    for spelling in (declaration.attribute, *declaration.aliases):
        assert parse_measure(spelling + required) == example(declaration)
        assert getattr(cranfield, spelling).declaration is declaration if spelling.isidentifier() else True
    for spelling in (name, declaration.attribute, *declaration.aliases, *(trec.name for trec in declaration.trec)):
        assert find(spelling) is declaration


@each
def test_trec_eval_spellings_go_there_and_back(name: str) -> None:
    for trec in registry[name].trec:
        several = parse_measures(trec.name)
        assert len(several) == (len(trec.values) if trec.at else 1)
        for number, measure in enumerate(several):
            assert measure.declaration.name == name
            assert all(measure.parameters[key] == value for key, value in trec.fixed.items())
            written = trec_name(measure)
            assert written is not None
            assert parse_measure(written) == measure
            if trec.at:
                value = trec.form.format(trec.values[number])
                assert measure.parameters[trec.at] == trec.values[number]
                assert parse_measure(f"{trec.name}_{value}") == parse_measure(f"{trec.name}.{value}") == measure
        if trec.at and len(several) > 1:
            values = ",".join(trec.form.format(value) for value in trec.values)
            assert parse_measures(f"{trec.name}.{values}") == several


def test_no_spelling_means_two_measures() -> None:
    owners: dict[str, set[str]] = {}
    for declaration in registry.values():
        trec = {spelling.name for spelling in declaration.trec}
        for spelling in {declaration.name, declaration.attribute, *declaration.aliases, *trec}:
            owners.setdefault(spelling, set()).add(declaration.name)
    assert {spelling: names for spelling, names in owners.items() if len(names) > 1} == {}


@each
def test_the_pages_hold_every_fact(name: str) -> None:
    declaration: Declaration = registry[name]
    page = explain(declaration)
    flat = " ".join(page.split())
    assert flat.startswith(written_out(declaration))
    for fact in (*declaration.paragraphs, declaration.reference, *declaration.declines.values()):
        assert fact.replace("``", "`") in flat
    for known in declaration.parameters.values():
        meaning = known.meaning.text.removesuffix("; all where none is given" if known.required else "")
        assert f"{known.name}: {meaning}; {known.expected} " in flat
    assert "``" not in page
    assert all(len(line) <= 100 for line in page.splitlines())
    assert name not in spellings(declaration)
    assert any(line.split()[0] == name for line in listing().splitlines() if line.strip())
    assert f"| `{written_out(declaration)}` | {declaration.meaning} |" in markdown([declaration])


@each
def test_the_tables_of_facts_agree_with_the_declaration(name: str) -> None:
    declaration = registry[name]
    holds = [law not in declaration.declines for law in LAWS]
    assert [(row[0], row[1], row[2] == "yes") for row in rows([declaration])] == [
        (name, law, here) for law, here in zip(LAWS, holds, strict=True)
    ]
    (measure,) = plain([declaration])["measures"]
    assert measure["holds"] == [law for law, here in zip(LAWS, holds, strict=True) if here]
    assert measure["does_not_hold"] == {law: declaration.declines[law] for law in LAWS if law in declaration.declines}
    (line,) = (line for line in table([declaration]).splitlines() if line.startswith(name + " "))
    assert [mark == "+" for mark in line.split()[-len(LAWS) :]] == holds
    assert all(len(line) <= 100 for line in table([declaration]).splitlines())
    head, _, row, *_ = facts_markdown([declaration]).splitlines()
    assert head.count("|") == row.count("|")
    consistent = declaration.consistent is not None
    assert [cell.strip() == "✓" for cell in row.split("|")[3:-1]] == [*holds, consistent]
    assert measure["consistent"] is consistent
    assert all(why in facts_markdown([declaration]) for why in declaration.declines.values())
