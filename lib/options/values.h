// SPDX-License-Identifier: Apache-2.0
// The values that stages take beyond plain numbers: sizes, regions, points, colours, borders. Each
// has one spelling on the command line, oiiotool's where it has one (options/parameter.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "image/rect.h"

namespace cuimg {

/// One name of an enumeration on the command line. An enum E that is a parameter has, in its
/// namespace, a function `std::span<const Choice<E>> choices_of(E)`, which the parser calls.
template <class E>
struct Choice {
  E value;
  std::string_view name;
  std::string_view help = {};     ///< A few words; may be empty.
  std::string_view aliases = {};  ///< Accepted too, separated by spaces.
};

/// The name of a value.
template <class E>
std::string_view choice_name(E value) {
  for (const Choice<E>& choice : choices_of(E{}))
    if (choice.value == value) return choice.name;
  return "?";
}

[[noreturn]] void throw_no_choice(std::string_view name);
/// The value of a name, for names in code and data; the command line has aliases too.
/// @throws Error when there is none.
template <class E>
E choice_named(std::string_view name) {
  for (const Choice<E>& choice : choices_of(E{}))
    if (choice.name == name) return choice.value;
  throw_no_choice(name);
}

/// A wanted size: `640x480`, `400x0` (keeps the aspect), `50%`, `50%x25%`.
struct Size {
  /// One side: pixels, or percent of the input's. 0 pixels: follow the other side.
  struct Side {
    double amount = 0;
    bool percent = false;
    friend bool operator==(const Side&, const Side&) = default;
  };
  Side width, height;

  /// The size for an input of that many pixels: rounded half up, at least 1.
  /// @returns a rectangle at the origin. @throws Error when a side passes largest_side.
  Rect of(int input_width, int input_height) const;
  friend bool operator==(const Size&, const Size&) = default;
};

constexpr Size percent(double amount) { return {{amount, true}, {amount, true}}; }
constexpr Size pixels(int width, int height) {
  return {{static_cast<double>(width), false}, {static_cast<double>(height), false}};
}

/// How wide a picture is seen for its height: `16:9`, `1.85:1`, `1.5`.
struct Aspect {
  float width = 1, height = 1;

  /// The sides of the largest picture of that aspect which lies in the given one, and of the
  /// smallest around it: rounded half up, at least 1, at most largest_side + 1.
  /// @param pixel_aspect the width of a pixel, as heights.
  Rect within(const Rect& picture, float pixel_aspect) const;
  Rect around(const Rect& picture, float pixel_aspect) const;
  friend bool operator==(const Aspect&, const Aspect&) = default;

 private:
  Rect sharing_a_side(const Rect& picture, float pixel_aspect, bool is_within) const;
};

/// `WxH+X+Y` in absolute pixel coordinates; offsets may be negative, `64x64-8+0`.
struct Region : Rect {};

/// `x,y`.
struct Point {
  float x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

/// How far a neighbourhood reaches: `n`, or `x,y` for one each way.
struct Radius {
  int x = 1, y = 1;
  friend bool operator==(const Radius&, const Radius&) = default;
};

/// `r,g,b,a`; `r,g,b` is opaque, `v` grey, `v,a` grey with alpha. Linear, premultiplied; with
/// --raw the four values as they are.
struct Color {
  std::array<float, 4> rgba = {0, 0, 0, 0};
  friend bool operator==(const Color&, const Color&) = default;
};

/// The values of as many channels as it fills: `v` grey, `v,a`, `r,g,b` or `r,g,b,a`. Linear,
/// premultiplied; with --raw as they are.
struct Paint {
  std::array<float, 4> values = {0, 0, 0, 0};
  int count = 3;
  friend bool operator==(const Paint&, const Paint&) = default;
};

/// One file or several: each use of the option adds one.
struct FileNames {
  std::vector<std::string> names;
  void gather(FileNames more) { names.insert(names.end(), more.names.begin(), more.names.end()); }
  friend bool operator==(const FileNames&, const FileNames&) = default;
};

/// What lies outside an image.
enum class Border : std::uint8_t { clamp, wrap, mirror, border };
std::span<const Choice<Border>> choices_of(Border);

}  // namespace cuimg
