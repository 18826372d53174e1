// SPDX-License-Identifier: Apache-2.0
// Photoshop's resources and IPTC: which are kept, listed and changed.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "io/tags/iptc.h"
#include "io/tags/photoshop.h"

namespace cuimg::test {
namespace {

TEST(Photoshop, OnlyWhatDescribesThePictureIsCarried) {
  const auto resource = [](std::uint16_t number, const std::string& body) {
    Blob bytes = photoshop_of_iptc(bytes_of_text(body));
    put_number(std::span(bytes).subspan(4, 2), number, true);
    return bytes;
  };
  const Blob records = iptc_of({{2, 105, "Waves"}});
  Blob all, carried;
  for (const auto& [number, body] : std::vector<std::pair<std::uint16_t, std::string>>{
           {0x03ed, "resolution"}, {0x040a, "\1"}, {0x040b, "http://a.b"}, {0x0425, "digest"}}) {
    const Blob one = resource(number, body);
    all.insert(all.end(), one.begin(), one.end());
    if (number != 0x03ed) carried.insert(carried.end(), one.begin(), one.end());
  }
  const Blob iptc = photoshop_of_iptc(records);
  all.insert(all.end(), iptc.begin(), iptc.end());
  Metadata metadata;
  take_photoshop(all, metadata);
  EXPECT_EQ(metadata, (Metadata{{"iptc", records}, {"photoshop", carried}}));
  Metadata again;
  take_photoshop(photoshop_to_write(metadata), again);
  EXPECT_EQ(again, metadata);
  EXPECT_TRUE(photoshop_to_write({}).empty());
  for (std::size_t length = 0; length < all.size(); ++length) {
    Metadata cut;
    take_photoshop(std::span(all).first(length), cut);
  }
  // With wrong lengths.
  for (std::size_t i = 6; i < all.size(); ++i) {
    Blob changed = all;
    changed[i] = std::byte{0xff};
    Metadata found;
    take_photoshop(changed, found);
  }
}

TEST(Photoshop, ResolutionIsReadWhereNothingElseSaysOne) {
  const auto read = [](std::uint32_t across, std::uint32_t down, Metadata metadata = {}) {
    Blob body;
    append_number(body, across, 4, true);
    append_number(body, 0x00020001, 4,
                  true);  // displayed in pixels per centimetre, which does not matter
    append_number(body, down, 4, true);
    append_number(body, 0x00010001, 4, true);
    Blob bytes = photoshop_of_iptc(body);
    put_number(std::span(bytes).subspan(4, 2), 0x03ed, true);
    take_photoshop(bytes, metadata);
    return metadata;
  };
  EXPECT_EQ(read(300 << 16, 300 << 16), (Metadata{{"xDensity", 300.0}}));
  EXPECT_EQ(read(0x00488000, 0x00488000), (Metadata{{"xDensity", 72.5}}));
  EXPECT_EQ(read(300 << 16, 0), (Metadata{{"xDensity", 300.0}}));
  EXPECT_EQ(read(300 << 16, 150 << 16), Metadata{});
  EXPECT_EQ(read(1, 1), Metadata{});
  EXPECT_EQ(read(0, 0), Metadata{});
  EXPECT_EQ(read(300 << 16, 300 << 16, {{"xDensity", 96.0}}), (Metadata{{"xDensity", 96.0}}));
}

TEST(Photoshop, PathsKeepTheirNamesUntilThePictureMoves) {
  const auto resource = [](std::uint16_t number, const std::string& name, const std::string& body) {
    Blob bytes = bytes_of_text("8BIM");
    append_number(bytes, number, 2, true);
    append_number(bytes, name.size(), 1, true);
    append_bytes(bytes, bytes_of_text(name));
    if (name.size() % 2 == 0) append_number(bytes, 0, 1, true);
    append_number(bytes, body.size(), 4, true);
    append_bytes(bytes, bytes_of_text(body));
    if (body.size() % 2 != 0) append_number(bytes, 0, 1, true);
    return bytes;
  };
  Blob all, stays;
  for (const auto& [number, name] : std::vector<std::pair<std::uint16_t, std::string>>{
           {2000, "Path 1"}, {2999, "Path 1"}, {0x0408, ""}, {0x040a, ""}, {0x0426, "odd"}}) {
    append_bytes(all, resource(number, name, "body " + name));
    if (number < 2000 && number != 0x0408)
      append_bytes(stays, resource(number, name, "body " + name));
  }
  Blob with_thumbnail = resource(0x040c, "", "thumbnail");
  append_bytes(with_thumbnail, all);
  Metadata metadata;
  take_photoshop(with_thumbnail, metadata);
  EXPECT_EQ(metadata, (Metadata{{"photoshop", all}}));
  EXPECT_TRUE(leave_out_photoshop_places(metadata));
  EXPECT_EQ(metadata, (Metadata{{"photoshop", stays}}));
  EXPECT_FALSE(leave_out_photoshop_places(metadata));
}

TEST(Iptc, SeveralFieldsOfOneNameAreSet) {
  const Blob records =
      with_iptc({}, iptc_number("Keywords"), std::vector<std::string>{"a", "", "b"});
  EXPECT_EQ(iptc_listing(records).at("Keywords"),
            MetadataValue(std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(iptc_repeats(iptc_number("Keywords")));
  EXPECT_FALSE(iptc_repeats(iptc_number("Headline")));
}

TEST(Iptc, IsListedChangedAndFiltered) {
  const Blob records =
      iptc_of({{2, 25, "sea"}, {2, 25, "sky"}, {2, 80, "J\xf6rg"}, {2, 105, "Waves"}});
  EXPECT_EQ(iptc_listing(records), (Metadata{{"Keywords", std::vector<std::string>{"sea", "sky"}},
                                             {"By-line", std::string("J\xc3\xb6rg")},
                                             {"Headline", std::string("Waves")}}));
  const Blob changed = with_iptc(records, iptc_number("Headline"), "\xc3\xbc");
  EXPECT_EQ(iptc_listing(changed).at("Headline"), MetadataValue(std::string("\xc3\xbc")));
  EXPECT_EQ(iptc_listing(changed).at("By-line"), MetadataValue(std::string("J\xc3\xb6rg")));
  EXPECT_EQ(iptc_listing(with_iptc(changed, iptc_number("Headline"), "")).count("Headline"), 0u);
  EXPECT_EQ(iptc_listing(public_iptc(records)).count("By-line"), 0u);
  EXPECT_EQ(iptc_listing(public_iptc(records)).count("Keywords"), 0u);
  const Blob resources = photoshop_of_iptc(records);
  const std::vector<PhotoshopResource> found = photoshop_resources(resources);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(Blob(found[0].body.begin(), found[0].body.end()), records);
  constexpr std::size_t head = 12;
  for (std::size_t length = 0; length < head + records.size(); ++length)
    EXPECT_TRUE(photoshop_resources(std::span(resources).first(length)).empty());
}

}  // namespace
}  // namespace cuimg::test
