"""A measure is declared once: one decorated function, from which everything else that names it is derived.

The function's keyword-only signature is the parameter list, its docstring the help, the decorator's arguments the
facts. The Python attribute, the parser, the command line, the documentation table, the type stub and the laws that
a measure is tested by all read ``registry``.
"""

from __future__ import annotations

from cranfield.errors import MeasureError
from cranfield.measures._declaration import Declaration, Facts, Function, register
from cranfield.measures._laws import LAWS
from cranfield.measures._measure import Measure
from cranfield.measures._parameter import parameters_of


class measure(Facts):
    """Declare the decorated function as a measure; the decorated name becomes the measure itself.

    The function takes ``Rankings`` and keyword-only parameters, each annotated with a ``Meaning``, and returns one
    value for each segment, NaN where it is undefined. Its docstring: a sentence of meaning, then the formula.
    """

    __slots__ = ()

    def __call__(self, function: Function) -> Measure:
        """The measure that the function computes.

        Raises:
            MeasureError: the name or an alias belongs to another measure, or there is no such law.
        """
        self._check_laws()
        declaration = Declaration(self, function, parameters_of(function, tuple(self.required)))
        if not declaration.attribute.isidentifier():
            raise MeasureError(f"{self.name!r} is no Python name: declare attribute=... too")
        register(declaration)
        return Measure(declaration)

    def _check_laws(self) -> None:
        for law in self.declines:
            if law not in LAWS:
                import difflib

                close = difflib.get_close_matches(law, LAWS, 1)
                hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(LAWS)}"
                raise MeasureError(f"{self.name} declines {law!r}, which is no law: {hint}")


# What each argument is, said once.
measure.__doc__ = (measure.__doc__ or "").rstrip() + (Facts.__doc__ or "").partition(".")[2]
