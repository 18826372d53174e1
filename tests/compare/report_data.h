// SPDX-License-Identifier: Apache-2.0
// Reads what an HTML report holds, for tests.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "support/process.h"

namespace cuimg::test {

/// The data of the list, as the page's script reads it.
inline nlohmann::json data_of(const std::string& folder) {
  const std::string page = read_file(folder + "/index.html");
  const std::string start = "<script id=\"report-data\" type=\"application/json\">";
  const std::size_t from = page.find(start) + start.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

/// The object in a layer's script.
inline nlohmann::json pixels_of(const std::string& path) {
  std::string script = read_file(path);
  script.replace(0, script.find('('), "");
  script.front() = '[';
  script.replace(script.rfind(')'), std::string::npos, "]");
  return nlohmann::json::parse(script).at(2);
}

}  // namespace cuimg::test
