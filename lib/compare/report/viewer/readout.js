// SPDX-License-Identifier: Apache-2.0
// The values of one pixel on both sides, and the tables of metrics and facts.

/** A stored value as text: floats with enough digits to distinguish halves, integers exactly. */
function storedText(image, index) {
  const value = storedValue(image, index);
  if (!isFloating(image.type)) return String(value);
  if (!Number.isFinite(value)) return numberText(value);
  if (Object.is(value, -0)) return "-0";
  return String(+value.toPrecision(image.type === "half" ? 5 : 9));
}

function cell(text, className = "") {
  return make("td", {className}, text);
}

function valueCell(image, index) {
  if (!image) return cell("no image", "absent");
  if (index < 0) return cell("outside", "absent");
  const isNumber = Number.isFinite(storedValue(image, index));
  return cell(storedText(image, index), isNumber ? "" : "marked");
}

function differenceCell(golden, a, result, b) {
  if (a < 0 || b < 0) return cell("–", "absent");
  const difference = differenceOf(metricValue(golden, a), metricValue(result, b));
  if (difference === 0) return cell("0", "same");
  if (difference === Infinity) return cell("differs", "marked");
  const raw = storedValue(result, b) - storedValue(golden, a);
  return cell(`${raw > 0 ? "+" : ""}${numberText(raw)}`, "differs");
}

/** Shows both sides' values at a pixel. @returns them as a sentence, for a screen reader. */
function showProbe(layer, pixel) {
  const body = byId("probe").tBodies[0];
  const hasPixel = Boolean(layer && pixel);
  byId("probe").hidden = !hasPixel;
  byId("probe-hint").hidden = hasPixel;
  byId("probe-place").textContent = hasPixel ? `${pixel.x}, ${pixel.y}` : "";
  if (!hasPixel) return "";
  const {golden, result} = layer;
  const shown = golden ?? result;
  const a = golden ? pixelIndex(golden, pixel.x, pixel.y) : -1;
  const b = result ? pixelIndex(result, pixel.x, pixel.y) : -1;
  const words = [];
  const names = [...new Set([...(golden?.channels ?? []), ...(result?.channels ?? [])])];
  const rows = names.map((name) => {
    const at = (image, start) => {
      const channel = image?.channels.indexOf(name) ?? -1;
      return channel < 0 || start < 0 ? -1 : start + channel;
    };
    const [i, j] = [at(golden, a), at(result, b)];
    const difference = differenceCell(golden, i, result, j);
    const cells = [valueCell(golden, i), valueCell(result, j), difference];
    words.push(`${name} golden ${cells[0].textContent} result ${cells[1].textContent}`);
    const full = shown.layer_name ? `${shown.layer_name}.${name}` : name;
    return make("tr", {}, make("th", {scope: "row"}, full), ...cells);
  });
  const addRow = (name, text) => rows.push(
      make("tr", {}, make("th", {scope: "row"}, name), make("td", {colSpan: 3}, text)));
  if (layer.flip) {
    const i = mapIndex(layer.flip, pixel.x, pixel.y);
    addRow("FLIP", i < 0 ? "–" : (layer.flip.values[i] / 255).toFixed(3));
  }
  if (layer.forgiven) {
    const i = mapIndex(layer.forgiven, pixel.x, pixel.y);
    const by = i < 0 ? "" : forgivenBy[layer.forgiven.values[i]];
    addRow("Forgiven", by || "–");
    if (by) words.push(`forgiven: ${by}`);
  }
  body.replaceChildren(...rows);
  return `x ${pixel.x}, y ${pixel.y}: ${words.join("; ")}`;
}

// The usual order of interest; other metrics follow in the report's order.
const metricOrder = ["max_absolute", "max_relative", "max_ulp", "rmse", "psnr", "ssim", "ms_ssim",
                     "flip.mean", "flip.weighted_median", "hdr_flip.mean", "delta_e_2000.mean",
                     "pixels_differing", "first", "worst"];

/** @param layer the current one; if the report has metrics of it, they are a column. */
function showMetrics(entry, layer, onPlace) {
  const own = layer && entry.pair.layers?.find((object) => isOfLayer(object, layer));
  const ofLayer = entry.pair.layers?.length > 1 ? new Map(flatMetrics(own?.metrics)) : new Map();
  const rank = (name) => metricOrder.includes(name) ? metricOrder.indexOf(name) : 99;
  const names = [...new Set([...entry.metrics.keys(), ...ofLayer.keys()])];
  names.sort((a, b) => rank(a) - rank(b));
  const content = (value) => placeOf(value) ? placeButton(value, onPlace) : metricText(value);
  const rows = names.map((name) => {
    const value = entry.metrics.get(name);
    const isWide = ofLayer.size > 0 && placeOf(value);
    const row = make("tr", {}, make("th", {scope: "row"}, ...breakable(name)),
                     make("td", {colSpan: isWide ? 2 : 1}, content(value)));
    if (ofLayer.size && !isWide) row.append(make("td", {}, content(ofLayer.get(name))));
    return row;
  });
  if (rows.length === 0)
    rows.push(make("tr", {}, make("td", {colSpan: 2, className: "absent"}, "none computed")));
  const titles = ["Metric", "All", ofLayer.size ? "Layer" : ""].filter(Boolean);
  const head = byId("metrics").tHead;
  head.className = ofLayer.size ? "" : "unseen";
  head.rows[0].replaceChildren(...titles.map((text) => make("th", {scope: "col"}, text)));
  byId("metrics").tBodies[0].replaceChildren(...rows);
}

/** A long name in pieces between which a line may break: hdr_ flip. weighted_ median. */
function breakable(name) {
  return name.split(/(?<=[._])/).flatMap((piece, i) => i > 0 ? [make("wbr"), piece] : [piece]);
}

/** A metric that is a pixel, {x, y, ...} or [x, y]; or null. */
function placeOf(value) {
  const [x, y] = Array.isArray(value) ? value : [value?.x, value?.y];
  return Number.isInteger(x) && Number.isInteger(y) ? {x, y} : null;
}

function placeButton(value, onPlace) {
  const place = placeOf(value);
  const {channel, golden, result} = Array.isArray(value) ? {} : value;
  const button = make("button", {className: "place", title: "Show this pixel"},
                      `${place.x}, ${place.y}`);
  button.addEventListener("click", () => onPlace(place, value));
  // JSON has no NaN: null means not finite.
  const text = (number) => number === null ? "not finite" : metricText(number);
  const values = golden === undefined ? "" : `${text(golden)} → ${text(result)}`;
  const more = [channel, values].filter(Boolean).join(" ");
  return more ? make("span", {}, button, " ", make("span", {className: "whole"}, more)) : button;
}

function factsOf(entry, layer) {
  const {pair} = entry;
  const facts = ["golden", "result"].map((side) => [side, pair[side] || "missing"]);
  for (const name of ["variant", "rule"]) if (pair[name]) facts.push([name, pair[name]]);
  const {labels = [], part} = pair.compared ?? {};
  if (part) facts.push(["compared part", part]);
  if (labels.length) facts.push(["compared layers", labels.join(", ")]);
  for (const line of pair.allowed ?? []) facts.push(["allowed", line]);
  for (const [what, count] of Object.entries(pair.forgiven ?? {}))
    if (count > 0) facts.push([`forgiven, ${what.replace("_", "-")}`, String(count)]);
  if (pair.equal_bytes) facts.push(["bytes", "equal"]);
  for (const [side, image] of [["golden", layer?.golden], ["result", layer?.result]]) {
    if (!image) continue;
    // A result of another place is drawn over the golden, as it is compared.
    const [dx, dy] = image.moved ?? [0, 0];
    const x = image.x - dx, y = image.y - dy;
    const at = x || y ? ` at ${x}, ${y}` : "";
    facts.push([`${side} pixels`, `${image.width} × ${image.height}${at}, ` +
                `${image.channels.join(" ")}, ${image.type}, ${image.curve}`]);
    const marks = countMarks(image);
    if (marks.nan) facts.push([`NaN in ${side}`, countText(marks.nan, "value")]);
    if (marks.infinite) facts.push([`Inf in ${side}`, countText(marks.infinite, "value")]);
  }
  return facts;
}

function showFacts(entry, layer) {
  byId("facts").replaceChildren(...factsOf(entry, layer).flatMap(
      ([name, value]) => [make("dt", {}, name), make("dd", {}, make("bdi", {}, value))]));
}
