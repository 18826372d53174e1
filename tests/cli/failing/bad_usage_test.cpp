// SPDX-License-Identifier: Apache-2.0
// Options, stages, types and names that are not possible; and odd names that are.
#include "cli/failing/bad_input.h"

namespace cuimg::test {
namespace {

namespace fs = std::filesystem;

class BadUsage : public BadInput {
 protected:
  void SetUp() override {
    make_picture("in.ppm", 61, 43);
    folder.write("present.png", "what was there before");
  }
  // Puts options between the stage and its files, with an output that exists.
  void expect_options_refused(const Words& options, const Words& parts,
                              const std::string& output = "present.png") const {
    Words words = options;
    words.insert(words.end(), {"in.ppm", output});
    SCOPED_TRACE(words[1]);
    expect_refused(words, parts);
  }
};

TEST_F(BadUsage, SizesThatAreNoneAreRefused) {
  expect_options_refused({"resize", "--size", "0x0"},
                         {"resize: --size 0x0: width must be at least 1"});
  for (const char* size : {"1.5x", "1.5x2", "x", "", "-5x5", "640x480x3", "nan%", "inf%", "1e3x1",
                           "0%", "-50%", "99999999999x1", "10 x10", "10x10 ", "½x½"})
    expect_options_refused({"resize", "--size", size}, {"resize: --size " + std::string(size)});
  expect_options_refused({"resize", "--size", "131073x1"}, {"--size 131073x1", "131072"});
  expect_options_refused({"resize", "--size", "1000000%"}, {"610000x430000", "131072"});
}

TEST_F(BadUsage, ResultsPastTheLimitOfPixelsAreRefusedBeforeTheyAreMade) {
  const Outcome outcome =
      expect_refused({"resize", "--size", "131072x131072", "in.ppm", "present.png"},
                     {"resize: ", "131072x131072", "17179869184 pixels", "--limit-pixels"});
  EXPECT_LT(outcome.peak_bytes, std::size_t{64} << 20);
  expect_refused({"resize", "--size", "100x100", "--limit-pixels", "9999", "in.ppm", "present.png"},
                 {"resize: ", "10000 pixels"});
  expect_refused({"resize", "--size", "100x100", "--limit-pixels", "9999", "+", "resize", "--size",
                  "5x5", "in.ppm", "present.png"},
                 {"resize: ", "10000 pixels"});
}

TEST_F(BadUsage, UnknownOptionsAndStagesNameTheNearest) {
  expect_options_refused({"resize", "--szie", "3"},
                         {"unknown option --szie", "did you mean --size?"});
  expect_options_refused({"resize", "--filtr=box"}, {"--filtr", "did you mean --filter?"});
  expect_options_refused({"remap", "--boarder", "wrap"}, {"--boarder", "did you mean --border?"});
  expect_options_refused({"resize", "-x"}, {"unknown option -x"});
  expect_options_refused({"resiz"}, {"resiz: unknown stage", "did you mean resize?"});
  expect_options_refused({"resize", "+", "remp"}, {"remp: unknown stage", "did you mean remap?"});
  expect_options_refused({"resize", "--filter", "lanczos33"}, {"--filter lanczos33", "lanczos3"});
  expect_refused({"resize", "--size"}, {"--size needs a value"});
  expect_refused({"resize", "+"}, {"cuimg: +: a stage is missing"});
}

TEST_F(BadUsage, WhatTheFormatLacksIsRefused) {
  expect_options_refused({"convert", "--type", "float"}, {"--type float", "PNG", "u8, u16"});
  expect_options_refused({"convert", "--type", "u9"}, {"--type u9 is unknown", "half"});
  const std::pair<const char*, const char*> wrong[] = {
      {"o.jpg", "u16"}, {"o.exr", "u8"},    {"o.hdr", "half"}, {"o.pfm", "u8"},
      {"o.tga", "u16"}, {"o.bmp", "float"}, {"o.ppm", "half"}};
  for (const auto& [output, type] : wrong)
    expect_options_refused({"convert", "--type", type}, {std::string("--type ") + type}, output);
  for (const char* output : {"o.exr", "present.png", "o.tif", "o.tga", "o.jpg", "o.bmp", "o.hdr"})
    expect_options_refused({"convert", "--compression", "lzma9"}, {"--compression lzma9"}, output);
  expect_options_refused({"convert", "--compression", "piz"}, {"--compression piz"});
}

TEST_F(BadUsage, CommonOptionsThatMeanNothingAreRefused) {
  for (const char* color : {"1,2", "1,1,1,0.5", "0,0"})
    expect_options_refused({"convert", "--background", color},
                           {std::string("--background ") + color + " is not opaque: use R,G,B"});
  expect_done({"convert", "--background", "0.5", "in.ppm", "grey.jpg"});
  expect_done({"convert", "--background", "0.5,1", "in.ppm", "grey.jpg"});
  expect_done({"convert", "--background", "1,0,0,1", "in.ppm", "red.jpg"});
  for (const char* option : {"--output", "--format", "--compression"})
    expect_options_refused({"convert", option, ""}, {std::string(option) + " '' is empty"});
  expect_options_refused({"convert", "-o", ""}, {"--output '' is empty"});
  expect_options_refused({"convert", "-q", "-v"}, {"--quiet: --verbose is given too"});
  expect_options_refused({"convert", "--part", "1"}, {"in.ppm: part 1 does not exist", "part 0"});
  expect_options_refused({"convert", "--mip-level", "2"}, {"in.ppm: mip level 2 does not exist"});
}

TEST_F(BadUsage, ValuesThatAreNoneSayWhatIsAllowed) {
  const std::string memory =
      ": use a whole number above 0, alone or with K, M, G or T: 500M, 1536M";
  expect_options_refused({"convert", "--max-memory", "0"},
                         {"--max-memory 0 is out of range" + memory});
  for (const std::string size : {"1.5G", "64MiB", "4 G", "-1G"})
    expect_options_refused({"convert", "--max-memory", size},
                           {"--max-memory " + size + " is not an amount of memory" + memory});
  expect_refused({"compare", "--flip-statistic", "foo", "in.ppm", "in.ppm"},
                 {"--flip-statistic foo is not a statistic: use mean, median or a percentile"});
  expect_refused({"compare", "--flip-statistic", "101", "in.ppm", "in.ppm"},
                 {"--flip-statistic 101 is out of range: use mean, median or a percentile"});
  expect_refused({"compare", "--flip-statistic", "99", "in.ppm", "in.ppm"},
                 {"--flip-statistic without --fail-flip does nothing"});
  expect_refused({"compare", "--density-window", "16", "in.ppm", "in.ppm"},
                 {"--density-window without --fail-density does nothing"});
  expect_refused({"compare", "--nan", "fails", "--allow-non-finite", "in.ppm", "in.ppm"},
                 {"--nan fails and --allow-non-finite contradict each other: give one of them"});
  std::string kernel = "256x1:1";
  for (int i = 1; i < 256; ++i) kernel += ",1";
  expect_options_refused({"convolve", "--kernel", kernel},
                         {"convolve: --kernel 256x1:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,...: it has "
                          "256x1 weights: use at most 255x255\n"});
}

TEST_F(BadUsage, AQualityThatNoOutputHasUseForIsRefused) {
  expect_options_refused({"convert", "--quality", "50"},
                         {"--quality 50: no output uses it: write OpenEXR with --compression "
                          "dwaa or dwab, or JPEG"});
  expect_options_refused({"convert", "--quality", "50"}, {"--quality 50"}, "o.exr");
  expect_done({"convert", "--quality", "50", "--compression", "dwaa", "in.ppm", "o.exr"});
  expect_done({"convert", "--quality", "50", "in.ppm", "o.jpg"});
  expect_refused({"stats", "--quality", "50", "in.ppm"}, {"--quality 50: no output uses it"});
  fs::create_directory(folder / "mixed");
  expect_done({"convert", "in.ppm", "mixed/a.png"});
  expect_done({"convert", "in.ppm", "mixed/b.jpg"});
  expect_done({"convert", "--quality", "50", "mixed", "-o", "out/"});
}

TEST_F(BadUsage, ErrorsAboutOneOfManyImagesNameIt) {
  expect_options_refused({"convert", "--type", "float"}, {"cuimg: in.ppm: png: --type float"});
  expect_options_refused({"convert", "--compression", "piz"},
                         {"cuimg: in.ppm: png: --compression piz"});
  expect_options_refused({"remap"}, {"cuimg: remap: --map is missing"});
  expect_refused({"convert", "missing.ppm", "o.png"}, {"cuimg: missing.ppm: no such file"});
  expect_refused({"convert", "missing", "-o", "out/"}, {"cuimg: missing: no such file"});
  expect_refused({"convert", "*.nope", "-o", "out/"}, {"cuimg: *.nope: no such file"});
  expect_refused({"convert", "in.ppm", "nowhere/o.png"}, {"cuimg: nowhere/o.png: no folder"});
}

// Before any image is opened, and before a folder is created for the outputs.
TEST_F(BadUsage, WhatNoImageMakesRightIsSaidOnce) {
  make_picture("two.ppm", 20, 30);
  for (const Words& stage : {Words{"clamp", "--min", "1", "--max", "0"},
                             {"levels", "--black", "0.5", "--white", "0.5"},
                             {"convolve"},
                             {"cut"},
                             {"crop"},
                             {"over"},
                             {"mix"},
                             {"add"},
                             {"lut"},
                             {"remap"},
                             {"channels"},
                             {"median", "--size", "4"},
                             {"perspective", "--corners", "1,2"},
                             {"affine", "--matrix", "1,2,3"},
                             {"rotate", "--expand", "--center", "1,1"},
                             {"resize", "--fit", "--fill", "--size", "5x5"},
                             {"pad", "--size", "99x99", "--left", "1"},
                             {"matrix", "--values", "1,2"},
                             {"saturation", "--amount", "1,2"},
                             {"colormap", "--min", "1", "--max", "1"},
                             {"normalize", "--low", "1", "--high", "1"},
                             {"curve", "--red", "1,1 0,0"}}) {
    Words words = stage;
    words.insert(words.end(), {"in.ppm", "two.ppm", "-o", "made/"});
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 2) << stage.front();
    EXPECT_TRUE(outcome.err.starts_with("cuimg: " + stage.front() + ": ")) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_FALSE(fs::exists(folder / "made")) << stage.front();
  }
}

// An option with its default value is accepted, since scripts and recipes pass it.
TEST_F(BadUsage, OptionsWithoutAnEffectAreRefused) {
  make_picture("map.ppm", 4, 4);
  const auto shown = " is only used by --border border: give that too, or leave out ";
  for (const Words& stage : {Words{"remap", "--map", "map.ppm"},
                             {"rotate", "--border", "clamp"},
                             {"affine", "--border", "mirror"}}) {
    Words words = stage;
    words.insert(words.end(), {"--border-color", "1", "in.ppm", "out.png"});
    expect_refused(words,
                   {"cuimg: " + stage.front() + ": --border-color" + shown + "--border-color\n"});
  }
  expect_refused({"pad", "--border", "wrap", "--color", "1", "in.ppm", "out.png"},
                 {std::string("cuimg: pad: --color") + shown + "--color\n"});
  expect_refused({"probe", "--at", "1,1", "--border-color", "1", "in.ppm"},
                 {std::string("cuimg: probe: --border-color") + shown});
  expect_refused(
      {"resize", "--gravity", "north", "in.ppm", "out.png"},
      {"cuimg: resize: --gravity chooses the part that --fill keeps: give --fill or leave it out"});
  for (const char* size : {"640x0", "0x48", "50%"})
    expect_refused({"resize", "--fit", "--size", size, "in.ppm", "out.png"},
                   {std::string("cuimg: resize: --fit has no effect, since --size ") + size +
                    " keeps the aspect: give both sides, WxH, or leave it out"});
  expect_refused({"noise", "--mean", "1", "out.png"},
                 {"cuimg: noise: --mean and --stddev are for gaussian noise"});
  expect_refused({"noise", "--distribution", "gaussian", "--max", "2", "out.png"},
                 {"cuimg: noise: --min and --max are for uniform noise"});
  expect_refused({"noise", "--min", "3", "out.png"}, {"cuimg: noise: --min 3 is above --max 1"});
  expect_refused(
      {"contact", "--no-label", "--label-size", "9", "in.ppm", "-o", "out.png"},
      {"cuimg: contact: --label-size has no effect, since --no-label leaves out the names"});

  for (const Words& harmless :
       {Words{"rotate", "--border", "clamp", "--border-color", "0,0,0,0", "in.ppm"},
        {"resize", "--gravity", "center", "in.ppm"},
        {"resize", "--fit", "--size", "50%x20%", "in.ppm"},
        {"noise", "--size", "4x4", "--distribution", "gaussian", "--min", "0"}}) {
    Words words = harmless;
    words.push_back("out.png");
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
  }
}

TEST_F(BadUsage, MemoryThatIsNotThereIsSaidWithTheImagesName) {
  if (under_sanitizer) GTEST_SKIP() << "a sanitizer needs more address space than the limit";
  const Outcome outcome =
      run({"sh", "-c",
           "ulimit -v 4000000; exec \"$0\" resize --size 65536x16384 --filter point in.ppm o.pfm",
           CUIMG_PROGRAM},
          {.folder = folder.path().string()});
  expect_one_line(outcome, {"cuimg: in.ppm: ", "memory"});
  EXPECT_FALSE(fs::exists(folder / "o.pfm"));
}

TEST_F(BadUsage, WhyNoCardIsUsedIsSaidOnceARun) {
  make_picture("other.ppm", 5, 5);
  const Outcome outcome = cuimg({"resize", "-v", "in.ppm", "other.ppm", "-o", "out/"});
  const std::string told = "; the CPU does it instead\n";
  const std::size_t first = outcome.err.find(told);
  if (first == std::string::npos) GTEST_SKIP() << "there is a card: " << outcome.err;
  EXPECT_EQ(outcome.err.find(told, first + 1), std::string::npos) << outcome.err;
}

TEST_F(BadUsage, OutputsOfNoFormatAreRefused) {
  expect_options_refused({"convert"}, {"o.xyz: '.xyz' is not a known format", "exr, png"}, "o.xyz");
  expect_options_refused({"convert"}, {"o: the name has no extension"}, "o");
  expect_options_refused({"convert", "--format", "webp"}, {"--format: 'webp'", "exr, png"});
  expect_options_refused({"convert"}, {"name is empty"}, "");
}

TEST_F(BadUsage, TwoInputsForOneOutputAreRefused) {
  make_picture("sub/in.ppm", 5, 5);
  fs::create_directory(folder / "out");
  expect_refused({"convert", "in.ppm", "sub/in.ppm", "-o", "out/"}, {"out/in.ppm", "both"});
  expect_refused({"convert", "in.ppm", "sub/in.ppm", "-o", "present.png"}, {"present.png: "});
  expect_refused({"convert", "in.ppm", "sub/in.ppm", "present.png"}, {"convert: 3 files"});
  expect_refused({"convert", "in.ppm", "sub/in.ppm", "-o", "out/x.{ext}"}, {"out/x.ppm", "both"});
  expect_refused({"convert", "in.ppm", "sub/in.ppm", "-o", "-"}, {"-o -", "2 images"});
  expect_refused({"convert", "in.ppm", "present.png", "-o", "out/{steam}.png"}, {"{steam}"});
}

TEST_F(BadUsage, NamesOfAnyBytesWork) {
  const Words names = {"a,b.ppm",          "a b .ppm",    "a\nb.ppm",     "a\tb.ppm",
                       "\xff\xfe\x80.ppm", "+.ppm",       "@a.ppm",       "{stem}.ppm",
                       "%s%n.ppm",         "'\"$(x).ppm", "\xc3\xa9.ppm", "..ppm.ppm"};
  const std::string picture = read_file(folder / "in.ppm");
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    folder.write(name, picture);
    expect_done({"convert", name, "o-" + name});
    EXPECT_EQ(read_file(folder / ("o-" + name)), picture);
  }
  for (const std::string name : {"-a.ppm", "--size.ppm", "--", "-h"}) {
    SCOPED_TRACE(name);
    folder.write(name, picture);
    expect_done({"convert", "--format", "pnm", "--", name, "-o-.ppm"});
    EXPECT_EQ(read_file(folder / "-o-.ppm"), picture);
  }
}

TEST_F(BadUsage, NamesOfAnyBytesArePrintedInOneLineOfPlainText) {
  expect_refused({"convert", "a\nb.exr", "o.exr"}, {"a\\nb.exr: no such file"});
  expect_refused({"convert", "\xff\xfe.exr", "o.exr"}, {"\\xff\\xfe.exr: no such file"});
  expect_refused({"convert", "\x1b[2J.exr", "o.exr"}, {"\\x1b[2J.exr: no such file"});
  expect_refused({"convert", "in.ppm", "o.\n"}, {"o.\\n: "});
  expect_refused({"convert", "in.ppm", "no\ndir/o.png"}, {"no folder 'no\\ndir'"});
  expect_refused({"convert", "--", "-a.exr", "o.exr"}, {"-a.exr: no such file"});
  const std::string long_name = std::string(300, 'n') + ".png";
  expect_refused({"convert", "in.ppm", long_name}, {"File name too long"});
  expect_refused({"convert", long_name, "o.png"}, {"File name too long"});
}

}  // namespace
}  // namespace cuimg::test
