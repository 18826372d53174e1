// SPDX-License-Identifier: Apache-2.0
// `channels --pick R,G,B=diffuse.B,A=1`: parses the list and applies it to an image's channels.
#pragma once

#include <string>
#include <vector>

#include "image/spec.h"

namespace cuimg {

/// One of the channels that are wanted.
struct ChannelChoice {
  std::string name;  ///< Its full name in the result.
  int layer = -1;    ///< Of the input, or of the second image; -1: it is `constant`.
  int channel = 0;
  float constant = 0;
  bool from_second = false;  ///< It is one of the second image's.
};

/// @param items NAME, NEW=NAME, NEW=NUMBER, LAYER, NEW=LAYER or the number of a channel, counted
/// from 0 as `cuimg info` lists them. A name that begins with `with:` is the second image's, unless
/// the input itself has such a name.
/// @param second null: there is none.
/// @throws Error naming the channels that there are, or one that is wanted twice.
std::vector<ChannelChoice> choose_channels(const std::vector<std::string>& items, const Spec& spec,
                                           const Spec* second = nullptr);

/// Sets the metadata's `multiView`, by which a file of several views says which of them its
/// channels show, to the views of the chosen channels, that of names without a layer first; removes
/// it where the new names do not say them. @param input has the channels that are chosen.
void keep_true_views(const std::vector<ChannelChoice>& choices, const Spec& input,
                     Metadata& metadata);

}  // namespace cuimg
