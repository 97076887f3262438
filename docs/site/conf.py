"""Sphinx's settings. Everything is in the built folder: no fonts, scripts or inventories from elsewhere."""

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import cranfield  # noqa: E402
from address import find_source, read_project  # noqa: E402
from api import ALIASES  # noqa: E402
from docstrings import plain_to_rst  # noqa: E402

project = "cranfield"
version = release = cranfield.__version__
copyright = "the authors of cranfield, Apache-2.0"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
language = "en"

myst_heading_anchors = 4
myst_all_links_external = False
highlight_language = "text"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
smartquotes = False

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_typehints_format = "short"
autodoc_type_aliases = {name: name for name in ALIASES}
autodoc_class_signature = "separated"
autodoc_member_order = "bysource"
napoleon_numpy_docstring = False
python_maximum_signature_line_length = 90
python_display_short_literal_types = True

html_theme = "furo"
html_title = "cranfield"
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_js_files = ["copy.js", "search.js"]
html_favicon = str(HERE / "static" / "favicon.svg")
html_copy_source = False
html_show_sphinx = False
html_theme_options: dict[str, Any] = {
    # An icon is text here; nothing until the project has a public address.
    "footer_icons": [{"name": "Source", "url": url, "html": "Source", "class": ""}]
    if (url := find_source(read_project()))
    else [],
    "light_css_variables": {"color-code-background": "#f4f6f8"},
    "dark_css_variables": {"color-code-background": "#1f2328"},
}


def setup(app: Any) -> None:
    """Docstrings are prepared before napoleon (priority 500) reads their sections."""
    app.connect("autodoc-process-docstring", plain_to_rst, priority=400)
