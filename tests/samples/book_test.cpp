// SPDX-License-Identifier: Apache-2.0
// The numbers that The CUDA Handbook prints in sections 10.4 to 10.7 compared with the output of
// the samples without a card. They are compared as text: a table's cell equals the book's digits.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/process.h"

namespace cuimg::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

class Book : public testing::Test {
 protected:
  // The tables that a sample prints on the CPU.
  Json tables(const std::string& sample, Words words = {}) {
    words.insert(words.begin(), {CUIMG_SAMPLES "/" + sample, "--device", "cpu", "--json"});
    const Outcome outcome = run(words, {.folder = folder_.path().string()});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    const Json all = Json::parse(outcome.out);
    EXPECT_EQ(all["sample"], sample);
    EXPECT_EQ(all["right"], true);
    return all["tables"];
  }

 private:
  TempDir folder_;
};

std::string printed(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

// Rows of coordinate and value, both as "%.2f".
using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs pairs_of(const Json& table) {
  Pairs pairs;
  for (const Json& row : table["rows"])
    pairs.emplace_back(printed("%.2f", row[0]), printed("%.2f", row[1]));
  return pairs;
}

TEST_F(Book, PointReadsReturnTheTexelOfTheCoordinate) {
  const Json all = tables("texture/tex1d_unnormalized");
  EXPECT_EQ(pairs_of(all[0]), (Pairs{{"0.00", "0.00"},
                                     {"1.00", "1.00"},
                                     {"2.00", "2.00"},
                                     {"3.00", "3.00"},
                                     {"4.00", "4.00"},
                                     {"5.00", "5.00"},
                                     {"6.00", "6.00"},
                                     {"7.00", "7.00"}}));
}

TEST_F(Book, LinearReadsAtWholeCoordinatesLieHalfWay) {
  const Json all = tables("texture/tex1d_unnormalized");
  EXPECT_EQ(pairs_of(all[1]), (Pairs{{"0.00", "0.00"},
                                     {"1.00", "0.50"},
                                     {"2.00", "1.50"},
                                     {"3.00", "2.50"},
                                     {"4.00", "3.50"},
                                     {"5.00", "4.50"},
                                     {"6.00", "5.50"},
                                     {"7.00", "6.50"}}));
}

TEST_F(Book, PointReadsChangeTexelsAtOne) {
  Pairs expected;
  for (int i = 90; i < 110; ++i)
    expected.emplace_back(printed("%.2f", i / 100.0), i < 100 ? "0.00" : "1.00");
  EXPECT_EQ(pairs_of(tables("texture/tex1d_unnormalized")[2]), expected);
}

TEST_F(Book, TenthsComeBackByPoint) {
  Pairs expected;
  for (int i = 0; i < 10; ++i) expected.emplace_back(printed("%.2f", i), printed("%.2f", i / 10.0));
  EXPECT_EQ(pairs_of(tables("texture/tex1d_unnormalized")[3]), expected);
}

TEST_F(Book, TenthsByLinearFilterHaveTheBooksBits) {
  const Json table = tables("texture/tex1d_unnormalized")[4];
  const char* const bits[] = {"0x3dcccccd", "0x3de1999a", "0x3df5999a", "0x3e053333", "0x3e0f3333",
                              "0x3e19999a", "0x3e240000", "0x3e2e0000", "0x3e386667", "0x3e426667"};
  Pairs expected;
  for (int i = 0; i < 10; ++i) {
    expected.emplace_back(printed("%.2f", 1.5 + i / 10.0), printed("%.2f", 0.1 + i / 100.0));
    EXPECT_EQ(table["rows"][static_cast<std::size_t>(i)][2], bits[i]);
  }
  EXPECT_EQ(pairs_of(table), expected);
}

TEST_F(Book, TheUnnormalisedTablesFollowFromTheOptionsToo) {
  const Json looked = tables("texture/tex1d_unnormalized",
                             {"--count", "20", "--base", "0.9", "--increment", "0.01"});
  EXPECT_EQ(pairs_of(looked[0]), pairs_of(tables("texture/tex1d_unnormalized")[2]));
}

TEST_F(Book, NineBitTablesAreTheBooksLineByLine) {
  // X, Y, actual, expected, difference; first with all bits, then with 8 bits of weight.
  const std::vector<Words> quarters = {
      {"1.50", "0.10", "0x3dcccccd", "0x3dcccccd", "0.000000E+00"},
      {"1.75", "0.12", "0x3e000000", "0x3e000000", "0.000000E+00"},
      {"2.00", "0.15", "0x3e19999a", "0x3e19999a", "0.000000E+00"},
      {"2.25", "0.17", "0x3e333333", "0x3e333333", "0.000000E+00"}};
  const std::vector<std::vector<Words>> book = {
      quarters,
      quarters,
      {{"1.50", "0.10", "0x3dcccccd", "0x3dcccccd", "0.000000E+00"},
       {"1.60", "0.11", "0x3de1999a", "0x3de147ae", "1.562536E-04"},
       {"1.70", "0.12", "0x3df5999a", "0x3df5c290", "7.812679E-05"},
       {"1.80", "0.13", "0x3e053333", "0x3e051eb8", "7.812679E-05"}},
      {{"1.50", "0.10", "0x3dcccccd", "0x3dcccccd", "0.000000E+00"},
       {"1.60", "0.11", "0x3de1999a", "0x3de1999a", "0.000000E+00"},
       {"1.70", "0.12", "0x3df5999a", "0x3df5999a", "0.000000E+00"},
       {"1.80", "0.13", "0x3e053333", "0x3e053333", "0.000000E+00"}},
  };
  const Json all = tables("texture/tex1d_9bit");
  ASSERT_EQ(all.size(), book.size());
  for (std::size_t t = 0; t < book.size(); ++t) {
    const Json& rows = all[t]["rows"];
    ASSERT_EQ(rows.size(), book[t].size());
    for (std::size_t r = 0; r < rows.size(); ++r)
      EXPECT_EQ((Words{printed("%.2f", rows[r][0]), printed("%.2f", rows[r][1]), rows[r][2],
                       rows[r][3], printed("%.6E", rows[r][4])}),
                book[t][r])
          << all[t]["title"];
  }
}

TEST_F(Book, EveryCodeIsPromotedAsItsFormulaSays) {
  const Json rows = tables("texture/tex1dfetch_int2float")[0]["rows"];
  ASSERT_EQ(rows.size(), 4u);
  const int codes[] = {256, 256, 65536, 65536};
  const float ones[] = {1 / 127.0f, 1 / 255.0f, 1 / 32767.0f, 1 / 65535.0f};
  for (std::size_t i = 0; i < 4; ++i) {
    const bool is_signed = i % 2 == 0;
    EXPECT_EQ(rows[i][1], codes[i]);
    EXPECT_EQ(rows[i][2], is_signed ? -1 : 0);  // the least code
    if (is_signed) {
      EXPECT_EQ(rows[i][3], -1);
    }                                             // and the one above
    EXPECT_EQ(rows[i][4].get<float>(), ones[i]);  // 1
    EXPECT_EQ(rows[i][5], 1);                     // the largest
    EXPECT_EQ(rows[i][6], 0);                     // wrong ones
  }
}

TEST_F(Book, AddressingModesReadWhatTheFigureShows) {
  const Json all = tables("texture/tex1d_unnormalized");
  const auto rows_of = [](const Json& table) {
    return table["rows"].get<std::vector<std::vector<int>>>();
  };
  using Rows = std::vector<std::vector<int>>;
  // Texel, clamp, border, wrap, mirror, for two texels beyond either end of 8.
  EXPECT_EQ(rows_of(all[6]), (Rows{{-2, 0, 0, 6, 1},
                                   {-1, 0, 0, 7, 0},
                                   {0, 0, 0, 0, 0},
                                   {7, 7, 7, 7, 7},
                                   {8, 7, 0, 0, 7},
                                   {9, 7, 0, 1, 6}}));
  // Texel coordinates only have clamp and border.
  ASSERT_EQ(rows_of(all[5]).size(), 6u);
  for (const auto& row : rows_of(all[5])) {
    EXPECT_EQ(row[3], row[1]);
    EXPECT_EQ(row[4], row[1]);
  }
}

TEST_F(Book, SurfaceMemsetOfFloatsAndOfShorts) {
  const Json rows = tables("surface/surf1d_memset")[0]["rows"];
  const auto row = [&](std::size_t i) {
    return Words{rows[i][0], printed("%.0f", rows[i][4]), rows[i][5], printed("%.6E", rows[i][6])};
  };
  EXPECT_EQ(row(0), (Words{"float pi", "16", "0x40490fdb", "3.141593E+00"}));
  // The book's -4.68253E-01 is this number without its last digit.
  EXPECT_EQ(row(1), (Words{"short 0xbeef", "16", "0xbeefbeef", "-4.682536E-01"}));
}

}  // namespace
}  // namespace cuimg::test
