// SPDX-License-Identifier: Apache-2.0
// What the driver is let see of a machine's cards.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "device/card_session.h"

namespace cuimg::test {
namespace {

constexpr const char* name = "CUDA_VISIBLE_DEVICES";

// The variable while the test runs, and then as it was.
class FirstCard : public testing::Test {
 protected:
  FirstCard() {
    if (const char* const value = std::getenv(name)) before_ = value;
  }
  ~FirstCard() override { set(before_); }
  static void set(const std::optional<std::string>& value) {
    if (value)
      setenv(name, value->c_str(), 1);
    else
      unsetenv(name);
  }
  static std::optional<std::string> seen() {
    see_first_card_alone();
    const char* const value = std::getenv(name);
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
  }

 private:
  std::optional<std::string> before_;
};

TEST_F(FirstCard, IsTheFirstOfThoseThatMayBeSeen) {
  const CardSession session;
  set(std::nullopt);
  EXPECT_EQ(seen(), "0");
  for (const auto& [given, first] : {std::pair("3", "3"),
                                     {"2,0,1", "2"},
                                     {"GPU-8932f937,1", "GPU-8932f937"},
                                     {"", ""},
                                     {"-1", "-1"}}) {
    set(given);
    EXPECT_EQ(seen(), first);
  }
}

TEST_F(FirstCard, IsLeftToThePrograms) {
  set("1,0");
  EXPECT_EQ(seen(), "1,0");
}

}  // namespace
}  // namespace cuimg::test
