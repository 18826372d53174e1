// SPDX-License-Identifier: Apache-2.0
#include "io/tags/xmp_extension.h"

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
  if (ends.size() < 2 || !xmp_extension_name(packet).empty()) return {};
  constexpr std::string_view note_begin =
      "<rdf:Description rdf:about=\"\" xmlns:xmpNote=\"http://ns.adobe.com/xmp/note/\" "
      "xmpNote:HasExtendedXMP=\"";
  constexpr std::string_view note_end = "\"/>";
  constexpr std::size_t digits = 32;
  const std::size_t rest =
      packet.size() - (range.end - range.begin) + note_begin.size() + digits + note_end.size();
  std::size_t kept = ends.size() - 1;  // the number of descriptions that remain
  while (kept > 0 && rest + (ends[kept - 1] - range.begin) > most) --kept;
  if (kept == 0) return {};
  const std::size_t cut = ends[kept - 1];
  SplitXmp split;
  split.extension =
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
      "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">";
  split.extension += packet.substr(cut, range.end - cut);
  split.extension += std::string(end_of_rdf) + "</x:xmpmeta>";
  split.packet = packet.substr(0, cut);
  split.packet += std::string(note_begin) + md5_of(std::as_bytes(std::span(split.extension)));
  split.packet += note_end;
  split.packet += packet.substr(range.end);
  return split;
}

}  // namespace cuimg
