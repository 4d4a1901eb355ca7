"""The query that the page shows, for use elsewhere: a line of Python, a command, and a table."""

from __future__ import annotations

import csv
import io
import shlex
from typing import Any

from treebound.explorer._case import Case
from treebound.explorer._model import Model


def exported(model: Model, case: Case, targets: list[str], selected: list[str]) -> dict[str, str]:
    """All three, for the targets; if there are none, code for the selected variable and a table of all."""
    queried = targets or selected
    return {
        "python": _python(case, queried),
        "command": _command(model.name, case, queried),
        "csv": _csv(model, case, targets),
    }


def _python(case: Case, targets: list[str]) -> str:
    requested = f"network.do({case.settings!r})" if case.settings else "network"
    evidence = f"{case.evidence!r}" if case.evidence else ""
    if len(targets) == 1:
        return f"{requested}.posterior({targets[0]!r}{evidence and f', {evidence}'})"
    return f"{requested}.marginals({evidence})"


def _command(name: str, case: Case, targets: list[str]) -> str:
    command = ["treebound", "query", name]
    for target in targets:
        command += ["-t", target]
    command += [] if targets else ["--mpe"]
    for variable, finding in case.evidence.items():
        command += ["-e", f"{variable}={_finding(finding)}"]
    for variable, state in case.settings.items():
        command += ["--do", f"{variable}={state}"]
    return shlex.join(command)


def _finding(finding: Any) -> str:
    if isinstance(finding, dict):
        return ",".join(f"{state}:{weight!r}" for state, weight in finding.items())
    return str(finding)


def _csv(model: Model, case: Case, targets: list[str]) -> str:
    """A row for each state of each target, or of every variable: prior and posterior."""
    marginals, prior = model.after(case.settings).marginals(case.evidence), model.network.marginals()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["variable", "state", "prior", "posterior"])
    for name in targets or model.network.schema.names:
        states = model.network.schema[name].states
        for state, before, now in zip(states, prior[name].array, marginals[name].array, strict=True):
            writer.writerow([name, state, repr(float(before)), repr(float(now))])
    return text.getvalue()
