// SPDX-License-Identifier: Apache-2.0
#include "pipeline/familiar_names.h"

#include <algorithm>

#include "options/parameter.h"

namespace cuimg {

std::span<const FamiliarName> familiar_names() {
  static constexpr FamiliarName names[] = {
      {"alpha", "use channels, premult or mask"},
      {"annotate", "use text"},
      {"autocontrast", "use normalize"},
      {"autocrop", "use trim"},
      {"average", "use box"},
      {"bandjoin", "use channels --with"},
      {"binarize", "use threshold"},
      {"blend", "use mix or over"},
      {"border", "use pad"},
      {"brightness", "use exposure or gain"},
      {"caption", "use text"},
      {"chappend", "use channels --with"},
      {"colorize", "use colormap or matrix"},
      {"colorspace", "use primaries, encode or decode"},
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
      {"fliplr", "use flop"},
      {"flipud", "use flip"},
      {"gaussblur", "use blur"},
      {"gaussian", "use blur"},
      {"gaussian_blur", "use blur"},
      {"gaussian_filter", "use blur"},
      {"gaussianblur", "use blur"},
      {"grade", "use cdl, or levels"},
      {"gray", "use grayscale"},
      {"grey", "use grayscale"},
      {"hash", "use checksum"},
      {"hflip", "use flop"},
      {"identify", "use info"},
      {"label", "use text, or contact for names under pictures"},
      {"latlong", "use envmap --to latlong"},
      {"linearize", "use decode"},
      {"md5", "use checksum"},
      {"mean", "use box, or stats for the mean of all"},
      {"merge", "use over, or channels and append"},
      {"mipmap", "use mip"},
      {"mirror", "use flop or flip"},
      {"modulate", "use saturation and exposure"},
      {"montage", "use contact or append"},
      {"move", "use offset or affine"},
      {"multiply", "use mul"},
      {"negate", "use invert"},
      {"ocio", "use primaries, encode, decode or lut"},
      {"opacity", "use mask, or mul for alpha"},
      {"pack", "use channels --with"},
      {"panorama", "use envmap"},
      {"percentile", "use stats --percentiles"},
      {"pow", "use gamma"},
      {"power", "use gamma"},
      {"reformat", "use resize, cut or pad"},
      {"rescale", "use resize for the size, levels or normalize for values"},
      {"rot180", "use rotate180"},
      {"rot270", "use rotate270"},
      {"rot90", "use rotate90, clockwise, or rotate270"},
      {"scale", "use resize"},
      {"sha256", "use checksum"},
      {"sharpen", "use unsharp"},
      {"shift", "use offset or affine"},
      {"shrink", "use resize"},
      {"smooth", "use blur or bilateral"},
      {"split", "use channels"},
      {"sqrt", "use gamma --value 2"},
      {"stmap", "use remap --coords stmap"},
      {"stretch", "use levels or normalize"},
      {"subtract", "use sub"},
      {"swirl", "use remap"},
      {"swizzle", "use channels"},
      {"thumbnail", "use resize"},
      {"translate", "use affine or offset"},
      {"unpack", "use channels"},
      {"vflip", "use flip"},
      {"view", "use show"},
      {"warp", "use remap, affine or perspective"},
      {"watermark", "use over or text"},
      {"whitebalance", "use balance"},
      {"window", "use levels"},
      {"zoom", "use resize"},
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
