"""What all verbs share: errors of usage that name the option that is meant, and print names safely."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from treebound._visible import visible_lines
from treebound.cli._panels import panel_of

_MEANT = {"--seconds": "--time", "--timeout": "--time", "--sep": "--delimiter", "--out": "--output"}


class Root(TyperGroup):
    """The command without a verb."""

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters; flags take no value, and the help shows no type for them."""
        params: Any = super().get_params(ctx)
        for param in params:
            param.metavar = "" if getattr(param, "is_flag", False) else param.metavar
        return params


class Verb(TyperCommand):
    """A verb whose errors know the names that other programs give to options."""

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters, each option in a panel of the help; choices are listed in its text."""
        params: Any = super().get_params(ctx)
        for param in params:
            if param.param_type_name != "option":
                continue
            param.rich_help_panel = param.rich_help_panel or panel_of(param.name or "", self.name or "")
            if param.metavar is None:
                param.metavar = "" if param.is_flag else (param.name or "").upper()
        return params

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help without the ranges of numbers, which leave its text too little room."""
        from typer import rich_utils

        rich_utils.RANGE_STRING = ""
        super().format_help(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, after a look for options that are called otherwise here."""
        options = {option for parameter in self.params for option in parameter.opts}
        for word in args:
            name = word.partition("=")[0]
            if name not in options and _MEANT.get(name) in options:
                ctx.fail(f"No such option: {name} Did you mean {_MEANT[name]}?")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the verb; names from data in its errors are made printable."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = visible_lines(error.message)
            raise
