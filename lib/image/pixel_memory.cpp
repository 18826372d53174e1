// SPDX-License-Identifier: Apache-2.0
#include "image/pixel_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.h"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace cuimg {

void FreePixels::operator()(std::byte* memory) const { std::free(memory); }

PixelMemory allocate_pixels(std::size_t bytes, const char* what) {
  constexpr std::size_t vector_bytes = 64, huge_page = std::size_t{1} << 21;
  const std::size_t size = (bytes + vector_bytes + vector_bytes - 1) / vector_bytes * vector_bytes;
  // Touching new memory costs a fault a page: a third of a JPEG's whole time in pages of 4 KB.
  const bool is_large = size >= huge_page;
  // Not aligned_alloc(), whose sizes are multiples of the alignment.
  void* allocated = nullptr;
  if (posix_memalign(&allocated, is_large ? huge_page : vector_bytes, size) != 0)
    throw Error("memory", "no " + std::to_string(size) + " bytes for " + what + " pixels");
  PixelMemory memory(static_cast<std::byte*>(allocated));
#if defined(__linux__)
  // The end that fills no huge page keeps small ones, so that no more is taken than asked for.
  if (is_large) madvise(memory.get(), size / huge_page * huge_page, MADV_HUGEPAGE);
#endif
  return memory;
}

void forget_pixels(const PixelMemory& memory, std::size_t first, std::size_t last) {
#if defined(__linux__)
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(memory.get());
  // A page that the allocation shares with others stays.
  const std::uintptr_t begin =
      std::max((start + first) / page * page, (start + page - 1) / page * page);
  const std::uintptr_t end = (start + last) / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
#else
  (void)memory, (void)first, (void)last;
#endif
}

}  // namespace cuimg
