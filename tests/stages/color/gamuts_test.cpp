// SPDX-License-Identifier: Apache-2.0
// The named sets of primaries: matrices to XYZ as printed by their makers, and to ACES AP0 as
// computed by the colour-science library.
#include <cmath>

#include "image/named_primaries.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

using Rows = double[3][3];

struct Gamut {
  const char* name;
  Rows to_xyz;
  double digits;  ///< The precision of the maker's numbers.
  Rows to_ap0;
};

const Gamut gamuts[] = {
    // "Adobe RGB (1998) Color Image Encoding", 4.3.5.3.
    {"adobergb",
     {{0.57667, 0.18556, 0.18823}, {0.29734, 0.62736, 0.07529}, {0.02703, 0.07069, 0.99134}},
     6e-6,
     {{0.61476331, 0.20024370, 0.18499299},
      {0.12553940, 0.77352162, 0.10093897},
      {0.02452880, 0.06717154, 0.90829966}}},
    // ISO 22028-2, with a differently rounded white.
    {"prophoto",
     {{0.7977, 0.1352, 0.0313}, {0.2880, 0.7119, 0.0001}, {0.0, 0.0, 0.8249}},
     3e-4,
     {{0.80521891, 0.12466906, 0.07011203},
      {-0.00432678, 0.92179841, 0.08252836},
      {0.00270671, -0.00884887, 1.00614216}}},
    // ARRI, "ALEXA Log C Curve - Usage in VFX".
    {"awg3",
     {{0.638008, 0.214704, 0.097744},
      {0.291954, 0.823841, -0.115795},
      {0.002798, -0.067034, 1.153294}},
     1e-6,
     {{0.68034510, 0.23467610, 0.08497880},
      {0.08576654, 1.01542567, -0.10119221},
      {0.00212335, -0.05821007, 1.05608671}}},
    // ARRI, "LogC4 Logarithmic Color Space Specification".
    {"awg4",
     {{0.704858320407, 0.129760295170, 0.115837311474},
      {0.254524176404, 0.781477732712, -0.036001909116},
      {0.0, 0.0, 1.089057750760}},
     1e-6,
     {{0.75124487, 0.14300791, 0.10574722},
      {0.00140339, 1.00538444, -0.00678783},
      {-0.00080315, 0.00326385, 0.99753930}}},
    // Sony, "Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3".
    {"sgamut3",
     {{0.7064827132, 0.1288010498, 0.1151721641},
      {0.2709796708, 0.7866064112, -0.0575860820},
      {-0.0096778454, 0.0046000375, 1.0941355587}},
     1e-6,
     {{0.75323084, 0.14194791, 0.10482125},
      {0.02223492, 1.01329379, -0.03552871},
      {-0.00960026, 0.00750593, 1.00209433}}},
    {"sgamut3.cine",
     {{0.5990839208, 0.2489255161, 0.1024464902},
      {0.2150758201, 0.8850685017, -0.1001443219},
      {-0.0320658495, -0.0276583907, 1.1487819910}},
     1e-6,
     {{0.63900831, 0.27084068, 0.09015101},
      {-0.00345073, 1.08595540, -0.08250467},
      {-0.03007419, -0.02193734, 1.05201153}}},
    // Panasonic, "VARICAM V-Log/V-Gamut".
    {"vgamut",
     {{0.679644, 0.152211, 0.118600},
      {0.260686, 0.774894, -0.035580},
      {-0.009310, -0.004612, 1.102980}},
     1e-6,
     {{0.72461670, 0.16691529, 0.10846801},
      {0.02139025, 0.98490816, -0.00629840},
      {-0.00923556, -0.00105691, 1.01029247}}},
    // Canon only prints chromaticities, so this is colour-science's matrix.
    {"cgamut",
     {{0.71604965, 0.12968348, 0.10472280},
      {0.26126136, 0.86964215, -0.13090350},
      {-0.00967635, -0.23648164, 1.33521573}},
     1e-6,
     {{0.76334292, 0.14722927, 0.08942781},
      {0.00423059, 1.10445131, -0.10868190},
      {-0.00967097, -0.21304265, 1.22271361}}},
    // RED, "White Paper on REDWideGamutRGB and Log3G10".
    {"rwg",
     {{0.735275, 0.068609, 0.146571},
      {0.286694, 0.842979, -0.129673},
      {-0.079681, -0.347343, 1.516082}},
     1e-6,
     {{0.78505880, 0.08385876, 0.13108244},
      {0.02317383, 1.08789755, -0.11107138},
      {-0.07376044, -0.31459007, 1.38835051}}},
    // Blackmagic Design, "DaVinci Resolve 17 Wide Gamut Intermediate".
    {"davinci",
     {{0.70062239, 0.14877482, 0.10105872},
      {0.27411851, 0.87363190, -0.14775041},
      {-0.09896291, -0.13789533, 1.32591599}},
     1e-6,
     {{0.74842984, 0.16600006, 0.08557010},
      {0.02125823, 1.10952041, -0.13077864},
      {-0.09139167, -0.12273156, 1.21412323}}},
    // "Blackmagic Generation 5 Color Science Technical Reference".
    {"bmdwg5",
     {{0.606530, 0.220408, 0.123479},
      {0.267989, 0.832731, -0.100720},
      {-0.029442, -0.086611, 1.204861}},
     1e-6,
     {{0.64722023, 0.24110469, 0.11167508},
      {0.06552140, 1.02297250, -0.08849390},
      {-0.02745028, -0.07615491, 1.10360519}}},
    // DJI, "White Paper on D-Log and D-Gamut of DJI Cinema Color System".
    {"dgamut",
     {{0.6482, 0.1940, 0.1082}, {0.2830, 0.8132, -0.0962}, {-0.0183, -0.0832, 1.1903}},
     3e-4,
     {{0.69143032, 0.21290628, 0.09566339},
      {0.06659728, 1.00954658, -0.07614386},
      {-0.01724353, -0.07298643, 1.09022997}}},
};

Image one_color(const std::array<float, 3>& values) {
  return image_of(spec_of({0, 0, 1, 1}, PixelType::f32, 3),
                  [&](int, int, int, int c) { return values[static_cast<std::size_t>(c)]; });
}

// The results of a stage for red, green and blue.
void expect_matrix(const std::string& words, const Rows& expected, double tolerance) {
  for (std::size_t column = 0; column < 3; ++column) {
    std::array<float, 3> unit = {0, 0, 0};
    unit[column] = 1;
    const Image made = run_chain(words, one_color(unit));
    for (int row = 0; row < 3; ++row)
      EXPECT_NEAR(value_at(made, 0, 0, row), expected[row][column], tolerance) << words << row;
  }
}

TEST(Gamuts, GoToXyzByTheirMakersMatrices) {
  for (const Gamut& gamut : gamuts)
    expect_matrix("primaries --adaptation none --to xyz --from " + std::string(gamut.name),
                  gamut.to_xyz, gamut.digits);
}

TEST(Gamuts, GoToAcesUnderBradfordsAdaptation) {
  for (const Gamut& gamut : gamuts)
    expect_matrix("primaries --to ap0 --from " + std::string(gamut.name), gamut.to_ap0, 5e-7);
}

TEST(Gamuts, KeepWhiteWhiteAndComeBack) {
  for (const NamedPrimaries& from : named_primaries()) {
    const std::string name(from.name);
    const Image white = one_color({1, 1, 1}), color = one_color({0.9f, 0.2f, 0.4f});
    const Image made = run_chain("primaries --to rec2020 --from " + name, white);
    const Image back =
        run_chain("primaries --to rec2020 --from " + name + " + primaries --to " + name, color);
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(value_at(made, 0, 0, c), 1, 3e-7) << name;
      EXPECT_NEAR(value_at(back, 0, 0, c), value_at(color, 0, 0, c), 1e-6) << name;
    }
    EXPECT_TRUE(spans_colors(from.space)) << name;
  }
}

TEST(Gamuts, OfCamerasAreTaggedInTheOutput) {
  const Image made = run_chain("primaries --to awg4", one_color({0.1f, 0.2f, 0.3f}));
  ASSERT_TRUE(made.spec().color.primaries);
  EXPECT_EQ(*made.spec().color.primaries, *primaries_named("awg4"));
  EXPECT_EQ(made.spec().color.primaries->wx, 0.3127f);
}

}  // namespace
}  // namespace cuimg::test
