// SPDX-License-Identifier: Apache-2.0
// Several JPEGs on a card, for which the host only reads and writes coefficients: on a card that
// fails, and for damaged files, everything is the same as on the CPU. The fake runtime's kernels do
// nothing, so only files whose pixels no card computed are compared.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "io/tags/exif.h"
#include "io/tags/exif_block.h"
#include "support/images.h"
#include "support/made_jpeg.h"
#include "support/process.h"

#ifdef CUIMG_FAULTS_PROGRAM

namespace cuimg::test {
namespace {

class CardBlocks : public testing::Test {
 protected:
  CardBlocks() {
    for (int i = 0; i < images; ++i)
      write_image(name_of(i), noise(spec_of({0, 0, 90 + i, 70}, PixelType::u8, 3)),
                  *codec_named("jpeg"));
  }

  std::string name_of(int i) const { return folder / ("in" + std::to_string(i) + ".jpg"); }

  Outcome halve(const std::string& rules, const std::vector<std::string>& options,
                const std::string& output, int count = images) const {
    std::vector<std::string> words = {
        CUIMG_FAULTS_PROGRAM, "resize", "--size", "50%", "--jobs", "1"};
    words.insert(words.end(), options.begin(), options.end());
    for (int i = 0; i < count; ++i) words.push_back(name_of(i));
    words.insert(words.end(), {"-o", folder / (output + "/")});
    return run(words,
               {.environment = {"CUIMG_FAKE_CUDA=kernels=skip " + rules, "CUIMG_AUTO_CARD_MS=0",
                                "XDG_CACHE_HOME=" + (folder / "cache")}});
  }

  // The number of calls of each function of the runtime before the last image.
  std::map<std::string, int> calls_before_the_last() const {
    const std::string log = folder / "calls";
    EXPECT_EQ(halve("calls_log=" + log, {}, "unused", images - 1).exit, 0);
    std::map<std::string, int> calls;
    std::istringstream lines(read_file(log));
    std::string name;
    for (int count = 0; lines >> name >> count;) calls[name] = count;
    return calls;
  }

  // The files of all images; an empty string for an image that was not written.
  std::vector<std::string> files(const std::string& output) const {
    std::vector<std::string> all;
    for (int i = 0; i < images; ++i)
      all.push_back(read_file(folder / (output + "/in" + std::to_string(i) + ".jpg")));
    return all;
  }

  static constexpr int images = 3;
  TempDir folder;
};

TEST_F(CardBlocks, ReplaceWhatTheHostWouldCompute) {
  const Outcome outcome = halve("", {"--device", "cuda", "--explain"}, "out");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  for (const char* line : {"card: it decodes the input's blocks to pixels",
                           "card: it encodes the output's pixels as blocks"})
    EXPECT_NE((outcome.out + outcome.err).find(line), std::string::npos) << line << outcome.err;
}

// A thumbnail is made from pixels, so the host encodes the image. If the card fails, it equals the
// CPU's.
TEST_F(CardBlocks, AreNotTheOutputsWhereItHasAThumbnail) {
  ExifBlock block;
  block.set_numbers(ExifDirectory::primary, 0x0112, TiffType::u16, {1});
  block.make_thumbnail_room(4);
  for (int i = 0; i < images; ++i) {
    Image image = read_image(name_of(i));
    image.editable_spec().metadata[exif_key] = block.bytes();
    write_image(name_of(i), image, *codec_named("jpeg"));
  }
  const Outcome outcome = halve("", {"--device", "cuda", "--explain"}, "out");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  const std::string said = outcome.out + outcome.err;
  EXPECT_NE(said.find("card: it decodes the input's blocks to pixels"), std::string::npos);
  EXPECT_EQ(said.find("card: it encodes the output's pixels as blocks"), std::string::npos);
  ASSERT_EQ(halve("", {"--device", "cpu"}, "cpu").exit, 0);
  halve("cudaMemcpyAsync=700", {}, "fails");
  EXPECT_TRUE(files("fails") == files("cpu"));
}

// All calls from a certain one on fail. The last image's calls are among these, so the CPU makes
// it.
TEST_F(CardBlocks, GiveTheCpusFileWhereverTheCardFails) {
  ASSERT_EQ(halve("", {"--device", "cpu"}, "cpu").exit, 0);
  const std::string expected = files("cpu").back();
  EXPECT_FALSE(expected.empty());
  halve("", {}, "unused");  // checks the texture unit once, so that later runs do not
  auto calls = calls_before_the_last();
  // If there is no memory for blocks, the card makes the image in tiles of pixels, so that call is
  // tested with one code only.
  const std::pair<const char*, std::vector<const char*>> faults[] = {
      {"launch", {"2", "700"}},
      {"cudaMemcpyAsync", {"2", "700"}},
      {"cudaMemsetAsync", {"700"}},
      {"cudaEventRecord", {"2", "700"}},
      {"cudaEventSynchronize", {"2", "700"}}};
  for (const auto& [call, codes] : faults) {
    ASSERT_GT(calls[call], 0) << call;
    for (int number = 1; number <= calls[call] + 1; number += 1 + number / 12)
      for (const char* code : codes) {
        const std::string rules = std::string(call) + "=" + code + ":" + std::to_string(number);
        const Outcome outcome = halve(rules, {}, rules);
        EXPECT_EQ(outcome.exit, 0) << rules << outcome.err;
        EXPECT_TRUE(files(rules).back() == expected) << rules;
      }
  }
}

TEST_F(CardBlocks, OfADamagedFileAreItsOneErrorAsOnTheCpu) {
  const std::string whole = read_file(name_of(1));
  folder.write("in1.jpg", whole.substr(0, whole.size() / 2));
  const Outcome on_cpu = halve("", {"--device", "cpu"}, "cpu");
  const Outcome on_card = halve("", {"--device", "cuda"}, "card");
  EXPECT_EQ(on_cpu.exit, on_card.exit);
  EXPECT_NE(on_cpu.exit, 0);
  EXPECT_EQ(on_cpu.err, on_card.err);
  EXPECT_EQ(files("card")[1], "");
  EXPECT_NE(files("card")[2], "");
}

}  // namespace
}  // namespace cuimg::test

#endif
