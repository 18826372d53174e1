// SPDX-License-Identifier: Apache-2.0
// `cuimg compare` for files from which the readers leave something out.
#include <algorithm>

#include "base/bytes.h"
#include "compare_program.h"
#include "io/made_tiff.h"
#include "support/animated_png.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

const std::string frames = "an animation of 2 frames; only the first is read";

class CompareLeftOut : public CompareProgramTest {
 protected:
  CompareLeftOut() {
    save("still.png", golden_);
    folder_.write("a.png", animated(text("still.png")));
    folder_.write("b.png", animated(text("still.png")) + "more");
  }
};

TEST_F(CompareLeftOut, IsAWarningOfEitherFileAndADifference) {
  const Outcome outcome = compare({"a.png", "b.png"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_EQ(outcome.err, "cuimg: a.png: " + frames + "\ncuimg: b.png: " + frames + "\n");
  expect_contains(outcome.out, "  what is left out of both files is not compared\n");
  expect_contains(outcome.out, "  warning: golden: " + frames + "\n");
  expect_contains(outcome.out, "  warning: result: " + frames + "\n");
  EXPECT_EQ(report({"a.png", "b.png"})["warnings"],
            nlohmann::json(Words{"golden: " + frames, "result: " + frames}));
  EXPECT_TRUE(report({"still.png", "still.png"})["warnings"].empty());
  EXPECT_EQ(compare({"a.png", "b.png", "--allow-parts"}).exit, 0);
  EXPECT_EQ(compare({"a.png", "a.png"}).exit, 0);
  EXPECT_EQ(compare({"-q", "a.png", "b.png"}).err, "");
}

TEST_F(CompareLeftOut, OfOneFileAloneIsADifference) {
  for (const Words& files : {Words{"a.png", "still.png"}, {"still.png", "a.png"}}) {
    const nlohmann::json found = report(files);
    EXPECT_EQ(found["verdict"], "differs");
    EXPECT_EQ(found["reason_codes"], nlohmann::json(Words{"parts"}));
    EXPECT_EQ(found["warnings"].size(), 1u);
    EXPECT_EQ(compare({files[0], files[1], "--allow-parts"}).exit, 0);
  }
  expect_contains(compare({"a.png", "still.png"}).out,
                  "what is left out is nothing; of the golden it is " + frames);
}

TEST_F(CompareLeftOut, OfATreeIsCounted) {
  for (const auto& [from, to] : {std::pair{"a.png", "golden/p.png"}, {"b.png", "result/p.png"}}) {
    save(to, golden_);
    folder_.write(to, text(from));
  }
  const Outcome outcome = compare({"golden", "result", "--allow-parts"});
  EXPECT_EQ(outcome.exit, 0);
  expect_contains(outcome.out, "1 same, 0 differ, 0 missing, 0 extra, 0 errors, 1 with warnings");
}

class CompareStored : public CompareProgramTest {
 protected:
  void tiff(const std::string& name, const std::function<void(TIFF*)>& fill) const {
    folder_.write(name, std::string(text_of_bytes(made(fill))));
  }
  void inks(const std::string& name, std::vector<unsigned char> row) const {
    tiff(name, [&](TIFF* t) {
      describe(t, static_cast<int>(row.size() / 4), 1, 8, 4, PHOTOMETRIC_SEPARATED);
      write_rows(t, {row});
    });
  }
  // Writes two rows of two doubles, either with one tile per value or with all in strips.
  void doubles(const std::string& name, double last, bool tiled = false) const {
    tiff(name, [&](TIFF* t) {
      TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
      describe(t, 32, 2, 64, 1, PHOTOMETRIC_MINISBLACK);
      std::vector<double> values(64, 0.1);
      values.back() = last;
      if (!tiled) {
        for (std::uint32_t y = 0; y < 2; ++y) TIFFWriteScanline(t, &values[32 * y], y, 0);
        return;
      }
      TIFFUnsetField(t, TIFFTAG_ROWSPERSTRIP);
      TIFFSetField(t, TIFFTAG_TILEWIDTH, 16);
      TIFFSetField(t, TIFFTAG_TILELENGTH, 16);
      for (std::uint32_t x = 0; x < 32; x += 16) {
        std::vector<double> tile(256);
        for (std::size_t i = 0; i < 32; ++i) tile[i] = values[i / 16 * 32 + x + i % 16];
        TIFFWriteTile(t, tile.data(), x, 0, 0, 0);
      }
    });
  }
  void alpha(const std::string& name, unsigned char grey) const {
    tiff(name, [&](TIFF* t) {
      describe(t, 1, 1, 8, 2, PHOTOMETRIC_MINISBLACK);
      const std::uint16_t extra = EXTRASAMPLE_ASSOCALPHA;
      TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, &extra);
      write_rows(t, {{grey, 100}});
    });
  }
  void expect_stored(const std::string& a, const std::string& b, const std::string& kind) const {
    const nlohmann::json found = report({a, b});
    EXPECT_EQ(found["verdict"], "differs") << a;
    EXPECT_EQ(found["reason_codes"], nlohmann::json(Words{"stored"})) << a;
    EXPECT_EQ(
        found["reasons"],
        nlohmann::json(Words{"stored samples differ, but give the same pixels (" + kind + ")"}));
    EXPECT_EQ(compare({a, b}).exit, 1) << a;
    EXPECT_EQ(compare({"--allow-parts", a, b}).exit, 0) << a;
    const Outcome limited = compare({"--fail", "0.01", a, b});
    EXPECT_EQ(limited.exit, 0) << a;
    expect_contains(limited.out, "  warning: stored samples differ");
  }
};

TEST_F(CompareStored, InksThatGiveTheSameColoursDiffer) {
  inks("a.tif", {10, 20, 30, 255, 0, 0, 0, 0});
  inks("b.tif", {90, 80, 70, 255, 0, 0, 0, 0});
  expect_stored("a.tif", "b.tif", "CMYK");
}

TEST_F(CompareStored, DoublesThatBecomeTheSameFloatDiffer) {
  doubles("a.tif", 0.5);
  doubles("b.tif", 0.5 + 1e-12);
  expect_stored("a.tif", "b.tif", "double");
}

TEST_F(CompareStored, LargeIntegersThatBecomeTheSameFloatDiffer) {
  for (const auto& [name, value] :
       {std::pair<std::string, std::uint32_t>{"a.tif", 16777216}, {"b.tif", 16777217}})
    tiff(name, [&](TIFF* t) {
      describe(t, 1, 1, 32, 1, PHOTOMETRIC_MINISBLACK);
      std::uint32_t row = value;
      TIFFWriteScanline(t, &row, 0, 0);
    });
  expect_stored("a.tif", "b.tif", "32-bit integers");
}

TEST_F(CompareStored, StripsAndTilesOfTheSameSamplesAreTheSame) {
  doubles("a.tif", 0.5);
  doubles("b.tif", 0.5, true);
  EXPECT_EQ(report({"a.tif", "b.tif"})["verdict"], "same");
  doubles("b.tif", 0.5 + 1e-12, true);
  EXPECT_EQ(report({"a.tif", "b.tif"})["verdict"], "differs");
}

TEST_F(CompareStored, ColoursAboveTheirAlphaDifferAndAreWarnedOf) {
  alpha("a.tif", 120);
  alpha("b.tif", 130);
  expect_stored("a.tif", "b.tif", "associated alpha");
  const nlohmann::json warnings = report({"a.tif", "b.tif"})["warnings"];
  ASSERT_EQ(warnings.size(), 2u);
  for (const std::string which : {"golden", "result"})
    EXPECT_TRUE(std::ranges::any_of(warnings, [&](const std::string& text) {
      return text.starts_with(which + ": colours above their alpha are cut off");
    })) << which;
}

}  // namespace
}  // namespace cuimg::test
