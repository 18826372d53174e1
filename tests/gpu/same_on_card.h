// SPDX-License-Identifier: Apache-2.0
// What tests share that run a chain on the card and hold it to the CPU's bytes.
#pragma once

#include <cstdint>
#include <string>

#include "card.h"
#include "support/images.h"

namespace cuimg::test {

/// For results of 8 bits in sRGB.
inline ChainOptions to_codes() {
  ChainOptions options;
  options.format = "png";
  options.type = PixelType::u8;
  return options;
}

/// A picture of 8 bits in sRGB. @param code of (x, y, channel).
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

}  // namespace cuimg::test
