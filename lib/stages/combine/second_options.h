// SPDX-License-Identifier: Apache-2.0
// The options that name the second image and its position.
#pragma once

#include <optional>
#include <string>

#include "options/gravity.h"
#include "options/values.h"
#include "stages/combine/combine.h"
#include "stages/description.h"

namespace cuimg {

/// The options of every stage with one second image. A stage's struct is this, or derives from it.
struct SecondOptions {
  std::string with;
  /// The side or corner of the picture's display window to which the second image's is aligned.
  /// Absent: northwest, if `at` is given.
  std::optional<Gravity> gravity;
  std::optional<Point> at;  ///< The distance from that side, inward.

  bool is_placed() const { return gravity || at; }
  /// @throws Error if no image is named.
  void check(const std::string& stage) const;
  /// @throws Error if a position is given without an image.
  void check_optional(const std::string& stage) const;
  /// @throws Error if the position lies between pixels.
  void place_second(const std::string& stage, const Spec& input, const SecondImage& second,
                    CombineRules& rules) const;
  static const char* const help_of_gravity;
  static const char* const help_of_at;
};

/// Adds them to a description. @param help of --with.
template <class Struct>
StageDescribe<Struct> describe_second(StageDescribe<Struct> description, const char* help) {
  return description
      .param("with", static_cast<std::string Struct::*>(&SecondOptions::with), help, file())
      .param("gravity", static_cast<std::optional<Gravity> Struct::*>(&SecondOptions::gravity),
             SecondOptions::help_of_gravity)
      .param("at", static_cast<std::optional<Point> Struct::*>(&SecondOptions::at),
             SecondOptions::help_of_at, unit("pixels"));
}

}  // namespace cuimg
