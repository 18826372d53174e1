// SPDX-License-Identifier: Apache-2.0
// The required result for every bad input: exit code 2, one line that names the file and the cause,
// and an unchanged folder.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "support/process.h"

namespace cuimg::test {

using Words = std::vector<std::string>;

/// Runs cuimg in a folder that must not change when cuimg refuses an input.
class BadInput : public testing::Test {
 protected:
  Outcome cuimg(Words words, RunOptions options = {}) const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    if (options.folder.empty()) options.folder = folder.path().string();
    return run(words, options);
  }

  /// Runs cuimg and expects success. @returns the outcome.
  Outcome expect_done(const Words& words, RunOptions options = {}) const {
    Outcome outcome = cuimg(words, std::move(options));
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome;
  }

  /// The name and content of every file in the folder.
  std::map<std::string, std::string> content() const {
    std::map<std::string, std::string> files;
    std::error_code unreadable;  // a link to itself
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
      files[entry.path().string()] =
          entry.is_regular_file(unreadable) ? read_file(entry.path().string()) : "";
    return files;
  }

  static void expect_one_line(const Outcome& outcome, const Words& parts) {
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("cuimg: ") && outcome.err.ends_with("\n")) << outcome.err;
    for (const std::string& part : parts)
      EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " in " << outcome.err;
  }

  /// Runs cuimg, and expects one line with each of `parts`, and an unchanged folder.
  Outcome expect_refused(const Words& words, const Words& parts, RunOptions options = {}) const {
    const auto before = content();
    Outcome outcome = cuimg(words, std::move(options));
    expect_one_line(outcome, parts);
    EXPECT_TRUE(content() == before) << "the folder changed: " << words.back();
    return outcome;
  }

  /// The same for an output that does not exist, and for one that exists and must not change.
  void expect_input_refused(const std::string& input, const Words& parts,
                            const Words& options = {}) const {
    Words words = {"convert", "--", input, "absent.exr"};
    words.insert(words.begin() + 1, options.begin(), options.end());
    expect_refused(words, parts);
    const std::string target = folder.write("present.exr", "what was there before");
    words.back() = "present.exr";
    expect_refused(words, parts);
    std::filesystem::remove(target);
  }

  /// Writes a P6 of width x height with slopes and noise, which no format compresses well. @returns
  /// its name.
  std::string make_picture(const std::string& name, int width, int height) const {
    std::string bytes = "P6\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n";
    std::minstd_rand random;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int slope : {x * 3 + y, x ^ y, x * y / 7})
          bytes += static_cast<char>(slope + static_cast<int>(random() % 31));
    folder.write(name, bytes);
    return name;
  }

  const TempDir folder;
};

}  // namespace cuimg::test
