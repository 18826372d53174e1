// SPDX-License-Identifier: Apache-2.0
// A packet is changed in place, value by value: it is not parsed as XML, so nothing else of it can
// change.
#include "io/tags/xmp.h"

#include <algorithm>

namespace cuimg {
namespace {

// The value of a property, given as an attribute or as an element: `tiff:Orientation="6"`,
// `<tiff:Orientation>6</tiff:Orientation>`. @returns its place and length, from `from` on.
struct Place {
  std::size_t at = std::string::npos, length = 0;
};
Place find_value(const std::string& packet, const std::string& property, std::size_t from) {
  for (std::size_t at = packet.find(property, from); at != std::string::npos;
       at = packet.find(property, at + 1)) {
    const std::size_t end = at + property.size();
    const bool starts =
        at > 0 && std::string_view(" \t\r\n<").find(packet[at - 1]) != std::string_view::npos;
    if (!starts || end + 1 >= packet.size()) continue;
    const std::size_t next = packet.find_first_not_of(" \t\r\n", end);
    if (packet[end] == '>') {
      const std::size_t close = packet.find('<', end);
      if (close == std::string::npos) return {};
      return {end + 1, close - end - 1};
    }
    if (next != std::string::npos && packet[next] == '=') {
      const std::size_t open = packet.find_first_not_of(" \t\r\n", next + 1);
      if (open == std::string::npos || (packet[open] != '"' && packet[open] != '\'')) continue;
      const std::size_t close = packet.find(packet[open], open + 1);
      if (close == std::string::npos) return {};
      return {open + 1, close - open - 1};
    }
  }
  return {};
}

void set_values(std::string& packet, const std::string& property, const std::string& value) {
  constexpr int most = 64;  // one is what a packet has
  std::size_t from = 0;
  for (int i = 0; i < most; ++i) {
    const Place place = find_value(packet, property, from);
    if (place.at == std::string::npos) return;
    packet.replace(place.at, place.length, value);
    from = place.at + value.size();
  }
}

// The blanks at the end, room for editors to write into.
void drop_padding(std::string& packet) {
  const std::size_t end = packet.rfind("<?xpacket end");
  if (end == std::string::npos || end == 0) return;
  const std::size_t last = packet.find_last_not_of(" \t\r\n", end - 1);
  if (last != std::string::npos && last + 1 < end) packet.replace(last + 1, end - last - 1, "\n");
}

// What lies in the rdf:RDF of an extension: descriptions that can be moved into another one, where
// they bring the names that they use with them. Empty for others.
std::string_view descriptions_of(std::string_view extension) {
  const std::size_t element = extension.find("<rdf:RDF");
  const std::size_t begin =
      element == std::string_view::npos ? element : extension.find('>', element);
  const std::size_t end = extension.rfind("</rdf:RDF>");
  if (begin == std::string_view::npos || end == std::string_view::npos || begin > end) return {};
  constexpr std::string_view name = "xmlns";
  const std::string_view head = extension.substr(0, begin);
  for (std::size_t at = head.find(name); at != std::string_view::npos;
       at = head.find(name, at + name.size())) {
    const std::string_view prefix = head.substr(at + name.size());
    if (!prefix.starts_with(":x=") && !prefix.starts_with(":rdf=")) return {};
  }
  return extension.substr(begin + 1, end - begin - 1);
}

// The attribute or element by which a packet names its extension.
void drop_extension_name(std::string& packet) {
  const std::string property = "xmpNote:HasExtendedXMP";
  const Place value = find_value(packet, property, 0);
  if (value.at == std::string::npos) return;
  std::size_t begin = packet.rfind(property, value.at), end = value.at + value.length + 1;
  if (begin > 0 && packet[begin - 1] == '<') {
    --begin;
    end = packet.find('>', end);
    if (end == std::string::npos) return;
    ++end;
  }
  packet.erase(begin, end - begin);
}

void join_extension(std::string& packet, std::string_view extension) {
  const std::string_view descriptions = descriptions_of(extension);
  const std::size_t end = packet.rfind("</rdf:RDF>");
  if (descriptions.empty() || end == std::string::npos || xmp_extension_name(packet).empty())
    return;
  packet.insert(end, descriptions);
  drop_extension_name(packet);
}

const Blob* blob_named(const Metadata& metadata, const char* key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? nullptr : std::get_if<Blob>(&found->second);
}

}  // namespace

bool can_join_xmp(const Blob& extension) {
  return !descriptions_of(text_of_blob(extension)).empty();
}

std::string_view text_of_blob(const Blob& blob) {
  return {reinterpret_cast<const char*>(blob.data()), blob.size()};
}

Blob blob_of_text(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Blob xmp_to_write(const Spec& spec, std::size_t most, XmpForm form) {
  const Blob* carried = blob_named(spec.metadata, xmp_key);
  if (carried == nullptr) return {};
  std::string packet(text_of_blob(*carried));
  const Blob* extension = blob_named(spec.metadata, xmp_extension_key);
  if (form == XmpForm::whole && extension != nullptr)
    join_extension(packet, text_of_blob(*extension));
  const std::string width = std::to_string(spec.data_window.width);
  const std::string height = std::to_string(spec.data_window.height);
  set_values(packet, "tiff:Orientation", "1");
  for (const char* name : {"tiff:ImageWidth", "exif:PixelXDimension"})
    set_values(packet, name, width);
  for (const char* name : {"tiff:ImageLength", "exif:PixelYDimension"})
    set_values(packet, name, height);
  for (const char* name : {"xmpGImg:image", "xapGImg:image"}) set_values(packet, name, "");
  if (packet.size() > most) drop_padding(packet);
  return packet.size() > most ? Blob() : blob_of_text(packet);
}

std::string xmp_extension_name(std::string_view packet) {
  const Place place = find_value(std::string(packet), "xmpNote:HasExtendedXMP", 0);
  if (place.at == std::string::npos || place.length != 32) return "";
  return std::string(packet.substr(place.at, place.length));
}

}  // namespace cuimg
