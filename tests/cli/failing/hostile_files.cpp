// SPDX-License-Identifier: Apache-2.0
// The files are made only with zlib and OpenEXR, not with the code under test.
#include "cli/failing/hostile_files.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfDeepFrameBuffer.h>
#include <OpenEXR/ImfDeepScanLineOutputFile.h>
#include <OpenEXR/ImfDeepScanLineOutputPart.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfOutputPart.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfTiledOutputFile.h>
#include <zlib.h>

#include <array>
#include <cstring>
#include <stdexcept>

#include "support/process.h"

namespace cuimg::test {
namespace {

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

// Deflated zeros, produced without holding all of them in memory.
std::string deflated_zeros(std::uint64_t count) {
  z_stream stream = {};
  if (deflateInit(&stream, Z_BEST_SPEED) != Z_OK) throw std::runtime_error("deflateInit");
  std::string result, output(1 << 16, '\0');
  std::vector<unsigned char> zeros(1 << 20);
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<unsigned>(std::min<std::uint64_t>(count, zeros.size()));
      stream.next_in = zeros.data();
      count -= stream.avail_in;
    }
    stream.next_out = reinterpret_cast<unsigned char*>(output.data());
    stream.avail_out = static_cast<unsigned>(output.size());
    state = deflate(&stream, count == 0 ? Z_FINISH : Z_NO_FLUSH);
    result.append(output, 0, output.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return result;
}

}  // namespace

std::string png_chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto crc = crc32(0, reinterpret_cast<const unsigned char*>(body.data()),
                         static_cast<unsigned>(body.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + body +
         big_endian(static_cast<std::uint32_t>(crc));
}

std::string png_end() { return png_chunk("IEND", ""); }

std::string one_bit_png(std::uint32_t width, std::uint32_t height) {
  const std::string header = big_endian(width) + big_endian(height) + std::string{1, 0, 0, 0, 0};
  const std::uint64_t row = 1 + (std::uint64_t{width} + 7) / 8;
  return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header) +
         png_chunk("IDAT", deflated_zeros(row * height)) + png_end();
}

std::string tiled_exr(const std::string& path, int width, int height, bool rip) {
  {
    Imf::Header header(width, height);
    header.channels().insert("Y", Imf::Channel(Imf::FLOAT));
    header.setTileDescription(
        Imf::TileDescription(16, 16, rip ? Imf::RIPMAP_LEVELS : Imf::MIPMAP_LEVELS));
    Imf::TiledOutputFile file(path.c_str(), header);
    std::vector<float> values(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * i % 997);
    Imf::FrameBuffer buffer;
    buffer.insert("Y", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(values.data()), sizeof(float),
                                  sizeof(float) * static_cast<std::size_t>(width)));
    file.setFrameBuffer(buffer);
    for (int y = 0; y < file.numYLevels(); ++y)
      for (int x = 0; x < file.numXLevels(); ++x)
        if (file.isValidLevel(x, y))
          file.writeTiles(0, file.numXTiles(x) - 1, 0, file.numYTiles(y) - 1, x, y);
  }
  return read_file(path);
}

namespace {

constexpr std::size_t deep_width = 4, deep_height = 3;

Imf::Header deep_header() {
  Imf::Header header(deep_width, deep_height);
  header.setType(Imf::DEEPSCANLINE);
  header.compression() = Imf::ZIPS_COMPRESSION;
  header.channels().insert("Z", Imf::Channel(Imf::FLOAT));
  return header;
}

// Writes one sample per pixel to a deep file or part.
template <class File>
void write_deep(File& file) {
  unsigned counts[deep_height][deep_width];
  float depth = 1.5f;
  float* samples[deep_height][deep_width];
  for (std::size_t y = 0; y < deep_height; ++y)
    for (std::size_t x = 0; x < deep_width; ++x) {
      counts[y][x] = 1;
      samples[y][x] = &depth;
    }
  Imf::DeepFrameBuffer buffer;
  buffer.insertSampleCountSlice(Imf::Slice(Imf::UINT, reinterpret_cast<char*>(&counts[0][0]),
                                           sizeof(unsigned), sizeof(unsigned) * deep_width));
  buffer.insert("Z", Imf::DeepSlice(Imf::FLOAT, reinterpret_cast<char*>(&samples[0][0]),
                                    sizeof(float*), sizeof(float*) * deep_width, sizeof(float)));
  file.setFrameBuffer(buffer);
  file.writePixels(deep_height);
}

}  // namespace

void deep_exr(const std::string& path) {
  Imf::DeepScanLineOutputFile file(path.c_str(), deep_header());
  write_deep(file);
}

void flat_and_deep_exr(const std::string& path) {
  std::array<Imf::Header, 2> headers = {Imf::Header(deep_width, deep_height), deep_header()};
  headers[0].setType(Imf::SCANLINEIMAGE);
  headers[0].setName("beauty");
  headers[0].channels().insert("Y", Imf::Channel(Imf::FLOAT));
  headers[1].setName("samples");
  Imf::MultiPartOutputFile file(path.c_str(), headers.data(), 2);
  std::array<float, deep_width * deep_height> values{};
  Imf::FrameBuffer buffer;
  buffer.insert("Y", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(values.data()), sizeof(float),
                                sizeof(float) * deep_width));
  Imf::OutputPart flat(file, 0);
  flat.setFrameBuffer(buffer);
  flat.writePixels(deep_height);
  Imf::DeepScanLineOutputPart deep(file, 1);
  write_deep(deep);
}

std::string with_attribute(std::string bytes, const std::string& name,
                           const std::vector<std::int32_t>& values) {
  // An attribute consists of its name, 0, its type, 0, four bytes of size, and the value.
  const std::size_t at = bytes.find(name + '\0');
  if (at == std::string::npos) throw std::runtime_error("no attribute " + name);
  const std::size_t type = at + name.size() + 1;
  const std::size_t value = bytes.find('\0', type) + 1 + 4;
  std::memcpy(bytes.data() + value, values.data(), values.size() * sizeof values[0]);
  return bytes;
}

void float_exr(const std::string& path, int width, int height, const std::vector<Spot>& spots) {
  Imf::Header header(width, height);
  header.channels().insert("Y", Imf::Channel(Imf::FLOAT));
  const auto columns = static_cast<std::size_t>(width);
  std::vector<float> values(columns * static_cast<std::size_t>(height), 0.25f);
  for (const Spot& spot : spots)
    values[static_cast<std::size_t>(spot.y) * columns + static_cast<std::size_t>(spot.x)] =
        spot.value;
  Imf::FrameBuffer buffer;
  buffer.insert("Y", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(values.data()), sizeof(float),
                                sizeof(float) * columns));
  Imf::OutputFile file(path.c_str(), header);
  file.setFrameBuffer(buffer);
  file.writePixels(height);
}

std::vector<float> exr_values(const std::string& path, int& width, int& height) {
  Imf::InputFile file(path.c_str());
  const Imath::Box2i window = file.header().dataWindow();
  width = window.max.x + 1;
  height = window.max.y + 1;
  const auto columns = static_cast<std::size_t>(width);
  std::vector<float> values(columns * static_cast<std::size_t>(height));
  Imf::FrameBuffer buffer;
  buffer.insert("Y", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(values.data()), sizeof(float),
                                sizeof(float) * columns));
  file.setFrameBuffer(buffer);
  file.readPixels(0, height - 1);
  return values;
}

}  // namespace cuimg::test
