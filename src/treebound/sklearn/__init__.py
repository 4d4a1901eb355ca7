"""Estimators for scikit-learn, an extra: ``pip install '.[sklearn]'``."""

from treebound.sklearn._classifier import TreeboundClassifier
from treebound.sklearn._density import TreeboundDensity
from treebound.sklearn._imputer import TreeboundImputer
from treebound.sklearn._outliers import TreeboundOutlierDetector
from treebound.sklearn._regressor import TreeboundRegressor

__all__ = [
    "TreeboundClassifier",
    "TreeboundDensity",
    "TreeboundImputer",
    "TreeboundOutlierDetector",
    "TreeboundRegressor",
]
