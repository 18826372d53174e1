// SPDX-License-Identifier: Apache-2.0
// A slot's worth of rows at a time: while one is copied by the card, the next is filled or emptied
// by the host.
#include "device/cuda/cuda_transfer.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>

#include "base/error.h"
#include "device/cuda/cuda_widen.h"

namespace cuimg {
namespace {

// How many slots a download keeps under way. Another transfer finds some.
constexpr std::size_t download_depth = PinnedRing::slots_at_once;
static_assert(2 * download_depth <= PinnedRing::slot_count);

// Rows and how they are cut into slots. Host rows hold the layer's channels, three as three.
struct Cut {
  int rows_per_slot;
  std::size_t row_bytes;
  bool widened;

  explicit Cut(const FrameFormat& format) {
    widened = format.channels == 3;
    row_bytes = static_cast<std::size_t>(format.region.width) *
                static_cast<std::size_t>(format.channels) * bytes_of(format.type);
    if (row_bytes > PinnedRing::slot_bytes)
      throw DeviceError::too_large("upload", "a row of " + std::to_string(row_bytes) +
                                                 " bytes exceeds the ring's " +
                                                 std::to_string(PinnedRing::slot_bytes));
    rows_per_slot = static_cast<int>(PinnedRing::slot_bytes / std::max<std::size_t>(1, row_bytes));
  }
  int rows_at(int row, int height) const { return std::min(rows_per_slot, height - row); }
  std::size_t bytes(int rows) const { return row_bytes * static_cast<std::size_t>(rows); }
};

// Rows between image and ring. One core copies at a fifth of the rate at which the card takes them.
class RowCopies {
 public:
  explicit RowCopies(int threads) : threads_(std::clamp(threads, 1, 5)), arena_(threads_) {}

  template <class CopyRow>
  void run(int rows, std::size_t row_bytes, const CopyRow& copy_row) {
    constexpr std::size_t worth_a_thread = std::size_t{256} << 10;
    const auto grain =
        std::max<std::size_t>(1, worth_a_thread / std::max<std::size_t>(1, row_bytes));
    const auto copy = [&](const tbb::blocked_range<int>& range) {
      for (int i = range.begin(); i < range.end(); ++i) copy_row(i);
    };
    const tbb::blocked_range<int> all(0, rows, grain);
    if (threads_ == 1 || !all.is_divisible())
      copy(all);
    else
      arena_.execute([&] { tbb::parallel_for(all, copy); });
  }

 private:
  int threads_;
  tbb::task_arena arena_;
};

// Packed rows of three channels wait here between the bus and the kernel. One is enough: copies and
// kernels take turns on the stream.
std::shared_ptr<CudaBlock> staging_for(CudaQueue& queue, const Cut& cut, int height) {
  if (!cut.widened) return nullptr;
  return queue.pool().memory(cut.bytes(std::min(cut.rows_per_slot, height)));
}

void queue_rows_to_card(CudaPixels& pixels, const Cut& cut, const std::byte* host,
                        const CudaBlock* staging, int row, int rows, cudaStream_t stream) {
  const std::size_t y = static_cast<std::size_t>(row), count = static_cast<std::size_t>(rows);
  if (cut.widened) {
    void* packed = staging->memory.get();
    checked("cudaMemcpyAsync", [&] {
      return cudaMemcpyAsync(packed, host, cut.bytes(rows), cudaMemcpyHostToDevice, stream);
    });
    widen_rows(pixels, packed, row, rows);
  } else if (pixels.is_array()) {
    checked("cudaMemcpy2DToArrayAsync", [&] {
      return cudaMemcpy2DToArrayAsync(pixels.array(), 0, y, host, cut.row_bytes, cut.row_bytes,
                                      count, cudaMemcpyHostToDevice, stream);
    });
  } else {
    checked("cudaMemcpy2DAsync", [&] {
      return cudaMemcpy2DAsync(static_cast<std::byte*>(pixels.data()) + y * pixels.pitch_bytes(),
                               pixels.pitch_bytes(), host, cut.row_bytes, cut.row_bytes, count,
                               cudaMemcpyHostToDevice, stream);
    });
  }
}

void queue_rows_to_host(CudaPixels& pixels, const Cut& cut, std::byte* host,
                        const CudaBlock* staging, int row, int rows, cudaStream_t stream) {
  const std::size_t y = static_cast<std::size_t>(row), count = static_cast<std::size_t>(rows);
  if (cut.widened) {
    void* packed = staging->memory.get();
    pack_rows(pixels, packed, row, rows);
    checked("cudaMemcpyAsync", [&] {
      return cudaMemcpyAsync(host, packed, cut.bytes(rows), cudaMemcpyDeviceToHost, stream);
    });
  } else if (pixels.is_array()) {
    checked("cudaMemcpy2DFromArrayAsync", [&] {
      return cudaMemcpy2DFromArrayAsync(host, cut.row_bytes, pixels.array(), 0, y, cut.row_bytes,
                                        count, cudaMemcpyDeviceToHost, stream);
    });
  } else {
    checked("cudaMemcpy2DAsync", [&] {
      return cudaMemcpy2DAsync(
          host, cut.row_bytes,
          static_cast<const std::byte*>(pixels.data()) + y * pixels.pitch_bytes(),
          pixels.pitch_bytes(), cut.row_bytes, count, cudaMemcpyDeviceToHost, stream);
    });
  }
}

}  // namespace

Frame upload_layer(CudaQueue& queue, const Image& image, int layer, const Rect& region,
                   RowProgress& ready, Storage storage, int threads) {
  const LayerSpec& spec = image.spec().layers.at(static_cast<std::size_t>(layer));
  const Rect& window = image.spec().data_window;
  const FrameFormat format = {region, spec.type, spec.channel_count(),
                              storage == Storage::host ? Storage::pitched : storage};
  const Cut cut(format);
  const int height = format.region.empty() ? 0 : format.region.height;
  const std::shared_ptr<CudaPixels> pixels = queue.allocate(format);
  const std::shared_ptr<CudaBlock> staging = staging_for(queue, cut, height);
  RowCopies copies(threads);
  const std::size_t offset =
      region.empty() ? 0 : static_cast<std::size_t>(region.x - window.x) * spec.pixel_bytes();
  for (int row = 0; row < height; row += cut.rows_per_slot) {
    const int rows = cut.rows_at(row, height);
    // Before a slot is taken: a slow producer must not keep it from others.
    ready.wait_for(region.y - window.y + row + rows);
    const cudaStream_t stream = queue.stream();
    PinnedRing::Lease lease = queue.ring().acquire();
    copies.run(rows, cut.row_bytes, [&](int i) {
      std::memcpy(lease.data() + cut.bytes(i), image.row(layer, region.y + row + i) + offset,
                  cut.row_bytes);
    });
    queue_rows_to_card(*pixels, cut, lease.data(), staging.get(), row, rows, stream);
    lease.record(stream);
  }
  return Frame::on_card(format, pixels);
}

void download_layer(CudaQueue& queue, const Frame& frame, Image& image, int layer,
                    RowProgress& done, int threads) {
  const FrameFormat& format = frame.format();
  const Rect window = image.spec().data_window;
  const LayerSpec& spec = image.spec().layers.at(static_cast<std::size_t>(layer));
  if (spec.type != format.type || spec.channel_count() != format.channels ||
      !window.contains(format.region))
    throw Error("download", "the frame does not fit the image's layer");
  if (frame.empty()) return;

  const Cut cut(format);
  const int height = format.region.height;
  CudaPixels& pixels = frame.card();
  const std::shared_ptr<CudaBlock> staging = staging_for(queue, cut, height);
  const cudaStream_t stream = queue.stream();
  struct Part {
    PinnedRing::Lease lease;
    int row, rows;
  };
  std::deque<Part> under_way;
  RowCopies copies(threads);
  const auto deliver = [&](Part& part) {
    part.lease.wait();
    const std::size_t offset =
        static_cast<std::size_t>(format.region.x - window.x) * spec.pixel_bytes();
    copies.run(part.rows, cut.row_bytes, [&](int i) {
      std::memcpy(image.row(layer, format.region.y + part.row + i) + offset,
                  part.lease.data() + cut.bytes(i), cut.row_bytes);
    });
    done.advance(format.region.y - window.y + part.row + part.rows);
  };

  int row = 0;
  while (row < height || !under_way.empty()) {
    if (row < height && under_way.size() < download_depth) {
      PinnedRing::Lease lease =
          under_way.empty() ? queue.ring().acquire() : queue.ring().try_acquire();
      if (lease) {
        const int rows = cut.rows_at(row, height);
        queue_rows_to_host(pixels, cut, lease.data(), staging.get(), row, rows, stream);
        lease.record(stream);
        under_way.push_back({std::move(lease), row, rows});
        row += rows;
        continue;
      }
    }
    deliver(under_way.front());
    under_way.pop_front();
  }
}

}  // namespace cuimg
