// SPDX-License-Identifier: Apache-2.0
// Zoom and pan: the point of the image in the middle of every pane, and the scale.

const largestZoom = 64;

class View {
  constructor() {
    this.zoom = 1;      // screen pixels (CSS) per image pixel
    this.center = {x: 0, y: 0};
    this.fitted = true;  // whether it is fitted again when the window changes
    this.pane = {width: 1, height: 1};
    this.bounds = {x: 0, y: 0, width: 1, height: 1};
  }

  /** @param bounds of the image; @param pane the size of one pane. */
  setPlace(bounds, pane) {
    this.bounds = bounds;
    this.pane = pane;
    if (this.fitted) this.fit();
  }

  fit() {
    const {bounds, pane} = this;
    this.fitted = true;
    this.zoom = this.fitZoom();
    this.center = {x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2};
    return pane;
  }

  fitZoom() {
    const {bounds, pane} = this, margin = 0.96;
    const zoom = Math.min(pane.width / bounds.width, pane.height / bounds.height) * margin;
    // Whole steps, so that the pixels of a small image have about the same size.
    return clamp(zoom > 4 ? Math.floor(zoom) : zoom > 1 ? Math.floor(zoom * 4) / 4 : zoom, 1e-3,
                 largestZoom);
  }

  /** @param at the point of a pane that does not move; by default the middle. */
  zoomBy(factor, at = {x: this.pane.width / 2, y: this.pane.height / 2}) {
    const before = this.toImage(at);
    this.zoom = clamp(this.zoom * factor, Math.min(this.fitZoom(), 0.125), largestZoom);
    const after = this.toImage(at);
    this.moveBy(before.x - after.x, before.y - after.y);
  }

  /** In pixels of the image; the middle of the pane stays within the image. */
  moveBy(dx, dy) {
    const {bounds} = this;
    this.fitted = false;
    this.center = {x: clamp(this.center.x + dx, bounds.x, bounds.x + bounds.width),
                   y: clamp(this.center.y + dy, bounds.y, bounds.y + bounds.height)};
  }

  /** Shows a box of the image with room around it. */
  show(box) {
    const room = 3;
    this.zoom = clamp(Math.min(this.pane.width / (box.width * room),
                               this.pane.height / (box.height * room)),
                      Math.min(1, this.fitZoom()), 24);
    this.fitted = false;
    this.center = {x: box.x + box.width / 2, y: box.y + box.height / 2};
  }

  /** Moves only as far as needed to make the pixel visible. */
  reveal(x, y) {
    const reach = {x: this.pane.width / 2 / this.zoom - 1, y: this.pane.height / 2 / this.zoom - 1};
    const dx = x + 0.5 - this.center.x, dy = y + 0.5 - this.center.y;
    const over = (d, r) => Math.sign(d) * Math.max(0, Math.abs(d) - Math.max(r, 0));
    const moved = {x: over(dx, reach.x), y: over(dy, reach.y)};
    if (moved.x || moved.y) this.moveBy(moved.x, moved.y);
  }

  toImage(at) {
    return {x: this.center.x + (at.x - this.pane.width / 2) / this.zoom,
            y: this.center.y + (at.y - this.pane.height / 2) / this.zoom};
  }

  toPane(at) {
    return {x: (at.x - this.center.x) * this.zoom + this.pane.width / 2,
            y: (at.y - this.center.y) * this.zoom + this.pane.height / 2};
  }
}
