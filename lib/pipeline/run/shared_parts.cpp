// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/shared_parts.h"

#include <algorithm>

#include "io/codec.h"
#include "io/successive_parts.h"
#include "pipeline/decode_options.h"

namespace cuimg {

ImageFile& SharedParts::open(const DecodeOptions& options) const {
  if (options.notify) std::ranges::for_each(notes_, options.notify);
  if (const Notify& warn = options.warn ? options.warn : options.notify)
    std::ranges::for_each(warnings_, warn);
  return *file_;
}

std::shared_ptr<const SharedParts> SharedFiles::open(const std::string& path,
                                                     const CommonOptions& common,
                                                     std::uint64_t memory_bytes) {
  const std::lock_guard lock(mutex_);
  if (path == path_) return latest_;
  const auto parts = std::make_shared<SharedParts>();
  DecodeOptions options = decode_options(common);
  // The file may keep these during its lifetime, which is no longer than that of its SharedParts.
  SharedParts* const noted = parts.get();
  options.notify = [noted](const std::string& line) { noted->notes_.push_back(line); };
  options.warn = [noted](const std::string& line) { noted->warnings_.push_back(line); };
  parts->source_ = ByteSource::open(path, common.scratch);
  parts->file_ = open_file(parts->source_, options);
  path_ = path;
  latest_ = nullptr;
  if (auto* const successive = dynamic_cast<SuccessiveParts*>(parts->file_.get())) {
    constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20, part_of_memory = 16;
    successive->keep_latest(
        static_cast<std::size_t>(std::min(most_bytes, memory_bytes / part_of_memory)));
    latest_ = parts;
  }
  return latest_;
}

}  // namespace cuimg
