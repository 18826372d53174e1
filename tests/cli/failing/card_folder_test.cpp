// SPDX-License-Identifier: Apache-2.0
// Folders on a card: after the first images no more memory is allocated, on the card or for it.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "pipeline/run/card_shares.h"
#include "support/images.h"
#include "support/process.h"

#ifdef CUIMG_FAULTS_PROGRAM

namespace cuimg::test {
namespace {

class CardFolder : public testing::Test {
 protected:
  // The number of calls of each function of the runtime for this many images of one size. Kernels
  // do nothing, but copies work.
  std::map<std::string, int> calls_of(int images, const std::string& jobs, int width = 90,
                                      int height = 70, const std::string& rules = "") {
    std::vector<std::string> words = {CUIMG_FAULTS_PROGRAM};
    for (const char* word : {"resize", "--size", "50%", "+", "blur", "--sigma", "2", "+",
                             "undistort", "--k1", "-0.1", "--device", "cuda"})
      words.emplace_back(word);
    if (!jobs.empty()) words.insert(words.end(), {"--jobs", jobs});
    for (int i = 0; i < images; ++i) {
      words.push_back(folder_ / ("in" + std::to_string(i) + ".png"));
      write_image(words.back(), noise(spec_of({0, 0, width, height}, PixelType::u8, 3)),
                  *codec_named("png"));
    }
    words.insert(words.end(), {"-o", folder_ / "out/"});
    const std::string log = folder_ / "calls";
    const Outcome outcome =
        run(words, {.environment = {"CUIMG_FAKE_CUDA=kernels=skip " + rules + " calls_log=" + log,
                                    "XDG_CACHE_HOME=" + (folder_ / "cache")}});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    std::map<std::string, int> calls;
    std::istringstream lines(read_file(log));
    std::string name;
    for (int count = 0; lines >> name >> count;) calls[name] = count;
    return calls;
  }

  // The messages of --device auto and the calls of the runtime, for this many small images.
  Outcome leave_to_auto(int images, const std::vector<std::string>& options) {
    std::vector<std::string> words = {CUIMG_FAULTS_PROGRAM, "resize", "--size", "50%"};
    words.insert(words.end(), options.begin(), options.end());
    const std::string first = folder_ / "0.png";
    write_image(first, noise(spec_of({0, 0, 64, 64}, PixelType::u8, 3)), *codec_named("png"));
    words.push_back(first);
    for (int i = 1; i < images; ++i) {
      words.push_back(folder_ / (std::to_string(i) + ".png"));
      std::filesystem::copy_file(first, words.back(),
                                 std::filesystem::copy_options::overwrite_existing);
    }
    words.insert(words.end(), {"-o", folder_ / "out/"});
    const std::string rules = "kernels=skip calls_log=" + (folder_ / "log");
    return run(words, {.environment = {"CUIMG_FAKE_CUDA=" + rules,
                                       "XDG_CACHE_HOME=" + (folder_ / "cache")}});
  }
  std::string log() const { return read_file(folder_ / "log"); }

  static constexpr const char* that_make[] = {"cudaMalloc", "cudaMallocArray", "cudaMallocHost",
                                              "cudaStreamCreateWithFlags"};

 private:
  TempDir folder_;
};

TEST_F(CardFolder, MemoryIsMadeForTheFirstImageAlone) {
  calls_of(1, "1");  // checks the card's texture unit, whose result is remembered
  auto one = calls_of(1, "1"), many = calls_of(30, "1");
  EXPECT_GT(many["launch"], 20 * one["launch"]);
  for (const char* name : that_make) {
    EXPECT_GT(one[name], 0) << name;
    EXPECT_EQ(many[name], one[name]) << name;
  }
}

TEST_F(CardFolder, ImagesUnderWayTogetherTakeAFewQueues) {
  calls_of(1, "1");
  auto one = calls_of(1, "1"), many = calls_of(60, "16");
  for (const char* name : that_make)
    EXPECT_LE(many[name], CardShares::images_at_once * one[name]) << name;
}

TEST_F(CardFolder, LargePixelsArePinnedOnceAndThenCopiedWhereTheyLie) {
  calls_of(1, "1");
  auto few = calls_of(4, "1", 1400, 1400), many = calls_of(12, "1", 1400, 1400);
  EXPECT_EQ(few["cudaHostRegister"], 1);  // for the input; the output is smaller than 2 MB
  EXPECT_EQ(many["cudaHostRegister"], 1);
#if defined(__SANITIZE_ADDRESS__)
  EXPECT_EQ(many["cudaHostUnregister"], 1);
#else
  EXPECT_EQ(many["cudaHostUnregister"], 0);  // left to the end of the process, which is faster
#endif
}

// Creating a context takes longer than processing the folder without one.
TEST_F(CardFolder, AutoLeavesThumbnailsToTheCpuAndAsksNoDriver) {
  const Outcome done = leave_to_auto(100, {});
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_EQ(log().find("cudaGetDeviceCount"), std::string::npos) << log();
}

TEST_F(CardFolder, AutoSaysWhyItLeavesThumbnailsToTheCpu) {
  const Outcome done = leave_to_auto(20, {"--explain"});
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_NE(done.err.find("auto: the CPU, not a card: for "), std::string::npos) << done.err;
  EXPECT_NE(done.err.find(" it would save about 0 ms"), std::string::npos) << done.err;
  EXPECT_EQ(log().find("cudaStreamCreateWithFlags"), std::string::npos) << log();
}

TEST_F(CardFolder, WherePinningIsRefusedTheRingServes) {
  auto calls = calls_of(5, "1", 1400, 1400, "cudaHostRegister=2");
  EXPECT_EQ(calls["cudaHostRegister"], 1);  // and not tried again
  EXPECT_EQ(calls["cudaHostUnregister"], 0);
}

}  // namespace
}  // namespace cuimg::test

#endif
