"""Bayesian networks of bounded treewidth: learn them from wide categorical tables and query them exactly.

Public names and subpackages load on first use, which keeps ``import treebound`` fast. The stub
``__init__.pyi`` lists them, for ``lazy_loader`` and for type checkers.
"""

import logging as _logging
import os as _os

import lazy_loader as _lazy_loader

# A library stays silent unless the program that uses it configures logging.
_logging.getLogger("treebound").addHandler(_logging.NullHandler())

__getattr__, __dir__, _names = _lazy_loader.attach_stub(__name__, __file__)

# A star import leaves subpackages alone: some need optional libraries.
__all__ = [
    name for name in _names if not name.startswith("_") and not _os.path.isdir(f"{__path__[0]}/{name}")
]
