"""This engine inside other tools: ``cranfield.integrations.ir_measures`` and ``cranfield.integrations.pyterrier``.

Nothing of the other tool is imported, and nothing in it changes, until ``use()`` is called.
"""
