// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --device`: the same report from every device, and an error if a named card does
// not exist.
#include "device/queue.h"
#include "io/codec.h"
#include "pictures.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

class CompareDevice : public testing::Test {
 protected:
  CompareDevice() {
    for (const char* folder : {"golden", "result"}) {
      const bool is_result = folder[0] == 'r';
      save(std::string(folder) + "/a.png", pattern(170, 165, 0, is_result));
      save(std::string(folder) + "/b.exr", pattern_of_light(61, 40, 1, is_result));
      save(std::string(folder) + "/c.png", pattern(20, 10, 2, false));
    }
  }
  void save(const std::string& name, const Image& image) const {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    write_image(path.string(), image, *codec_named(path.extension().string().substr(1)));
  }
  Outcome compare(std::vector<std::string> words) const {
    words.insert(words.begin(), {CUIMG_PROGRAM, "compare", "--json"});
    return run(words, {.folder = folder_.path().string()});
  }
  static bool has_card() { return !list_devices(false).devices.empty(); }

  TempDir folder_;
};

TEST_F(CompareDevice, AutoIsTheProcessor) {
  const Outcome cpu = compare({"--device", "cpu", "golden/a.png", "result/a.png"});
  EXPECT_EQ(cpu.exit, 1);
  EXPECT_EQ(compare({"golden/a.png", "result/a.png"}).out, cpu.out);
  EXPECT_EQ(compare({"--device", "auto", "golden/a.png", "result/a.png"}).out, cpu.out);
}

TEST_F(CompareDevice, ACardThatIsNamedHasToBeThere) {
  if (has_card()) GTEST_SKIP() << "there is a card";
  for (const char* device : {"cuda", "cuda:0", "both"})
    for (const auto& [golden, result] :
         {std::pair{"golden/a.png", "result/a.png"}, std::pair{"golden", "result"}}) {
      const Outcome outcome = compare({"--device", device, golden, result});
      EXPECT_EQ(outcome.exit, 2) << device << " " << golden;
      EXPECT_NE(outcome.err.find("cuimg: --device: "), std::string::npos) << outcome.err;
      EXPECT_EQ(outcome.out, "");
    }
}

TEST_F(CompareDevice, EveryDeviceGivesOneReport) {
  if (!has_card()) GTEST_SKIP() << list_devices(false).problem;
  for (const auto& [golden, result] :
       {std::pair{"golden/a.png", "result/a.png"}, std::pair{"golden/b.exr", "result/b.exr"},
        std::pair{"golden", "result"}}) {
    const Outcome cpu = compare({"--device", "cpu", golden, result});
    EXPECT_EQ(cpu.exit, 1) << cpu.err;
    for (const char* device : {"cuda", "both"}) {
      const Outcome outcome = compare({"--device", device, golden, result});
      EXPECT_EQ(outcome.exit, 1) << outcome.err;
      EXPECT_EQ(outcome.out, cpu.out) << device;
    }
  }
}

}  // namespace
}  // namespace cuimg::test
