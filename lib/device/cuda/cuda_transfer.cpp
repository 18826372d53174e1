// SPDX-License-Identifier: Apache-2.0
// Pinned pixels are copied in place. Others pass through the ring, one slot of rows at a time:
// while the card copies one slot, the host fills or empties the next.
#include "device/cuda/cuda_transfer.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>

#include "base/error.h"
#include "device/cuda/cuda_copies.h"
#include "device/cuda/cuda_pinned.h"
#include "device/cuda/cuda_widen.h"

namespace cuimg {
namespace {

// The number of slots that a download keeps in use, which leaves some for another transfer.
constexpr std::size_t download_depth = PinnedRing::slots_at_once;
static_assert(2 * download_depth <= PinnedRing::slot_count);

// Rows and their division into slots. Host rows have the layer's channels, and three channels stay
// three.
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

// Copies rows between image and ring. One core copies at a fifth of the rate of the card.
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

// Memory for packed rows of three channels between the bus and the kernel. One buffer is enough:
// copies and kernels alternate on the stream.
std::shared_ptr<CudaBlock> staging_for(CudaQueue& queue, const Cut& cut, int height) {
  if (!cut.widened) return nullptr;
  return queue.pool().memory(cut.bytes(std::min(cut.rows_per_slot, height)));
}

// Rows in pinned memory: in a slot of the ring, or in an image.
template <class Byte>
struct HostRows {
  Byte* first;
  std::size_t pitch_bytes;
};

void queue_rows_to_card(CudaPixels& pixels, const Cut& cut, HostRows<const std::byte> host,
                        const CudaBlock* staging, int row, int rows, cudaStream_t stream) {
  const std::size_t y = static_cast<std::size_t>(row), count = static_cast<std::size_t>(rows);
  const auto copy = [&](void* to, std::size_t pitch) {
    CUIMG_CUDA(cudaMemcpy2DAsync, to, pitch, host.first, host.pitch_bytes, cut.row_bytes, count,
               cudaMemcpyHostToDevice, stream);
  };
  if (cut.widened) {
    void* packed = staging->memory.get();
    copy(packed, cut.row_bytes);
    widen_rows(pixels, packed, row, rows);
  } else if (pixels.is_array()) {
    CUIMG_CUDA(cudaMemcpy2DToArrayAsync, pixels.array(), 0, y, host.first, host.pitch_bytes,
               cut.row_bytes, count, cudaMemcpyHostToDevice, stream);
  } else {
    copy(static_cast<std::byte*>(pixels.data()) + y * pixels.pitch_bytes(), pixels.pitch_bytes());
  }
}

void queue_rows_to_host(CudaPixels& pixels, const Cut& cut, HostRows<std::byte> host,
                        const CudaBlock* staging, int row, int rows, cudaStream_t stream) {
  const std::size_t y = static_cast<std::size_t>(row), count = static_cast<std::size_t>(rows);
  const auto copy = [&](const void* from, std::size_t pitch) {
    CUIMG_CUDA(cudaMemcpy2DAsync, host.first, host.pitch_bytes, from, pitch, cut.row_bytes, count,
               cudaMemcpyDeviceToHost, stream);
  };
  if (cut.widened) {
    void* packed = staging->memory.get();
    pack_rows(pixels, packed, row, rows);
    copy(packed, cut.row_bytes);
  } else if (pixels.is_array()) {
    CUIMG_CUDA(cudaMemcpy2DFromArrayAsync, host.first, host.pitch_bytes, pixels.array(), 0, y,
               cut.row_bytes, count, cudaMemcpyDeviceToHost, stream);
  } else {
    copy(static_cast<const std::byte*>(pixels.data()) + y * pixels.pitch_bytes(),
         pixels.pitch_bytes());
  }
}

// The position of a layer's rows of a region in the image.
struct RegionRows {
  RegionRows(const Image& image, int layer, const Rect& region) {
    const LayerSpec& spec = image.spec().layers.at(static_cast<std::size_t>(layer));
    const Rect& window = image.spec().data_window;
    pitch_bytes = image.row_bytes(layer);
    if (!region.empty())
      offset_bytes = static_cast<std::size_t>(region.y - window.y) * pitch_bytes +
                     static_cast<std::size_t>(region.x - window.x) * spec.pixel_bytes();
    rows_above = region.y - window.y;
  }
  template <class Byte>
  HostRows<Byte> from(Byte* plane, int row) const {
    return {plane + offset_bytes + static_cast<std::size_t>(row) * pitch_bytes, pitch_bytes};
  }
  std::size_t pitch_bytes = 0, offset_bytes = 0;
  int rows_above = 0;  // in the image
};

struct Transfer {
  CudaPixels& pixels;
  const Cut& cut;
  const CudaBlock* staging;
  const RegionRows& rows;
  int height;
};

void upload_in_place(CudaQueue& queue, const Transfer& t, const std::byte* plane,
                     RowProgress& ready) {
  CopiesUnderWay copies(queue.stream());
  for (int row = 0; row < t.height; row += t.cut.rows_per_slot) {
    const int rows = t.cut.rows_at(row, t.height);
    ready.wait_for(t.rows.rows_above + row + rows);
    queue_rows_to_card(t.pixels, t.cut, t.rows.from(plane, row), t.staging, row, rows,
                       queue.stream());
  }
  copies.wait();
}

void upload_by_ring(CudaQueue& queue, const Transfer& t, const std::byte* plane, RowProgress& ready,
                    int threads) {
  RowCopies copies(threads);
  for (int row = 0; row < t.height; row += t.cut.rows_per_slot) {
    const int rows = t.cut.rows_at(row, t.height);
    // This comes before a slot is taken: a slow producer must not keep it from others.
    ready.wait_for(t.rows.rows_above + row + rows);
    const cudaStream_t stream = queue.stream();
    PinnedRing::Lease lease = queue.ring().acquire();
    copies.run(rows, t.cut.row_bytes, [&](int i) {
      std::memcpy(lease.data() + t.cut.bytes(i), t.rows.from(plane, row + i).first,
                  t.cut.row_bytes);
    });
    queue_rows_to_card(t.pixels, t.cut, {lease.data(), t.cut.row_bytes}, t.staging, row, rows,
                       stream);
    lease.record(stream);
  }
}

void download_in_place(CudaQueue& queue, const Transfer& t, std::byte* plane, RowProgress& done) {
  const cudaStream_t stream = queue.stream();
  CopiesUnderWay copies(stream);
  for (int row = 0; row < t.height; row += t.cut.rows_per_slot)
    queue_rows_to_host(t.pixels, t.cut, t.rows.from(plane, row), t.staging, row,
                       t.cut.rows_at(row, t.height), stream);
  copies.wait();
  done.advance(t.rows.rows_above + t.height);
}

void download_by_ring(CudaQueue& queue, const Transfer& t, std::byte* plane, RowProgress& done,
                      int threads) {
  const cudaStream_t stream = queue.stream();
  struct Part {
    PinnedRing::Lease lease;
    int row, rows;
  };
  std::deque<Part> under_way;
  RowCopies copies(threads);
  const auto deliver = [&](Part& part) {
    part.lease.wait();
    copies.run(part.rows, t.cut.row_bytes, [&](int i) {
      std::memcpy(t.rows.from(plane, part.row + i).first, part.lease.data() + t.cut.bytes(i),
                  t.cut.row_bytes);
    });
    done.advance(t.rows.rows_above + part.row + part.rows);
  };

  int row = 0;
  while (row < t.height || !under_way.empty()) {
    if (row < t.height && under_way.size() < download_depth) {
      PinnedRing::Lease lease =
          under_way.empty() ? queue.ring().acquire() : queue.ring().try_acquire();
      if (lease) {
        const int rows = t.cut.rows_at(row, t.height);
        queue_rows_to_host(t.pixels, t.cut, {lease.data(), t.cut.row_bytes}, t.staging, row, rows,
                           stream);
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

}  // namespace

Frame upload_layer(CudaQueue& queue, const Image& image, int layer, const Rect& region,
                   RowProgress& ready, Storage storage, int threads) {
  const LayerSpec& spec = image.spec().layers.at(static_cast<std::size_t>(layer));
  const FrameFormat format = {region, spec.type, spec.channel_count(),
                              storage == Storage::host ? Storage::pitched : storage};
  const Cut cut(format);
  const int height = format.region.empty() ? 0 : format.region.height;
  const std::shared_ptr<CudaPixels> pixels = queue.allocate(format);
  const std::shared_ptr<CudaBlock> staging = staging_for(queue, cut, height);
  const RegionRows rows(image, layer, region);
  const Transfer transfer{*pixels, cut, staging.get(), rows, height};
  const PixelMemory& memory = image.memory(layer);
  if (is_pinned(memory, queue.device()))
    upload_in_place(queue, transfer, memory.get(), ready);
  else
    upload_by_ring(queue, transfer, memory.get(), ready, threads);
  return Frame::on_card(format, pixels);
}

void download_layer(CudaQueue& queue, const Frame& frame, Image& image, int layer,
                    RowProgress& done, int threads) {
  const FrameFormat& format = frame.format();
  const LayerSpec& spec = image.spec().layers.at(static_cast<std::size_t>(layer));
  if (spec.type != format.type || spec.channel_count() != format.channels ||
      !image.spec().data_window.contains(format.region))
    throw Error("download", "the frame does not fit the image's layer");
  if (frame.empty()) return;

  const Cut cut(format);
  const int height = format.region.height;
  const std::shared_ptr<CudaBlock> staging = staging_for(queue, cut, height);
  const RegionRows rows(image, layer, format.region);
  const Transfer transfer{frame.card(), cut, staging.get(), rows, height};
  const PixelMemory& memory = image.memory(layer);
  if (is_pinned(memory, queue.device()))
    download_in_place(queue, transfer, memory.get(), done);
  else
    download_by_ring(queue, transfer, memory.get(), done, threads);
}

}  // namespace cuimg
