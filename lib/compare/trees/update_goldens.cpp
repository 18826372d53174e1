// SPDX-License-Identifier: Apache-2.0
#include "compare/trees/update_goldens.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/contains.h"
#include "base/error.h"
#include "compare/levels.h"
#include "io/byte_source.h"
#include "io/folder_entry.h"
#include "io/output_file.h"

namespace cuimg {

namespace fs = std::filesystem;

namespace {

// A golden that is not a picture would always pass: a result that is broken in the same way has
// equal bytes.
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

// Files are copied without conversion, so a golden's format would not match its name.
void refuse_other_format(const GoldenUpdate& update, const ByteSource& source) {
  const Codec* const named = codec_named(file_extension(update.to));
  const Codec* const from = codec_named(file_extension(update.from));
  const Codec* const content = codec_of_content(source.bytes());
  if (named == nullptr || content == nullptr || named == from || named == content) return;
  if (contains(content->variants, named->name, &Codec::name)) return;
  throw Error(update.from,
              fmt::format("its content is {}, but the golden's name says {}", content->description,
                          named->description),
              "--update copies files as they are: remove " + update.to +
                  " so that the result is added, or convert the result");
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
  const auto source = ByteSource::open(update.from);
  refuse_other_format(update, *source);
  decode_all(source, decode);
}

void copy_to_golden(const GoldenUpdate& update, const DecodeOptions& decode) {
  const auto source = ByteSource::open(update.from);
  refuse_other_format(update, *source);
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
