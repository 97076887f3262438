"""Charts of results: ``plot.<name>(result)`` is an Altair chart that contains its data.

    from cranfield import plot

    chart = plot.topic_difficulty(cranfield.estimate_difficulty("runs/*", "qrels.txt"))
    plot.save(chart, "figure1.pdf")

A chart names its measure and its numbers of topics and systems, can be read without colour, and displays in a
notebook. A file holds the charts of one subject; ``_theme`` and ``_data`` what they share. Charts need the extra
``plot``; without it they can be looked up, and raise an ImportError where they are called.
"""

from cranfield._lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
