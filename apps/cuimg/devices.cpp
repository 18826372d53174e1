// SPDX-License-Identifier: Apache-2.0
// `cuimg devices`: lists the cards, whether they can be used, and the formats that they filter
// exactly.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/json.h"
#include "commands.h"
#include "device/queue.h"

namespace cuimg {
namespace {

struct Devices {
  bool check = true;
};

std::string cuda_version(int number) {
  return number == 0 ? "absent" : fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

double gibibytes(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

void print_json(const DeviceList& list, const Queue& cpu) {
  Json devices = Json::list();
  for (const DeviceInfo& d : list.devices)
    devices.push(Json::object(
        {{"index", d.index},
         {"name", d.name},
         {"compute_capability", fmt::format("{}.{}", d.compute_major, d.compute_minor)},
         {"total_memory_bytes", d.total_memory_bytes},
         {"free_memory_bytes", d.free_memory_bytes},
         {"multiprocessors", d.multiprocessors},
         {"usable", d.problem.empty()},
         {"problem", d.problem},
         {"exact_formats", d.exact_formats},
         {"differing_formats", d.differing_formats}}));
  print(Json::object({{"cpu", Json::object({{"threads", cpu.threads()}})},
                      {"cuda", devices},
                      {"driver_version", cuda_version(list.driver_version)},
                      {"runtime_version", cuda_version(list.runtime_version)},
                      {"problem", list.problem}})
            .line());
}

void print_text(const DeviceList& list, const Queue& cpu) {
  print(fmt::format("{}\n", cpu.name()));
  for (const DeviceInfo& d : list.devices) {
    print(
        fmt::format("cuda:{} ({}): compute {}.{}, {} multiprocessors, {:.1f} of {:.1f} GiB free\n",
                    d.index, d.name, d.compute_major, d.compute_minor, d.multiprocessors,
                    gibibytes(d.free_memory_bytes), gibibytes(d.total_memory_bytes)));
    if (!d.problem.empty()) print("  cannot be used: " + printable(d.problem) + "\n");
    if (!d.exact_formats.empty())
      print(fmt::format("  filters exactly in hardware: {}\n", fmt::join(d.exact_formats, " ")));
    if (!d.differing_formats.empty())
      print(fmt::format("  read by point and weighted in shared arithmetic: {}\n",
                        fmt::join(d.differing_formats, " ")));
  }
  if (!list.problem.empty()) print("no CUDA card: " + printable(list.problem) + "\n");
  print(fmt::format("CUDA driver {}, runtime {}\n", cuda_version(list.driver_version),
                    cuda_version(list.runtime_version)));
}

int run_devices(const void* values, const std::vector<std::string>& operands,
                const CommonOptions& common) {
  expect_no_operands("devices", operands);
  const DeviceList list = list_devices(static_cast<const Devices*>(values)->check);
  (common.json ? print_json : print_text)(list, Queue::cpu(common.threads));
  return 0;
}

}  // namespace

Command devices_command() {
  const Description description =
      describe<Devices>("devices", "list the CPU and the CUDA cards that can be used")
          .param("check", &Devices::check,
                 "compare each card's texture filtering with the definition in software")
          .details(
              "A texture format whose filtering differs from the definition is read by point and "
              "weighted in arithmetic that all devices share, so results are the same bytes on "
              "every card.");
  return {description,
          "",
          {"json", "threads", "help"},
          run_devices,
          {with_own_help(
              "json", "print the CPU, the cards and the driver as one JSON object on one line")}};
}

}  // namespace cuimg
