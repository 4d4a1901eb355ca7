"""A distribution as a small chart of text: a label, a probability and a bar on each line."""

from __future__ import annotations

from collections.abc import Iterable

from treebound._visible import one_line

_WIDTH = 24
_EIGHTHS = " ▏▎▍▌▋▊▉"


def chart(title: str, pairs: Iterable[tuple[str, float]], left_out: int = 0) -> str:
    """The title, a line for each pair of label and probability, and how many are left out."""
    rows = [(one_line(label), probability) for label, probability in pairs]
    widest = max((len(label) for label, _ in rows), default=0)
    lines = [f"{label:>{widest}}  {share:.4f}  {_bar(share)}".rstrip() for label, share in rows]
    more = [f"... and {left_out:,} more"] if left_out else []
    return "\n".join([title, *lines, *more])


def _bar(share: float) -> str:
    full, part = divmod(round(8 * _WIDTH * share), 8) if share == share else (0, 0)
    return "█" * full + (_EIGHTHS[part] if part else "")
