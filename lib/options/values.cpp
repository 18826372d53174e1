// SPDX-License-Identifier: Apache-2.0
// Reading and printing values. The whole text must be the value: `1.5x` is an error, not 1.5.
#include "options/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "base/error.h"
#include "base/split_text.h"
#include "base/utf8.h"
#include "options/parameter.h"

namespace cuimg {
namespace {

// Independent of the locale, unlike strtod. No option takes a non-finite number.
template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if constexpr (std::is_floating_point_v<T>) return std::isfinite(value);
  return true;
}

// A number that int cannot hold becomes int's limit, so that the caller's limits name the error.
bool read_limited(std::string_view text, int& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  using Limits = std::numeric_limits<int>;
  if (error == std::errc::result_out_of_range)
    value = text.starts_with('-') ? Limits::min() : Limits::max();
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

// A whole number as a float is written, 6.0 or 1e3: reports print figures that are counts so.
template <class T>
bool read_whole_number(std::string_view text, T& value) {
  constexpr double exact = 9007199254740992;  // every whole number up to it is a double
  double number = 0;
  if (!read_number(text, number) || std::trunc(number) != number) return false;
  if (!(std::abs(number) <= exact && number >= static_cast<double>(std::numeric_limits<T>::min()) &&
        number <= static_cast<double>(std::numeric_limits<T>::max())))
    return false;
  value = static_cast<T>(number);
  return true;
}

// Whether it is a number of T's kind, though none that T holds.
template <class T>
bool is_beyond(std::string_view text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ptr != text.data() + text.size()) return false;
  if (result.ec == std::errc::result_out_of_range) return true;
  return result.ec == std::errc() && std::isfinite(value) &&
         (std::is_floating_point_v<T> || std::trunc(value) == value);
}

// The range to name in an error for a number that T cannot hold.
template <class T>
std::string use_instead_of(std::string_view text, const Range& allowed) {
  constexpr T lowest = std::numeric_limits<T>::lowest(), highest = std::numeric_limits<T>::max();
  const bool negative = text.starts_with('-');
  const bool has_end = negative ? allowed.lowest > static_cast<double>(lowest)
                                : allowed.highest < static_cast<double>(highest);
  if (has_end) return "use " + allowed.text();
  const std::string end = negative ? "use at least " : "use at most ";
  if constexpr (std::is_integral_v<T>) return end + fmt::format("{}", negative ? lowest : highest);
  return end + (negative ? "-" : "") + (std::is_same_v<T, float> ? "3.4e38" : "1.7e308");
}

std::string use(const Range& allowed, std::string_view what) {
  const std::string text = allowed.text();
  return text.empty() ? "use " + std::string(what) : "use " + text;
}

// "+5" is 5, as people write angles and stops.
std::string without_plus(const std::string& text) {
  const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return has_plus ? text.substr(1) : text;
}

template <class T>
void parse_number(const std::string& given, const Range& allowed, std::string_view what, T& value) {
  const std::string text = without_plus(given);
  T read{};
  bool is_read = read_number(text, read);
  if constexpr (std::is_integral_v<T>) is_read = is_read || read_whole_number(text, read);
  if (!is_read) {
    double wide = 0;
    if (std::is_same_v<T, float> && read_number(text, wide) && std::abs(wide) < 1)
      throw BadValue{"is too near 0 for a float", "use 0"};
    if (!text.empty() && is_beyond<T>(text))
      throw BadValue{"is out of range", use_instead_of<T>(text, allowed)};
    throw BadValue{"is not " + std::string(what), use(allowed, what)};
  }
  // A float's own bounds: 0.1 as double is below 0.1f.
  const bool inside = std::is_same_v<T, float>
                          ? static_cast<float>(read) >= static_cast<float>(allowed.lowest) &&
                                static_cast<float>(read) <= static_cast<float>(allowed.highest)
                          : static_cast<double>(read) >= allowed.lowest &&
                                static_cast<double>(read) <= allowed.highest;
  if (!inside) throw BadValue{"is out of range", use(allowed, what)};
  value = read;
}

std::vector<std::string> split(const std::string& text, std::string_view separators) {
  const std::vector<std::string_view> parts = split_at(text, separators);
  return std::vector<std::string>(parts.begin(), parts.end());
}

void check_side(int pixels, int least, std::string_view which) {
  if (pixels < least) throw BadValue{"", std::string(which) + " must be at least 1"};
  if (pixels > largest_side)
    throw BadValue{"", fmt::format("{} must be at most {}", which, largest_side)};
}

Size::Side parse_side(const std::string& text, std::string_view which) {
  Size::Side side;
  side.percent = text.ends_with('%');
  const std::string number = side.percent ? text.substr(0, text.size() - 1) : text;
  int whole = 0;
  if (side.percent ? !read_number(number, side.amount) : !read_limited(number, whole))
    throw BadValue{"is not a size", "use WxH, Wx0, 0xH, P% or P%xQ%, such as 640x480"};
  if (!side.percent) side.amount = whole;
  if (side.percent && !(side.amount > 0 && side.amount <= 1e7))
    throw BadValue{"", std::string(which) + " must be above 0% and at most 10000000%"};
  if (!side.percent) check_side(whole, 0, which);
  return side;
}

std::string format_side(const Size::Side& side) {
  return fmt::format("{}{}", side.amount, side.percent ? "%" : "");
}

// A side's pixels by its own amount, whatever the other side is.
double scaled(const Size::Side& side, int input) {
  return side.percent ? std::floor(static_cast<double>(input) * side.amount / 100.0 + 0.5)
                      : side.amount;
}

template <class T>
std::string format_list(const std::vector<T>& values) {
  std::vector<std::string> texts;
  for (const T& value : values) texts.push_back(format_value(value));
  return fmt::format("{}", fmt::join(texts, " "));
}

void check_sides(double w, double h) {
  if (w > largest_side || h > largest_side)
    throw Error("size", fmt::format("{:.0f}x{:.0f} is too large", w, h),
                fmt::format("width and height may be at most {}", largest_side));
}

// The side that keeps the aspect: round half up of input * other / input_other, exactly.
double following(int input, double other, int input_other) {
  const auto product = static_cast<std::int64_t>(input) * static_cast<std::int64_t>(other);
  return static_cast<double>((2 * product + input_other) / (2 * std::int64_t{input_other}));
}

template <class T>
void parse_list(const std::string& text, const Range& range, std::vector<T>& value) {
  value.clear();
  for (const std::string& part : split(text, ",")) {
    try {
      parse_value(part, range, value.emplace_back());
    } catch (const BadValue& bad) {
      throw BadValue{"holds '" + part + "', which " + bad.problem, bad.advice};
    }
  }
}

// Values that hold commas themselves.
template <class T>
void parse_spaced(const std::string& text, const Range& range, std::vector<T>& value) {
  value.clear();
  for (const std::string& part : split(text, " ;"))
    if (!part.empty()) parse_value(part, range, value.emplace_back());
}

}  // namespace

void throw_no_choice(std::string_view name) {
  throw Error(std::string(name), "no value has this name");
}

Rect Size::of(int input_width, int input_height) const {
  if (input_width < 1 || input_height < 1) throw Error("size", "the image is empty");
  double w = scaled(width, input_width), h = scaled(height, input_height);
  const bool follow_height = width.amount == 0, follow_width = height.amount == 0;
  if (follow_height && follow_width) throw Error("size 0x0", "width must be at least 1");
  w = std::max(w, follow_height ? 0.0 : 1.0);
  h = std::max(h, follow_width ? 0.0 : 1.0);
  check_sides(w, h);
  if (follow_height) w = std::max(1.0, following(input_width, h, input_height));
  if (follow_width) h = std::max(1.0, following(input_height, w, input_width));
  check_sides(w, h);
  return {0, 0, static_cast<int>(w), static_cast<int>(h)};
}

std::span<const Choice<Border>> choices_of(Border) {
  static constexpr Choice<Border> table[] = {
      {Border::clamp, "clamp", "the edge pixel is repeated", "edge"},
      {Border::wrap, "wrap", "the image is repeated", "periodic"},
      {Border::mirror, "mirror", "the image is repeated, mirrored"},
      {Border::border, "border", "black, transparent where there is alpha", "black"}};
  return table;
}

std::span<const Choice<PixelType>> choices_of(PixelType) {
  static constexpr Choice<PixelType> table[] = {
      {PixelType::u8, "u8", "8 bits", "uint8"},
      {PixelType::u16, "u16", "16 bits", "uint16"},
      {PixelType::half, "half", "16-bit float", "float16"},
      {PixelType::f32, "float", "32-bit float", "float32"}};
  return table;
}

std::string Range::text() const {
  const bool below = lowest != Range{}.lowest, above = highest != Range{}.highest;
  const auto print = [&](double bound) {
    return single ? fmt::format("{}", static_cast<float>(bound)) : fmt::format("{}", bound);
  };
  if (below && above) return print(lowest) + " to " + print(highest);
  if (below) return "at least " + print(lowest);
  if (above) return "at most " + print(highest);
  return "";
}

void parse_value(const std::string& text, const Range& range, int& value) {
  parse_number(text, range, "a whole number", value);
}
void parse_value(const std::string& text, const Range& range, std::uint64_t& value) {
  parse_number(text, range, "a whole number", value);
}
void parse_value(const std::string& text, const Range& range, float& value) {
  parse_number(text, range, "a number", value);
}
void parse_value(const std::string& text, const Range& range, double& value) {
  parse_number(text, range, "a number", value);
}

void parse_value(const std::string& text, const Range&, bool& value) {
  if (text == "true" || text == "1") {
    value = true;
  } else if (text == "false" || text == "0") {
    value = false;
  } else {
    throw BadValue{"is neither true nor false", "give the option without a value"};
  }
}

// An empty text, as a shell's unset variable leaves it, is a mistake and not "not given".
void parse_value(const std::string& text, const Range&, std::string& value) {
  if (text.empty()) throw BadValue{"is empty", "give it a value or leave it out"};
  value = text;
}

void parse_value(const std::string& text, const Range&, Size& value) {
  const std::vector<std::string> parts = split(text, "xX");
  const bool both = parts.size() == 1 && text.ends_with('%');
  if (parts.size() != 2 && !both)
    throw BadValue{"is not a size", "use WxH, Wx0, 0xH, P% or P%xQ%, such as 640x480"};
  value.width = parse_side(parts.front(), "width");
  value.height = parse_side(parts.back(), "height");
  if (value.width.amount == 0 && value.height.amount == 0)
    throw BadValue{"", "width must be at least 1"};
}

void parse_value(const std::string& text, const Range&, Region& value) {
  const BadValue bad{"is not a region", "use WxH+X+Y, such as 640x480+10-5"};
  const std::size_t x = text.find_first_of("xX");
  const std::size_t left = text.find_first_of("+-", x == std::string::npos ? 0 : x + 1);
  // Some programs write a negative offset as +-5.
  const std::size_t digits =
      left == std::string::npos ? left : text.find_first_not_of('+', left) + 1;
  const std::size_t top = left == std::string::npos ? left : text.find_first_of("+-", digits);
  if (x == std::string::npos || top == std::string::npos) throw bad;
  const auto offset = [&](std::size_t begin, std::size_t end) {
    const std::string part = text.substr(begin, end - begin);
    int number = 0;
    if (!read_limited(part.starts_with('+') ? part.substr(1) : part, number)) throw bad;
    if (number < -(1 << 30) || number > (1 << 30))
      throw BadValue{"", "offsets must be -1073741824 to 1073741824"};
    return number;
  };
  Region region;
  region.x = offset(left, top);
  region.y = offset(top, text.size());
  if (!read_limited(text.substr(0, x), region.width) ||
      !read_limited(text.substr(x + 1, left - x - 1), region.height))
    throw bad;
  check_side(region.width, 1, "width");
  check_side(region.height, 1, "height");
  value = region;
}

void parse_value(const std::string& text, const Range& range, std::vector<float>& value) {
  parse_list(text, range, value);
}
void parse_value(const std::string& text, const Range& range, std::vector<double>& value) {
  parse_list(text, range, value);
}

void parse_value(const std::string& text, const Range& range, Point& value) {
  std::vector<float> numbers;
  parse_value(text, range, numbers);
  if (numbers.size() != 2) throw BadValue{"is not a point", "use X,Y"};
  value = {numbers[0], numbers[1]};
}

void parse_value(const std::string& text, const Range& range, Radius& value) {
  const std::vector<std::string> parts = split(text, ",");
  if (parts.size() > 2) throw BadValue{"holds more than two numbers", "use N or X,Y"};
  parse_value(parts.front(), range, value.x);
  parse_value(parts.back(), range, value.y);
}

void parse_value(const std::string& text, const Range& range, std::vector<Point>& value) {
  parse_spaced(text, range, value);
  if (value.empty()) throw BadValue{"holds no point", "use 'X,Y X,Y ...'"};
}

void parse_value(const std::string& text, const Range& range, Paint& value) {
  // The web's colours, "white" and "#ff8000", are encoded, not linear: say what is expected.
  if (!text.empty() && (text[0] == '#' || is_letter(text[0])))
    throw BadValue{"is not a colour", "use R,G,B in linear light, such as 1,0.5,0"};
  std::vector<float> n;
  parse_value(text, range, n);
  if (n.size() > 4) throw BadValue{"is not a colour", "use R,G,B,A, R,G,B, V,A or V"};
  value.count = static_cast<int>(n.size());
  std::ranges::copy(n, value.values.begin());
}

void parse_value(const std::string& text, const Range& range, Color& value) {
  Paint paint;
  parse_value(text, range, paint);
  const auto& v = paint.values;
  const std::size_t count = static_cast<std::size_t>(paint.count), color = count < 3 ? 0 : 1;
  value = {{v[0], v[color], v[2 * color], count % 2 == 0 ? v[count - 1] : 1}};
}

void parse_value(const std::string& text, const Range& range, std::vector<Paint>& value) {
  parse_spaced(text, range, value);
  if (value.empty()) throw BadValue{"holds no colour", "use 'R,G,B R,G,B ...'"};
}

void parse_value(const std::string& text, const Range&, std::vector<std::string>& value) {
  value = split(text, ",");
}

void parse_value(const std::string& text, const Range&, FileNames& value) {
  if (text.empty()) throw BadValue{"names no file", "name an image"};
  value.names = {text};
}

std::string format_value(const int& value) { return fmt::format("{}", value); }
std::string format_value(const std::uint64_t& value) { return fmt::format("{}", value); }
std::string format_value(const float& value) { return fmt::format("{}", value); }
std::string format_value(const double& value) { return fmt::format("{}", value); }
std::string format_value(const bool& value) { return value ? "true" : "false"; }
std::string format_value(const std::string& value) { return value; }
std::string format_value(const Size& value) {
  if (value.width == value.height && value.width.percent) return format_side(value.width);
  return format_side(value.width) + "x" + format_side(value.height);
}
std::string format_value(const Region& value) { return window_text(value); }
std::string format_value(const Point& value) { return fmt::format("{},{}", value.x, value.y); }
std::string format_value(const Color& value) {
  return fmt::format("{}", fmt::join(value.rgba, ","));
}
std::string format_value(const Radius& value) {
  return value.x == value.y ? fmt::format("{}", value.x) : fmt::format("{},{}", value.x, value.y);
}
std::string format_value(const std::vector<float>& value) {
  return fmt::format("{}", fmt::join(value, ","));
}
std::string format_value(const std::vector<double>& value) {
  return fmt::format("{}", fmt::join(value, ","));
}
std::string format_value(const Paint& value) {
  return fmt::format("{}",
                     fmt::join(value.values.begin(), value.values.begin() + value.count, ","));
}
std::string format_value(const std::vector<Point>& value) { return format_list(value); }
std::string format_value(const std::vector<Paint>& value) { return format_list(value); }
std::string format_value(const std::vector<std::string>& value) {
  return fmt::format("{}", fmt::join(value, ","));
}
std::string format_value(const FileNames& value) {
  return fmt::format("{}", fmt::join(value.names, "\n"));
}

}  // namespace cuimg
