// SPDX-License-Identifier: Apache-2.0
#include "compare/report/page.h"

#include <string_view>

#include "base/error.h"

namespace cuimg {
namespace {

constexpr unsigned char page_file[] = {
#include "report_page.inc"
};
constexpr unsigned char style_file[] = {
#include "report_style.inc"
};
constexpr unsigned char scripts_file[] = {
#include "report_scripts.inc"
};

template <std::size_t size>
std::string text_of(const unsigned char (&bytes)[size]) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// Cuts the text at a line, which is removed.
std::string take_until(std::string& text, std::string_view line) {
  const std::size_t at = text.find(line);
  if (at == std::string::npos) throw Error("report", "the page lacks " + std::string(line));
  const std::string before = text.substr(0, at);
  text.erase(0, at + line.size());
  return before;
}

}  // namespace

ReportPage report_page() {
  std::string rest = text_of(page_file);
  std::string before = take_until(rest, "@style\n") + text_of(style_file);
  before += take_until(rest, "@data\n");
  std::string after = take_until(rest, "@scripts\n") + text_of(scripts_file);
  return {before, after + rest};
}

}  // namespace cuimg
