"""One page on an evaluation: analyses gathered (``analyses``), put into words and tables (``summary``), and written.

Nothing is computed here: every number comes from a public analysis, every chart from ``cranfield.plot``.
"""
