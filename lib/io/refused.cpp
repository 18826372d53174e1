// SPDX-License-Identifier: Apache-2.0
// Formats that are recognised but not read: their extensions and signatures.
#include "io/refused.h"

#include <algorithm>
#include <iterator>

#include "base/bytes.h"
#include "base/contains.h"
#include "base/error.h"
#include "base/message_text.h"
#include "base/utf8.h"
#include "io/folder_entry.h"

namespace cuimg {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::size_t offset;
  std::string_view bytes;
};

struct RefusedFormat {
  std::string_view name;
  std::string_view extensions[4];
  /// Any one of these shows that a file has the format; unused ones are empty.
  Signature signatures[8];
};

// The brand names the format of a file with an "ftyp" box. Raw camera files that have TIFF's
// signature are only recognised by their extension.
constexpr RefusedFormat formats[] = {
    {"AVIF", {"avif"}, {{4, "ftypavif"sv}, {4, "ftypavis"sv}}},
    {"Adobe RAW (DNG)", {"dng"}, {}},
    {"Canon RAW (CR2)", {"cr2"}, {{8, "CR\x02\x00"sv}}},
    {"Canon RAW (CR3)", {"cr3"}, {{4, "ftypcrx "sv}}},
    {"Cineon", {"cin"}, {{0, "\x80\x2a\x5f\xd7"sv}}},
    {"DDS", {"dds"}, {{0, "DDS "sv}}},
    {"DPX", {"dpx"}, {{0, "SDPX"sv}, {0, "XPDS"sv}}},
    {"FITS", {"fits"}, {{0, "SIMPLE  ="sv}}},
    {"Farbfeld", {"ff"}, {{0, "farbfeld"sv}}},
    {"Fujifilm RAW", {"raf"}, {{0, "FUJIFILMCCD-RAW"sv}}},
    {"HEIF",
     {"heic", "heif"},
     {{4, "ftypheic"sv},
      {4, "ftypheix"sv},
      {4, "ftyphevc"sv},
      {4, "ftyphevx"sv},
      {4, "ftypheim"sv},
      {4, "ftypheis"sv},
      {4, "ftypmif1"sv},
      {4, "ftypmsf1"sv}}},
    {"JPEG 2000",
     {"j2k", "jp2", "jpf", "jpx"},
     {{0, "\x00\x00\x00\x0cjP  \r\n\x87\n"sv}, {0, "\xff\x4f\xff\x51"sv}}},
    {"JPEG XL", {"jxl"}, {{0, "\x00\x00\x00\x0cJXL \r\n\x87\n"sv}, {0, "\xff\x0a"sv}}},
    {"JPEG XR", {"jxr", "wdp"}, {{0, "II\xbc"sv}}},
    {"JPEG-LS", {"jls"}, {{0, "\xff\xd8\xff\xf7"sv}}},
    {"KTX", {"ktx", "ktx2"}, {{0, "\xabKTX "sv}}},
    {"Nikon RAW", {"nef"}, {}},
    {"Olympus RAW", {"orf"}, {{0, "IIRO"sv}}},
    {"PCX", {"pcx"}, {}},
    {"PDF", {}, {{0, "%PDF-"sv}}},
    {"Panasonic RAW", {"rw2"}, {}},
    {"PostScript", {}, {{0, "%!PS"sv}}},
    {"QOI", {"qoi"}, {{0, "qoif"sv}}},
    {"SGI",
     {"sgi"},
     {{0, "\x01\xda\x00\x01"sv}, {0, "\x01\xda\x01\x01"sv}, {0, "\x01\xda\x00\x02"sv}}},
    {"SVG", {}, {{0, "<svg"sv}}},
    {"Sony RAW", {"arw"}, {}},
    {"WebP", {"webp"}, {{8, "WEBP"sv}}},
    {"Windows icon", {"ico"}, {{0, "\x00\x00\x01\x00"sv}}},
    {"XCF", {"xcf"}, {{0, "gimp xcf"sv}}},
};

// An SVG usually begins with an XML declaration and comments.
bool is_svg_in_xml(std::string_view text) {
  return text.starts_with("<?xml") && text.substr(0, 1024).find("<svg") != std::string_view::npos;
}

}  // namespace

std::string_view refused_format(std::span<const std::byte> head) {
  const std::string_view text = text_of_bytes(head);
  for (const RefusedFormat& format : formats)
    for (const auto& [offset, bytes] : format.signatures)
      if (!bytes.empty() && text.size() > offset && text.substr(offset).starts_with(bytes))
        return format.name;
  return is_svg_in_xml(text) ? "SVG"sv : ""sv;
}

bool is_refused_extension(std::string_view extension) {
  return !extension.empty() && std::ranges::any_of(formats, [&](const RefusedFormat& format) {
    return contains(format.extensions, extension);
  });
}

bool RefusedFiles::take(const std::string& path) {
  const std::string extension = in_lower_case(file_extension(path));
  const bool is_refused = is_refused_extension(extension);
  if (is_refused) names_[extension].push_back(path);
  return is_refused;
}

std::string RefusedFiles::remark(const std::string& folder) const {
  std::size_t count = 0;
  std::string kinds;
  for (const auto& [kind, names] : names_) {
    count += names.size();
    add_item(kinds, std::to_string(names.size()) + " ." + kind);
  }
  if (count == 0) return {};
  const auto& [kind, names] = *names_.begin();
  if (count == 1) return printable(names.front()) + " is left out: ." + kind + " is not read";
  return printable(folder) + ": " + std::to_string(count) +
         " files are left out, since their formats cannot be read: " + kinds;
}

}  // namespace cuimg
