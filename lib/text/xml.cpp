// SPDX-License-Identifier: Apache-2.0
// Reads XML 1.0 (W3C Recommendation, fifth edition) without document types: they are refused, so
// the only entities are the five that need no declaration, and characters by number.
#include "text/xml.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/utf8.h"

namespace cuimg {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr int most_nested = 64;
constexpr std::size_t most_attributes = 64;

bool is_name_part(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == ':' || c == '-' || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string utf8_of(std::uint32_t code) {
  const auto byte = [](std::uint32_t v) { return static_cast<char>(v); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xc0 | (code >> 6)), byte(0x80 | (code & 0x3f))};
  if (code < 0x10000)
    return {byte(0xe0 | (code >> 12)), byte(0x80 | ((code >> 6) & 0x3f)),
            byte(0x80 | (code & 0x3f))};
  return {byte(0xf0 | (code >> 18)), byte(0x80 | ((code >> 12) & 0x3f)),
          byte(0x80 | ((code >> 6) & 0x3f)), byte(0x80 | (code & 0x3f))};
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& place)
      : whole_(text), rest_(without_byte_order_mark(text)), place_(place) {}

  XmlElement read() {
    skip_between_elements();
    if (rest_.empty() || !rest_.starts_with('<')) fail("it is not XML");
    XmlElement root = element(1);
    skip_between_elements();
    if (!rest_.empty()) fail("there is more after </" + root.name + ">");
    return root;
  }

 private:
  // Counts on from the position of the last call.
  int line() const {
    const std::size_t here = whole_.size() - rest_.size();
    lines_ += static_cast<int>(std::ranges::count(whole_.substr(seen_, here - seen_), '\n'));
    seen_ = here;
    return lines_;
  }
  [[noreturn]] void fail(const std::string& problem,
                         const char* advice = "give well-formed XML") const {
    throw Error(place_ + ": line " + std::to_string(line()), problem, advice);
  }

  bool skip(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
  }
  // The text before `token`, which is also skipped.
  std::string_view up_to(std::string_view token, const char* what) {
    const std::size_t end = rest_.find(token);
    if (end == std::string_view::npos) fail(std::string(what) + " has no end");
    const std::string_view before = rest_.substr(0, end);
    rest_.remove_prefix(end + token.size());
    return before;
  }
  bool skip_comment() {
    if (rest_.starts_with("<!DOCTYPE"))
      fail("it has a document type, which is not read", "leave it out");
    if (skip("<!--")) return up_to("-->", "a comment"), true;
    if (skip("<?")) return up_to("?>", "a processing instruction"), true;
    return false;
  }
  void skip_between_elements() {
    do skip_blanks();
    while (skip_comment());
  }

  std::string name() {
    std::size_t length = 0;
    while (length < rest_.size() && is_name_part(rest_[length])) ++length;
    if (length == 0) fail("a name is missing");
    const std::string_view whole = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return std::string(whole);
  }
  static std::string without_prefix(const std::string& name) {
    return name.substr(name.find(':') + 1);
  }

  // Text with its entities replaced.
  std::string plain(std::string_view text) const {
    std::string made;
    while (!text.empty()) {
      const std::size_t length = std::min(text.find('&'), text.size());
      made += text.substr(0, length);
      text.remove_prefix(length);
      if (text.empty()) break;
      const std::size_t end = text.find(';');
      if (end == std::string_view::npos || end > 12) fail("an & does not begin an entity");
      made += entity(text.substr(1, end - 1));
      text.remove_prefix(end + 1);
    }
    return made;
  }
  std::string entity(std::string_view word) const {
    constexpr std::pair<std::string_view, const char*> known[] = {
        {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"apos", "'"}};
    for (const auto& [of, text] : known)
      if (word == of) return text;
    const bool is_hexadecimal = word.starts_with("#x");
    std::uint32_t code = 0;
    if (word.starts_with('#')) {
      const std::string_view digits = word.substr(is_hexadecimal ? 2 : 1);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code,
                                                is_hexadecimal ? 16 : 10);
      const bool is_character = code > 0 && code < 0x110000 && !(code >= 0xd800 && code < 0xe000);
      if (error == std::errc() && end == digits.data() + digits.size() && is_character)
        return utf8_of(code);
    }
    fail("'&" + std::string(word) + ";' is not known");
  }

  void attribute(XmlElement& of) {
    const std::string whole = name();
    skip_blanks();
    if (!skip("=")) fail("the attribute " + whole + " has no value");
    skip_blanks();
    const std::string quote(rest_.substr(0, 1));
    if (quote != "\"" && quote != "'") fail("the value of " + whole + " is not in quotes");
    rest_.remove_prefix(1);
    const std::string_view value = up_to(quote, "an attribute");
    if (value.find('<') != std::string_view::npos) fail("the value of " + whole + " holds a <");
    for (const auto& [other, old] : of.attributes)
      if (other == whole) fail("the attribute " + whole + " is given twice");
    if (of.attributes.size() == most_attributes) fail("an element has more than 64 attributes");
    of.attributes.emplace_back(whole, plain(value));
  }

  XmlElement element(int depth) {
    if (depth > most_nested) fail("elements are nested more than 64 deep");
    XmlElement made;
    made.line = line();
    skip("<");
    const std::string whole = name();
    made.name = without_prefix(whole);
    while (true) {
      const std::size_t before = rest_.size();
      skip_blanks();
      if (skip("/>")) return made;
      if (skip(">")) break;
      if (rest_.size() == before) fail("<" + whole + " has no end");
      attribute(made);
    }
    while (!skip("</")) {
      if (rest_.empty()) fail("<" + whole + "> has no end");
      if (skip("<![CDATA["))
        made.text += up_to("]]>", "CDATA");
      else if (skip_comment())
        continue;
      else if (rest_.starts_with('<'))
        made.children.push_back(element(depth + 1));
      else
        made.text += characters();
    }
    const std::string closed = name();
    skip_blanks();
    if (closed != whole || !skip(">")) fail("</" + closed + "> ends <" + whole + ">");
    return made;
  }

  std::string characters() {
    const std::size_t length = std::min(rest_.find('<'), rest_.size());
    const std::string made = plain(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return made;
  }

  const std::string_view whole_;
  std::string_view rest_;
  const std::string place_;
  mutable std::size_t seen_ = 0;
  mutable int lines_ = 1;
};

}  // namespace

std::optional<std::string_view> XmlElement::attribute(std::string_view wanted) const {
  for (const auto& [key, value] : attributes)
    if (key == wanted) return value;
  return std::nullopt;
}

XmlElement read_xml(std::string_view text, const std::string& place) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    if (length == 0 || (byte < 0x20 && blanks.find(text[i]) == std::string_view::npos))
      throw Error(place, "it is not UTF-8 text", "give an XML file");
    i += length;
  }
  return Reader(text, place).read();
}

}  // namespace cuimg
