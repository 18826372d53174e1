// SPDX-License-Identifier: Apache-2.0
// Chromaticities of a colour space's red, green, blue and white, and the matrices between colour
// spaces.
#pragma once

#include <optional>
#include <string_view>

namespace cuimg {

/// CIE 1931 x, y of the primaries and the white point.
struct Chromaticities {
  float rx = 0.64f, ry = 0.33f, gx = 0.30f, gy = 0.60f, bx = 0.15f, by = 0.06f;
  float wx = 0.3127f, wy = 0.3290f;
  friend bool operator==(const Chromaticities&, const Chromaticities&) = default;
};

/// Whether the primaries are finite, span a triangle and have a white, as rgb_to_xyz requires.
bool spans_colors(const Chromaticities& space);

/// Whether no coordinate differs by more than `tolerance`.
bool near(const Chromaticities& a, const Chromaticities& b, float tolerance);

namespace primaries {
inline constexpr Chromaticities rec709{};  ///< ITU-R BT.709-6, and sRGB
inline constexpr Chromaticities p3_d65{0.680f, 0.320f, 0.265f,  0.690f,
                                       0.150f, 0.060f, 0.3127f, 0.3290f};  ///< SMPTE EG 432-1
inline constexpr Chromaticities rec2020{0.708f, 0.292f, 0.170f,  0.797f,
                                        0.131f, 0.046f, 0.3127f, 0.3290f};  ///< ITU-R BT.2020-2
inline constexpr Chromaticities aces_ap0{0.7347f, 0.2653f,  0.0f,     1.0f,
                                         0.0001f, -0.0770f, 0.32168f, 0.33767f};  ///< ST 2065-1
inline constexpr Chromaticities aces_ap1{0.713f, 0.293f, 0.165f,   0.830f,
                                         0.128f, 0.044f, 0.32168f, 0.33767f};  ///< S-2014-004
/// X, Y and Z themselves; the white is equal energy.
inline constexpr Chromaticities xyz{1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 1 / 3.0f, 1 / 3.0f};
}  // namespace primaries

/// The set of that name in the list of image/named_primaries.h; nothing for another name.
std::optional<Chromaticities> primaries_named(std::string_view name);

/// A matrix in rows of three; it is applied to a column (r, g, b).
struct Matrix3 {
  double m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  friend bool operator==(const Matrix3&, const Matrix3&) = default;
};

/// CIE XYZ.
struct Xyz {
  double v[3];
};

Matrix3 operator*(const Matrix3& a, const Matrix3& b);
Xyz operator*(const Matrix3& a, const Xyz& b);
/// @throws Error if the matrix is singular.
Matrix3 inverse(const Matrix3& matrix);

/// Linear RGB to CIE XYZ, scaled so that the white (1, 1, 1) has Y = 1, without adaptation (SMPTE
/// RP 177).
/// @throws Error if the primaries are collinear or the white's y is 0.
Matrix3 rgb_to_xyz(const Chromaticities& space);

/// Converts XYZ under one white to XYZ under another, by Bradford's matrix (Lam 1985).
Matrix3 adaptation(const Xyz& from_white, const Xyz& to_white);

/// Converts linear RGB of one space to another; whites are adapted by Bradford's matrix, so (1, 1,
/// 1) remains (1, 1, 1). Exactly the identity for equal spaces.
/// @throws Error like rgb_to_xyz.
Matrix3 rgb_to_rgb(const Chromaticities& from, const Chromaticities& to);

}  // namespace cuimg
