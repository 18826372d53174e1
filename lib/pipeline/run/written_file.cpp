// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/written_file.h"

#include <utility>

namespace cuimg {

Encoder* WrittenFile::open(const ChainOutput& chain) {
  if (chain.codec == nullptr) return nullptr;
  file.emplace(chain.job.output, chain.common.no_clobber);
  file->mark(chain.job.mark);
  if (turned) {
    file->sink().write(*turned);
    return nullptr;
  }
  encoder = chain.codec->encoder(std::move(parts), file->sink());
  return encoder.get();
}

void put_in_place(std::span<WrittenFile> files, WorkPlaces* places) {
  std::vector<OutputFile*> complete;
  for (WrittenFile& written : files) {
    if (written.encoder) written.encoder->finish();
    if (written.file) complete.push_back(&*written.file);
  }
  const WorkPlaces::Lent lent(places, WorkPlaces::WaitsFor::disk, 0);
  OutputFile::commit_all(complete);
}

}  // namespace cuimg
