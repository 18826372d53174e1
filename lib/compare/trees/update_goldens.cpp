// SPDX-License-Identifier: Apache-2.0
#include "compare/trees/update_goldens.h"

#include <filesystem>

#include "base/error.h"
#include "compare/levels.h"
#include "io/byte_source.h"
#include "io/output_file.h"

namespace cuimg {

namespace fs = std::filesystem;

namespace {

// A golden that is no picture would pass forever: a result that is broken in the same way has equal
// bytes.
void decode_all(const std::shared_ptr<const ByteSource>& source, DecodeOptions decode) {
  decode.mip_level = 0;
  decode.notify = decode.warn = {};
  source->read_whole([&] {
    const std::unique_ptr<ImageFile> file = open_file(source, decode);
    for (int part = 0; part < file->part_count(); ++part) {
      const std::unique_ptr<Decoder> picture = file->open(part);
      decoded(*picture);
      const std::vector<LevelId> levels = levels_of(picture->spec());
      for (std::size_t i = 1; i < levels.size(); ++i) level_of(*picture, levels[i]);
    }
  });
}

}  // namespace

std::optional<GoldenUpdate> golden_update(const Comparison& comparison,
                                          const std::string& golden_folder,
                                          const std::string& result_folder) {
  if (comparison.verdict != Verdict::differs) return std::nullopt;
  if (comparison.result.empty() || comparison.result == "-") return std::nullopt;
  const std::string code = comparison.reasons.empty() ? "" : comparison.reasons.front().code;
  if (code == "missing") return std::nullopt;
  const bool is_new = code == "extra";
  if (!comparison.golden.empty()) return GoldenUpdate{comparison.result, comparison.golden, is_new};
  const fs::path path = fs::path(comparison.result).lexically_relative(result_folder);
  return GoldenUpdate{comparison.result, (fs::path(golden_folder) / path).string(), is_new};
}

void check_acceptable(const GoldenUpdate& update, const DecodeOptions& decode) {
  decode_all(ByteSource::open(update.from), decode);
}

void copy_to_golden(const GoldenUpdate& update, const DecodeOptions& decode) {
  const auto source = ByteSource::open(update.from);
  decode_all(source, decode);
  const fs::path folder = fs::path(update.to).parent_path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) throw Error(folder.string(), "it cannot be made: " + error.message());
  OutputFile file(update.to);
  file.sink().write(source->bytes());
  source->check_complete();
  file.commit();
}

}  // namespace cuimg
