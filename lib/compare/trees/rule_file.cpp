// SPDX-License-Identifier: Apache-2.0
#include "compare/trees/rule_file.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/bytes.h"
#include "base/error.h"
#include "base/message_text.h"
#include "base/split_text.h"
#include "base/utf8.h"
#include "compare/limit_options.h"
#include "compare/trees/tree_walk.h"
#include "io/byte_source.h"
#include "options/path_filter.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

constexpr const char* rule_file_name = ".cuimg-compare";
// As in .editorconfig: as if no section contained the option.
constexpr const char* unset_text = "unset";

struct RuleOptions : Limits {
  std::string skip;
};

const Description& rule_options() {
  static const Description options = [] {
    auto describing = describe<RuleOptions>("rules", "options of a section");
    describe_limits(describing);
    describing.param("skip", &RuleOptions::skip, "why the picture is not compared");
    return Description(describing);
  }();
  return options;
}

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  for (const Parameter& parameter : rule_options().parameters) names.push_back(parameter.name);
  return names;
}

}  // namespace

bool CompareRule::matches(const std::string& path) const {
  if (!path.starts_with(folder)) return false;
  return matches_path(pattern, std::string_view(path).substr(folder.size()));
}

std::vector<CompareRule> parse_rules(const std::string& text, const std::string& folder,
                                     const std::string& name) {
  std::vector<CompareRule> rules;
  std::istringstream lines{std::string(without_byte_order_mark(text))};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string place = name + ":" + std::to_string(number);
    line = std::string(trim_ends(line));
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[') {
      if (line.back() != ']' || line.size() < 3)
        throw Error(place, line + " is not a section", "use [pattern], such as [icons/*.png]");
      rules.push_back({folder,
                       line.substr(1, line.size() - 2),
                       place,
                       fs::path(name).parent_path().string(),
                       {}});
      continue;
    }
    if (rules.empty())
      throw Error(place, line + " comes before the first section", "begin with [pattern]");
    const std::size_t equals = line.find('=');
    const std::string option(trim_ends(std::string_view(line).substr(0, equals)));
    const std::string value(
        equals == std::string::npos ? "" : trim_ends(std::string_view(line).substr(equals + 1)));
    const Parameter* parameter = rule_options().find(option);
    if (parameter == nullptr)
      throw Error(place, "no option of a rule file is called " + option,
                  did_you_mean(option, option_names(),
                               "it may set limits and what is compared; the other options of "
                               "cuimg compare belong on the command line"));
    const bool needs_text = option == "skip" && value.empty();
    if (needs_text || (equals == std::string::npos && !parameter->is_flag))
      throw Error(place, option + " has no value", "use " + option + " = VALUE");
    const std::string set = parameter->is_flag && value.empty() ? "true" : value;
    // A wrong value is reported here, not at the first picture to which it applies.
    RuleOptions trial;
    if (set != unset_text) parameter->set(&trial, set, place);
    rules.back().options.emplace_back(option, set);
  }
  return rules;
}

std::vector<CompareRule> read_rules(const std::string& golden_folder,
                                    const std::string& result_folder) {
  std::vector<std::string> folders;  // with a rule file, from the tree's folder
  // A dangling link counts, so that reading it gives an error.
  const auto has_rules = [](const fs::path& folder) {
    std::error_code unknown;
    return fs::exists(fs::symlink_status(folder / rule_file_name, unknown));
  };
  if (has_rules(golden_folder)) folders.emplace_back();
  walk_tree(golden_folder, result_folder,
            [&](const fs::directory_entry& entry, const std::string& path) {
              std::error_code unknown;
              if (entry.is_directory(unknown) && has_rules(entry.path()))
                folders.push_back(path + "/");
            });
  // A folder comes after its parent folders.
  std::ranges::sort(folders);
  std::vector<CompareRule> rules;
  for (const std::string& folder : folders) {
    const std::string name = (fs::path(golden_folder) / folder / rule_file_name).string();
    std::error_code unknown;
    // It holds no rules, but open_text() would refuse it.
    if (fs::file_size(name, unknown) == 0) continue;
    const auto source = ByteSource::open_text(name);
    const std::string text(text_of_bytes(source->bytes()));
    for (CompareRule& rule : parse_rules(text, folder, name)) rules.push_back(std::move(rule));
  }
  return rules;
}

std::vector<std::string> masks_of(const std::vector<CompareRule>& rules) {
  std::vector<std::string> masks;
  for (const CompareRule& rule : rules)
    for (const auto& [option, text] : rule.options)
      if (option == "mask" && text != unset_text)
        masks.push_back((fs::path(rule.directory) / text).string());
  return masks;
}

PictureLimits::PictureLimits(const std::vector<CompareRule>& rules, const std::string& path,
                             const std::string& golden) {
  for (const CompareRule& rule : rules)
    if (rule.matches(path)) add(rule);
  if (golden.empty()) return;
  for (const CompareRule& rule : rules)
    if (!rule.matches(path) && rule.matches(golden)) add(rule);
}

void PictureLimits::add(const CompareRule& rule) {
  for (const auto& option : rule.options) {
    const std::string &name = option.first, &text = option.second;
    const auto known =
        std::ranges::find_if(given_, [&](const Given& given) { return given.name == name; });
    std::vector<std::string> texts;
    if (known != given_.end()) {
      // Lines of one section are collected, while sections replace each other.
      if (known->rule == &rule && rule_options().find(name)->gathers) texts = known->texts;
      given_.erase(known);
    }
    if (text == unset_text)
      texts.clear();
    else
      texts.push_back(text);
    given_.push_back({&rule, name, std::move(texts)});
  }
}

void PictureLimits::apply(Limits& limits) const {
  RuleOptions values;
  static_cast<Limits&>(values) = limits;
  for (const Given& given : given_) {
    for (const std::string& text : given.texts)
      rule_options().find(given.name)->set(&values, text, given.rule->place);
    if (given.name == "mask" && !given.texts.empty())
      values.mask = (fs::path(given.rule->directory) / values.mask).string();
  }
  limits = values;
}

std::string PictureLimits::section_of(const std::string& option) const {
  for (const Given& given : given_)
    if (given.name == option && !given.texts.empty()) return given.rule->text();
  return {};
}

std::string PictureLimits::skip() const {
  for (const Given& given : given_)
    if (given.name == "skip" && !given.texts.empty()) return given.texts.back();
  return {};
}

std::string PictureLimits::text() const {
  std::string text;
  const CompareRule* rule = nullptr;
  for (const Given& given : given_) {
    if (given.rule != rule) {
      rule = given.rule;
      add_item(text, rule->text(), "; ");
    }
    if (given.texts.empty()) text += ", " + given.name + " = " + unset_text;
    for (const std::string& value : given.texts) text += ", " + given.name + " = " + value;
  }
  return text;
}

}  // namespace cuimg
