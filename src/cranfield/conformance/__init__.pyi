"""Public names of ``cranfield.conformance``, from the modules that define them."""

from cranfield.conformance.cases import ConformanceCase as ConformanceCase
from cranfield.conformance.cases import parse_case as parse_case
from cranfield.conformance.cases import read_cases as read_cases
from cranfield.conformance.error_classes import list_mistakes as list_mistakes
from cranfield.conformance.generator import generate as generate
from cranfield.conformance.generator import write_suite as write_suite
from cranfield.conformance.reference import ExactValues as ExactValues
from cranfield.conformance.reference import compute_values as compute_values
from cranfield.conformance.reference import compute_wrong_means as compute_wrong_means
from cranfield.conformance.runner import Conformance as Conformance
from cranfield.conformance.runner import run as run
