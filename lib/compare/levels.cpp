// SPDX-License-Identifier: Apache-2.0
#include "compare/levels.h"

#include "base/error.h"
#include "base/message_text.h"

namespace cuimg {

std::vector<LevelId> levels_of(const Spec& spec) {
  std::vector<LevelId> levels;
  const FileStorage& storage = spec.storage;
  if (storage.is_rip_map()) {
    for (int down = 0; down < storage.rip_down; ++down)
      for (int across = 0; across < storage.rip_across; ++across) levels.push_back({across, down});
  } else {
    for (int level = 0; level < storage.levels; ++level) levels.push_back({level, level});
  }
  return levels;
}

std::string levels_text(const Spec& spec) {
  const FileStorage& storage = spec.storage;
  if (storage.is_rip_map()) return size_text(storage.rip_across, storage.rip_down) + " rip levels";
  return storage.levels == 1 ? "1 level" : std::to_string(storage.levels) + " mip levels";
}

std::string level_name(const Spec& spec, LevelId level) {
  const std::string across = std::to_string(level.across);
  return spec.storage.is_rip_map() ? across + "," + std::to_string(level.down) : across;
}

Image level_of(const Decoder& picture, LevelId level) {
  const std::unique_ptr<Decoder> decoder = picture.open_level(level);
  if (decoder == nullptr) throw Error("levels", "the format has no levels");
  return decoded(*decoder);
}

}  // namespace cuimg
