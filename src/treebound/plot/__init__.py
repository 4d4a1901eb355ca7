"""Pictures of what was learned; they need matplotlib, the optional extra ``plot``."""

from treebound.plot._layout import layout

__all__ = ["layout"]
