"""What combines several analyses into one picture."""
