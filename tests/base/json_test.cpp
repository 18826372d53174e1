// SPDX-License-Identifier: Apache-2.0
// JSON as printed in reports: members keep their order, whatever the text contains.
#include "base/json.h"

#include <gtest/gtest.h>

#include <limits>

namespace cuimg::test {
namespace {

TEST(Json, AnObjectKeepsTheOrderOfItsMembers) {
  Json object = Json::object({{"z", 1}, {"a", "text"}});
  object.set("m", true);
  object.set("z", Json::list({1.5, -2, nullptr}));
  EXPECT_EQ(object.line(), R"({"z":[1.5,-2,null],"a":"text","m":true})"
                           "\n");
}

TEST(Json, NumbersKeepTheirValueAndTheirKind) {
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).text(), "18446744073709551615");
  EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::min()).text(), "-9223372036854775808");
  EXPECT_EQ(Json(0.1).text(), "0.1");
  EXPECT_EQ(Json(0.1f).text(), "0.10000000149011612");
  EXPECT_EQ(Json(2.0).text(), "2.0");
}

TEST(Json, NansAndInfinitiesAreNull) {
  EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).text(), "null");
  EXPECT_EQ(Json(-std::numeric_limits<float>::infinity()).text(), "null");
}

TEST(Json, TextIsEscapedAndInvalidUtf8IsReplaced) {
  EXPECT_EQ(Json("a\"b\n").text(), R"("a\"b\n")");
  EXPECT_EQ(Json("a\xff").text(), "\"a\xef\xbf\xbd\"");
}

TEST(Json, TheBytesOfTextThatIsNoUtf8AreNextToIt) {
  Json object = Json::object({{"file", "a\xff.png"}, {"other", "\xc3\xa4.png"}});
  object.set("tees", std::vector<std::string>{"b.png", "\xfe"});
  EXPECT_EQ(object.text(),
            "{\"file\":\"a\xef\xbf\xbd.png\",\"file_base64\":\"Yf8ucG5n\","
            "\"other\":\"\xc3\xa4.png\","
            "\"tees\":[\"b.png\",\"\xef\xbf\xbd\"],\"tees_base64\":[\"Yi5wbmc=\",\"/g==\"]}");
}

TEST(Json, EmptyListsAndObjectsAreNotNull) {
  EXPECT_EQ(Json(std::vector<std::string>{}).text(), "[]");
  EXPECT_EQ(Json::object().text(), "{}");
  EXPECT_EQ(Json().text(), "null");
}

TEST(Json, ACopyIsAValueOfItsOwn) {
  const Json list = Json::list({1});
  Json copy = list;
  copy.push(2);
  EXPECT_EQ(list.text(), "[1]");
  EXPECT_EQ(copy.text(), "[1,2]");
}

}  // namespace
}  // namespace cuimg::test
