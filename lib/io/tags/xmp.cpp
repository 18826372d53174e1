// SPDX-License-Identifier: Apache-2.0
// A packet is changed in place, value by value. It is not parsed as XML, so nothing else in it can
// change.
#include "io/tags/xmp.h"

#include "base/bytes.h"
#include "io/tags/xmp_extension.h"

namespace cuimg {
namespace {

void set_values(std::string& packet, const std::string& property, const std::string& value) {
  constexpr int most = 64;  // a packet normally has one
  std::size_t from = 0;
  for (int i = 0; i < most; ++i) {
    const XmpPlace place = find_xmp_value(packet, property, from);
    if (place.at == std::string::npos) return;
    packet.replace(place.at, place.length, value);
    from = place.at + value.size();
  }
}

// From `<name ...>` to `</name>`; an element without content is not changed.
void drop_element(std::string& packet, const std::string& name) {
  const std::size_t begin = packet.find("<" + name + ">");
  const std::string tail = "</" + name + ">";
  const std::size_t end = begin == std::string::npos ? begin : packet.find(tail, begin);
  if (end != std::string::npos) packet.erase(begin, end + tail.size() - begin);
}

// Removes a property that is an attribute; of an element only the value.
void drop_property(std::string& packet, const std::string& name) {
  const XmpPlace place = find_xmp_value(packet, name, 0);
  if (place.at == std::string::npos || place.at == 0) return;
  const bool is_attribute = packet[place.at - 1] != '>';
  const std::size_t begin = is_attribute ? packet.rfind(name, place.at) : place.at;
  packet.erase(begin, place.at + place.length + (is_attribute ? 1 : 0) - begin);
}

constexpr const char* gain_map_property = "hdrgm:Version";
constexpr const char* film_properties[] = {"GCamera:MotionPhoto", "GCamera:MicroVideo"};

// Removes the blanks at the end, which are room for editors to write into.
void drop_padding(std::string& packet) {
  const std::size_t end = packet.rfind("<?xpacket end");
  if (end == std::string::npos || end == 0) return;
  const std::size_t last = packet.find_last_not_of(" \t\r\n", end - 1);
  if (last != std::string::npos && last + 1 < end) packet.replace(last + 1, end - last - 1, "\n");
}

// In the packet that a picture carries, if there is one.
void set_carried(Metadata& metadata, const char* name, int value) {
  const Blob* carried = find_entry<Blob>(metadata, xmp_key);
  if (carried == nullptr) return;
  std::string packet(text_of_bytes(*carried));
  set_values(packet, name, std::to_string(value));
  metadata[xmp_key] = bytes_of_text(packet);
}

}  // namespace

Blob xmp_to_write(const Spec& spec, std::size_t most, XmpForm form) {
  const Blob* carried = find_entry<Blob>(spec.metadata, xmp_key);
  if (carried == nullptr) return {};
  std::string packet(text_of_bytes(*carried));
  const Blob* extension = find_entry<Blob>(spec.metadata, xmp_extension_key);
  if (form == XmpForm::whole && extension != nullptr) join_xmp(packet, text_of_bytes(*extension));
  const std::string width = std::to_string(spec.data_window.width);
  const std::string height = std::to_string(spec.data_window.height);
  for (const char* name : {"tiff:ImageWidth", "exif:PixelXDimension"})
    set_values(packet, name, width);
  for (const char* name : {"tiff:ImageLength", "exif:PixelYDimension"})
    set_values(packet, name, height);
  for (const char* name : {"xmpGImg:image", "xapGImg:image"}) set_values(packet, name, "");
  drop_element(packet, "Container:Directory");
  drop_property(packet, gain_map_property);
  for (const char* name : film_properties) drop_property(packet, name);
  if (packet.size() > most) drop_padding(packet);
  return packet.size() > most ? Blob() : bytes_of_text(packet);
}

void set_xmp_orientation(Metadata& metadata, int orientation) {
  set_carried(metadata, "tiff:Orientation", orientation);
}

void set_xmp_color(Metadata& metadata, int color_space) {
  set_carried(metadata, "exif:ColorSpace", color_space);
}

std::string appended_files(std::string_view packet) {
  const auto says = [&](const char* property) {
    const XmpPlace place = find_xmp_value(packet, property, 0);
    return place.at != std::string_view::npos && place.length > 0 &&
           packet.substr(place.at, place.length) != "0";
  };
  std::string files = says(gain_map_property) ? "the gain map" : "";
  if (says(film_properties[0]) || says(film_properties[1]))
    files += files.empty() ? "the film" : " and the film";
  return files;
}

std::string xmp_extension_name(std::string_view packet) {
  const XmpPlace place = find_xmp_value(packet, "xmpNote:HasExtendedXMP", 0);
  if (place.at == std::string::npos || place.length != 32) return "";
  return std::string(packet.substr(place.at, place.length));
}

XmpPlace find_xmp_value(std::string_view packet, std::string_view property, std::size_t from) {
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

}  // namespace cuimg
