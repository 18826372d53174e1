// SPDX-License-Identifier: Apache-2.0
#include "io/tags/xmp_extension.h"

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/digest/md5.h"
#include "io/tags/xmp.h"

namespace cuimg {
namespace {

constexpr std::size_t nowhere = std::string_view::npos;
constexpr std::string_view end_of_rdf = "</rdf:RDF>";

// The content of a packet's rdf:RDF: descriptions that can be moved into another packet if they
// declare the namespaces that they use. Of length 0 for others.
struct Range {
  std::size_t begin = 0, end = 0;
};
Range descriptions_of(std::string_view packet) {
  const std::size_t element = packet.find("<rdf:RDF");
  const std::size_t begin = element == nowhere ? nowhere : packet.find('>', element);
  const std::size_t end = packet.rfind(end_of_rdf);
  if (begin == nowhere || end == nowhere || begin > end) return {};
  constexpr std::string_view name = "xmlns";
  const std::string_view head = packet.substr(0, begin);
  for (std::size_t at = head.find(name); at != nowhere; at = head.find(name, at + name.size())) {
    const std::string_view prefix = head.substr(at + name.size());
    if (!prefix.starts_with(":x=") && !prefix.starts_with(":rdf=")) return {};
  }
  return {begin + 1, end};
}

// The end of each of a range's elements; empty if it contains anything other than elements and
// text.
std::vector<std::size_t> ends_of_elements(std::string_view packet, Range range) {
  std::vector<std::size_t> ends;
  int depth = 0;
  for (std::size_t at = packet.find('<', range.begin); at < range.end; at = packet.find('<', at)) {
    const char kind = packet[at + 1];
    if (kind == '!' || kind == '?') return {};
    char quote = '\0';
    for (++at; at < range.end && (quote != '\0' || packet[at] != '>'); ++at)
      if (quote != '\0')
        quote = packet[at] == quote ? '\0' : quote;
      else if (packet[at] == '"' || packet[at] == '\'')
        quote = packet[at];
    if (at >= range.end) return {};
    depth += kind == '/' ? -1 : packet[at - 1] == '/' ? 0 : 1;
    if (depth < 0) return {};
    if (depth == 0) ends.push_back(at + 1);
  }
  return depth == 0 ? ends : std::vector<std::size_t>();
}

// Removes the attribute or element by which a packet names its extension.
void drop_extension_name(std::string& packet) {
  const std::string property = "xmpNote:HasExtendedXMP";
  const XmpPlace value = find_xmp_value(packet, property, 0);
  if (value.at == nowhere) return;
  std::size_t begin = packet.rfind(property, value.at), end = value.at + value.length + 1;
  if (begin > 0 && packet[begin - 1] == '<') {
    --begin;
    end = packet.find('>', end);
    if (end == nowhere) return;
    ++end;
  }
  packet.erase(begin, end - begin);
}

constexpr std::string_view note_begin =
    "<rdf:Description rdf:about=\"\" xmlns:xmpNote=\"http://ns.adobe.com/xmp/note/\" "
    "xmpNote:HasExtendedXMP=\"";
constexpr std::string_view note_end = "\"/>";
constexpr std::size_t note_bytes = note_begin.size() + 32 + note_end.size();  // and MD5's digits

// @param kept the descriptions that remain between the packet's beginning and end.
SplitXmp split_of(std::string_view packet, Range range, const std::string& kept,
                  std::string_view moved) {
  SplitXmp split;
  split.extension =
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
      "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">";
  split.extension += moved;
  split.extension += std::string(end_of_rdf) + "</x:xmpmeta>";
  split.packet = std::string(packet.substr(0, range.begin)) + kept;
  split.packet += std::string(note_begin) + md5_of(std::as_bytes(std::span(split.extension)));
  split.packet += note_end;
  split.packet += packet.substr(range.end);
  return split;
}

// An attribute or a child of a description: a whole property, or what the description needs.
struct Property {
  Range text;
  bool is_attribute = false, stays = false, is_moved = false;
};
using Description = std::vector<Property>;

// The attributes from a description's name to the end of its tag, whose position `at` gets.
bool take_attributes(std::string_view packet, std::size_t& at, std::size_t end,
                     std::vector<Property>& to) {
  constexpr std::string_view blanks = " \t\r\n";
  while (true) {
    const std::size_t begin = at;
    at = packet.find_first_not_of(blanks, at);
    if (at >= end) return false;
    if (packet[at] == '>' || packet[at] == '/') return true;
    const std::string_view name = packet.substr(at);
    const std::size_t equals = packet.find('=', at);
    const std::size_t open =
        equals == nowhere ? equals : packet.find_first_not_of(blanks, equals + 1);
    if (open >= end || (packet[open] != '"' && packet[open] != '\'')) return false;
    const std::size_t close = packet.find(packet[open], open + 1);
    if (close >= end) return false;
    at = close + 1;
    const bool stays =
        name.starts_with("xmlns") || name.starts_with("rdf:") || name.starts_with("xml:");
    to.push_back({{begin, at}, true, stays, false});
  }
}

// @returns false for what is not a description of properties.
bool take_description(std::string_view packet, Range range, Description& to) {
  constexpr std::string_view name = "<rdf:Description", tail = "</rdf:Description";
  std::size_t at = packet.find('<', range.begin);
  if (at >= range.end || !packet.substr(at).starts_with(name)) return false;
  at += name.size();
  if (std::string_view(" \t\r\n/>").find(packet[at]) == nowhere) return false;  // a longer name
  if (!take_attributes(packet, at, range.end, to)) return false;
  if (packet[at] == '/') return true;
  const std::size_t end = packet.rfind(tail, range.end);
  if (end == nowhere || end < at) return false;
  std::size_t begin = at + 1;
  const std::vector<std::size_t> ends = ends_of_elements(packet, {begin, end});
  if (ends.empty() && packet.substr(begin, end - begin).find('<') != nowhere) return false;
  for (const std::size_t child_end : ends) {
    to.push_back({{begin, child_end}, false, false, false});
    begin = child_end;
  }
  return true;
}

// A description with its moved properties, or with the others.
std::string description_of(std::string_view packet, const Description& from, bool moved) {
  std::string head = "<rdf:Description", children;
  for (const Property& property : from)
    if (property.stays || property.is_moved == moved)
      (property.is_attribute ? head : children) +=
          packet.substr(property.text.begin, property.text.end - property.text.begin);
  return head + (children.empty() ? "/>" : ">" + children + "</rdf:Description>");
}

// Moves the largest properties, as Adobe's programs keep a history or a list of ancestors next to
// the title and the copyright (XMP Specification, part 3, 1.1.3.1).
SplitXmp split_properties(std::string_view packet, Range range,
                          const std::vector<std::size_t>& ends, std::size_t most) {
  std::vector<Description> all(ends.size());
  std::vector<Property*> movable;
  std::size_t begin = range.begin;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!take_description(packet, {begin, ends[i]}, all[i])) return {};
    for (Property& property : all[i])
      if (!property.stays) movable.push_back(&property);
    begin = ends[i];
  }
  const auto size_of = [](const Property* property) {
    return property->text.end - property->text.begin;
  };
  std::ranges::stable_sort(movable, std::ranges::greater(), size_of);
  constexpr std::size_t end_tag = 20;  // a description may be written with one that had none
  std::size_t bytes = packet.size() + note_bytes + end_tag * all.size();
  for (Property* property : movable) {
    if (bytes <= most) break;
    property->is_moved = true;
    bytes -= size_of(property);
  }
  if (bytes > most) return {};
  std::string kept, moved;
  for (const Description& description : all) {
    kept += description_of(packet, description, false);
    if (std::ranges::any_of(description, &Property::is_moved))
      moved += description_of(packet, description, true);
  }
  return split_of(packet, range, kept, moved);
}

}  // namespace

bool can_join_xmp(const Blob& extension) {
  const Range range = descriptions_of(text_of_bytes(extension));
  return range.begin < range.end;
}

void join_xmp(std::string& packet, std::string_view extension) {
  const Range range = descriptions_of(extension);
  const std::size_t end = packet.rfind(end_of_rdf);
  if (range.begin >= range.end || end == nowhere || xmp_extension_name(packet).empty()) return;
  packet.insert(end, extension.substr(range.begin, range.end - range.begin));
  drop_extension_name(packet);
}

SplitXmp split_xmp(std::string_view packet, std::size_t most) {
  const Range range = descriptions_of(packet);
  const std::vector<std::size_t> ends = ends_of_elements(packet, range);
  if (ends.empty() || !xmp_extension_name(packet).empty()) return {};
  const std::size_t rest = packet.size() - (range.end - range.begin) + note_bytes;
  std::size_t kept = ends.size() - 1;  // the number of descriptions that remain
  while (kept > 0 && rest + (ends[kept - 1] - range.begin) > most) --kept;
  if (kept == 0) return split_properties(packet, range, ends, most);
  const std::size_t cut = ends[kept - 1];
  return split_of(packet, range, std::string(packet.substr(range.begin, cut - range.begin)),
                  packet.substr(cut, range.end - cut));
}

}  // namespace cuimg
