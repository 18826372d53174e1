// SPDX-License-Identifier: Apache-2.0
// Small text files: a first line with the definition's digest, the exact formats, "end".
#include "device/self_check_cache.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace cuimg {
namespace {

std::string absolute_from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && value[0] == '/' ? value : "";
}

std::string head_line(std::uint64_t definition) {
  std::ostringstream line;
  line << "cuimg texture check 1 " << std::hex << definition;
  return line.str();
}

std::string path_of(const std::string& key) {
  const std::string folder = cache_folder();
  return folder.empty() ? "" : folder + "/texture-" + key;
}

}  // namespace

std::string cache_folder() {
  // The specification says to ignore a relative XDG_CACHE_HOME.
  if (const std::string cache = absolute_from_environment("XDG_CACHE_HOME"); !cache.empty())
    return cache + "/cuimg";
  if (const std::string home = absolute_from_environment("HOME"); !home.empty())
    return home + "/.cache/cuimg";
  return "";
}

std::optional<FormatNames> load_self_check(const std::string& key, std::uint64_t definition) {
  std::ifstream file(path_of(key));
  std::string line;
  if (!std::getline(file, line) || line != head_line(definition)) return std::nullopt;
  FormatNames exact;
  while (std::getline(file, line)) {
    if (line == "end") return exact;
    exact.insert(line);
  }
  return std::nullopt;
}

void store_self_check(const std::string& key, std::uint64_t definition, const FormatNames& exact) {
  const std::string path = path_of(key);
  if (path.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(cache_folder(), ignored);
  const std::string temporary = path + "." + std::to_string(getpid());
  {
    std::ofstream file(temporary, std::ios::trunc);
    file << head_line(definition) << '\n';
    for (const std::string& name : exact) file << name << '\n';
    file << "end\n";
    file.close();
    if (!file) {
      std::filesystem::remove(temporary, ignored);
      return;
    }
  }
  std::filesystem::rename(temporary, path, ignored);
  if (ignored) std::filesystem::remove(temporary, ignored);
}

}  // namespace cuimg
