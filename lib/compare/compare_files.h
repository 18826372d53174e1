// SPDX-License-Identifier: Apache-2.0
// Compares two files. Files with equal bytes are the same if their headers can be read; others are
// compared part by part.
#pragma once

#include <string>

#include "compare/compare.h"
#include "compare/decoded_pair.h"
#include "compare/measurer.h"
#include "io/decode_options.h"

namespace cuimg {

/// How two files are read and compared.
struct PairOptions {
  const Limits& limits;  ///< Its mask is read by compare_files().
  const CompareOptions& compare;
  const DecodeOptions& decode;
};

/// Compares two files, or "-" for standard input as one of them. Does not throw: a file that cannot
/// be read, or a card's failure, gives Verdict::error, and a missing file is a difference.
/// @param measurer chooses the device, and sets CompareOptions::also_on.
/// @param decoded null, or receives the pictures. Files that are not decoded or cannot be read add
/// nothing.
Comparison compare_files(const std::string& golden, const std::string& result,
                         const PairOptions& options, Measurer& measurer,
                         DecodedPair* decoded = nullptr);

/// The picture of --mask. @throws NotComparable.
Image read_mask(const std::string& path, const DecodeOptions& decode);

/// For a file that exists on one side only.
/// @param is_golden whether the golden exists and the result is missing.
Comparison lone_file(const std::string& golden, const std::string& result, bool is_golden,
                     const Limits& limits);

/// Reads only a golden's header. @throws Error if it is no picture that can be compared.
void check_golden(const std::string& golden, DecodeOptions decode);

/// The metrics that a list names; "all" means every metric. @throws Error for an unknown name.
std::vector<std::string> metric_names(const std::vector<std::string>& given);

}  // namespace cuimg
