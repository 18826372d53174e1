// SPDX-License-Identifier: Apache-2.0
// TIFFSetField() does not check that its arguments match the tag's definition, so the type and the
// number of values are compared with it first.
#include "io/tiff/tiff_fields.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "io/tags/tiff_values.h"

namespace cuimg {
namespace {

// DNG stores some texts as bytes.
bool is_bytes(std::uint16_t type) {
  return type == static_cast<std::uint16_t>(TiffType::byte) ||
         type == static_cast<std::uint16_t>(TiffType::ascii) ||
         type == static_cast<std::uint16_t>(TiffType::undefined);
}
bool is_rational(std::uint16_t type) {
  return type == static_cast<std::uint16_t>(TiffType::rational) ||
         type == static_cast<std::uint16_t>(TiffType::srational);
}

// Windows' texts, ratings and similar tags, for which libtiff has no names.
const TIFFField* declared(TIFF* tiff, const ExifField& field) {
  static char name[] = "picture's entry";
  // libtiff's types have the same numbers as the format's.
  const auto type = static_cast<TIFFDataType>(field.type);
  const TIFFFieldInfo info = {field.tag, TIFF_VARIABLE2, TIFF_VARIABLE2, type, FIELD_CUSTOM, 1, 1,
                              name};
  TIFFMergeFieldInfo(tiff, &info, 1);
  return TIFFFindField(tiff, field.tag, TIFF_ANY);
}

// Numerators divided by denominators; nothing if a denominator is 0.
std::optional<std::vector<double>> quotients(const ExifField& field, bool big_endian) {
  const bool is_signed = field.type == static_cast<std::uint16_t>(TiffType::srational);
  const auto half = [&](std::size_t at) {
    const auto raw = static_cast<std::uint32_t>(number_at(field.value, at, 4, big_endian));
    return is_signed ? static_cast<double>(static_cast<std::int32_t>(raw))
                     : static_cast<double>(raw);
  };
  std::vector<double> values;
  for (std::size_t at = 0; at + 8 <= field.value.size(); at += 8) {
    if (half(at + 4) == 0) return std::nullopt;
    values.push_back(half(at) / half(at + 4));
  }
  return values;
}

template <class T>
void append_native(Blob& bytes, T value) {
  append_bytes(bytes, std::as_bytes(std::span(&value, 1)));
}

// The values as libtiff represents them in memory, in `each` bytes; nothing if its representation
// differs.
std::optional<Blob> native_values(const ExifField& field, bool big_endian, std::size_t each) {
  Blob bytes;
  if (is_rational(field.type)) {
    const auto values = quotients(field, big_endian);
    if (!values || (each != sizeof(float) && each != sizeof(double))) return std::nullopt;
    for (const double value : *values) {
      if (each == sizeof(float))
        append_native(bytes, static_cast<float>(value));
      else
        append_native(bytes, value);
    }
    return bytes;
  }
  if (each != tiff_value_bytes(field.type)) return std::nullopt;
  for (std::size_t at = 0; at + each <= field.value.size(); at += each) {
    const std::uint64_t value = number_at(field.value, at, each, big_endian);
    if (each == 1) append_native(bytes, static_cast<std::uint8_t>(value));
    if (each == 2) append_native(bytes, static_cast<std::uint16_t>(value));
    if (each == 4) append_native(bytes, static_cast<std::uint32_t>(value));
    if (each == 8) append_native(bytes, value);
  }
  return bytes;
}

bool set_text(TIFF* tiff, const ExifField& field, bool passes_count) {
  Blob text = field.value;
  if (text.empty() || text.back() != std::byte{0}) text.emplace_back();
  const auto* const letters = reinterpret_cast<const char*>(text.data());
  if (passes_count)
    return TIFFSetField(tiff, field.tag, static_cast<std::uint32_t>(text.size()), letters) != 0;
  return TIFFSetField(tiff, field.tag, letters) != 0;
}

// A single number is passed by value, floats and rationals as double.
bool set_number(TIFF* tiff, const ExifField& field, const Blob& native) {
  const auto type = static_cast<TiffType>(field.type);
  if (is_rational(field.type)) {
    double value = 0;
    float single = 0;
    if (native.size() == sizeof value)
      std::memcpy(&value, native.data(), sizeof value);
    else
      std::memcpy(&single, native.data(), sizeof single);
    return TIFFSetField(tiff, field.tag, native.size() == sizeof value ? value : double{single}) !=
           0;
  }
  if (type != TiffType::byte && type != TiffType::u16 && type != TiffType::u32) return false;
  std::uint32_t value = 0;
  if (type == TiffType::u32) {
    std::memcpy(&value, native.data(), sizeof value);
  } else if (type == TiffType::u16) {
    std::uint16_t number = 0;
    std::memcpy(&number, native.data(), sizeof number);
    value = number;
  } else {
    value = std::to_integer<std::uint32_t>(native.front());
  }
  return TIFFSetField(tiff, field.tag, value) != 0;
}

}  // namespace

bool set_tiff_field(TIFF* tiff, const ExifField& field, bool big_endian) {
  // the types after it are positions in the file, or BigTIFF's
  constexpr std::uint16_t last_type = 12;
  if (field.count == 0 || field.count > UINT32_MAX || field.type > last_type) return false;
  const TIFFField* known = TIFFFindField(tiff, field.tag, TIFF_ANY);
  if (known == nullptr) known = declared(tiff, field);
  if (known == nullptr) return false;
  const auto type = static_cast<std::uint16_t>(TIFFFieldDataType(known));
  const bool is_text = type == static_cast<std::uint16_t>(TiffType::ascii);
  if (type != field.type && (is_text || !is_bytes(type) || !is_bytes(field.type))) return false;
  const bool passes_count = TIFFFieldPassCount(known) != 0;
  const int wanted = TIFFFieldWriteCount(known);
  if (wanted == TIFF_SPP) return false;
  if (wanted == TIFF_VARIABLE && field.count > UINT16_MAX) return false;
  if (is_text)
    return (!passes_count || wanted == TIFF_VARIABLE2) && set_text(tiff, field, passes_count);
  const auto each = static_cast<std::size_t>(std::max(TIFFFieldSetGetSize(known), 0));
  const std::optional<Blob> native = native_values(field, big_endian, each);
  if (!native || native->size() != each * field.count) return false;
  if (passes_count)
    return TIFFSetField(tiff, field.tag, static_cast<std::uint32_t>(field.count),
                        static_cast<const void*>(native->data())) != 0;
  if (wanted <= 0 || static_cast<std::uint64_t>(wanted) != field.count) return false;
  if (wanted == 1) return set_number(tiff, field, *native);
  return TIFFSetField(tiff, field.tag, static_cast<const void*>(native->data())) != 0;
}

}  // namespace cuimg
