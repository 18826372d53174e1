// SPDX-License-Identifier: Apache-2.0
// The only file that includes stb_truetype, whose functions are local to it. It is compiled without
// contraction, and it never calls the distance fields, which use libm.
#include "text/font.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb/stb_truetype.h>

namespace cuimg {
namespace {

constexpr unsigned char font_file[] = {
#include "DejaVuSans.inc"
};

const stbtt_fontinfo& face() {
  static const stbtt_fontinfo info = [] {
    stbtt_fontinfo made;
    stbtt_InitFont(&made, font_file, 0);
    return made;
  }();
  return info;
}

constexpr std::string_view ellipsis = "\u2026";

// The characters of a text and the position of each.
struct Characters {
  std::vector<int> codes;
  std::vector<std::size_t> starts;  // and the text's end
};

int code_at(std::string_view text, std::size_t i, std::size_t length) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
  if (length == 1) return byte(0);
  int code = byte(0) & (0x7f >> length);
  for (std::size_t k = 1; k < length; ++k) code = code << 6 | (byte(k) & 0x3f);
  return code;
}

Characters characters_of(std::string_view text) {
  Characters characters;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    characters.codes.push_back(length == 0 ? 0xfffd : code_at(text, i, length));
    characters.starts.push_back(i);
    i += std::max<std::size_t>(length, 1);
  }
  characters.starts.push_back(text.size());
  return characters;
}

// Whether it is an accent that is drawn over the previous letter.
bool is_combining(int code) { return code >= 0x300 && code < 0x370; }

// visit(glyph, pen) for each character, with the pen in units of the font. Returns the end of the
// text.
template <class Visit>
int each_glyph(std::string_view text, const Visit& visit) {
  int pen = 0, last = 0;
  for (const int code : characters_of(text).codes) {
    const int glyph = stbtt_FindGlyphIndex(&face(), code);
    if (last != 0) pen += stbtt_GetGlyphKernAdvance(&face(), last, glyph);
    visit(glyph, pen);
    int advance = 0, bearing = 0;
    stbtt_GetGlyphHMetrics(&face(), glyph, &advance, &bearing);
    pen += advance;
    last = glyph;
  }
  return pen;
}

// A glyph with its pen between two pixels, and the pixels that it covers.
struct PlacedGlyph {
  int glyph, pen;      // the whole pixel
  float shift;         // relative to that pixel
  int x0, y0, x1, y1;  // relative to the whole pixel on the baseline
};

PlacedGlyph placed(int glyph, float at, float scale) {
  const float whole = std::floor(at);
  PlacedGlyph result{glyph, static_cast<int>(whole), at - whole, 0, 0, 0, 0};
  stbtt_GetGlyphBitmapBoxSubpixel(&face(), glyph, scale, scale, result.shift, 0, &result.x0,
                                  &result.y0, &result.x1, &result.y1);
  return result;
}

void add_glyph(const PlacedGlyph& g, float scale, TextCoverage& coverage) {
  const int width = g.x1 - g.x0, height = g.y1 - g.y0;
  if (width <= 0 || height <= 0) return;
  std::vector<std::uint8_t> own(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  stbtt_MakeGlyphBitmapSubpixel(&face(), own.data(), width, height, width, scale, scale, g.shift, 0,
                                g.glyph);
  const std::uint8_t* from = own.data();
  for (int y = 0; y < height; ++y) {
    const auto row = static_cast<std::size_t>(g.y0 - coverage.top + y);
    std::uint8_t* to = &coverage.values[row * static_cast<std::size_t>(coverage.width) +
                                        static_cast<std::size_t>(g.pen + g.x0 - coverage.left)];
    for (int x = 0; x < width; ++x, ++from, ++to)  // letters may touch, but do not overlap
      *to = static_cast<std::uint8_t>(std::min(255, *to + *from));
  }
}

}  // namespace

Font::Font(float size) : scale_(stbtt_ScaleForMappingEmToPixels(&face(), size)) {}

float Font::ascent() const {
  int ascent = 0;
  stbtt_GetFontVMetrics(&face(), &ascent, nullptr, nullptr);
  return scale_ * static_cast<float>(ascent);
}

float Font::descent() const {
  int descent = 0;
  stbtt_GetFontVMetrics(&face(), nullptr, &descent, nullptr);
  return -scale_ * static_cast<float>(descent);
}

float Font::width(std::string_view text) const {
  return scale_ * static_cast<float>(each_glyph(text, [](int, int) {}));
}

std::string Font::shortened(std::string_view text, float most) const {
  if (width(text) <= most) return std::string(text);
  const Characters characters = characters_of(text);
  const auto keeping = [&](std::size_t count) {
    const std::size_t head = count / 2;
    std::size_t tail = characters.codes.size() - (count - head);
    while (tail < characters.codes.size() && is_combining(characters.codes[tail])) ++tail;
    return std::string(text.substr(0, characters.starts[head])) + std::string(ellipsis) +
           std::string(text.substr(characters.starts[tail]));
  };
  // At least `fits` characters fit, `too_many` do not.
  std::size_t fits = 0, too_many = characters.codes.size();
  while (fits + 1 < too_many) {
    const std::size_t middle = fits + (too_many - fits) / 2;
    (width(keeping(middle)) <= most ? fits : too_many) = middle;
  }
  const std::string result = keeping(fits);
  return width(result) <= most ? result : std::string();
}

TextCoverage Font::drawn(std::string_view text) const {
  std::vector<PlacedGlyph> glyphs;
  each_glyph(text, [&](int glyph, int pen) {
    const PlacedGlyph g = placed(glyph, scale_ * static_cast<float>(pen), scale_);
    if (g.x1 > g.x0 && g.y1 > g.y0) glyphs.push_back(g);
  });
  TextCoverage coverage;
  if (glyphs.empty()) return coverage;
  int right = glyphs.front().pen + glyphs.front().x1, bottom = glyphs.front().y1;
  coverage.left = glyphs.front().pen + glyphs.front().x0, coverage.top = glyphs.front().y0;
  for (const PlacedGlyph& g : glyphs) {
    coverage.left = std::min(coverage.left, g.pen + g.x0);
    coverage.top = std::min(coverage.top, g.y0);
    right = std::max(right, g.pen + g.x1);
    bottom = std::max(bottom, g.y1);
  }
  coverage.width = right - coverage.left;
  coverage.height = bottom - coverage.top;
  coverage.values.resize(static_cast<std::size_t>(coverage.width) *
                         static_cast<std::size_t>(coverage.height));
  for (const PlacedGlyph& g : glyphs) add_glyph(g, scale_, coverage);
  return coverage;
}

}  // namespace cuimg
