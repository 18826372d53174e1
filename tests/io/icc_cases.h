// SPDX-License-Identifier: Apache-2.0
// Profiles of every kind, ways to apply them, and lcms2's results for pixels with each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/made_profiles.h"
#include "io/tags/icc.h"

namespace cuimg::test {

inline constexpr IccRendering by_tables{IccMethod::tables, IccIntent::relative, false};

inline std::vector<IccRendering> renderings(IccMethod method) {
  std::vector<IccRendering> all;
  for (const IccIntent intent :
       {IccIntent::perceptual, IccIntent::relative, IccIntent::saturation, IccIntent::absolute})
    for (const bool black_point : {false, true})
      if (!(black_point && intent == IccIntent::absolute))
        all.push_back({method, intent, black_point});
  return all;
}

struct ProfileCase {
  std::string name;
  ProfileBytes profile;
  IccPixels pixels;
  std::size_t values() const {
    return pixels == IccPixels::grey ? 1 : pixels == IccPixels::cmyk ? 4 : 3;
  }
};

/// A curve that starts above 0.
inline double raised_shape(double v) { return 0.1 + 0.9 * v * v; }

inline std::vector<ProfileCase> profile_cases() {
  return {{"p3", rgb_profile(p3_colors, srgb_curve()), IccPixels::rgb},
          {"adobe", rgb_profile(adobe_colors, power_curve(2.2), 2.1), IccPixels::rgb},
          {"raised", rgb_profile(p3_colors, sampled_curve(raised_shape)), IccPixels::rgb},
          {"scanner", renderings_profile(false), IccPixels::rgb},
          {"press", renderings_profile(true), IccPixels::cmyk},
          {"grey", grey_profile(power_curve(1.8)), IccPixels::grey},
          {"raised grey", grey_profile(sampled_curve(raised_shape)), IccPixels::grey}};
}

/// R, G and B of pixels without gaps, by a transform that lcms2 makes here.
template <class T>
std::vector<T> by_lcms2(const ProfileCase& c, const IccRendering& rendering, std::vector<T> from) {
  const bool exact = rendering.method == IccMethod::exact;
  const ProfileBytes rec2020 = rgb_profile(rec2020_colors, srgb_curve());
  const auto opened = [](const ProfileBytes& bytes) {
    return cmsOpenProfileFromMem(bytes.data(), static_cast<cmsUInt32Number>(bytes.size()));
  };
  cmsHPROFILE source = opened(c.profile);
  cmsHPROFILE target = exact ? opened(rec2020) : cmsCreate_sRGBProfile();
  cmsSetProfileVersion(target, 2.1);  // with version 4 lcms2 always compensates for some intents
  const bool wide = sizeof(T) == 2;
  const cmsUInt32Number types[] = {wide ? TYPE_GRAY_16 : TYPE_GRAY_8,
                                   wide ? TYPE_RGB_16 : TYPE_RGB_8,
                                   wide ? TYPE_CMYK_16 : TYPE_CMYK_8};
  cmsHTRANSFORM transform =
      cmsCreateTransform(source, types[static_cast<int>(c.pixels)], target, types[1],
                         static_cast<cmsUInt32Number>(rendering.intent),
                         (exact ? cmsFLAGS_NOOPTIMIZE : 0) |
                             (rendering.black_point ? cmsFLAGS_BLACKPOINTCOMPENSATION : 0));
  const std::size_t count = from.size() / c.values();
  std::vector<T> made(3 * count);
  cmsDoTransform(transform, from.data(), made.data(), static_cast<cmsUInt32Number>(count));
  cmsDeleteTransform(transform);
  cmsCloseProfile(source);
  cmsCloseProfile(target);
  return made;
}

template <class T>
std::vector<T> any_values(std::size_t count) {
  std::uint32_t state = 7;
  std::vector<T> values(count);
  for (T& v : values) v = static_cast<T>((state = state * 1664525u + 1) >> (32 - 8 * sizeof(T)));
  return values;
}

}  // namespace cuimg::test
