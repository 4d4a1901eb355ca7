"""Models on disk: networks in any format, mixtures in JSON."""

from __future__ import annotations

import os
from pathlib import Path

from treebound._arguments import check_type
from treebound._files import MAX_UNPACKED_TEXT_MB, check_folder, lower_name
from treebound.formats._network_draft import NetworkFileError
from treebound.formats._text_files import load_text, save_text
from treebound.formats.mixture_json import format_mixture_json, holds_mixture, parse_mixture_json
from treebound.formats.network_files import load_network, save_network
from treebound.formats.network_json import parse_network_json
from treebound.network import BayesianNetwork, Mixture, SharedMixture

__all__ = ["check_model_path", "load_model", "save_model"]


def load_model(
    path: str | os.PathLike[str], *, max_unpacked_mb: int = MAX_UNPACKED_TEXT_MB
) -> BayesianNetwork | Mixture | SharedMixture:
    """Read a model: a network of any format, or a mixture.

    Parameters
    ----------
    path : str or path-like
        The file; its ending selects the format, and ``.gz`` is unpacked.
    max_unpacked_mb : int
        Reject files that unpack to more than this.

    Returns
    -------
    BayesianNetwork, Mixture or SharedMixture

    Raises
    ------
    NetworkFileError
        If the file is damaged or has another format.
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> import treebound as tb
    >>> mixture = tb.network.Mixture([tb.random_network(4, max_states=2, seed=seed) for seed in (1, 2)])
    >>> tb.save_model(mixture, "mixture.json")
    >>> tb.load_model("mixture.json") == mixture
    True
    """
    if not _is_json(path):
        return load_network(path, max_unpacked_mb=max_unpacked_mb)
    return load_text(path, _parse_json, NetworkFileError, max_unpacked_mb, "utf-8")


def save_model(model: BayesianNetwork | Mixture | SharedMixture, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, replacing it in one step.

    Parameters
    ----------
    model : BayesianNetwork, Mixture or SharedMixture
        What to write. Only ``.json`` holds mixtures; ``mixture.to_network()`` fits other formats.
    path : str or path-like
        The file; its ending selects the format, and ``.gz`` at the end compresses it.

    Raises
    ------
    NetworkFileError
        If the format is unknown or cannot hold the model.

    Examples
    --------
    >>> import treebound as tb
    >>> tb.save_model(tb.random_network(4, seed=1), "network.json")
    """
    if isinstance(model, BayesianNetwork):
        save_network(model, path)
        return
    check_type("model", model, Mixture | SharedMixture, "a network or a mixture")
    check_model_path(path)
    save_text(format_mixture_json(model), path)


def check_model_path(path: str | os.PathLike[str]) -> None:
    """Reject a path that no mixture can be written to."""
    if not _is_json(path):
        raise NetworkFileError(
            f"{os.fspath(path)}: a mixture is written to a file that ends in .json; "
            "mixture.to_network() fits other formats."
        )
    check_folder(Path(path))


def _parse_json(text: str) -> BayesianNetwork | Mixture | SharedMixture:
    return parse_mixture_json(text) if holds_mixture(text) else parse_network_json(text)


def _is_json(path: str | os.PathLike[str]) -> bool:
    return lower_name(path).endswith(".json")
