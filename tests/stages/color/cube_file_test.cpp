// SPDX-License-Identifier: Apache-2.0
// .cube files: accepted files, and that each error is one line with the file and the line number.
#include "stages/color/lut/lut_file.h"

#include "support/process.h"
#include "support/test_stages.h"

#include <gtest/gtest.h>

namespace cuimg::test {
namespace {

class Cube : public testing::Test {
 protected:
  LutTables read(const std::string& text) const {
    return read_lut_file(folder_.write("t.cube", text), "t.cube");
  }
  std::string error(const std::string& text) const {
    return error_of([&] { read(text); });
  }
  TempDir folder_;
};

const std::string two_entries = "0 0 0\n1 1 1\n";
const std::string eight_entries = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n";

TEST_F(Cube, CurvesWithTitleCommentsDomainAndCrLf) {
  const LutTables file = read(
      "# made by hand\r\nTITLE \"a # title\"\r\n\r\nLUT_1D_SIZE 3 # three\r\nDOMAIN_MIN -1 -1 0\r\n"
      "DOMAIN_MAX 1 2 1\r\n0 0 0\r\n\t+0.5 .25 1e-2\r\n# between\r\n1 1 1.5\r\n");
  EXPECT_EQ(file.grid.size, 0);
  EXPECT_EQ(file.curves.size, 3);
  EXPECT_EQ(file.curves.lowest, (std::array<double, 3>{-1, -1, 0}));
  EXPECT_EQ(file.curves.highest, (std::array<double, 3>{1, 2, 1}));
  EXPECT_EQ(file.curves.entries,
            (std::vector<std::array<float, 3>>{{0, 0, 0}, {0.5f, 0.25f, 0.01f}, {1, 1, 1.5f}}));
}

TEST_F(Cube, KeywordsInLowerCase) {
  const LutTables file = read("title \"x y\"\nlut_3d_size 2\ndomain_max 2 2 2\n" + eight_entries);
  EXPECT_EQ(file.grid.size, 2);
  EXPECT_EQ(file.grid.highest, (std::array<double, 3>{2, 2, 2}));
  EXPECT_NE(error("lut_4d_size 2\n").find("'lut_4d_size' is no keyword"), std::string::npos);
}

TEST_F(Cube, BinaryFilesAreNamedAsSuch) {
  for (const std::string& bytes :
       {std::string("\x89PNG\r\n\x1a\n"), std::string("II*\0\x08\0\0\0", 8),
        std::string("v/1\x01\x02\0\0\0", 8) + std::string(9000, 'x'), std::string(9000, '\0')})
    EXPECT_EQ(error(bytes), "t.cube: it is no text, as .cube files are: give a .cube file");
}

TEST_F(Cube, AGridRedFastest) {
  const LutTables file = read("LUT_3D_SIZE 2\n" + eight_entries);
  EXPECT_EQ(file.curves.size, 0);
  EXPECT_EQ(file.grid.size, 2);
  EXPECT_EQ(file.grid.entries[1], (std::array<float, 3>{1, 0, 0}));
  EXPECT_EQ(file.grid.entries[4], (std::array<float, 3>{0, 0, 1}));
}

TEST_F(Cube, ResolvesCurvesBeforeAGrid) {
  const LutTables file =
      read("LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE -0.5 4\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 2\n" +
           two_entries + eight_entries);
  EXPECT_EQ(file.curves.entries.size(), 2u);
  EXPECT_EQ(file.grid.entries.size(), 8u);
  EXPECT_EQ(file.curves.lowest[2], -0.5);
  EXPECT_EQ(file.grid.highest[0], 2);
}

TEST_F(Cube, LastLineNeedsNoEnd) {
  EXPECT_EQ(read("LUT_1D_SIZE 2\n0 0 0\n1 1 1").curves.entries.size(), 2u);
}

TEST_F(Cube, NumbersTooSmallForAFloatAreZero) {
  EXPECT_EQ(read("LUT_1D_SIZE 2\n1e-60 0 0\n1 1 1\n").curves.entries[0][0], 0);
}

TEST_F(Cube, EachMistakeIsNamed) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "t.cube: it has neither LUT_1D_SIZE nor LUT_3D_SIZE: give a .cube file"},
      {"0 0 0\n",
       "t.cube: line 1: an entry comes before LUT_1D_SIZE or LUT_3D_SIZE: put the size "
       "before"},
      {"LUT_1D_SIZE 2\n0 0 0\n", "t.cube: it ends after 1 of 2 entries"},
      {"LUT_1D_SIZE 2\n" + two_entries + "1 1 1\n",
       "t.cube: line 4: there are more entries than the 2 that the size asks for"},
      {"LUT_1D_SIZE 1\n", "t.cube: line 1: '1' is not a size: use 2 to 65536"},
      {"LUT_1D_SIZE 65537\n", "t.cube: line 1: '65537' is not a size: use 2 to 65536"},
      {"LUT_3D_SIZE 257\n", "t.cube: line 1: '257' is not a size: use 2 to 256"},
      {"LUT_3D_SIZE 99999999999\n", "t.cube: line 1: '99999999999' is not a size: use 2 to 256"},
      {"LUT_3D_SIZE\n", "t.cube: line 1: 'LUT_3D_SIZE' is not a size: use 2 to 256"},
      {"LUT_3D_SIZE 2\nLUT_3D_SIZE 2\n", "t.cube: line 2: LUT_3D_SIZE is given twice"},
      {"LUT_1D_SIZE 2\n0 0\n", "t.cube: line 2: an entry of 2 numbers: give red, green and blue"},
      {"LUT_1D_SIZE 2\n0 0 zero\n", "t.cube: line 2: 'zero' is not a number"},
      {"LUT_1D_SIZE 2\n0 0 0,5\n", "t.cube: line 2: '0,5' is not a number"},
      {"LUT_1D_SIZE 2\n0 0 1e50\n", "t.cube: line 2: '1e50' is not a number"},
      {"LUT_1D_SIZE 2\n0 0 0\n-nan 0 0\n", "t.cube: line 3: '-nan' is not a number"},
      {"LUT_1D_SIZE 2\n0 0 0\ninf 0 0\n", "t.cube: line 3: 'inf' is not a number"},
      {"LUT_1D_SIZE 2\n0 0 0\nDOMAIN_MAX 2 2 2\n",
       "t.cube: line 3: DOMAIN_MAX comes after the first entry: put it before"},
      {"DOMAIN_MAX 2 2\n", "t.cube: line 1: DOMAIN_MAX has 2 numbers: give 3"},
      {"LUT_1D_SIZE 2\nDOMAIN_MAX 0 1 1\n" + two_entries,
       "t.cube: its input's range is empty: let the lowest be below the highest"},
      {"LUT_1D_SIZE 2\nLUT_3D_INPUT_RANGE 0 1\n" + two_entries,
       "t.cube: LUT_3D_INPUT_RANGE is given, but there is no such table"},
      {"LUT_1D_SIZE 2\nLUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\n" + two_entries + eight_entries,
       "t.cube: DOMAIN_MIN or DOMAIN_MAX is given with two tables: use LUT_1D_INPUT_RANGE and "
       "LUT_3D_INPUT_RANGE"},
      {"LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 1\nDOMAIN_MAX 2 2 2\n" + two_entries,
       "t.cube: DOMAIN_MIN or DOMAIN_MAX is given with LUT_1D_INPUT_RANGE: use one of them"},
      {"# " + std::string(5000, 'x') + "\n", "t.cube: line 1: it is longer than 4096 bytes"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(error(text), expected) << text.substr(0, 99);
  EXPECT_EQ(error("SIZE 3\n").rfind("t.cube: line 1: 'SIZE' is no keyword of .cube files", 0), 0u);
  EXPECT_EQ(error_of([&] { read_lut_file(folder_ / "none.cube", "none.cube"); }),
            "none.cube: no such file");
  EXPECT_EQ(error_of([&] { read_lut_file(folder_ / ".", "folder"); }).rfind("folder: it ", 0), 0u);
}

}  // namespace
}  // namespace cuimg::test
