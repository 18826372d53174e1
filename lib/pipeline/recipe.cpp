// SPDX-License-Identifier: Apache-2.0
// Reads recipes: words are quoted as in a shell, and a recipe may name other recipes.
#include "pipeline/recipe.h"

#include <filesystem>
#include <memory>

#include "base/bytes.h"
#include "base/contains.h"
#include "base/utf8.h"
#include "io/byte_source.h"

namespace cuimg {
namespace {

// A recipe may name another one; a cycle of them must end.
constexpr int deepest_recipe = 8;

std::shared_ptr<const ByteSource> open_recipe(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Error(path, "is a directory, not a recipe");
  return ByteSource::open(path);
}

// Adds `words` to the result, and the words of recipes among them.
// @param origin the recipe's file that contains these words; empty: the command line.
void add_expanded(std::span<const std::string> words, const std::string& origin, int depth,
                  ExpandedWords& result) {
  bool begins_segment = true;
  for (const std::string& word : words) {
    if (!begins_segment || word.size() < 2 || word.front() != '@') {
      begins_segment = word == "+";
      result.words.push_back(word);
      result.origins.push_back(origin);
      continue;
    }
    begins_segment = false;
    const std::string path = word.substr(1);
    if (depth == deepest_recipe) throw Error(path, "recipes are nested too deeply");
    const std::shared_ptr<const ByteSource> source =
        naming_recipe(origin, [&] { return open_recipe(path); });
    result.recipes.push_back(path);
    // no more is read from a pipe, which may never end
    constexpr std::size_t largest_recipe = 65535;
    if (source->bytes().size() > largest_recipe)
      throw Error(path, "the file is too large for a recipe", "64 KiB is the most");
    const std::vector<std::string> recipe = recipe_words(text_of_bytes(source->bytes()), path);
    if (recipe.empty()) throw Error(path, "the recipe holds no stage");
    if (recipe.front() == "+" || recipe.back() == "+")
      throw Error(path, "the recipe begins or ends with +", "write + only between stages");
    if (contains(recipe, "--"))
      throw Error(path, "a recipe holds stages and their options", "leave out --");
    add_expanded(recipe, path, depth + 1, result);
  }
}

}  // namespace

std::vector<std::string> recipe_words(std::string_view text, const std::string& name) {
  text = without_byte_order_mark(text);
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (c == '\0') throw Error(name, "it is not a text file");
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else if (c == '\\' && quote == '"' && i + 1 < text.size() &&
                 (text[i + 1] == '"' || text[i + 1] == '\\')) {
        word += text[++i];
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == '\\' && i + 1 < text.size()) {
      // Before a line break it continues the line, as in a command copied from a shell.
      if (text[++i] == '\n') continue;
      word += text[i];
      in_word = true;
    } else if (c == '#' && !in_word) {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (blank) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0) throw Error(name, std::string("a quote ") + quote + " is left open");
  if (in_word) words.push_back(std::move(word));
  return words;
}

ExpandedWords expand_recipes(std::span<const std::string> words) {
  ExpandedWords result;
  add_expanded(words, "", 0, result);
  return result;
}

}  // namespace cuimg
