// SPDX-License-Identifier: Apache-2.0
// The keyboard: one table, from which the help is also made.

/** @returns list of {keys, text, run}; `keys` are values of KeyboardEvent.key. */
function keyTable(actions) {
  const modeKeys = Object.entries(modes).map(
      ([name, mode]) => ({keys: [mode.key], text: mode.text, run: () => actions.mode(name)}));
  return [
    {keys: ["j"], text: "Next image", run: () => actions.go(1)},
    {keys: ["k"], text: "Previous image", run: () => actions.go(-1)},
    {keys: ["n"], text: "Next differing region", run: () => actions.jump(1)},
    {keys: ["p"], text: "Previous differing region", run: () => actions.jump(-1)},
    {keys: ["o"], text: "Outline differing regions", run: () => actions.outline()},
    ...modeKeys,
    {keys: [" "], name: "Space", text: "Flicker: swap golden and result",
     run: () => actions.swap()},
    {keys: ["+", "="], text: "Zoom in", run: () => actions.zoom(2)},
    {keys: ["-"], text: "Zoom out", run: () => actions.zoom(0.5)},
    {keys: ["0"], text: "Fit the image", run: () => actions.fit()},
    {keys: ["e"], text: "Exposure up by half a stop", run: () => actions.expose(0.5)},
    {keys: ["E"], name: "Shift+E", text: "Exposure down by half a stop",
     run: () => actions.expose(-0.5)},
    {keys: ["r"], text: "Reset exposure and heat", run: () => actions.reset()},
    {keys: ["c"], text: "Next channel", run: () => actions.turn("channel")},
    {keys: ["l"], text: "Next layer", run: () => actions.turn("layer")},
    {keys: ["a"], text: "Accept the result, or take that back", run: () => actions.accept()},
    {keys: ["/"], text: "Search", run: () => actions.search()},
    {keys: ["t"], text: "Light or dark", run: () => toggleTheme()},
    {keys: ["?"], text: "This help", run: () => byId("help").showModal()},
  ];
}

const arrowSteps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

// Keys that the focused element needs.
function isTyping(event) {
  const {target} = event;
  if (target.tagName === "TEXTAREA") return true;
  if (target.tagName === "SELECT") return event.key.length === 1;
  if (target.tagName === "INPUT")
    return !["checkbox", "range"].includes(target.type) || event.key === " ";
  return target.tagName === "BUTTON" && event.key === " ";
}

function watchKeys(table, actions) {
  const byKey = new Map(table.flatMap((row) => row.keys.map((key) => [key, row])));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") {
      actions.leave();
      return;
    }
    const step = arrowSteps[event.key];
    if (step && event.target === byId("stage")) {
      const far = event.shiftKey ? 10 : 1;
      actions.movePixel(step[0] * far, step[1] * far);
      event.preventDefault();
      return;
    }
    if (step && event.target.className === "pair" && step[1]) {
      actions.go(step[1], true);
      event.preventDefault();
      return;
    }
    const row = byKey.get(event.key);
    if (!row || isTyping(event)) return;
    event.preventDefault();
    row.run();
  });
  const rows = [...table.map((row) => [row.name ?? row.keys.join(" or "), row.text]),
                ["Arrows", "Image in focus: move the pixel that is read (Shift: by ten)"],
                ["Esc", "Back to the list"]];
  byId("keys").append(...rows.map(([keys, text]) => make("tr", {},
      make("td", {}, make("kbd", {}, keys)),
      make("td", {}, text))));
}
