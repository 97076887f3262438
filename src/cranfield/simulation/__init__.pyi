"""Public names of ``cranfield.simulation``, from the modules that define them."""

# isort: split
# Written by ``make stub``: the declared analyses of this room, and their results.
from cranfield.simulation.runs import SimulatedRuns as SimulatedRuns
from cranfield.simulation.runs import simulate_runs as simulate_runs
from cranfield.simulation.scores import SimulatedScores as SimulatedScores
from cranfield.simulation.scores import simulate_scores as simulate_scores
