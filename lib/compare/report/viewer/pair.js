// SPDX-License-Identifier: Apache-2.0
// The current pair: its layer's pixels, how they are shown, and its regions.

class PairView {
  constructor(stage, list) {
    this.stage = stage;
    this.list = list;
    this.entry = null;
    this.layer = null;
    this.repaint = oncePerFrame(() => this.paint());
    byId("layer").addEventListener("change", () => this.openLayer());
    byId("channel").addEventListener("change", () => this.changeChannel());
    byId("fit-range").addEventListener("change", () => this.repaint());
    byId("exposure").addEventListener("input", () => this.repaint());
    byId("heat").addEventListener("input", () => this.paintMaps());
  }

  open(entry) {
    this.entry = entry;
    location.replace(`#${entry.id}`);
    document.title = `${entry.name} – ${statusWords[entry.status]}`;
    byId("viewer").className = `is-${entry.status}`;
    byId("name").replaceChildren(
        make("span", {className: `badge ${entry.status}`}, statusWords[entry.status]),
        make("bdi", {}, entry.name));
    byId("reasons").replaceChildren(...entry.reasons.map((text) => make("li", {}, text)));
    byId("accept").checked = this.list.accepted.has(entry);
    byId("accept").disabled = !canAccept(entry);
    this.layers = entry.parts.flatMap((part, i) => part.layers.map(
        (layer, k) => ({...layer, index: k, part: {name: part.name, index: part.number ?? i,
                                                            level: part.level ?? ""}})));
    byId("layer").replaceChildren(...this.layers.map(
        (layer, i) => make("option", {value: i}, layerText(layer, i))));
    byId("layer-field").hidden = this.layers.length < 2;
    if (this.layers.length > 0) byId("layer").value = firstLayerToShow(entry.pair, this.layers);
    this.openLayer();
  }

  async openLayer() {
    const {entry} = this;
    const chosen = this.layers[Number(byId("layer").value) || 0];
    this.clear();
    showFacts(entry, null);
    showMetrics(entry, chosen, (place, value) => this.showPlace(place, value));
    if (!chosen?.file) {
      this.showWithoutPixels(chosen?.omitted);
      return;
    }
    this.say("Loading pixels…");
    try {
      const layer = await loadLayer(entry, chosen.file);
      // The user may have chosen something else while the script was loading.
      if (this.entry !== entry || this.layers[Number(byId("layer").value) || 0] !== chosen) return;
      this.showLayer(layer);
    } catch (error) {
      if (this.entry === entry) this.say(`No pixels: ${error.message}.`);
    }
  }

  clear() {
    this.layer = null;
    Object.assign(this.stage, {pictures: {}, regions: [], region: -1, probe: null});
    byId("controls").inert = true;
    delete this.stage.box.dataset.ready;
    this.showRegion();
    showProbe(null, null);
    this.stage.redraw();
  }

  say(text, ...more) {
    byId("message").replaceChildren(text, ...more);
  }

  // A passed pair only has a thumbnail, and a report made from JSON not even that.
  showWithoutPixels(reason) {
    const {entry} = this;
    const text = reason ?? (entry.status === "passed" ? "Passed: no pixels are kept."
                                                      : "This report holds no pixels of the pair.");
    if (entry.thumb) this.say(make("img", {src: entry.thumb, alt: "Thumbnail"}), text);
    else this.say(text);
  }

  showLayer(layer) {
    const isNew = !this.layer;
    this.layer = layer;
    this.say("");
    byId("controls").inert = false;
    const image = layer.golden ?? layer.result;
    const isColor = rolesOf(image).isColor;
    const before = byId("channel").value;
    const choices = channelChoices(image);
    const options = choices.map(([value, text]) => make("option", {value}, text));
    byId("channel").replaceChildren(...options);
    if (choices.some(([value]) => value === before)) byId("channel").value = before;
    byId("fit-range").checked = !isColor && isFloating(image.type);
    byId("fit-field").hidden = !isFloating(image.type);
    this.stage.view.fitted ||= isNew;
    this.stage.setBounds(layer.window);
    showFacts(this.entry, layer);
    this.findDifferences();
    this.paint();
    this.paintMaps();
    this.stage.box.dataset.ready = this.entry.id;
  }

  readLook() {
    return {exposure: Number(byId("exposure").value), channel: byId("channel").value, range: null};
  }

  showExposure(exposure) {
    const sign = exposure < 0 ? "-" : "+";
    byId("exposure-text").textContent = `${sign}${Math.abs(exposure).toFixed(2)}`;
  }

  findDifferences() {
    const {layer} = this;
    const channel = byId("channel").value;
    const single = /^\d+$/.test(channel) ? Number(channel) : -1;
    this.map = layer.difference && single < 0 ? mapOfBytes(layer.difference)
                                              : differenceMap(layer, single);
    this.stage.regions = regionsOf(this.map);
    this.stage.region = -1;
    this.showRegion();
  }

  changeChannel() {
    if (!this.layer) return;
    this.findDifferences();
    this.paint();
    this.paintMaps();
  }

  paint() {
    if (!this.layer) return;
    const {golden, result} = this.layer;
    const look = this.readLook();
    this.showExposure(look.exposure);
    if (byId("fit-range").checked && !byId("fit-field").hidden)
      look.range = finiteRange([golden, result], look);
    for (const [name, image] of [["golden", golden], ["result", result]])
      this.stage.pictures[name] = image && {canvas: paintImage(image, look), x: image.x, y: image.y,
                                            width: image.width, height: image.height};
    this.stage.redraw();
  }

  paintMaps() {
    if (!this.layer) return;
    const stops = Number(byId("heat").value), gain = 2 ** stops;
    byId("heat-text").textContent = `×${numberText(+gain.toPrecision(3))}`;
    const {flip} = this.layer, {map} = this;
    const {pictures} = this.stage;
    // FLIP has a fixed scale, 0 to 1; a difference is shown relative to the largest one.
    const largest = map.largest || 1;
    const paint = (of, scale, full) => ({...of, full, canvas: paintMap(of, scale)});
    pictures.difference = {...paint(map, gain / largest, largest / gain),
                           leftOut: leftOutText(this.layer)};
    pictures.flip = flip && paint(flip, gain / 255, 1 / gain);
    this.stage.redraw();
  }

  readPixel(pixel, isSpoken = false) {
    if (!this.layer || !pixel) return;
    this.stage.probe = pixel;
    const sentence = showProbe(this.layer, pixel);
    if (isSpoken) speak(sentence);
    // The frame around the pixel is only drawn if pixels are large.
    if (this.stage.marksProbe()) this.stage.redraw();
  }

  movePixel(dx, dy) {
    if (!this.layer) return;
    const {window} = this.layer, {stage} = this;
    const start = stage.probe ?? {x: Math.floor(stage.view.center.x) - dx,
                                  y: Math.floor(stage.view.center.y) - dy};
    const pixel = {x: clamp(start.x + dx, window.x, window.x + window.width - 1),
                   y: clamp(start.y + dy, window.y, window.y + window.height - 1)};
    stage.view.reveal(pixel.x, pixel.y);
    this.readPixel(pixel, true);
    stage.redraw();
  }

  /** A pixel that a metric names; it may belong to another layer. */
  showPlace(place, value) {
    const wanted = this.layers.findIndex((layer) => isOfLayer(value, layer));
    const shown = this.layers[Number(byId("layer").value) || 0];
    if (shown && isOfLayer(value, shown)) {
      if (!this.layer) return;
      this.stage.view.show({...place, width: 1, height: 1});
      this.readPixel(place, true);
      this.stage.redraw();
    } else if (wanted >= 0) {
      byId("layer").value = wanted;
      this.openLayer().then(() => this.layer && this.showPlace(place, value));
    }
  }

  jump(steps) {
    const {stage} = this, count = stage.regions.length;
    if (count === 0) return;
    stage.region = stage.region < 0 ? (steps > 0 ? 0 : count - 1)
                                    : (stage.region + steps + count) % count;
    const region = stage.regions[stage.region];
    stage.view.show(region);
    this.readPixel(this.firstDiffering(region));
    this.stage.redraw();
    this.showRegion();
    speak(byId("region-text").textContent);
  }

  firstDiffering(region) {
    const {map} = this;
    for (let y = region.y; y < region.y + region.height; ++y)
      for (let x = region.x; x < region.x + region.width; ++x)
        if (map.values[(y - map.y) * map.width + x - map.x] !== 0) return {x, y};
    return {x: region.x, y: region.y};
  }

  showRegion() {
    const {regions, region} = this.stage;
    const text = byId("region-text");
    byId("region-previous").disabled = byId("region-next").disabled = regions.length === 0;
    if (regions.length === 0) text.textContent = this.layer ? "no difference" : "no regions";
    else if (region < 0) text.textContent = countText(regions.length, "region");
    else text.textContent = `${region + 1} of ${regions.length} · ${regions[region].count} px`;
  }
}

function layerText(layer, i) {
  const level = layer.part.level && `level ${layer.part.level}`;
  const names = [layer.part.name, level, layer.name].filter(Boolean).join(" / ");
  return `${names || (i === 0 ? "main" : `layer ${i + 1}`)} (${layer.channels.join("")})`;
}
