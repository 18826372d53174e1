// SPDX-License-Identifier: Apache-2.0
#include "io/tags/icc_conversion.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "image/srgb_tables.h"
#include "io/tags/icc_handles.h"

namespace cuimg {

struct IccConversion::Engine {
  IccContext context;
  cmsHTRANSFORM transform = nullptr;
  float matrix[9] = {};  ///< From the connection space's XYZ to linear light.

  ~Engine() {
    if (transform != nullptr) cmsDeleteTransform(transform);
  }
};

namespace {

constexpr std::size_t pixels_at_once = 256;

std::uint16_t word_at(const std::byte* words, std::size_t index) {
  std::uint16_t value;
  std::memcpy(&value, words + 2 * index, 2);
  return value;
}

}  // namespace

IccConversion::IccConversion(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
IccConversion::~IccConversion() = default;

std::shared_ptr<const IccConversion> IccConversion::make(std::span<const std::byte> bytes,
                                                         std::uint32_t space) {
  auto engine = std::make_unique<Engine>();
  engine->context = silent_icc_context();
  const IccProfile profile = open_icc(engine->context, bytes);
  if (!profile || cmsGetColorSpace(profile.get()) != static_cast<cmsColorSpaceSignature>(space))
    return nullptr;
  auto* thread = static_cast<cmsContext>(engine->context.get());
  const IccProfile xyz(cmsCreateXYZProfileTHR(thread));
  if (!xyz) return nullptr;
  engine->transform = cmsCreateTransformTHR(
      thread, profile.get(), space == cmsSigCmykData ? TYPE_CMYK_DBL : TYPE_RGB_DBL, xyz.get(),
      TYPE_XYZ_DBL, INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE);
  if (engine->transform == nullptr) return nullptr;
  Chromaticities pcs = primaries::xyz;
  pcs.wx = static_cast<float>(icc_white_x);
  pcs.wy = static_cast<float>(icc_white_y);
  // rgb_to_rgb scales a space's primaries to its white: D50's X, Y and Z become 1.
  const Matrix3 from_xyz = rgb_to_rgb(pcs, made_primaries);
  constexpr double white[3] = {0.9642, 1.0, 0.8249};
  for (std::size_t i = 0; i < 9; ++i)
    engine->matrix[i] = static_cast<float>(from_xyz.m[i / 3][i % 3] / white[i % 3]);
  return std::shared_ptr<const IccConversion>(new IccConversion(std::move(engine)));
}

namespace {

// XYZ of one pixel as codes.
void store_codes(const float* m, const double* xyz, std::byte* to) {
  const auto x = static_cast<float>(xyz[0]), y = static_cast<float>(xyz[1]),
             z = static_cast<float>(xyz[2]);
  for (std::size_t c = 0; c < 3; ++c) {
    const float light = m[3 * c] * x + m[3 * c + 1] * y + m[3 * c + 2] * z;
    const std::uint16_t code = linear_to_srgb16(srgb16_tables(), light);
    std::memcpy(to + 2 * c, &code, 2);
  }
}

}  // namespace

void IccConversion::convert_rgb(std::byte* row, std::size_t pixels, int channels) const {
  double colors[3 * pixels_at_once], xyz[3 * pixels_at_once];
  const auto stored = static_cast<std::size_t>(channels);
  for (std::size_t first = 0; first < pixels; first += pixels_at_once) {
    const std::size_t count = std::min(pixels_at_once, pixels - first);
    std::byte* const part = row + 2 * stored * first;
    for (std::size_t p = 0; p < count; ++p)
      for (std::size_t c = 0; c < 3; ++c)
        colors[3 * p + c] = word_at(part, stored * p + c) / 65535.0;
    cmsDoTransform(engine_->transform, colors, xyz, static_cast<cmsUInt32Number>(count));
    for (std::size_t p = 0; p < count; ++p)
      store_codes(engine_->matrix, xyz + 3 * p, part + 2 * stored * p);
  }
}

void IccConversion::convert_cmyk(const std::byte* inks, std::size_t pixels, std::byte* rgb) const {
  double colors[4 * pixels_at_once], xyz[3 * pixels_at_once];
  for (std::size_t first = 0; first < pixels; first += pixels_at_once) {
    const std::size_t count = std::min(pixels_at_once, pixels - first);
    // lcms2's inks are percentages.
    for (std::size_t i = 0; i < 4 * count; ++i)
      colors[i] = word_at(inks, 4 * first + i) * (100 / 65535.0);
    cmsDoTransform(engine_->transform, colors, xyz, static_cast<cmsUInt32Number>(count));
    for (std::size_t p = 0; p < count; ++p)
      store_codes(engine_->matrix, xyz + 3 * p, rgb + 6 * (first + p));
  }
}

}  // namespace cuimg
