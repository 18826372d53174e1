// SPDX-License-Identifier: Apache-2.0
// Files named in options are read once for all inputs of a command, and --dry-run reads only their
// headers.
#include <sys/stat.h>

#include <thread>

#include "cli/failing/bad_input.h"
#include "cli/failing/hostile_files.h"

namespace cuimg::test {
namespace {

// A named pipe gives its bytes to its first reader; a second reader would wait for ever.
class SharedFiles : public BadInput {
 protected:
  static constexpr const char* cube =
      "LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n.5 1 0\n0 0 1\n"
      "1 0 1\n0 1 1\n1 1 1\n";
  void SetUp() override {
    for (const char* name : {"in/a.ppm", "in/b.ppm", "in/c.ppm"}) {
      std::filesystem::create_directories(folder.path() / "in");
      make_picture(name, 40 + name[3], 30);
    }
    make_picture("second.ppm", 37, 29);
    folder.write("table.cube", cube);
    folder.write("kernel.txt", "1 2 1\n2 4 2\n1 2 1\n");
  }

  // Runs `words`, whose last one names a file, on the inputs: one by one with the file itself, and
  // all together with a pipe.
  void expect_one_read(const Words& words) const {
    SCOPED_TRACE(words.front() + " " + words.back());
    const std::string pipe = folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const std::string bytes = read_file(folder / words.back());
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
    Words all = {"timeout", "20", CUIMG_PROGRAM};
    all.insert(all.end(), words.begin(), words.end() - 1);
    all.insert(all.end(), {"pipe", "-j", "3", "--device", "cpu", "in", "-o", "together/"});
    const Outcome outcome = run(all, {.folder = folder.path().string()});
    writer.join();
    std::filesystem::remove(pipe);
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    for (const std::string name : {"a.ppm", "b.ppm", "c.ppm"}) {
      Words one = words;
      one.insert(one.end(), {"--device", "cpu", "in/" + name, "alone.ppm"});
      expect_done(one);
      EXPECT_EQ(read_file(folder / "together/" + name), read_file(folder / "alone.ppm")) << name;
    }
  }

  // A PNG whose header is correct and whose pixels are damaged.
  void write_damaged_png(const std::string& name) const {
    expect_done({"convert", "second.ppm", "whole.png"});
    std::string bytes = read_file(folder / "whole.png");
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
    folder.write(name, bytes);
  }
};

TEST_F(SharedFiles, AreReadOnceForAllInputs) {
  expect_one_read({"over", "--at", "0,0", "--with", "second.ppm"});
  expect_one_read({"add", "--at", "0,0", "--with", "second.ppm"});
  expect_one_read({"mix", "--at", "0,0", "--with", "second.ppm"});
  expect_one_read({"mask", "--at", "0,0", "--with", "second.ppm"});
  expect_one_read({"append", "--with", "second.ppm"});
  expect_one_read({"remap", "--coords", "normalized", "--map", "second.ppm"});
  expect_one_read({"lut", "--file", "table.cube"});
  expect_one_read({"lut", "--interpolation", "texture", "--file", "table.cube"});
  expect_one_read({"convolve", "--kernel", "kernel.txt"});
}

TEST_F(SharedFiles, AreReadOnceForAllStagesOfAChain) {
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string bytes = read_file(folder / "second.ppm");
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
  const Outcome outcome =
      run({"timeout",  "20",         CUIMG_PROGRAM, "mask", "--at",     "0,0",  "--with", "pipe",
           "+",        "over",       "--with",      "pipe", "--at",     "3,4",  "+",      "remap",
           "--coords", "normalized", "--map",       "pipe", "in/a.ppm", "o.png"},
          {.folder = folder.path().string()});
  writer.join();
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  expect_done({"mask", "--at", "0,0", "--with", "second.ppm", "+", "over", "--with", "second.ppm",
               "--at", "3,4", "+", "remap", "--coords", "normalized", "--map", "second.ppm",
               "in/a.ppm", "file.png"});
  EXPECT_EQ(read_file(folder / "o.png"), read_file(folder / "file.png"));
}

TEST_F(SharedFiles, ThatCannotBeReadAreAnErrorOfEachInput) {
  write_damaged_png("damaged.png");
  for (const char* jobs : {"1", "3"}) {
    const Outcome outcome =
        cuimg({"over", "--at", "0,0", "--with", "damaged.png", "-j", jobs, "in", "-o", "out/"});
    EXPECT_EQ(outcome.exit, 2);
    for (const std::string input : {"in/a.ppm", "in/b.ppm", "in/c.ppm"})
      EXPECT_NE(outcome.err.find("cuimg: " + input + ": damaged.png: "), std::string::npos)
          << outcome.err;
    EXPECT_NE(outcome.err.find("3 of 3 images failed"), std::string::npos) << outcome.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder / "out"));
  }
}

TEST_F(SharedFiles, ThatAreMissingAreOneErrorBeforeAnyWork) {
  expect_refused({"over", "--at", "0,0", "--with", "missing.png", "in", "-o", "out/"},
                 {"cuimg: over: --with missing.png: no such file\n"});
}

TEST_F(SharedFiles, ThatAreDamagedAreAnErrorWhereverTheyLie) {
  write_damaged_png("damaged.png");
  expect_refused({"over", "--with", "damaged.png", "--at", "900,900", "in/a.ppm", "o.png"},
                 {"damaged.png: "});
}

TEST_F(SharedFiles, AreReadToTheirHeadersByDryRun) {
  write_damaged_png("damaged.png");
  folder.write("damaged.cube", "LUT_3D_SIZE 2\n0 0 0\nthese are no numbers\n");
  const std::vector<Words> cases = {
      {"over", "--at", "0,0", "--with", "damaged.png"},
      {"sub", "--at", "0,0", "--with", "damaged.png"},
      {"mask", "--at", "0,0", "--with", "damaged.png"},
      {"append", "--with", "damaged.png"},
      {"remap", "--coords", "normalized", "--map", "damaged.png"},
      {"lut", "--file", "damaged.cube"},
      {"lut", "--interpolation", "texture", "--file", "damaged.cube"}};
  for (Words words : cases) {
    SCOPED_TRACE(words.front());
    words.insert(words.end(), {"in/a.ppm", "o.png"});
    expect_refused(words, {"damaged."});
    words.insert(words.begin() + 1, "--dry-run");
    expect_done(words);
  }
  // Both refuse a file that does not match.
  for (Words words : {Words{"mask", "--channel", "alpha", "--with", "damaged.png"},
                      Words{"lut", "--file", "second.ppm"}, Words{"over", "--with", "none.png"}}) {
    words.insert(words.end(), {"in/a.ppm", "o.png"});
    const Outcome real = expect_refused(words, {});
    words.insert(words.begin() + 1, "--dry-run");
    EXPECT_EQ(expect_refused(words, {}).err, real.err);
  }
}

TEST_F(SharedFiles, OfGreatSizeCostADryRunNothing) {
  // 900 million pixels in 400 kB, which would take hours to compute.
  expect_done({"constant", "--size", "30000x30000", "--type", "u8", "--color", "0.5", "huge.png"});
  const Outcome outcome =
      expect_done({"over", "--dry-run", "--at", "0,0", "--with", "huge.png", "in/a.ppm", "o.png"});
  EXPECT_LT(outcome.cpu_seconds, 2.0);
  EXPECT_LT(outcome.peak_bytes, std::size_t{200} << 20);  // 0 with a sanitizer
}

TEST_F(SharedFiles, SayWhatTheirDecoderNotedForEachInput) {
  expect_done({"convert", "second.ppm", "second.png"});
  std::string png = read_file(folder / "second.png");
  constexpr std::size_t header_end = 33;
  png.insert(header_end, png_chunk("prVt", "?"));
  folder.write("second.png", png);
  const Outcome outcome = cuimg(
      {"over", "-v", "--device", "cpu", "--at", "0,0", "--with", "second.png", "in", "-o", "out/"});
  EXPECT_EQ(outcome.exit, 0);
  for (const std::string input : {"in/a.ppm", "in/b.ppm", "in/c.ppm"})
    EXPECT_NE(outcome.err.find(input + ": second.png: chunk prVt is left out"), std::string::npos)
        << outcome.err;
}

TEST_F(SharedFiles, AreWarnedOfOnce) {
  expect_done({"convert", "second.ppm", "second.jpg"});
  std::string jpeg = read_file(folder / "second.jpg");
  // The first piece of a profile that consists of two.
  jpeg.insert(2, std::string("\xff\xe2\0\x11ICC_PROFILE\0\1\2x", 19));
  folder.write("second.jpg", jpeg);
  const Outcome outcome =
      cuimg({"over", "--device", "cpu", "--at", "0,0", "--with", "second.jpg", "in", "-o", "out/"});
  EXPECT_EQ(outcome.exit, 0);
  const std::string line = ": second.jpg: the segments of its ICC profile do not form a whole one";
  const std::size_t first = outcome.err.find(line);
  ASSERT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find(line, first + 1), std::string::npos) << outcome.err;
}

TEST_F(SharedFiles, MayBeStandardInputForAllInputs) {
  const std::string second = read_file(folder / "second.ppm");
  for (const std::string jobs : {"1", "3"}) {
    expect_done(
        {"over", "--at", "0,0", "-j", jobs, "--with", "-", "in", "-o", "piped" + jobs + "/"},
        {.input = second});
    expect_done(
        {"over", "--at", "0,0", "-j", jobs, "--with", "second.ppm", "in", "-o", "f" + jobs + "/"});
    for (const std::string name : {"a.ppm", "b.ppm", "c.ppm"})
      EXPECT_EQ(read_file(folder / ("piped" + jobs + "/" + name)),
                read_file(folder / ("f" + jobs + "/" + name)));
  }
}

TEST_F(SharedFiles, NameStandardInputOnce) {
  const std::string line = "- is named twice: standard input can be read only once";
  expect_refused({"over", "--with", "-", "-", "o.png"}, {"over: " + line});
  expect_refused({"over", "--with", "-", "+", "absdiff", "--with", "-", "in/a.ppm", "o.png"},
                 {"absdiff: " + line});
  expect_refused({"over", "--with", "-", "--files-from", "-", "-o", "o/"}, {"over: " + line});
}

TEST_F(SharedFiles, ThatAreAlsoTheOutputAreNotReplaced) {
  const std::string before = read_file(folder / "second.ppm");
  expect_refused({"over", "--at", "0,0", "--with", "second.ppm", "in/a.ppm", "second.ppm"},
                 {"second.ppm: it is the output, and the file of --with of over"});
  EXPECT_EQ(read_file(folder / "second.ppm"), before);
}

}  // namespace
}  // namespace cuimg::test
