// SPDX-License-Identifier: Apache-2.0
// The interface through which queue.cpp and per_card.cpp use CUDA. cuda_backend.cpp implements it
// in a build with CUDA, no_cuda.cpp in one without.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/row_progress.h"
#include "device/frame.h"
#include "device/queue.h"
#include "image/dct_image.h"
#include "image/image.h"

namespace cuimg::card {

std::shared_ptr<CudaQueue> open(int index);
std::string name(const CudaQueue& queue);
/// The card's number, whatever the queue.
int index(const CudaQueue& queue);
/// Another owning pointer to the queue.
std::shared_ptr<CudaQueue> shared(CudaQueue& queue);
/// The queue's second stream.
std::shared_ptr<CudaQueue> sibling(CudaQueue& queue);
Frame allocate(CudaQueue& queue, const FrameFormat& format);
Frame upload(CudaQueue& queue, const Image& image, int layer, const Rect& region,
             RowProgress& ready, Storage storage, int threads);
void download(CudaQueue& queue, const Frame& frame, Image& image, int layer, RowProgress& done,
              int threads);
std::optional<Frame> upload_blocks(CudaQueue& queue, const DctImage& blocks, const Rect& region,
                                   Storage storage);
void download_blocks(const Frame& frame, DctImage& blocks);
std::shared_ptr<const void> room_to_keep(const CudaQueue& queue, std::uint64_t bytes, int parts);
void synchronize(CudaQueue& queue);
/// Makes the queue's card current for the calling thread.
void make_current(const CudaQueue& queue);
void keep_times(CudaQueue& queue);
void time_step(CudaQueue& queue, const std::string& step, const std::function<void()>& work);
std::vector<StepTime> take_times(CudaQueue& queue);

}  // namespace cuimg::card
