// SPDX-License-Identifier: Apache-2.0
// Converts the words of one segment to values. cxxopts, compiled only here, splits words into
// options and their texts; each parameter parses its own text strictly.
#include "pipeline/parse_options.h"

// Avoids std::regex: it takes a millisecond to start, and its `.` stops at a newline in a file's
// name.
#define CXXOPTS_NO_REGEX true
// Files may have commas in their names. No argument can hold a NUL.
#define CXXOPTS_VECTOR_DELIMITER '\0'
// In the project's namespace: a program that links the library may contain another version of
// cxxopts.
#define cxxopts cuimg_cxxopts
#include <cxxopts.hpp>
#undef cxxopts

#include <algorithm>
#include <filesystem>

#include "base/contains.h"
#include "base/error.h"
#include "stages/description.h"

namespace cuimg {
namespace {

namespace cxxopts = cuimg_cxxopts;

constexpr const char* files_key = "FILES";  // Upper case, which no option's name has.

// A spelling of an option: --NAME, or --no-NAME for a flag that is on by default.
struct Spelling {
  const Parameter* parameter;
  void* values;
  bool negated;
};

// cxxopts reads a name of one letter as a short option, so a one-letter long name gets a second
// character.
std::string long_name(const std::string& name) { return name.size() == 1 ? name + '_' : name; }

using Spellings = std::vector<std::pair<std::string, Spelling>>;

Spellings spellings_of(std::span<const OptionTarget> targets) {
  Spellings result;
  for (const OptionTarget& target : targets) {
    for (const Parameter& p : target.description->parameters) {
      if (target.only && !contains(*target.only, p.name)) continue;
      result.push_back({p.name, {&p, target.values, false}});
      if (p.negatable()) result.push_back({"no-" + p.name, {&p, target.values, true}});
    }
  }
  return result;
}

std::string long_word(const std::string& word, const Spellings& spellings) {
  const bool one_letter =
      word.size() >= 3 && word.starts_with("--") && (word.size() == 3 || word[3] == '=');
  const auto is_named = [&](const auto& entry) { return entry.first == word.substr(2, 1); };
  if (!one_letter || std::ranges::none_of(spellings, is_named)) return word;
  return "--" + long_name(word.substr(2, 1)) + word.substr(3);
}

cxxopts::Options options_for(const Spellings& spellings) {
  cxxopts::Options options("cuimg");
  options.allow_unrecognised_options();  // The error with the nearest option is our own.
  auto add = options.add_options();
  for (const auto& [name, spelling] : spellings) {
    std::shared_ptr<cxxopts::Value> value = cxxopts::value<std::string>();
    if (spelling.parameter->is_flag) value = value->implicit_value("true");
    const char letter = spelling.negated ? '\0' : spelling.parameter->short_name;
    const std::string key = long_name(name);
    add(letter == 0 ? key : std::string(1, letter) + "," + key, "", value);
  }
  add(files_key, "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional(files_key);
  return options;
}

// -size is read as the letters -s, -i, -z and -e, and -output as -o utput: none of it was meant.
void check_has_two_dashes(const std::string& place, const std::string& word,
                          const Spellings& spellings) {
  if (word.size() < 3 || word[0] != '-' || word[1] == '-') return;
  const std::string name = word.substr(1, word.find('=') - 1);
  if (std::ranges::find(spellings, name, &Spellings::value_type::first) != spellings.end())
    throw Error(place, "unknown option -" + name, "did you mean --" + name + "?");
}

[[noreturn]] void unknown_option(const std::string& place, std::string word,
                                 const Spellings& spellings) {
  word = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const auto& entry : spellings) names.push_back("--" + entry.first);
  const auto near = word.starts_with("--") ? nearest(word, names) : std::nullopt;
  std::error_code ignored;
  if (!near && std::filesystem::exists(word, ignored))
    throw Error(place, "unknown option " + word, "if the file is meant, name it ./" + word);
  throw Error(place, "unknown option " + word,
              near ? "did you mean " + *near + "?"
                   : "see cuimg " + (place == "cuimg" ? "--help" : place + " --help"));
}

}  // namespace

std::pair<std::span<const std::string>, std::span<const std::string>> split_at_dashes(
    std::span<const std::string> words) {
  const auto dashes = std::ranges::find(words, "--");
  const auto count = static_cast<std::size_t>(dashes - words.begin());
  return {words.first(count), words.subspan(std::min(count + 1, words.size()))};
}

std::vector<std::string> parse_options(const std::string& place,
                                       std::span<const OptionTarget> targets,
                                       std::span<const std::string> words) {
  const Spellings spellings = spellings_of(targets);
  const auto find = [&](const std::string& name) {
    return std::ranges::find_if(spellings,
                                [&](const auto& entry) { return long_name(entry.first) == name; });
  };
  const auto [before_dashes, after_dashes] = split_at_dashes(words);
  std::vector<std::string> long_words;
  for (const std::string& word : before_dashes) long_words.push_back(long_word(word, spellings));
  std::vector<const char*> arguments = {"cuimg"};
  for (const std::string& word : long_words) arguments.push_back(word.c_str());

  cxxopts::Options options = options_for(spellings);
  const cxxopts::ParseResult parsed = [&] {
    try {
      return options.parse(static_cast<int>(arguments.size()), arguments.data());
    } catch (const cxxopts::exceptions::missing_argument&) {
      throw Error(place, before_dashes.back() + " needs a value",
                  "see cuimg " + (place == "cuimg" ? "--help" : place + " --help"));
    } catch (const cxxopts::exceptions::exception& error) {
      throw Error(place, error.what());
    }
  }();
  if (!parsed.unmatched().empty()) {
    for (const std::string& word : before_dashes) check_has_two_dashes(place, word, spellings);
    unknown_option(place, parsed.unmatched().front(), spellings);
  }

  std::vector<std::string> files;
  for (const cxxopts::KeyValue& argument : parsed.arguments()) {
    const std::string& word = argument.value();
    if (argument.key() != files_key) {
      const Spelling& spelling = find(argument.key())->second;
      const std::string typed = std::string{'-', spelling.parameter->short_name} + word;
      if (contains(before_dashes, typed)) check_has_two_dashes(place, typed, spellings);
      if (!spelling.negated) {
        spelling.parameter->set(spelling.values, word, place);
      } else {
        if (word != "true") throw Error(place, "--" + argument.key() + " takes no value");
        spelling.parameter->set(spelling.values, "false", place);
      }
      continue;
    }
    if (word.size() < 2 || word.front() != '-') {
      files.push_back(word);
      continue;
    }
    // cxxopts splits -oNAME only if NAME consists of letters and digits.
    const auto joined = std::ranges::find_if(spellings, [&](const auto& entry) {
      return !entry.second.parameter->is_flag && entry.second.parameter->short_name == word[1];
    });
    check_has_two_dashes(place, word, spellings);
    if (joined == spellings.end()) unknown_option(place, word, spellings);
    joined->second.parameter->set(joined->second.values, word.substr(2), place);
  }
  files.insert(files.end(), after_dashes.begin(), after_dashes.end());
  return files;
}

}  // namespace cuimg
