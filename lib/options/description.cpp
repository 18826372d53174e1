// SPDX-License-Identifier: Apache-2.0
// Lookup, words and checks of a description.
#include "options/description.h"

namespace cuimg {

const Parameter* Description::find(std::string_view parameter) const {
  for (const Parameter& p : parameters)
    if (p.name == parameter) return &p;
  return nullptr;
}

// --border border is black, except in stages that take a colour too.
static void name_border_color(Parameter& border) {
  for (Choice<int>& choice : border.choices)
    if (choice.value == static_cast<int>(Border::border)) choice.help = "a colour";
}

void Description::add(Parameter parameter, std::string_view group) {
  parameter.group = group;
  if (parameter.value_type == &value_type<Color>())
    for (Parameter& before : parameters)
      if (before.value_type == &value_type<Border>()) name_border_color(before);
  parameters.push_back(std::move(parameter));
}

std::string Description::words(const void* values, bool all) const {
  std::string result = name;
  for (const Parameter& p : parameters) {
    const bool absent = p.unset_by_default && p.text(values).empty();
    if (absent || (!all && p.is_default(values))) continue;
    result += ' ';
    result += p.words(values);
  }
  return result;
}

void Description::check_values(const void* values) const {
  const std::shared_ptr<void> scratch = make();
  for (const Parameter& p : parameters) {
    if (p.is_default(values)) continue;
    const std::string text = p.text(values);
    if (!p.gathers) {
      p.set(scratch.get(), text, name);
      continue;
    }
    // A line for each time that the option is given.
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t end = std::min(text.find('\n', from), text.size());
      if (end > from) p.set(scratch.get(), text.substr(from, end - from), name);
      from = end + 1;
    }
  }
}

}  // namespace cuimg
