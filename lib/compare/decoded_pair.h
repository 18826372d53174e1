// SPDX-License-Identifier: Apache-2.0
// The pictures of a pair of files, for reports that show them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/compared_content.h"
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

/// The parts of a file. @param file has to live as long.
PartList part_list(ImageFile& file);

/// Adds the parts of either file that no pair has, as far as they can be read, with the layers that
/// are compared. @param golden, result may be null.
void add_lone_parts(ImageFile* golden, ImageFile* result, const PartPairs& pairs,
                    const ComparedContent& content, DecodedPair& decoded);

/// Reads what can be read of two files, of what `content` names; of all where nothing is named so.
/// Nothing is thrown: a file or a part that cannot be read is left out. Standard input, which can
/// be read once only, is left out too.
/// @param golden, result paths, empty where there is no file.
DecodedPair decode_pair(const std::string& golden, const std::string& result,
                        const DecodeOptions& decode, const ComparedContent& content = {});

/// The first part of a file; nothing where it cannot be read, and of standard input.
std::optional<Image> first_picture(const std::string& path, const DecodeOptions& decode);

}  // namespace cuimg
