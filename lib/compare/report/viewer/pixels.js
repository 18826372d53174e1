// SPDX-License-Identifier: Apache-2.0
// The stored pixels of a pair. A page opened from disk may not fetch a file, but may run a script:
// each layer of a pair is a script that calls cuimgPixels() with deflated pixels in base64.

const typeArrays = {
  u8: Uint8Array, u16: Uint16Array, half: Uint16Array, float: Float32Array, u32: Uint32Array,
};
const isFloating = (type) => type === "half" || type === "float";
const largestInteger = {u8: 255, u16: 65535};

const halfValues = (() => {
  const values = new Float32Array(65536);
  for (let bits = 0; bits < 65536; ++bits) {
    const exponent = bits >> 10 & 31, fraction = bits & 1023;
    let value = fraction * 2 ** -24;
    if (exponent === 31) value = fraction ? NaN : Infinity;
    else if (exponent > 0) value = (1 + fraction / 1024) * 2 ** (exponent - 15);
    values[bits] = bits & 0x8000 ? -value : value;
  }
  return values;
})();

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

async function inflate(text) {
  const stream = new Blob([bytesOfBase64(text)]).stream()
      .pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A browser inflates several streams in parallel; few enough for memory to stay close to the
// image's size.
const inflatedTogether = 8;

async function inflateBlocks(blocks, length) {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (let i = 0; i < blocks.length; i += inflatedTogether) {
    const parts = await Promise.all(blocks.slice(i, i + inflatedTogether).map(inflate));
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
  }
  if (at !== length) throw new Error(`${at} bytes of pixels where ${length} were expected`);
  return bytes;
}

/** An image's layer: `codes` are stored values, channels interleaved, in rows of its window. */
async function readImage(stored, golden) {
  if (!stored) return null;
  const [x, y, width, height] = stored.window;
  const makeArray = typeArrays[stored.type];
  const count = width * height * stored.channels.length;
  const bytes = await inflateBlocks(stored.blocks, count * makeArray.BYTES_PER_ELEMENT);
  // Values equal to the golden's are zero here, so they take no space in the file.
  if (stored.xor) {
    const other = new Uint8Array(golden.codes.buffer);
    for (let i = 0; i < bytes.length; ++i) bytes[i] ^= other[i];
  }
  return {...stored, blocks: null, x, y, width, height, codes: new makeArray(bytes.buffer)};
}

async function readMap(stored) {
  if (!stored) return null;
  const [x, y, width, height] = stored.window;
  return {x, y, width, height, values: await inflateBlocks(stored.blocks, width * height)};
}

/** A stored code as the number that a reader of the file gets. */
function storedValue(image, index) {
  return image.type === "half" ? halfValues[image.codes[index]] : image.codes[index];
}

/** The same with integers relative to their largest value, as in the metrics. */
function metricValue(image, index) {
  const value = storedValue(image, index);
  return value / (largestInteger[image.type] ?? 1);
}

/** Index of the first channel of the pixel at absolute x, y; or -1 outside. */
function pixelIndex(image, x, y) {
  const column = x - image.x, row = y - image.y;
  if (column < 0 || row < 0 || column >= image.width || row >= image.height) return -1;
  return (row * image.width + column) * image.channels.length;
}

const waiting = new Map();   // by file: resolves when its script has called
const loaded = new Map();    // by file: the promise of its pixels; only for the last few
const loadedAtMost = 3;

globalThis.cuimgPixels = (file, name, stored) => {
  waiting.get(file)?.({name, stored});
  waiting.delete(file);
};

function runScript(file) {
  return new Promise((resolve, reject) => {
    waiting.set(file, resolve);
    const script = make("script", {src: `pairs/${file}.js`});
    const fail = (why) => {
      waiting.delete(file);
      reject(new Error(why));
    };
    script.onerror = () => fail(`pairs/${file}.js is not there`);
    script.onload = () => {
      script.remove();
      if (waiting.has(file)) fail(`pairs/${file}.js is damaged`);
    };
    document.head.append(script);
  });
}

async function readLayer(entry, file) {
  const {name, stored} = await runScript(file);
  // An interrupted run leaves an older index with newer scripts.
  if (name !== entry.name) throw new Error(`pairs/${file}.js belongs to another run`);
  const golden = await readImage(stored.golden, null);
  const result = await readImage(stored.result, golden);
  const [difference, flip] = [await readMap(stored.difference), await readMap(stored.flip)];
  const forgiven = await readMap(stored.forgiven);
  const compared = stored.compared && windowOf(stored.compared);
  return {golden, result, difference, flip, forgiven, compared,
          window: boundsOf([golden, result])};
}

function windowOf([x, y, width, height]) {
  return {x, y, width, height};
}

function boundsOf(images) {
  const there = images.filter(Boolean);
  const x = Math.min(...there.map((image) => image.x));
  const y = Math.min(...there.map((image) => image.y));
  return {x, y, width: Math.max(...there.map((image) => image.x + image.width)) - x,
          height: Math.max(...there.map((image) => image.y + image.height)) - y};
}

function loadLayer(entry, file) {
  if (!loaded.has(file)) {
    const promise = readLayer(entry, file);
    loaded.set(file, promise);
    promise.catch(() => loaded.delete(file));
    for (const old of loaded.keys()) {
      if (loaded.size <= loadedAtMost) break;
      loaded.delete(old);
    }
  }
  return loaded.get(file);
}
