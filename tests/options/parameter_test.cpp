// SPDX-License-Identifier: Apache-2.0
// Values that are parsed strictly and printed back; suggestions for names.
#include "options/parameter.h"

#include <gtest/gtest.h>

#include <limits>

#include "pipeline/options.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

template <class T>
T parsed(const std::string& text, const Range& allowed = {}) {
  T value{};
  parse_value(text, allowed, value);
  return value;
}

template <class T>
std::string problem(const std::string& text, const Range& allowed = {}) {
  try {
    parsed<T>(text, allowed);
  } catch (const BadValue& bad) {
    return bad.problem + ": " + bad.advice;
  }
  return "none";
}

TEST(Parameter, EveryDefaultParsesBackToItself) {
  const Description* tables[] = {&everything_stage(), &common_options()};
  for (const Description* table : tables) {
    for (const Parameter& p : table->parameters) {
      if (p.default_text.empty()) {
        EXPECT_TRUE(p.unset_by_default) << p.name;
        continue;
      }
      const auto values = table->make();
      p.set(values.get(), p.default_text, "test");
      EXPECT_EQ(p.text(values.get()), p.default_text) << p.name;
      EXPECT_TRUE(p.is_default(values.get())) << p.name;
    }
  }
}

TEST(Parameter, ANumberMayHaveAPlus) {
  EXPECT_EQ(parsed<float>("+5"), 5);
  EXPECT_EQ(parsed<int>("+5"), 5);
  for (const char* text : {"+", "++5", "+-5", "5+"})
    EXPECT_NE(problem<float>(text), "none") << text;
}

TEST(Parameter, EveryChoiceAndAliasParsesToItsName) {
  for (const Parameter& p : everything_stage().parameters) {
    for (const Choice<int>& choice : p.choices) {
      const auto values = everything_stage().make();
      p.set(values.get(), std::string(choice.name), "test");
      EXPECT_EQ(p.text(values.get()), choice.name);
    }
  }
  const auto values = everything_stage().make();
  const Parameter& border = *everything_stage().find("border");
  for (const auto& [alias, name] :
       {std::pair{"edge", "clamp"}, {"periodic", "wrap"}, {"black", "border"}}) {
    border.set(values.get(), alias, "test");
    EXPECT_EQ(border.text(values.get()), name);
  }
  everything_stage().find("shape")->set(values.get(), "circle", "test");
  EXPECT_EQ(everything_stage().find("shape")->text(values.get()), "round");
}

TEST(Parameter, ABadTextLeavesTheValueAsItWas) {
  const auto values = everything_stage().make();
  const Parameter& weights = *everything_stage().find("weights");
  weights.set(values.get(), "1,2", "test");
  EXPECT_EQ(error_of([&] { weights.set(values.get(), "3,x", "test"); }),
            "test: --weights 3,x holds 'x', which is not a number: use a number");
  EXPECT_EQ(weights.text(values.get()), "1,2");
}

TEST(Parameter, NumbersAreReadWhole) {
  EXPECT_EQ(parsed<int>("-12"), -12);
  EXPECT_EQ(parsed<float>("1e-3"), 1e-3f);
  EXPECT_EQ(parsed<double>(".5"), 0.5);
  for (const char* text : {"", " 1", "1 ", "1.5x", "0x10", "1,5", "nan", "inf", "-inf", "1e999"})
    EXPECT_NE(problem<double>(text), "none") << text;
  for (const char* text : {"1.5", "1x", "", "--1"}) EXPECT_NE(problem<int>(text), "none") << text;
  EXPECT_EQ(problem<int>("99999999999"), "is out of range: use at most 2147483647");
  EXPECT_EQ(problem<int>("-99999999999"), "is out of range: use at least -2147483648");
  EXPECT_EQ(problem<std::uint64_t>("99999999999999999999999", at_least(0)),
            "is out of range: use at most 18446744073709551615");
  EXPECT_EQ(problem<float>("1e39"), "is out of range: use at most 3.4e38");
  EXPECT_EQ(problem<float>("-1e999", at_least(0)), "is out of range: use at least 0");
  EXPECT_EQ(problem<float>("1e-60"), "is too near 0 for a float: use 0");
  EXPECT_EQ(problem<std::vector<float>>("1,1e39"),
            "holds '1e39', which is out of range: use at most 3.4e38");
  EXPECT_EQ(problem<int>("99999999999", range(1, 9)), "is out of range: use 1 to 9");
  EXPECT_EQ(problem<int>("1.5"), "is not a whole number: use a whole number");
  EXPECT_EQ(parsed<int>("6.0"), 6);
  EXPECT_EQ(parsed<int>("-1e3"), -1000);
  EXPECT_EQ(parsed<std::uint64_t>("4278190078.0"), 4278190078u);
  EXPECT_EQ(problem<int>("3e9"), "is out of range: use at most 2147483647");
  EXPECT_EQ(problem<int>("1e1", range(1, 9)), "is out of range: use 1 to 9");
  EXPECT_NE(problem<std::uint64_t>("-1.0"), "none");
}

TEST(Parameter, RangesHoldTheirEnds) {
  const Range r = range(0.1f, 200.0f);
  EXPECT_EQ(r.text(), "0.1 to 200");
  EXPECT_EQ(parsed<float>("0.1", r), 0.1f);
  EXPECT_EQ(parsed<float>("200", r), 200.0f);
  EXPECT_EQ(parsed<float>("0.1", range(0.1, 1)), 0.1f);
  EXPECT_NE(problem<float>("0.0999", r), "none");
  EXPECT_NE(problem<float>("200.1", r), "none");
  EXPECT_EQ(at_least(1).text(), "at least 1");
}

TEST(Size, IsReadInEverySpelling) {
  EXPECT_EQ(parsed<Size>("640x480"), pixels(640, 480));
  EXPECT_EQ(parsed<Size>("400x0"), pixels(400, 0));
  EXPECT_EQ(parsed<Size>("50%"), percent(50));
  EXPECT_EQ(parsed<Size>("50%x25%"), (Size{{50, true}, {25, true}}));
  EXPECT_EQ(parsed<Size>("12.5%x7"), (Size{{12.5, true}, {7, false}}));
  for (const char* text : {"640x480", "400x0", "0x7", "50%", "50%x25%", "12.5%x7"})
    EXPECT_EQ(format_value(parsed<Size>(text)), text);
  for (const char* text : {"", "x", "640", "640x", "x480", "1.5x", "1.5x2", "1x2x3", "-1x5", "0%",
                           "%", "50%%", "131073x1", "1e9%", "0x0", "99999999999x1"})
    EXPECT_NE(problem<Size>(text), "none") << text;
  EXPECT_EQ(problem<Size>("0x0"), ": width must be at least 1");
  EXPECT_EQ(problem<Size>("5x131073"), ": height must be at most 131072");
  EXPECT_EQ(problem<Size>("99999999999x1"), ": width must be at most 131072");
  EXPECT_EQ(problem<Size>("1x-99999999999"), ": height must be at least 1");
}

TEST(Size, RoundsHalfUpAndIsAtLeastOne) {
  const auto of = [](const Size& size, int w, int h) {
    const Rect r = size.of(w, h);
    return std::pair{r.width, r.height};
  };
  EXPECT_EQ(of(percent(50), 5, 4), (std::pair{3, 2}));
  EXPECT_EQ(of(percent(37), 1, 3), (std::pair{1, 1}));
  EXPECT_EQ(of(pixels(400, 0), 640, 481), (std::pair{400, 301}));
  EXPECT_EQ(of(pixels(0, 1), 3, 2), (std::pair{2, 1}));
  EXPECT_EQ(of(pixels(1, 0), 100, 1), (std::pair{1, 1}));
  EXPECT_NE(error_of([&] { percent(1e6).of(1000, 1000); }).find("at most 131072"),
            std::string::npos);
  EXPECT_NE(error_of([&] { pixels(100000, 0).of(1, 2); }).find("at most 131072"),
            std::string::npos);
}

TEST(Region, TakesNegativeOffsetsInBothForms) {
  EXPECT_EQ(parsed<Region>("64x32+-8+-9"), parsed<Region>("64x32-8-9"));
  EXPECT_EQ(parsed<Region>("64x32-8+-9"), parsed<Region>("64x32-8-9"));
  const Region r = parsed<Region>("64x32-8+0");
  EXPECT_EQ((Rect{r}), (Rect{-8, 0, 64, 32}));
  EXPECT_EQ(format_value(r), "64x32-8+0");
  for (const char* text :
       {"64x32", "64x32+1", "64+1+2", "0x5+0+0", "ax5+0+0", "5x5+0+0x", "5x5+0+", "200000x1+0+0"})
    EXPECT_NE(problem<Region>(text), "none") << text;
  EXPECT_EQ(parsed<Region>("64X32-8-9"), parsed<Region>("64x32-8-9"));
}

TEST(Region, OfTooManyPixelsOrTooFarAwayIsNamedSo) {
  EXPECT_EQ(problem<Region>("99999999999x1+0+0"), ": width must be at most 131072");
  for (const char* text : {"5x5+2147483640+0", "5x5+0-2147483648", "5x5+99999999999+0"})
    EXPECT_EQ(problem<Region>(text), ": offsets must be -1073741824 to 1073741824") << text;
  EXPECT_EQ(parsed<Region>("5x5+1073741824-1073741824").x, 1073741824);
}

TEST(Color, OneToFourNumbersAreAColour) {
  EXPECT_EQ(format_value(parsed<Color>("0.5")), "0.5,0.5,0.5,1");
  EXPECT_EQ(format_value(parsed<Color>("0.5,0")), "0.5,0.5,0.5,0");
  EXPECT_EQ(format_value(parsed<Color>("1,2,3")), "1,2,3,1");
  EXPECT_EQ(format_value(parsed<Color>("0,0,0,-1")), "0,0,0,-1");
  for (const char* text : {"", "1,", "1,2,3,4,5", "red"})
    EXPECT_NE(problem<Color>(text), "none") << text;
  for (const char* text : {"white", "#ff8000", "Red"})
    EXPECT_NE(problem<Color>(text).find("linear light"), std::string::npos) << text;
}

TEST(Device, IsOneOfItsSpellings) {
  for (const char* text : {"auto", "cpu", "cuda", "cuda:0", "cuda:3", "cuda:2,0", "both"})
    EXPECT_EQ(format_value(parsed<DeviceChoice>(text)), text);
  for (const char* text :
       {"", "gpu", "cuda:", "cuda:-1", "cuda:x", "cuda:1,", "cuda:,1", "cuda:1,1", "CPU"})
    EXPECT_NE(problem<DeviceChoice>(text), "none") << text;
}

TEST(Nearest, FindsSwapsOmissionsAndBeginningsButNotStrangers) {
  const std::vector<std::string> names = {"resize", "remap", "checksum", "convert"};
  EXPECT_EQ(nearest("resie", names), "resize");
  EXPECT_EQ(nearest("rezise", names), "resize");
  EXPECT_EQ(nearest("rmeap", names), "remap");
  EXPECT_EQ(nearest("check", names), "checksum");
  EXPECT_EQ(nearest("--filt", std::vector<std::string>{"--fit", "--filter"}), "--filter");
  EXPECT_EQ(nearest("fi", std::vector<std::string>{"none", "fit", "filter"}), "fit");
  EXPECT_EQ(nearest("zzz", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
}

}  // namespace
}  // namespace cuimg::test
