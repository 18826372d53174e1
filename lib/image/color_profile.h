// SPDX-License-Identifier: Apache-2.0
// An ICC profile that is kept with an image, and its curve if no formula describes it.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace cuimg {

/// Values of the curves of R, G and B, one after the other; for grey three times the same.
using CurveSamples = std::shared_ptr<const std::vector<float>>;

struct ColorProfile {
  /// The samples of a curve: each 8-bit and each 16-bit code is one of them.
  static constexpr int samples = 65536;

  std::vector<std::byte> bytes;  ///< As stored in the file.
  bool grey = false;             ///< Whether it is for pixels with Y instead of R, G and B.
  CurveSamples light = {};       ///< For Curve::profile: light at evenly spaced codes from 0 to 1.
  /// For Curve::profile: codes at lights whose cube roots are evenly spaced.
  CurveSamples codes = {};
};

/// A profile or none; images share it, and it is compared by its bytes.
class SharedProfile {
 public:
  SharedProfile() = default;
  explicit SharedProfile(ColorProfile profile)
      : profile_(std::make_shared<const ColorProfile>(std::move(profile))) {}

  explicit operator bool() const { return profile_ != nullptr; }
  const ColorProfile* operator->() const { return profile_.get(); }
  void reset() { profile_.reset(); }
  friend bool operator==(const SharedProfile& a, const SharedProfile& b) {
    return a.profile_ == b.profile_ ||
           (a.profile_ && b.profile_ && a.profile_->grey == b.profile_->grey &&
            a.profile_->bytes == b.profile_->bytes);
  }

 private:
  std::shared_ptr<const ColorProfile> profile_;
};

}  // namespace cuimg
