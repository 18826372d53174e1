// SPDX-License-Identifier: Apache-2.0
// A chain in a file: the words of a recipe, quoted as in a shell.
#include "base/error.h"
#include "base/utf8.h"
#include "pipeline/grammar.h"

namespace cuimg {

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

}  // namespace cuimg
