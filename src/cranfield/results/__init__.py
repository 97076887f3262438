"""What every analysis returns: the contract of results, and how they are shown and written."""
