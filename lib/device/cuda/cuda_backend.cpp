// SPDX-License-Identifier: Apache-2.0
// Implements a Queue's operations on a card, and lists the cards.
#include "device/card_backend.h"
#include "device/cuda/cuda_dct.h"
#include "device/cuda/cuda_memory.h"
#include "device/cuda/cuda_pinned.h"
#include "device/cuda/cuda_queue.h"
#include "device/cuda/cuda_self_check.h"
#include "device/cuda/cuda_transfer.h"
#include "device/pinned_pixels.h"

namespace cuimg {
namespace {

using SharedQueue = std::shared_ptr<CudaQueue>;

void describe(DeviceInfo& info, const cudaDeviceProp& properties) {
  info.name = properties.name;
  info.compute_major = properties.major;
  info.compute_minor = properties.minor;
  info.total_memory_bytes = properties.totalGlobalMem;
  info.multiprocessors = properties.multiProcessorCount;
  info.problem = card_problem(properties);
}

void examine(DeviceInfo& info) {
  const SharedQueue queue = CudaQueue::open(info.index);
  std::size_t free_bytes = 0, total_bytes = 0;
  CUIMG_CUDA(cudaMemGetInfo, &free_bytes, &total_bytes);
  info.free_memory_bytes = free_bytes;
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32})
    (queue->filters_exactly(type) ? info.exact_formats : info.differing_formats)
        .emplace_back(name_of(type));
}

}  // namespace

namespace card {

SharedQueue open(int index) { return CudaQueue::open(index); }

std::string name(const CudaQueue& queue) {
  return "cuda:" + std::to_string(queue.device()) + " (" + queue.card_name() + ")";
}

int index(const CudaQueue& queue) { return queue.device(); }

SharedQueue shared(CudaQueue& queue) { return queue.shared_from_this(); }

SharedQueue sibling(CudaQueue& queue) { return queue.sibling(); }

Frame allocate(CudaQueue& queue, const FrameFormat& format) {
  FrameFormat on_card = format;
  if (on_card.storage == Storage::host) on_card.storage = Storage::pitched;
  return Frame::on_card(on_card, queue.allocate(on_card));
}

Frame upload(CudaQueue& queue, const Image& image, int layer, const Rect& region,
             RowProgress& ready, Storage storage, int threads) {
  return upload_layer(queue, image, layer, region, ready, storage, threads);
}

// On the frame's own queue, after the work that makes its pixels.
void download(CudaQueue& queue, const Frame& frame, Image& image, int layer, RowProgress& done,
              int threads) {
  download_layer(frame.empty() ? queue : frame.card().queue(), frame, image, layer, done, threads);
}

std::optional<Frame> upload_blocks(CudaQueue& queue, const DctImage& blocks, const Rect& region,
                                   Storage storage) {
  return cuimg::upload_blocks(queue, blocks, region, storage);
}

void download_blocks(const Frame& frame, DctImage& blocks) {
  cuimg::download_blocks(frame, blocks);
}

std::shared_ptr<const void> room_to_keep(const CudaQueue& queue, std::uint64_t bytes, int parts) {
  CardMemory& memory = CardMemory::of(queue.device());
  if (!memory.begin_keeping(bytes, queue.memory_bytes(), parts)) return nullptr;
  return {&memory, [bytes](CardMemory* card) { card->end_keeping(bytes); }};
}

void synchronize(CudaQueue& queue) { queue.synchronize(); }
void make_current(const CudaQueue& queue) { queue.make_current(); }
void keep_times(CudaQueue& queue) { queue.keep_step_times(true); }
void time_step(CudaQueue& queue, const std::string& step, const std::function<void()>& work) {
  const StepTimer timer = queue.time_step(step);
  work();
}
std::vector<StepTime> take_times(CudaQueue& queue) { return queue.take_step_times(); }

}  // namespace card

void pin_pixels(const Queue& queue, const Image& image, int layer) {
  const CudaQueue& card = queue.card();
  card.make_current();
  pin(image.memory(layer), card.device());
}

bool may_have_cuda() {
  try {
    int version = 0;
    CUIMG_CUDA(cudaDriverGetVersion, &version);
    return version > 0;
  } catch (const DeviceError&) {
    return false;  // possibly broken before
  }
}

bool is_card_broken(int index) {
  set_current_card(index);
  return !device_usable();
}

DeviceList list_devices(bool check) {
  DeviceList list;
  try {
    list.runtime_version = CUDART_VERSION;
    list.driver_version = driver_version();
    int count = 0;
    CUIMG_CUDA(cudaGetDeviceCount, &count);
    for (int index = 0; index < count; ++index) {
      DeviceInfo info = {};
      info.index = index;
      try {
        cudaDeviceProp properties = {};
        CUIMG_CUDA(cudaGetDeviceProperties, &properties, index);
        describe(info, properties);
        if (check && info.problem.empty()) examine(info);
      } catch (const DeviceError& error) {
        info.problem = error.what();
      }
      list.devices.push_back(std::move(info));
    }
  } catch (const DeviceError& error) {
    list.problem = error.what();
  }
  return list;
}

}  // namespace cuimg
