"""Public names of ``cranfield.results``, from the modules that define them."""

from cranfield.results.by_group import ByGroup as ByGroup
from cranfield.results.frames import melted as melted
from cranfield.results.frames import tidy as tidy
from cranfield.results.result import Result as Result
from cranfield.results.result import same as same
from cranfield.results.sheet import Sheet as Sheet
from cranfield.results.statement import NamedFile as NamedFile
from cranfield.results.table_text import Grid as Grid
