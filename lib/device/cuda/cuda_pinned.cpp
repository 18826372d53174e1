// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_pinned.h"

#include <cuda_runtime.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <optional>

#include "device/cuda/cuda_check.h"
#include "image/pixel_reuse.h"

namespace cuimg {
namespace {

// Smaller blocks share pages with others, and copying them takes little time.
constexpr std::size_t least_bytes = std::size_t{2} << 20;
// The largest block that is pinned for a single image. The first copy waits for all of it: 40 ms
// per GB.
constexpr std::size_t most_bytes_of_one = std::size_t{1} << 30;

struct Pinned {
  int device;
  bool is_done;  // false while it is being pinned
};

struct PinnedBlocks {
  std::mutex mutex;
  std::map<const std::byte*, Pinned> blocks;
  bool is_refused = false;  // by the system, which limits pinned memory
};

// Never destroyed: images may outlive every other static.
PinnedBlocks& pinned() {
  static PinnedBlocks* const instance = new PinnedBlocks;
  return *instance;
}

// A set of memory nodes in the system's form.
using Nodes = unsigned long;
constexpr unsigned long node_limit = 8 * sizeof(Nodes);

// The memory of the processor to which a card is attached, if there are several.
std::optional<Nodes> nodes_near(int device) {
  int node = -1;
  CUIMG_CUDA(cudaDeviceGetAttribute, &node, cudaDevAttrHostNumaId, device);
  const bool is_known = node >= 0 && node < static_cast<int>(node_limit);
  return is_known ? std::optional(Nodes{1} << node) : std::nullopt;
}

// Moves a block's pages. The system's answer does not affect any result.
void move_near(int device, std::byte* memory, std::size_t bytes) {
  const std::optional<Nodes> nodes = nodes_near(device);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(memory) % page;
  if (nodes)
    syscall(SYS_mbind, memory - offset, bytes + offset, MPOL_PREFERRED, &*nodes, node_limit + 1,
            MPOL_MF_MOVE);
}

void unpin(std::byte* memory) noexcept {
  PinnedBlocks& all = pinned();
  int device = 0;
  {
    const std::lock_guard lock(all.mutex);
    const auto found = all.blocks.find(memory);
    if (found == all.blocks.end()) return;
    device = found->second.device;
    all.blocks.erase(found);
  }
  set_current_card(device);
  CUIMG_CUDA_QUIETLY(cudaSetDevice, device);
  CUIMG_CUDA_QUIETLY(cudaHostUnregister, memory);
}

// @param is_worth whether to pin the block if it is not pinned yet. @returns whether it is pinned
// now.
bool pinned_now(const PixelMemory& memory, int device, bool is_worth) {
  const FreePixels& block = memory.get_deleter();
  if (block.bytes < least_bytes) return false;
  PinnedBlocks& all = pinned();
  {
    const std::lock_guard lock(all.mutex);
    if (const auto found = all.blocks.find(memory.get()); found != all.blocks.end())
      return found->second.is_done;
    if (!is_worth || all.is_refused) return false;
    PixelReuse::before_free(unpin);
    all.blocks.emplace(memory.get(), Pinned{device, false});
  }
  try {
    if (block.is_reused) move_near(device, memory.get(), block.bytes);
    CUIMG_CUDA(cudaHostRegister, memory.get(), block.bytes, cudaHostRegisterPortable);
  } catch (const DeviceError&) {
    const std::lock_guard lock(all.mutex);
    all.blocks.erase(memory.get());
    all.is_refused = true;
    if (!device_usable()) throw;
    return false;  // using the ring is slower, but not a failure
  }
  const std::lock_guard lock(all.mutex);
  return all.blocks.at(memory.get()).is_done = true;
}

}  // namespace

bool is_pinned(const PixelMemory& memory, int device) {
  return pinned_now(memory, device, memory.get_deleter().is_reused);
}

// Not if rows will be forgotten, which frees their pages even if they are pinned, and not if a file
// backs the pages.
void pin(const PixelMemory& memory, int device) {
  const FreePixels& block = memory.get_deleter();
  const bool is_whole = block.place == FreePixels::Place::heap && block.is_counted;
  if (is_whole && block.bytes <= most_bytes_of_one) pinned_now(memory, device, true);
}

MemoryNearCard::MemoryNearCard() {
  int device = 0;
  CUIMG_CUDA(cudaGetDevice, &device);
  if (const std::optional<Nodes> nodes = nodes_near(device))
    is_changed_ = syscall(SYS_set_mempolicy, MPOL_PREFERRED, &*nodes, node_limit + 1) == 0;
}
MemoryNearCard::~MemoryNearCard() {
  if (is_changed_) syscall(SYS_set_mempolicy, MPOL_DEFAULT, nullptr, 0);
}

}  // namespace cuimg
