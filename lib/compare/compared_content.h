// SPDX-License-Identifier: Apache-2.0
// Chooses the parts and layers of two pictures that are compared: all, or those that --part and
// --layers name.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compare/comparison.h"
#include "compare/limits.h"
#include "image/image.h"

namespace cuimg {

/// The parts of one side.
struct PartList {
  std::vector<std::string> names;   ///< Empty for a part without a name.
  std::function<Spec(int)> spec{};  ///< The spec of a part; only called if layers are chosen.
};

/// Numbers of parts.
struct PartPairs {
  std::vector<std::pair<int, int>> both;  ///< Pairs of the golden's and the result's part.
  std::vector<int> golden_only, result_only;
};

/// Pairs parts by name if all parts have different names, otherwise by number. Only pairs that
/// `content` selects, and that contain a layer which it selects, are kept.
/// @param content gets the labels of the layers that are compared, and of those that are left out.
/// @throws NotComparable for a part or a layer's name that neither side has.
PartPairs pair_parts(const PartList& golden, const PartList& result, ComparedContent& content);

/// Adds reasons for parts that exist on one side only.
void judge_lone_parts(const PartPairs& pairs, const PartList& golden, const PartList& result,
                      const Limits& limits, Comparison& comparison);

/// The layer of `other` with which a layer is compared: the one with the first of its channels that
/// both have.
std::optional<int> counterpart_of(const LayerSpec& layer, const Spec& other);

/// The content that the limits select.
ComparedContent content_of(const Limits& limits);

/// The layers of one part that are compared: those that are named on either side, identified by
/// their channels, so that RGBA of a golden is compared with RGB of a result.
class LayerChoice {
 public:
  /// @param golden, result null if a side lacks the part.
  LayerChoice(const ComparedContent& content, const Spec* golden, const Spec* result);

  bool take(const LayerSpec& layer) const;
  /// Whether any layer is compared.
  bool are_any() const { return are_any_; }
  bool are_all_of(const Spec& spec) const;
  /// The compared layers of a side: the image itself if all its layers are compared.
  Image of(Image&& image) const;
  Image of(const Image& image) const;
  Spec of(Spec spec) const;

 private:
  const bool are_all_;
  bool are_any_ = false;
  std::set<std::string> named_, ignored_;  ///< Full names of channels.
};

}  // namespace cuimg
