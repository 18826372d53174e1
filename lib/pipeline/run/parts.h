// SPDX-License-Identifier: Apache-2.0
// The parts of a file that --part selects.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "io/codec.h"
#include "pipeline/options.h"
#include "pipeline/run/file_run.h"

namespace cuimg {

struct ChosenParts {
  std::vector<int> numbers;  ///< In the file's order, one at least.
  std::string warning;       ///< That others are left out though no option says so; or empty.
};

/// @param source what an error calls the file.
/// @param why_one what is done with one part where several cannot be taken, for the warning:
/// "written, PNG holds one"; empty: they can. @param among which of them are in question; empty:
/// all. @throws Error for a part that does not exist, and for --part all where one is taken.
ChosenParts choose_parts(const ImageFile& file, const PartChoice& choice, const std::string& source,
                         const std::string& why_one = {}, const std::vector<int>& among = {});

/// Each output takes the parts that its format can hold; together they take these, in the file's
/// order. Of several an output of one part takes the first that --layers names something of.
/// @param warn gets what is left out though no option says so. @throws Error as choose_parts(), and
/// for a name or pattern of --layers that no part has a layer for.
std::vector<PartTaken> parts_taken(ImageFile& file, const CommonOptions& common,
                                   const std::vector<ChainOutput>& outputs,
                                   const std::string& source, const Notify& warn);

/// Checks that an output that replaces its input holds all of the input's parts. @throws Error if
/// one of several parts is chosen.
void check_replaces_all_parts(const ImageFile& file, const PartChoice& choice,
                              const std::string& source);

/// Checks that an output that replaces its input has the input's format, since the file's name may
/// promise another one.
/// @param written the format of the name's extension. @throws Error where the content is of
/// another.
void check_replaces_own_format(const ByteSource& source, const Codec& written);
/// The same of a format's variants, which hold less. @param part as it is read. @throws Error where
/// the variant has no colours or no alpha, and the part has.
void check_replaces_own_variant(const Spec& part, const Codec& written, const std::string& source);

/// What replaces its input holds all of the input's frames, samples and mip levels, in its
/// channels. @throws Error with --in-place for an animation of which one frame is read, for what
/// the reader leaves out or keeps less of, for --mip-level, and for luminance and chroma, which are
/// read as RGB.
void check_replaces_whole_part(const Decoder& part, const CommonOptions& common,
                               const std::string& source);

/// The error of a part of `source`, naming it: "in.tif: part 2: a strip cannot be read".
Error error_of_part(const Error& error, const std::string& source, const std::string& part);

/// What --in-place does to a file of several names: a note, or empty.
std::string note_on_hard_links(const std::string& path);

/// Whether the file has CMYK, of which RGB is read.
bool has_inks(const Decoder& part);

/// @throws Error where a file that is made of decoded pixels lacks something of the one that it
/// replaces: RGB in place of CMYK, a profile.
void refuse_losses_of_decoding(const Decoder& part, const std::string& source);

/// What parts lose in a file whose windows they share; nothing where theirs are one.
std::vector<std::string> warnings_of_shared_windows(const std::vector<PartToWrite>& parts);

/// The note about Cryptomatte's entries that are left out.
inline constexpr const char* unused_mattes_note =
    "Cryptomatte's entries are left out: none of its layers is written";
/// Leaves the entries of each Cryptomatte out whose layers are in none of a file's parts.
/// @returns whether there were any.
bool leave_out_unused_mattes(std::vector<PartToWrite>& parts);

/// @throws Error where `error` is that an image has no layer of a name that a part has.
void refuse_parts_as_layers(const Error& error, const ImageFile& file);

}  // namespace cuimg
