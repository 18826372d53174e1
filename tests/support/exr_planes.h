// SPDX-License-Identifier: Apache-2.0
// EXR files made and read with OpenEXR alone: each channel's type and samples, at every level.
#pragma once

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputPart.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfTiledInputPart.h>
#include <OpenEXR/ImfTiledOutputPart.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace cuimg::test {

/// The samples of one level, row by row.
using ExrSamples = std::vector<std::uint32_t>;

struct ExrPlane {
  Imf::PixelType type = Imf::HALF;
  bool is_linear = false;
  std::map<std::pair<int, int>, ExrSamples> levels;
  friend bool operator==(const ExrPlane&, const ExrPlane&) = default;
};
/// Planes by channel name.
using ExrPlanes = std::map<std::string, ExrPlane>;

/// A header for scanlines without compression. @param types of the channels, by name.
inline Imf::Header exr_header_of(const Imath::Box2i& window,
                                 const std::map<std::string, Imf::PixelType>& types,
                                 const std::string& part = "") {
  Imf::Header header(Imath::Box2i({0, 0}, {99, 79}), window);
  header.compression() = Imf::NO_COMPRESSION;
  for (const auto& [name, type] : types) header.channels().insert(name, Imf::Channel(type));
  if (!part.empty()) header.setName(part);
  return header;
}

namespace detail {

// Calls use(level across, level down, the level's window).
template <class Part, class Use>
void for_each_level(Part& part, const Use& use) {
  for (int y = 0; y < part.numYLevels(); ++y)
    for (int x = 0; x < part.numXLevels(); ++x)
      if (part.isValidLevel(x, y)) use(x, y, part.dataWindowForLevel(x, y));
}
inline std::size_t bytes_of_exr(Imf::PixelType type) { return type == Imf::HALF ? 2 : 4; }

// Memory for every channel over a window, in the layout of a frame buffer.
struct Planes {
  std::map<std::string, std::vector<char>> memory;
  Imf::FrameBuffer buffer;

  Planes(const Imf::Header& header, const Imath::Box2i& window) {
    const auto width = static_cast<std::size_t>(window.max.x - window.min.x + 1);
    const auto height = static_cast<std::size_t>(window.max.y - window.min.y + 1);
    for (auto c = header.channels().begin(); c != header.channels().end(); ++c) {
      const Imf::PixelType type = c.channel().type;
      const std::size_t bytes = bytes_of_exr(type);
      std::vector<char>& samples = memory[c.name()];
      samples.resize(width * height * bytes);
      buffer.insert(c.name(), Imf::Slice::Make(type, samples.data(), window, bytes, bytes * width));
    }
  }
};

}  // namespace detail

/// Random bits for every channel and level; halves may be infinite, -0 or denormal.
inline std::uint32_t exr_noise(std::minstd_rand& random, Imf::PixelType type) {
  const auto bits = static_cast<std::uint32_t>(random());
  if (type == Imf::UINT) return bits;
  if (type == Imf::HALF) {
    const std::uint32_t half = bits & 0xffff;
    return (half & 0x7fff) > 0x7c00 ? half & 0xbfff : half;
  }
  return (bits & 0x807fffff) | (0x3a000000 + (bits >> 7 & 7) * 0x800000);  // 2^-11 to 2^-3
}

/// Writes parts with noise.
inline void write_exr_noise(const std::string& path, std::vector<Imf::Header> headers) {
  for (Imf::Header& header : headers)
    header.setType(header.hasTileDescription() ? Imf::TILEDIMAGE : Imf::SCANLINEIMAGE);
  Imf::MultiPartOutputFile file(path.c_str(), headers.data(), static_cast<int>(headers.size()));
  std::minstd_rand random(5);
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const Imf::Header& header = headers[i];
    const auto noise_over = [&](const Imath::Box2i& window) {
      detail::Planes planes(header, window);
      for (auto& [name, samples] : planes.memory) {
        const Imf::PixelType type = header.channels()[name].type;
        const std::size_t bytes = detail::bytes_of_exr(type);
        for (std::size_t at = 0; at < samples.size(); at += bytes) {
          const std::uint32_t bits = exr_noise(random, type);
          std::memcpy(&samples[at], &bits, bytes);
        }
      }
      return planes;
    };
    const int number = static_cast<int>(i);
    if (!header.hasTileDescription()) {
      Imf::OutputPart part(file, number);
      const detail::Planes planes = noise_over(header.dataWindow());
      part.setFrameBuffer(planes.buffer);
      part.writePixels(header.dataWindow().max.y - header.dataWindow().min.y + 1);
      continue;
    }
    Imf::TiledOutputPart part(file, number);
    detail::for_each_level(part, [&](int x, int y, const Imath::Box2i& window) {
      const detail::Planes planes = noise_over(window);
      part.setFrameBuffer(planes.buffer);
      part.writeTiles(0, part.numXTiles(x) - 1, 0, part.numYTiles(y) - 1, x, y);
    });
  }
}

inline ExrPlanes exr_planes(const std::string& path, int number = 0) {
  Imf::MultiPartInputFile file(path.c_str());
  const Imf::Header& header = file.header(number);
  ExrPlanes result;
  const auto take = [&](const detail::Planes& planes, int x, int y) {
    for (const auto& [name, samples] : planes.memory) {
      const Imf::Channel& channel = header.channels()[name];
      ExrPlane& plane = result[name];
      plane.type = channel.type;
      plane.is_linear = channel.pLinear;
      ExrSamples& bits = plane.levels[{x, y}];
      const std::size_t bytes = detail::bytes_of_exr(channel.type);
      for (std::size_t at = 0; at < samples.size(); at += bytes) {
        bits.push_back(0);
        std::memcpy(&bits.back(), &samples[at], bytes);
      }
    }
  };
  if (!header.hasTileDescription()) {
    Imf::InputPart part(file, number);
    const detail::Planes planes(header, header.dataWindow());
    part.setFrameBuffer(planes.buffer);
    part.readPixels(header.dataWindow().min.y, header.dataWindow().max.y);
    take(planes, 0, 0);
    return result;
  }
  Imf::TiledInputPart part(file, number);
  detail::for_each_level(part, [&](int x, int y, const Imath::Box2i& window) {
    const detail::Planes planes(header, window);
    part.setFrameBuffer(planes.buffer);
    part.readTiles(0, part.numXTiles(x) - 1, 0, part.numYTiles(y) - 1, x, y);
    take(planes, x, y);
  });
  return result;
}

/// The header of a part.
inline Imf::Header exr_header_in(const std::string& path, int number = 0) {
  return Imf::MultiPartInputFile(path.c_str()).header(number);
}

}  // namespace cuimg::test
