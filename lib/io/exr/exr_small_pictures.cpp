// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_small_pictures.h"

#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfPreviewImage.h>
#include <OpenEXR/ImfTileDescription.h>
#include <OpenEXR/ImfTiledOutputFile.h>

#include <algorithm>
#include <string_view>

#include "base/bytes.h"
#include "io/exr/exr_blobs.h"
#include "io/exr/exr_stream.h"
#include "io/tags/exif.h"

namespace cuimg {
namespace {

constexpr std::string_view preview_name = "preview";

// The beginning of a file with those headers. Constructors write it.
std::vector<std::byte> head_of(const std::vector<Imf::Header>& headers) {
  MemorySink memory;
  ExrOutput output(memory);
  if (headers.size() > 1) {
    const Imf::MultiPartOutputFile file(output, headers.data(), static_cast<int>(headers.size()),
                                        false, 0);
  } else if (headers.front().hasTileDescription()) {
    const Imf::TiledOutputFile file(output, headers.front(), 0);
  } else {
    const Imf::OutputFile file(output, headers.front(), 0);
  }
  return memory.bytes();
}

// Goes through the attributes of headers, one after another ("OpenEXR File Layout").
class Attributes {
 public:
  explicit Attributes(std::span<const std::byte> head) : head_(head) {}

  // @returns false at the end of a header, which is stepped over.
  bool next() {
    at_ += value_bytes_;
    value_bytes_ = 0;
    name_ = text();
    if (name_.empty()) return false;
    text();  // the type's name
    value_bytes_ = static_cast<std::size_t>(number_at(head_, at_, 4, false));
    at_ += 4;
    return true;
  }
  std::string_view name() const { return name_; }
  std::size_t value_end() const { return at_ + value_bytes_; }

 private:
  std::string_view text() {
    const std::string_view rest = text_of_bytes(head_.subspan(std::min(at_, head_.size())));
    const std::string_view found = rest.substr(0, rest.find('\0'));
    at_ += found.size() + 1;
    return found;
  }

  static constexpr std::size_t magic_and_version = 8;
  std::span<const std::byte> head_;
  std::size_t at_ = magic_and_version, value_bytes_ = 0;
  std::string_view name_;
};

// The block that the header has, with room for a thumbnail or without.
Blob block_of(const Imf::Header& header) {
  const auto found = header.find(exif_key);
  if (found == header.end()) return {};
  auto value = exr_blob_of(found.attribute());
  if (!value) return {};
  value = exr_named_value(exif_key, std::move(*value));
  return std::get<Blob>(*value);
}

}  // namespace

std::optional<ThumbnailSize> exr_preview_size(const Spec& spec) {
  const int side = spec.storage.preview_side;
  if (side <= 0 || spec.data_window.empty()) return std::nullopt;
  return thumbnail_size(spec, {side, side});
}

ExrSmallPictures::ExrSmallPictures(const Spec& spec, const Imf::Header& header)
    : exif_(block_of(header), spec) {
  if (!header.hasPreviewImage()) return;
  const Imf::PreviewImage& room = header.previewImage();
  preview_.emplace(spec,
                   ThumbnailSize{static_cast<int>(room.width()), static_cast<int>(room.height())});
}

void ExrSmallPictures::add(const Image& image, int first, int last) {
  if (preview_) preview_->add(image, first, last);
  exif_.add(image, first, last);
}

ExrSmallBytes ExrSmallPictures::finished() {
  ExrSmallBytes bytes;
  if (preview_) bytes.preview = preview_->rgba();
  exif_.finish();
  if (exif_.is_wanted()) bytes.exif = exif_.block();
  return bytes;
}

void write_exr_small_pictures(const std::vector<Imf::Header>& headers,
                              const std::vector<ExrSmallBytes>& bytes, Imf::OStream& output) {
  if (std::ranges::all_of(bytes, [](const ExrSmallBytes& part) {
        return part.preview.empty() && part.exif.empty();
      }))
    return;
  const std::uint64_t end = output.tellp();
  const std::vector<std::byte> head = head_of(headers);
  Attributes attributes(head);
  for (const ExrSmallBytes& part : bytes)
    while (attributes.next()) {
      // Both lie at the end of their values.
      const Blob none, &wanted = attributes.name() == preview_name ? part.preview
                                 : attributes.name() == exif_key   ? part.exif
                                                                   : none;
      if (wanted.empty()) continue;
      output.seekp(attributes.value_end() - wanted.size());
      output.write(reinterpret_cast<const char*>(wanted.data()), static_cast<int>(wanted.size()));
    }
  output.seekp(end);
}

}  // namespace cuimg
