// SPDX-License-Identifier: Apache-2.0
// The whole program on a card that fails: `--device auto` finishes on the CPU with the same bytes,
// `--device cuda` reports the reason and writes nothing. The fake runtime aborts on a call after an
// error that broke the context.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/images.h"
#include "support/process.h"

#ifdef CUIMG_FAULTS_PROGRAM

namespace cuimg::test {
namespace {

struct Fault {
  const char* rules;
  const char* reason;  ///< The part of the error that must appear.
};

// Every error code at the call where drivers return it, and at later calls.
constexpr Fault faults[] = {{"cudaGetDeviceCount=35", "cudaGetDeviceCount: CUDA driver version"},
                            {"cudaGetDeviceCount=100", "cudaGetDeviceCount: no CUDA-capable"},
                            {"cudaGetDeviceCount=46", "cudaGetDeviceCount: "},
                            {"devices=0", "there is none"},
                            {"capability=7.0", "too old"},
                            {"cudaSetDevice=46", "cudaSetDevice: "},
                            {"cudaStreamCreateWithFlags=2", "out of memory"},
                            {"cudaMalloc=2", "cudaMalloc: out of memory"},
                            {"cudaMallocArray=2", "cudaMallocArray: out of memory"},
                            {"cudaMallocHost=2", "cudaMallocHost: out of memory"},
                            {"cudaMalloc=2:3", "cudaMalloc: out of memory"},
                            {"launch=2", "out of memory"},
                            {"launch=700", "illegal memory access"},
                            {"launch=719", "unspecified launch failure"},
                            {"launch=719:33", "unspecified launch failure"},
                            {"launch=700:33", "illegal memory access"},
                            {"launch=2:33", "out of memory"},
                            {"launch=46:33", "busy"},
                            {"cudaMemcpy2DAsync=700", "cudaMemcpy2DAsync: "},
                            {"cudaEventRecord=719", "cudaEventRecord: "}};

class DeviceFaults : public testing::Test {
 protected:
  DeviceFaults() {
    write_image(input, noise(spec_of({0, 0, 90, 70}, PixelType::half, 4)), *codec_named("exr"));
    const Outcome outcome = resize("", {"--device", "cpu"}, "cpu.exr");
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    expected = read_file(folder / "cpu.exr");
    EXPECT_FALSE(expected.empty());
  }

  Outcome resize(const std::string& rules, std::vector<std::string> options,
                 const std::string& output, const std::string& threshold = "0",
                 const std::string& cache = "cache") const {
    std::vector<std::string> words = {CUIMG_FAULTS_PROGRAM, "resize", "--size", "40%"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {input, folder / output});
    return run(words,
               {.environment = {"CUIMG_FAKE_CUDA=" + rules, "CUIMG_AUTO_CARD_MS=" + threshold,
                                "XDG_CACHE_HOME=" + (folder / cache)}});
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder / name); }

  TempDir folder;
  std::string input = folder / "in.exr";
  std::string expected;
};

std::ptrdiff_t lines_of(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

int warnings_in(const std::string& text) {
  int count = 0;
  const std::string warning = "; the CPU does it instead\n";
  for (std::size_t at = text.find(warning); at != std::string::npos;
       at = text.find(warning, at + 1))
    ++count;
  return count;
}

TEST_F(DeviceFaults, AutoFinishesOnTheCpuWithTheSameBytes) {
  int number = 0;
  for (const Fault& fault : faults) {
    const std::string name = "auto" + std::to_string(++number) + ".exr";
    const std::string cache = "cache" + std::to_string(number);  // empty: the self-check runs
    const Outcome quiet = resize(fault.rules, {}, name, "0", cache);
    EXPECT_EQ(quiet.exit, 0) << fault.rules << ": " << quiet.err;
    // A machine without a card is normal for --device auto; a card that is not used is reported.
    const bool has_card = std::string(fault.rules) != "cudaGetDeviceCount=100" &&
                          std::string(fault.rules) != "devices=0";
    EXPECT_EQ(warnings_in(quiet.err), has_card ? 1 : 0) << fault.rules << ": " << quiet.err;
    EXPECT_EQ(lines_of(quiet.err), has_card ? 1 : 0) << fault.rules << ": " << quiet.err;
    if (has_card) {
      EXPECT_NE(quiet.err.find(fault.reason), std::string::npos) << quiet.err;
    }
    EXPECT_EQ(resize(fault.rules, {"-q"}, name, "0", cache + "q").err, "") << fault.rules;
    EXPECT_TRUE(read_file(folder / name) == expected) << fault.rules;
    const Outcome verbose = resize(fault.rules, {"-v"}, name, "0", cache + "v");
    EXPECT_EQ(verbose.exit, 0) << fault.rules << ": " << verbose.err;
    EXPECT_NE(verbose.err.find("; the CPU does it instead"), std::string::npos)
        << fault.rules << ": " << verbose.err;
    EXPECT_NE(verbose.err.find(fault.reason), std::string::npos) << fault.rules << verbose.err;
    EXPECT_EQ(warnings_in(verbose.err), 1) << fault.rules << ": " << verbose.err;
    EXPECT_TRUE(read_file(folder / name) == expected) << fault.rules;
  }
}

TEST_F(DeviceFaults, CudaAndBothAreErrorsThatSayWhyAndWriteNothing) {
  int number = 0;
  for (const Fault& fault : faults)
    for (const char* device : {"cuda", "both"}) {
      const std::string cache = "cache" + std::to_string(++number);
      const Outcome outcome = resize(fault.rules, {"--device", device}, "out.exr", "0", cache);
      EXPECT_EQ(outcome.exit, 2) << fault.rules << " " << device << ": " << outcome.err;
      EXPECT_EQ(outcome.out, "");
      EXPECT_TRUE(outcome.err.starts_with("cuimg: ")) << fault.rules << outcome.err;
      EXPECT_NE(outcome.err.find(fault.reason), std::string::npos) << fault.rules << outcome.err;
      EXPECT_EQ(lines_of(outcome.err), 1) << fault.rules << ": " << outcome.err;
      EXPECT_FALSE(exists("out.exr")) << fault.rules << " " << device;
    }
}

TEST_F(DeviceFaults, AnExistingTargetStaysWhenTheCardFails) {
  folder.write("out.exr", "precious");
  for (const char* rules : {"cudaGetDeviceCount=100", "launch=719:33"})
    EXPECT_EQ(resize(rules, {"--device", "cuda"}, "out.exr").exit, 2);
  EXPECT_EQ(read_file(folder / "out.exr"), "precious");
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_FALSE(entry.path().filename().string().starts_with("out.exr.")) << entry.path();
}

TEST_F(DeviceFaults, SmallWorkAsksNoCard) {
  // The fake runtime would abort at another launch after the first one.
  const Outcome outcome = resize("launch=719", {}, "small.exr", "300");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(read_file(folder / "small.exr") == expected);
  const Outcome verbose = resize("cudaGetDeviceCount=100", {"-v"}, "small.exr", "300");
  EXPECT_NE(verbose.err.find("no CUDA-capable"), std::string::npos) << verbose.err;
  EXPECT_EQ(warnings_in(verbose.err), 1) << verbose.err;
}

TEST_F(DeviceFaults, ACardThatIsLostHalfWayLeavesTheRestToTheCpu) {
  std::vector<std::string> words = {CUIMG_FAULTS_PROGRAM, "resize", "--size", "40%", "-j", "1"};
  constexpr int images = 24;
  for (int i = 0; i < images; ++i) {
    const std::string name = "lost" + std::to_string(i) + ".exr";
    std::filesystem::copy_file(input, folder / name);
    words.push_back(folder / name);
  }
  words.insert(words.end(), {"-o", folder / "half/"});
  const auto run_with = [&](const std::string& rules) {
    return run(words, {.environment = {"CUIMG_FAKE_CUDA=" + rules, "CUIMG_AUTO_CARD_MS=0",
                                       "XDG_CACHE_HOME=" + (folder / "cache")}});
  };
  // Kernels of this fake card do nothing, so images made before the failure have no real pixels.
  // The self-check launches some kernels, then each image does.
  const Outcome outcome = run_with("kernels=skip,launch=719:50");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("; the CPU does the rest"), std::string::npos) << outcome.err;
  for (int i = 0; i < images; ++i)
    EXPECT_TRUE(exists("half/lost" + std::to_string(i) + ".exr")) << i;
  for (const char* name : {"half/lost8.exr", "half/lost9.exr"})  // the last ones in order
    EXPECT_TRUE(read_file(folder / name) == expected) << name;
}

TEST_F(DeviceFaults, OfSeveralCardsALostOneLeavesItsImagesToTheOthers) {
  std::vector<std::string> inputs;
  for (int i = 0; i < 12; ++i) {
    const std::string name = "of" + std::to_string(i) + ".exr";
    std::filesystem::copy_file(input, folder / name);
    inputs.push_back(folder / name);
  }
  // Kernels of these fake cards do nothing.
  const auto run_on = [&](const std::string& cards, const std::string& rules,
                          const std::string& jobs) {
    std::vector<std::string> words = {
        CUIMG_FAULTS_PROGRAM, "resize", "--size", "40%", "-j", jobs, "--device", cards, "--trace",
        folder / "trace.json"};
    words.insert(words.end(), inputs.begin(), inputs.end());
    words.insert(words.end(), {"-o", folder / "cards/"});
    return run(words,
               {.environment = {"CUIMG_FAKE_CUDA=devices=3,kernels=skip,calls=overlap," + rules,
                                "XDG_CACHE_HOME=" + (folder / "cache")}});
  };
  const Outcome all = run_on("cuda", "", "4");
  EXPECT_EQ(all.exit, 0) << all.err;
  EXPECT_EQ(all.err, "");
  const Outcome lost = run_on("cuda:1,2", "launch@1=719", "4");
  EXPECT_EQ(lost.exit, 0) << lost.err;
  EXPECT_EQ(lines_of(lost.err), 1) << lost.err;
  EXPECT_NE(lost.err.find("cuda:1: "), std::string::npos) << lost.err;
  EXPECT_NE(lost.err.find("; the other cards do its work"), std::string::npos) << lost.err;
  EXPECT_NE(read_file(folder / "trace.json").find("cuda:2 kernels"), std::string::npos);
  for (int i = 0; i < 12; ++i) EXPECT_TRUE(exists("cards/of" + std::to_string(i) + ".exr")) << i;
  const Outcome none = run_on("cuda", "launch@0=719,launch@1=719,launch@2=719", "1");
  EXPECT_EQ(none.exit, 2);
  EXPECT_NE(none.err.find("--device: "), std::string::npos) << none.err;
}

TEST_F(DeviceFaults, ManyImagesAllFinishAfterTheCardBroke) {
  for (const char* name : {"in2.exr", "in3.exr"}) std::filesystem::copy_file(input, folder / name);
  // With several threads, one may be in a call while another thread's call breaks the context.
  for (const char* jobs : {"1", "3"}) {
    const std::string output = std::string("many") + jobs + "/";
    const Outcome outcome =
        run({CUIMG_FAULTS_PROGRAM, "resize", "--size", "40%", "--jobs", jobs, input,
             folder / "in2.exr", folder / "in3.exr", "-o", folder / output},
            {.environment = {std::string("CUIMG_FAKE_CUDA=launch=719:33") +
                                 (*jobs == '1' ? "" : ",calls=overlap"),
                             "CUIMG_AUTO_CARD_MS=0", "XDG_CACHE_HOME=" + (folder / "cache1")}});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    for (const char* name : {"in.exr", "in2.exr", "in3.exr"})
      EXPECT_TRUE(read_file(folder / (output + name)) == expected) << name;
  }
}

TEST_F(DeviceFaults, TheThresholdMustBeANumber) {
  const Outcome outcome = resize("", {}, "out.exr", "soon");
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err, "cuimg: CUIMG_AUTO_CARD_MS: soon is not a number: use at least 0\n");
  EXPECT_FALSE(exists("out.exr"));
}

}  // namespace
}  // namespace cuimg::test

#endif
