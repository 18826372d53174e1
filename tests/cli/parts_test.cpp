// SPDX-License-Identifier: Apache-2.0
// Files of several parts through the program.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "cli/failing/hostile_files.h"
#include "io/codec.h"
#include "io/made_gif.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

class PartsThrough : public ProgramFolder {
 protected:
  PartsThrough() {
    std::vector<Image> parts;
    parts.push_back(noise(part("rgba", {0, 0, 20, 12}, 4), 1));
    parts.push_back(noise(part("small", {3, 2, 7, 5}, 3), 2));
    parts.push_back(noise(part("grey", {-2, -1, 9, 13}, 1), 3));
    parts[0].editable_spec().metadata["view"] = std::string("left");
    write_parts(folder_ / "in.exr", parts, *codec_named("exr"));
  }
  static Spec part(const std::string& name, const Rect& data, int channels) {
    Spec spec = spec_of(data, PixelType::half, channels);
    spec.display_window = {0, 0, 20, 12};
    spec.part_name = name;
    return spec;
  }
  Outcome done(const std::vector<std::string>& words) const {
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome;
  }
  std::vector<Image> parts_of(const std::string& name) const { return read_parts(folder_ / name); }
  // Each part of `name` equals the output of the words for that part alone.
  void expect_each_by_itself(std::vector<std::string> words, const std::string& name) const {
    const std::vector<Image> parts = parts_of(name);
    ASSERT_EQ(parts.size(), 3u);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::vector<std::string> one = words;
      for (const char* word : {"--part", "", "in.exr", "one.exr"}) one.emplace_back(word);
      one[one.size() - 3] = std::to_string(i);
      done(one);
      const Image alone = read_image(folder_ / "one.exr");
      EXPECT_TRUE(same_pixels(parts[i], alone)) << words.front() << ' ' << i;
      EXPECT_EQ(parts[i].spec().data_window, alone.spec().data_window);
      EXPECT_EQ(parts[i].spec().display_window, alone.spec().display_window);
      EXPECT_EQ(parts[i].spec().part_name, alone.spec().part_name);
      EXPECT_EQ(parts[i].spec().metadata, alone.spec().metadata);
    }
  }
};

TEST_F(PartsThrough, EachHasAnOutputOfItsOwnWhereAPatternNamesThem) {
  done({"flop", "in.exr", "-o", "out/{stem}_{part:02}.exr"});
  for (const char* number : {"0", "1", "2"}) {
    done({"flop", "--part", number, "in.exr", "one.exr"});
    const std::string name = std::string("out/in_0") + number + ".exr";
    EXPECT_EQ(read_file(folder_ / name), read_file(folder_ / "one.exr")) << number;
  }
  // With --part only the chosen part has an output; in files of one part it is part 0.
  done({"convert", "--part", "small", "in.exr", "-o", "named/{part}.exr"});
  EXPECT_TRUE(std::filesystem::exists(folder_ / "named/1.exr"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "named/0.exr"));
  done({"convert", "one.exr", "-o", "alone/{stem}{part}.exr"});
  EXPECT_TRUE(std::filesystem::exists(folder_ / "alone/one0.exr"));
  // Tees have their own patterns, and existing outputs are recognised part by part.
  const std::vector<std::string> teed = {
      "flop", "+",      "tee", "tee/{part}.exr", "+",
      "flip", "in.exr", "-o",  "end/{part}.exr", "--skip-existing"};
  done(teed);
  EXPECT_EQ(read_file(folder_ / "tee/2.exr"), read_file(folder_ / "out/in_02.exr"));
  std::vector<std::string> again = teed;
  again.emplace_back("--json");
  EXPECT_NE(done(again).out.find("\"skipped\":3"), std::string::npos);
}

TEST_F(PartsThrough, FramesWithOutputsOfTheirOwnAreEachDecodedOnce) {
  // No frame covers the frames before it. Composing half of all pairs of frames would take 16 times
  // as long for 4 times as many.
  constexpr int side = 200, frames = 400;
  MadeGif gif{side, side, {{0, 0, 0}, {255, 0, 0}, {0, 255, 0}, {0, 0, 255}}};
  for (int i = 0; i < frames; ++i) {
    MadeGifFrame frame{0, 0, side, side};
    frame.transparent = 0;
    for (int k = 0; k < side * side; ++k)
      frame.indices.push_back(static_cast<std::uint8_t>((k * 31 + i) % 5 == 0 ? 1 + i % 3 : 0));
    gif.frames.push_back(frame);
  }
  folder_.write("a.gif", std::string(text_of_bytes(gif.bytes())));
  MadeGif quarter = gif;
  quarter.frames.resize(frames / 4);
  folder_.write("quarter.gif", std::string(text_of_bytes(quarter.bytes())));
  const double of_quarter =
      done({"convert", "quarter.gif", "-o", "quarter/{part:03}.tif"}).cpu_seconds;
  const double of_all = done({"convert", "a.gif", "-o", "frames/{part:03}.tif"}).cpu_seconds;
  EXPECT_LT(of_all, 9 * of_quarter);
  done({"convert", "a.gif", "a.tif"});
  const std::vector<Image> pages = parts_of("a.tif");
  for (const int part : {0, 1, 77, 398, 399}) {
    const std::string number = std::to_string(1000 + part).substr(1);
    EXPECT_TRUE(same_pixels(read_image(folder_ / ("frames/" + number + ".tif")),
                            pages[static_cast<std::size_t>(part)]))
        << part;
  }
}

TEST_F(PartsThrough, AFileWithoutKnownPartsFailsAloneAmongOthers) {
  folder_.write("bad.exr", "nothing");
  const Outcome outcome = cuimg({"convert", "bad.exr", "in.exr", "-o", "out/{stem}{part}.exr"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_NE(outcome.err.find("1 of 4 images failed"), std::string::npos) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/in2.exr"));
  const Outcome pipe = cuimg({"convert", "--format", "exr", "-", "-o", "out/{part}.exr"});
  EXPECT_EQ(pipe.err,
            "cuimg: -: the parts of a pipe are not known before it is read: name a file\n");
  EXPECT_EQ(cuimg({"append", "in.exr", "-o", "{part}.exr"}).exit, 2);
  const Outcome absent = cuimg({"convert", "--part", "7", "in.exr", "-o", "absent_{part}.exr"});
  EXPECT_EQ(absent.exit, 2);
  EXPECT_TRUE(has(absent.err, "cuimg: in.exr: part 7 does not exist")) << absent.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "absent_0.exr"));
  EXPECT_EQ(
      cuimg({"flop", "+", "tee", "tee/{part}.exr", "+", "flip", "in.exr", "-o", "x{stem}.exr"}).err,
      "cuimg: xin.exr: all parts of in.exr become it: use {part} in its name\n");
  EXPECT_EQ(
      cuimg({"flop", "+", "tee", "tee/{part}.exr", "+", "flip", "--in-place", "in.exr"}).err,
      "cuimg: --in-place: with {part} in the name each part has an output of its own: write to "
      "other files\n");
  EXPECT_EQ(cuimg({"convert", "in.exr", "-o", "{part:3}.exr"}).err,
            "cuimg: -o {part:3}.exr: {part:3} is not a number format: use {part:03} or "
            "{part+1:03}; :01 to :09 pad with zeros\n");
}

TEST_F(PartsThrough, AllGoThroughEveryKindOfStage) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"convert"},
           {"flop"},
           {"resize", "--size", "50%"},
           {"exposure", "--stops", "1"},
           {"blur", "--sigma", "2", "+", "rotate", "--angle", "90"}}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"in.exr", "out.exr"});
    EXPECT_EQ(done(all).err, "");
    expect_each_by_itself(words, "out.exr");
  }
  EXPECT_EQ(parts_of("out.exr")[0].spec().metadata.at("view"), MetadataValue(std::string("left")));
}

TEST_F(PartsThrough, APartWithoutALayerForAStageIsLeftAlone) {
  std::vector<Image> parts = parts_of("in.exr");
  Spec depth = part("depth", {0, 0, 20, 12}, 1);
  depth.layers.front().channels = {"Z"};
  parts.push_back(noise(depth, 4));
  write_parts(folder_ / "deep.exr", parts, *codec_named("exr"));
  const Outcome outcome = done({"exposure", "--stops", "1", "--explain", "deep.exr", "out.exr"});
  EXPECT_TRUE(has(outcome.err, "part 3 'depth': exposure: the part has no layer for it"));
  EXPECT_TRUE(same_pixels(parts_of("out.exr").at(3), parts[3]));
  EXPECT_FALSE(same_pixels(parts_of("out.exr").at(0), parts[0]));
  EXPECT_EQ(cuimg({"exposure", "--stops", "1", "--part", "depth", "deep.exr", "no.exr"}).exit, 2);
}

TEST_F(PartsThrough, TiffHoldsThemAsPages) {
  done({"convert", "in.exr", "out.tif"});
  const std::vector<Image> pages = parts_of("out.tif");
  ASSERT_EQ(pages.size(), 3u);
  EXPECT_EQ(pages[2].spec().part_name, "grey");
  done({"flop", "+", "flop", "out.tif", "twice.tif"});
  const std::vector<Image> twice = parts_of("twice.tif");
  ASSERT_EQ(twice.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(same_pixels(pages[i], twice[i])) << i;
}

TEST_F(PartsThrough, AFormatOfOneSaysWhatItLeavesOut) {
  EXPECT_EQ(done({"convert", "in.exr", "out.png"}).err,
            "cuimg: in.exr: 3 parts; only part 0 'rgba' is written, PNG holds one; --part "
            "chooses\n");
  EXPECT_EQ(done({"convert", "-q", "in.exr", "out.png"}).err, "");
  EXPECT_EQ(done({"convert", "--part", "grey", "in.exr", "out.png"}).err, "");
  EXPECT_EQ(read_image(folder_ / "out.png").spec().layers.front().channel_count(), 1);
  const Outcome refused = cuimg({"convert", "--part", "all", "in.exr", "all.png"});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_TRUE(has(refused.err, "in.exr: 3 parts, of which one can be written, PNG holds one"));
}

TEST_F(PartsThrough, InPlaceNoPartIsChosenThatWouldReplaceTheOthers) {
  done({"convert", "in.exr", "in.tif"});
  flat_and_deep_exr(folder_ / "deep.exr");
  for (const auto& [name, part, others] : {std::tuple{"in.exr", "1", "2 other parts"},
                                           {"in.exr", "small", "2 other parts"},
                                           {"in.tif", "2", "2 other parts"},
                                           {"deep.exr", "0", "other part"}}) {
    const std::string before = read_file(folder_ / name);
    for (const char* how : {"--in-place", "--in-place --dry-run"}) {
      const Outcome refused =
          run({"sh", "-c",
               std::string("'") + CUIMG_PROGRAM + "' flop " + how + " --part " + part + " " + name},
              {.folder = folder_.path().string()});
      EXPECT_EQ(refused.exit, 2) << name;
      EXPECT_EQ(refused.err, std::string("cuimg: ") + name +
                                 ": --in-place with --part would delete the file's " + others +
                                 ": leave out --part to change all of them, or write the part to "
                                 "another file\n");
    }
    EXPECT_EQ(read_file(folder_ / name), before);
  }
  done({"flop", "--in-place", "--part", "all", "in.exr"});
  EXPECT_EQ(parts_of("in.exr").size(), 3u);
  done({"convert", "--part", "small", "in.exr", "one.exr"});
  for (const char* part : {"0", "small"}) done({"flop", "--in-place", "--part", part, "one.exr"});
  EXPECT_TRUE(same_pixels(parts_of("one.exr").at(0), parts_of("in.exr").at(1)));
}

TEST_F(PartsThrough, AnUnknownNameIsAnErrorThatListsThem) {
  const Outcome outcome = cuimg({"convert", "--part", "beauty", "in.exr", "out.exr"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(has(outcome.err,
                  "part beauty does not exist: the file has parts 0 'rgba', 1 'small', 2 'grey'"))
      << outcome.err;
}

TEST_F(PartsThrough, InfoListsThem) {
  const std::string text = done({"info", "in.exr"}).out;
  EXPECT_TRUE(has(text, "in.exr: 3 parts, OpenEXR")) << text;
  EXPECT_TRUE(has(text, "part 1 'small'")) << text;
  EXPECT_TRUE(has(text, "7x5+3+2")) << text;
  const std::string json = done({"info", "--json", "in.exr"}).out;
  EXPECT_TRUE(has(json, R"("part":0,"name":"rgba","view":"left")")) << json;
  EXPECT_TRUE(has(done({"info", "--part", "2", "in.exr"}).out, "2 'grey' of 3"));
}

TEST_F(PartsThrough, ASecondImagePairsByNameElseWithItsFirstPart) {
  std::vector<Image> others;
  others.push_back(flat(part("other", {0, 0, 20, 12}, 3), 4));
  others.push_back(flat(part("small", {0, 0, 20, 12}, 3), 1));
  write_parts(folder_ / "add.exr", others, *codec_named("exr"));
  done({"add", "--with", "add.exr", "in.exr", "out.exr"});
  const std::vector<Image> parts = parts_of("out.exr");
  ASSERT_EQ(parts.size(), 3u);
  for (const std::string name : {"other", "small"}) {
    done({"convert", "--part", name, "add.exr", "one.exr"});
    const std::size_t part = name == "small" ? 1 : 0;
    done({"add", "--with", "one.exr", "--part", std::to_string(part), "in.exr", "expected.exr"});
    EXPECT_TRUE(same_pixels(parts[part], read_image(folder_ / "expected.exr"))) << name;
  }
}

TEST_F(PartsThrough, SinksReportOnEach) {
  const std::string text = done({"stats", "in.exr"}).out;
  EXPECT_TRUE(has(text, "in.exr: part 0 'rgba': 20x12+0+0")) << text;
  EXPECT_TRUE(has(text, "in.exr: part 2 'grey': 9x13-2-1")) << text;
  const std::string json = done({"stats", "--json", "in.exr"}).out;
  EXPECT_TRUE(has(json, R"({"file":"in.exr","part":1,"part_name":"small")")) << json;
  const std::string sums = done({"checksum", "in.exr"}).out;
  const std::string second = done({"checksum", "--part", "1", "in.exr"}).out;
  EXPECT_TRUE(has(sums, second.substr(0, 64) + "  in.exr: part 1 'small'")) << sums;
}

TEST_F(PartsThrough, ReducersTakeOnePartOfEachAndSaySo) {
  const Outcome outcome = done({"append", "in.exr", "in.exr", "-o", "out.png"});
  EXPECT_TRUE(has(outcome.err, "in.exr: 3 parts; only part 0 'rgba' is taken; --part chooses"))
      << outcome.err;
  const std::string of_one = done({"contact", "in.exr", "-o", "sheet.png"}).err;
  EXPECT_TRUE(has(of_one, "cuimg: in.exr: 3 parts; only part 0 'rgba' is taken")) << of_one;
  EXPECT_EQ(done({"append", "--part", "small", "in.exr", "in.exr", "-o", "two.exr"}).err, "");
  EXPECT_EQ(read_image(folder_ / "two.exr").spec().display_window.width, 40);
  EXPECT_EQ(cuimg({"append", "--part", "all", "in.exr", "in.exr", "-o", "no.exr"}).exit, 2);
}

TEST_F(PartsThrough, ReportsNameThem) {
  EXPECT_EQ(done({"flop", "--dry-run", "in.exr", "out.exr"}).out,
            "in.exr -> out.exr, 3 parts: flop\n");
  const std::string explained = done({"flop", "--explain", "in.exr", "out.exr"}).err;
  EXPECT_TRUE(has(explained, "part 1 'small': flop: ")) << explained;
  EXPECT_TRUE(has(done({"flop", "--timing", "--json", "in.exr", "out.exr"}).out,
                  "\"of\":\"part 2 'grey'\""));
}

TEST_F(PartsThrough, PartsOfOtherSizesShareAWindowAndThatIsSaid) {
  std::vector<Image> pages;
  pages.push_back(flat(spec_of({0, 0, 8, 6}, PixelType::u8, 3), 0.5f));
  pages.push_back(flat(spec_of({0, 0, 5, 9}, PixelType::u8, 3), 0.5f));
  write_parts(folder_ / "in.tif", pages, *codec_named("tiff"));
  const Outcome outcome = done({"convert", "in.tif", "out.exr"});
  EXPECT_TRUE(has(outcome.err, "display windows differ")) << outcome.err;
  EXPECT_EQ(parts_of("out.exr")[1].spec().display_window, (Rect{0, 0, 8, 9}));
  EXPECT_EQ(parts_of("out.exr")[1].spec().data_window, (Rect{0, 0, 5, 9}));
}

TEST_F(PartsThrough, ATeeWritesThoseThatItsFormatHolds) {
  const Outcome outcome = cuimg({"flip", "+", "tee", "tee.png", "+", "flop", "in.exr", "out.exr"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("only part 0"), std::string::npos) << outcome.err;
  cuimg({"flip", "in.exr", "alone.png"});
  cuimg({"flip", "+", "flop", "in.exr", "alone.exr"});
  EXPECT_EQ(read_file(folder_ / "tee.png"), read_file(folder_ / "alone.png"));
  EXPECT_EQ(read_file(folder_ / "out.exr"), read_file(folder_ / "alone.exr"));
}

}  // namespace
}  // namespace cuimg::test
