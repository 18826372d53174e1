// SPDX-License-Identifier: Apache-2.0
// CMYK, which is read as RGB: the notes about it, and that no file loses its inks by --in-place.
#include <gtest/gtest.h>
#include <lcms2.h>

#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "io/codec_helpers.h"
#include "io/made_profiles.h"
#include "io/made_tiff.h"
#include "support/images.h"
#include "support/made_jpeg.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

ProfileBytes named_profile(const char* name) {
  const ProfileBytes bytes = table_profile(true);
  cmsHPROFILE profile =
      cmsOpenProfileFromMem(bytes.data(), static_cast<cmsUInt32Number>(bytes.size()));
  cmsMLU* text = cmsMLUalloc(nullptr, 1);
  cmsMLUsetASCII(text, "en", "US", name);
  cmsWriteTag(profile, cmsSigProfileDescriptionTag, text);
  cmsMLUfree(text);
  return saved(profile);
}

class InPlaceInks : public ProgramFolder {
 protected:
  InPlaceInks() {
    write("in.jpg", jpeg());
    write("turned.jpg", with_orientation(jpeg(), 6));
    write("in.tif", tiff());
  }
  void write(const std::string& name, const std::vector<std::byte>& bytes) const {
    folder_.write(name, std::string(text_of_bytes(bytes)));
  }
  std::vector<std::byte> jpeg() const {
    std::mt19937 random(1);
    const JpegKind kind = {
        .width = 33, .height = 17, .channels = 4, .sampling = {{1, 1}, {1, 1}, {1, 1}, {1, 1}}};
    std::vector<std::byte> file = made_jpeg(kind, made_pixels(33, 17, 4, random));
    Blob segment;
    append_number(segment, 0xffe2, 2, true);
    append_number(segment, profile_.size() + 16, 2, true);
    append_bytes(segment, bytes_of_text(std::string("ICC_PROFILE\0\1\1", 14)));
    append_bytes(segment, profile_);
    file.insert(file.begin() + 2, segment.begin(), segment.end());
    return file;
  }
  std::vector<std::byte> tiff() const {
    return made([&](TIFF* t) {
      describe(t, 2, 1, 8, 4, PHOTOMETRIC_SEPARATED);
      TIFFSetField(t, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(profile_.size()),
                   profile_.data());
      write_rows(t, {{0, 255, 0, 0, 0, 0, 0, 255}});
    });
  }
  const ProfileBytes profile_ = named_profile("Some press");
};

TEST_F(InPlaceInks, AreNotMadeRgb) {
  for (const std::string name : {"in.jpg", "turned.jpg", "in.tif"})
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"flop", "+", "exposure", "--stops", "1"}, {"convert"}, {"convert", "--dry-run"}}) {
      const std::string before = read_file(folder_ / name);
      std::vector<std::string> all = words;
      all.insert(all.end(), {"--in-place", name});
      const Outcome outcome = cuimg(all);
      EXPECT_EQ(outcome.exit, 2) << name;
      EXPECT_NE(outcome.err.find("--in-place would store RGB where the file has CMYK and delete "
                                 "its ICC profile 'Some press'"),
                std::string::npos)
          << outcome.err;
      EXPECT_EQ(read_file(folder_ / name), before);
    }
}

// Its blocks are kept, whether or not they could have been turned.
TEST_F(InPlaceInks, StayInAJpegOfWhichOnlyEntriesChange) {
  for (const std::string name : {"in.jpg", "turned.jpg"}) {
    const Outcome outcome = cuimg({"convert", "--set", "Author=Me", "--in-place", name});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    const std::string info = cuimg({"info", name}).out;
    EXPECT_NE(info.find("CMYK"), std::string::npos) << info;
    EXPECT_NE(info.find("Me\n"), std::string::npos) << info;
  }
  const Outcome refused = cuimg({"convert", "--set", "Author=Me", "--in-place", "in.tif"});
  EXPECT_EQ(refused.exit, 2) << refused.err;
}

TEST_F(InPlaceInks, AreNamedByInfo) {
  for (const std::string name : {"in.jpg", "in.tif"}) {
    const std::string info = cuimg({"info", name}).out;
    EXPECT_NE(info.find("  stored as        CMYK\n"), std::string::npos) << info;
    EXPECT_NE(info.find("  ICC profile      Some press\n"), std::string::npos) << info;
    const auto facts = nlohmann::json::parse(cuimg({"info", "--json", name}).out)["facts"];
    EXPECT_EQ(facts["stored as"], "CMYK");
    EXPECT_EQ(facts["ICC profile"], "Some press");
  }
}

TEST_F(InPlaceInks, BecomeRgbWhereAnotherFileIsWritten) {
  for (const std::string name : {"in.jpg", "in.tif"}) {
    ASSERT_EQ(cuimg({"convert", name, "out.jpg"}).exit, 0);
    const std::string info = cuimg({"info", "out.jpg"}).out;
    EXPECT_EQ(info.find("CMYK"), std::string::npos) << info;
  }
}

}  // namespace
}  // namespace cuimg::test
