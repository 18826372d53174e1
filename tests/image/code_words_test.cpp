// SPDX-License-Identifier: Apache-2.0
// Looking up codes in vectors gives the words of single lookups, for rows of any length.
#include "image/code_words.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/used_instruction_set.h"

namespace cuimg::test {
namespace {

TEST(CodeWords, AreThoseOfTheTableForEveryCodeAndLengthWithAllInstructions) {
  std::uint32_t table[CodeWords::codes];
  for (std::uint32_t code = 0; code < CodeWords::codes; ++code) table[code] = code * 2654435761u;
  const CodeWords words(table);
  for (const InstructionSet set : usable_instruction_sets()) {
    const UsedInstructionSet used(set);
    for (std::size_t count = 0; count < 600; count += count < 140 ? 1 : 53) {
      std::vector<std::uint8_t> row(count);
      for (std::size_t i = 0; i < count; ++i) row[i] = static_cast<std::uint8_t>(7 + 37 * i);
      std::vector<std::uint32_t> found(count + 1, 42), expected(count + 1, 42);
      for (std::size_t i = 0; i < count; ++i) expected[i] = table[row[i]];
      words.look_up(row.data(), found.data(), count);
      ASSERT_EQ(found, expected) << name_of(set) << ", " << count << " codes";
    }
  }
}

TEST(CodeWords, OfFloatsKeepTheirBits) {
  float table[CodeWords::codes];
  for (std::size_t code = 0; code < CodeWords::codes; ++code)
    table[code] = 1 / (static_cast<float>(code) - 3);
  std::vector<std::uint8_t> row(CodeWords::codes);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::uint8_t>(255 - i);
  for (const InstructionSet set : usable_instruction_sets()) {
    const UsedInstructionSet used(set);
    std::vector<float> found(row.size());
    CodeWords(table).look_up(row.data(), found.data(), row.size());
    for (std::size_t i = 0; i < row.size(); ++i)
      ASSERT_EQ(std::bit_cast<std::uint32_t>(found[i]), std::bit_cast<std::uint32_t>(table[row[i]]))
          << name_of(set);
  }
}

}  // namespace
}  // namespace cuimg::test
