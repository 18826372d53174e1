// SPDX-License-Identifier: Apache-2.0
// Converts stored codes to the screen's sRGB bytes with tables: an exposure changes a table, not a
// loop.

// IEC 61966-2-1.
const srgbToLight = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const lightToSrgb = (v) => v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055;

// SMPTE ST 2084, in units of 100 cd/m^2, and ARIB STD-B67 (scene light, 0 to 1).
function pqToLight(v) {
  const power = Math.max(v, 0) ** (1 / 78.84375);
  const ratio = Math.max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power);
  return 100 * ratio ** (1 / 0.1593017578125);
}
const hlgToLight = (v) => v <= 0.5 ? v * v / 3
    : (Math.exp((v - 0.55991073) / 0.17883277) + 0.28466892) / 12;

const curves = {
  linear: (v) => v, srgb: srgbToLight, profile: srgbToLight, pq: pqToLight, hlg: hlgToLight,
};

/** The curve from a stored value (integers 0 to 1) to light. */
function curveOf(image) {
  if (image.curve === "gamma") return (v) => v < 0 ? v : v ** image.gamma;
  // Raw integers are most often values that a program displays unchanged.
  return curves[image.curve] ?? (isFloating(image.type) ? curves.linear : srgbToLight);
}

// Light from 0 to 1 to a byte; the steps are fine enough for a hundred of them to have the darkest
// byte.
const encodeSteps = 65535;
const encodeTable = new Uint8Array(encodeSteps + 1);
for (let i = 0; i <= encodeSteps; ++i)
  encodeTable[i] = Math.round(255 * lightToSrgb(i / encodeSteps));
const encodeLight = (v) => encodeTable[v > 0 ? v < 1 ? v * encodeSteps | 0 : encodeSteps : 0];

// Values above 255 in a table mark NaN and infinities, which are drawn differently.
const mark = {nan: 256, plusInfinity: 257, minusInfinity: 258};
const markColors = {
  256: [[255, 0, 255], [30, 0, 30]],
  257: [[255, 176, 0], [40, 26, 0]],
  258: [[0, 200, 255], [0, 30, 40]],
};
function markOf(value) {
  if (Number.isNaN(value)) return mark.nan;
  return value > 0 ? mark.plusInfinity : mark.minusInfinity;
}

// A float's code in a table is its upper 18 bits: sign, exponent and 9 bits of the fraction, finer
// than a byte of sRGB.
const floatShift = 14;
const codeViews = new WeakMap();
function tableCodes(image) {
  if (image.type !== "float") return image.codes;
  if (!codeViews.has(image)) codeViews.set(image, new Uint32Array(image.codes.buffer));
  return codeViews.get(image);
}
const tableShift = (image) => image.type === "float" ? floatShift : 0;

function valueOfTableCode(image, code) {
  if (image.type === "half") return halfValues[code];
  if (image.type !== "float") return code / largestInteger[image.type];
  const bits = new Uint32Array([code * 2 ** floatShift]);
  return new Float32Array(bits.buffer)[0];
}
const tableSizes = {u8: 256, u16: 65536, half: 65536, float: 1 << 32 - floatShift};

/**
 * @param look {exposure, range}: stops; [low, high] to show as black to white, or null for light.
 * @returns the light of each code, after exposure; NaN and infinities do not change.
 */
function lightTable(image, look) {
  const table = new Float32Array(tableSizes[image.type]);
  const gain = 2 ** look.exposure, curve = curveOf(image);
  const [low, high] = look.range ?? [0, 1];
  for (let code = 0; code < table.length; ++code) {
    const value = valueOfTableCode(image, code);
    if (!Number.isFinite(value)) table[code] = value;
    else if (look.range) table[code] = srgbToLight((value - low) / (high - low || 1)) * gain;
    else table[code] = curve(value) * gain;
  }
  return table;
}

function displayTable(lights) {
  const table = new Uint16Array(lights.length);
  for (let i = 0; i < table.length; ++i)
    table[i] = Number.isFinite(lights[i]) ? encodeLight(lights[i]) : markOf(lights[i]);
  return table;
}
