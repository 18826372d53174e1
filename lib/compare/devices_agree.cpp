// SPDX-License-Identifier: Apache-2.0
#include "compare/devices_agree.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>

namespace cuimg {
namespace {

using Values = std::vector<double>;

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool same_bits(const Values& a, const Values& b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) same = same_bits(a[i], b[i]);
  return same;
}

// Compares one figure after another until one differs.
class Search {
 public:
  Search(std::string first, std::string second)
      : first_(std::move(first)), second_(std::move(second)) {}

  void in(std::string place) { place_ = std::move(place); }
  void number(const std::string& name, double a, double b) {
    if (!same_bits(a, b)) found(name, fmt::format("{}", a), fmt::format("{}", b));
  }
  void count(const std::string& name, std::uint64_t a, std::uint64_t b) {
    if (a != b) found(name, std::to_string(a), std::to_string(b));
  }
  void text(const std::string& name, const std::string& a, const std::string& b) {
    if (a != b) found(name, a, b);
  }
  void metrics(const std::vector<MetricValue>& a, const std::vector<MetricValue>& b) {
    count("number of metrics", a.size(), b.size());
    for (std::size_t i = 0; !text_ && i < a.size(); ++i) {
      text("metric", a[i].name, b[i].name);
      count(a[i].name + " (is there)", a[i].value.has_value(), b[i].value.has_value());
      if (a[i].value && b[i].value) number(a[i].name, *a[i].value, *b[i].value);
    }
  }
  void place(const std::string& name, const std::optional<ValuePlace>& a,
             const std::optional<ValuePlace>& b) {
    text(name, place_text(a), place_text(b));
    if (a && b &&
        !(same_bits(a->golden_pixel, b->golden_pixel) &&
          same_bits(a->result_pixel, b->result_pixel)))
      found(name, "one pixel", "another");
  }
  void map(const std::vector<float>& a, const std::vector<float>& b) {
    count("size of FLIP's map", a.size(), b.size());
    for (std::size_t i = 0; !text_ && i < a.size(); ++i)
      if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i]))
        found(fmt::format("FLIP's map at pixel {}", i), fmt::format("{}", a[i]),
              fmt::format("{}", b[i]));
  }

  const std::optional<std::string>& result() const { return text_; }

 private:
  static std::string place_text(const std::optional<ValuePlace>& place) {
    if (!place) return "nowhere";
    return fmt::format("part {} layer {} {} at {},{}", place->part, place->layer,
                       place->channel_name, place->x, place->y);
  }
  void found(const std::string& name, const std::string& a, const std::string& b) {
    if (!text_)
      text_ = fmt::format("{}{} is {} on {} and {} on {}", place_, name, a, first_, b, second_);
  }

  std::string first_, second_, place_;
  std::optional<std::string> text_;
};

void look_at_layer(const LayerComparison& a, const LayerComparison& b, Search& search) {
  search.in((a.part_name.empty() ? "" : a.part_name + ", ") + "layer " + a.name + ": ");
  const Differences &d = a.differences, &e = b.differences;
  search.count("pixels", d.pixels, e.pixels);
  search.count("values", d.values, e.values);
  search.count("pixels that differ", d.differing, e.differing);
  search.count("pixels that fail", d.failing, e.failing);
  search.count("pixels that fail hard", d.hard_failing, e.hard_failing);
  search.count("pixels that warn", d.warning, e.warning);
  search.count("pixels that warn hard", d.hard_warning, e.hard_warning);
  search.count("mismatches", d.mismatches, e.mismatches);
  search.count("NaN in both", d.nans, e.nans);
  search.count("values that are not finite in both", d.left_out, e.left_out);
  search.number("max_absolute", d.max_absolute, e.max_absolute);
  search.number("max_relative", d.max_relative, e.max_relative);
  search.count("max_ulp", d.max_ulp, e.max_ulp);
  search.number("sum of squares", d.sum_of_squares, e.sum_of_squares);
  search.place("the first difference", d.first, e.first);
  search.place("the worst value", d.worst, e.worst);
  search.metrics(a.metrics, b.metrics);
  search.map(a.flip_map, b.flip_map);
}

void look_at_reasons(const std::string& name, const std::vector<Reason>& a,
                     const std::vector<Reason>& b, Search& search) {
  search.count("number of " + name, a.size(), b.size());
  for (std::size_t i = 0; !search.result() && i < a.size(); ++i)
    search.text(name, a[i].text, b[i].text);
}

}  // namespace

std::optional<std::string> figure_that_differs(const Comparison& a, const Comparison& b,
                                               const std::string& first,
                                               const std::string& second) {
  Search search(first, second);
  search.count("number of layers", a.layers.size(), b.layers.size());
  for (std::size_t i = 0; !search.result() && i < a.layers.size(); ++i)
    look_at_layer(a.layers[i], b.layers[i], search);
  search.in("");
  const Forgiven &f = a.forgiven, &g = b.forgiven;
  search.count("ignored pixels", f.ignored, g.ignored);
  search.count("shifted pixels", f.shifted, g.shifted);
  search.count("antialiased pixels", f.antialiased, g.antialiased);
  search.count("forgiven values that are not finite", f.non_finite, g.non_finite);
  look_at_reasons("reasons", a.reasons, b.reasons, search);
  look_at_reasons("warnings", a.warnings, b.warnings, search);
  search.metrics(a.metrics, b.metrics);
  return search.result();
}

}  // namespace cuimg
