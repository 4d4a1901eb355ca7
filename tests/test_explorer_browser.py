"""The explorer in a real browser: headless Chromium, driven as a user would, by clicks and keys."""

from __future__ import annotations

import io
import json
import os
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import rain
import treebound as tb
from browser import SETTLED, chromium, open_page, reason_without, wait_for

pytestmark = pytest.mark.skipif(reason_without() is not None, reason=str(reason_without()))

ODD = [
    "<script>document.title='hacked'</script>",
    "\u202eevil\u202c",
    '"><img src=x onerror=alert(1)>',
    "a\nb",
]


@pytest.fixture(scope="module")
def driver():
    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def explorer():
    table = {**rain.TABLE, "wet": ["yes", None, "yes", "no", "no", "no"]}
    with tb.explore(rain.NETWORK, table, name="rain.json", open_browser=False) as one:
        yield one


@pytest.fixture
def page(driver, explorer):
    open_page(driver, explorer.url)
    yield Page(driver)
    errors = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    assert errors == []


class Page:
    """What the tests do on the page and read from it."""

    def __init__(self, driver):
        self.driver = driver

    def script(self, code, *inputs):
        return self.driver.execute_script(code, *inputs)

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def until(self, code, *inputs):
        """Wait until a script returns something true."""
        return wait_for(self.driver, code, *inputs)

    def until_text(self, selector, text):
        """Wait for a panel that is filled later."""
        self.until(
            "return document.querySelector(arguments[0])?.innerText.includes(arguments[1])", selector, text
        )

    def resize(self, width, height):
        """Give the page another size, and wait until it is drawn in it."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        self.until("return innerWidth === arguments[0]", width)
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def keys(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        chain = ActionChains(self.driver)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in keys[:-1]:
            chain.key_up(key)
        chain.perform()

    def shares(self, name):
        """The probabilities that the panel shows of a variable."""
        code = (
            "return [...document.querySelectorAll('.node-card')].filter(n => n.dataset.name === arguments[0])"
            ".flatMap(n => [...n.querySelectorAll('.state')].map(s => Number(s.dataset.share)))"
        )
        return self.script(code, name)

    def state(self):
        """What the link holds, once the page has written its last change into it."""
        self.until("return document.body.dataset.link === 'written'")
        code = (
            "const t = new URLSearchParams(location.hash.slice(1)).get('view');"
            "return atob(t.replaceAll('-', '+').replaceAll('_', '/'))"
        )
        return json.loads(self.script(code))

    def answer(self, act):
        """Do something that changes the evidence, and wait for the bars."""
        asked = "return document.body.dataset.asked"
        before = self.script(asked)
        act()
        self.until(f"{asked} !== arguments[0]", before)
        self.until(SETTLED)

    def click_state(self, name, code):
        self.answer(self.find(f".card[data-name='{name}'] .card-state[data-code='{code}']").click)


def assert_shares(page, name, evidence, network=rain.NETWORK):
    assert page.shares(name) == pytest.approx(network.posterior(name, evidence).array.tolist(), abs=1e-9)


def test_a_click_sets_evidence_and_all_bars_follow_exactly(page):
    page.click_state("wet", 1)
    page.find(".card[data-name='rain'] .card-name").click()
    assert_shares(page, "rain", {"wet": "yes"})
    expected = rain.NETWORK.posterior("spray", {"wet": "yes"})["on"]
    on_card = page.find(".card[data-name='spray'] .card-state[data-code='1'] .share").text
    assert float(on_card) == pytest.approx(100 * expected, abs=0.051)
    assert "ms" in page.find("#status").text
    assert "width" in page.find("#status").text


def test_undo_redo_and_the_link_keep_the_state(page, explorer):
    from selenium.webdriver.common.keys import Keys

    page.click_state("wet", 1)
    page.click_state("spray", 0)
    page.answer(lambda: page.chord(Keys.CONTROL, "z"))
    assert page.state()["evidence"] == {"wet": 1}
    page.answer(lambda: page.chord(Keys.CONTROL, Keys.SHIFT, "z"))
    assert page.state()["evidence"] == {"wet": 1, "spray": 0}
    link = page.driver.current_url
    assert link.startswith(explorer.url)
    open_page(page.driver, link)
    assert page.state()["evidence"] == {"wet": 1, "spray": 0}
    page.find(".card[data-name='rain'] .card-name").click()
    assert_shares(page, "rain", {"wet": "yes", "spray": "off"})


def test_a_drag_sets_soft_evidence(page):
    from selenium.webdriver.common.action_chains import ActionChains

    page.find(".card[data-name='wet'] .card-name").click()
    track = page.find(".node-card .state[data-code='1'] .track")
    chain = ActionChains(page.driver).move_to_element(track).click_and_hold()
    page.answer(lambda: chain.move_by_offset(20, 0).move_by_offset(10, 0).release().perform())
    likelihoods = page.state()["evidence"]["wet"]
    assert likelihoods[1] > 0.5 > likelihoods[0]
    assert_shares(page, "wet", {"wet": likelihoods})
    assert page.find(".node-card .mark").is_displayed()
    page.answer(page.find("#undo").click)
    assert page.state()["evidence"] == {}


def test_everything_works_by_keyboard(page):
    from selenium.webdriver.common.keys import Keys

    page.keys("/", "ra", Keys.ENTER)
    assert page.state()["selected"] == "rain"
    page.keys("p", Keys.ARROW_DOWN)
    assert page.state()["selected"] != "rain"
    page.answer(lambda: page.keys("/", "wet", Keys.ENTER, "2"))
    assert page.state()["evidence"] == {"wet": 1}
    assert_shares(page, "rain", {"wet": "yes"})
    page.keys("a")
    page.until_text("#insight-next", "spray")
    page.until_text("#insight-why", "wet")
    page.until_text("#insight-most", "Probability")
    page.keys("d")
    assert page.find("#bags").is_displayed()
    page.keys("b", "x")
    page.until("return document.querySelector('#pane-export textarea').value")
    result = eval(page.find("#pane-export textarea").get_attribute("value"), {"network": rain.NETWORK})
    assert result.array == pytest.approx(rain.NETWORK.posterior("rain", {"wet": "yes"}).array)
    page.keys("?")
    assert page.find("#help").is_displayed()
    page.find("#help button").click()


def test_do_differs_from_seeing_and_names_uncertain_arcs(page):
    page.find(".card[data-name='spray'] .card-name").click()
    page.find(".node-card .do").click()
    page.answer(page.find(".node-card .state[data-code='1']").click)
    assert page.state()["do"] == {"spray": 1}
    page.find(".card[data-name='rain'] .card-name").click()
    assert_shares(page, "rain", {}, rain.NETWORK.do({"spray": "on"}))
    assert "could point the other way" in page.find("#do-notes").text


def test_rows_show_scores_blame_and_fill_missing_cells(page):
    page.keys("r")
    page.until("return document.querySelectorAll('tr[data-row]').length === 6")
    page.answer(page.find("tr[data-row='1'] button").click)
    page.until("return document.querySelector('#filled')")
    assert "wet" in page.find("#filled").text
    assert "rain" in page.find("#blamed").text
    page.find(".card[data-name='wet'] .card-name").click()
    page.keys("e")
    assert_shares(page, "wet", {"rain": "yes", "spray": "off"})


def test_pictures_and_tables_are_exported(page, tmp_path):
    page.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    page.click_state("wet", 1)
    page.keys("x")
    page.until("return document.querySelector('#pane-export textarea').value")
    starts = {
        "rain.svg": b"<?xml",
        "rain.png": b"\x89PNG",
        "rain-posterior.csv": b"variable,state,prior,posterior",
    }
    for button, name in zip(("save-svg", "save-png", "save-csv"), starts, strict=True):
        page.find(f"#{button}").click()
        end = time.monotonic() + 20
        while not (tmp_path / name).exists():
            assert time.monotonic() < end, name
            time.sleep(0.05)
        assert (tmp_path / name).read_bytes().startswith(starts[name])
    assert "spray" in (tmp_path / "rain.svg").read_text()


def test_dark_mode_follows_the_system_and_the_switch(page):
    paper = "return getComputedStyle(document.body).backgroundColor"
    light = page.script(paper)
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    try:
        page.until(f"{paper} !== arguments[0]", light)
        page.find("#theme").click()
        page.until(f"{paper} === arguments[0]", light)
    finally:
        page.script("localStorage.clear()")
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_two_tabs_do_not_disturb_each_other(page, explorer):
    page.click_state("wet", 1)
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    open_page(page.driver, explorer.url)
    assert page.state()["evidence"] == {}
    page.click_state("spray", 1)
    page.driver.close()
    page.driver.switch_to.window(first)
    assert page.state()["evidence"] == {"wet": 1}
    page.click_state("spray", 0)
    page.find(".card[data-name='rain'] .card-name").click()
    assert_shares(page, "rain", {"wet": "yes", "spray": "off"})


@pytest.mark.parametrize("width", [360, 500, 820])
def test_narrow_windows_have_no_sideways_scrolling(page, width):
    try:
        page.resize(width, 800)
        page.click_state("wet", 1)
        page.keys("d")
        for tab in ("insight", "rows", "export", "evidence"):
            page.find(f"#tab-{tab}").click()
            assert page.script("return document.documentElement.scrollWidth <= innerWidth"), tab
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        page.until("return innerWidth > 1000")


def test_screen_readers_find_a_name_for_every_control(page):
    page.find(".card[data-name='rain'] .card-name").click()
    page.keys("d")
    for key in "eraxe":
        page.keys(key)
        page.until("return document.querySelectorAll('[role=tabpanel]:not([hidden]) > *').length")
        tree = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        controls = {
            "button", "checkbox", "combobox", "dialog", "image", "img", "link", "listbox", "option", "region",
            "searchbox", "tab", "tablist", "tabpanel", "textbox", "toolbar", "MenuListPopup",
        }  # fmt: skip
        named = [one for one in tree if one.get("role", {}).get("value") in controls - {"MenuListPopup"}]
        assert len(named) > 20
        assert [one for one in named if not one.get("name", {}).get("value")] == []


def test_impossible_evidence_stays_reported_until_it_is_cleared(driver):
    network = tb.BayesianNetwork.from_tables(
        {"a": [0.5, 0.5], "b": [[1.0, 0.0], [0.0, 1.0]]}, parents={"b": ["a"]}
    )
    with tb.explore(network, name="copy.json", open_browser=False) as one:
        open_page(driver, one.url)
        page = Page(driver)
        page.click_state("a", 0)
        page.click_state("b", 1)
        assert "probability zero" in page.find("#evidence-facts").text
        assert page.script("return document.body.classList.contains('stale')")
        page.answer(page.find("#undo").click)
        assert "Probability of the evidence: 0.5" in page.find("#evidence-facts").text
        assert not page.script("return document.body.classList.contains('stale')")
        driver.get_log("browser")  # browsers report the rejected question


def test_lists_and_ranges_can_be_typed(driver):
    table = {"age": [20.5 + i for i in range(60)], "ill": ["no", "yes", "no", "yes", "yes", "no"] * 10}
    data = tb.load(table, discretise=tb.Discretise("quantile", 4))
    network = tb.fit({"age": [], "ill": ["age"]}, data)
    with tb.explore(network, name="ages.json", open_browser=False) as one:
        open_page(driver, one.url)
        page = Page(driver)
        page.find(".card[data-name='age'] .card-name").click()
        for typed, evidence in (("24..44", (24, 44)), ("60..", (60, None)), ("33,5", None), ("33.5", "33.5")):
            if evidence is None:
                page.find(".typed").send_keys(typed, "\ue007")
                page.until_text("#notice", "may be a number or a list")
            else:
                page.answer(lambda typed=typed: page.find(".typed").send_keys(typed, "\ue007"))
                assert_shares(page, "age", {"age": evidence}, network)
        driver.get_log("browser")  # browsers report the rejected question


def test_hostile_names_are_shown_and_never_run(driver):
    states = ["<b>x</b>", "\u202e1"]
    tables = {name: dict(zip(states, [0.3, 0.7], strict=True)) for name in ODD}
    network = tb.BayesianNetwork.from_tables(tables)
    with tb.explore(network, name="<img src=x onerror=alert(2)>.json", open_browser=False) as one:
        open_page(driver, one.url)
        page = Page(driver)
        page.keys("/", "script")
        page.until("return !document.getElementById('found').hidden")
        from selenium.webdriver.common.keys import Keys

        page.answer(lambda: page.keys(Keys.ENTER, "1"))
        page.keys("d", "a")
        page.until("return document.querySelector('#mpe')")
        assert driver.title.startswith("<img src=x onerror=alert(2)>")
        assert (
            page.script(
                "return document.querySelectorAll('main script, main b:not(#status b), header img').length"
            )
            == 1
        )
        shown = page.script("return document.body.innerText")
        assert "<script>document.title='hacked'</script>" in shown
        assert "\u202e" not in shown
        assert page.state()["evidence"] == {ODD[0]: 0}
        assert [e for e in driver.get_log("browser") if e["level"] == "SEVERE"] == []


def test_a_wrong_token_is_explained(driver, explorer):
    driver.get("about:blank")
    driver.get(f"http://127.0.0.1:{explorer.port}/#token=wrong")
    Page(driver).until("return document.querySelector('#wait.failed')")
    assert "token is wrong" in driver.find_element("id", "wait").text
    driver.get_log("browser")


def test_links_of_other_networks_lose_what_does_not_fit(driver, explorer):
    open_page(driver, explorer.url)
    page = Page(driver)
    wrong = {
        "evidence": {"snow": 0, "rain": 9, "wet": 1, "spray": "x"},
        "do": 5,
        "targets": "x",
        "view": 3,
        "row": 99,
    }
    page.script("document.body.dataset.old = 'yes'")  # the link reloads the page
    page.script(
        "location.hash = new URLSearchParams({token: arguments[0], view: btoa(arguments[1])})",
        explorer.url.partition("token=")[2],
        json.dumps(wrong),
    )
    page.until("return document.body?.dataset.ready && !document.body.dataset.old")
    page.until(SETTLED)
    assert page.state()["evidence"] == {"wet": 1}
    assert page.state()["row"] is None


def test_ten_thousand_variables_load_and_answer(driver):
    network = tb.random_network(10_000, min_parents=2, max_parents=3, max_treewidth=3, seed=1)
    assert network.num_arcs > 20_000
    with tb.explore(network, name="large.json", open_browser=False) as one:
        open_page(driver, one.url)
        page = Page(driver)
        assert page.script("return document.querySelector('#gl').getContext('webgl2') !== null")
        from selenium.webdriver.common.keys import Keys

        name, other = network.arcs[0]
        page.answer(lambda: page.keys("/", name, Keys.ENTER, "1"))
        page.keys("/", other, Keys.ENTER)
        assert_shares(page, other, {name: network.schema[name].states[0]}, network)
        # With a single dot, arcs alone remain, which must outlast new colours of the dots.
        page.script(
            "const kind = WebGL2RenderingContext.prototype, draw = kind.drawArrays;"
            "kind.drawArrays = function (what, first) { draw.call(this, what, first, 1); }"
        )
        page.answer(lambda: page.keys("2"))
        page.until("return document.body.dataset.link === 'written'")
        shown = np.asarray(Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("L"), dtype=int)
        assert np.mean(shown[60:, :800] < 240) > 0.05
        page.keys("n")
        page.until("return document.querySelectorAll('.card').length >= 2")
        page.keys("w", "d")
        page.until("return !document.getElementById('bags').hidden")
        assert [e for e in driver.get_log("browser") if e["level"] == "SEVERE"] == []


@pytest.mark.skipif("TREEBOUND_DATA" not in os.environ, reason="TREEBOUND_DATA is not set")
def test_munin_loads_and_answers(driver):
    path = Path(os.environ["TREEBOUND_DATA"]) / "networks" / "munin.bif.gz"
    if not path.exists():
        pytest.skip(f"{path} does not exist")
    network = tb.load_network(path)
    with tb.explore(network, name="munin.bif.gz", open_browser=False) as one:
        open_page(driver, one.url)
        page = Page(driver)
        from selenium.webdriver.common.keys import Keys

        page.answer(lambda: page.keys("/", "R_MEDD2_DISP_WD", Keys.ENTER, "3"))
        page.keys("/", "R_MEDD2_ALLAMP_WD", Keys.ENTER)
        assert_shares(page, "R_MEDD2_ALLAMP_WD", {"R_MEDD2_DISP_WD": "MOD"}, network)


HIDDEN = "(hidden variable)"


def latent_network(num_columns):
    """A hidden variable above columns."""
    columns = [tb.Variable(f"q{i}", ("no", "yes")) for i in range(num_columns)]
    schema = tb.Schema([tb.Variable("camp", ("0", "1"), is_hidden=True), *columns])
    tables = [[0.6, 0.4], *([[0.8, 0.2, 0.1, 0.9]] * num_columns)]
    return tb.BayesianNetwork.from_indices(schema, [(), *([(0,)] * num_columns)], tables)


def test_hidden_variables_have_a_dashed_outline_and_a_word(driver):
    with tb.explore(latent_network(3), name="camps", open_browser=False) as explorer:
        open_page(driver, explorer.url)
        page = Page(driver)
        dashes = {
            name: page.script(
                "return getComputedStyle(document.querySelector(arguments[0])).strokeDasharray",
                f".card[data-name='{name}'] .sheet",
            )
            for name in ("camp", "q0")
        }
        assert dashes["camp"] != "none" == dashes["q0"]
        title = "return document.querySelector(arguments[0]).textContent"
        assert page.script(title, ".card[data-name='camp'] > title") == f"camp {HIDDEN}"
        assert page.script(title, ".card[data-name='q0'] > title") == "q0"
        assert page.find("#legend-latent").text == "hidden variable"
        page.find(".card[data-name='camp'] .card-name").click()
        page.until_text(".node-card[data-name='camp']", "hidden variable")
        assert page.find(".card.latent.selected").get_attribute("data-name") == "camp"


def test_hidden_variables_are_marked_among_dots(driver):
    """Many variables are dots: a dashed ring around a hidden one, and a word behind its name."""
    with tb.explore(latent_network(90), name="camps", open_browser=False) as explorer:
        open_page(driver, explorer.url)
        page = Page(driver)
        assert page.find("#legend-latent").text == "hidden variable"
        page.script(
            "window.seen = []; const pen = document.getElementById('labels').getContext('2d');"
            "for (const name of ['fillText', 'setLineDash']) { const own = pen[name].bind(pen);"
            "pen[name] = (...given) => { window.seen.push(String(given[0])); own(...given); }; }"
            "document.getElementById('zoom-in').click()"
        )
        page.until("return window.seen.some((one) => one.startsWith('camp (hidden)'))")
        assert "3,2.5" in page.script("return window.seen")
