"""What combines analyses: agreement of measures and of judges, and the audit of a collection."""
