// SPDX-License-Identifier: Apache-2.0
// `cuimg checksum`: whether two files hold the same pixels.
#include "image/checksum.h"

#include "base/error.h"
#include "base/json.h"
#include "commands.h"
#include "stages/analyse/report_heading.h"

namespace cuimg {
namespace {

struct Checksum {};

int run_checksum(const void*, const std::vector<std::string>& files, const CommonOptions& common) {
  return for_each_file("checksum", files, common.json, [&](const std::string& file) {
    const OpenParts parts = open_parts(ByteSource::open(file), common);
    for (const int number : parts.numbers) {
      const Image image = read_part_of(parts, number, file);
      ReportSubject about{file};
      if (parts.numbers.size() > 1) about.part = number;
      const std::string sum = pixel_checksum(image);
      if (common.json) {
        Json object = report_object(about, image.spec());
        object.set("sha256", sum);
        print(object.line());
      } else {
        print(sum + "  " + printable(report_heading(about, image.spec())) + "\n");
      }
    }
  });
}

}  // namespace

Command checksum_command() {
  const Description description = describe<Checksum>("checksum", "SHA-256 of the decoded pixels")
                                      .details(
                                          "The sum covers size, pixel type, channel names and "
                                          "values: files of different formats "
                                          "or compression that hold the same pixels have the same "
                                          "sum. Window positions, colour "
                                          "encoding and metadata do not count. Of a file of "
                                          "several parts each has a sum of its "
                                          "own. Inks count as the RGB that is made of them and "
                                          "doubles as float, with --raw too: compare also tells "
                                          "apart what is stored.")
                                      .example("cuimg checksum a.exr b.exr");
  return {description,
          "FILE...",
          reading_options(),
          run_checksum,
          {part_of_all(),
           with_own_help("json",
                         "print an object a line for each file, or for each of its parts, "
                         "with the sum; of a file that fails with its error")}};
}

}  // namespace cuimg
