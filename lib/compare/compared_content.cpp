// SPDX-License-Identifier: Apache-2.0
#include "compare/compared_content.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/contains.h"
#include "base/split_text.h"
#include "io/codec.h"
#include "options/layer_names.h"
#include "options/parameter.h"

namespace cuimg {
namespace {

using Names = std::vector<std::string>;

bool all_named(const Names& names) {
  const std::set<std::string> different(names.begin(), names.end());
  return different.size() == names.size() && different.count("") == 0;
}

void add_once(Names& names, const std::string& name) {
  if (!contains(names, name)) names.push_back(name);
}

// In a list, names may be separated by a comma and a blank: "diffuse, specular".
Names trimmed(Names names) {
  for (std::string& name : names) name = std::string(trim_ends(name, " "));
  return names;
}

PartPairs all_pairs(const Names& golden, const Names& result) {
  PartPairs pairs;
  const auto add = [](std::vector<int>& to, std::size_t i) { to.push_back(static_cast<int>(i)); };
  if (all_named(golden) && all_named(result)) {
    for (std::size_t i = 0; i < golden.size(); ++i) {
      const auto there = std::ranges::find(result, golden[i]);
      if (there == result.end())
        add(pairs.golden_only, i);
      else
        pairs.both.emplace_back(static_cast<int>(i), static_cast<int>(there - result.begin()));
    }
    for (std::size_t i = 0; i < result.size(); ++i)
      if (!contains(golden, result[i])) add(pairs.result_only, i);
    return pairs;
  }
  const std::size_t common = std::min(golden.size(), result.size());
  for (std::size_t i = 0; i < common; ++i)
    pairs.both.emplace_back(static_cast<int>(i), static_cast<int>(i));
  for (std::size_t i = common; i < golden.size(); ++i) add(pairs.golden_only, i);
  for (std::size_t i = common; i < result.size(); ++i) add(pairs.result_only, i);
  return pairs;
}

int part_named(const Names& names, const std::string& wanted) {
  return part_meant(wanted, static_cast<int>(names.size()),
                    [&](int part) { return names[static_cast<std::size_t>(part)]; });
}

std::string known_parts(const Names& names) {
  if (names.size() == 1) return part_text(0, names.front());
  Names texts;
  for (std::size_t i = 0; i < names.size(); ++i)
    texts.push_back(part_text(static_cast<int>(i), names[i]));
  return fmt::format("{}", fmt::join(texts, ", "));
}

// The golden's number counts: the partner of a named part may have another number.
PartPairs only_part(PartPairs pairs, const std::string& part, const Names& golden,
                    const Names& result) {
  const int of_golden = part_named(golden, part), of_result = part_named(result, part);
  if (of_golden < 0 && of_result < 0)
    throw NotComparable(
        "part", "--part " + part, "neither picture has such a part",
        "the golden has " + known_parts(golden) + ", the result " + known_parts(result));
  std::erase_if(pairs.both, [&](const std::pair<int, int>& pair) {
    return of_golden >= 0 ? pair.first != of_golden : pair.second != of_result;
  });
  std::erase_if(pairs.golden_only, [&](int number) { return number != of_golden; });
  std::erase_if(pairs.result_only,
                [&](int number) { return number != of_result || !pairs.both.empty(); });
  return pairs;
}

// Searches the layers of all parts, and records which of the requested names exist in any of them.
class LayerSearch {
 public:
  explicit LayerSearch(ComparedContent& content)
      : content_(content), found_(content.layers.size()) {}

  /// Whether a layer of the part is named. @param golden, result null if a side lacks the part.
  bool takes_of(const Spec* golden, const Spec* result) {
    const LayerChoice compared(content_, golden, result);
    for (const Spec* spec : {golden, result}) {
      if (spec == nullptr) continue;
      for (const LayerSpec& layer : spec->layers) {
        const std::string label = layer.label();
        for (std::size_t i = 0; i < found_.size(); ++i)
          if (names_layer(content_.layers[i], label)) found_[i] = true;
        add_once(compared.take(layer) ? content_.compared : content_.left_out, label);
      }
    }
    return compared.are_any();
  }

  /// @throws NotComparable for a name without a layer, and if no layer is left.
  void check(const Names& golden_parts, const Names& result_parts) const {
    Names labels = content_.compared;
    labels.insert(labels.end(), content_.left_out.begin(), content_.left_out.end());
    const std::string known = fmt::format("{}", fmt::join(labels, ", "));
    const auto missing = std::ranges::find(found_, false);
    if (missing == found_.end()) {
      if (content_.compared.empty())
        throw NotComparable("ignore-layers", "--ignore-layers", "no layer is left to compare",
                            "they have " + known);
      return;
    }
    const std::string& wanted = content_.layers[static_cast<std::size_t>(missing - found_.begin())];
    const std::string place = "--layers " + (wanted.empty() ? "''" : wanted);
    if (!wanted.empty() && (contains(golden_parts, wanted) || contains(result_parts, wanted)))
      throw NotComparable("layers", place,
                          "neither picture has such a layer, but there is a part "
                          "of that name",
                          "choose it with --part " + wanted);
    const auto near = nearest(wanted, labels);
    throw NotComparable("layers", place, "neither picture has such a layer",
                        (near ? "did you mean " + *near + "? They have " : "they have ") + known);
  }

 private:
  ComparedContent& content_;
  std::vector<bool> found_;
};

}  // namespace

PartPairs pair_parts(const PartList& golden, const PartList& result, ComparedContent& content) {
  PartPairs pairs = all_pairs(golden.names, result.names);
  if (!content.part.empty())
    pairs = only_part(std::move(pairs), content.part, golden.names, result.names);
  if (content.are_all_layers()) return pairs;
  LayerSearch search(content);
  std::erase_if(pairs.both, [&](const std::pair<int, int>& pair) {
    const Spec of_golden = golden.spec(pair.first), of_result = result.spec(pair.second);
    return !search.takes_of(&of_golden, &of_result);
  });
  const auto has_none = [&](const PartList& parts) {
    return [&](int part) {
      const Spec spec = parts.spec(part);
      return !search.takes_of(&spec, nullptr);
    };
  };
  std::erase_if(pairs.golden_only, has_none(golden));
  std::erase_if(pairs.result_only, has_none(result));
  search.check(golden.names, result.names);
  return pairs;
}

void judge_lone_parts(const PartPairs& pairs, const PartList& golden, const PartList& result,
                      const Limits& limits, Comparison& comparison) {
  const bool by_name = all_named(golden.names) && all_named(result.names);
  const auto judge = [&](const std::vector<int>& parts, const Names& names, const char* what) {
    if (parts.empty()) return;
    Names texts;
    for (const int part : parts)
      texts.push_back(by_name ? "'" + names[static_cast<std::size_t>(part)] + "'"
                              : std::to_string(part));
    comparison.add("parts",
                   fmt::format("part{} {} {} {}", parts.size() == 1 ? "" : "s",
                               fmt::join(texts, ", "), parts.size() == 1 ? "is" : "are", what),
                   limits.allow_parts);
  };
  judge(pairs.golden_only, golden.names, "missing");
  judge(pairs.result_only, result.names, "not in the golden");
  if (pairs.both.empty() && limits.allow_parts)
    comparison.reasons.push_back({"parts", "the files have no part in common"});
}

std::optional<int> counterpart_of(const LayerSpec& layer, const Spec& other) {
  for (int c = 0; c < layer.channel_count(); ++c)
    if (const auto place = other.find_channel(layer.full_name(c))) return place->layer;
  return std::nullopt;
}

ComparedContent content_of(const Limits& limits) {
  return {trimmed(limits.layers), trimmed(limits.ignore_layers),
          limits.part == "all" ? "" : limits.part};
}

LayerChoice::LayerChoice(const ComparedContent& content, const Spec* golden, const Spec* result)
    : are_all_(content.are_all_layers()) {
  const auto names = [](const Names& wanted, const LayerSpec& layer) {
    const std::string label = layer.label();
    return std::ranges::any_of(wanted,
                               [&](const std::string& name) { return names_layer(name, label); });
  };
  const auto add = [](std::set<std::string>& channels, const LayerSpec& layer) {
    for (int c = 0; c < layer.channel_count(); ++c) channels.insert(layer.full_name(c));
  };
  std::vector<const LayerSpec*> layers;
  for (const Spec* spec : {golden, result})
    if (spec != nullptr)
      for (const LayerSpec& layer : spec->layers) layers.push_back(&layer);
  for (const LayerSpec* layer : layers) {
    if (content.layers.empty() || names(content.layers, *layer)) add(named_, *layer);
    if (names(content.ignored, *layer)) add(ignored_, *layer);
  }
  are_any_ = std::ranges::any_of(layers, [&](const LayerSpec* layer) { return take(*layer); });
}

bool LayerChoice::take(const LayerSpec& layer) const {
  if (are_all_) return true;
  bool is_named = false, is_ignored = false;
  for (int c = 0; c < layer.channel_count(); ++c) {
    const std::string channel = layer.full_name(c);
    is_named = is_named || named_.contains(channel);
    is_ignored = is_ignored || ignored_.contains(channel);
  }
  return is_named && !is_ignored;
}

bool LayerChoice::are_all_of(const Spec& spec) const {
  return std::ranges::all_of(spec.layers, [&](const LayerSpec& layer) { return take(layer); });
}

Spec LayerChoice::of(Spec spec) const {
  std::erase_if(spec.layers, [&](const LayerSpec& layer) { return !take(layer); });
  return spec;
}

Image LayerChoice::of(Image&& image) const {
  return are_all_of(image.spec()) ? std::move(image) : of(std::as_const(image));
}

Image LayerChoice::of(const Image& image) const {
  Image kept(of(image.spec()));
  int to = 0;
  for (int from = 0; from < image.spec().layer_count(); ++from) {
    if (!take(image.spec().layer(from))) continue;
    const Rect& window = image.spec().data_window;
    for (int y = window.y; y < window.bottom(); ++y)
      std::memcpy(kept.row(to, y), image.row(from, y), kept.row_bytes(to));
    ++to;
  }
  return kept;
}

}  // namespace cuimg
