// SPDX-License-Identifier: Apache-2.0
// Files that are read are not replaced, by any of their names, unless --in-place is given.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "io/codec.h"
#include "io/made_pic.h"
#include "pipeline/batch/plan_jobs.h"
#include "support/animated_png.h"
#include "support/images.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

namespace fs = std::filesystem;

class Overwriting : public testing::Test {
 protected:
  Overwriting() {
    for (const char* name : {"a.exr", "b.exr", "folder/c.exr", "folder/d.png"})
      dir_.write(name, "");
  }
  std::string at(const std::string& name) const { return dir_ / name; }
  std::vector<Job> plan(const std::vector<std::string>& words) const {
    return plan_jobs(parse_pipeline(words));
  }
  // The error without the folder's path, or "no error".
  std::string problem(const std::vector<std::string>& words) const {
    std::string text = error_of([&] { plan(words); });
    const std::string own = dir_.path().string() + "/";
    for (std::size_t i = text.find(own); i != std::string::npos; i = text.find(own))
      text.erase(i, own.size());
    return text;
  }
  const TempDir dir_;
};

constexpr const char* one_input =
    "a.exr: it is an input too: write to another file, or replace inputs with --in-place";

TEST_F(Overwriting, AnInputIsNoOutputUnderAnyName) {
  fs::create_symlink(at("a.exr"), at("link.exr"));
  fs::create_hard_link(at("a.exr"), at("hard.exr"));
  fs::create_directory_symlink(dir_.path(), at("folder/back"));
  EXPECT_EQ(problem({"flip", at("a.exr"), at("a.exr")}), one_input);
  EXPECT_EQ(problem({"flip", at("a.exr"), "-o", at("a.exr")}), one_input);
  EXPECT_EQ(problem({"convert", at("a.exr"), at("a.exr")}), one_input);
  for (const std::string other : {"link.exr", "hard.exr", "folder/../a.exr", "folder/back/a.exr"}) {
    EXPECT_EQ(problem({"flip", at("a.exr"), at(other)}),
              fs::path(other).string() + std::string(one_input).substr(5))
        << other;
    EXPECT_EQ(problem({"flip", at(other), at("a.exr")}), one_input) << other;
  }
  EXPECT_EQ(problem({"flip", at("a.exr"), at("new.exr")}), "no error");
}

TEST_F(Overwriting, FoldersAndPatternsAreSearched) {
  EXPECT_EQ(problem({"flip", at("folder"), "-o", at("folder/")}),
            "folder/c.exr" + std::string(one_input).substr(5));
  EXPECT_EQ(problem({"flip", at("a.exr"), at("b.exr"), "-o", at("{name}")}), one_input);
  EXPECT_EQ(problem({"flip", at("folder"), "-o", at("folder/{stem}_s.{ext}")}), "no error");
  EXPECT_EQ(problem({"flip", at("folder"), "-o", at("folder/"), "--format", "tiff"}), "no error");
  EXPECT_EQ(problem({"flip", at("a.exr"), at("b.exr"), "-o", at("{stem}x.exr")}), "no error");
}

TEST_F(Overwriting, AnOutputIsNoLinkToAnother) {
  fs::create_symlink("c.exr", at("folder/e.exr"));
  const std::string link = "it is a link to ", advice = ": write to another folder";
  EXPECT_EQ(problem({"flip", at("folder"), "-o", at("folder/")}),
            "folder/e.exr: " + link + "folder/c.exr" + advice);
  dir_.write("out/b.exr", "");
  fs::create_symlink("b.exr", at("out/a.exr"));
  EXPECT_EQ(problem({"flip", at("a.exr"), at("b.exr"), "-o", at("out/")}),
            "out/a.exr: " + link + "out/b.exr" + advice);
  EXPECT_EQ(problem({"flip", at("folder"), "-o", at("new/")}), "no error");
}

TEST_F(Overwriting, WhatAStageReadsIsNoOutput) {
  dir_.write("x.exr", "");
  fs::create_symlink(at("b.exr"), at("link.exr"));
  for (const std::string other : {"b.exr", "link.exr"})
    EXPECT_EQ(problem({"over", "--with", at("b.exr"), at("a.exr"), at(other)}),
              other + ": it is the output, and the file of --with of over: write to another file");
  EXPECT_EQ(
      problem({"append", "--with", at("x.exr"), "--with", at("b.exr"), at("a.exr"), at("b.exr")}),
      "b.exr: it is the output, and the file of --with of append: write to another file");
  EXPECT_EQ(problem({"flip", "+", "remap", "--map", at("b.exr"), at("a.exr"), at("b.exr")}),
            "b.exr: it is the output, and the file of --map of remap: write to another file");
  EXPECT_EQ(problem({"convolve", "--kernel", at("b.exr"), at("a.exr"), at("b.exr")}),
            "b.exr: it is the output, and the file of --kernel of convolve: write to another file");
  EXPECT_EQ(problem({"over", "--in-place", "--with", at("b.exr"), at("a.exr"), at("b.exr")}),
            "b.exr: it is the output, and the file of --with of over: write to another file");
  EXPECT_EQ(problem({"over", "--with", at("b.exr"), at("a.exr"), at("c.exr")}), "no error");
}

TEST_F(Overwriting, AListAndARecipeAreNoOutputs) {
  const std::string list = dir_.write("list", at("a.exr") + "\n");
  const std::string recipe = dir_.write("recipe", "flip");
  EXPECT_EQ(problem({"flip", "--files-from", list, "--format", "exr", "-o", list}),
            "list: it is the output, and the file of --files-from: write to another file");
  EXPECT_EQ(problem({"@" + recipe, "--format", "exr", at("a.exr"), recipe}),
            "recipe: it is the output, and the file of @recipe: write to another file");
  EXPECT_EQ(problem({"@" + recipe, "--trace", recipe, at("a.exr"), at("new.exr")}),
            "--trace recipe: the file is read too: write to another file");
  EXPECT_EQ(problem({"@" + recipe, at("a.exr"), at("new.exr")}), "no error");
}

TEST_F(Overwriting, APlotReplacesNothingThatIsReadOrWritten) {
  dir_.write("e.png", "");
  dir_.write("other/e.exr", "");
  fs::create_hard_link(at("e.png"), at("hard.png"));
  const std::string too = ": it is an input too: write to another file";
  EXPECT_EQ(problem({"histogram", "--plot", at("e.png"), at("e.png")}),
            "histogram: --plot e.png" + too);
  EXPECT_EQ(problem({"histogram", "--plot", at("hard.png"), at("e.png")}),
            "histogram: --plot hard.png" + too);
  EXPECT_EQ(problem({"histogram", "--plot", at("{stem}.png"), at("a.exr"), at("e.png")}),
            "histogram: --plot e.png" + too);
  EXPECT_EQ(problem({"histogram", "--plot", at("{stem}{part}.png"), at("a.exr"), at("e.png")}),
            "no error");
  EXPECT_EQ(problem({"over", "--with", at("e.png"), "+", "histogram", "--plot", at("e.png"),
                     at("a.exr")}),
            "histogram: --plot e.png: it is the file of --with of over: write to another file");
  EXPECT_EQ(problem({"histogram", "--plot", at("o.svg"), "--trace", at("o.svg"), at("a.exr")}),
            "histogram: --plot o.svg: it is the file of --trace: write to another file");
  EXPECT_EQ(problem({"tee", at("o.png"), "+", "histogram", "--plot", at("o.png"), at("a.exr")}),
            "histogram: --plot o.png: it is an output of the chain too: write to another file");
  EXPECT_EQ(problem({"histogram", "--plot", at("{stem}.svg"), at("e.png"), at("other/e.exr")}),
            "histogram: --plot e.svg: both e.png and other/e.exr become it: use names that differ "
            "before their extensions, or run the folders one by one");
  EXPECT_EQ(problem({"histogram", "--plot", at("{stem}.svg"), at("e.png"), at("e.png")}),
            "no error");
}

TEST_F(Overwriting, APlotOfEachPartReplacesNothingThatIsRead) {
  std::vector<Image> parts;
  for (const char* name : {"a", "b"}) {
    Spec spec = spec_of({0, 0, 4, 4}, PixelType::half, 3);
    spec.part_name = name;
    parts.push_back(noise(spec));
  }
  write_parts(at("parts.exr"), parts, *codec_named("exr"));
  fs::rename(at("parts.exr"), at("1.png"));  // its content is EXR
  const std::string name = at("{part}.png");
  EXPECT_EQ(problem({"histogram", "--plot", name, at("1.png")}),
            "histogram: --plot 1.png: it is an input too: write to another file");
  EXPECT_EQ(problem({"histogram", "--plot", name, "--part", "0", at("1.png")}), "no error");
}

TEST_F(Overwriting, ReducersTakeTheirOutputByOptionAlone) {
  EXPECT_EQ(problem({"contact", at("a.exr"), at("b.exr")}),
            "contact: no OUTPUT: all files are inputs: name it with -o");
  EXPECT_EQ(problem({"append", at("a.exr"), at("b.exr")}),
            "append: no OUTPUT: all files are inputs: name it with -o");
  EXPECT_EQ(problem({"append", at("a.exr"), at("b.exr"), "-o", at("b.exr")}),
            "b.exr: it is an input too: write to another file");
  const std::vector<Job> jobs = plan({"append", at("a.exr"), at("b.exr"), "-o", at("c.exr")});
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].inputs, (std::vector<std::string>{at("a.exr"), at("b.exr")}));
  EXPECT_EQ(jobs[0].output, at("c.exr"));
}

TEST_F(Overwriting, InPlaceEveryFileIsAnInputAndItsOwnOutput) {
  const std::vector<Job> jobs =
      plan({"flip", "--in-place", at("b.exr"), at("a.exr"), at("folder")});
  ASSERT_EQ(jobs.size(), 4u);
  for (const Job& job : jobs) EXPECT_EQ(job.inputs, std::vector<std::string>{job.output});
  EXPECT_EQ(jobs[0].output, at("a.exr"));
  EXPECT_EQ(jobs[3].output, at("folder/d.png"));
}

TEST_F(Overwriting, InPlaceExcludesWhatNamesAnOutput) {
  const std::string a = at("a.exr");
  EXPECT_EQ(problem({"flip", "--in-place", a, "-o", at("c.exr")}),
            "flip: --in-place and -o are given: --in-place replaces the inputs themselves");
  EXPECT_EQ(problem({"flip", "--in-place", a, "--format", "png"}),
            "flip: --in-place and --format are given: --in-place replaces the inputs themselves");
  EXPECT_EQ(
      problem({"flip", "--in-place", a, "--no-clobber"}),
      "flip: --in-place and --no-clobber are given: --in-place replaces the inputs themselves");
  EXPECT_EQ(
      problem({"flip", "--in-place", a, "--skip-existing"}),
      "flip: --in-place and --skip-existing are given: --in-place replaces the inputs themselves");
  EXPECT_EQ(problem({"flip", "--in-place", "-"}),
            "flip: - cannot be replaced: name files, or leave out --in-place");
  EXPECT_EQ(problem({"stats", "--in-place", a}),
            "stats: --in-place is given: this stage writes no image");
  EXPECT_EQ(problem({"noise", "--in-place", a}),
            "noise: --in-place is given: this chain has no INPUT to replace");
  EXPECT_EQ(problem({"contact", "--in-place", a}),
            "contact: --in-place is given: all inputs become one image: name it with -o");
  EXPECT_EQ(problem({"flip", "--in-place"}), "flip: no INPUT: name a file, or - for a pipe");
}

TEST_F(Overwriting, InPlaceAFileHasOneName) {
  const std::string a = at("a.exr");
  fs::create_symlink(a, at("link.exr"));
  fs::create_symlink(a, at("0.exr"));
  fs::create_hard_link(a, at("hard.exr"));
  const auto in_place = [&](const char* one, const char* other) {
    return problem({"flip", "--in-place", at(one), at(other)});
  };
  EXPECT_EQ(in_place("a.exr", "link.exr"), "link.exr: it is a link to a.exr: name one of them");
  EXPECT_EQ(in_place("a.exr", "0.exr"), "0.exr: it is a link to a.exr: name one of them");
  EXPECT_EQ(in_place("0.exr", "link.exr"),
            "link.exr: it is the same file as 0.exr: name one of them");
  EXPECT_EQ(in_place("a.exr", "folder/../a.exr"),
            "folder/../a.exr: it is the same file as a.exr: name one of them");
  EXPECT_EQ(in_place("a.exr", "hard.exr"), "no error");  // each becomes a separate file
}

TEST_F(Overwriting, InPlaceNoFrameAndNoLevelMayBeLost) {
  const Image image = noise(spec_of({0, 0, 8, 8}, PixelType::u8, 3));
  write_image(at("still.png"), image, *codec_named("png"));
  dir_.write("moving.png", animated(read_file(at("still.png"))));
  const auto flip = [&](const std::string& file, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {CUIMG_PROGRAM, "flip", "--in-place", at(file)});
    return run(more);
  };
  const std::string before = read_file(at("moving.png"));
  EXPECT_EQ(flip("moving.png").err,
            "cuimg: " + at("moving.png") +
                ": --in-place would delete all frames of the animation but the first: write to "
                "another file\n");
  EXPECT_EQ(read_file(at("moving.png")), before);
  EXPECT_EQ(flip("still.png").exit, 0);
  ASSERT_EQ(run({CUIMG_PROGRAM, "mip", at("still.png"), at("levels.exr")}).exit, 0);
  EXPECT_EQ(flip("levels.exr", {"--mip-level", "1"}).err,
            "cuimg: " + at("levels.exr") +
                ": --in-place with --mip-level would delete the file's other levels: write the "
                "level to another file\n");
}

// The shell opens the file, so that only its inode is known.
TEST_F(Overwriting, FilesOfStandardInputAndOutputAreNoOutputs) {
  const Image image = noise(spec_of({0, 0, 7, 5}, PixelType::u8, 3));
  write_image(at("a.png"), image, *codec_named("png"));
  write_image(at("b.png"), image, *codec_named("png"));
  fs::create_directory(at("out"));
  write_image(at("out/b.png"), image, *codec_named("png"));
  fs::create_hard_link(at("a.png"), at("hard.png"));
  dir_.write("list", "a.png\n");
  const auto shell = [&](const std::string& words) {
    return run({"sh", "-c", std::string("exec '") + CUIMG_PROGRAM + "' " + words},
               {.folder = dir_.path().string()});
  };
  const std::string before = read_file(at("a.png"));
  const std::string input = ": it is an input too: write to another file";
  const std::pair<std::string, std::string> refused[] = {
      {"flop - a.png < a.png", "a.png" + input},
      {"flop - hard.png < a.png", "hard.png" + input},
      {"flop - -o ./a.png < hard.png", "./a.png" + input},
      {"flop + tee a.png + flip - c.png < a.png", "a.png" + input},
      {"histogram --plot a.png - < a.png", "histogram: --plot a.png" + input},
      {"flop --trace a.png - c.png < a.png",
       "--trace a.png: the file is read too: write to another file"},
      {"over --with - b.png a.png < a.png",
       "a.png: it is the output, and the file of --with of over: write to another file"},
      {"flop --files-from - --format png -o list < list",
       "list: it is the output, and the file of --files-from: write to another file"},
      {"flop - b.png -o out/ --format png < out/b.png",
       "standard input: it is an input, and the output of b.png: write to another folder"},
      {"flop a.png - >> a.png", "standard output" + input},
      {"flop hard.png - >> a.png", "standard output" + input},
      {"flop - - < a.png >> a.png", "standard output" + input},
      {"flop + tee - + flip a.png c.png >> a.png", "standard output" + input},
      {"over --with a.png b.png - >> a.png",
       "standard output: it is the output, and the file of --with of over: write to another file"}};
  for (const auto& [words, problem] : refused) {
    const Outcome outcome = shell(words);
    EXPECT_EQ(outcome.exit, 2) << words;
    EXPECT_EQ(outcome.err, "cuimg: " + problem + "\n") << words;
    EXPECT_EQ(read_file(at("a.png")), before) << words;
    EXPECT_EQ(read_file(at("list")), "a.png\n") << words;
    EXPECT_FALSE(fs::exists(at("c.png"))) << words;
  }
  for (const std::string words :
       {"flop - c.png < a.png", "flop --format png a.png - > c.png", "flop - c.png < b.png",
        "flop --format png - - < a.png >> c.png", "stats a.png > c.txt"})
    EXPECT_EQ(shell(words).exit, 0) << words;
  EXPECT_EQ(read_file(at("a.png")), before);
}

// Radiance files may also be called .pic, but they cannot hold alpha.
TEST_F(Overwriting, ASoftimagePictureIsNotReplacedByARadianceOne) {
  const MadeBytes bytes = made_pic(5, 4, true, PicCode::none, pic_pixels(5, 4));
  const std::string pic(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const char* name : {"a.pic", "b.PIC"}) dir_.write(name, pic);
  const auto cuimg = [&](std::vector<std::string> words) {
    words.insert(words.begin(), CUIMG_PROGRAM);
    return run(words, {.folder = dir_.path().string()});
  };
  for (const std::string file : {"a.pic", "b.PIC"})
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"flop", "--in-place", file},
             {"flop", file, "-o", "out/"},
             {"flop", file, "-o", "out/{name}"},
             {"flop", file, "-o", "out/{stem}_s.{ext}"},
             {"flop", "--dry-run", file, "-o", "out/"},
             {"flop", "+", "tee", "out/", "+", "flip", file, "o.png"}}) {
      const Outcome outcome = cuimg(words);
      EXPECT_EQ(outcome.exit, 2) << words[1];
      EXPECT_TRUE(has(outcome.err, words[1] == "--in-place"
                                       ? "its content is Softimage PIC, and --in-place would store "
                                         "Radiance HDR under this name"
                                       : "Softimage PIC can be read but not written: use png"))
          << outcome.err;
      EXPECT_EQ(read_file(at(file)), pic);
      EXPECT_TRUE(!fs::exists(at("out")) || fs::is_empty(at("out"))) << words[1];
    }
  EXPECT_EQ(cuimg({"flop", "a.pic", "-o", "out/", "--format", "png"}).exit, 0);
  // As an output, .pic means Radiance (docs/FORMATS.md).
  ASSERT_EQ(cuimg({"flop", "a.pic", "r.pic"}).exit, 0);
  EXPECT_TRUE(read_file(at("r.pic")).starts_with("#?RADIANCE"));
  EXPECT_EQ(cuimg({"flop", "--in-place", "r.pic"}).exit, 0);
  EXPECT_EQ(cuimg({"flop", "r.pic", "-o", "out/"}).exit, 0);
}

TEST_F(Overwriting, TheProgramReplacesInPlaceAndLeavesWhatItRefuses) {
  const Image image = noise(spec_of({0, 0, 7, 5}, PixelType::u8, 3));
  const Codec& ppm = *codec_named("ppm");
  for (const char* name : {"1.ppm", "2.ppm"}) write_image(at(name), image, ppm);
  fs::create_symlink("2.ppm", at("link.ppm"));
  const std::string before = read_file(at("2.ppm"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"contact", "1.ppm", "2.ppm"},
        {"append", "1.ppm", "2.ppm"},
        {"flip", "1.ppm", "-o", "link.ppm", "2.ppm"},
        {"absdiff", "--with", "2.ppm", "1.ppm", "link.ppm"}}) {
    std::vector<std::string> argv = {CUIMG_PROGRAM};
    argv.insert(argv.end(), words.begin(), words.end());
    const Outcome outcome = run(argv, {.folder = dir_.path().string()});
    EXPECT_EQ(outcome.exit, 2) << words[0];
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(read_file(at("2.ppm")), before) << words[0];
  }
  const auto flop = [&](std::vector<std::string> files) {
    files.insert(files.begin(), {CUIMG_PROGRAM, "flop", "--in-place"});
    return run(files, {.folder = dir_.path().string()}).exit;
  };
  ASSERT_EQ(flop({"1.ppm", "link.ppm"}), 0);
  EXPECT_TRUE(fs::is_symlink(at("link.ppm")));
  EXPECT_TRUE(same_pixels(read_image(at("2.ppm")), run_chain("flop", image)));
  ASSERT_EQ(flop({"1.ppm", "2.ppm"}), 0);
  EXPECT_EQ(read_file(at("2.ppm")), before);
  EXPECT_EQ(read_file(at("1.ppm")), before);
}

}  // namespace
}  // namespace cuimg::test
