// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/parts.h"

#include <numeric>

#include "base/error.h"

namespace cuimg {

ChosenParts choose_parts(const ImageFile& file, const PartChoice& choice, const std::string& source,
                         const std::string& why_one) {
  const int count = file.part_count();
  if (choice.kind == PartChoice::Kind::one) return {{find_part(file, choice.id, source)}, {}};
  if (count == 1) return {{0}, {}};
  const std::string parts = std::to_string(count) + " parts";
  if (why_one.empty()) {
    ChosenParts chosen{std::vector<int>(static_cast<std::size_t>(count)), {}};
    std::iota(chosen.numbers.begin(), chosen.numbers.end(), 0);
    return chosen;
  }
  if (choice.kind == PartChoice::Kind::all)
    throw Error(source, parts + ", of which one can be " + why_one, "choose it with --part");
  return {{0},
          parts + "; only part " + part_text(0, file.summary(0).name) + " is " + why_one +
              "; --part chooses"};
}

void check_replaces_all_parts(const ImageFile& file, const PartChoice& choice,
                              const std::string& source) {
  const int others = file.part_count() - 1;
  if (choice.kind != PartChoice::Kind::one || others == 0) return;
  throw Error(source,
              "--in-place with --part would delete the file's " +
                  (others == 1 ? "other part" : std::to_string(others) + " other parts"),
              "leave out --part to change all of them, or write the part to another file");
}

}  // namespace cuimg
