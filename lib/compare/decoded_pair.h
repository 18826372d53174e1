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
    std::optional<Image> golden, result;  ///< Absent if that side lacks the part.
    /// Of the part in the golden, or in the result if only that has it.
    int number = 0;
    std::string level = {};  ///< As in LayerComparison::level.
    /// FLIP's maps for each compared layer; empty if there is none.
    std::vector<std::vector<float>> flip = {};
    /// The forgiven pixels, by the golden's layer; layers beyond the list's end have none.
    std::vector<ForgivenMap> forgiven = {};
    Shift moved = {};  ///< How far move_onto_golden() moved the result.
  };
  std::vector<Part> parts;
};

/// Moves the result of a compared part to where the comparison has it: over the golden. Maps and
/// positions have the golden's coordinates.
void move_onto_golden(DecodedPair::Part& part);

/// The parts of a file. @param file must outlive the result.
PartList part_list(ImageFile& file);

/// Adds the parts of both files that are in no pair, if they can be read, with the layers that are
/// compared. @param golden, result may be null.
void add_lone_parts(ImageFile* golden, ImageFile* result, const PartPairs& pairs,
                    const ComparedContent& content, DecodedPair& decoded);

/// Reads the content of two files that `content` selects; all of it if nothing is selected. Does
/// not throw: a file or a part that cannot be read is left out. Standard input is also left out,
/// since it can be read only once.
/// @param golden, result paths, empty if there is no file.
DecodedPair decode_pair(const std::string& golden, const std::string& result,
                        const DecodeOptions& decode, const ComparedContent& content = {});

/// The first part of a file; nothing if it cannot be read, and for standard input.
std::optional<Image> first_picture(const std::string& path, const DecodeOptions& decode);

}  // namespace cuimg
