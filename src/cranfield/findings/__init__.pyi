"""Public names of ``cranfield.findings``, from the modules that define them."""

from cranfield.findings.catalogue import TABLE as TABLE
from cranfield.findings.error_codes import REFUSALS as REFUSALS
from cranfield.findings.error_codes import markdown as markdown
from cranfield.findings.finding import Finding as Finding
from cranfield.findings.location import Location as Location
