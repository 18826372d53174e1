// SPDX-License-Identifier: Apache-2.0
// Reads and writes pictures with the library's codecs: the file's extension selects one.
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

/// R, G, B from 0 to 255 for a share of 0 to 1: dark blue over green to yellow, increasingly
/// lighter, so that it is also readable in grey.
std::array<double, 3> ramp(double share);

/// Pictures of the same size in rows and columns, on grey.
class Sheet {
 public:
  /// @param columns pictures in a row.
  Sheet(int columns, int width, int height) : columns_(columns), width_(width), height_(height) {}
  /// Adds the next picture: R, G, B, A of 8 bits.
  void add(const std::uint8_t* rgba);
  /// Adds the next picture from values of 0 to 1, coloured by ramp().
  void add(const float* values);
  /// @throws Error.
  void write(const std::string& path) const;

 private:
  int columns_, width_, height_;
  std::vector<std::vector<std::uint8_t>> pictures_;
};

}  // namespace cuimg::samples
