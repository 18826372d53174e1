// SPDX-License-Identifier: Apache-2.0
// Interprets the output of `compare --json` for a pair, for the list and the tables.

const statusWords = {
  failed: "Failed", error: "Error", missing: "Missing", extra: "Extra", warned: "Warned",
  skipped: "Skipped", passed: "Passed",
};
const statusOrder = Object.keys(statusWords);  // failed first

// Reasons are texts, or objects with a code for programs and a text for people.
const reasonText = (reason) => typeof reason === "string" ? reason : reason.text ?? reason.code;

// A pair of files has both names even if a file does not exist; a code says so.
const hasCode = (pair, code) => Boolean(pair.reason_codes?.includes(code));
const hasResult = (pair) => Boolean(pair.result) && !hasCode(pair, "missing");

function statusOf(pair) {
  if (pair.verdict === "error") return "error";
  if (pair.skipped) return "skipped";
  if (pair.verdict === "same") return pair.warnings?.length ? "warned" : "passed";
  if (!hasResult(pair)) return "missing";
  return !pair.golden || hasCode(pair, "extra") ? "extra" : "failed";
}

/** Nested objects as dotted names: {flip: {mean: 1}} is [["flip.mean", 1]]. */
function flatMetrics(metrics, prefix = "") {
  const rows = [];
  for (const [name, value] of Object.entries(metrics ?? {})) {
    const isPlace = ["first", "worst"].includes(name);
    if (value && typeof value === "object" && !Array.isArray(value) && !isPlace)
      rows.push(...flatMetrics(value, `${prefix}${name}.`));
    else rows.push([prefix + name, value]);
  }
  return rows;
}

// JSON has no infinity: reports write it as text, or as null if a metric has no value.
function metricText(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return numberText(value);
  if (Array.isArray(value)) return value.map(metricText).join(", ");
  if (typeof value === "object")
    return Object.entries(value).map(([name, part]) => `${name} ${metricText(part)}`).join("  ");
  return String(value);
}

const countText = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** Six significant digits, and integers exactly. */
function numberText(value) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const size = Math.abs(value);
  return size < 1e-4 || size >= 1e7 ? value.toExponential(4) : String(+value.toPrecision(6));
}

function readReport() {
  const report = JSON.parse(byId("report-data").textContent);
  const order = new Intl.Collator("en", {numeric: true});
  for (const entry of report.pairs) {
    entry.name ||= entry.pair.result || entry.pair.golden || `pair ${entry.id}`;
    entry.status = statusOf(entry.pair);
    entry.searched = entry.name.toLowerCase();
    entry.metrics = new Map(flatMetrics(entry.pair.metrics));
    const {reasons = [], warnings = [], notes = []} = entry.pair;
    const skips = entry.pair.skipped ? [entry.pair.skipped] : [];
    entry.reasons = [...skips, ...reasons, ...warnings, ...notes].map(reasonText);
    entry.parts ??= [];
  }
  const rank = (entry) => statusOrder.indexOf(entry.status);
  report.pairs.sort((a, b) => rank(a) - rank(b) || order.compare(a.name, b.name));
  return report;
}

const sorts = {
  "failed first": null,
  "FLIP mean": "flip.mean",
  "largest error": "max_absolute",
  "pixels differing": "pixels_differing",
};

/** Whether an object, which names a part and a layer by number or by name, and perhaps a mip level,
    refers to this layer. The golden's index counts if it is given: names are those of the channels
    that were compared. */
function isOfLayer(object, layer) {
  const fits = (value, ...keys) => value === undefined || keys.includes(value);
  return (object.level ?? "") === layer.part.level &&
         fits(object.part, layer.part.index, layer.part.name) &&
         fits(object.golden_layer ?? object.layer, layer.index,
              layer.name || layer.channels.join(""));
}

/** The index of the layer that is shown first: the first that fails, or else that differs. */
function firstLayerToShow(pair, layers) {
  const figures = (layer) => pair.layers?.find((object) => isOfLayer(object, layer)) ?? {};
  for (const count of ["pixels_failing", "non_finite_mismatches", "pixels_differing"]) {
    const found = layers.findIndex((layer) => figures(layer)[count] > 0);
    if (found >= 0) return found;
  }
  return 0;
}

/** Pairs of the chosen statuses (none: all) whose names contain every word, in the chosen order. */
function choosePairs(pairs, statuses, words, sort) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = pairs.filter((entry) => (statuses.size === 0 || statuses.has(entry.status)) &&
                                         wanted.every((word) => entry.searched.includes(word)));
  const metric = sorts[sort];
  if (!metric) return chosen;
  const value = (entry) => entry.metrics.get(metric) ?? -1;
  return chosen.sort((a, b) => value(b) - value(a));
}

/** The text below the name in a row of the list. */
function shortText(entry) {
  const words = [];
  const flip = entry.metrics.get("flip.mean") ?? entry.metrics.get("hdr_flip.mean");
  const count = entry.metrics.get("pixels_differing");
  if (typeof count === "number" && count > 0) words.push(`${numberText(count)} px`);
  if (typeof flip === "number" && flip > 0) words.push(`FLIP ${numberText(+flip.toPrecision(3))}`);
  if (words.length) return words.join(" · ");
  return entry.reasons[0] ?? "";
}
