// SPDX-License-Identifier: Apache-2.0
// Options, stages, types and names that cannot be; and odd names that can.
#include "bad_input.h"

namespace cuimg::test {
namespace {

namespace fs = std::filesystem;

class BadUsage : public BadInput {
 protected:
  void SetUp() override {
    make_picture("in.ppm", 61, 43);
    folder.write("present.png", "what was there before");
  }
  // Options between the stage and its files, to an output that is there.
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
  expect_options_refused({"resize", "--filter", "lanczos"}, {"--filter lanczos", "lanczos3"});
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

TEST_F(BadUsage, NamesOfAnyBytesStandInOneLineOfPlainText) {
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
