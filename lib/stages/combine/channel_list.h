// SPDX-License-Identifier: Apache-2.0
// `channels --pick R,G,B=diffuse.B,A=1`: parses the list and applies it to an image's channels.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "image/spec.h"

namespace cuimg {

/// One of the requested channels.
struct ChannelChoice {
  std::string name;  ///< Its full name in the result.
  int layer = -1;  ///< A layer of the input or of the second image; -1: the channel is `constant`.
  int channel = 0;
  float constant = 0;
  bool from_second = false;  ///< Whether it is a channel of the second image.
  /// The name as the list or the input's file spells it: r for R, where the file calls it r.
  std::string spelled = {};
};

/// @param items NAME, NEW=NAME, NEW=NUMBER, LAYER, NEW=LAYER or the number of a channel, counted
/// from 0 as `cuimg info` lists them. A name that begins with `with:` refers to the second image,
/// unless the input itself has a channel of that name.
/// @param second null if there is no second image.
/// @throws Error that names the available channels, or one that is requested twice.
std::vector<ChannelChoice> choose_channels(const std::vector<std::string>& items, const Spec& spec,
                                           const Spec* second = nullptr);

/// Takes the words that a file has for colours, such as r or red, for R, G, B and A, where all
/// colours of a layer have names in the same of its words. @returns FileStorage::red_names of the
/// result. @param spec, second as in choose_channels().
/// @throws Error if that gives two channels one name.
std::set<std::string> spell_as_in_files(std::vector<ChannelChoice>& choices, const Spec& spec,
                                        const Spec* second);

/// Sets the metadata's `multiView`, which lists the views of a file's channels, to the views of the
/// chosen channels, with the view of names without a layer first. Removes it if the new names do
/// not express these views. @param input the image from which the channels are chosen.
void keep_true_views(const std::vector<ChannelChoice>& choices, const Spec& input,
                     Metadata& metadata);

}  // namespace cuimg
