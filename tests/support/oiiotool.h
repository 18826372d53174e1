// SPDX-License-Identifier: Apache-2.0
// Runs oiiotool on a picture, for tests that compare with it if it is installed.
#pragma once

#include <string>

#include "image/image.h"
#include "io/codec.h"
#include "support/process.h"

namespace cuimg::test {

inline bool has_oiiotool() { return run({"oiiotool", "--version"}).exit == 0; }

/// The result of `oiiotool IMAGE WORDS...` for an image with values as they are stored.
inline Image oiiotool(const Image& image, std::vector<std::string> words) {
  const TempDir folder;
  write_image(folder / "in.exr", image, *codec_named("exr"));
  words.insert(words.begin(), {"oiiotool", folder / "in.exr"});
  words.insert(words.end(), {"-o", folder / "out.exr"});
  const Outcome outcome = run(words);
  if (outcome.exit != 0) throw std::runtime_error("oiiotool: " + outcome.err + outcome.out);
  DecodeOptions options;
  options.raw = true;
  return read_image(folder / "out.exr", options);
}

}  // namespace cuimg::test
