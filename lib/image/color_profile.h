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
  static constexpr int samples = 65536;  ///< Of a curve: 8- and 16-bit codes each are one of them.

  std::vector<std::byte> bytes;  ///< As the file held it.
  bool grey = false;             ///< Whether it is for pixels of Y rather than R, G and B.
  CurveSamples light = {};       ///< Curve::profile: of codes from 0 to 1, evenly spaced.
  CurveSamples codes = {};       ///< Curve::profile: of light whose cube roots are evenly spaced.
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
