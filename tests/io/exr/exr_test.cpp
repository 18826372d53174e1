// SPDX-License-Identifier: Apache-2.0
// OpenEXR: written files are read back, malicious and odd files are refused or understood.
#include <algorithm>

#include "io/memory_images.h"
#include "kernels/math/half.h"
#include "support/exr_planes.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

const std::vector<std::string> lossless = {"none", "rle", "zips", "zip", "piz"};

TEST(Exr, KeepsEveryTypeAndChannelCountThroughEveryLosslessCompression) {
  for (PixelType type : {PixelType::half, PixelType::f32, PixelType::u32})
    for (const auto& channels : std::vector<std::vector<std::string>>{
             {"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}, {"Z"}})
      for (const std::string& compression : lossless)
        for (const auto& [width, height] : {std::pair{1, 1}, {37, 19}, {1, 70}, {130, 1}}) {
          const Image image = textured(simple_spec(width, height, channels, type));
          EXPECT_TRUE(
              same_pixels(decoded(encoded(image, "exr", {.compression = compression})), image))
              << name_of(type) << ' ' << channels.size() << ' ' << compression << ' ' << width;
        }
}

TEST(Exr, ComesCloseThroughEveryLossyCompression) {
  const Image image = textured(simple_spec(65, 77, {"R", "G", "B"}, PixelType::f32));
  for (const char* compression : {"pxr24", "b44", "b44a", "dwaa", "dwab"}) {
    const Image back = decoded(encoded(image, "exr", {.compression = compression}));
    ASSERT_EQ(back.spec().layers, image.spec().layers);
    for (int y = 0; y < 77; ++y)
      for (int x = 0; x < 65; ++x)
        EXPECT_NEAR(value_at<float>(back, 0, x, y, 1), value_at<float>(image, 0, x, y, 1), 0.1)
            << compression;
  }
}

// OpenEXR's own message contains neither the file nor the compression.
TEST(Exr, ACompressionOfLaterVersionsIsNamed) {
  auto bytes = encoded(textured(simple_spec(4, 4, {"Y"}, PixelType::half)), "exr");
  const std::string name("compression\0compression\0\1\0\0\0", 28);
  const auto at = std::ranges::search(bytes, std::as_bytes(std::span(name)));
  ASSERT_EQ(at.size(), name.size());
  for (const auto& [code, text] : {std::pair{10, "HTJ2K"}, {11, "HTJ2K"}, {200, "number 200"}}) {
    *at.end() = static_cast<std::byte>(code);
    const std::string error = error_of([&] { decoded(bytes); });
    EXPECT_NE(error.find(std::string("does not know its compression, ") + text), std::string::npos)
        << error;
  }
}

TEST(Exr, WritesDwaByItsLevel) {
  const Image image = textured(simple_spec(128, 128, {"R", "G", "B"}, PixelType::half));
  const auto fine = encoded(image, "exr", {.compression = "dwaa", .quality = 1});
  const auto coarse = encoded(image, "exr", {.compression = "dwaa", .quality = 100});
  EXPECT_LT(coarse.size(), fine.size());
}

TEST(Exr, KeepsLayersWindowsPrimariesAndMetadata) {
  Spec spec;
  spec.data_window = {-7, 12, 33, 21};
  spec.display_window = {0, 0, 50, 40};
  spec.pixel_aspect = 1.5f;
  spec.color.primaries = Chromaticities{0.7f, 0.3f, 0.2f, 0.7f, 0.1f, 0.05f, 0.31f, 0.33f};
  spec.layers = {{"", {"R", "G", "B", "A"}, PixelType::half},
                 {"", {"Z"}, PixelType::f32},
                 {"diffuse.left", {"R", "G", "B"}, PixelType::half},
                 {"ids", {"id"}, PixelType::u32}};
  spec.metadata = {
      {"owner", std::string("nobody \xc3\xa9")},
      {"isoSpeed", 100.0},
      {"third", 1.0 / 3.0},
      {"frame", std::int64_t{42}},
      {"pair", std::vector<double>{0.5, 2.0}},
      {"triple", std::vector<double>{0.1, 2.0, 3.0}},
      {"place", std::vector<std::int64_t>{-3, 7}},
      {"cell", std::vector<std::int64_t>{1, 2, 3}},
      {"box", std::vector<std::int64_t>{0, -1, 20, 2147483647}},
      {"five", std::vector<double>{1, 2, 3, 4, 5}},
      {"worldToCamera", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
      {"framesPerSecond", std::vector<double>{24000, 1001}},
      {"screenWindowWidth", 2.5},
      {"a name of more than thirty-one characters", std::string("long")},
      {"multiView", std::vector<std::string>{"left", "right"}}};
  const Image image = textured(spec);
  const Image back = decoded(encoded(image, "exr"));
  EXPECT_TRUE(same_pixels(back, image));
  EXPECT_EQ(back.spec(), image.spec());
}

TEST(Exr, ColorOfMixedTypesIsOnePictureOfFloats) {
  for (const std::string compression : {"none", "zip", "piz"}) {
    Spec spec = simple_spec(33, 21, {"R", "B", "A"}, PixelType::half);
    spec.layers.push_back({"", {"G"}, PixelType::f32});
    spec.layers.push_back({"", {"Z"}, PixelType::half});
    spec.layers.push_back({"", {"id"}, PixelType::u32});
    const Image image = textured(spec);
    const auto bytes = encoded(image, "exr", {.compression = compression});
    const Image back = decoded(bytes);
    EXPECT_EQ(back.spec().storage.half_channels, (std::set<std::string>{"R", "B", "A"}));
    EXPECT_EQ(encoded(back, "exr", {.compression = compression}), bytes);
    ASSERT_EQ(back.spec().layers.size(), 3u) << compression;
    const auto& layers = back.spec().layers;
    const auto color = std::find_if(layers.begin(), layers.end(),
                                    [](const LayerSpec& layer) { return layer.is_color(); });
    ASSERT_NE(color, layers.end());
    EXPECT_EQ(color->channels, (std::vector<std::string>{"R", "G", "B", "A"}));
    EXPECT_EQ(color->type, PixelType::f32);
    const auto l = static_cast<int>(color - layers.begin());
    for (int y = 0; y < 21; ++y)
      for (int x = 0; x < 33; ++x) {
        EXPECT_EQ(value_at<float>(back, l, x, y, 0),
                  half_to_float(value_at<Half>(image, 0, x, y, 0)));
        EXPECT_EQ(value_at<float>(back, l, x, y, 1), value_at<float>(image, 1, x, y, 0));
        EXPECT_EQ(value_at<float>(back, l, x, y, 2),
                  half_to_float(value_at<Half>(image, 0, x, y, 1)));
        EXPECT_EQ(value_at<float>(back, l, x, y, 3),
                  half_to_float(value_at<Half>(image, 0, x, y, 2)));
      }
  }
}

TEST(Exr, ALuminanceNextToColoursIsReadAndKept) {
  Spec spec = simple_spec(5, 4, {"R", "G", "B"}, PixelType::half);
  spec.layers.push_back({"", {"Y"}, PixelType::half});
  const auto bytes = encoded(textured(spec), "exr");
  const Image back = decoded(bytes);
  EXPECT_EQ(back.spec().layers, spec.layers);
  EXPECT_EQ(encoded(back, "exr"), bytes);
}

TEST(Exr, LowerCaseRgbIsColor) {
  Spec spec = simple_spec(5, 4, {"r", "g", "b"}, PixelType::half);
  spec.layers.push_back({"", {"z"}, PixelType::f32});
  spec.layers.push_back({"left", {"r", "g", "b", "a"}, PixelType::half});
  spec.layers.push_back({"motion", {"r", "g"}, PixelType::half});
  const auto bytes = encoded(textured(spec), "exr");
  const auto channels_of = [](const Image& image, const std::string& name) {
    for (const LayerSpec& layer : image.spec().layers)
      if (layer.name == name) return layer.channels;
    return std::vector<std::string>{};
  };
  for (const bool raw : {false, true}) {
    const Image image = decoded(bytes, {.raw = raw});
    EXPECT_EQ(channels_of(image, ""), (std::vector<std::string>{"R", "G", "B"}));
    EXPECT_EQ(channels_of(image, "left"), (std::vector<std::string>{"R", "G", "B", "A"}));
    EXPECT_EQ(channels_of(image, "motion"), (std::vector<std::string>{"g", "r"}));
  }
}

TEST(Exr, WordsForColorsAreColorAndAreKept) {
  Spec spec = simple_spec(5, 4, {"red", "green", "blue", "alpha"}, PixelType::half);
  spec.layers.push_back({"diffuse", {"Red", "Green", "Blue"}, PixelType::half});
  spec.layers.push_back({"glow", {"RED", "GREEN", "BLUE"}, PixelType::f32});
  spec.layers.push_back({"one", {"red"}, PixelType::half});
  const Image image = decoded(encoded(textured(spec), "exr"));
  const auto names_of = [](const Image& picture) {
    std::set<std::string> names;
    for (const LayerSpec& layer : picture.spec().layers)
      for (int c = 0; c < layer.channel_count(); ++c) names.insert(layer.full_name(c));
    return names;
  };
  EXPECT_EQ(names_of(image),
            (std::set<std::string>{"R", "G", "B", "A", "diffuse.R", "diffuse.G", "diffuse.B",
                                   "glow.R", "glow.G", "glow.B", "one.red"}));
  const TempDir folder;
  write_image(folder / "again.exr", image, *codec_named("exr"));
  std::set<std::string> written;
  for (const auto& [name, plane] : exr_planes(folder / "again.exr")) written.insert(name);
  EXPECT_EQ(written, (std::set<std::string>{"red", "green", "blue", "alpha", "diffuse.Red",
                                            "diffuse.Green", "diffuse.Blue", "glow.RED",
                                            "glow.GREEN", "glow.BLUE", "one.red"}));
}

TEST(Exr, SkipsMetadataThatWouldChangeTheFilesStructure) {
  Spec spec = simple_spec(8, 8, {"R", "G", "B"}, PixelType::half);
  spec.metadata = {{"compression", std::string("none")},
                   {"dataWindow", std::vector<double>{0, 0, 1, 1}},
                   {"channels", std::int64_t{3}},
                   {"tiles", std::string("x")},
                   {"type", std::string("deepscanline")},
                   {"chromaticities", 1.0},
                   {"", std::string("nameless")},
                   {"whiteLuminance", std::string("a standard name with another type")}};
  const Image back = decoded(encoded(textured(spec), "exr"));
  EXPECT_EQ(back.spec().data_window, spec.data_window);
  EXPECT_FALSE(back.spec().metadata.contains("type"));
}

TEST(Exr, WritesTheSameBytesWithAnyNumberOfThreads) {
  const Image image = textured(simple_spec(640, 513, {"R", "G", "B", "A"}, PixelType::half));
  for (const char* compression : {"zip", "piz", "dwab", "none"}) {
    const auto one = encoded(image, "exr", {.compression = compression, .threads = 1});
    EXPECT_EQ(encoded(image, "exr", {.compression = compression, .threads = 2}), one);
    EXPECT_EQ(encoded(image, "exr", {.compression = compression, .threads = 7}), one);
  }
}

TEST(Exr, RefusesWhatItCannotStore) {
  EXPECT_NE(error_of([] {
              encoded(textured(simple_spec(4, 4, {"R", "G", "B"}, PixelType::u8)), "exr");
            }).find("u8"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              encoded(textured(simple_spec(4, 4, {"Y"}, PixelType::half)), "exr",
                      {.compression = "lzw"});
            }).find("dwab"),
            std::string::npos);
}

TEST(Exr, NansOfHalvesNextToFloatsKeepTheirBits) {
  Spec spec = simple_spec(64, 32, {"R", "B"}, PixelType::half);
  spec.layers.push_back({"", {"G"}, PixelType::f32});
  Image image = textured(spec);
  for (int y = 0; y < 32; ++y)
    for (std::uint16_t i = 0; i < 128; ++i) {  // every half that is infinite or NaN
      const auto all = static_cast<std::uint16_t>(y * 128 + i);
      const auto bits = static_cast<std::uint16_t>((all & 0x400 ? 0xfc00 : 0x7c00) | (all & 0x3ff));
      std::memcpy(image.row(0, y) + 2 * i, &bits, sizeof bits);
    }
  for (const std::string compression : {"none", "zip", "piz"}) {
    const auto bytes = encoded(image, "exr", {.compression = compression});
    EXPECT_EQ(encoded(decoded(bytes), "exr", {.compression = compression}), bytes) << compression;
  }
}

TEST(Exr, RefusesFilesCutShortAnywhere) {
  Spec spec = simple_spec(90, 70, {"R", "G", "B", "A"}, PixelType::half);
  const Image halves = textured(spec);
  spec.layers[0].type = PixelType::f32;
  spec.storage.half_channels = {"G", "A"};
  const Image mixed = textured(spec);
  for (const Image* image : {&halves, &mixed})
    for (const char* compression : {"none", "zips", "zip", "piz", "b44", "dwaa"}) {
      const auto whole = encoded(*image, "exr", {.compression = compression});
      for (std::size_t i = 0; i < 30; ++i) {
        const auto cut = std::span(whole).first(whole.size() * i / 30 + (i == 0 ? 8 : 0));
        EXPECT_NE(error_of([&] { decoded(cut); }), "") << compression << ' ' << cut.size();
      }
      EXPECT_NE(error_of([&] { decoded(std::span(whole).first(whole.size() - 1)); }), "");
    }
}

TEST(Exr, SurvivesDamageAnywhere) {
  const Image image = textured(simple_spec(40, 40, {"R", "G", "B", "A"}, PixelType::half));
  for (const char* compression : {"none", "rle", "zip", "piz", "pxr24", "b44a", "dwab"}) {
    const auto whole = encoded(image, "exr", {.compression = compression});
    std::minstd_rand random(7);
    for (int i = 0; i < 100; ++i) {
      auto damaged = whole;
      // The first half of the attempts are in the header and the table of offsets.
      const std::size_t range = i < 50 ? std::min<std::size_t>(400, whole.size()) : whole.size();
      damaged[random() % range] ^= static_cast<std::byte>(1u << random() % 8);
      error_of([&] { decoded(damaged); });  // an Error or an image, nothing else
    }
  }
}

TEST(Exr, RefusesAHeaderThatClaimsMoreThanTheFileHolds) {
  auto bytes = encoded(textured(simple_spec(16, 16, {"R", "G", "B"}, PixelType::half)), "exr");
  const char name[] = "dataWindow\0box2i\0\x10\0\0";
  const auto found =
      std::search(bytes.begin(), bytes.end(), reinterpret_cast<const std::byte*>(name),
                  reinterpret_cast<const std::byte*>(name) + sizeof name);
  ASSERT_NE(found, bytes.end());
  const std::int32_t box[4] = {0, 0, 29999, 29999};
  std::memcpy(&*found + sizeof name, box, sizeof box);
  EXPECT_NE(error_of([&] { decoded(bytes); }), "");
  const std::int32_t past_the_limit[4] = {0, 0, 1 << 20, 3};
  std::memcpy(&*found + sizeof name, past_the_limit, sizeof box);
  EXPECT_NE(error_of([&] { decoded(bytes); }), "");
}

TEST(Exr, RefusesAnAttributeLargerThanTheFileBeforeReadingIt) {
  std::string file("v/1\x01\x02\0\0\0attribute\0string\0\xff\xff\xff\x7f", 29);
  file += std::string(100, 'x');
  EXPECT_EQ(error_of([&] { decoded(std::as_bytes(std::span(file))); }),
            "memory: OpenEXR: the file is truncated: a header attribute of 2147483647 bytes passes "
            "its end");
}

TEST(Exr, TwoLayersWithOneChannelNameAreNotWritten) {
  Spec spec = simple_spec(3, 2, {"Y"}, PixelType::f32);
  spec.layers.push_back(spec.layers.front());
  try {
    encoded(textured(spec), "exr");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("two layers have a channel 'Y'"), std::string::npos)
        << error.what();
  }
}

TEST(Exr, RefusesDeepDataByName) {
  auto bytes = encoded(textured(simple_spec(8, 8, {"Y"}, PixelType::half)), "exr");
  bytes[5] |= std::byte{0x08};
  EXPECT_EQ(error_of([&] { decoded(bytes); }),
            "memory: deep EXR is not supported: flatten it first");
}

TEST(Exr, RefusesAPartOrLevelThatIsNotThere) {
  const auto bytes = encoded(textured(simple_spec(8, 8, {"Y"}, PixelType::half)), "exr");
  EXPECT_EQ(error_of([&] { decoded(bytes, {.part = 1}); }),
            "memory: part 1 does not exist: the file has part 0 only");
  EXPECT_EQ(error_of([&] { decoded(bytes, {.mip_level = 2}); }),
            "memory: mip level 2 does not exist: the file has level 0 only");
}

}  // namespace
}  // namespace cuimg::test
