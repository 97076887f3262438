"""Charts on a dark ground: the same data and words, and ink that can be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield import UsageError, plot
from cranfield.plot._export import DARK
from cranfield.plot._theme import INK, NOTE, PALETTE, PAPER, QUIET
from figures import CHARTS, chart

GROUND = DARK[PAPER]


def contrast(one: str, other: str) -> float:
    """Of two colours, by the definition of the Web Content Accessibility Guidelines."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_ink_can_be_read() -> None:
    assert all(contrast(DARK[ink], GROUND) >= 4.5 for ink in (INK, NOTE, QUIET))
    assert all(contrast(DARK.get(colour, colour), GROUND) >= 3 for colour in PALETTE)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CHARTS)[::6])
def test_only_colours_change(name: str) -> None:
    light = chart(name)
    dark = plot.darken(light)
    assert type(dark) is type(light)
    assert dark.to_dict()["datasets"] == light.to_dict()["datasets"]
    back = {night: day for day, night in DARK.items()}

    def lit(spec: object) -> object:
        if isinstance(spec, dict):
            return {key: lit(value) for key, value in spec.items()}
        if isinstance(spec, list):
            return [lit(value) for value in spec]
        return back.get(spec, spec) if isinstance(spec, str) else spec

    assert lit(dark.to_dict()) == light.to_dict()
    assert dark.to_dict()["config"]["background"] == GROUND


def test_files_of_either_theme(tmp_path: Path) -> None:
    drawn = chart("pair_bars")
    plot.save(drawn, tmp_path / "dark.json", theme="dark")
    assert json.loads((tmp_path / "dark.json").read_text()) == json.loads(json.dumps(plot.darken(drawn).to_dict()))
    plot.save(drawn, tmp_path / "dark.html", theme="dark")
    assert f"background: {GROUND};" in (tmp_path / "dark.html").read_text()
    with pytest.raises(UsageError, match="theme='night' is not one of light, dark"):
        plot.save(drawn, tmp_path / "dark.svg", theme="night")  # type: ignore[arg-type]


def test_a_few_sources_have_room_for_the_title() -> None:
    assert chart("agreement_matrix").to_dict()["width"] >= 280
