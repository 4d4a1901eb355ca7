"""Options by the names that other programs give them: an error names the one that is meant."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

_MEANT = {"--seconds": "--time", "--timeout": "--time", "--sep": "--delimiter", "--out": "--output"}


class Verb(TyperCommand):
    """A verb whose errors know these names."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, after a look for options that are called otherwise here."""
        options = {option for parameter in self.params for option in parameter.opts}
        for word in args:
            name = word.partition("=")[0]
            if name not in options and _MEANT.get(name) in options:
                ctx.fail(f"No such option: {name} Did you mean {_MEANT[name]}?")
        return super().parse_args(ctx, args)
