// SPDX-License-Identifier: Apache-2.0
#include "io/tags/icc_conversion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "image/srgb_tables.h"
#include "io/tags/icc_handles.h"

namespace cuimg {
namespace {

constexpr std::size_t pixels_at_once = 256;
constexpr Chromaticities exact_primaries = primaries::rec2020;

std::size_t inputs_of(cmsColorSpaceSignature space) {
  return space == cmsSigGrayData ? 1 : space == cmsSigCmykData ? 4 : 3;
}

bool fits(cmsColorSpaceSignature space, IccPixels pixels) {
  if (pixels == IccPixels::cmyk) return space == cmsSigCmykData;
  return space == cmsSigRgbData || (space == cmsSigGrayData && pixels == IccPixels::grey);
}

// With a target of version 4, lcms2 would apply black point compensation for the intents perceptual
// and saturation even if it is not wanted; vips' sRGB is also of version 2.
IccProfile as_version_2(cmsHPROFILE target) {
  if (target != nullptr) cmsSetProfileVersion(target, 2.1);
  return IccProfile(target);
}

// Null if lcms2 refuses. @param stored nothing: in floating point to XYZ, without tables.
cmsHTRANSFORM new_transform(const IccContext& context, const IccProfile& profile,
                            const IccRendering& rendering, std::optional<PixelType> stored) {
  auto* thread = static_cast<cmsContext>(context.get());
  const IccProfile target =
      as_version_2(stored ? cmsCreate_sRGBProfileTHR(thread) : cmsCreateXYZProfileTHR(thread));
  if (!target) return nullptr;
  cmsUInt32Number flags = cmsFLAGS_NOCACHE;
  if (!stored) flags |= cmsFLAGS_NOOPTIMIZE;
  if (rendering.black_point) flags |= cmsFLAGS_BLACKPOINTCOMPENSATION;
  const auto format_of = [&](const IccProfile& side) {  // 0 bytes means double
    const std::size_t bytes = stored ? bytes_of(*stored) : 0;
    return cmsFormatterForColorspaceOfProfile(side.get(), static_cast<cmsUInt32Number>(bytes),
                                              !stored);
  };
  return cmsCreateTransformTHR(thread, profile.get(), format_of(profile), target.get(),
                               format_of(target), static_cast<cmsUInt32Number>(rendering.intent),
                               flags);
}

template <class T>
T value_at(const std::byte* values, std::size_t index) {
  T value;
  std::memcpy(&value, values + sizeof(T) * index, sizeof(T));
  return value;
}

template <class T>
void put_value(T value, std::size_t index, std::byte* values) {
  std::memcpy(values + sizeof(T) * index, &value, sizeof(T));
}

}  // namespace

struct IccConversion::Engine {
  IccContext context;
  cmsHTRANSFORM transform = nullptr;
  cmsColorSpaceSignature space = cmsSigRgbData;
  bool exact = true;
  PixelType type = PixelType::u16;
  float matrix[9] = {};  ///< The method `exact`: from the connection space's XYZ to linear light.
  /// For grey pixels: the result for each of their values, in one channel or three.
  std::vector<std::array<std::uint16_t, 3>> greys;
  bool colors_grey = false;

  ~Engine() {
    if (transform != nullptr) cmsDeleteTransform(transform);
  }

  // Converts at most pixels_at_once of the profile's pixels, which are contiguous, to R, G and B.
  template <class T>
  void run(const T* from, std::size_t count, T* rgb) const;
  template <class T>
  void fill_greys();
};

namespace {

// XYZ of one pixel as codes.
void put_codes(const float* m, const double* xyz, std::uint16_t* to) {
  const auto x = static_cast<float>(xyz[0]), y = static_cast<float>(xyz[1]),
             z = static_cast<float>(xyz[2]);
  for (std::size_t c = 0; c < 3; ++c) {
    const float light = m[3 * c] * x + m[3 * c + 1] * y + m[3 * c + 2] * z;
    to[c] = linear_to_srgb16(srgb16_tables(), light);
  }
}

}  // namespace

template <class T>
void IccConversion::Engine::run(const T* from, std::size_t count, T* rgb) const {
  const auto pixels = static_cast<cmsUInt32Number>(count);
  if constexpr (sizeof(T) == 2) {
    if (exact) {
      double colors[4 * pixels_at_once] = {}, xyz[3 * pixels_at_once];
      const bool inks = space == cmsSigCmykData;  // percentages in lcms2
      const std::size_t values = inputs_of(space) * count;
      for (std::size_t i = 0; i < values; ++i)
        colors[i] = inks ? from[i] * (100 / 65535.0) : from[i] / 65535.0;
      cmsDoTransform(transform, colors, xyz, pixels);
      for (std::size_t p = 0; p < count; ++p) put_codes(matrix, xyz + 3 * p, rgb + 3 * p);
      return;
    }
  }
  cmsDoTransform(transform, from, rgb, pixels);
}

// Converts every possible value, to find out whether all remain grey.
template <class T>
void IccConversion::Engine::fill_greys() {
  constexpr std::size_t values = std::size_t{std::numeric_limits<T>::max()} + 1;
  constexpr int code = std::numeric_limits<T>::max() / 255;
  const std::size_t inputs = inputs_of(space);
  greys.resize(values);
  for (std::size_t first = 0; first < values; first += pixels_at_once) {
    T from[3 * pixels_at_once], rgb[3 * pixels_at_once];
    for (std::size_t i = 0; i < inputs * pixels_at_once; ++i)
      from[i] = static_cast<T>(first + i / inputs);
    run(from, pixels_at_once, rgb);
    for (std::size_t p = 0; p < pixels_at_once; ++p) {
      auto& made = greys[first + p];
      std::copy_n(rgb + 3 * p, 3, made.begin());
      const auto [low, high] = std::ranges::minmax(made);
      colors_grey = colors_grey || high - low > code;
    }
  }
  if (colors_grey) return;
  for (auto& made : greys) {
    std::ranges::sort(made);
    made.fill(made[1]);
  }
}

IccConversion::IccConversion(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
IccConversion::~IccConversion() = default;

std::shared_ptr<const IccConversion> IccConversion::make(std::span<const std::byte> bytes,
                                                         IccPixels pixels,
                                                         const IccRendering& rendering,
                                                         PixelType stored) {
  auto engine = std::make_unique<Engine>();
  engine->context = silent_icc_context();
  const IccProfile profile = open_icc(engine->context, bytes);
  if (!profile) return nullptr;
  engine->space = cmsGetColorSpace(profile.get());
  if (!fits(engine->space, pixels)) return nullptr;
  engine->exact = rendering.method == IccMethod::exact;
  engine->type = engine->exact ? PixelType::u16 : stored;
  engine->transform = new_transform(engine->context, profile, rendering,
                                    engine->exact ? std::nullopt : std::optional(stored));
  if (engine->transform == nullptr) return nullptr;
  // rgb_to_rgb scales a space's primaries to its white: D50's X, Y and Z become 1.
  const Matrix3 from_xyz = rgb_to_rgb(icc_connection_space(), exact_primaries);
  for (std::size_t i = 0; i < 9; ++i)
    engine->matrix[i] = static_cast<float>(from_xyz.m[i / 3][i % 3] / icc_white.v[i % 3]);
  if (pixels == IccPixels::grey && engine->type == PixelType::u16)
    engine->fill_greys<std::uint16_t>();
  else if (pixels == IccPixels::grey)
    engine->fill_greys<std::uint8_t>();
  return std::shared_ptr<const IccConversion>(new IccConversion(std::move(engine)));
}

PixelType IccConversion::type() const { return engine_->type; }

ColorEncoding IccConversion::encoding() const {
  ColorEncoding color{Curve::srgb, 1.0f, false, {}};
  const bool grey = !engine_->greys.empty() && !engine_->colors_grey;
  if (engine_->exact && !grey) color.primaries = exact_primaries;
  return color;
}

bool IccConversion::colors_grey() const { return engine_->colors_grey; }

namespace {

// Calls work(T()) for values of that type.
template <class Work>
void with_type(PixelType type, const Work& work) {
  if (type == PixelType::u16)
    work(std::uint16_t{});
  else
    work(std::uint8_t{});
}

}  // namespace

void IccConversion::convert(std::byte* row, std::size_t pixels, int channels) const {
  const auto stored = static_cast<std::size_t>(channels);
  const std::size_t colors = stored < 3 ? 1 : 3;
  with_type(engine_->type, [&]<class T>(T) {
    if (!engine_->greys.empty()) {
      for (std::size_t p = 0; p < pixels; ++p)
        for (std::size_t c = 0; c < colors; ++c) {
          const std::size_t at = stored * p + c;
          put_value(static_cast<T>(engine_->greys[value_at<T>(row, at)][c]), at, row);
        }
      return;
    }
    T from[3 * pixels_at_once], rgb[3 * pixels_at_once];
    for (std::size_t first = 0; first < pixels; first += pixels_at_once) {
      const std::size_t count = std::min(pixels_at_once, pixels - first);
      std::byte* const part = row + sizeof(T) * stored * first;
      for (std::size_t i = 0; i < 3 * count; ++i)
        from[i] = value_at<T>(part, stored * (i / 3) + i % 3);
      engine_->run(from, count, rgb);
      for (std::size_t i = 0; i < 3 * count; ++i) put_value(rgb[i], stored * (i / 3) + i % 3, part);
    }
  });
}

void IccConversion::convert_cmyk(const std::byte* inks, std::size_t pixels, std::byte* rgb) const {
  with_type(engine_->type, [&]<class T>(T) {
    T from[4 * pixels_at_once], to[3 * pixels_at_once];
    for (std::size_t first = 0; first < pixels; first += pixels_at_once) {
      const std::size_t count = std::min(pixels_at_once, pixels - first);
      std::memcpy(from, inks + 4 * sizeof(T) * first, 4 * sizeof(T) * count);
      engine_->run(from, count, to);
      std::memcpy(rgb + 3 * sizeof(T) * first, to, 3 * sizeof(T) * count);
    }
  });
}

bool moves_black_or_white(std::span<const std::byte> bytes, const IccRendering& rendering) {
  const IccContext context = silent_icc_context();
  const IccProfile profile = open_icc(context, bytes);
  if (!profile) return false;
  double black_and_white[2][6] = {};
  const std::size_t inputs = inputs_of(cmsGetColorSpace(profile.get()));
  std::vector<double> colors(2 * inputs, 0.0);
  std::fill_n(colors.begin() + static_cast<std::ptrdiff_t>(inputs), inputs, 1.0);
  for (const bool wanted : {false, true}) {
    cmsHTRANSFORM transform =
        new_transform(context, profile, wanted ? rendering : IccRendering{}, std::nullopt);
    if (transform == nullptr) return false;
    cmsDoTransform(transform, colors.data(), black_and_white[wanted ? 1 : 0], 2);
    cmsDeleteTransform(transform);
  }
  constexpr double rounding = 2e-5;  // of D50 among a profile's numbers
  for (std::size_t i = 0; i < 6; ++i)
    if (!(std::abs(black_and_white[0][i] - black_and_white[1][i]) <= rounding)) return true;
  return false;
}

}  // namespace cuimg
