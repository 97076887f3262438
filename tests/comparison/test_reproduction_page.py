"""The page "Has an experiment been reproduced": its numbers on DL 2019."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.comparison import compare_reproduction
from data_sets import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "has-it-been-reproduced.md"


@pytest.mark.heavy
@pytest.mark.data("data/trec-dl-2019-passage")
def test_every_number_is_found_again() -> None:
    text = " ".join(PAGE.read_text().split())
    folder = DATA / "trec-dl-2019-passage"
    original, again = (
        [str(folder / "runs" / f"input.{name}.gz") for name in names]
        for names in (("bm25base_p", "p_bert"), ("bm25tuned_p", "p_exp_bert"))
    )
    found = compare_reproduction(original, again, str(folder / "qrels.dl19-passage.txt.gz"))
    for row in found.effects.to_dict("records"):
        numbers = f"{row['effect']:.4f} | {row['effect_again']:.4f} | {row['effect_ratio']:.3f} | {row['delta_ri']:.3f}"
        assert f"| {row['measure']} | {numbers} |" in text
    advanced = found.order.set_index("role").loc["advanced"]
    assert f"(overlap {advanced['overlap']:.3f}, KTU {advanced['ktu']:.3f})" in text
    assert f"(RBO {advanced['rbo']:.3f})" in text
