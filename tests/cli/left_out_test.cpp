// SPDX-License-Identifier: Apache-2.0
// Every command that reads a file's pixels reports the content that the reader leaves out.
#include <gtest/gtest.h>

#include "io/codec.h"
#include "support/animated_png.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

TEST(LeftOut, IsSaidWithoutVerbose) {
  const TempDir folder;
  write_image(folder / "still.png", noise(spec_of({0, 0, 9, 7}, PixelType::u8, 3)),
              *codec_named("png"));
  folder.write("a.png", animated(read_file(folder / "still.png")));
  using Words = std::vector<std::string>;
  for (const Words& words : {Words{"checksum", "a.png"},
                             {"show", "a.png"},
                             {"stats", "a.png"},
                             {"convert", "a.png", "out.png"},
                             {"append", "still.png", "a.png", "-o", "out.png"},
                             {"append", "a.png", "still.png", "-o", "out.png"},
                             {"contact", "still.png", "a.png", "-o", "out.png"},
                             {"over", "--with", "a.png", "still.png", "out.png"}}) {
    Words all = words;
    all.insert(all.begin(), CUIMG_PROGRAM);
    const Outcome outcome = run(all, {.folder = folder.path().string()});
    EXPECT_EQ(outcome.exit, 0) << words.front() << ": " << outcome.err;
    const std::string said = "an animation of 2 frames; only the first is read\n";
    const std::size_t at = outcome.err.find(said);
    EXPECT_NE(at, std::string::npos) << words.front() << ": " << outcome.err;
    EXPECT_EQ(outcome.err.find(said, at + 1), std::string::npos) << "twice: " << outcome.err;
    EXPECT_NE(outcome.err.find("a.png: "), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace cuimg::test
