// SPDX-License-Identifier: Apache-2.0
// XML: the content read from a document; refusals are tested for each file type that uses XML.
#include "text/xml.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuimg {
namespace {

TEST(Xml, HasElementsAttributesAndText) {
  const XmlElement root = read_xml(
      "<?xml version='1.0'?>\n<!-- a -->\n<x:list a='1' b = \"&quot;&#65;&#x42;\">one "
      "<item/>two<item c='3'>\n  <deep>4 &lt; 5</deep></item><![CDATA[<&>]]></x:list>\n<?end?>\n",
      "t");
  EXPECT_EQ(root.name, "list");
  EXPECT_EQ(root.line, 3);
  EXPECT_EQ(root.attribute("a"), "1");
  EXPECT_EQ(root.attribute("b"), "\"AB");
  EXPECT_FALSE(root.attribute("c"));
  EXPECT_EQ(root.text, "one two<&>");
  ASSERT_EQ(root.children.size(), 2u);
  EXPECT_EQ(root.children[1].attribute("c"), "3");
  ASSERT_EQ(root.children[1].children.size(), 1u);
  EXPECT_EQ(root.children[1].children[0].text, "4 < 5");
  EXPECT_EQ(root.children[1].children[0].line, 4);
}

TEST(Xml, WritesCharactersByTheirNumberAsUtf8) {
  EXPECT_EQ(read_xml("<a>&#xe9;&#8364;&#x1F600;</a>", "t").text,
            "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  for (const char* text : {"<a>&#0;</a>", "<a>&#xd800;</a>", "<a>&#x110000;</a>", "<a>&#x;</a>",
                           "<a>&;</a>", "<a>& b</a>", "<a b='<'/>", "<a b=1/>", "<a", "<a/", "",
                           "<a>\x01</a>", "<a>\xff</a>", "<1 2>", "<a></a", "<a><![CDATA[</a>"})
    EXPECT_THROW(read_xml(text, "t"), Error) << text;
}

}  // namespace
}  // namespace cuimg
