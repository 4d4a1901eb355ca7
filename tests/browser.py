"""A headless Chromium for tests and benchmarks of the explorer, driven by Selenium.

Debian: apt-get install chromium chromium-driver. Where one of them is missing, ``reason_without`` says so.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

# Graphics are drawn by software, as on machines without a graphics card. Chromium stays quiet on the network.
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


def reason_without() -> str | None:
    """Why there is no browser here; None if there is one."""
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            return f"{program} is not installed: apt-get install chromium chromium-driver"
    return None if find_spec("selenium") else "selenium is not installed: pip install selenium"


@contextmanager
def chromium(width: int = 1280, height: int = 800, *flags: str) -> Iterator[Any]:
    """A browser with a fresh profile; console messages are kept."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for flag in (*FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}", *flags):
            options.add_argument(flag)
        service = webdriver.ChromeService(str(shutil.which("chromedriver")))
        driver = webdriver.Chrome(options=options, service=service)
        driver.set_script_timeout(60)
        try:
            yield driver
        finally:
            driver.quit()


#: Whether everything that the page has asked the server is answered and on the screen.
SETTLED = "const seen = document.body?.dataset; return seen?.asked && seen.asked === seen.answered"


def wait_for(driver: Any, script: str, *inputs: Any) -> Any:
    """Wait until a script returns something true, and return it."""
    end = time.monotonic() + 60
    while not (found := driver.execute_script(script, *inputs)):
        assert time.monotonic() < end, f"This did not become true in a minute: {script}"
        time.sleep(0.02)
    return found


def open_page(driver: Any, url: str) -> None:
    """Open the explorer and wait until its first answer is on the screen."""
    driver.get("about:blank")
    driver.get(url)
    wait_for(driver, SETTLED)
