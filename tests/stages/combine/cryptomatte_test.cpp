// SPDX-License-Identifier: Apache-2.0
// Cryptomatte: no stage makes a pixel with ids and coverages that no source has.
#include "image/cryptomatte.h"

#include <cstdint>
#include <map>
#include <set>

#include "support/process.h"
#include "support/stage_cases.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

using Texel = std::array<std::uint32_t, 4>;

// Three layers of ids and coverages next to a picture and its depth, with odd windows.
Spec matte_spec(const Rect& data = {3, -2, 37, 23}, const Rect& display = {0, 0, 45, 29}) {
  Spec spec = spec_of(data, PixelType::half, 4);
  spec.display_window = display;
  for (const char* name : {"crypto_object00", "crypto_object01", "crypto_object02"})
    spec.layers.push_back({name, {"R", "G", "B", "A"}, PixelType::f32});
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  spec.metadata["cryptomatte/ab12cd3/name"] = std::string("crypto_object");
  spec.metadata["cryptomatte/ab12cd3/hash"] = std::string("MurmurHash3_32");
  spec.metadata["cryptomatte/ab12cd3/conversion"] = std::string("uint32_to_float32");
  spec.metadata["cryptomatte/ab12cd3/manifest"] = std::string(R"({"bunny":"13851a76"})");
  spec.metadata["cryptomatte/ab12cd3/manif_file"] = std::string("ids.json");
  mark_mattes(spec.metadata, spec.layers);
  return spec;
}

// Ids are hashes whose exponent is neither 0 nor 255, so they are finite floats; coverages
// decrease.
Image matte_image(const Spec& spec, unsigned seed = 1) {
  Image image = noise(spec, seed);
  std::mt19937 random(seed + 99);
  const Rect& r = spec.data_window;
  for (int l = 0; l < spec.layer_count(); ++l) {
    if (!spec.layer(l).is_matte) continue;
    for (int y = r.y; y < r.bottom(); ++y)
      for (int x = 0; x < r.width; ++x) {
        const auto id = [&] {
          const auto bits = static_cast<std::uint32_t>(random());
          const std::uint32_t exponent = 1 + (bits >> 23 & 0xffu) % 254;
          return (bits & 0x807fffffu) | exponent << 23;
        };
        const Texel texel = {id(), std::bit_cast<std::uint32_t>(0.75f / static_cast<float>(l + 1)),
                             id(), std::bit_cast<std::uint32_t>(0.25f / static_cast<float>(l + 1))};
        std::memcpy(image.row(l, y) + sizeof texel * static_cast<std::size_t>(x), texel.data(),
                    sizeof texel);
      }
  }
  return image;
}

void gather(const Image& image, const LayerSpec& layer, int index, std::set<Texel>& texels) {
  const Rect& r = image.spec().data_window;
  for (int y = r.y; y < r.bottom(); ++y)
    for (int x = 0; x < r.width; ++x) {
      Texel texel{};
      std::memcpy(texel.data(), image.row(index, y) + layer.pixel_bytes() * std::size_t(x),
                  layer.pixel_bytes());
      texels.insert(texel);
    }
}

// The pixels of the mattes by layer name, and the empty pixel, which is no id.
std::map<std::string, std::set<Texel>> texels_of(const Image& image) {
  std::map<std::string, std::set<Texel>> all;
  for (std::size_t l = 0; l < image.spec().layers.size(); ++l) {
    const LayerSpec& layer = image.spec().layers[l];
    if (!layer.is_matte) continue;
    gather(image, layer, static_cast<int>(l), all[layer.name]);
    all[layer.name].insert(Texel{});
  }
  return all;
}

testing::AssertionResult no_new_texels(const Image& made, const Image& source) {
  std::map<std::string, std::set<Texel>> known = texels_of(source);
  for (const auto& [name, texels] : texels_of(made))
    for (const Texel& texel : texels)
      if (!known[name].contains(texel))
        return testing::AssertionFailure()
               << name << " holds " << std::hex << texel[0] << ' ' << texel[1] << ' ' << texel[2]
               << ' ' << texel[3] << ", which is in no source";
  return testing::AssertionSuccess();
}

int mattes_in(const Spec& spec) {
  int count = 0;
  for (const LayerSpec& layer : spec.layers) count += layer.is_matte ? 1 : 0;
  return count;
}

// Whether a layer's bits are the same where both images have pixels.
bool same_matte(const Image& a, const Image& b, const std::string& name) {
  const auto index = [&](const Image& image) {
    int i = 0;
    while (image.spec().layers.at(static_cast<std::size_t>(i)).name != name) ++i;
    return i;
  };
  const int of_a = index(a), of_b = index(b);
  const Rect both = intersection(a.spec().data_window, b.spec().data_window);
  const auto at = [&](const Image& image, int layer, int y) {
    return image.row(layer, y) + std::size_t(both.x - image.spec().data_window.x) * sizeof(Texel);
  };
  for (int y = both.y; y < both.bottom(); ++y)
    if (std::memcmp(at(a, of_a, y), at(b, of_b, y), sizeof(Texel) * std::size_t(both.width)) != 0)
      return false;
  return !both.empty();
}

TEST(Cryptomatte, LayersHaveNoColourAndNoAlpha) {
  const LayerSpec matte = matte_spec().layers[1];
  EXPECT_FALSE(matte.is_color());
  EXPECT_EQ(matte.alpha_index(), -1);
  EXPECT_TRUE(matte.holds_ids());
}

TEST(Cryptomatte, ComesThroughAnExrWithItsMetadata) {
  const TempDir folder;
  const Image image = matte_image(matte_spec());
  write_image(folder / "in.exr", image, *codec_named("exr"));
  const Image read = read_image(folder / "in.exr");
  EXPECT_EQ(mattes_in(read.spec()), 3);
  for (const char* name : {"crypto_object00", "crypto_object01", "crypto_object02"})
    EXPECT_TRUE(same_matte(read, image, name));
  for (const auto& [key, value] : image.spec().metadata)
    EXPECT_EQ(read.spec().metadata.at(key), value) << key;
}

// Stages that are covered by tests of pictures with several layers.
const char* const geometry[] = {"resize --size 50%",
                                "resize --size 170% --filter linear",
                                "resize --size 61x17 --filter lanczos3 --border wrap",
                                "resize --size 20x20 --fill --filter cubic",
                                "crop --region 21x13+5+1",
                                "cut --region 21x13-4-5",
                                "trim",
                                "pad --left 3 --top 5 --color 0.5,0.25,0.125,1",
                                "pad --right 7 --bottom 9 --border mirror",
                                "offset --x 11 --y -7",
                                "flip",
                                "flop",
                                "rotate90",
                                "rotate180",
                                "rotate270",
                                "transpose",
                                "rotate --angle 17 --expand --border-color 0.5,0.25,0.125,1",
                                "affine --matrix 0.7,0.1,0,0.9,2,3 --filter cubic --border mirror",
                                "perspective --corners 2,1,40,3,43,27,1,25",
                                "undistort --k1 0.1",
                                "distort --k1 0.1 --border clamp",
                                "mip"};

TEST(Cryptomatte, GeometryMakesNoIdsThatWereInNoSource) {
  const Spec specs[] = {matte_spec(), matte_spec({0, 0, 31, 17}, {0, 0, 31, 17}),
                        matte_spec({-4, -4, 51, 40}, {0, 0, 45, 29}),
                        matte_spec({0, 0, 1, 1}, {0, 0, 1, 1})};
  for (const Spec& spec : specs) {
    const Image image = matte_image(spec);
    for (const std::string words : geometry) {
      const bool misses = spec.data_window.width == 1 && words.starts_with("c");
      if (misses) continue;  // the region is outside
      const Image made = run_chain(words, image);
      EXPECT_EQ(mattes_in(made.spec()), 3) << words;
      EXPECT_TRUE(no_new_texels(made, image)) << words;
      EXPECT_TRUE(same_pixels(run_chain(words, image, {.threads = 3}), made)) << words;
    }
  }
}

// How renderers spell layer names: with the view before or after, and with names that end in
// digits.
struct Spelling {
  std::string name, before, behind;
};
const Spelling spellings[] = {{"CryptoObject", "", ".left"},
                              {"CryptoObject", "left.", ""},
                              {"ViewLayer.CryptoObject", "", ".left"},
                              {"crypto_id1", "", ""},
                              {"CryptoMat2024", "", ""},
                              {"CryptoMat2024", "", ".right"},
                              {"CryptoMat2024", "right.", ""}};

Spec spelled(Spec spec, const Spelling& spelling) {
  for (int i = 0; i < 3; ++i)
    spec.layers.at(static_cast<std::size_t>(i + 1)).name =
        spelling.before + spelling.name + "0" + std::to_string(i) + spelling.behind;
  spec.metadata["cryptomatte/ab12cd3/name"] = spelling.name;
  mark_mattes(spec.metadata, spec.layers);
  return spec;
}

TEST(Cryptomatte, NoSpellingOfItsLayersLetsIdsBeMixed) {
  const TempDir folder;
  for (const Spelling& spelling : spellings)
    for (const Rect& window : {Rect{3, -2, 37, 23}, Rect{0, 0, 45, 29}, Rect{-4, -4, 51, 40}}) {
      SCOPED_TRACE(spelling.before + spelling.name + "00" + spelling.behind);
      const Image image = matte_image(spelled(matte_spec(window), spelling));
      ASSERT_EQ(mattes_in(image.spec()), 3);
      write_image(folder / "in.exr", image, *codec_named("exr"));
      const Image read = read_image(folder / "in.exr");
      ASSERT_EQ(mattes_in(read.spec()), 3);
      for (const std::string words :
           {"resize --size 50%", "resize --size 61x17 --filter lanczos3", "exposure --stops 1",
            "blur --sigma 2", "rotate --angle 17 --expand", "affine --matrix 0.7,0.1,0,0.9,2,3",
            "distort --k1 0.1", "perspective --corners 2,1,40,3,43,27,1,25", "mip"}) {
        const Image made = run_chain(words, read);
        EXPECT_EQ(mattes_in(made.spec()), 3) << words;
        EXPECT_TRUE(no_new_texels(made, image)) << words;
      }
    }
}

TEST(Cryptomatte, EnvironmentsAndMapsCopyTheNearestPixel) {
  const Image image = matte_image(matte_spec({0, 0, 64, 32}, {0, 0, 64, 32}));
  const TempDir folder;
  Spec map = spec_of({0, 0, 40, 30}, PixelType::f32, 1);
  map.layers[0].channels = {"X", "Y"};
  write_image(folder / "map.exr",
              image_of(map,
                       [](int, int x, int y, int c) {
                         return c == 0 ? 1.7f * static_cast<float>(x) - 3
                                       : 1.1f * static_cast<float>(y) - 2;
                       }),
              *codec_named("exr"));
  for (const std::string border : {"clamp", "wrap", "mirror", "border --border-color 1,0.5,0.5,1"})
    for (const std::string filter : {"point", "linear", "cubic"}) {
      const std::string words =
          "remap --map " + (folder / "map.exr") + " --filter " + filter + " --border " + border;
      const Image made = run_chain(words, image);
      EXPECT_EQ(mattes_in(made.spec()), 3);
      EXPECT_TRUE(no_new_texels(made, image)) << words;
    }
  for (const std::string to : {"cube-cross", "mirrorball", "angular"})
    EXPECT_TRUE(no_new_texels(run_chain("envmap --to " + to, image), image)) << to;
}

const char* const untouching[] = {"exposure --stops 1",
                                  "gamma --value 2.2",
                                  "levels --black 0.1 --white 0.8",
                                  "normalize",
                                  "balance",
                                  "invert",
                                  "clamp --min 0.2 --max 0.5",
                                  "tonemap",
                                  "saturation --amount 0.5",
                                  "matrix --values 0,1,0,1,0,0,0,0,1",
                                  "grayscale",
                                  "encode --curve srgb",
                                  "fixnan",
                                  "premult",
                                  "unpremult",
                                  "blur --sigma 2",
                                  "unsharp",
                                  "convolve --kernel 1,2,1 --normalize",
                                  "box --radius 2",
                                  "median",
                                  "median --size 9",
                                  "bilateral --radius 2",
                                  "sobel",
                                  "laplacian",
                                  "dilate --radius 2",
                                  "erode --radius 2 --shape disk",
                                  "open",
                                  "close",
                                  "add --value 0.5",
                                  "div --value 3"};

TEST(Cryptomatte, ColourStagesAndFiltersLeaveItAsItIs) {
  const Image image = matte_image(matte_spec());
  for (const std::string words : untouching)
    for (const std::string raw : {"", " --raw"}) {
      const Image made = run_chain(words + raw, image);
      EXPECT_EQ(mattes_in(made.spec()), 3) << words;
      EXPECT_TRUE(no_new_texels(made, image)) << words;
      for (const char* name : {"crypto_object00", "crypto_object01", "crypto_object02"})
        EXPECT_TRUE(same_matte(made, image, name)) << words << ' ' << name;
    }
}

TEST(Cryptomatte, OfTwoImagesTheFirstOnesStays) {
  const TempDir folder;
  const Image image = matte_image(matte_spec()), other = matte_image(matte_spec(), 7);
  write_image(folder / "other.exr", other, *codec_named("exr"));
  for (const std::string stage :
       {"over", "dest-over", "in", "xor", "add", "mul", "absdiff", "mix", "mask"}) {
    const Image made = run_chain(stage + " --with " + (folder / "other.exr"), image);
    EXPECT_TRUE(same_matte(made, image, "crypto_object01")) << stage;
  }
  const Image both = run_chain("append --with " + (folder / "other.exr"), image);
  std::map<std::string, std::set<Texel>> known = texels_of(image);
  for (auto& [name, texels] : texels_of(other)) known[name].merge(texels);
  for (const auto& [name, texels] : texels_of(both))
    for (const Texel& texel : texels) EXPECT_TRUE(known[name].contains(texel)) << name;
}

TEST(Cryptomatte, NoStageWithAnyValuesMakesAnId) {
  const Image image = matte_image(matte_spec());
  const TempDir folder;
  for (const StageDescription* stage : stages()) {
    if (stage->kind != Kind::filter || stage->name == "append") continue;
    int done = 0;
    for (unsigned number = 0; number < 12; ++number) {
      Draw draw(seed_of(stage->name, 1000 + number));
      Chain chain{{random_stage(*stage, draw, folder, image.spec().display_window)},
                  draw.one_in(2)};
      try {
        chain = measured_chain(chain, image);
        const Image made = run_plan(plan_of(chain, image.spec()), image);
        EXPECT_TRUE(no_new_texels(made, image)) << chain.stages.front().words();
        ++done;
      } catch (const Error&) {
        continue;  // these values exclude each other
      }
    }
    EXPECT_GT(done, 0) << stage->name;
  }
}

TEST(Cryptomatte, ExplainNamesTheLayersAndRefuseStopsWhatWouldResampleThem) {
  const Spec spec = matte_spec();
  const auto lines = [&](const std::string& words) {
    std::string text;
    for (const std::string& line : plan_of(parse_chain(words), spec).explanation)
      text += line + "\n";
    return text;
  };
  EXPECT_TRUE(has(lines("flip"),
                  "input: crypto_object00, crypto_object01, crypto_object02: Cryptomatte's ids and "
                  "coverages, moved but never mixed\n"));
  EXPECT_TRUE(has(lines("resize"),
                  "resize: takes the nearest pixel's ids and coverages of crypto_object00, "
                  "crypto_object01, crypto_object02\n"));
  const auto refusal = [&](const std::string& words) {
    StageContext context;
    context.refuses_nearest_mattes = true;
    return error_of([&] {
      make_plan(spec, parse_chain(words).stages, nullptr, std::nullopt, {0, 0, 0}, context);
    });
  };
  for (const std::string stage :
       {"resize", "rotate --angle 3", "affine --matrix 0.9,0,0,0.9,0,0", "distort --k1 0.1"})
    EXPECT_EQ(refusal(stage), stage.substr(0, stage.find(' ')) +
                                  ": it would resample the ids of crypto_object00, "
                                  "crypto_object01, crypto_object02: --cryptomatte keep takes the "
                                  "nearest pixel's");
  for (const std::string stage : {"flip", "crop --region 9x9+5+5", "exposure", "blur", "offset"})
    EXPECT_EQ(refusal(stage), "no error") << stage;
}

TEST(Cryptomatte, FormatsAndCompressionsThatWouldChangeItAreRefused) {
  const TempDir folder;
  Spec spec = matte_spec();
  write_image(folder / "in.exr", matte_image(spec), *codec_named("exr"));
  const auto convert = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {CUIMG_PROGRAM, "convert", "--device", "cpu"});
    return run(words);
  };
  for (const std::string name : {"dwaa", "dwab", "pxr24"}) {
    const Outcome outcome = convert({"--compression", name, folder / "in.exr", folder / "o.exr"});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_TRUE(has(outcome.err, "exr: --compression " + name +
                                     " would change the ids of crypto_object00: use zip"))
        << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "o.exr"));
  }
  for (const std::string name : {"none", "rle", "zips", "zip", "piz", "b44", "b44a"}) {
    const Outcome outcome =
        convert({"--type", "half", "--compression", name, folder / "in.exr", folder / "o.exr"});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_TRUE(no_new_texels(read_image(folder / "o.exr"), read_image(folder / "in.exr"))) << name;
    EXPECT_EQ(mattes_in(read_image(folder / "o.exr").spec()), 3) << name;
  }
  EXPECT_EQ(convert({folder / "in.exr", folder / "o.png"}).exit, 0);  // the picture
  spec.layers = {spec.layers[1]};
  write_image(folder / "alone.exr", matte_image(spec), *codec_named("exr"));
  EXPECT_TRUE(has(convert({folder / "alone.exr", folder / "p.tif"}).err,
                  "cannot hold the ids of Cryptomatte"));
}

}  // namespace
}  // namespace cuimg::test
