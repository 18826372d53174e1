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

/// CUIMG_MIXED_IMAGES: the number of images in a test's folder. With 300 the test is complete, with
/// pictures up to 8K.
int mixed_image_count();

/// Makes `count` images in `folder`: all formats, types, compressions and channels; 1x1 to 640x480,
/// or to 7680x4320 from 300 images on; with layers, data windows that differ from the display
/// window, and several parts. Every 25th is damaged: cut short, garbled, empty or no image.
/// @returns the names of the damaged ones.
std::set<std::string> make_mixed_images(const std::string& folder, int count);

/// The rank by size of image `number`, counted from 0; the largest images have the lowest ranks.
int mixed_image_rank(int number);

using Files = std::map<std::string, std::string>;
/// Every file of a folder with its bytes, including files whose name begins with a dot.
Files files_in(const std::string& folder);

/// The files that differ or exist on one side only, for a message.
std::string difference_of(const Files& made, const Files& expected);

/// The files' names without folders at the beginning of error lines: "cuimg: FOLDER/NAME: ...".
std::set<std::string> names_in_errors(const std::string& err);

/// A folder with inputs in in/, the results of an undisturbed run, and other results to compare.
class FolderRuns : public testing::Test {
 protected:
  using Words = std::vector<std::string>;

  /// The command that all these tests run, from in/ to `out`.
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
