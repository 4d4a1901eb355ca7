"""Pictures of what was learned; they need matplotlib, the optional extra ``plot``."""

from treebound.plot._arc_strength import plot_arc_strength
from treebound.plot._curves import plot_curves
from treebound.plot._decomposition import decomposition_layout, plot_tree_decomposition
from treebound.plot._figure import check_picture_path, save_figure, save_page
from treebound.plot._layout import layout
from treebound.plot._network import plot_structure
from treebound.plot._palette import ACCENT, FAINT, INK, line_styles, ramp
from treebound.plot._require import WITHOUT_MATPLOTLIB, has_matplotlib, require_matplotlib
from treebound.plot._trace import plot_trace
from treebound.plot._treewidths import plot_treewidths
from treebound.plot._victories import plot_victories
from treebound.plot._w_scores import plot_w_scores

__all__ = [
    "ACCENT",
    "FAINT",
    "INK",
    "WITHOUT_MATPLOTLIB",
    "check_picture_path",
    "decomposition_layout",
    "has_matplotlib",
    "layout",
    "line_styles",
    "plot_arc_strength",
    "plot_curves",
    "plot_structure",
    "plot_trace",
    "plot_tree_decomposition",
    "plot_treewidths",
    "plot_victories",
    "plot_w_scores",
    "ramp",
    "require_matplotlib",
    "save_figure",
    "save_page",
]
