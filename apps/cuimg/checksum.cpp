// SPDX-License-Identifier: Apache-2.0
// `cuimg checksum`: whether two files hold the same pixels.
#include "image/checksum.h"

#include "base/error.h"
#include "base/json.h"
#include "commands.h"

namespace cuimg {
namespace {

struct Checksum {};

int run_checksum(const void*, const std::vector<std::string>& files, const CommonOptions& common) {
  return for_each_file("checksum", files, [&](const std::string& file) {
    const std::string sum = pixel_checksum(read_image(file, verbose_decode_options(common)));
    if (!common.json) {
      print(sum + "  " + printable(file) + "\n");
      return;
    }
    print(Json::object({{"file", file}, {"sha256", sum}}).line());
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
                                          "encoding and metadata do not count.")
                                      .example("cuimg checksum a.exr b.exr");
  return {description, "FILE...", reading_options(), run_checksum};
}

}  // namespace cuimg
