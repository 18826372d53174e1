// SPDX-License-Identifier: Apache-2.0
// The limits as options: those of `cuimg compare`, and the keys of its rule files.
#pragma once

#include "compare/limits.h"
#include "options/description.h"

namespace cuimg {

/// Adds the members of Limits, of which `Struct` is derived, to a description.
template <class Struct>
void describe_limits(Describe<Struct>& to) {
  const auto add = [&]<class T>(std::string_view name, T Limits::*member, Attribute help,
                                Attribute b = {}, Attribute c = {}) {
    T Struct::*own = member;
    to.param(name, own, help, b, c);
  };
  const Range share = range(0.0, 100.0), sizes = at_least(0);
  to.group("What is compared");
  add("layers", &Limits::layers, "layers, such as diffuse, RGBA or 'light_*', in place of all",
      placeholder("GLOB,..."));
  add("ignore-layers", &Limits::ignore_layers,
      "layers that are not compared, such as time or 'variance*'", placeholder("GLOB,..."));
  add("part", &Limits::part,
      "part of an EXR, page of a TIFF or frame, by number from 0 or by name; default all",
      placeholder("N|NAME"));
  to.group("Limits of values");
  add("fail", &Limits::fail, "largest |a - b| that passes, integers as v/max", sizes);
  add("fail-relative", &Limits::fail_relative, "largest |a - b| / max(|a|, |b|) that passes",
      sizes);
  add("max-ulp", &Limits::max_ulp, "most representable values apart; of integers codes", sizes);
  add("fail-percent", &Limits::fail_percent, "percent of the pixels that may break them", share);
  add("fail-count", &Limits::fail_count, "how many pixels may break them");
  add("hard-fail", &Limits::hard_fail, "largest |a - b| of any value, whatever the counts", sizes);
  add("fail-density", &Limits::fail_density, "most percent that fail in any square", share);
  add("density-window", &Limits::density_window, "the side of that square", range(2, 4096),
      unit("pixels"));
  to.group("Limits of pictures");
  add("fail-psnr", &Limits::fail_psnr, "least PSNR that passes", unit("dB"));
  add("fail-ssim", &Limits::fail_ssim, "least SSIM that passes, of luminance and every channel",
      range(-1.0, 1.0));
  add("fail-flip", &Limits::fail_flip, "largest FLIP that passes; HDR-FLIP of half and float",
      range(0.0, 1.0));
  add("flip-statistic", &Limits::flip_statistic,
      "what of FLIP's map that limit is for; a percentile weighs pixels by error");
  to.group("Warnings");
  add("warn", &Limits::warn, "largest |a - b| without a warning", sizes);
  add("warn-relative", &Limits::warn_relative, "largest relative difference without a warning",
      sizes);
  add("warn-percent", &Limits::warn_percent, "percent of the pixels that may break these", share);
  add("warn-count", &Limits::warn_count, "how many pixels may break these");
  add("hard-warn", &Limits::hard_warn, "largest |a - b| of any value without a warning", sizes);
  to.group("What does not count");
  add("nan", &Limits::nan, "what NaN in both pictures is");
  add("ignore", &Limits::ignore, "a region that does not count; may be given again");
  add("mask", &Limits::mask, "a picture: where it is 0 pixels do not count", file());
  add("allow-shift", &Limits::allow_shift, "forgive pixels whose value lies one pixel away");
  add("antialiasing", &Limits::antialiasing, "forgive smoothed edges in either picture");
  to.group("What else may differ");
  add("allow-size", &Limits::allow_size, "compare what both pictures cover");
  add("allow-windows", &Limits::allow_windows, "compare with black outside of data windows");
  add("allow-channels", &Limits::allow_channels, "compare the channels that both have");
  add("allow-types", &Limits::allow_types, "compare u8 with half, for example, as floats");
  add("allow-encoding", &Limits::allow_encoding, "stored values may mean different light");
  add("allow-parts", &Limits::allow_parts, "compare what both have, and can be read");
  add("allow-levels", &Limits::allow_levels, "compare no mip or rip level but the largest");
  add("allow-non-finite", &Limits::allow_non_finite, "NaN and infinities may be other values");
  add("allow-missing", &Limits::allow_missing, "results may be missing");
  add("allow-extra", &Limits::allow_extra, "results may have no golden");
}

}  // namespace cuimg
