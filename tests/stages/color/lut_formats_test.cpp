// SPDX-License-Identifier: Apache-2.0
// .spi1d, .spi3d, .3dl and .csp files: hand-made tables, the order of their axes, and that each
// error is one line that names it.
#include "stages/color/lut/lut_file.h"
#include "support/images.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

using Entry = std::array<float, 3>;

class LutFormats : public testing::Test {
 protected:
  LutTables read(const std::string& name, const std::string& text,
                 LutExtent extent = LutExtent::all) const {
    return read_lut_file(folder_.write(name, text), name, extent);
  }
  std::string error(const std::string& name, const std::string& text) const {
    return error_of([&] { read(name, text); });
  }
  std::vector<float> pixel(const std::string& name, const std::string& text,
                           const std::vector<float>& values) const {
    const std::string file = folder_.write(name, text);
    const Spec spec = spec_of({0, 0, 1, 1}, PixelType::f32, static_cast<int>(values.size()));
    const Image made = run_chain("lut --file " + file, image_of(spec, [&](int, int, int, int c) {
                                   return values[static_cast<std::size_t>(c)];
                                 }));
    std::vector<float> result;
    for (int c = 0; c < made.spec().layers[0].channel_count(); ++c)
      result.push_back(value_at(made, 0, 0, c));
    return result;
  }
  TempDir folder_;
};

// Entries that contain their position: red in hundreds, green in tens, blue in ones.
Entry place(int r, int g, int b) {
  return {static_cast<float>(r) / 4, static_cast<float>(g) / 8, static_cast<float>(b) / 16};
}
void expect_places(const LutTables& made, int size) {
  ASSERT_EQ(made.grid.size, size);
  ASSERT_EQ(made.grid.entries.size(), static_cast<std::size_t>(size * size * size));
  std::size_t at = 0;
  for (int b = 0; b < size; ++b)
    for (int g = 0; g < size; ++g)
      for (int r = 0; r < size; ++r) EXPECT_EQ(made.grid.entries[at++], place(r, g, b));
}
std::string text_of(const Entry& entry) {
  return format_value(entry[0]) + " " + format_value(entry[1]) + " " + format_value(entry[2]);
}

TEST_F(LutFormats, Spi1dHasOneOrThreeCurvesOverARange) {
  const std::string head = "Version 1\nFrom -0.5 1.5\nLength 3\n";
  const LutTables three =
      read("t.spi1d", head + "Components 3\r\n{\r\n 0 0.25 1\n 0.5 1e-1 .5\n+1 -2 0\n}\n");
  EXPECT_EQ(three.grid.size, 0);
  EXPECT_EQ(three.curves.lowest, (std::array<double, 3>{-0.5, -0.5, -0.5}));
  EXPECT_EQ(three.curves.highest[2], 1.5);
  EXPECT_EQ(three.curves.entries,
            (std::vector<Entry>{{0, 0.25f, 1}, {0.5f, 0.1f, 0.5f}, {1, -2, 0}}));
  const std::string one = head + "Components 1\n{\n0\n0.5\n4\n}\n";
  EXPECT_EQ(read("t.SPI1D", one).curves.entries,
            (std::vector<Entry>{{0, 0, 0}, {0.5f, 0.5f, 0.5f}, {4, 4, 4}}));
  // Half way between 0.5 in the middle and 1.5 at the end; values beyond the range are clamped.
  EXPECT_EQ(pixel("t.spi1d", one, {1, -7, 9}), (std::vector<float>{2.25f, 0, 4}));
  // With one curve a grey picture stays grey.
  EXPECT_EQ(pixel("t.spi1d", one, {1}), (std::vector<float>{2.25f}));
}

TEST_F(LutFormats, Spi3dNamesEachPlaceInAnyOrder) {
  std::string blue_fastest, red_fastest;
  for (int i = 0; i < 27; ++i) {
    const int slow = i / 9, middle = i / 3 % 3, fast = i % 3;
    const auto line = [](int r, int g, int b) {
      return std::to_string(r) + " " + std::to_string(g) + " " + std::to_string(b) + " " +
             text_of(place(r, g, b)) + "\n";
    };
    blue_fastest += line(slow, middle, fast);
    red_fastest = line(fast, middle, slow) + red_fastest;
  }
  const std::string head = "SPILUT 1.0\n3 3\n3 3 3\n";
  expect_places(read("t.spi3d", head + blue_fastest), 3);
  expect_places(read("t.spi3d", head + red_fastest), 3);
  EXPECT_EQ(pixel("t.spi3d", head + blue_fastest, {1, 0.5f, 0}),
            (std::vector<float>{0.5f, 0.125f, 0}));
  const LutTables begun = read("t.spi3d", head, LutExtent::before_grid);
  EXPECT_EQ(begun.grid.size, 3);
  EXPECT_TRUE(begun.grid.entries.empty());
}

// Codes of 10 bits, blue fastest.
std::string codes(int size, int step) {
  std::string text;
  for (int r = 0; r < size; ++r)
    for (int g = 0; g < size; ++g)
      for (int b = 0; b < size; ++b)
        text += std::to_string(step * r) + " " + std::to_string(2 * step * g) + " " +
                std::to_string(3 * step * b) + "\n";
  return text;
}

TEST_F(LutFormats, LustreHasCodesWithBlueFastest) {
  for (const std::string& head :
       {std::string("0 512 1023\n"), std::string("# of a film\n3DMESH\nMesh 1 10\n0 512 1023\n")}) {
    const LutTables made = read("t.3dl", head + codes(3, 100) + "\nLUT8\ngamma 1.0\n");
    ASSERT_EQ(made.grid.entries.size(), 27u);
    EXPECT_EQ(made.grid.entries[1], (Entry{100 / 1023.0f, 0, 0}));
    EXPECT_EQ(made.grid.entries[3], (Entry{0, 200 / 1023.0f, 0}));
    EXPECT_EQ(made.grid.entries[9], (Entry{0, 0, 300 / 1023.0f}));
  }
  EXPECT_EQ(pixel("t.3dl", "0 1023\n" + codes(2, 341), {1, 0, 1}),
            (std::vector<float>{341 / 1023.0f, 0, 1}));
}

TEST_F(LutFormats, LustresBitsFollowFromItsLargestCode) {
  // 8 bits up to 511, 10 to 2047, 12 to 8191, 16 beyond 32767.
  for (const auto& [largest, white] :
       {std::pair{255, 255}, {511, 255}, {512, 1023}, {1023, 1023}, {4095, 4095}, {65535, 65535}}) {
    std::string text = "0 255\n";
    for (int i = 0; i < 7; ++i) text += "0 0 0\n";
    const LutTables made = read("t.3dl", text + "0 " + std::to_string(largest) + " 0\n");
    EXPECT_EQ(made.grid.entries[7][1], static_cast<float>(static_cast<double>(largest) / white))
        << largest;
  }
  // Unless the file states the bits.
  EXPECT_EQ(read("t.3dl", "Mesh 0 12\n0 4095\n" + codes(2, 1)).grid.entries[1][0], 1 / 4095.0f);
}

const std::string range_shapers = "2\n-1 1\n0 1\n\n2\n0 2\n0 1\n2\n0 1\n0 1\n\n";

TEST_F(LutFormats, CspHasCurvesOrAGridWithRedFastest) {
  const LutTables curves =
      read("t.csp", "CSPLUTV100\r\n1D\r\n\r\n" + range_shapers + "2\n0 0 0\n1 0.5 2\n");
  EXPECT_EQ(curves.curves.lowest, (std::array<double, 3>{-1, 0, 0}));
  EXPECT_EQ(curves.curves.highest, (std::array<double, 3>{1, 2, 1}));
  EXPECT_EQ(curves.curves.entries, (std::vector<Entry>{{0, 0, 0}, {1, 0.5f, 2}}));
  std::string grid = "CSPLUTV100\n3D\n\nBEGIN METADATA\n2\nfilm 5 stops\nEND METADATA\n\n" +
                     range_shapers + "3 3 3\n";
  for (int i = 0; i < 27; ++i) grid += text_of(place(i % 3, i / 3 % 3, i / 9)) + "\n";
  const LutTables made = read("t.csp", grid);
  EXPECT_EQ(made.curves.size, 0);
  EXPECT_EQ(made.grid.highest, (std::array<double, 3>{1, 2, 1}));
  expect_places(made, 3);
  EXPECT_EQ(pixel("t.csp", grid, {0, 2, 0.5f}), (std::vector<float>{0.25f, 0.25f, 0.0625f}));
}

TEST_F(LutFormats, CspsShapersThatAreNoRangeAreCurvesBeforeTheGrid) {
  std::string text = "CSPLUTV100\n3D\n";
  for (int c = 0; c < 3; ++c) text += "2\n0 4\n0.5 1\n";
  text += "2 2 2\n";
  for (int i = 0; i < 8; ++i) text += text_of(place(i % 2, i / 2 % 2, i / 4)) + "\n";
  // 2 of 4 is half way between 0.5 and 1 of the grid, and 4 is its end.
  EXPECT_EQ(pixel("t.csp", text, {2, 4, 0}), (std::vector<float>{0.1875f, 0.125f, 0.03125f}));
}

TEST_F(LutFormats, CspsShapersAreLinearFromPointToPoint) {
  std::string text = "CSPLUTV100\n3D\n";
  text += "3\n0 1 4\n0 0.5 1\n";          // the points lie on 4 steps,
  text += "4\n-1 1 3 5\n0 0.25 1 0.5\n";  // on 3
  text += "2\n0 2\n0 1\n2 2 2\n";         // and on any
  for (int i = 0; i < 8; ++i)
    text += std::to_string(i % 2) + " " + std::to_string(i / 2 % 2) + " " + std::to_string(i / 4) +
            "\n";
  EXPECT_EQ(read("t.csp", text).curves.size, 13);
  const std::vector<std::pair<std::vector<float>, std::vector<float>>> pixels = {
      {{0, -1, 0}, {0, 0, 0}},
      {{1, 1, 1}, {0.5f, 0.25f, 0.5f}},
      {{0.5f, 0, 2}, {0.25f, 0.125f, 1}},
      {{2.5f, 2, 9}, {0.75f, 0.625f, 1}},
      {{4, 3, -1}, {1, 1, 0}},
      {{7, 4, 0}, {1, 0.75f, 0}}};
  for (const auto& [in, out] : pixels)
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(pixel("t.csp", text, in)[c], out[c], 1e-6f) << in[0] << " " << c;
}

// As programs write them: many points in one line, thirds with six digits.
TEST_F(LutFormats, CspsShapersMayBeLong) {
  std::string from, to;
  for (int i = 0; i < 1024; ++i) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6f ", i / 1023.0);
    from += text;
    to += std::to_string(i % 2) + " ";
  }
  std::string grid;
  for (int i = 0; i < 8; ++i) grid += "0.5 0.5 0.5\n";
  std::string file = "CSPLUTV100\n3D\n";
  for (int c = 0; c < 3; ++c) file += "1024\n" + from + "\n" + to + "\n";
  const LutTables made = read("t.csp", file + "2 2 2\n" + grid);
  EXPECT_EQ(made.curves.size, 1024);
  EXPECT_EQ(made.curves.entries[1023], (Entry{1, 1, 1}));
  EXPECT_EQ(made.curves.entries[512], (Entry{0, 0, 0}));
}

TEST_F(LutFormats, EachMistakeIsNamed) {
  const std::string spi1d = "Version 1\nFrom 0 1\nLength 2\nComponents 1\n";
  const std::string spi3d = "SPILUT 1.0\n3 3\n2 2 2\n", csp = "CSPLUTV100\n1D\n";
  const std::string shapers = "2\n0 1\n0 1\n2\n0 1\n0 1\n2\n0 1\n0 1\n";
  std::string uneven_shapers;
  for (int c = 0; c < 3; ++c)
    uneven_shapers += "5\n0 0.0000031 0.00000577 0.000009 1\n0 0.1 0.2 0.3 1\n";
  struct Mistake {
    std::string name, text, expected;
  };
  const Mistake mistakes[] = {
      {"t.spi1d", "", "t.spi1d: it ends before its {"},
      {"t.spi1d", "Version 1\n{\n", "t.spi1d: line 2: Length is missing before the {"},
      {"t.spi1d", "Version 2\nLength 2\nComponents 1\n{\n", "t.spi1d: it is of version 2: use 1"},
      {"t.spi1d", "Length 2\nLength 2\n", "t.spi1d: line 2: it is given twice"},
      {"t.spi1d", "Version 1\nLength 99999999\nComponents 1\n{\n",
       "t.spi1d: line 4: '99999999' is not a size: use 2 to 65536"},
      {"t.spi1d", "Version 1\nLength 2\nComponents 2\n{\n",
       "t.spi1d: it has 2 components: use 1 or 3"},
      {"t.spi1d", "From 1 0\nVersion 1\nLength 2\nComponents 1\n{\n",
       "t.spi1d: From is an empty range: let the first be below the second"},
      {"t.spi1d", "From 0 nan\n", "t.spi1d: line 1: 'nan' is not a number"},
      {"t.spi1d", "Gamma 2\n",
       "t.spi1d: line 1: 'Gamma' is no keyword of .spi1d files: Version, From, Length and "
       "Components are"},
      {"t.spi1d", spi1d + "{\n0\n", "t.spi1d: it ends before its }, after 1 of 2 entries"},
      {"t.spi1d", spi1d + "{\n0\n}\n", "t.spi1d: line 7: there are 1 of the 2 entries of Length"},
      {"t.spi1d", spi1d + "{\n0\n1\n2\n}\n",
       "t.spi1d: line 8: there are more entries than the 2 of Length"},
      {"t.spi1d", spi1d + "{\n0\n1\n}\n2\n", "t.spi1d: line 9: there is more after the }"},
      {"t.spi1d", spi1d + "{\n0 0\n",
       "t.spi1d: line 6: an entry of 2 numbers: give one, as Components says"},
      {"t.spi1d", spi1d + "{\ninf\n", "t.spi1d: line 6: 'inf' is not a number"},
      {"t.spi3d", "LUT\n", "t.spi3d: line 1: it does not begin with SPILUT: give a .spi3d file"},
      {"t.spi3d", "SPILUT 1.0\n3 4\n",
       "t.spi3d: line 2: it is not from three channels to three: use 3 3"},
      {"t.spi3d", "SPILUT 1.0\n3 3\n2 2 3\n",
       "t.spi3d: line 3: its axes differ in size: give the same size three times"},
      {"t.spi3d", "SPILUT 1.0\n3 3\n999 999 999\n",
       "t.spi3d: line 3: '999' is not a size: use 2 to 256"},
      {"t.spi3d", spi3d + "0 0 0 0 0 0\n0 0 0 1 1 1\n",
       "t.spi3d: line 5: that entry is there twice"},
      {"t.spi3d", spi3d + "0 0 2 0 0 0\n", "t.spi3d: line 4: '2' is no position: use 0 to 1"},
      {"t.spi3d", spi3d + "0 0 -1 0 0 0\n", "t.spi3d: line 4: '-1' is no position: use 0 to 1"},
      {"t.spi3d", spi3d + "0 0 0.5 0 0 0\n", "t.spi3d: line 4: '0.5' is not a number"},
      {"t.spi3d", spi3d + "0 0 0\n",
       "t.spi3d: line 4: an entry of 3 numbers: give 3 places, red, green and blue"},
      {"t.spi3d", spi3d + "0 0 0 0 0 0\n", "t.spi3d: it ends after 1 of 8 entries"},
      {"t.3dl", "", "t.3dl: it ends before the places on its axes"},
      {"t.3dl", "0\n", "t.3dl: line 1: '1' is not a size: use 2 to 256"},
      {"t.3dl", "0 10 1023\n",
       "t.3dl: line 1: the places on its axes are not in even steps from 0: write the table with "
       "even steps, or as a .cube file"},
      {"t.3dl", "9 1023\n",
       "t.3dl: line 1: the places on its axes are not in even steps from 0: write the table with "
       "even steps, or as a .cube file"},
      {"t.3dl", "0 0\n",
       "t.3dl: line 1: the places on its axes are not in even steps from 0: write the table with "
       "even steps, or as a .cube file"},
      {"t.3dl", "Mesh 4 40\n", "t.3dl: line 1: its entries have 40 bits: use 8 to 16"},
      {"t.3dl", "Cube 4\n",
       "t.3dl: line 1: 'Cube' is no keyword of .3dl files: 3DMESH and Mesh are"},
      {"t.3dl", "0 1023\n0 0 0.5\n", "t.3dl: line 2: '0.5' is not a number"},
      {"t.3dl", "0 1023\n0 0 -5\n", "t.3dl: line 2: '-5' is no code: use 0 to 65535"},
      {"t.3dl", "0 1023\n0 0 70000\n", "t.3dl: line 2: '70000' is no code: use 0 to 65535"},
      {"t.3dl", "0 1023\n0 0\n", "t.3dl: line 2: an entry of 2 numbers: give red, green and blue"},
      {"t.3dl", "0 1023\n0 0 0\n", "t.3dl: it ends after 1 of 8 entries"},
      {"t.3dl", "0 1023\n" + codes(2, 9) + "0 0 0\n",
       "t.3dl: line 10: there are more entries than the 8 of its axes"},
      {"t.3dl", "0 1023\n" + codes(2, 9) + "gamma 2.2\n",
       "t.3dl: line 10: 'gamma' is not understood after the entries: LUT8 and gamma 1.0 are"},
      {"t.csp", "2\n", "t.csp: line 1: it does not begin with CSPLUTV100: give a .csp file"},
      {"t.csp", "CSPLUTV100\n2D\n", "t.csp: line 2: '2D' is no kind of .csp file: use 1D or 3D"},
      {"t.csp", csp + "BEGIN METADATA\nabc\n", "t.csp: it ends before END METADATA"},
      {"t.csp", csp + "1\n0\n0\n", "t.csp: line 3: '1' is not a size: use 2 to 65536"},
      {"t.csp", csp + "3\n0 0.5 0.5\n0 0.2 1\n",
       "t.csp: line 4: a shaper's inputs do not ascend: let the first be below the second"},
      {"t.csp", "CSPLUTV100\n3D\n" + uneven_shapers + "2 2 2\n",
       "t.csp: the inputs of its shapers do not lie on 65536 equal steps: write shapers whose "
       "inputs are evenly spaced"},
      {"t.csp", csp + "2\n1 1\n",
       "t.csp: line 4: a shaper's input is an empty range: let the first be below the second"},
      {"t.csp", csp + "2\n0 1 2\n", "t.csp: line 4: a shaper of 2 points has 3 numbers: give 2"},
      {"t.csp", csp + shapers, "t.csp: it ends before its size"},
      {"t.csp", csp + shapers + "2 2 2\n", "t.csp: line 12: its size has 3 words"},
      {"t.csp", csp + shapers + "2\n0 0 0\n", "t.csp: it ends after 1 of 2 entries"},
      {"t.csp", csp + shapers + "2\n0 0 0\n0 0 0\n0 0 0\n",
       "t.csp: line 15: there are more entries than the 2 that the size asks for"},
      {"t.csp", csp + shapers + "2\n0 0 nan\n", "t.csp: line 13: 'nan' is not a number"},
      {"t.csp", csp + "2\n0 1\n0 2\n2\n0 1\n0 1\n2\n0 1\n0 1\n2\n",
       "t.csp: a shaper of curves is more than a range that becomes 0 to 1: write the table with "
       "shapers of two points, or as a .cube file"},
      {"t.csp", "CSPLUTV100\n3D\n" + shapers + "300 300 300\n",
       "t.csp: line 12: '300' is not a size: use 2 to 256"},
      {"t.spi3d", std::string("\x89PNG\r\n\x1a\n"),
       "t.spi3d: it is no text, as .spi3d files are: give a .spi3d file"},
  };
  for (const Mistake& mistake : mistakes)
    EXPECT_EQ(error(mistake.name, mistake.text), mistake.expected) << mistake.text.substr(0, 99);
}

TEST_F(LutFormats, OtherNamesAreTakenForACube) {
  EXPECT_EQ(read("t.look", "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n").curves.size, 2);
  EXPECT_NE(error("t.txt", "SPILUT 1.0\n").find("no keyword of .cube files"), std::string::npos);
}

}  // namespace
}  // namespace cuimg::test
