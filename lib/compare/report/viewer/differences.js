// SPDX-License-Identifier: Apache-2.0
// Finds where the stored values of golden and result differ, and the regions to jump between.

// The reason for forgiving a pixel, by the writer's codes.
const forgivenBy = ["", "ignored", "shifted", "antialiased", "not finite"];
const notFinite = 4;

const mapIndex = (map, x, y) => pixelIndex({...map, channels: [0]}, x, y);

/** The channels of both sides, by name: pairs of the golden's index and the result's. */
function commonChannels(golden, result) {
  if (!golden || !result) return [];
  return golden.channels.map((name, i) => [i, result.channels.indexOf(name)])
      .filter(([, j]) => j >= 0);
}

/** What the difference leaves out because one side lacks it; empty if nothing. */
function leftOutText({golden, result}) {
  if (!golden || !result) return `the ${golden ? "result" : "golden"} has no such layer`;
  const common = commonChannels(golden, result).map(([i]) => golden.channels[i]);
  const lacks = (side, image, other) => {
    const names = other.channels.filter((name) => !image.channels.includes(name));
    return names.length > 0 ? [`the ${side} has no ${names.join(", ")}`] : [];
  };
  const texts = [...lacks("golden", golden, result), ...lacks("result", result, golden)];
  if (texts.length === 0) return "";
  return common.length > 0 ? `of ${common.join(", ")}: ${texts.join(", ")}`
                           : "no channel in common";
}

/**
 * The largest difference among the channels of a pixel that both sides have, with integers relative
 * to their largest value.
 * Infinity if the values cannot be compared: NaN or an infinity on one side, or a pixel that one
 * side lacks. If the report states the compared area, such a pixel is black inside it, and the
 * difference is 0 outside it.
 * Forgiven pixels have the difference 0, and their code in `forgiven`.
 * @param channel an index among the golden's channels, or -1 for all.
 * @returns {x, y, width, height, values, forgiven, largest}; `largest` is over finite values.
 */
function differenceMap(layer, channel) {
  const {golden, result, window} = layer;
  const values = new Float32Array(window.width * window.height);
  const forgiven = layer.forgiven && new Uint8Array(values.length);
  const map = {...window, values, forgiven, largest: 0};
  const channels = commonChannels(golden, result).filter(([i]) => channel < 0 || i === channel);
  if (channels.length === 0) return {...map, values: values.fill(Infinity)};
  const sameType = golden.type === result.type;
  for (let y = 0, i = 0; y < window.height; ++y)
    for (let x = 0; x < window.width; ++x, ++i) {
      const at = forgiven ? mapIndex(layer.forgiven, window.x + x, window.y + y) : -1;
      const code = at < 0 ? 0 : layer.forgiven.values[at];
      if (code) forgiven[i] = code;
      if (code && code !== notFinite) continue;
      const a = pixelIndex(golden, window.x + x, window.y + y);
      const b = pixelIndex(result, window.x + x, window.y + y);
      if (a < 0 && b < 0) continue;
      if (layer.compared) {
        if (mapIndex(layer.compared, window.x + x, window.y + y) < 0) continue;
      } else if (a < 0 || b < 0) {
        values[i] = Infinity;
        continue;
      }
      let largest = 0;
      for (const [c, d] of channels) {
        if (a >= 0 && b >= 0 && sameType && golden.codes[a + c] === result.codes[b + d]) continue;
        const difference = differenceOf(a < 0 ? 0 : metricValue(golden, a + c),
                                        b < 0 ? 0 : metricValue(result, b + d));
        if (difference === Infinity && code) continue;
        if (difference > largest) largest = difference;
      }
      values[i] = largest;
      if (largest > map.largest && largest !== Infinity) map.largest = largest;
    }
  return map;
}

function differenceOf(a, b) {
  if (a === b || Number.isNaN(a) && Number.isNaN(b)) return 0;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Infinity;
  return Math.abs(a - b);
}

/** The writer's map of bytes, in the same form: it excludes what the verdict excluded. */
function mapOfBytes(map) {
  const values = Float32Array.from(map.values, (byte) => byte / 255);
  return {...map, values, largest: values.reduce((a, b) => Math.max(a, b), 0)};
}

/**
 * Boxes around differing pixels, in reading order. Pixels are joined across gaps of up to a tile,
 * so the grain of one object is one region.
 * @returns list of {x, y, width, height, count}.
 */
function regionsOf(map) {
  const side = clamp(2 ** Math.floor(Math.log2(Math.max(map.width, map.height) / 64)), 2, 64);
  const columns = Math.ceil(map.width / side), rows = Math.ceil(map.height / side);
  const counts = new Uint32Array(columns * rows);
  // The box of each tile's differing pixels: left, top, right, bottom.
  const boxes = new Int32Array(counts.length * 4);
  for (let y = 0, i = 0; y < map.height; ++y)
    for (let x = 0; x < map.width; ++x, ++i) {
      if (map.values[i] === 0) continue;
      const tile = (y / side | 0) * columns + (x / side | 0), at = tile * 4;
      if (counts[tile]++ === 0) {
        boxes[at] = boxes[at + 2] = x;
        boxes[at + 1] = y;
      }
      if (x < boxes[at]) boxes[at] = x;
      if (x > boxes[at + 2]) boxes[at + 2] = x;
      boxes[at + 3] = y;
    }
  const regions = [];
  const seen = new Uint8Array(counts.length);
  for (let start = 0; start < counts.length; ++start) {
    if (seen[start] || counts[start] === 0) continue;
    seen[start] = 1;
    let left = Infinity, top = Infinity, right = 0, bottom = 0, count = 0;
    for (const open = [start]; open.length > 0;) {
      const tile = open.pop(), at = tile * 4;
      count += counts[tile];
      left = Math.min(left, boxes[at]);
      top = Math.min(top, boxes[at + 1]);
      right = Math.max(right, boxes[at + 2]);
      bottom = Math.max(bottom, boxes[at + 3]);
      for (const next of neighboursOf(tile, columns, rows)) {
        if (seen[next] || counts[next] === 0) continue;
        seen[next] = 1;
        open.push(next);
      }
    }
    regions.push({x: map.x + left, y: map.y + top, width: right - left + 1,
                  height: bottom - top + 1, count});
  }
  return regions;
}

function neighboursOf(tile, columns, rows) {
  const x = tile % columns, y = tile / columns | 0;
  const found = [];
  for (let row = Math.max(0, y - 1); row <= Math.min(rows - 1, y + 1); ++row)
    for (let column = Math.max(0, x - 1); column <= Math.min(columns - 1, x + 1); ++column)
      found.push(row * columns + column);
  return found;
}
