// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_small_pictures.h"

#include <OpenEXR/ImfPreviewImage.h>

#include <algorithm>
#include <string_view>

#include "io/exr/exr_blobs.h"
#include "io/exr/exr_head.h"
#include "io/tags/exif.h"

namespace cuimg {
namespace {

constexpr std::string_view preview_name = "preview";

// The header's EXIF block, with or without room for a thumbnail.
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
  const std::vector<std::byte> head = exr_head(headers);
  ExrHeadAttributes attributes(head);
  for (const ExrSmallBytes& part : bytes)
    while (attributes.next()) {
      // Both are at the end of their values.
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
