// SPDX-License-Identifier: Apache-2.0
// Chains in files: `@file` at the beginning of a segment is replaced by the words of that recipe.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace cuimg {

/// The words of a recipe: separated by blanks and line breaks, with '...' and "..." quotes,
/// backslashes as in a shell, and comments from # to the line's end.
/// @param name its name in errors. @throws Error for an unclosed quote.
std::vector<std::string> recipe_words(std::string_view text, const std::string& name);

/// A command line whose recipes are replaced by their words.
struct ExpandedWords {
  std::vector<std::string> words;
  std::vector<std::string> origins;  ///< For each word the recipe's file; empty: the command line.
  std::vector<std::string> recipes;  ///< The files in the order in which they were read.
};
/// Replaces `@file` words that begin a segment. @throws Error with the file's name.
ExpandedWords expand_recipes(std::span<const std::string> words);

/// An error in the words of a recipe begins with its file.
template <class Parse>
auto naming_recipe(const std::string& recipe, const Parse& parse) {
  try {
    return parse();
  } catch (const Error& error) {
    if (recipe.empty()) throw;
    throw Error(recipe, error.what());
  }
}

}  // namespace cuimg
