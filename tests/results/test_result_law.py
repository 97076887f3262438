"""The contract of results, tried on every function that returns one."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import json
import math
import pickle
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from calls import CALLS, inputs, one, other, qrels, result, runs, signed, usual

import cranfield
from cranfield import UsageError
from cranfield.cli import DECLARED
from cranfield.results import ByGroup, Result

NO_ROOMS = ("cli", "integrations", "report", "plot", "__main__")  # integrations need the other packages
PLAN = re.compile(r";? (smallest true difference|preference, p_preference|\.\.\.).*?(?= ?further tables)")
"""The end of what is said of a comparison: what its topics detect, by scores that a pickled one does not keep, or
that it is cut off."""
LINES, WIDTH = 24, 100
EXTRA: dict[str, Any] = {
    "difference_scatter": lambda: (one(),),
    "information_shares": lambda: tuple(run.name for run in runs()[:2]),
    "rank_scatter": lambda: ("AP",),
    "topic_tau": lambda: (
        cranfield.information.compute_information_tau(signed("AP"), signed("P@5"), [signed("nDCG@10")], resamples=20),
    ),
}
"""What charts take beside the result."""

every = pytest.mark.parametrize("name", sorted(CALLS))


def modules() -> Iterator[Any]:
    for found in pkgutil.walk_packages(cranfield.__path__, "cranfield."):
        if found.name.split(".")[1] not in NO_ROOMS:
            yield importlib.import_module(found.name)


def kinds(of: type[Result] = Result) -> set[type[Result]]:
    """Every kind of result, without the bases of others that are none themselves."""
    every = {sub for kind in of.__subclasses__() for sub in ({kind} | kinds(kind))}
    own = {kind for kind in every if "__dataclass_params__" in vars(kind) or not kind.__subclasses__()}
    return {kind for kind in own if kind.__module__.startswith("cranfield.")}


def functions() -> dict[str, set[str]]:
    """Public function -> the kinds of result that its annotation names."""
    here = list(modules())
    names = {kind.__name__ for kind in kinds()}
    found: dict[str, set[str]] = {}
    for module in here:
        for name, function in vars(module).items():
            public = inspect.isfunction(function) and function.__module__ == module.__name__ and name[0] != "_"
            if public and (returned := words(inspect.signature(function).return_annotation) & names):
                found[name] = returned
    # A fitted model answers by its methods.
    for name, method in vars(cranfield.holes.Holes).items():
        if inspect.isfunction(method) and (returned := {str(inspect.signature(method).return_annotation)} & names):
            found[f"Holes.{name}"] = returned
    return found


def words(annotation: object) -> set[str]:
    return set(re.findall(r"\w+", str(annotation)))


def test_every_function_and_every_kind_of_result_is_tried() -> None:
    found = functions()
    assert set(found) == set(CALLS)
    assert {type(usual(name)) for name in CALLS} == kinds()
    for name, returned in found.items():
        assert type(usual(name)).__name__ in returned


def test_every_kind_is_declared_alike() -> None:
    for kind in kinds():
        assert dataclasses.is_dataclass(kind)
        declared: Any = kind.__dataclass_params__  # type: ignore[attr-defined]
        assert (declared.frozen, declared.eq, declared.repr) == (True, False, False), kind
        assert {"settings", "signature"} <= {field.name for field in dataclasses.fields(kind)}


@every
def test_signatures_hold_the_version_the_settings_and_the_inputs(name: str) -> None:
    found = usual(name)
    assert type(found.signature) is dict
    text = json.dumps(found.signature, allow_nan=False)
    assert found.signature["cranfield"] == cranfield.__version__
    assert found.signature["analysis"]
    settings = json.loads(json.dumps(found.settings, allow_nan=False))
    assert settings.items() <= json.loads(text)["settings"].items()
    assert found.settings
    missing = [digest for digest in inputs(name) if digest not in text]
    assert not missing
    if inputs(name) or name == "difficulty":
        assert '"sha256"' in text


DECLARED_FUNCTIONS = {one.function: one for listed in DECLARED.values() for one in listed.functions}


@pytest.mark.parametrize("name", sorted(DECLARED_FUNCTIONS.keys() & CALLS.keys()))
def test_settings_hold_every_option(name: str) -> None:
    recorded = {option.name for option in DECLARED_FUNCTIONS[name].load().options.values() if option.option.recorded}
    for found in (usual(name), other(name)):
        assert recorded - set(keys(found.settings)) == set()


def test_every_declared_function_that_returns_a_result_is_called() -> None:
    assert DECLARED_FUNCTIONS.keys() - CALLS.keys() == {"fuse", "report", "standardize"}


def keys(settings: Any) -> Iterator[str]:
    """The names in settings, and in settings that are part of them: a gate has those of its estimates by their name."""
    for name, value in settings.items():
        yield name
        yield from keys(value) if isinstance(value, dict) else ()


@pytest.mark.slow
@every
def test_results_are_shown_in_few_lines(name: str) -> None:
    for found in (usual(name), other(name)):
        lines = repr(found).splitlines()
        assert 1 < len(lines) <= LINES
        assert max(map(len, lines)) <= WIDTH
        assert lines[0].startswith(f"{type(found).__name__}(")


@every
def test_results_are_equal_where_they_are_the_same(name: str) -> None:
    found, again, different = usual(name), result(name), other(name)
    assert found is not again
    assert found == again
    assert hash(found) == hash(again)
    assert found != different
    assert different != found
    assert len({found, again, different}) == 2
    assert found != found.signature


@every
def test_every_field_counts_for_equality(name: str) -> None:
    """Other numbers under the same signature, as a mistake would give them, are another result."""
    found = usual(name)
    for field in dataclasses.fields(found):  # type: ignore[arg-type]
        changed = copy.copy(found)
        object.__setattr__(changed, field.name, object())
        assert (changed == found) is not field.compare, field.name


@pytest.mark.slow
@every
def test_results_survive_pickling(name: str) -> None:
    found = usual(name)
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert PLAN.sub("", " ".join(repr(again).split())) == PLAN.sub("", " ".join(repr(found).split()))
    ours, theirs = (json.loads(one.to_json()) for one in (again, found))
    said = theirs.pop("notes")
    assert all(note in said for note in ours.pop("notes"))  # which a pickled one may lack: see PLAN
    assert ours == theirs


@every
def test_results_are_frozen(name: str) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        usual(name).signature = {}


@every
def test_tables_are_tidy_and_their_columns_documented(name: str) -> None:
    found = usual(name)
    frames = found.frames()
    assert next(iter(frames.values())).equals(found.to_frame())
    for table, frame in frames.items():
        assert isinstance(frame, pd.DataFrame)
        assert list(frame.index) == list(range(len(frame))), table
        assert frame.columns.is_unique
        assert frame.equals(found.to_frame(table))
        holder, _, _ = table.rpartition(".")
        inner = getattr(found, holder) if holder else found
        repeated = next(iter(found.results.values())) if isinstance(found, ByGroup) else found
        unknown = set(frame.columns) - documented(type(inner)) - documented(type(repeated))
        assert not unknown, f"{table}: {unknown}"
    for table in found.on_request:
        assert table not in frames
        assert set(found.to_frame(table).columns) <= documented(type(found))
    with pytest.raises(UsageError, match=re.escape(f"table='nothing' is not one of {next(iter(frames))}")):
        found.to_frame("nothing")


def documented(kind: type[Result]) -> set[str]:
    """Words that a class explains: between double backticks, and its arguments."""
    text = inspect.getdoc(kind) or ""
    arguments = re.findall(r"^    ([a-z_0-9, ]+): ", text, re.MULTILINE)
    return set(re.findall(r"``(\w+)``", text)) | {word for line in arguments for word in line.split(", ")}


@every
def test_json_is_whole_and_any_program_reads_it(name: str) -> None:
    found = usual(name)
    read = json.loads(found.to_json(), parse_constant=pytest.fail)
    assert read["signature"] == json.loads(json.dumps(found.signature))
    frames = found.frames()
    main = next(iter(frames))
    assert list(read["tables"]) == [table for table in frames if table != main]
    for table, rows in {main: read["rows"], **read["tables"]}.items():
        assert [list(row) for row in rows] == [list(frames[table].columns)] * len(frames[table])
        for row, wanted in zip(rows, frames[table].to_dict("records"), strict=True):
            assert {column: back(value) for column, value in row.items()} == {
                column: back(value) for column, value in wanted.items()
            }


def back(value: Any) -> Any:
    """A cell of JSON or of a frame; what is missing is a word, as NaN is equal to nothing."""
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return "missing"
    return float(value) if isinstance(value, str) and value in ("inf", "-inf") else value


@pytest.mark.slow
@every
@pytest.mark.parametrize("ending", [".csv", ".json", ".md", ".tex", ".tsv"])
def test_results_are_written_by_the_ending(name: str, ending: str, tmp_path: Path) -> None:
    found = usual(name)
    path = tmp_path / f"result{ending}"
    found.write(path)
    text = path.read_text(encoding="utf-8")
    main = found.to_frame()
    if ending == ".json":
        assert text == found.to_json()
    elif ending in (".csv", ".tsv"):
        table = pd.read_csv(path, sep="\t" if ending == ".tsv" else ",", keep_default_na=False, dtype=str)
        assert list(table.columns) == list(main.columns)
        assert len(table) == len(main)
    else:
        assert "signature" in text
        assert (f"\\label{{tab:{path.stem}}}" in text) is (ending == ".tex")
    further = list(found.frames())[-1]
    found.write(str(tmp_path / f"further{ending}.gz"), further)
    assert (tmp_path / f"further{ending}.gz").read_bytes()[:2] == b"\x1f\x8b"


@pytest.mark.parametrize("path", ["result", "result.xlsx", "result.gz", "json"])
def test_other_endings_are_refused(path: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a result is written to a file whose name ends in \.json, \.csv"):
        usual("compare").write(tmp_path / path)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@every
def test_html_holds_every_table(name: str) -> None:
    found = usual(name)
    text = found._repr_html_()
    assert type(found).__name__ in text
    for table in found.frames():
        assert table == "values" or f"<caption>{table}</caption>" in text
    for setting in found.settings:
        assert setting in text


@pytest.mark.slow
@every
def test_a_result_draws_its_charts(name: str) -> None:
    from cranfield import plot

    found = usual(name)
    for chart in found.charts:
        if isinstance(found, ByGroup):
            assert len(found.plot(chart).to_dict()["vconcat"]) == len(found.results)
            continue
        further = EXTRA.get(chart, tuple)()
        assert found.plot(chart, *further).to_dict() == getattr(plot, chart)(found, *further).to_dict()
        if further:
            with pytest.raises(UsageError, match=rf"^{chart} needs "):
                found.plot(chart)
    if not found.charts:
        with pytest.raises(UsageError, match=r"^no chart draws a "):
            found.plot()
    elif found.charts[0] not in EXTRA:
        assert found.plot().to_dict() == found.plot(found.charts[0]).to_dict()


def test_every_chart_of_a_result_is_found_by_its_first_parameter() -> None:
    from cranfield import plot

    drawn = {chart for name in CALLS for chart in usual(name).charts}
    names = {kind.__name__ for kind in kinds()} - {"ByGroup"}
    for chart in plot.__all__:
        first = next(iter(inspect.signature(getattr(plot, chart)).parameters.values()))
        assert (chart in drawn) == bool(names & words(first.annotation)), chart


def test_no_result_lists_its_charts() -> None:
    assert [kind.__name__ for kind in kinds() if "charts" in vars(kind)] == []


def test_a_chart_that_is_not_of_a_result_is_refused() -> None:
    with pytest.raises(UsageError, match="name='d_study' is not one of error_rates"):
        usual("estimate_stability").plot("d_study")


@pytest.mark.slow
def test_groups_of_topics_are_drawn_below_each_other() -> None:
    found = usual("repeat_by_group")
    charts = found.plot().to_dict()
    assert len(charts["vconcat"]) == len(found.results)  # type: ignore[attr-defined]


@every
def test_the_main_table_has_one_name(name: str) -> None:
    found = usual(name)
    assert found.main.equals(found.to_frame())
    assert found.main.equals(next(iter(found.frames().values())))


# ---- what is no result, and says why


def test_an_experiment_is_what_analyses_are_made_from() -> None:
    prepare = cranfield.information.prepare_experiment
    asked, again = prepare(runs(), qrels(), cutoff=5), pickle.loads(pickle.dumps(prepare(runs(), qrels(), cutoff=5)))
    assert not isinstance(asked, Result)
    assert "no ``Result``" in (type(asked).__doc__ or "")
    assert repr(again) == repr(asked)
    assert (again.settings, again.signature) == (asked.settings, asked.signature)
    assert asked.settings["cutoff"] == 5
    assert all(run.digest in json.dumps(asked.signature) for run in runs())
    found = [cranfield.information.compute_joint_ric(one, permutations=0) for one in (asked, again)]
    assert found[0] == found[1]
    with pytest.raises(AttributeError, match="immutable"):
        asked.p = 0.5


def test_a_report_is_a_page_and_no_result() -> None:
    from cranfield.reporting import Report

    page, same, other_page = (Report("T", text, {"cranfield": "1"}, ()) for text in ("<p>", "<p>", "<b>"))
    assert not isinstance(page, Result)
    assert "not a ``Result``" in (Report.__doc__ or "")
    assert page == same != other_page
    assert len({page, same, other_page}) == 2
    assert pickle.loads(pickle.dumps(page)) == page
    assert repr(page) == "Report(title='T')"
    assert page.signature == {"cranfield": "1"}
