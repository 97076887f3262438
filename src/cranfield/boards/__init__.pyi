"""Public names of ``cranfield.boards``, from the modules that define them."""

from cranfield.boards.table import read_board as read_board

# isort: split
# Written by ``make stub``: the declared analyses of this room, and their results.
from cranfield.boards.ranking import Board as Board
from cranfield.boards.ranking import board as board
