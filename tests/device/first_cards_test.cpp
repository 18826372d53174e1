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
class FirstCards : public testing::Test {
 protected:
  FirstCards() {
    if (const char* const value = std::getenv(name)) before_ = value;
  }
  ~FirstCards() override { set(before_); }
  static void set(const std::optional<std::string>& value) {
    if (value)
      setenv(name, value->c_str(), 1);
    else
      unsetenv(name);
  }
  static std::optional<std::string> seen(int count) {
    see_first_cards(count);
    const char* const value = std::getenv(name);
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
  }

 private:
  std::optional<std::string> before_;
};

TEST_F(FirstCards, AreTheFirstOfThoseThatMayBeSeen) {
  const CardSession session;
  set(std::nullopt);
  EXPECT_EQ(seen(1), "0");
  set(std::nullopt);
  EXPECT_EQ(seen(3), "0,1,2");
  struct Case {
    const char* given;
    int count;
    const char* seen;
  };
  for (const Case& c : {Case{"3", 1, "3"},
                        {"2,0,1", 1, "2"},
                        {"2,0,1", 2, "2,0"},
                        {"2,0,1", 3, "2,0,1"},
                        {"2,0,1", 9, "2,0,1"},
                        {"GPU-8932f937,1", 1, "GPU-8932f937"},
                        {"", 1, ""},
                        {"", 2, ""},
                        {"-1", 2, "-1"}}) {
    set(c.given);
    EXPECT_EQ(seen(c.count), c.seen) << c.given << ", " << c.count;
  }
}

TEST_F(FirstCards, AreLeftToThePrograms) {
  set("1,0");
  EXPECT_EQ(seen(1), "1,0");
}

}  // namespace
}  // namespace cuimg::test
