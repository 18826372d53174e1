// SPDX-License-Identifier: Apache-2.0
#include "compare/decoded_pair.h"

#include <exception>
#include <set>

#include "compare/part_comparison.h"

namespace cuimg {
namespace {

std::unique_ptr<ImageFile> open_if_readable(const std::string& path, const DecodeOptions& decode) {
  if (path.empty() || path == "-") return nullptr;
  try {
    return open_file(ByteSource::open(path), decode);
  } catch (const std::exception&) {
    return nullptr;
  }
}

std::optional<Image> read_if_readable(ImageFile* file, int part) {
  if (file == nullptr) return std::nullopt;
  try {
    return read_part(*file, part);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<std::string> part_names(const ImageFile& file) {
  std::vector<std::string> names;
  for (int i = 0; i < file.part_count(); ++i) names.push_back(file.summary(i).name);
  return names;
}

void add_lone_parts(ImageFile* golden, ImageFile* result,
                    const std::vector<std::pair<int, int>>& pairs, DecodedPair& decoded) {
  std::set<int> goldens, results;
  for (const auto& [i, j] : pairs) {
    goldens.insert(i);
    results.insert(j);
  }
  for (int i = 0; golden != nullptr && i < golden->part_count(); ++i)
    if (!goldens.contains(i))
      decoded.parts.push_back({golden->summary(i).name, read_if_readable(golden, i), {}, i});
  for (int i = 0; result != nullptr && i < result->part_count(); ++i)
    if (!results.contains(i))
      decoded.parts.push_back({result->summary(i).name, {}, read_if_readable(result, i), i});
}

DecodedPair decode_pair(const std::string& golden, const std::string& result,
                        const DecodeOptions& decode) {
  const std::unique_ptr<ImageFile> a = open_if_readable(golden, decode),
                                   b = open_if_readable(result, decode);
  DecodedPair decoded;
  std::vector<std::pair<int, int>> pairs;
  if (a && b) {
    Comparison unused;
    pairs = pair_parts(part_names(*a), part_names(*b), {}, unused);
  }
  for (const auto& [i, j] : pairs)
    decoded.parts.push_back(
        {a->summary(i).name, read_if_readable(a.get(), i), read_if_readable(b.get(), j), i});
  add_lone_parts(a.get(), b.get(), pairs, decoded);
  std::erase_if(decoded.parts,
                [](const DecodedPair::Part& part) { return !part.golden && !part.result; });
  return decoded;
}

std::optional<Image> first_picture(const std::string& path, const DecodeOptions& decode) {
  const std::unique_ptr<ImageFile> file = open_if_readable(path, decode);
  return read_if_readable(file.get(), 0);
}

}  // namespace cuimg
