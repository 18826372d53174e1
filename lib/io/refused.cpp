// SPDX-License-Identifier: Apache-2.0
// Magic numbers of formats that are not read.
#include "io/refused.h"

#include <algorithm>
#include <iterator>

#include "base/bytes.h"

namespace cuimg {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view format;
  std::size_t offset;
  std::string_view bytes;
};

// The brand says which format a file with an "ftyp" box is.
constexpr Magic known[] = {
    {"DPX", 0, "SDPX"sv},
    {"DPX", 0, "XPDS"sv},
    {"Cineon", 0, "\x80\x2a\x5f\xd7"sv},
    {"WebP", 8, "WEBP"sv},
    {"AVIF", 4, "ftypavif"sv},
    {"AVIF", 4, "ftypavis"sv},
    {"HEIF", 4, "ftypheic"sv},
    {"HEIF", 4, "ftypheix"sv},
    {"HEIF", 4, "ftyphevc"sv},
    {"HEIF", 4, "ftyphevx"sv},
    {"HEIF", 4, "ftypheim"sv},
    {"HEIF", 4, "ftypheis"sv},
    {"HEIF", 4, "ftypmif1"sv},
    {"HEIF", 4, "ftypmsf1"sv},
    {"Canon RAW (CR3)", 4, "ftypcrx "sv},
    {"JPEG 2000", 0, "\x00\x00\x00\x0cjP  \r\n\x87\n"sv},
    {"JPEG 2000", 0, "\xff\x4f\xff\x51"sv},
    {"JPEG XL", 0, "\x00\x00\x00\x0cJXL \r\n\x87\n"sv},
    {"JPEG XL", 0, "\xff\x0a"sv},
    {"JPEG XR", 0, "II\xbc"sv},
    {"JPEG-LS", 0, "\xff\xd8\xff\xf7"sv},
    {"PDF", 0, "%PDF-"sv},
    {"PostScript", 0, "%!PS"sv},
    {"SVG", 0, "<svg"sv},
    {"Canon RAW (CR2)", 8, "CR\x02\x00"sv},
    {"Olympus RAW", 0, "IIRO"sv},
    {"Fujifilm RAW", 0, "FUJIFILMCCD-RAW"sv},
    {"Windows icon", 0, "\x00\x00\x01\x00"sv},
    {"DDS", 0, "DDS "sv},
    {"KTX", 0, "\xabKTX "sv},
    {"FITS", 0, "SIMPLE  ="sv},
    {"SGI", 0, "\x01\xda\x00\x01"sv},
    {"SGI", 0, "\x01\xda\x01\x01"sv},
    {"SGI", 0, "\x01\xda\x00\x02"sv},
    {"QOI", 0, "qoif"sv},
    {"Farbfeld", 0, "farbfeld"sv},
    {"XCF", 0, "gimp xcf"sv},
};

// An SVG usually begins with an XML declaration and comments.
bool is_svg_in_xml(std::string_view text) {
  return text.starts_with("<?xml") && text.substr(0, 1024).find("<svg") != std::string_view::npos;
}

}  // namespace

std::string_view refused_format(std::span<const std::byte> head) {
  const std::string_view text = text_of_bytes(head);
  for (const Magic& magic : known)
    if (text.size() > magic.offset && text.substr(magic.offset).starts_with(magic.bytes))
      return magic.format;
  return is_svg_in_xml(text) ? "SVG"sv : ""sv;
}

bool is_refused_extension(std::string_view extension) {
  static constexpr std::string_view extensions[] = {
      "arw",  "avif", "cin", "cr2", "cr3", "dds", "dng", "dpx", "ff",   "fits", "heic",
      "heif", "ico",  "j2k", "jls", "jp2", "jpf", "jpx", "jxl", "jxr",  "ktx",  "ktx2",
      "nef",  "orf",  "pcx", "qoi", "raf", "rw2", "sgi", "wdp", "webp", "xcf"};
  return std::ranges::find(extensions, extension) != std::end(extensions);
}

}  // namespace cuimg
