// SPDX-License-Identifier: Apache-2.0
// `cuimg compare` as a program: exit codes, reports, folders.
#include <sys/stat.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "compare_program.h"

namespace cuimg::test {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

class CompareProgram : public CompareProgramTest {};

TEST_F(CompareProgram, ExitsWithZeroOneOrTwo) {
  save("a.png", golden_);
  save("same.png", golden_);
  save("b.png", result_);
  folder_.write("broken.png", text("a.png").substr(0, text("a.png").size() / 2));
  EXPECT_EQ(compare({"a.png", "same.png"}).exit, 0);
  EXPECT_EQ(compare({"a.png", "b.png"}).exit, 1);
  EXPECT_EQ(compare({"a.png", "b.png", "--fail", "0.02"}).exit, 0);
  EXPECT_EQ(compare({"a.png", "b.png", "--warn", "0.001", "--fail", "0.02"}).exit, 0);
  EXPECT_EQ(compare({"a.png", "absent.png"}).exit, 1);
  EXPECT_EQ(compare({"absent.png", "b.png"}).exit, 1);
  EXPECT_EQ(compare({"absent.png", "absent too.png"}).exit, 2);
  EXPECT_EQ(compare({"a.png", "broken.png"}).exit, 2);
  EXPECT_EQ(compare({"broken.png", "a.png"}).exit, 2);
  EXPECT_EQ(compare({"a.png"}).exit, 2);
  EXPECT_EQ(compare({"a.png", "b.png", "c.png"}).exit, 2);
  EXPECT_EQ(compare({"a.png", "b.png", "--metric", "psrn"}).exit, 2);
  EXPECT_EQ(compare({"a.png", "b.png", "--fail-ssim", "2"}).exit, 2);
  EXPECT_EQ(compare({"a.png", "b.png", "--ignore", "1,2,3"}).exit, 2);
}

TEST_F(CompareProgram, FilesOfOtherFormatsWithThePixelsAreTheSame) {
  save("a.png", golden_);
  save("a.bmp", golden_);
  EXPECT_EQ(compare({"a.png", "a.bmp"}).exit, 0);
}

TEST_F(CompareProgram, PipesInFoldersAreNoPictures) {
  for (const char* name : {"goldens/a.png", "results/a.png"}) save(name, golden_);
  for (const char* name : {"goldens/pipe.png", "results/pipe.png"})
    ASSERT_EQ(mkfifo((folder_ / name).c_str(), 0600), 0);
  EXPECT_EQ(compare({"goldens", "results"}).exit, 0);
}

TEST_F(CompareProgram, FilesEqualInEveryByteAreTheSameWithoutDecoding) {
  for (const char* name : {"a.exr", "b.exr"}) save(name, pattern_of_light(40, 30, 0, false));
  EXPECT_EQ(compare({"a.exr", "b.exr"}).exit, 0);
  EXPECT_TRUE(report({"a.exr", "b.exr"})["equal_bytes"].get<bool>());
  const Image nans = flat(spec_of({0, 0, 4, 4}, PixelType::f32, 3), std::nanf(""));
  save("nan.exr", nans);
  save("nan too.exr", nans);
  EXPECT_EQ(compare({"nan.exr", "nan too.exr"}).exit, 0);
  EXPECT_EQ(compare({"nan.exr", "nan too.exr", "--nan", "fails"}).exit, 1);
}

TEST_F(CompareProgram, AGitLfsPointerIsNamedAsSuch) {
  const std::string pointer =
      "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
  folder_.write("a.png", pointer);
  folder_.write("b.png", pointer);
  save("c.png", golden_);
  for (const char* other : {"b.png", "c.png"}) {
    const Outcome outcome = compare({"a.png", other});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_NE(outcome.err.find("Git LFS pointer"), std::string::npos) << outcome.err;
  }
}

TEST_F(CompareProgram, JsonHoldsTheVerdictAndTheMetrics) {
  save("a.png", pattern(170, 165, 0, false));
  save("b.png", pattern(170, 165, 0, true));
  const json found = report({"a.png", "b.png"});
  EXPECT_EQ(found["golden"], "a.png");
  EXPECT_EQ(found["result"], "b.png");
  EXPECT_EQ(found["verdict"], "differs");
  EXPECT_EQ(found["reasons"].size(), 1u);
  const json& metrics = found["metrics"];
  for (const char* name : {"max_absolute", "max_relative", "max_ulp", "rmse", "psnr", "ssim",
                           "ms_ssim", "pixels_differing"})
    EXPECT_TRUE(metrics[name].is_number()) << name;
  for (const char* name :
       {"mean", "weighted_median", "first_quartile", "third_quartile", "minimum", "maximum"})
    EXPECT_TRUE(metrics["flip"][name].is_number()) << name;
  EXPECT_TRUE(metrics["delta_e_2000"]["mean"].is_number());
  EXPECT_EQ(metrics["first"]["x"], 0);
  EXPECT_EQ(metrics["worst"]["golden_pixel"].size(), 3u);
  EXPECT_EQ(report({"a.png", "a.png"})["metrics"]["flip"]["mean"], 0);
  EXPECT_EQ(report({"a.png", "absent.png"})["verdict"], "differs");
  EXPECT_EQ(report({"absent.png", "absent.png"})["verdict"], "error");
}

TEST_F(CompareProgram, HdrPicturesHaveHdrFlip) {
  save("a.exr", pattern_of_light(40, 30, 0, false));
  save("b.exr", pattern_of_light(40, 30, 0, true));
  const json metrics = report({"a.exr", "b.exr"})["metrics"];
  EXPECT_GT(metrics["hdr_flip"]["mean"].get<double>(), 0.01);
  const json fixed = report({"a.exr", "b.exr", "--exposures", "-3,-1,3"})["metrics"];
  EXPECT_NE(fixed["hdr_flip"]["mean"], metrics["hdr_flip"]["mean"]);
}

TEST_F(CompareProgram, AMaskIsAFile) {
  save("a.png", golden_);
  save("b.png", with_value(golden_, 7, 8, 1, 0));
  save("mask.png", with_value(flat(spec_of({0, 0, 40, 30}, PixelType::u8, 1), 1), 7, 8, 0, 0));
  EXPECT_EQ(compare({"a.png", "b.png"}).exit, 1);
  EXPECT_EQ(compare({"a.png", "b.png", "--mask", "mask.png"}).exit, 0);
  EXPECT_EQ(compare({"a.png", "b.png", "--mask", "absent.png"}).exit, 2);
  // A comparison of nothing would always pass.
  save("black.png", flat(spec_of({0, 0, 40, 30}, PixelType::u8, 1), 0));
  for (const auto& [option, value] :
       {std::pair{"--mask", "black.png"}, {"--ignore", "0,0,999,999"}}) {
    const Outcome nothing = compare({"a.png", "b.png", option, value});
    EXPECT_EQ(nothing.exit, 2);
    EXPECT_NE(nothing.err.find("no pixel is left to compare"), std::string::npos) << nothing.err;
  }
}

TEST_F(CompareProgram, FoldersArePairedByPath) {
  for (const char* name : {"golden/a.png", "golden/sub/b.png", "golden/c.png", "result/a.png"})
    save(name, golden_);
  save("result/sub/b.png", result_);
  save("result/d.png", golden_);
  folder_.write("golden/README.md", "no picture");
  folder_.write("golden/.hidden.png", "left out");
  const Outcome outcome = compare({"golden", "result"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_NE(outcome.out.find("1 same, 1 differ, 1 missing, 1 extra, 0 errors"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(
      compare({"golden", "result", "--fail", "0.02", "--allow-missing", "--allow-extra"}).exit, 0);
  folder_.write("result/a.png", "broken");
  const Outcome broken = compare({"golden", "result"});
  EXPECT_EQ(broken.exit, 2);
  EXPECT_NE(broken.out.find(" 1 error\n"), std::string::npos) << broken.out;
  EXPECT_EQ(compare({"golden", "result/d.png"}).exit, 2);
  std::filesystem::create_directories(folder_.path() / "empty");
  EXPECT_EQ(compare({"empty", "empty"}).exit, 2);
}

TEST_F(CompareProgram, AFolderThatDoesNotExistIsNamed) {
  save("golden/a.png", golden_);
  for (const Words& words : {Words{"golden", "nodir"}, {"nodir", "golden"}})
    EXPECT_EQ(compare(words).err,
              "cuimg: compare: nodir does not exist, and golden is a folder: give two files or two "
              "folders\n");
}

TEST_F(CompareProgram, AFileThatMayHaveNoPartnerIsNotCalledTheSame) {
  for (const char* name :
       {"golden/a.png", "golden/b.png", "result/a.png", "result/c.png", "result/sub/d.png"})
    save(name, golden_);
  EXPECT_TRUE(compare({"absent.png", "result/c.png", "--allow-extra"})
                  .out.starts_with("extra (allowed): absent.png result/c.png\n"));
  EXPECT_TRUE(compare({"golden/b.png", "absent.png", "--allow-missing"})
                  .out.starts_with("missing (allowed): golden/b.png absent.png\n"));
  const auto summary = [&](Words more) {
    more.insert(more.begin(), {"golden", "result"});
    return compare(more).out;
  };
  EXPECT_NE(summary({"--allow-extra", "--allow-missing"})
                .find("1 same, 0 differ, 1 missing (allowed), 2 extra (allowed), 0 errors\n"),
            std::string::npos);
  folder_.write("golden/.cuimg-compare", "[sub/*]\nallow-extra\n");
  EXPECT_NE(summary({}).find("1 same, 0 differ, 1 missing, 2 extra (1 allowed), 0 errors\n"),
            std::string::npos);
}

TEST_F(CompareProgram, ReportsOfFoldersAreInOrderAtAnyNumberOfJobs) {
  for (int i = 0; i < 30; ++i) {
    save("golden/" + std::to_string(i) + ".png", pattern(20 + i, 20, 0, false));
    save("result/" + std::to_string(i) + ".png", pattern(20 + i, 20, 0, i % 3 == 0));
  }
  const std::string one = compare({"golden", "result", "--json", "--jobs", "1"}).out;
  EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 30);
  EXPECT_EQ(compare({"golden", "result", "--json", "--jobs", "7"}).out, one);
  const std::string fast =
      compare({"golden", "result", "--json", "--jobs", "1", "--fail-fast"}).out;
  EXPECT_EQ(std::count(fast.begin(), fast.end(), '\n'), 1);
}

TEST_F(CompareProgram, TheBestVariantCountsAndIsNamed) {
  save("golden/a.png", golden_);
  save("golden/a@@dark.png", flat(golden_.spec(), 0.1f));
  save("golden/a@@old.png", result_);
  save("result/a.png", result_);
  const json found = report({"golden", "result"});
  EXPECT_EQ(found["verdict"], "same");
  EXPECT_EQ(found["variant"], "old");
  save("result/a.png", with_value(golden_, 0, 0, 0, 0.5f));
  const json near = report({"golden", "result"});
  EXPECT_EQ(near["verdict"], "differs");
  EXPECT_EQ(near["variant"], "default");
}

TEST_F(CompareProgram, OfVariantsThatPassTheNearestCounts) {
  const auto with_error = [&](float error) {
    return with_value(flat(golden_.spec(), 0.5f), 3, 4, 1, 0.5f + error);
  };
  save("result/v.png", with_error(0));
  save("golden/v@@a.png", with_error(0.2f));
  save("golden/v@@b.png", with_error(0.1f));
  // Many small errors are better than one large error.
  save("golden/v@@c.png", flat(golden_.spec(), 0.5f + 1 / 255.0f));
  const Words words = {"golden", "result", "--fail", "0.3", "--metric", "psnr"};
  EXPECT_EQ(report(words)["variant"], "b");
  // Equal pixels are better than those, and equal bytes are better than equal pixels.
  save("golden/v@@d.png", with_error(0));
  folder_.write("golden/v@@d.png", text("golden/v@@d.png") + "more");
  ASSERT_EQ(report(words)["variant"], "d");
  folder_.write("golden/v@@e.png", text("result/v.png"));
  const json found = report(words);
  EXPECT_EQ(found["variant"], "e");
  EXPECT_TRUE(found["equal_bytes"].get<bool>());
}

TEST_F(CompareProgram, AFigureOfTheReportHoldsAsALimit) {
  save("a.png", golden_);
  save("b.png", result_);
  const json metrics = report({"a.png", "b.png", "--metric", "psnr,flip,ssim"})["metrics"];
  double ssim = metrics["ssim"].get<double>();
  std::string channel = "luminance";
  for (const auto& [name, value] : metrics["ssim_of_channel"].items())
    if (value.get<double>() < ssim) ssim = value.get<double>(), channel = name;
  const double psnr = metrics["psnr"].get<double>(), flip = metrics["flip"]["mean"].get<double>();
  const auto check = [&](const char* option, double figure, double beyond,
                         const std::string& said) {
    const auto digits = [](double value) { return json(value).dump(); };
    EXPECT_EQ(compare({"a.png", "b.png", option, digits(figure)}).exit, 0) << option;
    const Outcome failed =
        compare({"a.png", "b.png", option, digits(std::nextafter(figure, beyond))});
    EXPECT_EQ(failed.exit, 1) << option;
    // The numbers in the message must not contradict it.
    const std::size_t at = failed.out.find(said + " is ");
    ASSERT_NE(at, std::string::npos) << failed.out;
    const double printed = std::stod(failed.out.substr(at + said.size() + 4));
    EXPECT_NEAR(printed, figure, 1e-4);
    const double limit = std::nextafter(figure, beyond);
    EXPECT_TRUE(beyond > figure ? printed < limit : printed > limit) << failed.out;
  };
  check("--fail-psnr", psnr, 1000, "PSNR");
  check("--fail-ssim", ssim, 2, "SSIM of " + channel);
  check("--fail-flip", flip, -1, "flip.mean");
}

TEST_F(CompareProgram, RulesOfTheGoldenTreeCountAndThoseOfTheResultsDoNot) {
  for (const char* name : {"a.png", "sub/b.png"}) {
    save(std::string("golden/") + name, golden_);
    save(std::string("result/") + name, result_);
  }
  folder_.write("result/.cuimg-compare", "[*]\nfail = 1\n");
  EXPECT_EQ(compare({"golden", "result"}).exit, 1);
  folder_.write("golden/.cuimg-compare", "# all\n[*]\nfail = 0.02\n\n[sub/*]\nfail = 0\n");
  const Outcome outcome = compare({"golden", "result", "--explain"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_NE(outcome.out.find("1 same, 1 differ"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("[sub/*] of golden/.cuimg-compare:5, fail = 0"), std::string::npos)
      << outcome.out;
  folder_.write("golden/sub/.cuimg-compare", "[b.*]\nfail = 0.02\n");
  EXPECT_EQ(compare({"golden", "result"}).exit, 0);
  // A section that sets another option does not change this option's value.
  folder_.write("golden/sub/.cuimg-compare", "[b.*]\nfail = 0.02\n[*]\nfail-psnr = 20\n");
  const Outcome merged = compare({"golden", "result", "--explain"});
  EXPECT_EQ(merged.exit, 0);
  EXPECT_NE(merged.out.find("rule: [b.*] of golden/sub/.cuimg-compare:1, fail = 0.02; "
                            "[*] of golden/sub/.cuimg-compare:3, fail-psnr = 20"),
            std::string::npos)
      << merged.out;
  folder_.write("golden/sub/.cuimg-compare", "[b.*]\nfial = 0.02\n");
  const Outcome wrong = compare({"golden", "result"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find(
                ".cuimg-compare:2: no option of a rule file is called fial: did you mean fail?"),
            std::string::npos)
      << wrong.err;
}

TEST_F(CompareProgram, AMaskOfARuleLiesNextToTheRule) {
  save("golden/sub/a.png", golden_);
  save("result/sub/a.png", with_value(golden_, 7, 8, 1, 0));
  const Image mask = with_value(flat(spec_of({0, 0, 40, 30}, PixelType::u8, 1), 1), 7, 8, 0, 0);
  write_image(folder_ / "golden/sub/.mask.png", mask, *codec_named("png"));
  EXPECT_EQ(compare({"golden", "result"}).exit, 1);
  folder_.write("golden/sub/.cuimg-compare", "[*]\nmask = .mask.png\n");
  EXPECT_EQ(compare({"golden", "result"}).exit, 0);
}

TEST_F(CompareProgram, UpdateCopiesOnlyWithYes) {
  save("golden/a.png", golden_);
  save("golden/gone.png", golden_);
  save("result/a.png", result_);
  save("result/sub/new.png", result_);
  const std::string before = text("golden/a.png");
  EXPECT_EQ(compare({"golden", "result", "--update"}).exit, 1);
  EXPECT_EQ(text("golden/a.png"), before);
  const Outcome updated = compare({"golden", "result", "--update", "--yes"});
  EXPECT_EQ(updated.exit, 1);  // one is still missing
  EXPECT_EQ(updated.out.find("there is no golden"), std::string::npos) << updated.out;
  EXPECT_NE(updated.err.find("added: golden/sub/new.png"), std::string::npos) << updated.err;
  EXPECT_NE(
      updated.out.find("0 same, 0 differ, 1 missing, 0 extra, 0 errors, 1 updated, 1 added\n"),
      std::string::npos)
      << updated.out;
  EXPECT_EQ(text("golden/a.png"), text("result/a.png"));
  EXPECT_EQ(text("golden/sub/new.png"), text("result/sub/new.png"));
  EXPECT_EQ(compare({"golden", "result", "--allow-missing"}).exit, 0);
  save("result/a.png", golden_);
  EXPECT_EQ(compare({"golden/a.png", "result/a.png", "--update", "--yes"}).exit, 0);
  EXPECT_EQ(compare({"golden/a.png", "result/a.png"}).exit, 0);
  EXPECT_EQ(compare({"golden", "result", "--yes"}).exit, 2);
}

TEST_F(CompareProgram, JunitNamesEveryPair) {
  save("golden/a<&>.png", golden_);
  save("golden/b.png", golden_);
  save("result/a<&>.png", result_);
  save("result/b.png", golden_);
  EXPECT_EQ(compare({"golden", "result", "--junit", "report.xml"}).exit, 1);
  const std::string xml = text("report.xml");
  EXPECT_NE(xml.find("tests=\"2\" failures=\"1\" errors=\"0\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("name=\"golden/a&lt;&amp;&gt;.png\""), std::string::npos) << xml;
}

TEST_F(CompareProgram, JunitNamesATestAlikeWhicheverVariantMatches) {
  save("golden/v.png", flat(golden_.spec(), 0.1f));
  save("golden/v@@dark.png", result_);
  std::filesystem::create_directories(folder_ / "result");
  for (const char* golden : {"golden/v.png", "golden/v@@dark.png"}) {
    folder_.write("result/v.png", text(golden));
    EXPECT_EQ(compare({"golden", "result", "--junit", "report.xml"}).exit, 0);
    const std::string xml = text("report.xml");
    EXPECT_NE(xml.find("name=\"golden/v.png\""), std::string::npos) << xml;
  }
}

}  // namespace
}  // namespace cuimg::test
