"""Every measure, with all that it requires set."""

from __future__ import annotations

from cranfield import Measure
from cranfield.measures import Declaration


def example(declaration: Declaration) -> Measure:
    """A measure with a cutoff of 10, or of .1, where it requires one."""
    required = {
        name: 10 if int in parameter.types else 0.1
        for name, parameter in declaration.parameters.items()
        if parameter.required
    }
    return Measure(declaration)(**required)
