// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_chunk_rows.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/error.h"
#include "io/exr/exr_halves.h"
#include "kernels/math/dispatch.h"

namespace cuimg {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are stored as they lie in memory");

// Neither side is aligned, since a file's header has any length.
template <class Sample, int N>
void join(const std::byte* row, const std::size_t (&planes)[4], std::size_t width,
          std::byte* __restrict pixels) {
  const std::byte* from[N];
  for (int c = 0; c < N; ++c) from[c] = row + planes[c];
  for (std::size_t x = 0; x < width; ++x)
    for (int c = 0; c < N; ++c, pixels += sizeof(Sample))
      std::memcpy(pixels, from[c] + x * sizeof(Sample), sizeof(Sample));
}

// Works plane by plane: the row of pixels stays in the first-level cache.
template <class Sample, int N>
void split(const std::byte* pixels, const std::size_t (&planes)[4], std::size_t width,
           std::byte* row) {
  for (int c = 0; c < N; ++c, pixels += sizeof(Sample)) {
    std::byte* __restrict to = row + planes[c];
    for (std::size_t x = 0; x < width; ++x)
      std::memcpy(to + x * sizeof(Sample), pixels + x * N * sizeof(Sample), sizeof(Sample));
  }
}

// Copies a channel's floats from one stride to another.
void copy_floats(const std::byte* from, std::size_t from_step, std::size_t count, std::byte* to,
                 std::size_t to_step) {
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_step, from + i * from_step, sizeof(float));
}

// Calls use(Sample{}, number of channels).
template <class Use>
void with_samples(int channels, std::size_t sample_bytes, const Use& use) {
  with_channels(channels, [&](auto n) {
    if (sample_bytes == 2)
      use(std::uint16_t{}, n);
    else
      use(std::uint32_t{}, n);
  });
}

}  // namespace

ExrChunkRows::ExrChunkRows(std::span<const ExrChunkChannel> channels, int width, int rows)
    : chunk_rows(rows), width_(static_cast<std::size_t>(width)) {
  for (const ExrChunkChannel& channel : channels) {
    if (channel.layer >= 0) add_plane(channel);
    row_bytes += channel.bytes * width_;
  }
  if (row_bytes * static_cast<std::size_t>(chunk_rows) > INT32_MAX)
    throw Error("exr",
                "a chunk of " + std::to_string(chunk_rows) + " of these rows would exceed 2 GiB",
                chunk_rows > 1 ? "use --compression zips" : "");
  // Single rows are too little work for a thread.
  constexpr std::size_t worth_a_thread = std::size_t{256} << 10;
  const std::size_t worth = worth_a_thread / std::max<std::size_t>(1, row_bytes);
  block_rows = std::max(chunk_rows, static_cast<int>(std::min<std::size_t>(worth, 16)));
  block_rows -= block_rows % chunk_rows;
}

void ExrChunkRows::add_plane(const ExrChunkChannel& channel) {
  auto planes = std::ranges::find(layers_, channel.layer, &Planes::layer);
  if (planes == layers_.end())
    planes = layers_.insert(planes, {channel.layer, channel.count, channel.sample_bytes});
  planes->offsets[channel.index] = row_bytes;
  planes->are_halves[channel.index] = channel.bytes < channel.sample_bytes;
  planes->has_halves = planes->has_halves || channel.bytes < channel.sample_bytes;
}

void ExrChunkRows::read(const std::byte* row, Image& image, int y) const {
  for (const Planes& planes : layers_) {
    std::byte* const pixels = image.row(planes.layer, y);
    if (planes.has_halves) {
      read_halves(planes, row, pixels);
      continue;
    }
    with_samples(planes.count, planes.sample_bytes, [&](auto sample, auto n) {
      join<decltype(sample), n()>(row, planes.offsets, width_, pixels);
    });
  }
}

void ExrChunkRows::write(const Image& image, int y, std::byte* row) const {
  for (const Planes& planes : layers_) {
    const std::byte* const pixels = image.row(planes.layer, y);
    if (planes.has_halves) {
      write_halves(planes, pixels, row);
      continue;
    }
    with_samples(planes.count, planes.sample_bytes, [&](auto sample, auto n) {
      split<decltype(sample), n()>(pixels, planes.offsets, width_, row);
    });
  }
}

void ExrChunkRows::read_halves(const Planes& planes, const std::byte* row,
                               std::byte* pixels) const {
  const std::size_t step = sizeof(float) * static_cast<std::size_t>(planes.count);
  for (int c = 0; c < planes.count; ++c, pixels += sizeof(float)) {
    const std::byte* const from = row + planes.offsets[c];
    if (planes.are_halves[c])
      widen_exr_samples(from, step, width_, pixels);
    else
      copy_floats(from, sizeof(float), width_, pixels, step);
  }
}

void ExrChunkRows::write_halves(const Planes& planes, const std::byte* pixels,
                                std::byte* row) const {
  const std::size_t step = sizeof(float) * static_cast<std::size_t>(planes.count);
  for (int c = 0; c < planes.count; ++c, pixels += sizeof(float)) {
    std::byte* const to = row + planes.offsets[c];
    if (planes.are_halves[c])
      narrow_exr_samples(pixels, step, width_, to);
    else
      copy_floats(pixels, step, width_, to, sizeof(float));
  }
}

}  // namespace cuimg
