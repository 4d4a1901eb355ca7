"""Draw the pictures of guide/explorer.md in headless Chromium: python tests/explorer_pictures.py [FOLDER].

Networks come from the folder that TREEBOUND_DATA names. The pictures are at two window sizes.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import treebound as tb
from browser import SETTLED, chromium, open_page

FIGURES = Path(__file__).parents[1] / "docs" / "figures"
WIDE, NARROW = (1280, 800), (500, 860)


class Window:
    """A window with the explorer, used like the tests use it."""

    def __init__(self, driver: Any, folder: Path) -> None:
        self.driver, self.folder = driver, folder

    def keys(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()
            self.rest()

    def find(self, name: str) -> None:
        """Select a variable by name."""
        self.keys("/", name, "\ue007")

    def click(self, selector: str) -> None:
        self.driver.find_element("css selector", selector).click()
        self.rest()

    def rest(self) -> None:
        """Wait until the page has its answers and nothing moves any more."""
        while not self.driver.execute_script(SETTLED):
            time.sleep(0.05)
        time.sleep(0.5)

    def save(self, name: str) -> None:
        time.sleep(1)
        self.driver.save_screenshot(str(self.folder / f"explorer-{name}.png"))
        print(name, flush=True)


@contextmanager
def opened(
    folder: Path, network: tb.BayesianNetwork, name: str, size: tuple[int, int] = WIDE, table: Any = None
) -> Iterator[Window]:
    with (
        tb.explore(network, table, name=name, open_browser=False) as explorer,
        chromium(*size) as driver,
    ):
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False},
        )
        open_page(driver, explorer.url)
        window = Window(driver, folder)
        window.rest()
        yield window


def named(name: str) -> tb.BayesianNetwork:
    return tb.load_network(Path(os.environ["TREEBOUND_DATA"]) / "networks" / f"{name}.bif.gz")


def small(folder: Path) -> None:
    """Evidence, insight, bags, and rows of which some cells are missing, on eight variables."""
    asia = named("asia")
    table = asia.sample(300, seed=3).to_dict()
    table["bronc"] = [None if i % 10 == 0 else value for i, value in enumerate(table["bronc"])]
    with opened(folder, asia, "asia.bif", table=table) as window:
        window.click(".card[data-name='xray'] .card-state[data-code='0']")
        window.click(".card[data-name='asia'] .card-state[data-code='0']")
        window.find("lung")
        window.keys("p")
        window.save("evidence")
        window.keys("a")
        window.save("insight")
        window.keys("e", "d")
        window.click("#bag-after")
        window.save("bags")
        window.keys("d")
        window.click("#clear-all")
        window.keys("r")
        window.click("tr[data-row='10'] button")
        window.save("rows")


def medium(folder: Path) -> None:
    """Dark mode, and a narrow window."""
    alarm = named("alarm")
    with opened(folder, alarm, "alarm.bif") as window:
        window.click("#theme")
        for name, key in (("HRBP", "1"), ("CVP", "3")):
            window.find(name)
            window.keys(key)
        window.save("dark")
    with opened(folder, alarm, "alarm.bif", NARROW) as window:
        window.find("CATECHOL")
        window.keys("n")
        window.save("narrow")


def large(folder: Path) -> None:
    """The bags of munin, and ten thousand variables."""
    with opened(folder, named("munin"), "munin.bif") as window:
        window.keys("d")
        window.find("R_MEDD2_DISP_WD")
        window.keys("3")
        window.click("#fit")
        window.save("munin")
    network = tb.random_network(10_000, min_parents=2, max_parents=3, max_treewidth=3, seed=1)
    with opened(folder, network, "random.json") as window:
        window.save("large")


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FIGURES
    parts: tuple[Callable[[Path], None], ...] = (small, medium, large)
    for part in parts:
        part(folder)


if __name__ == "__main__":
    main()
