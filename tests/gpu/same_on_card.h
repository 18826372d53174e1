// SPDX-License-Identifier: Apache-2.0
// Common code of tests that run a chain on the card and compare it with the CPU's bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "card.h"
#include "support/images.h"

namespace cuimg::test {

/// Options for results of 8 bits in sRGB.
inline ChainOptions to_codes() {
  ChainOptions options;
  options.format = "png";
  options.type = PixelType::u8;
  return options;
}

/// A picture of 8 bits in sRGB. @param code takes (x, y, channel).
template <class Code>
Image picture_of_codes(int width, int height, int channels, const Code& code) {
  Spec spec = one_layer({0, 0, width, height}, PixelType::u8, channels);
  spec.color = {Curve::srgb, 1.0f, false, {}};
  Image image(spec);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width * channels; ++x)
      reinterpret_cast<std::uint8_t*>(image.row(0, y))[x] =
          static_cast<std::uint8_t>(code(x / channels, y, x % channels));
  return image;
}

/// Random bits, as in a file with that encoding. @param display the display window.
inline Image any_bits(PixelType type, int channels, const ColorEncoding& color, const Rect& window,
                      const Rect& display) {
  const Image image = random_image(window, type, channels);
  Spec spec = image.spec();
  if (channels <= 2) spec.layers[0].channels = {"Y", "A"};
  spec.layers[0].channels.resize(static_cast<std::size_t>(channels));
  spec.color = color;
  spec.display_window = display;
  Image made(spec);
  for (int y = window.y; y < window.bottom(); ++y)
    std::copy_n(image.row(0, y), image.row_bytes(0), made.row(0, y));
  return made;
}

inline Image made_on(const Queue& queue, const std::string& words, const Image& source,
                     ChainOptions options) {
  options.queue = &queue;
  return run_plan(plan_of(parse_chain(words), source.spec(), options), source, options);
}

inline void expect_the_same(const Queue& card, const std::string& words, const Image& source,
                            const ChainOptions& options = {}, const std::string& what = "") {
  static const Queue cpu = Queue::cpu();
  const Rect& window = source.spec().data_window;
  const LayerSpec& layer = source.spec().layers[0];
  ASSERT_TRUE(
      same_pixels(made_on(card, words, source, options), made_on(cpu, words, source, options)))
      << words << ", " << what << " " << window.width << 'x' << window.height << " of "
      << layer.channels.size() << " " << name_of(layer.type);
}

/// Runs the chain with so little card memory that it is made in tiles, and with all of it in bands.
inline void expect_the_same_in_parts(const Queue& card, const std::string& words,
                                     const Image& source, ChainOptions options,
                                     std::uint64_t bytes_for_tiles) {
  options.card_bytes = bytes_for_tiles;
  expect_the_same(card, words, source, options, "tiles");
  options.card_bytes = UINT64_MAX;
  options.alone_on_card = true;
  expect_the_same(card, words, source, options, "bands");
}

}  // namespace cuimg::test
