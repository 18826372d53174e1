// SPDX-License-Identifier: Apache-2.0
// Files that no ordinary program writes, or that cuimg itself does not write.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cuimg::test {

/// A PNG chunk with its length and a correct CRC.
std::string png_chunk(const std::string& type, const std::string& data);
/// The last chunk of a PNG.
std::string png_end();
/// A black 1-bit PNG of any size, whose file is a thousandth of the pixels' size.
std::string one_bit_png(std::uint32_t width, std::uint32_t height);

/// Writes a tiled EXR with mip or rip levels at `path`. @returns its bytes.
std::string tiled_exr(const std::string& path, int width, int height, bool rip = false);
/// Writes a deep EXR of 4x3 pixels at `path`.
void deep_exr(const std::string& path);
/// Writes an EXR whose part 0, "beauty", is flat and whose part 1, "samples", is deep.
void flat_and_deep_exr(const std::string& path);
/// The EXR file `bytes` with the first integers of an attribute replaced.
std::string with_attribute(std::string bytes, const std::string& name,
                           const std::vector<std::int32_t>& values);

/// An EXR of floats. Every pixel is 0.25 except the spots.
struct Spot {
  int x, y;
  float value;
};
void float_exr(const std::string& path, int width, int height, const std::vector<Spot>& spots);
/// The values of an EXR's only channel, row by row.
std::vector<float> exr_values(const std::string& path, int& width, int& height);

}  // namespace cuimg::test
