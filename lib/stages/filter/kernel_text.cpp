// SPDX-License-Identifier: Apache-2.0
#include "stages/filter/kernel_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/error.h"
#include "base/message_text.h"
#include "base/number_text.h"
#include "stages/resample/unit_weights.h"

namespace cuimg {
namespace {

constexpr const char* advice = "use WxH:v,v,..., v,v;v,v or a file of rows of numbers";

// Whether the text has only numbers and separators. A file with such a name can be given as ./NAME.
bool is_list(const std::string& text) {
  return text.find_first_not_of("0123456789+-.eExX,;: \t") == std::string::npos;
}

// A list may have up to 65025 numbers, too many to repeat in an error.
std::string beginning_of(const std::string& list) {
  constexpr std::size_t most = 40;
  if (list.size() <= most) return list;
  const std::size_t end = list.find_last_of(",; \t", most);
  return list.substr(0, end == std::string::npos ? most : end + 1) + "...";
}

class Rows {
 public:
  explicit Rows(std::string place) : place_(std::move(place)) {}

  void add(std::string_view line) {
    std::vector<float> row;
    bool after_comma = false;  // a number must follow
    bool has_comma = false, has_gap = false;
    while (true) {
      const std::size_t begin = line.find_first_not_of(" \t\r");
      line.remove_prefix(std::min(begin, line.size()));
      if (line.empty()) break;
      const std::string_view word = line.substr(0, line.find_first_of(", \t\r"));
      if (word.empty() && (after_comma || row.empty())) no_number_at_comma();
      if (!word.empty()) {
        has_gap = has_gap || (!row.empty() && !after_comma);
        row.push_back(number(word));
      }
      after_comma = word.empty();
      has_comma = has_comma || after_comma;
      line.remove_prefix(std::max<std::size_t>(word.size(), 1));
    }
    if (after_comma) no_number_at_comma();
    // '1,2,1 0,0,0' was probably meant as two rows.
    if (has_comma && has_gap)
      throw Error(place_, "a row has commas, and a space alone between two of its numbers",
                  "put ; between rows, and commas between all numbers of a row or none");
    if (row.empty()) return;
    const auto width = static_cast<int>(std::min<std::size_t>(row.size(), 1u << 20));
    if (result_.height == 0) result_.width = width;
    if (width != result_.width)
      throw Error(place_,
                  "row " + std::to_string(result_.height + 1) + " has " + std::to_string(width) +
                      " numbers, the first " + std::to_string(result_.width),
                  "give every row as many");
    ++result_.height;
    result_.values.insert(result_.values.end(), row.begin(), row.end());
  }

  // Splits one row of numbers into rows of that width.
  void fold(int width, int height) {
    if (std::int64_t{width} * height != std::int64_t{result_.width} * result_.height ||
        result_.height > 1)
      throw Error(place_,
                  counted(std::ssize(result_.values), "number") +
                      (result_.values.size() == 1 ? " does" : " do") + " not fill " +
                      size_text(width, height),
                  advice);
    result_.width = width;
    result_.height = height;
  }

  KernelWeights finish() const {
    if (result_.values.empty()) throw Error(place_, "it holds no numbers", advice);
    if (result_.width > largest_kernel_side || result_.height > largest_kernel_side)
      throw Error(place_, "it has " + size_text(result_.width, result_.height) + " weights",
                  "use at most 255x255");
    return result_;
  }

 private:
  [[noreturn]] void no_number_at_comma() const {
    throw Error(place_, "a number is missing next to a comma", advice);
  }

  float number(std::string_view word) const {
    const auto value = number_of<float>(word.substr(word.starts_with('+') ? 1 : 0));
    if (!value || !std::isfinite(*value))
      throw Error(place_, "'" + std::string(word) + "' is not a number", advice);
    return *value;
  }

  std::string place_;
  KernelWeights result_;
};

KernelWeights read_list(const std::string& text, const std::string& place) {
  Rows rows(place);
  const std::size_t colon = text.find(':');
  std::istringstream lines(colon == std::string::npos ? text : text.substr(colon + 1));
  for (std::string line; std::getline(lines, line, ';');) rows.add(line);
  if (colon == std::string::npos) return rows.finish();
  int width = 0, height = 0;
  const char *begin = text.data(), *middle = begin + std::min(text.find_first_of("xX"), colon);
  const auto w = std::from_chars(begin, middle, width);
  const auto h = middle < begin + colon ? std::from_chars(middle + 1, begin + colon, height) : w;
  if (w.ptr != middle || h.ptr != begin + colon || width < 1 || height < 1)
    throw Error(place, "'" + text.substr(0, colon) + "' is not a size", advice);
  rows.fold(width, height);
  return rows.finish();
}

// @param list_place the same, for a list.
KernelWeights read_file(const std::string& path, const std::string& place,
                        const std::string& list_place) {
  std::ifstream file(path);
  // Not a file, but separated like a list: the error names the part that is not a number.
  if (!file && path.find('/') == std::string::npos && path.find_first_of(",;") != std::string::npos)
    return read_list(path, list_place);
  if (!file) throw Error(place, "there is no such file", advice);
  Rows rows(place);
  for (std::string line; std::getline(file, line);) rows.add(line.substr(0, line.find('#')));
  if (file.bad()) throw Error(place, "it cannot be read", advice);
  return rows.finish();
}

bool is_product(const KernelWeights& kernel, const std::vector<float>& column,
                const std::vector<float>& row) {
  for (int y = 0; y < kernel.height; ++y)
    for (int x = 0; x < kernel.width; ++x)
      // Exact: a product of two floats fits a double.
      if (static_cast<double>(column[static_cast<std::size_t>(y)]) *
              static_cast<double>(row[static_cast<std::size_t>(x)]) !=
          static_cast<double>(kernel.at(x, y)))
        return false;
  return true;
}

struct Factors {
  std::vector<float> column, row;  ///< Empty if the kernel is not separable.
};

Factors factors_of(const KernelWeights& kernel) {
  const auto first = std::ranges::find_if(kernel.values, [](float value) { return value != 0.0f; });
  if (first == kernel.values.end()) return {};
  const auto at = static_cast<int>(first - kernel.values.begin());
  const int x = at % kernel.width, y = at / kernel.width;
  Factors whole;
  for (int i = 0; i < kernel.height; ++i) whole.column.push_back(kernel.at(x, i));
  for (int i = 0; i < kernel.width; ++i) whole.row.push_back(kernel.at(i, y));
  const auto divided = [&](std::vector<float> values) {
    for (float& value : values) value /= *first;
    return values;
  };
  const Factors of_rows{divided(whole.column), whole.row},
      of_columns{whole.column, divided(whole.row)};
  if (is_product(kernel, of_rows.column, of_rows.row)) return of_rows;
  if (is_product(kernel, of_columns.column, of_columns.row)) return of_columns;
  return {};
}

std::vector<float> normalized(const std::vector<float>& weights) {
  return unit_weights(std::vector<double>(weights.begin(), weights.end()));
}

// The weights without the zeros at the ends; none if there are zeros inside.
std::optional<AxisKernel> axis_kernel(const std::vector<float>& weights) {
  const auto is_weight = [](float weight) { return weight != 0.0f; };
  const auto begin = std::ranges::find_if(weights, is_weight);
  const auto end = std::find_if(weights.rbegin(), weights.rend(), is_weight).base();
  if (begin >= end || !std::all_of(begin, end, is_weight)) return std::nullopt;
  return AxisKernel{
      static_cast<int>(begin - weights.begin()) - static_cast<int>(weights.size() / 2),
      {begin, end}};
}

std::optional<Convolution> two_passes(const KernelWeights& kernel, bool normalize) {
  const Factors factors = factors_of(kernel);
  if (factors.column.empty()) return std::nullopt;
  const auto vertical = axis_kernel(normalize ? normalized(factors.column) : factors.column);
  const auto horizontal = axis_kernel(normalize ? normalized(factors.row) : factors.row);
  if (!vertical || !horizontal) return std::nullopt;
  return Convolution::separable(*horizontal, *vertical);
}

}  // namespace

bool KernelWeights::adds_up_to_zero() const {
  double sum = 0, size = 0;
  for (const float value : values) {
    sum += static_cast<double>(value);
    size += std::abs(static_cast<double>(value));
  }
  return std::abs(sum) <= 1e-6 * size;
}

KernelWeights read_kernel(const std::string& text, const std::string& place) {
  const std::string option = place + ": --kernel ", list_place = option + beginning_of(text);
  return is_list(text) ? read_list(text, list_place) : read_file(text, option + text, list_place);
}

Convolution convolution_of(const KernelWeights& kernel, bool normalize) {
  if (auto passes = two_passes(kernel, normalize)) return *passes;
  Convolution result;
  const std::vector<float> weights = normalize ? normalized(kernel.values) : kernel.values;
  const int left = -(kernel.width / 2), top = -(kernel.height / 2);
  for (int y = 0; y < kernel.height; ++y)
    for (int x = 0; x < kernel.width; ++x) {
      const float weight = weights[static_cast<std::size_t>(y * kernel.width + x)];
      if (weight == 0.0f) continue;
      const bool goes_on = !result.rows.empty() && result.rows.back().y == top + y &&
                           result.rows.back().low + result.rows.back().taps == left + x;
      if (!goes_on)
        result.rows.push_back({top + y, left + x, 0, static_cast<int>(result.weights.size())});
      ++result.rows.back().taps;
      result.weights.push_back(weight);
    }
  return result;
}

}  // namespace cuimg
