// SPDX-License-Identifier: Apache-2.0
// Connects the parts: the list chooses a pair, and the controls and keys set how it is shown.

const report = readReport();
const stage = new Stage();
const flicker = new Flicker(stage);
const list = new PairList(report, (entry) => choose(entry));
const pair = new PairView(stage, list);
new Pointer(stage, (pixel) => pair.readPixel(pixel, true));

function choose(entry, isFirst = false) {
  if (!entry) return;
  pair.open(entry);
  list.show(entry);
  // On a narrow screen the list and the image are separate pages.
  if (!isFirst) document.body.classList.add("is-viewing");
}

function setMode(name) {
  stage.mode = name;
  stage.box.dataset.mode = name;
  for (const button of byId("modes").children) {
    const isOn = button.dataset.mode === name;
    button.setAttribute("aria-checked", String(isOn));
    button.tabIndex = isOn ? 0 : -1;
  }
  const shows = (...names) => names.includes(name);
  byId("blend-field").hidden = !shows("blend");
  byId("flicker-field").hidden = !shows("flicker");
  byId("heat-field").hidden = !shows("difference", "flip", "all");
  flicker.enter(name === "flicker");
  stage.redraw();
}

function makeModes() {
  const names = Object.keys(modes);
  for (const name of names) {
    const {text, key} = modes[name];
    const button = make("button", {role: "radio", title: `${text} (${key})`}, text);
    button.dataset.mode = name;
    button.addEventListener("click", () => setMode(name));
    button.addEventListener("keydown", (event) => {
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (!step) return;
      const next = names[(names.indexOf(name) + step + names.length) % names.length];
      setMode(next);
      byId("modes").querySelector(`[data-mode=${next}]`).focus();
      event.preventDefault();
    });
    byId("modes").append(button);
  }
}

function setInput(id, value, event = "input") {
  const input = byId(id);
  input.value = value;
  input.dispatchEvent(new Event(event));
}

function turnChoice(id) {
  const {options, selectedIndex} = byId(id);
  const next = options[(selectedIndex + 1) % options.length];
  if (options.length > 1) setInput(id, next.value, "change");
}

const actions = {
  go(steps, isFocused = false) {
    choose(list.neighbour(steps));
    if (isFocused) byId("list").querySelector(".row.current .pair")?.focus();
  },
  jump: (steps) => pair.jump(steps),
  outline() {
    stage.outlined = !stage.outlined;
    setPressed(byId("outline"), stage.outlined);
    stage.redraw();
  },
  mode: setMode,
  swap() {
    if (stage.mode !== "flicker") setMode("flicker");
    flicker.swap();
  },
  zoom(factor) {
    stage.view.zoomBy(factor);
    stage.redraw();
  },
  fit() {
    stage.view.fit();
    stage.redraw();
  },
  expose: (stops) => setInput("exposure", Number(byId("exposure").value) + stops),
  reset() {
    setInput("exposure", 0);
    setInput("heat", 0);
  },
  turn: turnChoice,
  accept() {
    if (list.current) list.accept(list.current, !list.accepted.has(list.current));
  },
  search() {
    document.body.classList.remove("is-viewing");
    byId("search").select();
  },
  movePixel: (dx, dy) => pair.movePixel(dx, dy),
  leave() {
    document.body.classList.remove("is-viewing");
    byId("list").querySelector(".row.current .pair")?.focus();
  },
};

function watchControls() {
  const click = (id, run) => byId(id).addEventListener("click", run);
  click("theme", toggleTheme);
  click("help-button", () => byId("help").showModal());
  click("back", actions.leave);
  click("region-next", () => pair.jump(1));
  click("region-previous", () => pair.jump(-1));
  click("outline", actions.outline);
  click("zoom-in", () => actions.zoom(2));
  click("zoom-out", () => actions.zoom(0.5));
  click("zoom-fit", actions.fit);
  click("accept-copy", () => showAcceptCommand(list.accepted, report.command ?? {}));
  click("accept-clear", () => {
    for (const entry of [...list.accepted]) list.accept(entry, false);
  });
  const tick = byId("accept");
  tick.addEventListener("change", () => list.accept(list.current, tick.checked));
  byId("blend").addEventListener("input", () => {
    stage.opacity = byId("blend").value / 100;
    byId("blend-text").textContent = `${byId("blend").value} %`;
    stage.redraw();
  });
}

function showSummary() {
  const {pairs} = report;
  const bad = pairs.filter((entry) => !["passed", "warned"].includes(entry.status)).length;
  const images = countText(pairs.length, "image");
  byId("title").textContent = report.title || "cuimg compare";
  byId("summary").textContent = bad === 0 ? `${images}, no failure` : `${bad} of ${images} failed`;
}

showSummary();
makeModes();
watchControls();
watchKeys(keyTable(actions), actions);
setMode("slider");
showAccepted(list.accepted);
choose(report.pairs.find((entry) => `#${entry.id}` === location.hash) ?? report.pairs[0], true);
if (report.pairs.length === 0) pair.say("The report has no images.");
document.documentElement.dataset.loaded = String(Math.round(performance.now()));
