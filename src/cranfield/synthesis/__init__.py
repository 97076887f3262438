"""What combines several analyses: the audit of a collection, agreement of measures and of judges, diversity."""
