// SPDX-License-Identifier: Apache-2.0
// Owners of lcms2's contexts and profiles, and matrices for its connection space.
#pragma once

#include <lcms2.h>

#include <cstddef>
#include <memory>
#include <span>

#include "base/bytes.h"
#include "image/primaries.h"

namespace cuimg {

struct IccContextDeleter {
  void operator()(void* context) const { cmsDeleteContext(static_cast<cmsContext>(context)); }
};
struct IccProfileDeleter {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using IccContext = std::unique_ptr<void, IccContextDeleter>;
using IccProfile = std::unique_ptr<void, IccProfileDeleter>;

/// A context that prints nothing; null if memory runs out.
inline IccContext silent_icc_context() {
  IccContext context(cmsCreateContext(nullptr, nullptr));
  if (context)
    cmsSetLogErrorHandlerTHR(static_cast<cmsContext>(context.get()),
                             [](cmsContext, cmsUInt32Number, const char*) {});
  return context;
}

/// Whether the class of a profile and its two spaces consist of letters. lcms2 passes others on as
/// enumeration values that are out of range in C++.
inline bool has_icc_signatures(std::span<const std::byte> bytes) {
  for (const std::size_t at : {12u, 16u, 20u})
    if (number_at(bytes, at, 4, true) > 0x7fffffff) return false;
  return true;
}

/// Null if the bytes are not a profile.
inline IccProfile open_icc(const IccContext& context, std::span<const std::byte> bytes) {
  if (!context || !has_icc_signatures(bytes)) return nullptr;
  return IccProfile(cmsOpenProfileFromMemTHR(static_cast<cmsContext>(context.get()), bytes.data(),
                                             static_cast<cmsUInt32Number>(bytes.size())));
}

/// D50, the connection space's white, as X, Y and Z.
inline constexpr Xyz icc_white{{0.9642, 1.0, 0.8249}};

/// The connection space: X, Y and Z under that white.
inline Chromaticities icc_connection_space() {
  Chromaticities space = primaries::xyz;
  space.wx = static_cast<float>(0.9642 / (0.9642 + 1 + 0.8249));
  space.wy = static_cast<float>(1 / (0.9642 + 1 + 0.8249));
  return space;
}

}  // namespace cuimg
