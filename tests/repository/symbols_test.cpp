// SPDX-License-Identifier: Apache-2.0
// A program that links the library may use any name: the archive's symbols are in its namespaces.
#include <gtest/gtest.h>

#include <string>

#include "repository/tree.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

TEST(Symbols, OfTheLibraryAreInItsNamespaces) {
  if (run({"nm", "--version"}).exit != 0) GTEST_SKIP() << "no nm";
  const Outcome names = run({"nm", "--defined-only", "--extern-only", CUIMG_LIBRARY});
  ASSERT_EQ(names.exit, 0) << names.err;
  std::size_t seen = 0;
  for (const std::string& line : lines_of(names.out)) {
    // "0000000000000000 T _ZN5cuimg7versionEv"; weak symbols have the letter V, W or u.
    const std::size_t type = line.find(' ') + 1;
    if (type != 17 || line.size() < 20) continue;
    ++seen;
    const std::string symbol = line.substr(19);
    if (symbol.starts_with("__")) continue;  // from the compiler or a sanitizer
    const bool weak = std::string("VWu").find(line[type]) != std::string::npos;
    // Copies of other libraries' inline functions are weak. If a user has cxxopts in another
    // version, the linker uses one copy for both.
    if (weak)
      EXPECT_EQ(symbol.find("7cxxopts"), std::string::npos) << symbol;
    else
      EXPECT_NE(symbol.find("5cuimg"), std::string::npos) << symbol;
  }
  EXPECT_GT(seen, 1000u);
}

}  // namespace
}  // namespace cuimg::test
