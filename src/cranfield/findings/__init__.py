"""Findings: every kind of oddity that data can have, declared once, and the findings of this kind in some data."""
