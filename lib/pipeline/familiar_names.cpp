// SPDX-License-Identifier: Apache-2.0
#include "pipeline/familiar_names.h"

#include <algorithm>

#include "options/parameter.h"

namespace cuimg {

std::span<const FamiliarName> familiar_names() {
  static constexpr FamiliarName names[] = {
      {"alpha", "use channels, premult or mask"},
      {"annotate", "use text"},
      {"autocrop", "use trim"},
      {"bandjoin", "use channels --with"},
      {"binarize", "use threshold"},
      {"blend", "use mix or over"},
      {"border", "use pad"},
      {"brightness", "use exposure or gain"},
      {"caption", "use text"},
      {"chappend", "use channels --with"},
      {"colorize", "use colormap or matrix"},
      {"combine", "use channels --with, or over"},
      {"composite", "use over, or another of the combining stages"},
      {"concat", "use append"},
      {"cubemap", "use envmap --to cube-faces"},
      {"denoise", "use median or bilateral"},
      {"desaturate", "use grayscale or saturation"},
      {"despeckle", "use median"},
      {"diff", "use compare, or absdiff for a picture"},
      {"difference", "use compare, or absdiff for a picture"},
      {"displace", "use remap"},
      {"divide", "use div"},
      {"edges", "use sobel or laplacian"},
      {"equalize", "use normalize or curve"},
      {"extend", "use pad"},
      {"fit", "use resize"},
      {"gaussian", "use blur"},
      {"gray", "use grayscale"},
      {"grey", "use grayscale"},
      {"hash", "use checksum"},
      {"identify", "use info"},
      {"label", "use text, or contact for names under pictures"},
      {"latlong", "use envmap --to latlong"},
      {"md5", "use checksum"},
      {"merge", "use over, or channels and append"},
      {"mipmap", "use mip"},
      {"mirror", "use flop or flip"},
      {"modulate", "use saturation and exposure"},
      {"montage", "use contact or append"},
      {"move", "use offset or affine"},
      {"multiply", "use mul"},
      {"negate", "use invert"},
      {"opacity", "use mask, or mul for alpha"},
      {"pack", "use channels --with"},
      {"panorama", "use envmap"},
      {"scale", "use resize"},
      {"sha256", "use checksum"},
      {"sharpen", "use unsharp"},
      {"shift", "use offset or affine"},
      {"shrink", "use resize"},
      {"smooth", "use blur or bilateral"},
      {"split", "use channels"},
      {"subtract", "use sub"},
      {"swirl", "use remap"},
      {"swizzle", "use channels"},
      {"thumbnail", "use resize"},
      {"translate", "use affine or offset"},
      {"unpack", "use channels"},
      {"view", "use show"},
      {"warp", "use remap, affine or perspective"},
      {"watermark", "use over or text"},
      {"whitebalance", "use balance"},
  };
  return names;
}

std::string advice_on_name(std::string_view word, std::span<const std::string> candidates,
                           const std::string& otherwise) {
  const auto names = familiar_names();
  const auto known = std::ranges::find(names, word, &FamiliarName::word);
  return known != names.end() ? std::string(known->advice)
                              : did_you_mean(word, candidates, otherwise);
}

}  // namespace cuimg
