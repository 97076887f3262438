"""What combines several analyses: an audit, agreement of measures and of judges, diversity, headroom of a fusion."""
