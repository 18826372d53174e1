// SPDX-License-Identifier: Apache-2.0
// Elements of the page. Text from the report is only added as text nodes, so that no file's name
// can become markup.

const byId = (id) => document.getElementById(id);

/** An element with properties and children; strings become text. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && name !== "role") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Runs `action` once per frame, however often it is called. */
function oncePerFrame(action) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      action();
    });
  };
}

/** Runs `action` with the last arguments when calls have paused for `milliseconds`. */
function afterPause(milliseconds, action) {
  let timer = 0;
  return (...words) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...words), milliseconds);
  };
}

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

// A screen reader reads a live region aloud when its text changes; the pause keeps a moving pointer
// quiet.
const speak = afterPause(350, (text) => { byId("spoken").textContent = text; });

function setPressed(button, on) {
  button.setAttribute("aria-pressed", String(on));
}

// The theme follows the system until the button is used.
const systemDark = matchMedia("(prefers-color-scheme: dark)");
function setTheme(name) {
  document.documentElement.dataset.theme = name;
}
function followSystemTheme() {
  setTheme(systemDark.matches ? "dark" : "light");
}
followSystemTheme();
systemDark.addEventListener("change", followSystemTheme);
function toggleTheme() {
  systemDark.removeEventListener("change", followSystemTheme);
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
}
