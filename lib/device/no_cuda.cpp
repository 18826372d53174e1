// SPDX-License-Identifier: Apache-2.0
// Replaces the card's functions in a build without nvcc: every function reports that CUDA is
// missing.
#include "device/card_backend.h"
#include "device/pinned_pixels.h"

namespace cuimg {
namespace {

constexpr const char* without_cuda = "this cuimg was built without CUDA";

[[noreturn]] void refuse() { throw DeviceError("cuda", 0, without_cuda); }

}  // namespace

namespace card {

std::shared_ptr<CudaQueue> open(int) { refuse(); }
std::string name(const CudaQueue&) { refuse(); }
int index(const CudaQueue&) { refuse(); }
std::shared_ptr<CudaQueue> shared(CudaQueue&) { refuse(); }
std::shared_ptr<CudaQueue> sibling(CudaQueue&) { refuse(); }
Frame allocate(CudaQueue&, const FrameFormat&) { refuse(); }
Frame upload(CudaQueue&, const Image&, int, const Rect&, RowProgress&, Storage, int) { refuse(); }
void download(CudaQueue&, const Frame&, Image&, int, RowProgress&, int) { refuse(); }
std::optional<Frame> upload_blocks(CudaQueue&, const DctImage&, const Rect&, Storage) { refuse(); }
void download_blocks(const Frame&, DctImage&) { refuse(); }
std::shared_ptr<const void> room_to_keep(const CudaQueue&, std::uint64_t, int) { refuse(); }
void synchronize(CudaQueue&) { refuse(); }
void make_current(const CudaQueue&) { refuse(); }
void keep_times(CudaQueue&) { refuse(); }
void time_step(CudaQueue&, const std::string&, const std::function<void()>&) { refuse(); }
std::vector<StepTime> take_times(CudaQueue&) { refuse(); }

}  // namespace card

void pin_pixels(const Queue&, const Image&, int) { refuse(); }

bool is_card_broken(int) { return false; }
void limit_card_memory(std::uint64_t) {}

DeviceList list_devices(bool) {
  DeviceList list;
  list.problem = without_cuda;
  return list;
}

bool may_have_cuda() { return false; }

}  // namespace cuimg
