// SPDX-License-Identifier: Apache-2.0
// The machine's cards that the driver is allowed to see, and the queries to them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "device/card_session.h"

namespace cuimg::test {
namespace {

// Sets a variable for the duration of a test.
class Variable {
 public:
  explicit Variable(const char* name) : name_(name), before_(value()) {}
  ~Variable() { set(before_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  void set(const std::optional<std::string>& value) const {
    if (value)
      setenv(name_, value->c_str(), 1);
    else
      unsetenv(name_);
  }
  std::optional<std::string> value() const {
    const char* const value = std::getenv(name_);
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
  }

 private:
  const char* const name_;
  const std::optional<std::string> before_;
};

class FirstCards : public testing::Test {
 protected:
  void set(const std::optional<std::string>& value) const { variable_.set(value); }
  std::optional<std::string> seen(int count) const {
    see_first_cards(count);
    return variable_.value();
  }

 private:
  const Variable variable_{"CUDA_VISIBLE_DEVICES"};
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

TEST(Connections, AreAsFewAsAskedForUnlessTheEnvironmentSaysHowMany) {
  const Variable variable("CUDA_DEVICE_MAX_CONNECTIONS");
  variable.set(std::nullopt);
  make_few_connections(1);
  EXPECT_EQ(variable.value(), std::nullopt) << "a program without a session decides by itself";
  const CardSession session;
  make_few_connections(2);
  EXPECT_EQ(variable.value(), "2");
  variable.set("8");
  make_few_connections(1);
  EXPECT_EQ(variable.value(), "8");
}

}  // namespace
}  // namespace cuimg::test
