// SPDX-License-Identifier: Apache-2.0
// `cuimg compare` with masks and ignored regions that cannot be used, and with masks next to
// goldens.
#include "compare_program.h"

namespace cuimg::test {
namespace {

using nlohmann::json;

class CompareMask : public CompareProgramTest {
 protected:
  CompareMask() {
    for (const char* name : {"a.png", "sub/b.png"}) {
      save(std::string("golden/") + name, golden_);
      save(std::string("result/") + name, result_);
    }
    save("small.png", flat(spec_of({0, 0, 8, 8}, PixelType::u8, 1), 1));
    save("black.png", mask(0));
  }
  static Image mask(float value) { return flat(spec_of({0, 0, 40, 30}, PixelType::u8, 1), value); }
};

TEST_F(CompareMask, AnErrorNamesThePair) {
  const Outcome small = compare({"golden", "result", "--mask", "small.png"});
  EXPECT_EQ(small.exit, 2);
  expect_contains(small.err, "cuimg: result/a.png: --mask: the mask's window is ");
  expect_contains(small.err, "cuimg: result/sub/b.png: --mask: the mask's window is ");
  expect_contains(compare({"golden", "result", "--mask", "black.png"}).err,
                  "cuimg: result/a.png: --mask: no pixel is left to compare");
  expect_contains(compare({"golden", "result", "--ignore", "0,0,99,99"}).err,
                  "cuimg: result/sub/b.png: --ignore: no pixel is left to compare");
}

TEST_F(CompareMask, AnErrorOfARuleNamesItsFileAndSection) {
  folder_.write("golden/.cuimg-compare",
                "[a.png]\nmask = ../small.png\n[b.png]\nmask = none.png\n");
  const std::string of_masks = compare({"golden", "result"}).err;
  expect_contains(of_masks, "cuimg: result/a.png: --mask: the mask's window is ");
  expect_contains(of_masks, "(mask of [a.png] of golden/.cuimg-compare:1)\n");
  expect_contains(of_masks, "cuimg: result/sub/b.png: --mask: golden/none.png: ");
  expect_contains(of_masks, "(mask of [b.png] of golden/.cuimg-compare:3)\n");
  folder_.write("golden/.cuimg-compare", "[b.png]\nignore = 0,0,99,99\n");
  expect_contains(compare({"golden", "result"}).err,
                  "(ignore of [b.png] of golden/.cuimg-compare:1)\n");
}

TEST_F(CompareMask, AMaskThatIsMissingIsOneErrorBeforeAnyPair) {
  const Outcome outcome = compare({"golden", "result", "--mask", "absent.png"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("cuimg: --mask: absent.png: ")) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST_F(CompareMask, ReasonCodesSayThatAMaskIsWrong) {
  const auto codes = [&](const char* option, const char* value) {
    return report({"golden/a.png", "result/a.png", option, value})["reason_codes"];
  };
  EXPECT_EQ(codes("--mask", "small.png"), json({"mask"}));
  EXPECT_EQ(codes("--mask", "absent.png"), json({"mask"}));
  EXPECT_EQ(codes("--mask", "black.png"), json({"nothing-left"}));
  EXPECT_EQ(codes("--ignore", "0,0,99,99"), json({"nothing-left"}));
}

TEST_F(CompareMask, OneMaskIsForAllPairsOfFolders) {
  save("white.png", mask(1));
  EXPECT_EQ(compare({"golden", "result", "--mask", "white.png"}).exit, 1);
  EXPECT_EQ(compare({"golden", "result", "--mask", "white.png", "--fail", "0.02"}).exit, 0);
}

TEST_F(CompareMask, AMaskNextToGoldensIsNoGolden) {
  save("golden/sub/mask.png", mask(1));
  folder_.write("golden/sub/.cuimg-compare", "[*]\nmask = mask.png\n");
  const Outcome outcome = compare({"golden", "result", "--fail", "0.02"});
  EXPECT_EQ(outcome.exit, 0);
  expect_contains(outcome.out, "2 same, 0 differ, 0 missing, 0 extra, 0 errors");
  // A result with that path is compared with the mask as a golden.
  save("result/sub/mask.png", mask(0));
  expect_contains(compare({"golden", "result", "--fail", "0.02"}).out, "2 same, 1 differ");
}

TEST_F(CompareMask, AMaskThatCannotBeUsedFailsAlsoWhereBytesAreEqual) {
  const auto codes = [&](const char* option, const char* value) {
    EXPECT_EQ(compare({"golden/a.png", "golden/a.png", option, value}).exit, 2) << value;
    return report({"golden/a.png", "golden/a.png", option, value})["reason_codes"];
  };
  EXPECT_EQ(codes("--mask", "small.png"), json({"mask"}));
  EXPECT_EQ(codes("--mask", "absent.png"), json({"mask"}));
  EXPECT_EQ(codes("--mask", "black.png"), json({"nothing-left"}));
  EXPECT_EQ(codes("--ignore", "0,0,99,99"), json({"nothing-left"}));
  const json found = report({"golden/a.png", "golden/a.png", "--ignore", "0,0,4,5"});
  EXPECT_EQ(found["verdict"], "same");
  EXPECT_EQ(found["forgiven"]["ignored"], 20);
}

TEST_F(CompareMask, ARegionOutsideOfThePictureIsAWarning) {
  for (const char* result : {"golden/a.png", "result/a.png"}) {
    const json found =
        report({"golden/a.png", result, "--ignore", "0,0,4,5", "--ignore", "40,2,8,8"});
    EXPECT_EQ(found["warnings"], json({"--ignore 40,2,8,8 lies outside the picture, 40x30+0+0"}));
  }
}

}  // namespace
}  // namespace cuimg::test
