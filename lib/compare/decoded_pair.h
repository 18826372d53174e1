// SPDX-License-Identifier: Apache-2.0
// The pictures of a pair of files, for reports that show them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/comparison.h"
#include "io/codec.h"

namespace cuimg {

struct DecodedPair {
  struct Part {
    std::string name;                     ///< Often empty.
    std::optional<Image> golden, result;  ///< Absent where that side lacks the part.
    int number = 0;                       ///< Of the part in the golden, or in the result alone.
    std::string level = {};               ///< As LayerComparison::level.
    /// FLIP's maps by layer of what was compared; empty where there is none.
    std::vector<std::vector<float>> flip = {};
    /// Which pixels were forgiven, by the golden's layer; those past its end have none.
    std::vector<ForgivenMap> forgiven = {};
  };
  std::vector<Part> parts;
};

/// Empty texts for parts without a name.
std::vector<std::string> part_names(const ImageFile& file);

/// Adds the parts of either file that no pair has, as far as they can be read.
/// @param golden, result may be null.
void add_lone_parts(ImageFile* golden, ImageFile* result,
                    const std::vector<std::pair<int, int>>& pairs, DecodedPair& decoded);

/// Reads what can be read of two files. Nothing is thrown: a file or a part that cannot be read is
/// left out. Standard input, which can be read once only, is left out too.
/// @param golden, result paths, empty where there is no file.
DecodedPair decode_pair(const std::string& golden, const std::string& result,
                        const DecodeOptions& decode);

/// The first part of a file; nothing where it cannot be read, and of standard input.
std::optional<Image> first_picture(const std::string& path, const DecodeOptions& decode);

}  // namespace cuimg
