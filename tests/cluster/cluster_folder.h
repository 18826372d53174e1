// SPDX-License-Identifier: Apache-2.0
// Forty images, the result of one run over them, and the results of several processes.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "support/process.h"

namespace cuimg::test {

class ClusterFolder : public testing::Test {
 protected:
  using Files = std::map<std::string, std::string>;

  /// The images of share `large` of four are larger, so that it takes longer than the others.
  void make_images(int large = -1) const {
    for (int i = 0; i < 40; ++i) {
      const std::string name = std::string(i < 10 ? "in/0" : "in/") + std::to_string(i) + ".png";
      std::filesystem::create_directories(folder / "in");
      const Outcome made =
          run({CUIMG_PROGRAM, "noise", "--seed", std::to_string(i), "--size",
               i % 4 == large ? "2000x1500" : "60x40", "--compression", "1", folder / name});
      ASSERT_EQ(made.exit, 0) << made.err;
    }
    const Outcome one = run(
        {CUIMG_PROGRAM, "resize", "--size", "50%", folder / "in", "-o", folder / "one/{stem}.jpg"});
    ASSERT_EQ(one.exit, 0) << one.err;
  }

  Files files_in(const std::string& name) const {
    Files files;
    std::error_code absent;
    for (const auto& entry : std::filesystem::directory_iterator(folder / name, absent))
      files[entry.path().filename()] = read_file(entry.path());
    return files;
  }

  void expect_same_as_one_run(const std::string& name) const {
    const Files expected = files_in("one"), made = files_in(name);
    EXPECT_EQ(expected.size(), 40u);
    EXPECT_EQ(made.size(), 40u);
    EXPECT_TRUE(made == expected) << name;
  }

  /// The content of every log in the folder, for messages.
  std::string logs() const {
    std::string text;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      if (entry.path().extension() == ".log")
        text += entry.path().filename().string() + ":\n" + read_file(entry.path());
    return text;
  }

  static std::string sample(const std::string& name) {
    return CUIMG_SAMPLES_FOLDER "/cluster/" + name;
  }

  const TempDir folder;
};

}  // namespace cuimg::test
