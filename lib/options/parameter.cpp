// SPDX-License-Identifier: Apache-2.0
// The operations of a parameter that do not depend on its type: setting, printing, suggestions.
#include "options/parameter.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/message_text.h"
#include "base/split_text.h"

namespace cuimg {
namespace {

std::string joined_names(std::span<const Choice<int>> choices) {
  std::string result;
  for (const Choice<int>& c : choices) add_item(result, c.name);
  return result;
}

// Insertions, deletions, substitutions and swaps of neighbours that make `a` into `b` (optimal
// string alignment).
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

namespace detail {

int parse_choice(const std::string& text, std::span<const Choice<int>> choices) {
  std::vector<std::string> spellings;
  for (const Choice<int>& c : choices) {
    if (text == c.name) return c.value;
    spellings.emplace_back(c.name);
    bool matched = false;
    for (const std::string_view alias : split_words(c.aliases)) {
      matched = matched || text == alias;
      spellings.emplace_back(alias);
    }
    if (matched) return c.value;
  }
  const auto near = nearest(text, spellings);
  throw BadValue{
      "is unknown",
      (near ? "did you mean " + *near + "? It is one of " : "use one of ") + joined_names(choices)};
}

std::string format_choice(int value, std::span<const Choice<int>> choices) {
  for (const Choice<int>& choice : choices)
    if (choice.value == value) return std::string(choice.name);
  return "?";
}

}  // namespace detail

#define CUIMG_VALUE_TYPE(T, name, placeholder) template const ValueType& value_type<T>();
#include "options/value_types.inc"
#undef CUIMG_VALUE_TYPE
template const ValueType& value_type<std::optional<int>>();
template const ValueType& value_type<std::optional<float>>();
template const ValueType& value_type<Border>();

namespace {

void apply(const Attribute& attribute, Parameter& p) {
  switch (attribute.kind) {
    case Attribute::Kind::none:
      break;
    case Attribute::Kind::help:
      p.help = attribute.text;
      break;
    case Attribute::Kind::range:
      p.range = attribute.range;
      break;
    case Attribute::Kind::unit:
      p.unit = attribute.text;
      break;
    case Attribute::Kind::short_name:
      p.short_name = attribute.letter;
      break;
    case Attribute::Kind::placeholder:
      p.placeholder = attribute.text;
      break;
    case Attribute::Kind::file:
      p.is_file = p.may_be_file = true;
      p.placeholder = "FILE";
      break;
    case Attribute::Kind::file_or_value:
      p.may_be_file = true;
      break;
    case Attribute::Kind::words:
      p.suggestions = attribute.words();
      break;
  }
}

}  // namespace

Parameter make_parameter(std::string_view name, const ValueType& type, const void* defaults,
                         std::ptrdiff_t offset, std::initializer_list<Attribute> attributes) {
  Parameter p;
  p.name = name;
  p.value_type = &type;
  p.offset = offset;
  p.type = type.name().type;
  p.placeholder = type.name().placeholder;
  p.is_flag = type.is_flag;
  p.gathers = type.gathers;
  if (type.choices != nullptr) p.choices = type.choices();
  p.default_text = p.text(defaults);
  p.unset_by_default = p.default_text.empty();
  for (const Attribute& attribute : attributes) apply(attribute, p);
  return p;
}

void Parameter::set(void* object, const std::string& value, const std::string& place) const {
  try {
    value_type->parse(static_cast<char*>(object) + offset, value, range.value_or(Range{}));
  } catch (const BadValue& bad) {
    const std::string shown = value.empty() ? "''" : value;
    throw Error(place, "--" + name + " " + shown + (bad.problem.empty() ? "" : " " + bad.problem),
                bad.advice);
  }
}

std::string Parameter::words(const void* object) const {
  const std::string value = text(object);
  if (gathers) {
    std::string all;
    for (std::size_t at = 0; at < value.size();) {
      const std::size_t end = std::min(value.find('\n', at), value.size());
      all += (all.empty() ? "--" : " --") + name + " " + quoted(value.substr(at, end - at));
      at = end + 1;
    }
    return all;
  }
  if (!is_flag) return "--" + name + " " + quoted(value);
  if (value == "true") return "--" + name;
  return negatable() ? "--no-" + name : "--" + name + "=false";
}

std::string quoted(const std::string& text) {
  static constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:%@";
  const bool bare = !text.empty() && text != "+" && text.front() != '@' &&
                    text.find_first_not_of(plain) == std::string::npos;
  return bare ? text : single_quoted(text);
}

std::string single_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  if (word.empty()) return best;
  const auto is_begun = [&](const std::string& name) { return name.starts_with(word); };
  if (word.size() > 1 && std::ranges::count_if(candidates, is_begun) == 1)
    return *std::ranges::find_if(candidates, is_begun);
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edits(word, candidate);
    if (distance < fewest) {
      fewest = distance;
      best = candidate;
    }
  }
  if (best || word.size() < 2) return best;
  const auto begun = std::ranges::find_if(candidates, is_begun);
  if (begun != candidates.end()) best = *begun;
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates,
                         const std::string& otherwise) {
  const auto near = nearest(word, candidates);
  return near ? "did you mean " + *near + "?" : otherwise;
}

}  // namespace cuimg
