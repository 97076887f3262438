"""Collections and scores made with a known truth."""
