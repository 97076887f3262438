"""Can a measure's scores be trusted: reliability, stability and sensitivity, and which topics would do."""
