"""What a file cannot keep of a network: said when it is written, not found out when it is read.

The formats of others have names, labels and tables, and most of them room for a remark with the elimination
order. Bin edges cannot be read from labels; only ``.json`` keeps everything.
"""

from __future__ import annotations

import os
import warnings

from treebound.network import BayesianNetwork

_MAX_NAMED = 3


class LossySave(UserWarning):
    """A file that does not keep all of a network; Python shows it once for each line that saves."""


def warn_of_losses(
    network: BayesianNetwork, path: str | os.PathLike[str], *, keeps_remarks: bool, stacklevel: int
) -> None:
    """Say what a file of another format than ours omits of this network, if anything."""
    lost = _bins(network)
    if network.elimination_order is not None and not keeps_remarks:
        lost.append("the proof of the treewidth")
    if network.schema.hidden and not keeps_remarks:
        lost.append("which variables are hidden")
    if not keeps_remarks and any(variable.has_missing_state for variable in network.schema):
        lost.append("which states stand for missing cells")
    if lost:
        message = f"{os.fspath(path)} does not keep {' nor '.join(lost)}; .json keeps everything."
        warnings.warn(message, LossySave, stacklevel=stacklevel + 1)


def _bins(network: BayesianNetwork) -> list[str]:
    cut = [variable for variable in network.schema if variable.edges is not None]
    if not cut:
        return []
    more = f" and {len(cut) - _MAX_NAMED} more" if len(cut) > _MAX_NAMED else ""
    label = cut[0].states[0]
    named = ", ".join(variable.name for variable in cut[:_MAX_NAMED]) + more
    return [f"the bin edges of {named} (only labels such as {label!r})"]
