"""Protocols: how the runs of a track are evaluated, in a file that is published with the results."""

from typing import TYPE_CHECKING

from cranfield._lazy import exported

if TYPE_CHECKING:
    from cranfield.protocol.file import Protocol as Protocol

__getattr__, __dir__ = exported(__name__, {"Protocol": "file"})
