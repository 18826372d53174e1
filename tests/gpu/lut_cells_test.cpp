// SPDX-License-Identifier: Apache-2.0
// Grids whose cells four lanes read together, with entries for which whole numbers are exact and
// others, which the texture unit reads.
#include <cmath>
#include <fstream>

#include "same_on_card.h"
#include "support/cubes.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

using LutCells = Card;

// Values between entries and beyond both ends, entries themselves, and NaN.
Image picture(int width, int height, int channels, int size, unsigned seed) {
  std::mt19937 random(seed);
  return image_of(one_layer({0, 0, width, height}, PixelType::f32, channels),
                  [&](int, int, int x, int) -> float {
                    const auto any = static_cast<float>(random() % 65536) * 0x1p-16f;
                    if (random() % 500 == 0) return std::nanf("");
                    if (x % 16 < 2) return std::round(any * 8) / static_cast<float>(size - 1);
                    return any * 1.1f - 0.05f;
                  });
}

void expect_the_same_through(const Queue& card, int size, const std::string& table) {
  const TempDir folder;
  const std::string file = folder.write("table.cube", table);
  for (const char* how : {"texture", "trilinear", "tetrahedral"})
    for (const int channels : {4, 3, 2, 1})
      expect_the_same(card, "lut --file " + file + " --interpolation " + how,
                      picture(channels == 4 ? 517 : 131, 67, channels, size, 7));
}

TEST_F(LutCells, OfPlainTablesGiveTheSameBytes) {
  for (const int size : {2, 3, 9})
    expect_the_same_through(
        queue(), size, grid_text(size, [](const Rgb& c) {
          return Rgb{c[0] * (1.5f - 0.5f * c[0]), 0.9f * c[1] + 0.1f * c[0], c[2] * c[2]};
        }));
}

// Zeros, negative values, denormals, and neighbours of very different sizes.
TEST_F(LutCells, OfAwkwardTablesGiveTheSameBytes) {
  std::mt19937 random(5);
  const auto entry = [&](const Rgb&) {
    Rgb made;
    for (float& v : made) {
      const unsigned kind = static_cast<unsigned>(random() % 60);
      v = std::ldexp(1.0f + static_cast<float>(random() % 65536) * 0x1p-16f,
                     static_cast<int>(random() % 3));
      if (kind == 0) v = -v;
      if (kind == 1) v = std::ldexp(v, -9);
      if (kind == 2) v = std::ldexp(v, -30);
      if (kind == 3) v = random() % 2 == 0 ? 0.0f : -0.0f;
      if (kind == 4) v = 1e-41f;
    }
    return made;
  };
  for (const int size : {2, 6, 9}) expect_the_same_through(queue(), size, grid_text(size, entry));
  // Of one size, smaller from slice to slice.
  expect_the_same_through(queue(), 8, grid_text(8, [](const Rgb& c) {
                            const float all = std::ldexp(1.3f, -static_cast<int>(c[2] * 21));
                            return Rgb{all, all * 3, all * (1 + c[0])};
                          }));
  // Too small for the unit of a result, and large.
  for (const float scale : {1e-25f, 1e30f})
    expect_the_same_through(queue(), 3, grid_text(3, [&](const Rgb& c) {
                              return Rgb{c[0] * scale, c[1] * scale, scale};
                            }));
}

// The cells of 25^3 entries take 2 MB. Without room for them the volume gives the same values.
TEST_F(LutCells, GiveTheSameBytesWithoutRoomForCells) {
  const TempDir folder;
  const std::string file = folder.write("table.cube", grid_text(25, [](const Rgb& c) {
                                          return Rgb{c[1], c[2] * c[0], c[0]};
                                        }));
  for (const std::uint64_t bytes : {std::uint64_t{1} << 20, std::uint64_t{3} << 20}) {
    ChainOptions options;
    options.card_bytes = bytes;
    expect_the_same(queue(), "lut --file " + file + " --interpolation texture",
                    picture(61, 67, 4, 25, 9), options);
  }
}

}  // namespace
}  // namespace cuimg::test
