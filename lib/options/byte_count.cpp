// SPDX-License-Identifier: Apache-2.0
#include "options/byte_count.h"

#include <charconv>

namespace cuimg {
namespace {

constexpr std::string_view letters = "KMGT";
constexpr const char* use = "use a whole number above 0, alone or with K, M, G or T: 500M, 1536M";

}  // namespace

void parse_value(const std::string& text, const Range&, ByteCount& value) {
  std::uint64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  const std::size_t letter =
      rest + 1 == end ? letters.find(static_cast<char>(*rest & ~0x20)) : std::string_view::npos;
  if (error != std::errc() || (rest != end && letter == std::string_view::npos))
    throw BadValue{"is not an amount of memory", use};
  const int shift = rest == end ? 0 : 10 * (static_cast<int>(letter) + 1);
  if (count == 0 || count > UINT64_MAX >> (shift + 1)) throw BadValue{"is out of range", use};
  value.bytes = count << shift;
}

std::string format_value(const ByteCount& value) {
  std::uint64_t count = value.bytes;
  std::size_t letter = 0;
  while (letter < letters.size() && count != 0 && count % 1024 == 0) {
    count /= 1024;
    ++letter;
  }
  return std::to_string(count) + (letter == 0 ? "" : std::string(1, letters[letter - 1]));
}

}  // namespace cuimg
