// SPDX-License-Identifier: Apache-2.0
// Opens OpenEXR files: reads every header, checks the whole file, and lists the parts.
#include "io/exr/exr_file.h"

#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIDManifestAttribute.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfStandardAttributes.h>

#include "base/message_text.h"
#include "io/exr/exr_codec.h"
#include "io/exr/exr_layout.h"

namespace cuimg {
namespace {

// Makes OpenEXR treat idManifest as an unknown attribute, for the whole process: OpenEXR 3.1 reads
// past its end when it parses it.
void keep_id_manifests_as_bytes() {
  static const bool is_done = [] {
    Imf::staticInitialize();  // which registers all types, once
    Imf::IDManifestAttribute::unRegisterAttributeType();
    return true;
  }();
  (void)is_done;
}

std::string name_of_part(const Imf::Header& header, int part) {
  return std::to_string(part) + (header.hasName() ? " '" + header.name() + "'" : "");
}

class ExrParts final : public ImageFile {
 public:
  ExrParts(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
      : file_(std::make_shared<ExrFile>(std::move(source), options)) {}

  int part_count() const override { return file_->parts(); }
  PartSummary summary(int part) const override {
    part_index(part, part_count(), file_->source());
    const Imf::Header& header = file_->header(part);
    PartSummary summary;
    if (header.hasName()) summary.name = header.name();
    if (header.hasView()) summary.view = header.view();
    if (file_->is_deep(part)) summary.refused = "deep";
    return summary;
  }
  std::unique_ptr<Decoder> open(int part) override {
    part_index(part, part_count(), file_->source());
    return open_exr_part(file_, part);
  }

 private:
  const std::shared_ptr<ExrFile> file_;
};

}  // namespace

ExrFile::ExrFile(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
    : source_(std::move(source)),
      options_(options),
      threads_(exr_threads(options.threads)),
      input_(source_) {
  translating_exr_errors(source_->name(), [&] { open(); });
}

void ExrFile::open() {
  keep_id_manifests_as_bytes();
  // The version field's bits for deep data and for several parts. With several parts, each states
  // its type.
  const auto flags = std::to_integer<unsigned>(source_->bytes()[5]);
  if ((flags & 0x08) != 0 && (flags & 0x10) == 0)
    throw Error(source_->name(), "deep EXR is not supported", "flatten it first");
  chunk_tables_ = check_attributes(*source_, options_);
  // Chunk tables are not rebuilt: a file without one was not completed.
  file_ = std::make_unique<Imf::MultiPartInputFile>(input_, threads_, false);
  if (parts() > 1) check_chunks(*source_, *file_, 0, chunk_tables_);
}

bool ExrFile::is_deep(int part) const {
  return header(part).hasType() && Imf::isDeepData(header(part).type());
}

void ExrFile::refuse_deep(int part) const {
  if (!is_deep(part)) return;
  std::string flat;
  for (int i = 0; i < parts(); ++i)
    if (!is_deep(i)) add_item(flat, name_of_part(header(i), i));
  throw Error(source_->name(),
              "part " + name_of_part(header(part), part) + " is deep, which is not supported",
              flat.empty() ? "flatten it first" : "flatten it, or choose one with --part: " + flat);
}

void ExrFile::check_only_part(std::uint64_t chunks) const {
  if (parts() == 1) check_chunks(*source_, *file_, chunks, chunk_tables_);
}

std::unique_ptr<ImageFile> open_exr(std::shared_ptr<const ByteSource> source,
                                    const DecodeOptions& options) {
  return std::make_unique<ExrParts>(std::move(source), options);
}

}  // namespace cuimg
