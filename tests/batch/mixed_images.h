// SPDX-License-Identifier: Apache-2.0
// A folder of images of every kind that cuimg writes; some of them are damaged.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/process.h"

namespace cuimg::test {

/// CUIMG_MIXED_IMAGES: how many images there are in a test's folder. 300 is the full proof, with
/// pictures up to 8K.
int mixed_image_count();

/// Makes `count` images in `folder`: all formats, types, compressions and channels, 1x1 to 640x480,
/// or to 7680x4320 from 300 images on; layers, data windows that are not the display's, several
/// parts. Every 25th is damaged: cut short, garbled, empty or
/// no image. @returns the names of these.
std::set<std::string> make_mixed_images(const std::string& folder, int count);

/// Of the image of that number, from 0: the largest have the lowest.
int mixed_image_rank(int number);

using Files = std::map<std::string, std::string>;
/// Every file of a folder, also those whose name begins with a dot, with its bytes.
Files files_in(const std::string& folder);

/// Which files differ, or are in one only: for a message.
std::string difference_of(const Files& made, const Files& expected);

/// The files that lines of errors begin with, without their folders: "cuimg: FOLDER/NAME: ...".
std::set<std::string> names_in_errors(const std::string& err);

/// A folder with in/, an undisturbed run's results, and others to compare with them.
class FolderRuns : public testing::Test {
 protected:
  using Words = std::vector<std::string>;

  /// The command of all these tests, from in/ to `out`.
  static Words command(const std::string& out, const Words& options = {}) {
    Words words = {CUIMG_PROGRAM, "resize", "--size", "70%", "+",      "exposure",
                   "--stops",     "-0.5",   "in",     "-o",  out + "/"};
    words.insert(words.end(), options.begin(), options.end());
    return words;
  }
  Outcome run_to(const std::string& out, const Words& options = {}) const {
    return run(command(out, options), {.folder = folder.path().string()});
  }
  Files files_of(const std::string& name) const { return files_in(folder / name); }

  void expect_same_files(const std::string& made, const Files& expected) const {
    EXPECT_EQ(difference_of(files_of(made), expected), "") << made;
  }

  const TempDir folder;
};

}  // namespace cuimg::test
