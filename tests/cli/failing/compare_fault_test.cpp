// SPDX-License-Identifier: Apache-2.0
// `cuimg compare` on a card that fails: an error if the card was requested and never worked,
// otherwise the CPU's figures.
#include <regex>

#include "io/codec.h"
#include "support/images.h"
#include "support/process.h"

#ifdef CUIMG_FAULTS_PROGRAM

namespace cuimg::test {
namespace {

class CompareFaults : public testing::Test {
 protected:
  CompareFaults() {
    for (const char* folder : {"golden", "result"})
      for (const char* name : {"a.exr", "b.exr", "c.exr", "d.exr"}) {
        std::filesystem::create_directories(folder_ / folder);
        write_image(folder_ / (std::string(folder) + "/" + name),
                    noise(spec_of({0, 0, 60, 40}, PixelType::half, 4), folder[0] + name[0]),
                    *codec_named("exr"));
      }
  }
  Outcome compare(const std::string& rules, std::vector<std::string> words,
                  const std::string& milliseconds = "300") const {
    words.insert(words.begin(), {CUIMG_FAULTS_PROGRAM, "compare", "--json"});
    return run(words,
               {.folder = folder_.path().string(),
                .environment = {"CUIMG_FAKE_CUDA=" + rules, "CUIMG_AUTO_CARD_MS=" + milliseconds,
                                "XDG_CACHE_HOME=" + (folder_ / "cache")}});
  }

  const std::string golden_ = "golden/a.exr", result_ = "result/a.exr";

 private:
  TempDir folder_;
};

struct Fault {
  const char* rules;
  const char* reason;
};

TEST_F(CompareFaults, OfTheFirstPairOfANamedCardAreErrorsThatNameTheCall) {
  constexpr Fault faults[] = {{"devices=0", "there is none"},
                              {"cudaSetDevice=46", "cudaSetDevice: "},
                              {"launch=700", "illegal memory access"},
                              {"cudaMemcpy2DAsync=700", "cudaMemcpy2DAsync: "}};
  for (const auto& [rules, reason] : faults)
    for (const char* device : {"cuda", "both"}) {
      const Outcome outcome = compare(rules, {"--device", device, golden_, result_});
      EXPECT_EQ(outcome.exit, 2) << rules << " " << device << ": " << outcome.err;
      EXPECT_NE(outcome.err.find(reason), std::string::npos) << rules << ": " << outcome.err;
      EXPECT_EQ(outcome.out.find("rmse"), std::string::npos) << outcome.out;
    }
}

TEST_F(CompareFaults, OfACardThatAutoTookLeaveThePairToTheCpu) {
  const std::string cpu = compare("", {"--device", "cpu", golden_, result_}).out;
  EXPECT_NE(cpu, "");
  for (const char* rules : {"devices=0", "cudaSetDevice=46", "cudaMalloc=2", "launch=700",
                            "cudaMemcpy2DAsync=700", "widen=719"})
    for (const char* milliseconds : {"0", "300"}) {
      const Outcome outcome = compare(rules, {"--device", "auto", golden_, result_}, milliseconds);
      EXPECT_EQ(outcome.out, cpu) << rules << " " << milliseconds;
      EXPECT_EQ(outcome.err, "") << rules << " " << milliseconds;
      EXPECT_EQ(outcome.exit, 1) << rules << " " << milliseconds;
    }
}

TEST_F(CompareFaults, OfAPairThatACardHasNoRoomForLeaveItToTheCpuWithANote) {
  const std::string cpu = compare("", {"--device", "cpu", golden_, result_}).out;
  // The second time the card's self-check is in the cache, so only pictures are allocated.
  compare("", {"--device", "cuda", golden_, result_});
  const Outcome outcome = compare("cudaMalloc=2", {"--device", "cuda", golden_, result_});
  EXPECT_EQ(outcome.out, cpu);
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_NE(outcome.err.find("cuimg: result/a.exr: cudaMalloc"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("; the CPU measures it, with the same figures\n"), std::string::npos)
      << outcome.err;
}

TEST_F(CompareFaults, OfACardThatAutoTookForAFolderLeaveAllToTheCpu) {
  const auto on = [&](const char* device) {
    return compare("launch=700",
                   {"--device", device, "--explain", "--jobs", "1", "golden", "result"}, "0");
  };
  const auto without_devices = [](const std::string& lines) {
    return std::regex_replace(lines, std::regex("\"device\":\"[^\"]*\","), "");
  };
  const Outcome outcome = on("auto");
  EXPECT_EQ(without_devices(outcome.out), without_devices(on("cpu").out));
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("\"device\":\"the CPU, since the card has failed: "),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("\"device\":\"auto: the CPU, since the card has failed\""),
            std::string::npos)
      << outcome.out;
}

TEST_F(CompareFaults, AreNoneWhereExplainSaysWhyTheCpuIsTaken) {
  const Outcome outcome = compare("", {"--explain", golden_, result_});
  EXPECT_NE(outcome.out.find("\"device\":\"auto: the CPU, not a card: for 1 such pair it would "
                             "save about 0 ms, and starting it takes 300 ms\""),
            std::string::npos)
      << outcome.out;
}

}  // namespace
}  // namespace cuimg::test

#endif
