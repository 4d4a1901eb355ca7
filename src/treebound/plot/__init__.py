"""Pictures of what was learned; they need matplotlib, the optional extra ``plot``."""

from treebound.plot._cliques import plot_clique_tree
from treebound.plot._figure import save_figure
from treebound.plot._layout import layout
from treebound.plot._network import plot_structure
from treebound.plot._trace import plot_trace

__all__ = ["layout", "plot_clique_tree", "plot_structure", "plot_trace", "save_figure"]
