"""One page on an evaluation: ``inputs`` reads, ``analyses`` run, ``assembly`` fills ``sections``, ``page`` renders.

Nothing is computed here: every number comes from a public analysis, every chart is drawn by the script of the page.
"""
