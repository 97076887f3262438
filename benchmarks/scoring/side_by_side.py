"""Collections S, M, L and T: all tools on the same files, and what reading and tokenising alone would cost."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from drawn.catalogue import Collection
from harness.agreement import DisagreementError, Values, check_agreement, printed_values
from harness.measure import Measurement, Spread, cpu, measure, peak, ratio, wall
from harness.report import COST_HEADER, MEGABYTE, Report, Table, Verdict, at_least, at_most, cost_cells, spread_text
from harness.session import Session, progress, read_once
from harness.tools import OURS, PYTREC_EVAL, RANX_FIRST_USE, TOKENISE, TOOLS

WARM_UP_SCALE, START_UP_SCALE = 0.02, 0.001
START_UP = "start-up: "

Results = Mapping[str, Sequence[Measurement]]


def side_by_side(session: Session, name: str) -> Report:
    """Measure every tool on the collection of that name, check that all computed the same, judge the targets."""
    names = [tool for tool in session.tools if tool != RANX_FIRST_USE or name == "T" or session.named]
    (files,) = session.collections(name)
    _warm_up(session, name, [tool for tool in names if tool != RANX_FIRST_USE])
    read_once(files.files)
    agreement = _Agreement(files)
    commands = {tool: TOOLS[tool].command_line(files.files) for tool in names}
    if name == "M":
        commands |= _start_ups(session, name, [tool for tool in (OURS, TOKENISE) if tool in names])
    required = [tool for tool in names if tool == OURS]
    results, failures = session.measured(name, commands, required=required, check=agreement.check)
    return Report(
        name=name,
        title=_title(files),
        tables=[_table(results, agreement.found)],
        verdicts=TARGETS[name](results, session.judges),
        notes=[_DEFINITIONS, *failures],
        measurements=results,
    )


def _start_ups(session: Session, name: str, tools: Sequence[str]) -> dict[str, list[str]]:
    """The same commands on a thousandth of the lines, which is start-up and hardly more."""
    (files,) = replace(session, scale=session.scale * START_UP_SCALE).collections(name)
    read_once(files.files)
    return {START_UP + tool: TOOLS[tool].command_line(files.files) for tool in tools}


_DEFINITIONS = (
    "Median (lowest..highest) of whole processes; `CPU / ours` is taken round by round. "
    "ERR@20 is not compared: gdeval prints five digits, and pytrec_eval and ranx have none."
)


class _Agreement:
    """Compares what each tool prints with the first tool's values, in the first round and in all that follow."""

    def __init__(self, files: Collection) -> None:
        self.runs = [path.stem for path in files.runs]
        self.found: dict[str, str] = {}
        self._reference: tuple[str, Values, str] | None = None

    def check(self, name: str, measurement: Measurement) -> None:
        if name not in TOOLS or not TOOLS[name].evaluates:
            return
        try:
            values = printed_values(measurement.output)
            if self._reference is None:
                self._reference = name, values, measurement.output
            reference, expected, output = self._reference
            agreed = check_agreement(expected, values, self.runs)
        except DisagreementError as error:
            against = f" and {self._reference[0]}" if self._reference else ""
            raise DisagreementError(f"DISAGREEMENT between {name}{against}: {error}") from error
        if name != reference:
            self.found[name] = agreed
        elif name == OURS and output != measurement.output:
            raise DisagreementError("DISAGREEMENT: cranfield printed other bytes than in the first round")


def _warm_up(session: Session, name: str, tools: Sequence[str]) -> None:
    """Run every tool once on a small collection of the same kind, so that compiled code lies on disk already."""
    small = replace(session, repeat=1, scale=min(session.scale, WARM_UP_SCALE), tools=tools, named=True)
    (files,) = small.collections(name)
    for tool in tools:
        progress(f"{name}  warm-up  {tool}")
        measure(TOOLS[tool].command_line(files.files))


def _title(files: Collection) -> str:
    recipe = files.recipe
    size = sum(path.stat().st_size for path in files.files) / MEGABYTE
    runs = "1 run" if recipe.runs == 1 else f"{recipe.runs} runs"
    return f"{runs} x {recipe.topics:,} topics x {recipe.depth:,} documents, {files.lines:,} lines, {size:.0f} MB"


def _table(results: Results, agreement: Mapping[str, str]) -> Table:
    rows = []
    for name, several in results.items():
        times = spread_text(ratio(several, results[OURS], cpu)) if OURS in results else ""
        tool = TOOLS[name.removeprefix(START_UP)].label
        label = tool if name in TOOLS else f"{tool}, a thousandth of the lines"
        rows.append([label, *cost_cells(several), times, agreement.get(name, "")])
    return Table(("tool", *COST_HEADER, "CPU / ours", "agreement"), rows)


def _cpu_ratio(results: Results, above: str, below: str) -> float | None:
    if above not in results or below not in results:
        return None
    return ratio(results[above], results[below], cpu).median


def _median(results: Results, name: str, cost: Callable[[Measurement], float]) -> float | None:
    return Spread.of(map(cost, results[name])).median if name in results else None


def _above_start_up(results: Results) -> float | None:
    """CPU of ours beyond start-up over that of tokenising beyond its own, round by round."""
    names = OURS, START_UP + OURS, TOKENISE, START_UP + TOKENISE
    if not all(name in results for name in names):
        return None
    rounds = zip(*(map(cpu, results[name]) for name in names), strict=True)
    return Spread.of((ours - start) / (split - begun) for ours, start, split, begun in rounds).median


def _peer_target(results: Results, bound: float, judge: bool) -> Verdict:
    value = _cpu_ratio(results, PYTREC_EVAL, OURS)
    return at_least(f"pytrec_eval takes at least {bound:g} times our CPU", value, bound, "x", judge=judge)


def _targets_s(results: Results, judge: bool) -> list[Verdict]:
    return [_peer_target(results, 8, judge)]


def _targets_m(results: Results, judge: bool) -> list[Verdict]:
    tokenising = _above_start_up(results)
    highest = _median(results, OURS, peak)
    share = Spread.of(one.wall / one.cpu for one in results[OURS]).median if OURS in results else None
    return [
        _peer_target(results, 16, judge),
        at_most("CPU above start-up at most 1.4 times that of tokenising alone", tokenising, 1.4, "x", judge=judge),
        at_most("peak memory under 700 MB", highest and highest / MEGABYTE, 700, " MB", judge=judge),
        at_most("wall at most 0.7 of CPU", share, 0.7, "", judge=judge),
    ]


def _targets_l(results: Results, judge: bool) -> list[Verdict]:
    return [_peer_target(results, 16, judge)]


def _targets_t(results: Results, judge: bool) -> list[Verdict]:
    return [at_most("end to end under 0.18 s wall", _median(results, OURS, wall), 0.18, " s", judge=judge)]


TARGETS: Mapping[str, Callable[[Results, bool], list[Verdict]]] = {
    "S": _targets_s,
    "M": _targets_m,
    "L": _targets_l,
    "T": _targets_t,
}
