// SPDX-License-Identifier: Apache-2.0
// Cryptomatte's manifest, which names objects of the scene, is kept with its ids.
#include <gtest/gtest.h>

#include "io/codec.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

constexpr const char *name_key = "cryptomatte/ab12cd3/name",
                     *manifest_key = "cryptomatte/ab12cd3/manifest",
                     *secret = "{\"secret_hero\":\"0f3a5b7c\"}";

class CryptomatteEntries : public ProgramFolder {
 protected:
  CryptomatteEntries() {
    write_image(folder_ / "in.exr", noise(both()), *codec_named("exr"));
    Spec colors = both(), ids = both();
    colors.layers.pop_back();
    colors.part_name = "colors";
    ids.layers.erase(ids.layers.begin());
    ids.part_name = "ids";
    std::vector<Image> parts;
    parts.push_back(noise(colors));
    parts.push_back(noise(ids));
    write_parts(folder_ / "parts.exr", parts, *codec_named("exr"));
  }
  static Spec both() {
    Spec spec = spec_of({0, 0, 48, 32}, PixelType::half, 3);
    spec.layers.push_back({"Obj00", {"R", "G", "B", "A"}, PixelType::f32});
    spec.layers.back().is_matte = true;
    spec.metadata[name_key] = std::string("Obj");
    spec.metadata[manifest_key] = std::string(secret);
    spec.metadata["cryptomatte/0000001/name"] = std::string("Gone");
    spec.metadata["cryptomatte/0000001/manifest"] = std::string("{\"secret_other\":\"01\"}");
    return spec;
  }
  Metadata entries_of(const std::string& name, int part = 0) const {
    DecodeOptions options;
    options.part = part;
    return open_image(ByteSource::open(folder_ / name), options)->spec().metadata;
  }
};

TEST_F(CryptomatteEntries, AreLeftOutWhereTheIdsAre) {
  const std::string note = "Cryptomatte's entries are left out: none of its layers is written";
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"convert", "--layers", "RGB", "in.exr", "o.png"},
           {"convert", "in.exr", "o.png"},
           {"convert", "--metadata", "strip", "in.exr", "o.png"},
           {"convert", "--metadata", "private", "in.exr", "o.png"},
           {"channels", "--pick", "R,G,B", "in.exr", "o.exr"},
           {"channels", "--pick", "R,G,B", "--metadata", "strip", "in.exr", "o.exr"},
           {"convert", "--part", "0", "parts.exr", "o.exr"}}) {
    std::vector<std::string> all = words;
    all.insert(all.begin() + 1, "-v");
    const Outcome outcome = cuimg(all);
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_NE(outcome.err.find(note), std::string::npos) << outcome.err;
    EXPECT_EQ(read_file(folder_ / words.back()).find("secret_"), std::string::npos) << words[1];
    EXPECT_EQ(read_file(folder_ / words.back()).find("cryptomatte"), std::string::npos) << words[1];
  }
}

TEST_F(CryptomatteEntries, StayWithTheIds) {
  for (const std::string policy : {"keep", "private", "strip"}) {
    const Outcome outcome = cuimg({"flip", "--metadata", policy, "in.exr", "o.exr"});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    const Metadata entries = entries_of("o.exr");
    EXPECT_EQ(entries.at(name_key), MetadataValue(std::string("Obj"))) << policy;
    EXPECT_EQ(entries.at(manifest_key), MetadataValue(std::string(secret))) << policy;
    // A file that has lost its layers before.
    EXPECT_EQ(read_file(folder_ / "o.exr").find("secret_other"), std::string::npos) << policy;
  }
}

// Some programs read only the first part's entries.
TEST_F(CryptomatteEntries, StayInPartsOfAFileOfWhichAnotherHoldsTheIds) {
  for (const std::string policy : {"keep", "strip"}) {
    ASSERT_EQ(cuimg({"convert", "--part", "all", "--metadata", policy, "parts.exr", "o.exr"}).exit,
              0);
    for (const int part : {0, 1})
      EXPECT_EQ(entries_of("o.exr", part).at(manifest_key), MetadataValue(std::string(secret)))
          << policy << part;
  }
}

}  // namespace
}  // namespace cuimg::test
