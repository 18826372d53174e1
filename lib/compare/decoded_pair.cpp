// SPDX-License-Identifier: Apache-2.0
#include "compare/decoded_pair.h"

#include <exception>

#include "compare/aligned_pair.h"

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

// Keeps the layers that are compared, or all if none is.
void keep_compared_layers(DecodedPair::Part& part, const ComparedContent& content) {
  const auto spec = [](const std::optional<Image>& image) {
    return image ? &image->spec() : nullptr;
  };
  const LayerChoice layers(content, spec(part.golden), spec(part.result));
  if (!layers.are_any()) return;
  for (std::optional<Image>* image : {&part.golden, &part.result})
    if (*image) *image = layers.of(*std::move(*image));
}

PartList part_list_of(ImageFile* file) { return file ? part_list(*file) : PartList{}; }

PartPairs pairs_to_show(const PartList& golden, const PartList& result, ComparedContent content) {
  try {
    return pair_parts(golden, result, content);
  } catch (const std::exception&) {
    // Nothing was compared, so the files are shown completely.
    ComparedContent all;
    return pair_parts(golden, result, all);
  }
}

}  // namespace

void move_onto_golden(DecodedPair::Part& part) {
  if (!part.golden || !part.result || part.moved != Shift{}) return;
  part.moved = shift_of_result(part.golden->spec(), part.result->spec());
  Spec& spec = part.result->editable_spec();
  for (Rect* window : {&spec.data_window, &spec.display_window})
    *window = moved(*window, part.moved.x, part.moved.y);
}

PartList part_list(ImageFile& file) {
  PartList list;
  for (int i = 0; i < file.part_count(); ++i) list.names.push_back(file.summary(i).name);
  list.spec = [&file](int part) { return file.open(part)->spec(); };
  return list;
}

void add_lone_parts(ImageFile* golden, ImageFile* result, const PartPairs& pairs,
                    const ComparedContent& content, DecodedPair& decoded) {
  const auto add = [&](DecodedPair::Part part) {
    keep_compared_layers(part, content);
    decoded.parts.push_back(std::move(part));
  };
  if (golden != nullptr)
    for (const int i : pairs.golden_only)
      add({golden->summary(i).name, read_if_readable(golden, i), {}, i});
  if (result != nullptr)
    for (const int i : pairs.result_only)
      add({result->summary(i).name, {}, read_if_readable(result, i), i});
}

DecodedPair decode_pair(const std::string& golden, const std::string& result,
                        const DecodeOptions& decode, const ComparedContent& content) {
  const std::unique_ptr<ImageFile> a = open_if_readable(golden, decode),
                                   b = open_if_readable(result, decode);
  DecodedPair decoded;
  const PartPairs pairs = pairs_to_show(part_list_of(a.get()), part_list_of(b.get()), content);
  for (const auto& [i, j] : pairs.both) {
    decoded.parts.push_back(
        {a->summary(i).name, read_if_readable(a.get(), i), read_if_readable(b.get(), j), i});
    keep_compared_layers(decoded.parts.back(), content);
  }
  add_lone_parts(a.get(), b.get(), pairs, content, decoded);
  std::erase_if(decoded.parts,
                [](const DecodedPair::Part& part) { return !part.golden && !part.result; });
  return decoded;
}

std::optional<Image> first_picture(const std::string& path, const DecodeOptions& decode) {
  const std::unique_ptr<ImageFile> file = open_if_readable(path, decode);
  return read_if_readable(file.get(), 0);
}

}  // namespace cuimg
