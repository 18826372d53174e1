// SPDX-License-Identifier: Apache-2.0
#include "image/pixel_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "image/pixel_pages.h"
#include "image/pixel_reuse.h"
#include "image/scratch.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;

// The bytes of all blocks that are completely in memory.
std::atomic<std::size_t> counted_bytes = 0;

// The allocator itself keeps smaller blocks.
bool can_be_reused(std::size_t bytes, bool is_counted) {
  return is_counted && bytes >= std::size_t{1} << 18;
}

// Reserves addresses for more than the whole memory, if only some rows will be in memory.
PixelMemory map_pages(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED)
    return {static_cast<std::byte*>(memory), FreePixels{FreePixels::Place::mapped, bytes, false}};
  return nullptr;
}

}  // namespace

void FreePixels::operator()(std::byte* memory) const {
  if (is_counted) counted_bytes -= bytes;
  if (place == Place::scratch) return unmap_file(memory, bytes);
  if (place == Place::mapped) return void(munmap(memory, bytes));
  if (place == Place::heap && can_be_reused(bytes, is_counted)) {
    if (PixelReuse::keep(memory, bytes)) return;
    PixelReuse::prepare_to_free(memory);
  }
  std::free(memory);
}

PixelMemory allocate_pixels(std::size_t bytes, const char* what, Held held) {
  constexpr std::size_t vector_bytes = 64;
  std::size_t size = round_up(bytes + vector_bytes, vector_bytes);
  if (const auto folder =
          held == Held::whole ? Scratch::folder_for(size, counted_bytes) : std::nullopt)
    return {static_cast<std::byte*>(map_scratch_file(*folder, size)),
            FreePixels{FreePixels::Place::scratch, size, false}};
  const bool is_counted = held == Held::whole;
  const bool takes_kept = can_be_reused(size, is_counted);
  if (takes_kept) {
    size = PixelReuse::size_for(size);
    if (std::byte* const kept = PixelReuse::take(size)) {
      counted_bytes += size;
      return {kept, FreePixels{FreePixels::Place::heap, size, true, true}};
    }
  }
  // Touching new memory costs a page fault for each page: with pages of 4 KB, a third of the total
  // time for a JPEG.
  const bool is_large = size >= huge_page;
  // Not aligned_alloc(), which requires sizes to be multiples of the alignment.
  void* allocated = nullptr;
  if (posix_memalign(&allocated, is_large ? huge_page : vector_bytes, size) != 0) {
    if (takes_kept) PixelReuse::give_up(size);
    if (held == Held::some_rows)
      if (PixelMemory mapped = map_pages(size)) return mapped;
    throw Error("memory", "no " + std::to_string(bytes) + " bytes for " + what + " pixels");
  }
  if (is_counted) counted_bytes += size;
  PixelMemory memory(static_cast<std::byte*>(allocated),
                     FreePixels{FreePixels::Place::heap, size, is_counted});
  // The end that does not fill a huge page keeps small pages, so that not more is allocated than
  // requested.
  if (is_large) madvise(allocated, size / huge_page * huge_page, MADV_HUGEPAGE);
  return memory;
}

// Not for pages of which only some are in memory at a time, or that are backed by a file.
void take_pages(const PixelMemory& memory) {
#ifdef MADV_POPULATE_WRITE
  const FreePixels& block = memory.get_deleter();
  const bool is_whole = block.place == FreePixels::Place::heap && block.is_counted;
  if (is_whole && !block.is_reused && block.bytes >= huge_page)
    madvise(memory.get(), block.bytes / huge_page * huge_page, MADV_POPULATE_WRITE);
#endif
}

void forget_pixels(const PixelMemory& memory, std::size_t first, std::size_t last) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(memory.get());
  // A page that the allocation shares with others is kept.
  const std::uintptr_t begin = std::max((start + first) / page * page, round_up(start, page));
  const std::uintptr_t end = (start + last) / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace cuimg
