// SPDX-License-Identifier: Apache-2.0
// The texture unit converts 8 and 16 bit integers to floats when it reads. Unsigned ones become 0
// to 1 and signed ones -1 to 1, where the two most negative codes both become -1. The codes are in
// the host's memory, and the kernel reads them across the bus.
#include <cstdint>
#include <limits>

#include "common/sample.h"
#include "kernels/texture/texture_unit.h"
#ifdef __CUDACC__
#include "texture/objects.h"
#endif

using namespace cuimg;
using namespace cuimg::samples;

template <class T>
constexpr std::size_t code_count = std::size_t{1} << (8 * sizeof(T));

// The programming guide's formula.
template <class T>
float promoted(T code) {
  constexpr float largest = std::numeric_limits<T>::max();
  return std::numeric_limits<T>::is_signed && code == std::numeric_limits<T>::min()
             ? -1.0f
             : static_cast<float>(code) / largest;
}

template <class T>
std::vector<float> fetch_on_card();

template <class T>
std::vector<float> fetch_on_cpu() {
  std::vector<T> codes;
  for (std::size_t i = 0; i < code_count<T>; ++i) codes.push_back(static_cast<T>(i));
  const Texture1D<T, 1> texture{codes.data(), static_cast<int>(codes.size())};
  std::vector<float> values;
  for (int i = 0; i < texture.width; ++i) values.push_back(decode(texture.texel(i)).v[0]);
  return values;
}

#ifdef __CUDACC__
__global__ void fetch_all(cudaTextureObject_t texture, float* values, int count) {
  const int step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += step)
    values[i] = tex1Dfetch<float>(texture, i);
}

template <class T>
std::vector<float> fetch_on_card() {
  const MappedArray<T> codes(code_count<T>);
  const MappedArray<float> values(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<T>(i);
  const TextureHandle texture =
      new_texture(in_memory(codes.device(), codes.size()), Sampler{.filter = Filter::point},
                  cudaReadModeNormalizedFloat);
  // The book's launch. It works with any number of threads, because each strides over the codes.
  fetch_all<<<2, 384>>>(texture.get(), values.device(), static_cast<int>(values.size()));
  check_launch("fetch_all");
  wait();  // the kernel writes to the host's memory, which we read next
  return {values.host(), values.host() + values.size()};
}
#endif

template <class T>
std::vector<float> fetch(bool on_card) {
  if constexpr (build::has_cuda)
    if (on_card) return fetch_on_card<T>();
  return fetch_on_cpu<T>();
}

// Adds a row. @returns the number of codes whose value differs from the formula.
template <class T>
std::size_t promote(bool on_card, Table& table, const std::string& type) {
  const std::vector<float> values = fetch<T>(on_card);
  std::size_t wrong_codes = 0;
  const auto value = [&](int code) { return values[static_cast<T>(code) & (values.size() - 1)]; };
  for (std::size_t i = 0; i < values.size(); ++i)
    wrong_codes += values[i] != promoted(static_cast<T>(i));
  const int least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  table.row({type, values.size(), Cell(value(least), 6), Cell(value(least + 1), 6),
             Cell(value(1), 9), Cell(value(most), 6), wrong_codes});
  return wrong_codes;
}

int main(int argc, char** argv) {
  Sample program("texture/tex1dfetch_int2float", "integers become floats in the texture unit",
                 Runs::on_card_or_cpu);
  return program.run(argc, argv, [&](Report& report) {
    Table table{"", {"type", "codes", "least", "next", "1", "largest", "wrong"}};
    const std::size_t wrong_codes =
        promote<std::int8_t>(report.on_card(), table, "signed char") +
        promote<std::uint8_t>(report.on_card(), table, "unsigned char") +
        promote<std::int16_t>(report.on_card(), table, "short") +
        promote<std::uint16_t>(report.on_card(), table, "unsigned short");
    report.show(table);
    report.check(wrong_codes == 0, "every code becomes what the guide's formula says");
    std::size_t codes = 0;
    for (const auto& row : table.rows) codes += static_cast<std::size_t>(row[1].number);
    report.headline(text("%zu of %zu codes are not as the formulas have them", wrong_codes, codes));
  });
}
