// SPDX-License-Identifier: Apache-2.0
// Reads the lines of a table and keeps their numbers for errors.
#include "stages/color/lut/lut_lines.h"

#include <algorithm>
#include <cerrno>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/message_text.h"
#include "base/number_text.h"
#include "base/utf8.h"

namespace cuimg {
namespace {

// Detects a line of a picture, an archive or a program, by the bytes before any comment.
bool is_binary(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r';
  };
  return std::ranges::any_of(line, is_control) ||
         (!line.empty() && static_cast<unsigned char>(line.front()) >= 0x80);
}

}  // namespace

LutLines::LutLines(const std::string& path, std::string place, std::string kind,
                   std::size_t longest)
    : file_(path), place_(std::move(place)), kind_(std::move(kind)), line_(longest + 2) {
  if (file_) return;
  if (errno == ENOENT) throw Error(place_, "no such file");
  fail_with_errno(place_, "cannot read", errno);
}

bool LutLines::next(std::vector<std::string_view>& words) {
  while (file_.getline(line_.data(), static_cast<std::streamsize>(line_.size())) ||
         file_.gcount() > 0) {
    ++line_number_;
    const bool has_end = !file_.eof() && !file_.fail();  // the newline is counted, and stored as 0
    std::string_view rest(line_.data(),
                          static_cast<std::size_t>(file_.gcount()) - (has_end ? 1 : 0));
    if (line_number_ == 1) rest = without_byte_order_mark(rest);
    if (is_binary(rest))
      fail_file("it is no text, as " + kind_ + " files are", "give a " + kind_ + " file");
    if (file_.fail()) fail("it is longer than " + std::to_string(line_.size() - 2) + " bytes");
    words.clear();
    while (true) {
      const std::size_t begin = rest.find_first_not_of(" \t\r");
      if (begin == std::string_view::npos || rest[begin] == '#') break;
      rest.remove_prefix(begin);
      words.push_back(rest.substr(0, rest.find_first_of(" \t\r")));
      rest.remove_prefix(words.back().size());
    }
    if (!words.empty()) return true;
  }
  if (file_.bad()) fail_file("it cannot be read to its end");
  return false;
}

std::vector<std::string_view> LutLines::line(const std::string& wanted) {
  std::vector<std::string_view> words;
  if (!next(words)) fail_file("it ends before " + wanted);
  return words;
}

std::array<float, 3> LutLines::entry(const std::vector<std::string_view>& words,
                                     std::size_t first) const {
  if (words.size() != first + 3)
    fail("an entry of " + counted(std::ssize(words), "number"),
         first == 0 ? "give red, green and blue"
                    : "give " + std::to_string(first) + " places, red, green and blue");
  return {number<float>(words[first]), number<float>(words[first + 1]),
          number<float>(words[first + 2])};
}

int LutLines::size(std::string_view word, int most) const {
  const int size = number_of<int>(word).value_or(0);
  if (size < 2 || size > most)
    fail("'" + std::string(word) + "' is not a size", "use 2 to " + std::to_string(most));
  return size;
}

void LutLines::fail(const std::string& problem, const std::string& advice) const {
  throw Error(place_ + ": line " + std::to_string(line_number_), problem, advice);
}
void LutLines::fail_file(const std::string& problem, const std::string& advice) const {
  throw Error(place_, problem, advice);
}

std::string in_upper_case(std::string_view word) {
  std::string result(word);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

bool is_keyword(std::string_view word) {
  return is_letter(word.front()) && !number_of<double>(word);
}

}  // namespace cuimg
