"""A page in the browser to explore a network: click a state, and every other probability follows exactly."""

from treebound.explorer._explorer import Explorer, explore

__all__ = ["Explorer", "explore"]
