// SPDX-License-Identifier: Apache-2.0
// Draws images and maps on canvases of the same size: one pixel of the image is one pixel of the
// canvas.

function canvasFor(window) {
  const canvas = make("canvas", {width: window.width, height: window.height});
  const context = canvas.getContext("2d");
  return {canvas, context, data: context.createImageData(window.width, window.height)};
}

const opaque = 0xff000000;
const packed = (r, g, b) => (opaque | b << 16 | g << 8 | r) >>> 0;
const markPacked = Object.fromEntries(Object.entries(markColors).map(
    ([name, colors]) => [name, colors.map((c) => packed(...c))]));

/** The channels by their roles: indices of R, G, B (all Y if there is no other) and A. */
function rolesOf(image) {
  const at = (name) => image.channels.indexOf(name);
  const grey = at("Y");
  const color = ["R", "G", "B"].map(at);
  const alpha = image.holds_ids ? -1 : at("A");
  if (color.every((i) => i >= 0)) return {color, alpha, isColor: true};
  if (grey >= 0) return {color: [grey, grey, grey], alpha, isColor: true};
  const first = color.find((i) => i >= 0) ?? 0;
  return {color: [first, first, first], alpha: -1, isColor: false};
}

/** The picker's choices for a layer: [value, text]. */
function channelChoices(image) {
  const {alpha, isColor, color} = rolesOf(image);
  const choices = [];
  if (isColor) choices.push(["color", alpha >= 0 ? "Colour over checks" : "Colour"]);
  if (isColor && alpha >= 0) choices.push(["no-alpha", "Colour, alpha ignored"]);
  if (isColor && color[0] !== color[1]) choices.push(["luminance", "Luminance"]);
  image.channels.forEach((name, i) => choices.push([`${i}`, name]));
  return choices;
}

// Neighbouring ids differ by one; a multiplication spreads them over all hues.
function idColor(id) {
  if (id === 0) return packed(0, 0, 0);
  const spread = Math.imul(id, 0x9e3779b1) >>> 0;
  return (opaque | spread & 0x7f7f7f | 0x404040) >>> 0;
}

// Two greys in linear light, in squares of 8 pixels, behind translucent pixels.
const checkLight = (x, y) => (x >> 3 ^ y >> 3) & 1 ? 0.3 : 0.2;

/** @param look {channel, exposure, range} */
function paintImage(image, look) {
  const target = canvasFor(image);
  const pixels = new Uint32Array(target.data.data.buffer);
  if (image.type === "u32") paintIds(image, look, pixels);
  else paintLight(image, look, pixels);
  target.context.putImageData(target.data, 0, 0);
  return target.canvas;
}

function paintIds(image, look, pixels) {
  const step = image.channels.length, offset = Number(look.channel) || 0;
  for (let i = 0; i < pixels.length; ++i) pixels[i] = idColor(image.codes[i * step + offset]);
}

function paintLight(image, look, pixels) {
  const lights = lightTable(image, look), bytes = displayTable(lights);
  const codes = tableCodes(image), shift = tableShift(image), step = image.channels.length;
  const {color, alpha} = rolesOf(image);
  const single = /^\d+$/.test(look.channel) ? Number(look.channel) : -1;
  const [red, green, blue] = single >= 0 ? [single, single, single] : color;
  const covers = look.channel === "color" && alpha >= 0;
  const isLuminance = look.channel === "luminance";
  const alphaLights = covers ? lightTable({...image, curve: "linear"}, {exposure: 0}) : null;
  for (let i = 0, at = 0; i < pixels.length; ++i, at += step) {
    const r = bytes[codes[at + red] >>> shift], g = bytes[codes[at + green] >>> shift];
    const b = bytes[codes[at + blue] >>> shift];
    if ((r | g | b) > 255) {
      pixels[i] = markedPixel(image, i, at, [red, green, blue]);
    } else if (isLuminance) {
      const y = encodeLight(0.2126 * lights[codes[at + red] >>> shift] +
                            0.7152 * lights[codes[at + green] >>> shift] +
                            0.0722 * lights[codes[at + blue] >>> shift]);
      pixels[i] = packed(y, y, y);
    } else if (covers) {
      const a = clamp(alphaLights[codes[at + alpha] >>> shift] || 0, 0, 1);
      // Premultiplied light is added unchanged; pixels with zero alpha still shine.
      const weight = image.premultiplied ? 1 : a;
      const under = (1 - a) * checkLight(i % image.width, i / image.width | 0);
      if (under === 0) {
        pixels[i] = packed(r, g, b);
        continue;
      }
      pixels[i] = packed(encodeLight(lights[codes[at + red] >>> shift] * weight + under),
                         encodeLight(lights[codes[at + green] >>> shift] * weight + under),
                         encodeLight(lights[codes[at + blue] >>> shift] * weight + under));
    } else {
      pixels[i] = packed(r, g, b);
    }
  }
}

// A checkerboard of single pixels, so that no picture's colour looks like it. A NaN in any channel
// takes precedence; the table alone would treat a float's NaN with a small payload as an infinity.
function markedPixel(image, i, at, channels) {
  const values = channels.map((channel) => storedValue(image, at + channel));
  const value = values.find(Number.isNaN) ?? values.find((v) => !Number.isFinite(v));
  const odd = (i % image.width ^ i / image.width) & 1;
  return markPacked[markOf(value)][odd];
}

/** Counts of NaNs and infinities, for the facts. */
function countMarks(image) {
  const counts = {nan: 0, infinite: 0};
  if (!isFloating(image.type)) return counts;
  for (let i = 0; i < image.codes.length; ++i) {
    const value = storedValue(image, i);
    if (Number.isFinite(value)) continue;
    if (Number.isNaN(value)) ++counts.nan;
    else ++counts.infinite;
  }
  return counts;
}

/** The least and the largest finite value of both images' shown channels: [low, high]. */
function finiteRange(images, look) {
  let low = Infinity, high = -Infinity;
  for (const image of images.filter(Boolean)) {
    const single = /^\d+$/.test(look.channel);
    const step = single ? image.channels.length : 1;
    for (let i = single ? Number(look.channel) : 0; i < image.codes.length; i += step) {
      const value = metricValue(image, i);
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

// Black, violet, red, orange, pale yellow: each lighter than the previous one, so it is also
// readable in grey.
const heatStops = [[6, 4, 20], [62, 15, 92], [140, 28, 96], [212, 62, 60], [248, 146, 40],
                   [252, 238, 170]];
const heatColors = new Uint32Array(256);
for (let i = 0; i < 256; ++i) {
  const place = i / 255 * (heatStops.length - 1), from = Math.min(place | 0, heatStops.length - 2);
  const color = [0, 1, 2].map((c) => Math.round(
      heatStops[from][c] + (heatStops[from + 1][c] - heatStops[from][c]) * (place - from)));
  heatColors[i] = packed(...color);
}
const beyondCompare = packed(255, 255, 255);
// Blue, which is not among the heat colours; ignored regions are darker than the rest.
const forgivenColors = [0, packed(24, 58, 92), ...Array(3).fill(packed(64, 150, 220))];

/**
 * @param map a value for each pixel, 0 if it does not differ or was forgiven.
 * @param scale the value with the last color; any value above 0 is at least one visible step.
 */
function paintMap(map, scale) {
  const target = canvasFor(map);
  const pixels = new Uint32Array(target.data.data.buffer);
  const {values, forgiven} = map;
  for (let i = 0; i < pixels.length; ++i) {
    const value = values[i];
    if (value === 0) pixels[i] = forgiven?.[i] ? forgivenColors[forgiven[i]] : heatColors[0];
    else if (value === Infinity) pixels[i] = beyondCompare;
    else pixels[i] = heatColors[clamp(Math.round(value * scale * 255), 24, 255)];
  }
  target.context.putImageData(target.data, 0, 0);
  return target.canvas;
}
