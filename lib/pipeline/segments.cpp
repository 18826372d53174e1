// SPDX-License-Identifier: Apache-2.0
#include "pipeline/segments.h"

namespace cuimg {

const Description& convert_command() {
  static const Description description =
      describe<NoOptions>("convert", "read, convert and write, without a stage")
          .details(
              "Changes the format, pixel type or encoding as the output's format and the common "
              "options require. Pixels that need no conversion keep their bits, and a JPEG made "
              "from a JPEG keeps its compressed blocks. An EXR in DWA is compressed again, which "
              "changes its pixels a little; with --in-place a warning says so.")
          .example("cuimg convert in.exr out.png")
          .example("cuimg convert --type half --compression zip in.tif out.exr");
  return description;
}

const Description& tee_segment() {
  static const Description description =
      describe<NoOptions>("tee", "write the chain's result so far and continue")
          .details(
              "Makes several results from one decoding: OUT is what a command with the stages "
              "before it would write. The stages after it continue from the same values, not from "
              "the file. OUT is a file, a folder (ending in /) or a pattern, as for -o.\n\nOutput "
              "options in its segment apply to OUT only, and those of other segments do not apply "
              "to it. --in-place and --no-clobber are exceptions: wherever they are given, "
              "--in-place makes each input the chain's OUTPUT, and --no-clobber keeps every "
              "existing file. At the end of a chain OUT is the chain's OUTPUT, and the files after "
              "it are inputs. The outputs of an image appear all together, or none of them.")
          .example("cuimg resize --size 1920x0 + tee big.jpg + resize --size 50% in.exr half.jpg")
          .example("cuimg resize --size 50% + tee --quality 80 'web/{stem}.jpg' renders");
  return description;
}

std::span<const PlainSegment> plain_segments() {
  static constexpr PlainSegment segments[] = {
      {tee_segment,
       "cuimg STAGE [options] + tee [options] OUT + STAGE [options] INPUT OUTPUT\n"
       "cuimg STAGE [options] + tee [options] OUT INPUT...",
       true},
      {convert_command, "cuimg convert [options] INPUT OUTPUT", false}};
  return segments;
}

}  // namespace cuimg
