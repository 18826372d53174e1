// SPDX-License-Identifier: Apache-2.0
// Options for reading a file. They are separate from the codecs, so that stages need not include
// those.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "image/icc_rendering.h"
#include "image/rect.h"

namespace cuimg {

/// Receives a reader's notes on choices that no option asked for: "ICC profile is not a matrix
/// profile; sRGB is assumed".
using Notify = std::function<void(const std::string&)>;

/// One part of a file: an EXR part, a page of a TIFF, a frame of an animation. Given by number,
/// from 0, or by name; digits mean a number if the file has that many parts, otherwise a name.
struct PartId {
  PartId(int number = 0) : text(std::to_string(number)) {}
  PartId(std::string name) : text(std::move(name)) {}
  PartId(const char* name) : text(name) {}

  std::string text;
  friend bool operator==(const PartId&, const PartId&) = default;
};

/// What --part takes, as help shows it.
inline constexpr std::string_view part_choice_words = "N|NAME|all";

struct DecodeOptions {
  PartId part = {};   ///< Which part of the file.
  int mip_level = 0;  ///< EXR: which level of a mipmapped file.
  bool raw = false;   ///< No gAMA, ICC, chromaticity or luminance-chroma interpretation of values.
  IccRendering icc = {};  ///< How integers are converted by an ICC profile, unless `raw` is set.
  /// Whether read() throws, instead of warning, if it would not read everything in the file: the
  /// result will replace the file.
  bool replaces_file = false;
  /// Whether read() computes a sum over the stored samples if other samples could give the same
  /// pixels, for Decoder::stored_samples().
  bool sums_stored = false;
  std::uint64_t limit_pixels = std::uint64_t{1} << 30;  ///< Width times height.
  int limit_side = largest_side;                        ///< Width and height.
  int threads = 0;                                      ///< 0: hardware_threads().
  Notify notify = {};                                   ///< May be empty.
  /// Receives warnings, which are notes on things that probably change the picture's look, such as
  /// colours whose meaning is lost; if empty, notify receives them.
  Notify warn = {};
};

}  // namespace cuimg
