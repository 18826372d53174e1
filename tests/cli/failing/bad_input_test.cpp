// SPDX-License-Identifier: Apache-2.0
// Files that are truncated, damaged, empty, not images, or images in unsupported formats.
#include <sys/stat.h>

#include <cstring>
#include <span>

#include "base/bytes.h"
#include "cli/failing/bad_input.h"
#include "cli/failing/hostile_files.h"
#include "io/made_gif.h"
#include "io/made_pic.h"
#include "io/made_psd.h"

namespace cuimg::test {
namespace {

namespace fs = std::filesystem;

struct Format {
  const char* file;
  Words options;
};

const Format formats[] = {
    {"a.exr", {"--compression", "none"}},
    {"a.exr", {"--compression", "zip"}},
    {"a.exr", {"--compression", "piz"}},
    {"a.exr", {"--compression", "dwaa"}},
    {"a.png", {}},
    {"a.png", {"--type", "u16"}},
    {"a.jpg", {}},
    {"a.tif", {"--compression", "none"}},
    {"a.tif", {"--compression", "deflate"}},
    {"a.tif", {"--type", "float"}},
    {"a.hdr", {}},
    {"a.pfm", {}},
    {"a.ppm", {}},
    {"a.ppm", {"--type", "u16"}},
    {"a.tga", {"--compression", "none"}},
    {"a.tga", {"--compression", "rle"}},
    {"a.bmp", {}},
};

class Truncation : public BadInput {
 protected:
  // Wherever the file is cut, the line names the file, and the folder does not change.
  void expect_refused_when_cut(const std::string& name, const std::string& whole) const {
    constexpr std::size_t offsets = 30;
    folder.write("present.exr", "what was there before");
    for (std::size_t i = 0; i < offsets; ++i) {
      // The first offset is an empty file, the last one lacks a single byte.
      const std::size_t length = std::min(i * whole.size() / (offsets - 1), whole.size() - 1);
      SCOPED_TRACE(name + " cut to " + std::to_string(length) + " of " +
                   std::to_string(whole.size()) + " bytes");
      folder.write(name, whole.substr(0, length));
      expect_refused({"convert", name, i % 2 == 0 ? "absent.exr" : "present.exr"}, {name + ": "});
    }
  }
};

TEST_F(Truncation, OfWhatIsWrittenIsRefusedAtThirtyOffsets) {
  make_picture("in.ppm", 61, 43);
  for (const Format& format : formats) {
    Words words = {"convert", "in.ppm", format.file};
    words.insert(words.end(), format.options.begin(), format.options.end());
    expect_done(words);
    expect_refused_when_cut(format.file, read_file(folder / format.file));
    fs::remove(folder / format.file);
  }
}

TEST_F(Truncation, OfWhatIsOnlyReadIsRefusedAtThirtyOffsets) {
  expect_refused_when_cut("tiled.exr", tiled_exr(folder / "whole.exr", 61, 43));
  expect_refused_when_cut("rip.exr", tiled_exr(folder / "whole.exr", 61, 43, true));
  fs::remove(folder / "whole.exr");
  expect_refused_when_cut("grey.pgm", "P5\n40 20\n255\n" + std::string(800, '\x40'));
  std::string text = "P2\n12 9\n255\n";
  for (int i = 0; i < 107; ++i) text += std::to_string(i * 2) + (i % 12 == 11 ? "\n" : " ");
  // If the cut were inside the last number, that would just be another number.
  expect_refused_when_cut("plain.pgm", text + "7");
  expect_refused_when_cut("bits.pbm", "P4\n64 40\n" + std::string(320, '\x5a'));
}

TEST_F(Truncation, OfPsdAndPicIsRefusedAtThirtyOffsets) {
  for (const unsigned mode : {1u, 3u})
    for (const int bits : {8, 16})
      for (const bool packed : {false, true}) {
        MadePsd psd{17, 11, static_cast<int>(mode), bits, mode};
        psd.packed = packed;
        psd.samples = psd_samples(psd);
        expect_refused_when_cut("a.psd", std::string(text_of_bytes(psd.bytes())));
      }
  for (const PicCode code : {PicCode::none, PicCode::pure, PicCode::mixed})
    for (const bool alpha : {false, true}) {
      const MadeBytes pic = made_pic(17, 11, alpha, code, pic_pixels(17, 11));
      expect_refused_when_cut("a.pic", std::string(text_of_bytes(pic)));
    }
}

TEST_F(Truncation, OfFramesAndPagesIsRefusedAtThirtyOffsets) {
  MadeGif gif{17, 11, {{0, 0, 0}, {255, 0, 0}, {0, 255, 0}, {0, 0, 255}}};
  for (unsigned disposal = 0; disposal < 4; ++disposal) {
    MadeGifFrame frame{0, 0, 17, 11, disposal};
    for (int i = 0; i < 17 * 11; ++i) frame.indices.push_back(static_cast<std::uint8_t>(i / 2 % 4));
    gif.frames.push_back(frame);
  }
  const MadeBytes frames = gif.bytes();
  expect_refused_when_cut("a.gif", std::string(text_of_bytes(frames)));
  folder.write("whole.gif", std::string(text_of_bytes(frames)));
  for (const char* compression : {"none", "lzw", "deflate"}) {
    expect_done({"convert", "whole.gif", "whole.tif", "--compression", compression});
    const std::string pages = read_file(folder / "whole.tif");
    fs::remove(folder / "whole.tif");
    expect_refused_when_cut("a.tif", pages);
  }
}

TEST_F(Truncation, IsRefusedByEveryCommandThatReads) {
  make_picture("in.ppm", 61, 43);
  expect_done({"convert", "in.ppm", "a.png"});
  const std::string whole = read_file(folder / "a.png");
  folder.write("a.png", whole.substr(0, whole.size() - 1));
  const Words missing = {"a.png: ", "truncated"};
  expect_refused({"checksum", "a.png"}, missing);
  expect_refused({"resize", "--size", "50%", "a.png", "o.png"}, missing);
  expect_refused({"resize", "--size", "50%", "--filter", "linear", "a.png", "-"}, missing);
  expect_refused({"remap", "--map", "a.png", "in.ppm", "o.png"}, missing);
}

TEST_F(BadInput, PngChunksThatAreCorruptAreRefused) {
  make_picture("in.ppm", 61, 43);
  expect_done({"convert", "in.ppm", "whole.png"});
  const std::string whole = read_file(folder / "whole.png");
  const std::size_t data = whole.find("IDAT"), end = whole.find("IEND");
  ASSERT_NE(data, std::string::npos);
  const auto damaged = [&](std::size_t at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    return bytes;
  };
  // The CRCs of the header, the data and the end; the first byte of the data, and some in the
  // middle.
  for (const std::size_t at :
       {std::size_t{30}, end - 5, end + 5, data + 4, data + 5, (data + end) / 2, end - 10}) {
    SCOPED_TRACE(at);
    folder.write("a.png", damaged(at));
    expect_input_refused("a.png", {"a.png: "});
  }
  // Changed data with a matching CRC: zlib or its checksum must detect it.
  for (const std::size_t at : {data + 4, (data + end) / 2, end - 10}) {
    SCOPED_TRACE(at);
    const std::string wrong = damaged(at).substr(data + 4, end - 8 - (data + 4));
    folder.write("a.png", whole.substr(0, data - 4) + png_chunk("IDAT", wrong) + png_end());
    expect_input_refused("a.png", {"a.png: "});
  }
  folder.write("a.png", whole.substr(0, data - 4) + png_end());
  expect_input_refused("a.png", {"a.png: "});
  // A capital letter makes it critical, and it is unknown.
  folder.write("a.png",
               whole.substr(0, data - 4) + png_chunk("XYZW", "?") + whole.substr(data - 4));
  expect_input_refused("a.png", {"a.png: ", "XYZW"});
}

TEST_F(BadInput, EmptyMissingAndFolderInputsAreRefused) {
  folder.write("empty.exr", "");
  fs::create_directory(folder / "dir.exr");
  fs::create_symlink("loop.exr", folder / "loop.exr");
  expect_input_refused("empty.exr", {"empty.exr: is empty"});
  expect_input_refused("missing.exr", {"missing.exr: no such file"});
  expect_input_refused("empty.exr/x.exr", {"empty.exr/x.exr: ", "Not a directory"});
  expect_input_refused("loop.exr", {"loop.exr: "});
  expect_input_refused("dir.exr", {"dir.exr: "});
  for (const char* command : {"info", "checksum"}) {
    expect_refused({command, "dir.exr"}, {"dir.exr: the folder holds no images"});
    expect_refused({command, "missing.exr"}, {"missing.exr: no such file"});
  }
  make_picture("in.ppm", 4, 4);
  expect_refused({"remap", "--map", "dir.exr", "in.ppm", "o.exr"}, {"dir.exr: is a directory"});
  expect_refused({"convert", "-", "o.exr"}, {"cuimg: standard input: is empty"});
}

TEST_F(BadInput, EndlessInputThatIsNoImageIsRefusedImmediately) {
  const Outcome outcome = expect_refused({"convert", "/dev/zero", "o.exr"}, {"/dev/zero: "});
  EXPECT_LT(outcome.peak_bytes, std::size_t{256} << 20);
  expect_refused({"@/dev/zero", "o.exr"}, {"/dev/zero: ", "too large"});
}

TEST_F(BadInput, AnUnreadableFileIsRefused) {
  folder.write("secret.exr", "x");
  chmod((folder / "secret.exr").c_str(), 0);
  chmod(folder.path().c_str(), 0777);
  const auto words = without_root({CUIMG_PROGRAM, "convert", "secret.exr", "o.exr"});
  if (!words) GTEST_SKIP() << "root may read everything, and the user nobody cannot start cuimg";
  const Outcome outcome = run(*words, {.folder = folder.path().string()});
  expect_one_line(outcome, {"secret.exr: cannot read: Permission denied"});
  EXPECT_FALSE(fs::exists(folder / "o.exr"));
}

TEST_F(BadInput, UnknownFormatsAreRefusedWithThoseThatAreRead) {
  folder.write("a.exr", "This is no picture.\n");
  folder.write("b.png", std::string(5000, '\0'));
  expect_input_refused("a.exr", {"a.exr: is not an image", "exr, png, jpeg"});
  expect_input_refused("b.png", {"b.png: is not an image"});
}

TEST_F(BadInput, FormatsThatAreNotReadAreRefusedByTheirNames) {
  using namespace std::string_literals;
  const std::pair<const char*, std::string> known[] = {
      {"DPX", "SDPX\0\0\x20\0V1.0"s},
      {"DPX", "XPDS\0\0\x20\0V1.0"s},
      {"WebP", "RIFF\x24\0\0\0WEBPVP8 "s},
      {"HEIF", "\0\0\0\x18"s + "ftypheic\0\0\0\0"s},
      {"HEIF", "\0\0\0\x18"s + "ftypmif1\0\0\0\0"s},
      {"JPEG 2000", "\0\0\0\x0cjP  \r\n\x87\n"s},
      {"JPEG 2000", "\xff\x4f\xff\x51\0\x2f"s},
      {"JPEG XL", "\0\0\0\x0cJXL \r\n\x87\n"s},
      {"JPEG XL", "\xff\x0a\xfa\x1f"s},
      {"AVIF", "\0\0\0\x1c"s + "ftypavif\0\0\0\0"s},
      {"DDS", "DDS \x7c\0\0\0"s},
  };
  for (const auto& [name, head] : known) {
    // The name does not matter: content decides.
    folder.write("a.png", head + std::string(500, '\1'));
    expect_input_refused("a.png", {"a.png: "s + name + " is not supported"});
  }
}

TEST_F(BadInput, DeepExrIsRefusedClearly) {
  deep_exr(folder / "deep.exr");
  expect_input_refused("deep.exr", {"deep.exr: deep EXR is not supported"});
  expect_refused({"info", "deep.exr"}, {"deep.exr: deep EXR is not supported"});
}

TEST_F(BadInput, ADeepPartIsRefusedByNameAndTheFlatOneIsRead) {
  flat_and_deep_exr(folder / "both.exr");
  expect_input_refused("both.exr",
                       {"both.exr: part 1 'samples' is deep, which is not supported",
                        "choose one with --part: 0 'beauty'"},
                       {"--part", "1"});
  // All parts are needed if the output holds several; a PNG only gets the first.
  expect_input_refused("both.exr", {"both.exr: part 1 'samples' is deep"});
  expect_done({"convert", "--part", "0", "both.exr", "o.exr"});
  expect_done({"convert", "-q", "both.exr", "o.png"});
}

TEST_F(BadInput, WhatTheFileLacksIsRefused) {
  make_picture("in.ppm", 61, 43);
  expect_done({"convert", "in.ppm", "a.exr"});
  expect_input_refused("a.exr", {"a.exr: part 1 does not exist", "part 0 only"}, {"--part", "1"});
  expect_input_refused("a.exr", {"a.exr: mip level 1 does not exist"}, {"--mip-level", "1"});
  for (const char* file : {"a.exr", "in.ppm"})
    expect_input_refused(file, {file, "61x43 is 2623 pixels", "--limit-pixels"},
                         {"--limit-pixels", "2622"});
  expect_done({"convert", "--limit-pixels", "2623", "a.exr", "o.exr"});
}

// Succeeds or fails within 10 s on two cores, with at most 2 GB.
void expect_bounded(const Outcome& outcome) {
  EXPECT_LT(outcome.cpu_seconds, 20.0);
  EXPECT_LT(outcome.peak_bytes, std::size_t{2} << 30);
}

TEST_F(BadInput, APngOfNineHundredMillionPixelsIsDoneWithinBounds) {
  folder.write("bomb.png", one_bit_png(30000, 30000));
  EXPECT_LT(fs::file_size(folder / "bomb.png"), 1000000u);
  expect_bounded(cuimg({"info", "bomb.png"}));
  expect_bounded(
      expect_done({"resize", "--threads", "2", "--size", "300x300", "bomb.png", "o.png"}));
  const auto refused =
      expect_refused({"convert", "--limit-pixels", "899999999", "bomb.png", "p.png"},
                     {"bomb.png: 30000x30000 is 900000000 pixels"});
  EXPECT_LT(refused.peak_bytes, std::size_t{64} << 20);
}

// An animation whose frames are one pixel each on a large canvas.
std::string still_animation(int width, int height, int frames) {
  MadeGif gif{width, height, {{0, 0, 0}, {255, 255, 255}}};
  MadeGifFrame frame;
  frame.indices = {1};
  gif.frames.assign(static_cast<std::size_t>(frames), frame);
  return std::string(text_of_bytes(gif.bytes()));
}

TEST_F(BadInput, AnAnimationOfMorePixelsThanItsFileCouldMeanIsRefused) {
  folder.write("bomb.gif", still_animation(5000, 5000, 200));
  EXPECT_LT(fs::file_size(folder / "bomb.gif"), 8192u);
  const Words parts = {"bomb.gif: its parts have more than the limit of 1073741824 pixels",
                       "--limit-pixels", "--part"};
  expect_bounded(expect_refused({"convert", "bomb.gif", "o.tif"}, parts));
  const Outcome each = cuimg({"convert", "bomb.gif", "-o", "{part}.png"});
  EXPECT_EQ(each.exit, 2);
  for (const std::string& part : parts)
    EXPECT_NE(each.err.find(part), std::string::npos) << each.err;
  expect_done({"convert", "--part", "0", "--dry-run", "-q", "bomb.gif", "o.tif"});
  expect_done({"convert", "--limit-pixels", "6000000000", "--dry-run", "-q", "bomb.gif", "o.tif"});
  // A minute of a screen recording in which hardly anything changes.
  folder.write("screen.gif", still_animation(1920, 1080, 600));
  expect_done({"convert", "--dry-run", "-q", "screen.gif", "o.tif"});
}

TEST_F(BadInput, AStageThatWouldHoldAllOfABombIsRefused) {
  folder.write("bomb.png", one_bit_png(30000, 30000));
  make_picture("map.ppm", 61, 43);
  expect_done({"convert", "map.ppm", "map.exr"});
  for (const Words& stage : {Words{"rotate", "--angle", "5"},
                             {"blur", "--sigma", "150"},
                             {"affine", "--matrix", "0.5,0,0,0.5,0,0"},
                             {"remap", "--map", "map.exr"}}) {
    Words words = stage;
    words.insert(words.end(), {"bomb.png", "o.png"});
    const Outcome refused =
        expect_refused(words, {stage[0] + ": ", "30000x30000", "--limit-pixels"});
    EXPECT_LT(refused.peak_bytes, std::size_t{64} << 20) << stage[0];
  }
  expect_done(
      {"cut", "--region", "100x100+5+5", "+", "rotate", "--angle", "5", "bomb.png", "o.png"});
}

TEST_F(BadInput, LargeImagesAreDoneAFewRowsAtATime) {
  folder.write("bomb.png", one_bit_png(30000, 30000));
  const Outcome half = expect_done({"convert", "--device", "cpu", "bomb.png", "o.exr"});
  expect_bounded(half);
  EXPECT_LT(half.peak_bytes, std::size_t{256} << 20);
  folder.write("large.png", one_bit_png(12000, 12000));
  for (const char* output : {"o.png", "o.tif", "o.jpg", "o.tga", "o.bmp", "o.pgm", "o.pfm"}) {
    const Outcome done = expect_done({"convert", "--device", "cpu", "large.png", output});
    EXPECT_LT(done.peak_bytes, std::size_t{100} << 20) << output;
  }
  expect_bounded(expect_done(
      {"resize", "--device", "cpu", "--threads", "256", "--size", "50%", "large.png", "o.exr"}));
}

TEST_F(BadInput, ExrHeadersThatPromiseTooMuchAreRefusedBeforeAnyAllocation) {
  make_picture("in.ppm", 61, 43);
  expect_done({"convert", "in.ppm", "a.exr"});
  const std::string plain = read_file(folder / "a.exr");
  const std::string tiled = tiled_exr(folder / "tiled.exr", 61, 43);
  const std::string rip = tiled_exr(folder / "rip.exr", 61, 43, true);
  const auto expect_bomb = [&](const std::string& bytes, const std::string& what) {
    SCOPED_TRACE(what);
    folder.write("bomb.exr", bytes);
    for (const Words& words : {Words{"convert", "bomb.exr", "o.exr"}, {"info", "bomb.exr"}}) {
      const Outcome outcome = expect_refused(words, {"bomb.exr: "});
      EXPECT_LT(outcome.peak_bytes, std::size_t{256} << 20);
      EXPECT_LT(outcome.cpu_seconds, 5.0);
    }
  };
  using Window = std::vector<std::int32_t>;
  const std::int32_t most = 0x7fffffff, least = -most - 1;
  for (const std::string& file : {plain, tiled, rip})
    for (const Window& window : {Window{0, 0, 131071, 8191},
                                 {0, 0, 32767, 32767},
                                 {0, 0, 131072, 0},
                                 {0, 0, most, most},
                                 {least, least, most, most},
                                 {least, 0, least + 9, 9},
                                 {0, 0, -1, -1},
                                 {5, 5, 4, 4},
                                 {most - 9, most - 9, most, most},
                                 {0, 0, 131071, 131071}})
      expect_bomb(with_attribute(file, "dataWindow", window),
                  "data window to " + std::to_string(window[2]));
  for (const Window& window : {Window{0, 0, most, most}, {least, least, most, most}, {1, 1, 0, 0}})
    expect_bomb(with_attribute(plain, "displayWindow", window), "display window");
  for (const Window& tile : {Window{most, most}, {65536, 65536}, {-1, -1}, {0, 0}, {131072, 8192}})
    expect_bomb(with_attribute(tiled, "tiles", tile), "tiles of " + std::to_string(tile[0]));
}

}  // namespace
}  // namespace cuimg::test
