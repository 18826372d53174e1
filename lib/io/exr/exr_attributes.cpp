// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_attributes.h"

#include <OpenEXR/ImfBoxAttribute.h>
#include <OpenEXR/ImfDoubleAttribute.h>
#include <OpenEXR/ImfEnvmapAttribute.h>
#include <OpenEXR/ImfFloatAttribute.h>
#include <OpenEXR/ImfFloatVectorAttribute.h>
#include <OpenEXR/ImfIntAttribute.h>
#include <OpenEXR/ImfKeyCodeAttribute.h>
#include <OpenEXR/ImfMatrixAttribute.h>
#include <OpenEXR/ImfRationalAttribute.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <OpenEXR/ImfStringVectorAttribute.h>
#include <OpenEXR/ImfTimeCodeAttribute.h>
#include <OpenEXR/ImfVecAttribute.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "io/exr/exr_blobs.h"
#include "io/tags/exif.h"
#include "io/tags/iptc.h"
#include "io/tags/xmp.h"

namespace cuimg {
namespace {

// Attributes that the codec itself reads and writes, or that describe the file instead of the
// picture.
bool is_structural(std::string_view name) {
  for (const std::string_view own :
       {"channels", "compression", "dataWindow", "displayWindow", "lineOrder", "pixelAspectRatio",
        "tiles", "type", "version", "chunkCount", "name", "preview", "chromaticities",
        "dwaCompressionLevel", "screenWindowCenter", "screenWindowWidth"})
    if (name == own) return true;
  return false;
}

constexpr const char* line_order_key = "lineOrder";

using List = std::vector<double>;
using Whole = std::vector<std::int64_t>;

// Converts a value of each type to metadata.
MetadataValue value_of(const std::string& text) { return text; }
MetadataValue value_of(int number) { return std::int64_t{number}; }
MetadataValue value_of(float number) { return static_cast<double>(number); }
MetadataValue value_of(double number) { return number; }
MetadataValue value_of(const std::vector<float>& list) { return List(list.begin(), list.end()); }
MetadataValue value_of(const std::vector<std::string>& list) { return list; }
MetadataValue value_of(const Imf::Rational& r) { return List{double(r.n), double(r.d)}; }
MetadataValue value_of(const Imf::TimeCode& t) {
  return List{double(t.timeAndFlags()), double(t.userData())};
}
MetadataValue value_of(const Imf::KeyCode& k) {
  return List{double(k.filmMfcCode()),  double(k.filmType()),   double(k.prefix()),
              double(k.count()),        double(k.perfOffset()), double(k.perfsPerFrame()),
              double(k.perfsPerCount())};
}
MetadataValue value_of(Imf::Envmap e) {
  return std::string(e == Imf::ENVMAP_CUBE ? "cube" : "latlong");
}
// Vectors and boxes become integers if they hold int.
template <class T>
using ListOf = std::conditional_t<std::is_same_v<T, int>, Whole, List>;
template <class T>
MetadataValue value_of(const Imath::Vec2<T>& v) {
  return ListOf<T>{v.x, v.y};
}
template <class T>
MetadataValue value_of(const Imath::Vec3<T>& v) {
  return ListOf<T>{v.x, v.y, v.z};
}
template <class T>
MetadataValue value_of(const Imath::Box<Imath::Vec2<T>>& b) {
  return ListOf<T>{b.min.x, b.min.y, b.max.x, b.max.y};
}
template <class Matrix>
requires requires(Matrix m) { m.invert(); }
MetadataValue value_of(const Matrix& m) {
  List list;
  for (const auto& row : m.x) list.insert(list.end(), std::begin(row), std::end(row));
  return list;
}

// The value, by the first of the types that fits the attribute.
template <class... Attributes>
std::optional<MetadataValue> value_of_type(const Imf::Attribute& attribute) {
  std::optional<MetadataValue> value;
  const auto take = [&](const auto* typed) {
    if (typed != nullptr) value = value_of(typed->value());
    return typed != nullptr;
  };
  (void)(take(dynamic_cast<const Attributes*>(&attribute)) || ...);
  return value;
}

std::optional<MetadataValue> value_of_attribute(const Imf::Attribute& a) {
  using namespace Imf;
  if (auto blob = exr_blob_of(a)) return blob;
  return value_of_type<StringAttribute, IntAttribute, FloatAttribute, DoubleAttribute, V2iAttribute,
                       V2fAttribute, V2dAttribute, V3iAttribute, V3fAttribute, V3dAttribute,
                       M33fAttribute, M33dAttribute, M44fAttribute, M44dAttribute, Box2iAttribute,
                       Box2fAttribute, FloatVectorAttribute, StringVectorAttribute,
                       RationalAttribute, TimeCodeAttribute, KeyCodeAttribute, EnvmapAttribute>(a);
}

bool float_holds(double value) {
  return std::isnan(value) || static_cast<double>(static_cast<float>(value)) == value;
}

template <class T>
bool holds(double value) {
  return value >= static_cast<double>(std::numeric_limits<T>::min()) &&
         value <= static_cast<double>(std::numeric_limits<T>::max()) && value == std::floor(value);
}

void add_number(const std::string& name, double value, Imf::Header& header) {
  if (std::abs(value) <= std::numeric_limits<float>::max() ? float_holds(value)
                                                           : !std::isfinite(value))
    header.insert(name, Imf::FloatAttribute(static_cast<float>(value)));
  else
    header.insert(name, Imf::DoubleAttribute(value));
}

// Adds a list whose type the format's own list of attributes defines. @returns false for others.
bool add_named_list(const std::string& name, const List& v, Imf::Header& header) {
  if (name == "framesPerSecond" && v.size() == 2 && holds<int>(v[0]) && holds<unsigned>(v[1])) {
    header.insert(name, Imf::RationalAttribute(
                            Imf::Rational(static_cast<int>(v[0]), static_cast<unsigned>(v[1]))));
    return true;
  }
  if (name == "timeCode" && v.size() == 2 && holds<unsigned>(v[0]) && holds<unsigned>(v[1])) {
    header.insert(name, Imf::TimeCodeAttribute(Imf::TimeCode(static_cast<unsigned>(v[0]),
                                                             static_cast<unsigned>(v[1]))));
    return true;
  }
  if (name == "keyCode" && v.size() == 7 && std::ranges::all_of(v, holds<int>)) {
    std::array<int, 7> k;
    std::ranges::transform(v, k.begin(), [](double d) { return static_cast<int>(d); });
    try {
      header.insert(name,
                    Imf::KeyCodeAttribute(Imf::KeyCode(k[0], k[1], k[2], k[3], k[4], k[5], k[6])));
    } catch (const std::exception&) {
      return false;  // its constructor checks ranges; such a list remains a list
    }
    return true;
  }
  return false;
}

template <class Matrix>
Matrix matrix_of(const List& values) {
  Matrix matrix;
  auto from = values.begin();
  for (auto& row : matrix.x)
    for (double& value : row) value = *from++;
  return matrix;
}

void add_list(const std::string& name, const List& v, Imf::Header& header) {
  if (add_named_list(name, v, header)) return;
  // A double outside float's range must not be cast to float.
  const bool in_range = std::ranges::all_of(v, [](double d) {
    return !std::isfinite(d) || std::abs(d) <= std::numeric_limits<float>::max();
  });
  const bool exact = in_range && std::ranges::all_of(v, [](double d) {
                       return !std::isfinite(d) || float_holds(d);
                     });
  // As floats if these are exact, otherwise as doubles.
  const auto add = [&]<class Floats, class Doubles>(const Doubles& value) {
    if (exact)
      header.insert(name, Imf::TypedAttribute<Floats>(Floats(value)));
    else
      header.insert(name, Imf::TypedAttribute<Doubles>(value));
  };
  if (v.size() == 2) {
    add.operator()<Imath::V2f>(Imath::V2d(v[0], v[1]));
  } else if (v.size() == 3) {
    add.operator()<Imath::V3f>(Imath::V3d(v[0], v[1], v[2]));
  } else if (v.size() == 9 && in_range) {
    add.operator()<Imath::M33f>(matrix_of<Imath::M33d>(v));
  } else if (v.size() == 16 && in_range) {
    add.operator()<Imath::M44f>(matrix_of<Imath::M44d>(v));
  } else if (in_range) {
    std::vector<float> floats;
    for (const double value : v) floats.push_back(static_cast<float>(value));
    header.insert(name, Imf::FloatVectorAttribute(floats));
  }
}

// Integers are stored in groups of two, three, or four for a box; other counts become a list of
// floats.
void add_whole(const std::string& name, const Whole& v, Imf::Header& header) {
  const bool fits = std::ranges::all_of(v, [](std::int64_t i) { return std::in_range<int>(i); });
  const auto at = [&](std::size_t i) { return static_cast<int>(v[i]); };
  if (fits && v.size() == 2)
    header.insert(name, Imf::V2iAttribute({at(0), at(1)}));
  else if (fits && v.size() == 3)
    header.insert(name, Imf::V3iAttribute({at(0), at(1), at(2)}));
  else if (fits && v.size() == 4)
    header.insert(name, Imf::Box2iAttribute(Imath::Box2i({at(0), at(1)}, {at(2), at(3)})));
  else
    add_list(name, List(v.begin(), v.end()), header);
}

// @returns false if the stored entry has another value.
bool add_stored(const std::string& name, const MetadataValue& value, const StoredEntry& stored,
                Imf::Header& header) {
  const std::unique_ptr<Imf::Attribute> attribute = exr_attribute_of(stored);
  const auto before = value_of_attribute(*attribute);
  if (value != (before ? exr_named_value(name, *before) : MetadataValue(stored.bytes)))
    return false;
  header.insert(name, *attribute);
  return true;
}

void add_one(const std::string& name, const MetadataValue& value, Imf::Header& header) {
  if (const auto* blob = std::get_if<Blob>(&value)) {
    add_exr_blob(name, *blob, header);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    if (name == "envmap" && (*text == "cube" || *text == "latlong"))
      header.insert(name,
                    Imf::EnvmapAttribute(*text == "cube" ? Imf::ENVMAP_CUBE : Imf::ENVMAP_LATLONG));
    else
      header.insert(name, Imf::StringAttribute(*text));
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (std::in_range<int>(*integer))
      header.insert(name, Imf::IntAttribute(static_cast<int>(*integer)));
    else
      header.insert(name, Imf::DoubleAttribute(static_cast<double>(*integer)));
  } else if (const auto* number = std::get_if<double>(&value)) {
    add_number(name, *number, header);
  } else if (const auto* whole = std::get_if<Whole>(&value)) {
    add_whole(name, *whole, header);
  } else if (const auto* list = std::get_if<List>(&value)) {
    add_list(name, *list, header);
  } else if (const auto* strings = std::get_if<std::vector<std::string>>(&value)) {
    header.insert(name, Imf::StringVectorAttribute(*strings));
  }
}

}  // namespace

bool exr_keeps(const std::string& name, const MetadataValue& value) {
  // Every header has these; metadata_of() lists them if they are not the default.
  if (name == "screenWindowCenter") return std::holds_alternative<List>(value);
  if (name == "screenWindowWidth") return std::holds_alternative<double>(value);
  if (name == line_order_key) return std::holds_alternative<std::string>(value);
  constexpr std::size_t longest_name = 255;
  return !name.empty() && name.size() <= longest_name && !is_structural(name) &&
         name.find('\0') == std::string::npos;
}

Metadata metadata_of(const Imf::Header& header) {
  Metadata metadata;
  for (auto entry = header.begin(); entry != header.end(); ++entry) {
    if (is_structural(entry.name())) continue;
    auto value = value_of_attribute(entry.attribute());
    const std::string_view name = entry.name();
    const bool is_block = name == exif_key || name == xmp_key || name == iptc_key;
    if (!value && is_block) continue;  // its layout is not documented
    if (!value) value = exr_stored(entry.attribute()).bytes;
    metadata[entry.name()] = exr_named_value(entry.name(), std::move(*value));
  }
  // Every header has these; a value that differs from the default was set on purpose.
  if (header.lineOrder() != Imf::INCREASING_Y)
    metadata[line_order_key] =
        std::string(header.lineOrder() == Imf::DECREASING_Y ? "decreasing" : "random");
  if (header.screenWindowCenter() != Imath::V2f(0, 0))
    metadata["screenWindowCenter"] = value_of(header.screenWindowCenter());
  if (header.screenWindowWidth() != 1)
    metadata["screenWindowWidth"] = static_cast<double>(header.screenWindowWidth());
  return metadata;
}

std::map<std::string, StoredEntry> stored_entries_of(const Imf::Header& header,
                                                     const Metadata& metadata) {
  Imf::Header written;
  add_metadata(metadata, {}, written);
  std::map<std::string, StoredEntry> entries;
  for (auto entry = header.begin(); entry != header.end(); ++entry) {
    if (is_structural(entry.name()) || !metadata.contains(entry.name())) continue;
    const auto again = written.find(entry.name());
    const char* const type = entry.attribute().typeName();
    if (again == written.end() || std::string_view(again.attribute().typeName()) != type)
      entries[entry.name()] = exr_stored(entry.attribute());
  }
  return entries;
}

Imf::LineOrder exr_line_order(const Metadata& metadata, bool has_tiles) {
  const auto* const order = find_entry<std::string>(metadata, line_order_key);
  if (order != nullptr && *order == "decreasing") return Imf::DECREASING_Y;
  return order != nullptr && *order == "random" && has_tiles ? Imf::RANDOM_Y : Imf::INCREASING_Y;
}

void add_metadata(const Metadata& metadata, const std::map<std::string, StoredEntry>& stored,
                  Imf::Header& header) {
  for (const auto& [name, value] : metadata) {
    if (name == "screenWindowCenter") {
      const auto* v = std::get_if<List>(&value);
      if (v != nullptr && v->size() == 2)
        header.screenWindowCenter() = {static_cast<float>((*v)[0]), static_cast<float>((*v)[1])};
    } else if (name == "screenWindowWidth") {
      if (const auto* width = std::get_if<double>(&value); width != nullptr && *width > 0)
        header.screenWindowWidth() = static_cast<float>(*width);
    } else if (name != line_order_key && exr_keeps(name, value)) {
      try {
        const auto before = stored.find(name);
        if (before == stored.end() || !add_stored(name, value, before->second, header))
          add_one(name, value, header);
      } catch (const std::exception&) {
        // A standard name with a type other than OpenEXR's; the pixels matter more.
      }
    }
  }
}

}  // namespace cuimg
