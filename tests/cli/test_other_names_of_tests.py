"""Words by which other tools call a test or a correction: a refusal names ours."""

import pytest
from command import cranfield as shell

import cranfield
from cranfield.errors import UsageError

SCORES = {"a": {"q1": 0.1, "q2": 0.4, "q3": 0.2}, "b": {"q1": 0.3, "q2": 0.5, "q3": 0.1}}


@pytest.mark.parametrize(
    ("options", "meant"),
    [
        ({"test": "randomization"}, "permutation"),
        ({"test": "fisher"}, "permutation"),
        ({"test": "student"}, "t"),
        ({"correction": "fdr"}, "bh"),
    ],
)
def test_the_name_of_another_tool_is_answered_with_ours(options: dict[str, str], meant: str) -> None:
    with pytest.raises(UsageError, match=f"did you mean {meant}\\?$"):
        cranfield.compare(SCORES, **options)  # type: ignore[arg-type]
    ((name, word),) = options.items()
    assert f"; did you mean {meant}?" in shell("compare", "--scores", "scores.csv", f"--{name}", word).err
