"""Public names of ``cranfield.datasets``, from the modules that define them."""

from cranfield.datasets.cranfield_collection import CranfieldCollection as CranfieldCollection
from cranfield.datasets.cranfield_collection import load_cranfield as load_cranfield
