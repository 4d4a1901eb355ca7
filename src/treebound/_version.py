"""The version of the installed distribution; in a module of its own, because finding it takes a while."""

from importlib.metadata import version

__version__ = version("treebound")
