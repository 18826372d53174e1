// SPDX-License-Identifier: Apache-2.0
#include "compare/report/stored_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/error.h"

namespace cuimg {
namespace {

using Object = nlohmann::ordered_json;

// Null if the text is not JSON. Deep nesting is refused, since functions that walk through the
// result call themselves. @param name for errors.
Object parsed(std::string_view text, const std::string& name) {
  constexpr int most_nested = 100;
  const auto check_depth = [&](int depth, Object::parse_event_t, Object&) {
    if (depth > most_nested)
      throw Error(name,
                  fmt::format("its lists and objects are nested more than {} deep", most_nested));
    return true;
  };
  Object json = Object::parse(text, check_depth, false);
  return json.is_discarded() ? Object() : json;
}

std::string text_member(const Object& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// The bytes of a text: those of NAME_base64, which Json adds next to a text that is not UTF-8.
std::string bytes_member(const Object& object, const std::string& name) {
  const auto bytes = bytes_of_base64(text_member(object, (name + "_base64").c_str()));
  return bytes && !bytes->empty() ? *bytes : text_member(object, name.c_str());
}

// The numbers of the parts that have compared layers.
std::vector<int> compared_parts(const Object& object) {
  std::vector<int> parts;
  const auto layers = object.find("layers");
  if (layers == object.end() || !layers->is_array()) return parts;
  for (const Object& layer : *layers)
    if (layer.is_object() && layer.contains("part") && layer["part"].is_number_integer())
      parts.push_back(layer["part"].get<int>());
  return parts;
}

void add_metrics(const Object& metrics, const std::string& prefix, StoredPair& pair) {
  for (const auto& [name, value] : metrics.items()) {
    if (value.is_number())
      pair.metrics.emplace_back(prefix + name, value.get<double>());
    else if (value.is_object() && name != "first" && name != "worst")
      add_metrics(value, prefix + name + ".", pair);
  }
}

// The number of pixels that options forgave. Their positions are not stored, nor are the limits
// that would find them again.
std::uint64_t forgiven_pixels(const Object& object) {
  std::uint64_t sum = 0;
  const auto forgiven = object.find("forgiven");
  if (forgiven == object.end() || !forgiven->is_object()) return sum;
  for (const auto& [what, count] : forgiven->items())
    if (count.is_number_unsigned()) sum += count.get<std::uint64_t>();
  return sum;
}

bool is_lone(const Object& object) {
  if (!text_member(object, "lone").empty()) return true;
  const auto codes = object.find("reason_codes");
  return codes != object.end() && codes->is_array() &&
         std::ranges::any_of(*codes, [](const Object& code) {
           return code == Object("missing") || code == Object("extra");
         });
}

std::vector<std::string> texts_member(const Object& object, const char* name) {
  std::vector<std::string> texts;
  const auto list = object.find(name);
  if (list == object.end() || !list->is_array()) return texts;
  for (const Object& item : *list)
    if (item.is_string()) texts.push_back(item.get<std::string>());
  return texts;
}

// The content that options selected.
ComparedContent content_of(const Object& object) {
  const auto compared = object.find("compared");
  if (compared == object.end() || !compared->is_object()) return {};
  return {texts_member(*compared, "layers"), texts_member(*compared, "ignored"),
          text_member(*compared, "part")};
}

bool first_is_of_level(const Object& object) {
  const auto metrics = object.find("metrics");
  if (metrics == object.end() || !metrics->is_object()) return false;
  const auto first = metrics->find("first");
  return first != metrics->end() && first->is_object() && first->contains("level");
}

void add_object(Object object, StoredReport& report) {
  if (report.label.empty()) report.label = text_member(object, "label");
  if (!object.contains("verdict")) return;
  Object notes = Object::array();
  if (forgiven_pixels(object) > 0)
    notes.push_back(
        "a stored report does not say which pixels were forgiven: here they are "
        "drawn as differences");
  if (text_member(object, "verdict") == "differs" && first_is_of_level(object))
    notes.push_back("the largest level alone is shown, and a smaller one differs");
  if (!notes.empty()) object["notes"] = std::move(notes);
  const auto warnings = object.find("warnings");
  StoredPair pair = {bytes_member(object, "golden"),
                     bytes_member(object, "result"),
                     text_member(object, "verdict"),
                     object.dump(),
                     {},
                     bytes_member(object, "name"),
                     warnings != object.end() && warnings->is_array() && !warnings->empty(),
                     content_of(object),
                     is_lone(object),
                     compared_parts(object)};
  const auto metrics = object.find("metrics");
  const bool is_compared = !object.contains("skipped");
  if (is_compared && metrics != object.end() && metrics->is_object())
    add_metrics(*metrics, "", pair);
  report.pairs.push_back(std::move(pair));
}

void add_list(const Object& list, const std::string& name, StoredReport& report) {
  for (const Object& item : list) {
    if (!item.is_object()) throw Error(name, "its list holds an item that is not an object");
    add_object(item, report);
  }
}

}  // namespace

StoredReport read_stored_report(std::string_view text, const std::string& name) {
  StoredReport report;
  if (const Object whole = parsed(text, name); whole.is_array()) {
    add_list(whole, name, report);
    return report;
  } else if (whole.is_object()) {
    add_object(whole, report);
    const auto pairs = whole.find("pairs");
    if (pairs != whole.end() && pairs->is_array()) add_list(*pairs, name, report);
    return report;
  }
  int number = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view line = text.substr(from, end - from);
    from = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Object object = parsed(line, name);
    if (!object.is_object())
      throw Error(name, fmt::format("line {} is not a JSON object", number),
                  "give a report of `cuimg compare --json`");
    add_object(object, report);
  }
  return report;
}

void check_json_object(std::string_view text, const std::string& name) {
  if (!parsed(text, name).is_object()) throw Error(name, "its report is not a JSON object");
}

}  // namespace cuimg
