// SPDX-License-Identifier: Apache-2.0
// Mouse, pen and touch on the stage: drag to pan, wheel or pinch to zoom, point to read a pixel.

class Pointer {
  /** @param onPoint called with the pixel under the pointer, or null. */
  constructor(stage, onPoint) {
    this.stage = stage;
    this.onPoint = onPoint;
    this.down = new Map();  // by pointer: its last position
    const {canvas} = stage;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"])
      canvas.addEventListener(name, (event) => this.down.delete(event.pointerId));
    canvas.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
    canvas.addEventListener("dblclick", () => this.toggleFit());
    this.watchDivider();
  }

  place(event) {
    const box = this.stage.box.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  }

  press(event) {
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, this.place(event));
    this.stage.box.focus({preventScroll: true});
    this.onPoint(this.stage.pixelAt(...Object.values(this.place(event))));
  }

  move(event) {
    const now = this.place(event), before = this.down.get(event.pointerId);
    const {view} = this.stage;
    if (before) {
      const other = [...this.down].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const apart = (p) => Math.hypot(p.x - other.x, p.y - other.y) || 1;
        view.zoomBy(apart(now) / apart(before), this.inPane({x: (now.x + other.x) / 2,
                                                             y: (now.y + other.y) / 2}));
      } else {
        view.moveBy((before.x - now.x) / view.zoom, (before.y - now.y) / view.zoom);
      }
      this.down.set(event.pointerId, now);
      this.stage.redraw();
    }
    this.onPoint(this.stage.pixelAt(now.x, now.y));
  }

  inPane(at) {
    const pane = this.stage.paneAt(at.x, at.y);
    return pane ? {x: at.x - pane.x, y: at.y - pane.y} : undefined;
  }

  wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 20 : 1;
    this.stage.view.zoomBy(2 ** (-event.deltaY * lines / 240), this.inPane(this.place(event)));
    this.stage.redraw();
  }

  toggleFit() {
    const {view} = this.stage;
    if (view.fitted) view.zoomBy(Math.max(1, 1 / view.zoom));
    else view.fit();
    this.stage.redraw();
  }

  watchDivider() {
    const divider = byId("divider");
    const set = (share) => {
      this.stage.divider = clamp(share, 0, 1);
      this.stage.redraw();
    };
    divider.addEventListener("pointerdown", (event) => divider.setPointerCapture(event.pointerId));
    divider.addEventListener("pointermove", (event) => {
      const {x, y} = this.place(event);
      if (divider.hasPointerCapture(event.pointerId)) set(x / this.stage.box.clientWidth);
      else this.onPoint(this.stage.pixelAt(x, y));
    });
    divider.addEventListener("keydown", (event) => {
      const steps = {ArrowLeft: -0.02, ArrowRight: 0.02, PageDown: -0.1, PageUp: 0.1}[event.key];
      if (steps) set(this.stage.divider + steps);
      else if (event.key === "Home") set(0);
      else if (event.key === "End") set(1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
}
