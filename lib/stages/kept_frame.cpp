// SPDX-License-Identifier: Apache-2.0
#include "stages/kept_frame.h"

#include <cstdint>
#include <memory>

namespace cuimg {
namespace {

struct KeptFrame {
  std::shared_ptr<const void> room;
  Frame frame;
};

// An image that every call reads completely may take half of a run's memory for frames. One that is
// read in parts may take a quarter, since pictures made with it are made in tiles, which also need
// memory.
constexpr int parts_for_all = 2, parts_for_part = 4;

std::uint64_t bytes_of(const FrameFormat& format) {
  return format.region.empty()
             ? 0
             : static_cast<std::uint64_t>(format.region.pixels()) * format.pixel_bytes();
}

// Kernels accept frames at any position, but not without pixels.
Rect part_of(const Rect& whole, const Rect& region) {
  const Rect shared = intersection(region, whole);
  return shared.empty() && !whole.empty() ? Rect{whole.x, whole.y, 1, 1} : shared;
}

}  // namespace

Frame kept_or_part(const Queue& queue, const PerCard<Frame>& kept, const FrameFormat& whole,
                   const Rect& region, const std::function<Frame(const Rect& part)>& make) {
  const Rect part = part_of(whole.region, region);
  const bool is_all = part == whole.region;
  const auto all = kept.of(queue.card(), [&]() -> std::shared_ptr<const Frame> {
    auto room = queue.room_to_keep(bytes_of(whole), is_all ? parts_for_all : parts_for_part);
    if (!room) return nullptr;
    const auto made = std::make_shared<KeptFrame>(KeptFrame{std::move(room), make(whole.region)});
    return {made, &made->frame};
  });
  return all ? *all : make(part);
}

}  // namespace cuimg
