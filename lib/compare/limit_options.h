// SPDX-License-Identifier: Apache-2.0
// The limits as options: those of `cuimg compare`, and the keys of its rule files.
#pragma once

#include "compare/limits.h"
#include "io/decode_options.h"
#include "options/description.h"

namespace cuimg {

/// Adds the members of Limits, from which `Struct` is derived, to a description.
template <class Struct>
void describe_limits(Describe<Struct>& to) {
  const auto add = [&]<class T>(std::string_view name, T Limits::*member, Attribute help,
                                Attribute b = {}, Attribute c = {}) {
    T Struct::*own = member;
    to.param(name, own, help, b, c);
  };
  const Range share = range(0.0, 100.0), sizes = at_least(0);
  to.group("What is compared");
  add("layers", &Limits::layers,
      "layers to compare, such as diffuse, RGBA or 'light_*'; default all",
      placeholder("GLOB,..."));
  add("ignore-layers", &Limits::ignore_layers, "layers to leave out, such as time or 'variance*'",
      placeholder("GLOB,..."));
  add("part", &Limits::part,
      "part of an EXR, page of a TIFF or frame, by number from 0 or by name; default all",
      placeholder(part_choice_words));
  to.group("Limits of values");
  add("fail", &Limits::fail, "largest |a - b| that passes, integers as v/max", sizes);
  add("fail-relative", &Limits::fail_relative, "largest |a - b| / max(|a|, |b|) that passes",
      sizes);
  add("max-ulp", &Limits::max_ulp,
      "largest distance that passes, in representable values; for integers, in codes", sizes);
  add("fail-percent", &Limits::fail_percent, "percentage of the pixels that may exceed them",
      share);
  add("fail-count", &Limits::fail_count, "number of pixels that may exceed them");
  add("hard-fail", &Limits::hard_fail,
      "largest |a - b| of any value, whatever percentage or number is allowed", sizes);
  add("fail-density", &Limits::fail_density, "largest percentage of failing pixels in any square",
      share);
  add("density-window", &Limits::density_window, "side of that square", range(2, 4096),
      unit("pixels"));
  to.group("Limits of pictures");
  add("fail-psnr", &Limits::fail_psnr, "smallest PSNR that passes", unit("dB"));
  add("fail-ssim", &Limits::fail_ssim, "smallest SSIM that passes, of luminance and every channel",
      range(-1.0, 1.0));
  add("fail-flip", &Limits::fail_flip, "largest FLIP that passes; for half and float HDR-FLIP",
      range(0.0, 1.0));
  add("flip-statistic", &Limits::flip_statistic,
      "statistic of the FLIP map for that limit; percentiles weight pixels by their error");
  to.group("Warnings");
  add("warn", &Limits::warn, "largest |a - b| without a warning", sizes);
  add("warn-relative", &Limits::warn_relative, "largest relative difference without a warning",
      sizes);
  add("warn-percent", &Limits::warn_percent, "percentage of the pixels that may exceed these",
      share);
  add("warn-count", &Limits::warn_count, "number of pixels that may exceed these");
  add("hard-warn", &Limits::hard_warn, "largest |a - b| of any value without a warning", sizes);
  to.group("What does not count");
  add("nan", &Limits::nan, "whether NaN in both pictures passes");
  add("ignore", &Limits::ignore, "a region to ignore; may be repeated");
  add("mask", &Limits::mask, "a picture: pixels where it is 0 are ignored", file());
  add("allow-shift", &Limits::allow_shift, "forgive pixels whose value is found one pixel away");
  add("antialiasing", &Limits::antialiasing, "forgive antialiased edges in either picture");
  to.group("What else may differ");
  add("allow-size", &Limits::allow_size, "compare what both pictures cover");
  add("allow-windows", &Limits::allow_windows, "compare with black outside data windows");
  add("allow-channels", &Limits::allow_channels, "compare only the channels that both have");
  add("allow-types", &Limits::allow_types, "compare u8 with half, for example, as floats");
  add("allow-encoding", &Limits::allow_encoding,
      "compare stored values even if they mean different light");
  add("allow-parts", &Limits::allow_parts, "compare only what both have and what can be read");
  add("allow-levels", &Limits::allow_levels, "compare only the largest mip or rip level");
  add("allow-non-finite", &Limits::allow_non_finite, "a NaN or infinity may meet another value");
  add("allow-missing", &Limits::allow_missing, "results may be missing");
  add("allow-extra", &Limits::allow_extra, "results may have no golden");
}

}  // namespace cuimg
