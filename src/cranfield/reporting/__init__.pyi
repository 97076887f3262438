"""Public names of ``cranfield.reporting``, from the modules that define them."""

from cranfield.reporting.board_page import make_board_page as make_board_page
from cranfield.reporting.charts import make_figure as make_figure
from cranfield.reporting.content import Content as Content
from cranfield.reporting.content import Figure as Figure
from cranfield.reporting.content import PageColumn as PageColumn
from cranfield.reporting.content import Retrieved as Retrieved
from cranfield.reporting.content import Section as Section
from cranfield.reporting.content import Table as Table
from cranfield.reporting.page import render_page as render_page
from cranfield.reporting.report import Report as Report
from cranfield.reporting.report import make_sheets as make_sheets
from cranfield.reporting.request import RunsRequest as RunsRequest
