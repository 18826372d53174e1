// SPDX-License-Identifier: Apache-2.0
// Pictures through the library's codecs: the file's extension says which.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cuimg::samples {

/// R, G, B, A of 8 bits, sRGB, top row first. @throws Error.
void write_rgba8(const std::string& path, int width, int height,
                 const std::vector<std::uint8_t>& rgba);

/// Linear R, G, B, for EXR, HDR or PFM. @throws Error.
void write_rgb_float(const std::string& path, int width, int height, const std::vector<float>& rgb);

/// R, G, B from 0 to 255 for a share of 0 to 1: dark blue over green to yellow, ever lighter, so
/// that it reads in grey too.
std::array<double, 3> ramp(double share);

/// Pictures of one size next to and under each other, on grey.
class Sheet {
 public:
  /// @param columns pictures in a row.
  Sheet(int columns, int width, int height) : columns_(columns), width_(width), height_(height) {}
  /// The next picture: R, G, B, A of 8 bits.
  void add(const std::uint8_t* rgba);
  /// The next picture from values of 0 to 1, by ramp().
  void add(const float* values);
  /// @throws Error.
  void write(const std::string& path) const;

 private:
  int columns_, width_, height_;
  std::vector<std::vector<std::uint8_t>> pictures_;
};

}  // namespace cuimg::samples
