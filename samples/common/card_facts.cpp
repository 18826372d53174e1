// SPDX-License-Identifier: Apache-2.0
#include "common/card_facts.h"

#include <charconv>
#include <fstream>

#include "common/sample.h"
#include "device/cuda/cuda_check.h"

namespace cuimg::samples {
namespace {

// "580.95.05" of "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release ..."
std::string driver_release() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  while (file >> word)
    if (word.find_first_not_of("0123456789.") == word.npos && word.find('.') != word.npos)
      return word;
  return "";
}

}  // namespace

bool use_device(const std::string& sample, const std::string& device, bool cpu_is_fine) {
  int index = 0;
  const char* end = device.data() + device.size();
  const bool numbered =
      device.starts_with("cuda:") && std::from_chars(device.data() + 5, end, index).ptr == end;
  if (device != "auto" && device != "cpu" && device != "cuda" && !numbered)
    throw Error(sample, "--device " + device + " is unknown",
                cpu_is_fine ? "use auto, cpu, cuda or cuda:N" : "use cuda or cuda:N");
  if (device == "cpu" && !cpu_is_fine)
    throw Error(sample, "--device cpu: this sample is about the card", "use cuda or cuda:N");
  if (device == "cpu") return false;
  int count = 0;
  // Without a driver the call fails, which also means that there is no card.
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  if (index >= count) {
    if (device == "auto" && cpu_is_fine) return false;
    throw Skipped(count == 0 ? "there is no card" : "there is no " + device);
  }
  checked("cudaSetDevice", [&] { return cudaSetDevice(index); });
  return true;
}

CardFacts card_facts() {
  int device = 0, version = 0;
  cudaDeviceProp properties;
  checked("cudaGetDevice", [&] { return cudaGetDevice(&device); });
  checked("cudaGetDeviceProperties", [&] { return cudaGetDeviceProperties(&properties, device); });
  checked("cudaDriverGetVersion", [&] { return cudaDriverGetVersion(&version); });
  return {properties.name, "driver " + driver_release() + ", CUDA " +
                               std::to_string(version / 1000) + "." +
                               std::to_string(version % 1000 / 10)};
}

}  // namespace cuimg::samples
