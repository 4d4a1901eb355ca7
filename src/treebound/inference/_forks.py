"""Junction trees in forked children.

A child has only the thread that forked. What another thread was doing to a tree at that moment stays half
done there, and its lock is never released. Such a tree starts again; one that was not in use stays as it is.
"""

from __future__ import annotations

import os
from typing import Any, Protocol
from weakref import WeakSet


class Renewable(Protocol):
    """What a forked child may have to start again."""

    def _renew_if_in_use(self) -> Any:
        """Start again if another thread was at work; return what that thread left half done."""


_known: WeakSet[Renewable] = WeakSet()
# Never freed: destroying what is half done is not safe.
_half_done: list[Any] = []


def renew_after_fork(one: Renewable) -> None:
    """Let every forked child renew it, for as long as it exists."""
    _known.add(one)


def _renew_all() -> None:
    _half_done.extend(one._renew_if_in_use() for one in list(_known))


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_renew_all)
