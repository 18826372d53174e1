// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_blobs.h"

#include <OpenEXR/ImfOpaqueAttribute.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <OpenEXR/ImfVersion.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "base/bytes.h"
#include "io/exr/exr_stream.h"
#include "io/tags/exif.h"
#include "io/tags/xmp.h"

namespace cuimg {
namespace {

constexpr const char* blob_type = "blob";
constexpr std::size_t length_bytes = 4;
constexpr std::size_t most_exif_bytes = std::size_t{1} << 25;

// Attributes can only be written to a stream.
class BytesOnly final : public Imf::OStream {
 public:
  BytesOnly() : Imf::OStream("attribute") {}
  void write(const char from[], int count) override {
    append_bytes(bytes_, std::as_bytes(std::span(from, static_cast<std::size_t>(count))));
  }
  std::uint64_t tellp() override { return bytes_.size(); }
  void seekp(std::uint64_t) override { throw std::logic_error("an attribute is written in a row"); }
  Blob take() { return std::move(bytes_); }

 private:
  Blob bytes_;
};

}  // namespace

std::optional<MetadataValue> exr_blob_of(const Imf::Attribute& attribute) {
  const auto* opaque = dynamic_cast<const Imf::OpaqueAttribute*>(&attribute);
  if (opaque == nullptr || std::strcmp(opaque->typeName(), blob_type) != 0) return std::nullopt;
  const auto data = std::as_bytes(
      std::span(&opaque->data()[0], static_cast<std::size_t>(std::max(0, opaque->dataSize()))));
  if (data.size() < length_bytes) return std::nullopt;
  const std::uint64_t length = number_at(data, 0, length_bytes, false);
  const auto rest = data.subspan(length_bytes);
  if (length > rest.size()) return std::nullopt;
  return Blob(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length));
}

MetadataValue exr_named_value(const std::string& name, MetadataValue value) {
  if (const auto* text = std::get_if<std::string>(&value); text != nullptr && name == xmp_key)
    return bytes_of_text(*text);
  constexpr std::string_view exif_head(jpeg_exif_name, sizeof jpeg_exif_name);
  auto* blob = std::get_if<Blob>(&value);
  if (blob != nullptr && name == exif_key && text_of_bytes(*blob).starts_with(exif_head))
    blob->erase(blob->begin(), blob->begin() + static_cast<std::ptrdiff_t>(exif_head.size()));
  return value;
}

void add_exr_blob(const std::string& name, const Blob& blob, Imf::Header& header) {
  if (name == xmp_key) {
    header.insert(name, Imf::StringAttribute(std::string(text_of_bytes(blob))));
    return;
  }
  Blob data(length_bytes);
  if (name == exif_key) append_bytes(data, std::as_bytes(std::span(jpeg_exif_name)));
  append_bytes(data, blob);
  put_number(std::span(data).first(length_bytes), data.size() - length_bytes, false);
  header.insert(name, *exr_attribute_of({blob_type, std::move(data)}));
}

StoredEntry exr_stored(const Imf::Attribute& attribute) {
  BytesOnly stream;
  attribute.writeValueTo(stream, Imf::EXR_VERSION);
  return {attribute.typeName(), stream.take()};
}

std::unique_ptr<Imf::Attribute> exr_attribute_of(const StoredEntry& entry) {
  std::unique_ptr<Imf::Attribute> attribute;
  if (Imf::Attribute::knownType(entry.type.c_str()))
    attribute.reset(Imf::Attribute::newAttribute(entry.type.c_str()));
  else
    attribute = std::make_unique<Imf::OpaqueAttribute>(entry.type.c_str());
  ExrInput stream(std::make_shared<ByteSource>(entry.bytes, "attribute"));
  attribute->readValueFrom(stream, static_cast<int>(entry.bytes.size()), Imf::EXR_VERSION);
  return attribute;
}

Metadata exr_metadata_to_write(const Spec& spec) {
  Metadata metadata = spec.metadata;
  if (Blob exif = exif_to_write(spec, most_exif_bytes, false, ExifThumbnailRoom::left);
      !exif.empty())
    metadata[exif_key] = std::move(exif);
  if (Blob packet = xmp_to_write(spec, most_exif_bytes, XmpForm::split); !packet.empty())
    metadata[xmp_key] = std::move(packet);
  return metadata;
}

}  // namespace cuimg
