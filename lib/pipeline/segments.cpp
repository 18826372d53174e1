// SPDX-License-Identifier: Apache-2.0
#include "pipeline/segments.h"

namespace cuimg {

const Description& convert_command() {
  static const Description description =
      describe<NoOptions>("convert", "read, convert and write, without a stage")
          .details(
              "Changes format, pixel type or encoding as the output's format and the common "
              "options ask. Pixels that need no conversion keep their bits, and a JPEG that is "
              "made of a JPEG its compressed blocks.")
          .example("cuimg convert in.exr out.png")
          .example("cuimg convert --type half --compression zip in.tif out.exr");
  return description;
}

const Description& tee_segment() {
  static const Description description =
      describe<NoOptions>("tee", "write what the chain holds so far, and go on")
          .details(
              "One decoding, several results: OUT is what a command of the stages before would "
              "write, and the stages behind go on from the same values, not from the file. OUT is "
              "a file, a folder (ending in /) or a pattern, as -o has it.\n\n"
              "Output options in its segment are its own, and those of other segments are not "
              "(except that --no-clobber anywhere keeps every existing file). At the end of a "
              "chain OUT is the chain's OUTPUT, and the files after it are inputs. An image's "
              "outputs appear together, or none of them.")
          .example("cuimg resize --size 1920x0 + tee big.jpg + resize --size 50% in.exr half.jpg")
          .example("cuimg resize --size 50% + tee --quality 80 'web/{stem}.jpg' renders");
  return description;
}

std::span<const PlainSegment> plain_segments() {
  static constexpr PlainSegment segments[] = {
      {tee_segment, "cuimg STAGE [options] + tee [options] OUT [+ STAGE ...] INPUT OUTPUT", true},
      {convert_command, "cuimg convert [options] INPUT OUTPUT", false}};
  return segments;
}

}  // namespace cuimg
