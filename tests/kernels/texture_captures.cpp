// SPDX-License-Identifier: Apache-2.0
// Reading the captures of a real texture unit.
#include "kernels/texture_captures.h"

#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace cuimg::test {
namespace {

std::string read_all(const std::string& path) {
  const bool packed = path.ends_with(".xz");
  FILE* file = packed ? popen(("xz -dc '" + path + "'").c_str(), "r") : fopen(path.c_str(), "rb");
  if (!file) throw std::runtime_error("cannot open " + path);
  std::string bytes;
  char buffer[1 << 16];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, file)) bytes.append(buffer, n);
  if ((packed ? pclose(file) : fclose(file)) != 0) throw std::runtime_error("cannot read " + path);
  return bytes;
}

}  // namespace

Capture read_capture(const std::string& path) {
  const std::string bytes = read_all(path);
  Capture capture;
  for (std::size_t at = 0; at < bytes.size();) {
    if (bytes.size() - at < 64) throw std::runtime_error("cut header in " + path);
    std::istringstream header(std::string(bytes.c_str() + at));
    std::string name, type, count, components;
    getline(header, name, '|');
    getline(header, type, '|');
    getline(header, count, '|');
    getline(header, components, '|');
    Block block{std::stoul(count), std::stoul(components), {}};
    const std::size_t size =
        block.count * block.components * static_cast<std::size_t>(type.back() - '0');
    at += 64;
    if (bytes.size() - at < size) throw std::runtime_error("cut block " + name + " in " + path);
    block.bytes.assign(bytes.data() + at, bytes.data() + at + size);
    capture[name] = std::move(block);
    at += size;
  }
  return capture;
}

}  // namespace cuimg::test
