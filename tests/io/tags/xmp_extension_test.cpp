// SPDX-License-Identifier: Apache-2.0
// XMP that is too large for one segment of a JPEG, in the form in which Adobe's programs write it:
// all properties in one description.
#include "io/tags/xmp_extension.h"

#include "base/digest/md5.h"
#include "io/codec_helpers.h"
#include "io/tags/xmp.h"

namespace cuimg {
namespace {

using namespace test;

const std::string head =
    "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
    "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">";
const std::string tail = "</rdf:RDF></x:xmpmeta>";
const std::string names =
    " rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\""
    " xmlns:photoshop=\"http://ns.adobe.com/photoshop/1.0/\"";
const std::string title =
    "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">A > title</rdf:li></rdf:Alt></dc:title>";
const std::string rights = "\n <dc:rights>Somebody</dc:rights>";

std::string ancestors(int count) {
  std::string list = "<photoshop:DocumentAncestors><rdf:Bag>";
  for (int i = 0; i < count; ++i)
    list += "<rdf:li>xmp.did:" + std::to_string(100000 + i) + "</rdf:li>";
  return list + "</rdf:Bag></photoshop:DocumentAncestors>";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(XmpExtension, TakesTheLargestPropertyOfASingleDescription) {
  const std::string list = ancestors(3000), packet = head + "<rdf:Description" + names +
                                                     " photoshop:City=\"Here\">" + title + list +
                                                     rights + "</rdf:Description>" + tail;
  ASSERT_GT(packet.size(), most_xmp_in_jpeg);
  const SplitXmp split = split_xmp(packet, most_xmp_in_jpeg);
  EXPECT_EQ(split.extension, head + "<rdf:Description" + names + ">" + list +
                                 "</rdf:Description></rdf:RDF></x:xmpmeta>");
  EXPECT_TRUE(split.packet.starts_with(head + "<rdf:Description" + names +
                                       " photoshop:City=\"Here\">" + title + rights +
                                       "</rdf:Description>"))
      << split.packet;
  EXPECT_EQ(xmp_extension_name(split.packet), md5_of(std::as_bytes(std::span(split.extension))));
  std::string joined = split.packet;
  join_xmp(joined, split.extension);
  for (const std::string& part : {title, rights, list}) EXPECT_TRUE(contains(joined, part));
}

TEST(XmpExtension, TakesLargeAttributesToo) {
  const std::string history = " photoshop:History='" + std::string(70000, '>') + "'",
                    packet = head + "<rdf:Description" + names + " dc:source=\"a\"" + history +
                             "/>" + tail;
  const SplitXmp split = split_xmp(packet, most_xmp_in_jpeg);
  EXPECT_TRUE(contains(split.packet, "<rdf:Description" + names + " dc:source=\"a\"/>"));
  EXPECT_TRUE(contains(split.extension, "<rdf:Description" + names + history + "/>"));
}

TEST(XmpExtension, IsNotMadeOfWhatCannotBeMoved) {
  const std::string list = ancestors(3000);
  for (const std::string& content :
       {"<rdf:Description" + names + "><!-- a comment -->" + list + "</rdf:Description>",
        "<rdf:Bag>" + list + "</rdf:Bag>", "<rdf:Description" + names + ">" + list,
        "<rdf:Description xmlns:a=\"" + std::string(70000, 'a') + "\"/>"})
    EXPECT_EQ(split_xmp(head + content + tail, most_xmp_in_jpeg).packet, "");
}

TEST(XmpExtension, DamagedPacketsAreSplitOrRefused) {
  const std::string whole = head + "<rdf:Description" + names + " dc:source='a'>" + title +
                            ancestors(12) + rights + "</rdf:Description>" + tail;
  const std::size_t most = whole.size() - 20;
  EXPECT_LE(split_xmp(whole, most).packet.size(), most);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    split_xmp(whole.substr(0, at), at / 2);
    std::string changed = whole;
    for (const char c : {'<', '>', '/', '"', '\'', '=', ' '}) {
      changed[at] = c;
      split_xmp(changed, most);
    }
  }
}

TEST(XmpExtension, AJpegHasAllProperties) {
  Image image = noise(8, 8, 3, PixelType::u8);
  const std::string list = ancestors(3000);
  Spec spec = image.spec();
  spec.metadata["xmp"] = bytes_of_text(head + "<rdf:Description" + names + ">" + list + title +
                                       "</rdf:Description>" + tail);
  Image written(spec);
  std::memcpy(written.row(0, 0), image.row(0, 0), image.spec().pixel_bytes());
  const Image back = decode(jpeg_codec(), encode(jpeg_codec(), written));
  std::string joined(text_of_bytes(std::get<Blob>(back.spec().metadata.at("xmp"))));
  EXPECT_TRUE(contains(joined, title));
  join_xmp(joined, text_of_bytes(std::get<Blob>(back.spec().metadata.at("xmp extension"))));
  EXPECT_TRUE(contains(joined, list));
}

}  // namespace
}  // namespace cuimg
