// SPDX-License-Identifier: Apache-2.0
// `cuimg checksum`: prints checksums that show whether two files contain the same pixels, and
// checks files against such a list.
#include "image/checksum.h"
#include "base/contains.h"

#include <map>
#include <set>

#include "base/bytes.h"
#include "base/error.h"
#include "base/json.h"
#include "base/message_text.h"
#include "checksum_list.h"
#include "commands.h"
#include "image/scratch.h"
#include "pipeline/pixel_memory.h"
#include "stages/analyse/report_heading.h"

namespace cuimg {
namespace {

struct Checksum {
  bool check = false;
};

void print_sums_of(const std::string& file, const CommonOptions& common) {
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
      print(sum_line({sum, file, about.part}, image.spec().part_name));
    }
  }
}

// The present sum for a line; empty if the file has other parts than the line.
// @param numbers receives those of the file's parts.
std::string sum_now(const ListedSum& listed, const CommonOptions& common,
                    std::vector<int>& numbers) {
  const OpenParts parts = open_parts(ByteSource::open(listed.file), common);
  numbers = parts.numbers;
  if (!listed.part && parts.numbers.size() > 1) return "";
  const int number = listed.part.value_or(parts.numbers.front());
  if (!contains(parts.numbers, number)) return "";
  return pixel_checksum(read_part_of(parts, number, listed.file));
}

// @param listed without a sum: the list lacks this part of a file.
void report_check(const ListedSum& listed, const std::string& sum, const CommonOptions& common) {
  const bool is_same = sum == listed.sum, is_listed = !listed.sum.empty();
  if (common.json) {
    Json object = Json::object({{"file", listed.file}});
    if (listed.part) object.set("part", *listed.part);
    object.set("expected", is_listed ? Json(listed.sum) : Json());
    object.set("sha256", sum.empty() ? Json() : Json(sum));
    object.set("same", is_same);
    print(object.line());
  } else if (!is_same || !common.quiet) {
    print(name_of(listed) + (is_same     ? ": OK\n"
                             : is_listed ? ": FAILED\n"
                                         : ": FAILED not in the list\n"));
  }
}

// Parts that were added to files since their parts were listed, without sums.
std::vector<ListedSum> parts_not_listed(const std::vector<ListedSum>& sums,
                                        const std::map<std::string, std::vector<int>>& parts) {
  std::map<std::string, std::set<int>> listed;
  for (const ListedSum& sum : sums)
    if (sum.part) listed[sum.file].insert(*sum.part);
  std::vector<ListedSum> others;
  for (const auto& [file, numbers] : listed)
    if (const auto there = parts.find(file); there != parts.end())
      for (const int number : there->second)
        if (!numbers.contains(number)) others.push_back({"", file, number});
  return others;
}

void warn_of_failures(std::size_t count, std::size_t all, const std::string& what) {
  if (count > 0)
    std::fputs(("cuimg: checksum: " + std::to_string(count) + " of " + std::to_string(all) + " " +
                what + "\n")
                   .c_str(),
               stderr);
}

int check_lists(const std::vector<std::string>& lists, const CommonOptions& common) {
  if (common.recursive || !common.files_from.empty() || !common.frames.empty() ||
      !common.include.patterns.empty() || !common.exclude.patterns.empty())
    throw Error("checksum", "--check is given, and options that choose files",
                "the list names the files");
  if (lists.empty()) throw Error("checksum", "no LIST", "name one or more, or - for a pipe");
  std::vector<ListedSum> sums;
  for (const std::string& list : lists) {
    const std::shared_ptr<const ByteSource> source = ByteSource::open_text(list);
    for (ListedSum& listed : parse_sums(text_of_bytes(source->bytes()), source->name()))
      sums.push_back(std::move(listed));
  }
  std::size_t differing = 0, failed = 0, added = 0;
  std::map<std::string, std::vector<int>> parts;  // by file
  const auto check = [&](const ListedSum& listed, std::size_t& counter) {
    const int code = for_each_file("checksum", {listed.file}, common.json, [&](const auto&) {
      const std::string sum = sum_now(listed, common, parts[listed.file]);
      report_check(listed, sum, common);
      counter += sum != listed.sum;
    });
    if (code == 0) return;
    ++failed;
    if (!common.json) print(name_of(listed) + ": FAILED open or read\n");
  };
  for (const ListedSum& listed : sums) check(listed, differing);
  for (const ListedSum& part : parts_not_listed(sums, parts)) check(part, added);
  warn_of_failures(differing, sums.size(), differing == 1 ? "sums differs" : "sums differ");
  warn_of_failures(failed, sums.size(), "could not be read");
  if (added > 0)
    say("checksum: " + counted(static_cast<std::int64_t>(added), "part") +
        (added == 1 ? " is not in the list" : " are not in the list"));
  return failed > 0 ? 2 : differing + added > 0 ? 1 : 0;
}

int run_checksum(const void* values, const std::vector<std::string>& operands,
                 const CommonOptions& common) {
  // Images that do not fit into memory are kept in files while they are read.
  const Scratch scratch(scratch_folder(common), memory_for_pixels(common));
  if (static_cast<const Checksum*>(values)->check) return check_lists(operands, common);
  return for_each_input("checksum", operands, common,
                        [&](const std::string& file) { print_sums_of(file, common); });
}

}  // namespace

Command checksum_command() {
  const Description description =
      describe<Checksum>("checksum", "SHA-256 of the decoded pixels")
          .param("check", &Checksum::check, short_name('c'),
                 "read sums from the FILEs and check each file that they list")
          .details(
              "The sum covers size, pixel type, channel names and values: files with the same "
              "pixels have the same sum, whatever their format or compression. Window positions, "
              "colour encoding and metadata do not count. Each part of a file has a sum of its "
              "own. For CMYK the converted RGB counts, and for double the conversion to float, "
              "with --raw too; compare also checks the stored values.\n\nLines look like those of "
              "sha256sum: the sum, two spaces and the name. In a line that begins with a backslash "
              "the name is escaped with \\\\, \\n or \\xNN. --check reads such a list, made with "
              "the same options. It exits with 0 if all sums are the same, with 1 if one differs "
              "or "
              "a file has a part that the list lacks, and with 2 if a file cannot be read.")
          .example("cuimg checksum a.exr b.exr")
          .example("cuimg checksum -r renders > renders.sums")
          .example("cuimg checksum --check renders.sums");
  std::vector<std::string> common = listing_options();
  common.insert(common.end(), {"quiet", "max-memory", "scratch"});
  std::vector<Parameter> reworded = listing_wordings(
      "print one object a line for each file, or for each of its parts, with the sum; for a file "
      "that fails, with the error");
  reworded.push_back(with_own_help("quiet", "with --check, print no lines for files that are OK"));
  reworded.push_back(with_own_help(
      "max-memory", "host memory: an image that needs more lies in --scratch while it is read"));
  return {description, "FILE...", common, run_checksum, reworded};
}

}  // namespace cuimg
