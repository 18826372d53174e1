// SPDX-License-Identifier: Apache-2.0
// `cuimg compare` for files with mip or rip levels: every level is compared.
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfTileDescription.h>
#include <OpenEXR/ImfTiledOutputFile.h>

#include <optional>

#include "compare_program.h"

namespace cuimg::test {
namespace {

struct Place {
  int across = 0, down = 0;
};

// One channel that is 0.5 everywhere, except for the first pixel of the level `changed`.
void write_levels(const std::string& path, Imf::LevelMode mode, std::optional<Place> changed = {}) {
  constexpr int width = 40, height = 24;
  Imf::Header header(width, height);
  header.channels().insert("Y", Imf::Channel(Imf::FLOAT));
  header.setTileDescription(Imf::TileDescription(16, 16, mode));
  Imf::TiledOutputFile file(path.c_str(), header);
  std::vector<float> pixels(static_cast<std::size_t>(width) * height, 0.5f);
  Imf::FrameBuffer buffer;
  buffer.insert("Y", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(pixels.data()), sizeof(float),
                                width * sizeof(float)));
  file.setFrameBuffer(buffer);
  for (int down = 0; down < file.numYLevels(); ++down)
    for (int across = 0; across < file.numXLevels(); ++across) {
      if (!file.isValidLevel(across, down)) continue;
      if (mode == Imf::MIPMAP_LEVELS && across != down) continue;
      pixels[0] = changed && changed->across == across && changed->down == down ? 0.75f : 0.5f;
      file.writeTiles(0, file.numXTiles(across) - 1, 0, file.numYTiles(down) - 1, across, down);
    }
}

class CompareLevels : public CompareProgramTest {
 protected:
  CompareLevels() {
    write_levels(folder_ / "mip.exr", Imf::MIPMAP_LEVELS);
    write_levels(folder_ / "one.exr", Imf::ONE_LEVEL);
    write_levels(folder_ / "rip.exr", Imf::RIPMAP_LEVELS);
    write_levels(folder_ / "mip3.exr", Imf::MIPMAP_LEVELS, Place{3, 3});
    write_levels(folder_ / "rip21.exr", Imf::RIPMAP_LEVELS, Place{2, 1});
  }
};

TEST_F(CompareLevels, AnotherNumberOfLevelsIsADifference) {
  const Outcome outcome = compare({"mip.exr", "one.exr"});
  EXPECT_EQ(outcome.exit, 1);
  expect_contains(outcome.out, "the file has 1 level, the golden 6 mip levels");
  EXPECT_EQ(report({"one.exr", "mip.exr"})["reason_codes"], nlohmann::json({"levels"}));
  expect_contains(compare({"mip.exr", "rip.exr"}).out,
                  "the file has 6x5 rip levels, the golden 6 mip levels");
  const Outcome allowed = compare({"mip.exr", "one.exr", "--allow-levels"});
  EXPECT_EQ(allowed.exit, 0);
  expect_contains(allowed.out, "allowed: the file has 1 level, the golden 6 mip levels");
}

TEST_F(CompareLevels, ALevelThatDiffersIsNamed) {
  const Outcome outcome = compare({"mip.exr", "mip3.exr"});
  EXPECT_EQ(outcome.exit, 1);
  expect_contains(outcome.out,
                  "level 3: Y: 1 of 15 pixels differ; at 0,0 Y is 0.75, golden has 0.5");
  expect_contains(outcome.out, "level 3: 0,0 Y: golden 0.5, result 0.75");
  const nlohmann::json found = report({"mip.exr", "mip3.exr"});
  EXPECT_EQ(found["reason_codes"], nlohmann::json({"pixels"}));
  EXPECT_EQ(found["metrics"]["first"]["level"], "3");
  ASSERT_EQ(found["layers"].size(), 4u) << "no level after the first that fails";
  EXPECT_FALSE(found["layers"][0].contains("level"));
  EXPECT_EQ(found["layers"][3]["level"], "3");
  expect_contains(compare({"rip.exr", "rip21.exr"}).out, "level 2,1: Y: 1 of 120 pixels differ");
}

TEST_F(CompareLevels, LimitsHoldForEveryLevel) {
  EXPECT_EQ(compare({"mip.exr", "mip3.exr", "--fail", "0.3"}).exit, 0);
  EXPECT_EQ(report({"mip.exr", "mip3.exr", "--fail", "0.3"})["layers"].size(), 6u);
  EXPECT_EQ(compare({"mip.exr", "mip3.exr", "--fail", "0.1"}).exit, 1);
}

TEST_F(CompareLevels, OneLevelCanBeComparedAlone) {
  EXPECT_EQ(compare({"mip.exr", "mip3.exr", "--mip-level", "2"}).exit, 0);
  EXPECT_EQ(compare({"mip.exr", "mip3.exr", "--mip-level", "3"}).exit, 1);
  EXPECT_EQ(compare({"mip.exr", "mip3.exr", "--allow-levels"}).exit, 0);
}

TEST_F(CompareLevels, RegionsAreThoseOfTheLargest) {
  const Outcome outcome = compare({"mip.exr", "mip3.exr", "--ignore", "0,0,4,4"});
  EXPECT_EQ(outcome.exit, 0);
  expect_contains(outcome.out,
                  "only the largest level was compared, because of --ignore or --mask");
}

TEST_F(CompareLevels, AReportShowsTheLevelThatDiffers) {
  EXPECT_EQ(compare({"mip.exr", "mip3.exr", "--html", "report"}).exit, 1);
  const std::string page = text("report/index.html");
  expect_contains(page, "\"number\":0,\"level\":\"3\"");
  expect_contains(text("report/pairs/0000-1.js"), "0000-1");
  expect_contains(compare({"mip.exr", "mip3.exr", "--show"}).out, "level 3: Y");
  folder_.write("results.json", compare({"mip.exr", "mip3.exr", "--json"}).out);
  EXPECT_EQ(compare({"--from", "results.json", "--html", "stored"}).exit, 0);
  expect_contains(text("stored/index.html"), "the largest level alone is shown");
}

TEST_F(CompareLevels, ABrokenLevelIsNoGolden) {
  const std::string bytes = text("mip3.exr");
  // The smallest levels are stored last.
  folder_.write("broken.exr", bytes.substr(0, bytes.size() - 2));
  const Outcome outcome = compare({"--update", "--yes", "new.exr", "broken.exr"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_FALSE(exists("new.exr"));
}

}  // namespace
}  // namespace cuimg::test
