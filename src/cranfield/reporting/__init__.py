"""One page on an evaluation: ``inputs`` reads, ``analyses`` run, ``assembly`` fills ``sections``, ``page`` renders.

Nothing is computed here: every number comes from a public analysis, every chart is drawn by the script of the page.
"""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Column": "content",
        "Content": "content",
        "Figure": "content",
        "Report": "report",
        "Retrieved": "content",
        "RunsRequest": "request",
        "Section": "content",
        "Table": "content",
        "make_board_page": "board_page",
        "make_sheets": "report",
        "render_page": "page",
    },
)
