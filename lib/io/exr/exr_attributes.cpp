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
#include <optional>
#include <string_view>

#include "io/exr/exr_blobs.h"

namespace cuimg {
namespace {

// What the codec itself reads and writes, and what describes the file and not the picture.
constexpr std::array<std::string_view, 19> structural = {"channels",
                                                         "compression",
                                                         "dataWindow",
                                                         "displayWindow",
                                                         "lineOrder",
                                                         "pixelAspectRatio",
                                                         "tiles",
                                                         "type",
                                                         "version",
                                                         "chunkCount",
                                                         "name",
                                                         "preview",
                                                         "chromaticities",
                                                         "deepImageState",
                                                         "maxSamplesPerPixel",
                                                         "dwaCompressionLevel",
                                                         "idManifest",
                                                         "screenWindowCenter",
                                                         "screenWindowWidth"};

bool is_structural(std::string_view name) {
  return std::find(structural.begin(), structural.end(), name) != structural.end();
}

using List = std::vector<double>;
using Whole = std::vector<std::int64_t>;

template <class Vector, int n, class Result = List>
Result elements(const Vector& v) {
  Result list;
  for (int i = 0; i < n; ++i) list.push_back(static_cast<typename Result::value_type>(v[i]));
  return list;
}

template <class Matrix, int n>
List matrix_elements(const Matrix& m) {
  List list;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) list.push_back(static_cast<double>(m[i][k]));
  return list;
}

template <class Box, class Result = List>
Result box_elements(const Box& b) {
  using T = typename Result::value_type;
  return {static_cast<T>(b.min.x), static_cast<T>(b.min.y), static_cast<T>(b.max.x),
          static_cast<T>(b.max.y)};
}

// Tries one attribute type; true when the attribute is of it.
template <class Attribute, class Convert>
bool convert(const Imf::Attribute& attribute, std::optional<MetadataValue>& value, Convert to) {
  const auto* typed = dynamic_cast<const Attribute*>(&attribute);
  if (typed == nullptr) return false;
  value = to(typed->value());
  return true;
}

std::optional<MetadataValue> value_of(const Imf::Attribute& a) {
  using namespace Imf;
  std::optional<MetadataValue> v;
  if (auto blob = exr_blob_of(a)) return std::move(*blob);
  const auto as_double = [](auto x) { return static_cast<double>(x); };
  (void)(convert<StringAttribute>(a, v, [](const std::string& s) { return s; }) ||
         convert<IntAttribute>(a, v, [](int i) { return std::int64_t{i}; }) ||
         convert<FloatAttribute>(a, v, as_double) || convert<DoubleAttribute>(a, v, as_double) ||
         convert<V2iAttribute>(a, v, elements<Imath::V2i, 2, Whole>) ||
         convert<V2fAttribute>(a, v, elements<Imath::V2f, 2>) ||
         convert<V2dAttribute>(a, v, elements<Imath::V2d, 2>) ||
         convert<V3iAttribute>(a, v, elements<Imath::V3i, 3, Whole>) ||
         convert<V3fAttribute>(a, v, elements<Imath::V3f, 3>) ||
         convert<V3dAttribute>(a, v, elements<Imath::V3d, 3>) ||
         convert<M33fAttribute>(a, v, matrix_elements<Imath::M33f, 3>) ||
         convert<M33dAttribute>(a, v, matrix_elements<Imath::M33d, 3>) ||
         convert<M44fAttribute>(a, v, matrix_elements<Imath::M44f, 4>) ||
         convert<M44dAttribute>(a, v, matrix_elements<Imath::M44d, 4>) ||
         convert<Box2iAttribute>(a, v, box_elements<Imath::Box2i, Whole>) ||
         convert<Box2fAttribute>(a, v, box_elements<Imath::Box2f>) ||
         convert<FloatVectorAttribute>(
             a, v, [](const std::vector<float>& f) { return List(f.begin(), f.end()); }) ||
         convert<StringVectorAttribute>(a, v,
                                        [](const std::vector<std::string>& s) { return s; }) ||
         convert<RationalAttribute>(a, v,
                                    [](const Rational& r) {
                                      return List{double(r.n), double(r.d)};
                                    }) ||
         convert<TimeCodeAttribute>(a, v,
                                    [](const TimeCode& t) {
                                      return List{double(t.timeAndFlags()), double(t.userData())};
                                    }) ||
         convert<KeyCodeAttribute>(a, v,
                                   [](const KeyCode& k) {
                                     return List{
                                         double(k.filmMfcCode()),  double(k.filmType()),
                                         double(k.prefix()),       double(k.count()),
                                         double(k.perfOffset()),   double(k.perfsPerFrame()),
                                         double(k.perfsPerCount())};
                                   }) ||
         convert<EnvmapAttribute>(
             a, v, [](Envmap e) { return std::string(e == ENVMAP_CUBE ? "cube" : "latlong"); }));
  return v;
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

// The lists whose type the format's own list of attributes fixes. @returns false for others.
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
  if (name == "keyCode" && v.size() == 7 &&
      std::all_of(v.begin(), v.end(), [](double d) { return holds<int>(d); })) {
    std::array<int, 7> k;
    std::transform(v.begin(), v.end(), k.begin(), [](double d) { return static_cast<int>(d); });
    try {
      header.insert(name,
                    Imf::KeyCodeAttribute(Imf::KeyCode(k[0], k[1], k[2], k[3], k[4], k[5], k[6])));
    } catch (const std::exception&) {
      return false;  // its constructor checks ranges; such a list stays a list
    }
    return true;
  }
  return false;
}

void add_list(const std::string& name, const List& v, Imf::Header& header) {
  if (add_named_list(name, v, header)) return;
  const auto f = [&](std::size_t i) { return static_cast<float>(v[i]); };
  const bool exact = std::all_of(v.begin(), v.end(), [](double d) {
    return !std::isfinite(d) ||
           (std::abs(d) <= std::numeric_limits<float>::max() && float_holds(d));
  });
  // A double past float's range may not be cast to it.
  if (!exact && !std::all_of(v.begin(), v.end(), [](double d) {
        return !std::isfinite(d) || std::abs(d) <= std::numeric_limits<float>::max();
      })) {
    if (v.size() == 2) header.insert(name, Imf::V2dAttribute(Imath::V2d(v[0], v[1])));
    if (v.size() == 3) header.insert(name, Imf::V3dAttribute(Imath::V3d(v[0], v[1], v[2])));
    return;
  }
  if (v.size() == 2 && exact) {
    header.insert(name, Imf::V2fAttribute(Imath::V2f(f(0), f(1))));
  } else if (v.size() == 2) {
    header.insert(name, Imf::V2dAttribute(Imath::V2d(v[0], v[1])));
  } else if (v.size() == 3 && exact) {
    header.insert(name, Imf::V3fAttribute(Imath::V3f(f(0), f(1), f(2))));
  } else if (v.size() == 3) {
    header.insert(name, Imf::V3dAttribute(Imath::V3d(v[0], v[1], v[2])));
  } else if (v.size() == 9) {
    Imath::M33d m;
    for (std::size_t i = 0; i < 9; ++i) m[static_cast<int>(i / 3)][i % 3] = v[i];
    if (exact)
      header.insert(name, Imf::M33fAttribute(Imath::M33f(m)));
    else
      header.insert(name, Imf::M33dAttribute(m));
  } else if (v.size() == 16) {
    Imath::M44d m;
    for (std::size_t i = 0; i < 16; ++i) m[static_cast<int>(i / 4)][i % 4] = v[i];
    if (exact)
      header.insert(name, Imf::M44fAttribute(Imath::M44f(m)));
    else
      header.insert(name, Imf::M44dAttribute(m));
  } else {
    std::vector<float> floats;
    for (std::size_t i = 0; i < v.size(); ++i) floats.push_back(f(i));
    header.insert(name, Imf::FloatVectorAttribute(floats));
  }
}

// Whole numbers come in twos, threes and the fours of a box; other counts are a list of floats.
void add_whole(const std::string& name, const Whole& v, Imf::Header& header) {
  const bool fits = std::all_of(v.begin(), v.end(), [](std::int64_t i) {
    return i >= std::numeric_limits<int>::min() && i <= std::numeric_limits<int>::max();
  });
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
    if (*integer >= std::numeric_limits<int>::min() && *integer <= std::numeric_limits<int>::max())
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

bool exr_keeps(const std::string& name, const MetadataValue&) {
  constexpr std::size_t longest_name = 255;
  return !name.empty() && name.size() <= longest_name && !is_structural(name) &&
         name.find('\0') == std::string::npos;
}

Metadata metadata_of(const Imf::Header& header) {
  Metadata metadata;
  for (auto entry = header.begin(); entry != header.end(); ++entry) {
    if (is_structural(entry.name())) continue;
    if (auto value = value_of(entry.attribute()))
      metadata[entry.name()] = exr_named_value(entry.name(), std::move(*value));
  }
  // Every header has these two; what differs from the default was meant.
  if (header.screenWindowCenter() != Imath::V2f(0, 0))
    metadata["screenWindowCenter"] = elements<Imath::V2f, 2>(header.screenWindowCenter());
  if (header.screenWindowWidth() != 1)
    metadata["screenWindowWidth"] = static_cast<double>(header.screenWindowWidth());
  return metadata;
}

void add_metadata(const Metadata& metadata, Imf::Header& header) {
  for (const auto& [name, value] : metadata) {
    if (name == "screenWindowCenter") {
      const auto* v = std::get_if<List>(&value);
      if (v != nullptr && v->size() == 2)
        header.screenWindowCenter() = {static_cast<float>((*v)[0]), static_cast<float>((*v)[1])};
    } else if (name == "screenWindowWidth") {
      if (const auto* width = std::get_if<double>(&value); width != nullptr && *width > 0)
        header.screenWindowWidth() = static_cast<float>(*width);
    } else if (exr_keeps(name, value)) {
      try {
        add_one(name, value, header);
      } catch (const std::exception&) {
        // A standard name with a type that OpenEXR does not give it; the pixels matter more.
      }
    }
  }
}

}  // namespace cuimg
