// SPDX-License-Identifier: Apache-2.0
// JPEG files of any sampling factors keep their blocks, or have them turned.
#include <gtest/gtest.h>

#include "support/made_jpeg.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

constexpr const char* lossless = "without loss";

class JpegSamplings : public ProgramFolder {
 protected:
  // Sides that end with whole blocks for every sampling factor.
  void make(const std::string& name, const Sampling& sampling) const {
    std::mt19937 random(3);
    JpegKind kind;
    kind.width = 96;
    kind.height = 192;
    kind.sampling = sampling;
    const auto bytes = made_jpeg(kind, made_pixels(kind.width, kind.height, 3, random));
    folder_.write(name, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  std::string explained(std::vector<std::string> words) const {
    words.insert(words.begin() + 1, "--explain");
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome.err;
  }
  // The quantisation tables and everything after them.
  std::string blocks_of(const std::string& name) const {
    const std::string file = read_file(folder_ / name);
    return file.substr(file.find("\xff\xdb"));
  }
  std::string sampling_of(const std::string& name) const {
    const std::string text = cuimg({"info", name}).out, key = "sampling";
    const std::size_t at = text.find(key) + key.size(), begin = text.find_first_not_of(' ', at);
    return text.substr(begin, text.find('\n', begin) - begin);
  }
};

// The last ones are those that libjpeg cannot decode, or that TurboJPEG has no name for.
std::vector<Sampling> all_samplings() {
  std::vector<Sampling> all = jpeg_samplings;
  all.insert(all.end(), {{{1, 4}, {1, 1}, {1, 1}},
                         {{2, 4}, {1, 1}, {1, 1}},
                         {{3, 2}, {1, 1}, {1, 1}},
                         {{1, 3}, {1, 1}, {1, 1}},
                         {{1, 1}, {2, 1}, {2, 1}},
                         {{2, 2}, {1, 1}, {2, 1}},
                         {{3, 1}, {1, 1}, {3, 1}}});
  return all;
}

std::string name_of(const Sampling& sampling) {
  JpegKind kind;
  kind.sampling = sampling;
  return kind.name();
}

TEST_F(JpegSamplings, EntriesChangeWithoutTouchingTheBlocks) {
  for (const Sampling& sampling : all_samplings()) {
    make("in.jpg", sampling);
    const std::string before = blocks_of("in.jpg");
    EXPECT_NE(explained({"convert", "--set", "Comment=hi", "in.jpg", "out.jpg"}).find(lossless),
              std::string::npos)
        << name_of(sampling);
    EXPECT_EQ(blocks_of("out.jpg"), before) << name_of(sampling);
    expect_made({"convert", "--in-place", "--set", "Comment=hi", "in.jpg"});
    EXPECT_EQ(blocks_of("in.jpg"), before) << name_of(sampling);
  }
}

TEST_F(JpegSamplings, ThereAndBackGivesTheSameBlocks) {
  for (const Sampling& sampling : all_samplings()) {
    make("in.jpg", sampling);
    for (const auto& [there, back] : std::vector<std::pair<std::string, std::string>>{
             {"rotate90", "rotate270"}, {"flip", "flip"}, {"transpose", "transpose"}}) {
      EXPECT_NE(explained({there, "in.jpg", "there.jpg"}).find(lossless), std::string::npos)
          << name_of(sampling);
      EXPECT_NE(explained({back, "there.jpg", "back.jpg"}).find(lossless), std::string::npos)
          << name_of(sampling);
      EXPECT_EQ(blocks_of("back.jpg"), blocks_of("in.jpg")) << there << " " << name_of(sampling);
    }
  }
}

TEST_F(JpegSamplings, AreTurnedAsJpegtranDoes) {
  if (run({"jpegtran", "-version"}).exit != 0) GTEST_SKIP() << "jpegtran is not installed";
  for (const Sampling& sampling : all_samplings()) {
    make("in.jpg", sampling);
    for (const auto& [stage, words] : std::vector<std::pair<std::string, std::vector<std::string>>>{
             {"rotate90", {"-rotate", "90"}},
             {"rotate180", {"-rotate", "180"}},
             {"rotate270", {"-rotate", "270"}},
             {"flip", {"-flip", "vertical"}},
             {"flop", {"-flip", "horizontal"}},
             {"transpose", {"-transpose"}}}) {
      std::vector<std::string> all = {"jpegtran", "-perfect", "-copy",
                                      "none",     "-outfile", "other.jpg"};
      all.insert(all.end(), words.begin(), words.end());
      all.emplace_back("in.jpg");
      ASSERT_EQ(run(all, {.folder = folder_.path()}).exit, 0);
      expect_made({stage, "--metadata", "strip", "in.jpg", "own.jpg"});
      EXPECT_EQ(read_file(folder_ / "own.jpg"), read_file(folder_ / "other.jpg"))
          << stage << " " << name_of(sampling);
    }
  }
}

TEST_F(JpegSamplings, InfoNamesMixedFactors) {
  for (const auto& [sampling, name] :
       std::vector<std::pair<Sampling, std::string>>{{{{2, 2}, {1, 1}, {1, 1}}, "4:2:0"},
                                                     {{{2, 1}, {1, 1}, {1, 1}}, "4:2:2"},
                                                     {{{2, 2}, {1, 2}, {1, 2}}, "4:2:2"},
                                                     {{{2, 1}, {2, 1}, {2, 1}}, "4:4:4"},
                                                     {{{1, 2}, {1, 1}, {1, 1}}, "1x2"},
                                                     {{{4, 1}, {1, 1}, {1, 1}}, "4x1"},
                                                     {{{1, 1}, {2, 1}, {2, 1}}, "1x1,2x1,2x1"},
                                                     {{{2, 2}, {1, 1}, {2, 1}}, "2x2,1x1,2x1"}}) {
    make("in.jpg", sampling);
    EXPECT_EQ(sampling_of("in.jpg"), name) << name_of(sampling);
  }
}

}  // namespace
}  // namespace cuimg::test
