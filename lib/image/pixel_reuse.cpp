// SPDX-License-Identifier: Apache-2.0
#include "image/pixel_reuse.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>
#include <list>
#include <mutex>
#include <new>

#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

struct Block {
  std::byte* memory;
  std::size_t size;
};

struct Kept {
  std::mutex mutex;
  int users = 0;
  std::list<Block> blocks;  // from the oldest to the newest
  std::size_t kept_bytes = 0, used_bytes = 0, most_used_bytes = 0;

  // Removes the oldest kept blocks until at most that many bytes are left.
  std::list<Block> without(std::size_t bytes) {
    std::list<Block> leaving;
    while (kept_bytes > bytes && !blocks.empty()) {
      kept_bytes -= blocks.front().size;
      leaving.splice(leaving.end(), blocks, blocks.begin());
    }
    return leaving;
  }
};

std::atomic<PixelReuse::BeforeFree> call_before_free = nullptr;

// Freeing takes the system some time, so it is done without holding the lock.
void free_all(const std::list<Block>& blocks) {
  for (const Block& block : blocks) {
    PixelReuse::prepare_to_free(block.memory);
    std::free(block.memory);
  }
}

// Never destroyed: images may outlive every other static.
Kept& kept() {
  static Kept* const instance = new Kept;
  return *instance;
}

}  // namespace

PixelReuse::PixelReuse() {
  const std::lock_guard lock(kept().mutex);
  if (kept().users++ == 0) kept().most_used_bytes = kept().used_bytes;
}

PixelReuse::~PixelReuse() {
  std::list<Block> leaving;
  {
    const std::lock_guard lock(kept().mutex);
    if (--kept().users == 0) leaving = kept().without(0);
  }
  free_all(leaving);
}

std::size_t PixelReuse::size_for(std::size_t bytes) {
  constexpr std::size_t least = 4096;
  std::size_t step = least;
  while (step * 16 <= bytes) step *= 2;
  return round_up(bytes, step);
}

std::byte* PixelReuse::take(std::size_t size) {
  std::list<Block> leaving;
  {
    Kept& all = kept();
    const std::lock_guard lock(all.mutex);
    all.used_bytes += size;
    all.most_used_bytes = std::max(all.most_used_bytes, all.used_bytes);
    // The block returned last is most likely to be in the processor's cache.
    for (auto block = all.blocks.rbegin(); block != all.blocks.rend(); ++block) {
      if (block->size != size) continue;
      std::byte* const memory = block->memory;
      all.kept_bytes -= size;
      all.blocks.erase(std::next(block).base());
      return memory;
    }
    leaving = all.without(all.most_used_bytes - all.used_bytes);
  }
  free_all(leaving);
  return nullptr;
}

void PixelReuse::give_up(std::size_t size) {
  const std::lock_guard lock(kept().mutex);
  kept().used_bytes -= size;
}

bool PixelReuse::keep(std::byte* memory, std::size_t size) {
  Kept& all = kept();
  const std::lock_guard lock(all.mutex);
  all.used_bytes -= size;
  if (all.users == 0) return false;
  try {
    all.blocks.push_back({memory, size});
  } catch (const std::bad_alloc&) {  // there is no memory for the list's entry
    return false;
  }
  all.kept_bytes += size;
  return true;
}

void PixelReuse::free_kept() {
  std::list<Block> leaving;
  {
    const std::lock_guard lock(kept().mutex);
    leaving = kept().without(0);
  }
  free_all(leaving);
  // After such blocks have been freed once, the allocator itself keeps blocks of up to 32 MB in its
  // arenas.
  malloc_trim(0);
}

void PixelReuse::before_free(BeforeFree call) { call_before_free = call; }

void PixelReuse::prepare_to_free(std::byte* memory) {
  if (const BeforeFree call = call_before_free) call(memory);
}

}  // namespace cuimg
