"""What combines several analyses."""
