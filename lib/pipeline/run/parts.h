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
  std::vector<int> numbers;  ///< In the file's order, at least one.
  /// A warning that others are left out although no option says so; or empty.
  std::string warning;
};

/// @param source the file's name in errors.
/// @param why_one what is done with one part if several cannot be used, for the warning: "written,
/// PNG holds one"; empty: they can. @param among the candidates; empty: all. @throws Error for a
/// part that does not exist, and for --part all if only one can be used.
ChosenParts choose_parts(const ImageFile& file, const PartChoice& choice, const std::string& source,
                         const std::string& why_one = {}, const std::vector<int>& among = {});

/// Each output takes the parts that its format can store; the result contains the parts that any
/// output takes, in the file's order. If there are several, an output of one part takes the first
/// that has a layer named by --layers.
/// @param warn gets omissions that no option requested. @throws Error as choose_parts(), and for a
/// name or pattern of --layers for which no part has a layer.
std::vector<PartTaken> parts_taken(ImageFile& file, const CommonOptions& common,
                                   const std::vector<ChainOutput>& outputs,
                                   const std::string& source, const Notify& warn);

/// Checks that an output that replaces its input contains all of the input's parts. @throws Error
/// if one of several parts is chosen.
void check_replaces_all_parts(const ImageFile& file, const PartChoice& choice,
                              const std::string& source);

/// Checks that an output that replaces its input has the input's format, since the file's name may
/// suggest another one.
/// @param written the format of the name's extension. @throws Error if the content has another
/// format.
void check_replaces_own_format(const ByteSource& source, const Codec& written);
/// The same for a format's variants, which can store less. @param part as it is read. @throws Error
/// if the part has colours or alpha that the variant cannot store.
void check_replaces_own_variant(const Spec& part, const Codec& written, const std::string& source);

/// Checks that an output that replaces its input contains all of the input's frames, samples and
/// mip levels, in its channels. @throws Error with --in-place for an animation of which one frame
/// is read, for content that the reader leaves out or reduces, for --mip-level, and for luminance
/// and chroma, which are read as RGB.
void check_replaces_whole_part(const Decoder& part, const CommonOptions& common,
                               const std::string& source);

/// The error of a part of `source`, with both names: "in.tif: part 2: a strip cannot be read".
Error error_of_part(const Error& error, const std::string& source, const std::string& part);

/// The effect of --in-place on a file with several names: a note, or empty.
std::string note_on_hard_links(const std::string& path);

/// Whether the file has CMYK, which is read as RGB.
bool has_inks(const Decoder& part);

/// @throws Error if a file made from decoded pixels lacks content of the one that it replaces: RGB
/// instead of CMYK, a profile.
void refuse_losses_of_decoding(const Decoder& part, const std::string& source);

/// What parts lose in a file in which they share windows; empty if their windows are equal.
std::vector<std::string> warnings_of_shared_windows(const std::vector<PartToWrite>& parts);

/// The note about Cryptomatte entries that are left out.
inline constexpr const char* unused_mattes_note =
    "Cryptomatte's entries are left out: none of its layers is written";
/// Removes the entries of each Cryptomatte whose layers are in none of a file's parts.
/// @returns whether there were any.
bool leave_out_unused_mattes(std::vector<PartToWrite>& parts);

/// @throws Error if `error` says that an image lacks a layer, and a part has that name.
void refuse_parts_as_layers(const Error& error, const ImageFile& file);

}  // namespace cuimg
