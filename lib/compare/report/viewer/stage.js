// SPDX-License-Identifier: Apache-2.0
// The canvas: panes with the golden, the result and the maps, depending on the mode.

// Each mode's panes: lists of pictures that are drawn over each other. "a|b" is split at the
// divider.
const modes = {
  slider: {text: "Slider", key: "1", panes: () => [["golden|result"]]},
  flicker: {text: "Flicker", key: "2", panes: (stage) => [[stage.phase ? "result" : "golden"]]},
  side: {text: "Side by side", key: "3", panes: () => [["golden"], ["result"]]},
  blend: {text: "Blend", key: "4", panes: () => [["golden", "result"]]},
  difference: {text: "Difference", key: "5", panes: () => [["difference"]]},
  flip: {text: "FLIP", key: "6", panes: () => [["flip"]]},
  all: {text: "All", key: "7", panes: () => [["golden"], ["result"], ["difference"], ["flip"]]},
  golden: {text: "Golden", key: "8", panes: () => [["golden"]]},
  result: {text: "Result", key: "9", panes: () => [["result"]]},
};
const paneNames = {golden: "Golden", result: "Result", difference: "Difference", flip: "FLIP"};

class Stage {
  constructor() {
    this.box = byId("stage");
    this.canvas = byId("canvas");
    this.context = this.canvas.getContext("2d");
    this.view = new View();
    this.mode = "slider";
    this.phase = 0;       // flicker: which of the two is shown
    this.divider = 0.5;   // slider: share of the width
    this.opacity = 0.5;   // blend
    this.outlined = false;
    this.probe = null;    // the pixel that is read
    this.pictures = {};   // by name: {canvas, x, y, width, height} or null
    this.regions = [];
    this.region = -1;
    this.redraw = oncePerFrame(() => this.draw());
    new ResizeObserver(this.redraw).observe(this.box);
  }

  /** The panes' rectangles in the stage: side by side if the stage is wide, otherwise stacked. */
  panes() {
    const layers = modes[this.mode].panes(this);
    const width = this.box.clientWidth, height = this.box.clientHeight, gap = 2;
    let columns = layers.length === 4 ? 2 : layers.length;
    const {bounds} = this.view;
    if (layers.length === 2 && bounds.width / bounds.height > 1.2 * width / height) columns = 1;
    const rows = Math.ceil(layers.length / columns);
    const w = (width - gap * (columns - 1)) / columns, h = (height - gap * (rows - 1)) / rows;
    return layers.map((names, i) => ({names, width: w, height: h, x: (i % columns) * (w + gap),
                                      y: Math.floor(i / columns) * (h + gap)}));
  }

  setBounds(bounds) {
    this.view.bounds = bounds;
    this.redraw();
  }

  draw() {
    const ratio = devicePixelRatio || 1;
    const width = Math.round(this.box.clientWidth * ratio);
    const height = Math.round(this.box.clientHeight * ratio);
    if (this.canvas.width !== width || this.canvas.height !== height)
      Object.assign(this.canvas, {width, height});
    const panes = this.panes();
    this.view.setPlace(this.view.bounds, panes[0]);
    const {context} = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    for (const pane of panes) this.drawPane(pane);
    this.label(panes);
    this.placeDivider(panes[0]);
    byId("zoom-text").textContent = `${numberText(+(this.view.zoom * 100).toPrecision(3))} %`;
    this.box.dataset.zoom = this.view.zoom;
  }

  drawPane(pane) {
    const {context} = this;
    context.save();
    context.beginPath();
    context.rect(pane.x, pane.y, pane.width, pane.height);
    context.clip();
    context.translate(pane.x, pane.y);
    const [first, second] = pane.names;
    if (first.includes("|")) this.drawCut(pane, ...first.split("|"));
    else this.drawPicture(first, 1);
    if (second) this.drawPicture(second, this.opacity);
    if (this.outlined) this.drawRegions();
    this.drawProbe();
    context.restore();
  }

  drawCut(pane, left, right) {
    const {context} = this, edge = pane.width * this.divider;
    for (const [name, from, width] of [[left, 0, edge], [right, edge, pane.width - edge]]) {
      context.save();
      context.beginPath();
      context.rect(from, 0, width, pane.height);
      context.clip();
      this.drawPicture(name, 1);
      context.restore();
    }
  }

  drawPicture(name, opacity) {
    const picture = this.pictures[name];
    if (!picture) return;
    const {context, view} = this;
    const from = view.toPane(picture);
    context.globalAlpha = opacity;
    context.imageSmoothingEnabled = view.zoom < 1;
    context.imageSmoothingQuality = "high";
    context.drawImage(picture.canvas, from.x, from.y, picture.width * view.zoom,
                      picture.height * view.zoom);
    context.globalAlpha = 1;
  }

  frame(box, color, grow) {
    const {context, view} = this, from = view.toPane(box);
    const rect = [from.x - grow, from.y - grow, box.width * view.zoom + 2 * grow,
                  box.height * view.zoom + 2 * grow];
    // Dark below light, so that one of the two is visible on any picture.
    context.lineWidth = 3;
    context.strokeStyle = "rgba(0, 0, 0, 0.6)";
    context.strokeRect(...rect);
    context.lineWidth = 1.25;
    context.strokeStyle = color;
    context.strokeRect(...rect);
  }

  drawRegions() {
    this.regions.forEach((region, i) => {
      this.frame(region, i === this.region ? "#fff" : "#ffb454", 3);
    });
  }

  marksProbe() { return this.view.zoom >= 4; }

  drawProbe() {
    if (!this.probe || !this.marksProbe()) return;
    this.frame({...this.probe, width: 1, height: 1}, "#fff", 0);
  }

  /** Draws the name of each pane in its corner; for the slider at both ends. */
  label(panes) {
    const labels = [];
    const add = (name, x, y, end) => {
      const picture = this.pictures[name];
      const label = make("span", {className: "pane-label"},
                         picture ? paneNames[name] : `${paneNames[name]}: none`);
      if (picture?.full)
        label.append(make("i", {className: "ramp"}), numberText(+picture.full.toPrecision(3)));
      if (picture?.forgiven)
        label.append(make("i", {className: "forgiven", title: "Forgiven"}), "forgiven");
      if (picture?.leftOut) label.append(make("i", {className: "left-out"}, picture.leftOut));
      label.style.left = `${x}px`;
      label.style.top = `${y}px`;
      if (end) label.classList.add("end");
      labels.push(label);
    };
    for (const pane of panes) {
      const names = pane.names.flatMap((name) => name.split("|"));
      add(names[0], pane.x, pane.y, false);
      if (names[1]) add(names[1], pane.x + pane.width, pane.y, true);
    }
    byId("pane-labels").replaceChildren(...labels);
  }

  placeDivider(pane) {
    const divider = byId("divider");
    divider.hidden = this.mode !== "slider";
    divider.style.left = `${pane.width * this.divider}px`;
    const share = Math.round(this.divider * 100);
    divider.setAttribute("aria-valuenow", share);
    divider.setAttribute("aria-valuetext", `golden left of ${share} percent`);
  }

  /** The pixel of the image under a point of the stage, or null between the panes. */
  pixelAt(x, y) {
    const pane = this.paneAt(x, y);
    if (!pane) return null;
    const point = this.view.toImage({x: x - pane.x, y: y - pane.y});
    return {x: Math.floor(point.x), y: Math.floor(point.y)};
  }

  paneAt(x, y) {
    return this.panes().find((pane) => x >= pane.x && x < pane.x + pane.width && y >= pane.y &&
                                       y < pane.y + pane.height);
  }
}
