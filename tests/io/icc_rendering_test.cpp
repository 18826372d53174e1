// SPDX-License-Identifier: Apache-2.0
// The options for ICC profiles: lcms2's tables or its floating point, its intents and black point
// compensation.
#include <gtest/gtest.h>

#include <algorithm>

#include "io/icc_cases.h"

namespace cuimg {
namespace {

using namespace test;

// The same through the library, where grey becomes three channels.
template <class T>
std::vector<T> by_library(const ProfileCase& c, const IccRendering& rendering,
                          std::vector<T> from) {
  const auto icc = interpret_icc(c.profile, c.pixels, rendering,
                                 sizeof(T) == 2 ? PixelType::u16 : PixelType::u8);
  EXPECT_TRUE(icc.conversion) << c.name;
  if (!icc.conversion) return {};
  EXPECT_EQ(bytes_of(icc.conversion->type()), sizeof(T));
  const std::size_t count = from.size() / c.values();
  std::vector<T> made(from);
  if (c.pixels == IccPixels::grey) {
    made.clear();
    for (const T v : from) made.insert(made.end(), 3, v);
  }
  auto* const row = reinterpret_cast<std::byte*>(made.data());
  if (c.pixels == IccPixels::cmyk)
    icc.conversion->convert_cmyk(row, count, row);
  else
    icc.conversion->convert(row, count, 3);
  made.resize(3 * count);
  return made;
}

template <class T>
int distance(const std::vector<T>& a, const std::vector<T>& b) {
  EXPECT_EQ(a.size(), b.size());
  int largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    largest = std::max(largest, std::abs(int{a[i]} - int{b[i]}));
  return largest;
}

template <class T>
void expect_tables_of_lcms2() {
  for (const ProfileCase& c : profile_cases())
    for (const IccRendering& rendering : renderings(IccMethod::tables)) {
      SCOPED_TRACE(c.name + " " + std::to_string(static_cast<int>(rendering.intent)));
      const auto values = any_values<T>(c.values() * 2000);
      const auto own = by_library(c, rendering, values), other = by_lcms2(c, rendering, values);
      const auto icc = interpret_icc(c.profile, c.pixels, rendering,
                                     sizeof(T) == 2 ? PixelType::u16 : PixelType::u8);
      EXPECT_EQ(icc.encoding, (ColorEncoding{Curve::srgb, 1.0f, false, {}}));
      EXPECT_NE(icc.note, "");
      const bool one_channel = c.pixels == IccPixels::grey && !icc.conversion->colors_grey();
      EXPECT_LE(distance(own, other), one_channel ? (sizeof(T) == 2 ? 257 : 1) : 0);
    }
}

TEST(IccRendering, ByTablesIsWhatLcms2GivesByDefault) {
  expect_tables_of_lcms2<std::uint8_t>();
  expect_tables_of_lcms2<std::uint16_t>();
}

TEST(IccRendering, IsExactForEveryIntent) {
  for (const ProfileCase& c : profile_cases()) {
    std::vector<std::vector<std::uint16_t>> made;
    std::vector<IccRendering> asked;
    for (const IccRendering& rendering : renderings(IccMethod::exact)) {
      SCOPED_TRACE(c.name + " " + std::to_string(static_cast<int>(rendering.intent)));
      const auto icc = interpret_icc(c.profile, c.pixels, rendering);
      const bool tables = c.name == "scanner" || c.name == "press";
      const bool grey = c.pixels == IccPixels::grey;
      const bool raised = c.name.starts_with("raised") && rendering.black_point;
      // lcms2 gives grey profiles that it makes itself a paper of D65.
      const bool tinted = rendering.intent == IccIntent::absolute && (tables || grey);
      ASSERT_EQ(icc.conversion != nullptr, tables || raised || tinted);
      EXPECT_TRUE(icc.exact);
      if (!icc.conversion) {
        EXPECT_EQ(icc.encoding, interpret_icc(c.profile, c.pixels).encoding);
        continue;
      }
      EXPECT_EQ(icc.conversion->colors_grey(), grey && tinted);
      const auto values = any_values<std::uint16_t>(c.values() * 2000);
      asked.push_back(rendering);
      made.push_back(by_library(c, rendering, values));
      EXPECT_LE(distance(made.back(), by_lcms2(c, rendering, values)), 128);
    }
    if (c.name.starts_with("raised")) continue;  // all intents give the same
    for (std::size_t i = 0; i < made.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        // lcms2 would need the black of inks on the way back to inks, which this profile lacks.
        if (c.name == "press" && asked[i].intent == asked[j].intent) continue;
        EXPECT_GT(distance(made[i], made[j]), 600) << c.name;
      }
  }
}

TEST(IccRendering, CompensatesBlackWhereItIsAsked) {
  for (const bool grey : {false, true}) {
    const ProfileCase c{"raised",
                        grey ? grey_profile(sampled_curve(raised_shape))
                             : rgb_profile(p3_colors, sampled_curve(raised_shape)),
                        grey ? IccPixels::grey : IccPixels::rgb};
    const auto black = [&](const IccRendering& rendering) {
      return by_library<std::uint16_t>(c, rendering, {0, 0, 0})[0];
    };
    EXPECT_LE(black({IccMethod::exact, IccIntent::relative, true}), 40);
    EXPECT_GE(by_lcms2<std::uint16_t>(c, {}, {0, 0, 0})[0], 20000);
  }
}

TEST(IccRendering, SurvivesChangedBytes) {
  std::uint32_t state = 5;
  const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  std::vector<std::byte> row(4096, std::byte{77});
  for (const ProfileCase& c : profile_cases())
    for (int round = 0; round < 12; ++round) {
      ProfileBytes changed = c.profile;
      for (int i = 0; i < 3; ++i)
        changed[next() % std::min<std::size_t>(600, changed.size())] =
            static_cast<std::byte>(next());
      const IccRendering rendering{round % 2 == 0 ? IccMethod::tables : IccMethod::exact,
                                   static_cast<IccIntent>(round % 4), round % 3 == 0};
      for (const IccPixels pixels : {IccPixels::grey, IccPixels::rgb, IccPixels::cmyk}) {
        const auto icc = interpret_icc(changed, pixels, rendering);
        if (!icc.conversion) continue;
        if (pixels == IccPixels::cmyk)
          icc.conversion->convert_cmyk(row.data(), 300, row.data());
        else
          icc.conversion->convert(row.data(), 300, pixels == IccPixels::rgb ? 3 : 1);
      }
    }
}

}  // namespace
}  // namespace cuimg
