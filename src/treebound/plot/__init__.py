"""Pictures of what was learned; they need matplotlib, the optional extra ``plot``."""

from treebound.plot._decomposition import plot_tree_decomposition
from treebound.plot._figure import save_figure
from treebound.plot._layout import layout
from treebound.plot._network import plot_structure
from treebound.plot._trace import plot_trace

__all__ = ["layout", "plot_structure", "plot_trace", "plot_tree_decomposition", "save_figure"]
