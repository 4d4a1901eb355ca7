"""Settings of the documentation site, which `make docs` builds into build/docs. Warnings are errors."""

from __future__ import annotations

import os
import sys
import urllib.error
import urllib.request
import warnings
from pathlib import Path

import treebound

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))

from api_members import members_of_page  # noqa: E402

project = "treebound"
author = "The treebound developers"
copyright = author
release = version = treebound.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx.ext.mathjax",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "sphinx_copybutton",
    "sphinx_design",
    "command_line",
]

templates_path = ["_templates"]
exclude_patterns = ["_build", "gallery/**.ipynb", "gallery/**.py", "gallery/**.md5"]

smartquotes = False  # quotes and dashes are often code

# Markdown. ::: opens a directive, headings get anchors down to the third level.
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "attrs_inline", "substitution"]
myst_heading_anchors = 3

# API pages: one per public name, docstrings in numpydoc's form.
autosummary_generate = ["reference/api.md"]
autosummary_context = {"members_of_classes": members_of_page(HERE / "reference" / "api.md")}
autodoc_typehints = "none"  # numpydoc's sections have the types, signatures stay short
autodoc_member_order = "bysource"
numpydoc_show_class_members = False  # the template of classes lists them
numpydoc_class_members_toctree = False
toc_object_entries_show_parents = "hide"  # "posterior", not "BayesianNetwork.posterior"

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "gallery_pages.Order",
    "image_scrapers": ("matplotlib", "gallery_pages"),
    "capture_repr": ("_repr_html_",),
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "abort_on_example_error": True,
    "doc_module": ("treebound",),
    "backreferences_dir": None,
}

# `$ ` and `>>> ` are not copied, nor is what a command printed.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

html_theme = "pydata_sphinx_theme"
html_title = "treebound"
html_logo = html_favicon = "../src/treebound/explorer/page/icon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "treebound"},
    "header_links_before_dropdown": 6,
    "show_prev_next": True,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": []}

# Links to the pages of other projects, if their lists of names can be had: a build without a network has
# no such links, and no warnings.
PEERS = {
    "python": "https://docs.python.org/3",
    "numpy": "https://numpy.org/doc/stable",
    "pandas": "https://pandas.pydata.org/docs",
    "sklearn": "https://scikit-learn.org/stable",
    "matplotlib": "https://matplotlib.org/stable",
}


def is_reachable(place: str) -> bool:
    try:
        with urllib.request.urlopen(f"{place}/objects.inv", timeout=3) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


intersphinx_mapping = {name: (place, None) for name, place in PEERS.items() if is_reachable(place)}

# Examples print what a terminal without colours prints.
os.environ["NO_COLOR"] = "1"
warnings.filterwarnings("ignore", message=".*json keeps everything", category=UserWarning)
