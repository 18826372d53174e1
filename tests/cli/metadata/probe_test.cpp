// SPDX-License-Identifier: Apache-2.0
// `cuimg probe`: its output, the sources of its positions, and its errors. The values are covered
// by the tests of remap and of the texture unit.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

Outcome probe(std::vector<std::string> words, const std::string& input = "") {
  words.insert(words.begin(), {CUIMG_PROGRAM, "probe"});
  return run(words, {.input = input});
}

class Probe : public testing::Test {
 protected:
  // 0, 1/4, 1/2, 3/4 along x; in G multiples of an eighth along y; and an id.
  Probe() {
    Spec spec = spec_of({0, 0, 4, 4}, PixelType::f32, 4);
    spec.layers.push_back({"mask", {"id"}, PixelType::u32});
    write_image(file,
                image_of(spec,
                         [](int l, int x, int y, int c) -> float {
                           if (l == 1) return static_cast<float>(4000000 + 10 * y + x);
                           return c == 0   ? static_cast<float>(x) / 4
                                  : c == 1 ? static_cast<float>(y) / 8
                                  : c == 2 ? 0.1f
                                           : 1.0f;
                         }),
                *codec_named("exr"));
    write_image(photo,
                image_of(spec_of({0, 0, 2, 1}, PixelType::u8, 3),
                         [](int, int x, int, int) { return static_cast<float>(x); }),
                *codec_named("png"));
  }
  TempDir folder;
  std::string file = folder / "in.exr", photo = folder / "in.png";
};

TEST_F(Probe, PrintsALineForEachPositionInTheirOrder) {
  const Outcome outcome = probe({"--at", "1.5,2.5", "--at=-1,0", "--at", "2,0.5", file});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.out,
            "1.5 2.5 R=0.25 G=0.25 B=0.100000001 A=1 mask.id=4000021\n"
            "-1 0 R=0 G=0 B=0.100000001 A=1 mask.id=4000000\n"
            "2 0.5 R=0.375 G=0 B=0.100000001 A=1 mask.id=4000002\n");
}

TEST_F(Probe, ReadsPositionsFromStandardInput) {
  const Outcome outcome =
      probe({"--layers", "R,mask", file}, "1.5,2.5\n\n 2.5\t0.5 # a note\r\n3.5 , 1.5");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            "1.5 2.5 R=0.25 mask.id=4000021\n2.5 0.5 R=0.5 mask.id=4000002\n"
            "3.5 1.5 R=0.75 mask.id=4000013\n");
}

TEST_F(Probe, DoesManyPositions) {
  std::string input, expected;
  for (int i = 0; i < 5000; ++i) {
    input += std::to_string(i % 4) + ".5 " + std::to_string(i / 4 % 4) + ".5\n";
    expected += std::to_string(i % 4) + ".5 " + std::to_string(i / 4 % 4) +
                ".5 mask.id=" + std::to_string(4000000 + 10 * (i / 4 % 4) + i % 4) + "\n";
  }
  EXPECT_EQ(probe({"--layers", "mask", file}, input).out, expected);
}

TEST_F(Probe, JsonHoldsTheBits) {
  const Outcome outcome = probe({"--json", "--layers", "R,mask.id", "--at", "2,0.5", file});
  EXPECT_EQ(nlohmann::json::parse(outcome.out),
            nlohmann::json::parse(R"({"x": 2.0, "y": 0.5, "channels": {
                "R": {"value": 0.375, "bits": "0x3ec00000"},
                "mask.id": {"value": 4000002, "bits": "0x003d0902"}}})"));
}

TEST_F(Probe, JsonIsAnObjectALine) {
  const Outcome outcome =
      probe({"--json", "--layers", "R", "--at", "2,0.5", "--at", "1.5,0.5", file});
  std::istringstream lines(outcome.out);
  std::vector<double> x;
  for (std::string line; std::getline(lines, line);)
    x.push_back(nlohmann::json::parse(line).at("x").get<double>());
  EXPECT_EQ(x, (std::vector<double>{2, 1.5}));
}

TEST_F(Probe, NanReadsAtZeroAndIsNullInJson) {
  EXPECT_EQ(probe({"--at", "nan,3.5", "--layers", "G", file}).out, "nan 3.5 G=0.375\n");
  const auto json = nlohmann::json::parse(probe({"--at", "nan,inf", "--json", file}).out);
  EXPECT_TRUE(json["x"].is_null());
}

TEST_F(Probe, BordersFiltersAndCoordinatesAreRemaps) {
  const auto red = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--layers", "R", file});
    const std::string out = probe(words).out;
    return out.substr(std::min(out.find("R="), out.size()));
  };
  EXPECT_EQ(red({"--at", "-0.5,0.5", "--border", "wrap"}), "R=0.75\n");
  EXPECT_EQ(red({"--at", "-1.5,0.5", "--border", "mirror"}), "R=0.25\n");
  EXPECT_EQ(red({"--at", "-1.5,0.5", "--border", "border", "--border-color", "9,0,0,0"}), "R=9\n");
  EXPECT_EQ(red({"--at", "0.5,0.5", "--coords", "normalized"}), "R=0.375\n");
  EXPECT_EQ(red({"--at", "0.5,0.5", "--coords", "normalized", "--filter", "point"}), "R=0.5\n");
  EXPECT_EQ(red({"--at", "2,0.5", "--filter", "cubic"}), "R=0.375\n");
}

TEST_F(Probe, CountsFromTheLowerEdgeAsNuke) {
  const auto line = [&](const char* at) {
    return probe({"--at", at, "--coords", "stmap", "--filter", "point", "--layers", "R,G", file})
        .out;
  };
  EXPECT_EQ(line("0.125,0.125"), "0.125 0.125 R=0 G=0.375\n");
  EXPECT_EQ(line("0.875,0.875"), "0.875 0.875 R=0.75 G=0\n");
}

TEST_F(Probe, RawIsWhatTheTextureUnitReturns) {
  // An 8-bit texture is filtered in 16 bits: 32768 of 65535.
  EXPECT_EQ(probe({"--raw", "--at", "1,0.5", "--layers", "R", photo}).out, "1 0.5 R=0.500007629\n");
  EXPECT_EQ(probe({"--raw", "--at", "0.5,0.5", "--at", "1.5,0.5", photo}).out,
            "0.5 0.5 R=0 G=0 B=0\n1.5 0.5 R=1 G=1 B=1\n");
}

TEST_F(Probe, SaysWhatIsWrong) {
  const auto error = [](const Outcome& outcome) {
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_EQ(error(probe({"--at", "1;2", file})),
            "cuimg: probe: --at 1;2 is not a position: use X,Y, such as 12.5,7.5\n");
  for (const char* text : {"", "1", "1,", "1,2,3", "1,,2", "a,b", "1.5x,2", "12"})
    EXPECT_TRUE(error(probe({std::string("--at=") + text, file})).starts_with("cuimg: probe: --at"))
        << text;
  EXPECT_EQ(error(probe({file}, "1 2\n3\n")),
            "cuimg: probe: standard input: line 2: 3 is not a position: use X,Y or X Y\n");
  EXPECT_EQ(error(probe({file})),
            "cuimg: probe: no position: give --at X,Y, or one pair a line on standard input\n");
  EXPECT_EQ(error(probe({"--at", "1,2"})),
            "cuimg: probe: no INPUT: name one image, or - for a pipe\n");
  EXPECT_EQ(error(probe({"--at", "1,2", file, "x"})),
            "cuimg: probe: x is left over: name one image, or - for a pipe\n");
  EXPECT_EQ(error(probe({"-"}, "1 2")),
            "cuimg: probe: standard input cannot be both the image and the positions: give --at "
            "X,Y\n");
  EXPECT_EQ(error(probe({"--at", "1,2", "--layers", "depth", photo})),
            "cuimg: probe: --layers depth is not in the image: it has R, G, B\n");
  EXPECT_EQ(error(probe({"--at", "1,2", folder / "none.exr"})),
            "cuimg: " + (folder / "none.exr") + ": no such file\n");
}

TEST_F(Probe, ReadsTheImageFromAPipe) {
  EXPECT_EQ(probe({"--at", "1.5,0.5", "--layers", "R", "-"}, read_file(photo)).out,
            "1.5 0.5 R=1\n");
}

}  // namespace
}  // namespace cuimg::test
