"""What is noticed in data: each finding declared once, where it was made as data, and all of a check together."""
