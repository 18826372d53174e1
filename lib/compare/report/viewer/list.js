// SPDX-License-Identifier: Apache-2.0
// The list of pairs. Only visible rows are elements: ten thousand pairs open as fast as ten.

const rowHeight = 64;
const spareRows = 6;

class PairList {
  /** @param onChoose called with the chosen entry. */
  constructor(report, onChoose) {
    this.report = report;
    this.onChoose = onChoose;
    this.statuses = new Set();
    this.accepted = new Set();
    this.shown = report.pairs;
    this.current = null;
    this.rows = new Map();
    this.box = byId("list");
    this.spacer = make("div", {className: "spacer", role: "presentation"});
    this.box.append(this.spacer);
    this.empty = make("p", {className: "empty", hidden: true}, "No image matches.");
    this.box.append(this.empty);
    const redraw = oncePerFrame(() => this.draw());
    this.box.addEventListener("scroll", redraw, {passive: true});
    new ResizeObserver(redraw).observe(this.box);
    this.makeFilters();
    byId("search").addEventListener("input", () => this.choose());
    byId("sort").append(...Object.keys(sorts).map((name) => make("option", {value: name}, name)));
    byId("sort").addEventListener("change", () => this.choose());
    this.draw();
  }

  makeFilters() {
    for (const status of statusOrder) {
      const count = this.report.pairs.filter((entry) => entry.status === status).length;
      if (count === 0) continue;
      const button = make("button", {className: `chip ${status}`, "aria-pressed": "false"},
                          make("i", {className: "dot", "aria-hidden": "true"}),
                          `${statusWords[status]} `, make("b", {}, String(count)));
      button.dataset.status = status;
      button.addEventListener("click", () => {
        if (!this.statuses.delete(status)) this.statuses.add(status);
        setPressed(button, this.statuses.has(status));
        this.choose();
      });
      byId("filters").append(button);
    }
  }

  /** Applies filters, search and order. */
  choose() {
    this.shown = choosePairs(this.report.pairs, this.statuses, byId("search").value,
                             byId("sort").value);
    this.rows.forEach((row) => row.remove());
    this.rows.clear();
    this.box.scrollTop = 0;
    this.empty.hidden = this.shown.length > 0;
    this.draw();
    const all = this.report.pairs.length;
    speak(`${this.shown.length} of ${all} images`);
  }

  draw() {
    this.spacer.style.height = `${this.shown.length * rowHeight}px`;
    const first = Math.max(0, Math.floor(this.box.scrollTop / rowHeight) - spareRows);
    const height = this.box.clientHeight || 800;
    const last = Math.min(this.shown.length,
                          Math.ceil((this.box.scrollTop + height) / rowHeight) + spareRows);
    for (const [index, row] of this.rows) {
      const holdsFocus = row.contains(document.activeElement);
      if ((index >= first && index < last) || holdsFocus) continue;
      row.remove();
      this.rows.delete(index);
    }
    for (let index = first; index < last; ++index) {
      if (this.rows.has(index)) continue;
      const row = this.makeRow(this.shown[index], index);
      this.rows.set(index, row);
      this.spacer.append(row);
    }
  }

  makeRow(entry, index) {
    const slash = entry.name.lastIndexOf("/") + 1;
    const picture = entry.thumb ? make("img", {src: entry.thumb, alt: "", decoding: "async"})
                                : make("span", {className: "no-thumb", "aria-hidden": "true"});
    const button = make("button", {className: "pair", title: entry.name},
        make("span", {className: "thumb"}, picture),
        make("span", {className: "words"},
             make("bdi", {className: "file"}, entry.name.slice(slash)),
             make("bdi", {className: "folder"}, entry.name.slice(0, slash)),
             make("span", {className: "short"},
                  make("i", {className: `dot ${entry.status}`, "aria-hidden": "true"}),
                  [statusWords[entry.status], shortText(entry)].filter(Boolean).join(" · "))));
    button.addEventListener("click", () => this.onChoose(entry));
    const tick = make("input", {type: "checkbox", checked: this.accepted.has(entry),
                                ariaLabel: `Accept ${entry.name}`, title: "Accept (a)"});
    tick.hidden = !canAccept(entry);
    tick.addEventListener("change", () => this.accept(entry, tick.checked));
    const row = make("div", {className: "row", role: "listitem", "aria-setsize": this.shown.length,
                             "aria-posinset": index + 1}, button, tick);
    row.style.top = `${index * rowHeight}px`;
    this.markRow(row, entry);
    return row;
  }

  markRow(row, entry) {
    const isCurrent = entry === this.current;
    row.classList.toggle("current", isCurrent);
    const button = row.firstChild;
    button.tabIndex = isCurrent || !this.shown.includes(this.current) ? 0 : -1;
    if (isCurrent) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
    row.lastChild.checked = this.accepted.has(entry);
  }

  refresh() {
    for (const [index, row] of this.rows) this.markRow(row, this.shown[index]);
  }

  accept(entry, on) {
    if (!canAccept(entry)) return;
    if (on) this.accepted.add(entry);
    else this.accepted.delete(entry);
    this.refresh();
    showAccepted(this.accepted);
    byId("accept").checked = this.accepted.has(this.current);
  }

  /** Scrolls until the entry's row is visible, and marks it as the current one. */
  show(entry) {
    this.current = entry;
    const index = this.shown.indexOf(entry);
    if (index >= 0) {
      const top = index * rowHeight, height = this.box.clientHeight;
      if (top < this.box.scrollTop) this.box.scrollTop = top;
      else if (top + rowHeight > this.box.scrollTop + height)
        this.box.scrollTop = top + rowHeight - height;
    }
    this.draw();
    this.refresh();
  }

  /** The entry `steps` rows below the current one, or the nearest one. */
  neighbour(steps) {
    const index = this.shown.indexOf(this.current);
    return this.shown[clamp(index < 0 ? 0 : index + steps, 0, this.shown.length - 1)];
  }
}
