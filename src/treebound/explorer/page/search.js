// Find a variable by name: what begins with the words comes first, then what holds them.

import { by, clean, el } from "./dom.js";

const MOST_FOUND = 12;

/** Wire the search box; `choose(name)` is called with the variable. */
export function searchBox(model, choose) {
  const [input, list] = [by("search"), by("found")];
  const folded = model.variables.map((variable) => variable.name.toLowerCase());
  let found = [];
  let at = 0;

  function find() {
    const text = input.value.trim().toLowerCase();
    const ranked = [];
    if (text) {
      for (let v = 0; v < folded.length; v++) {
        const place = folded[v].indexOf(text);
        if (place >= 0) ranked.push([place === 0 ? (folded[v] === text ? 0 : 1) : 2, folded[v].length, v]);
      }
      ranked.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    }
    found = ranked.slice(0, MOST_FOUND).map((one) => one[2]);
    at = 0;
    show();
  }

  function show() {
    const isOpen = found.length > 0;
    list.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
    list.replaceChildren(...found.map((v, i) => el("li", { role: "option", id: `found-${i}`, "aria-selected": i === at, onpointerdown: (event) => {
      event.preventDefault();
      take(v);
    } }, el("bdi", { text: clean(model.variables[v].name) }))));
    if (isOpen) input.setAttribute("aria-activedescendant", `found-${at}`);
    else input.removeAttribute("aria-activedescendant");
  }

  function take(v) {
    found = [];
    show();
    input.value = "";
    input.blur();
    choose(model.variables[v].name);
  }

  input.addEventListener("input", find);
  input.addEventListener("blur", () => {
    found = [];
    show();
  });
  input.addEventListener("keydown", (event) => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (way && found.length) {
      event.preventDefault();
      at = (at + way + found.length) % found.length;
      show();
    } else if (event.key === "Enter" && found.length) {
      take(found[at]);
    } else if (event.key === "Escape") {
      input.value = "";
      input.blur();
    }
  });
}
