"""Layers point one way: no import or include reaches up, or into another package's private modules."""

from __future__ import annotations

import re
from collections.abc import Iterator

import layers_figure
from layers import (
    CORE,
    FOLDERS,
    PACKAGES,
    ROOT,
    SOURCE,
    core_files,
    folder_of,
    imported_modules,
    included_headers,
    is_private,
    levels,
    module_of,
    outside_files,
    package_of,
    python_files,
)


def python_violations() -> Iterator[str]:
    level = levels(PACKAGES)
    for path in python_files():
        here = package_of(module_of(path))
        for module in sorted(set(imported_modules(path))):
            there = package_of(module)
            if there == here:
                continue
            is_base = level[here] == level[there] == 0
            if (level[there] >= level[here] and not is_base) or is_private(module):
                yield f"{path.relative_to(SOURCE)} imports {module}"


def outside_violations() -> Iterator[str]:
    """Benchmarks, examples and figures stand above the package and use what its packages make public."""
    for path in outside_files():
        for module in sorted(set(imported_modules(path))):
            if is_private(module):
                yield f"{path.relative_to(ROOT)} imports {module}"


def include_violations() -> Iterator[str]:
    level = levels(FOLDERS)
    for path in core_files():
        here = folder_of(path)
        for header in included_headers(path):
            there = header.split("/")[0] if "/" in header else here
            if there != here and level[there] >= level[here]:
                yield f"{path.relative_to(CORE)} includes {header}"


def test_imports_and_includes_point_down():
    found = [*python_violations(), *outside_violations(), *include_violations()]
    assert not found, "these reach up, or into private modules:\n" + "\n".join(found)


def test_the_names_of_all_packages_and_folders_have_a_level():
    assert {package_of(module_of(path)) for path in python_files()} <= levels(PACKAGES).keys()
    assert {path.name for path in CORE.iterdir() if path.is_dir()} <= levels(FOLDERS).keys()


def test_the_figure_shows_the_imports_and_includes_of_today():
    drawn = layers_figure.FIGURE.read_text()
    assert drawn == layers_figure.svg(), "make it again: python tests/layers_figure.py"


def test_every_class_of_the_core_is_defined_once():
    """Two classes of one name in the same namespace break the one-definition rule, and no tool says so."""
    homes: dict[str, set[str]] = {}
    for path in core_files():
        shared = re.sub(r"^namespace \{\n.*?^\}  // namespace\n", "", path.read_text(), flags=re.S | re.M)
        for name in re.findall(r"^(?:class|struct|enum class) (\w+)[^;{]*\{", shared, flags=re.M):
            homes.setdefault(name, set()).add(str(path.relative_to(CORE)))
    assert len(homes) > 100
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_the_scripts_that_use_the_package_are_read():
    folders = {path.relative_to(ROOT).parts[0] for path in outside_files()}
    assert folders == {"benchmarks", "docs", "examples"}
    assert is_private("treebound.solvers._problem")
    assert not is_private("treebound._files")
