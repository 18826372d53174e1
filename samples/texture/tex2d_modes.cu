// SPDX-License-Identifier: Apache-2.0
// What a texture returns beyond its edges: the picture again (wrap), its mirror image, its edge
// (clamp), or a colour (border). Each axis has its own mode. The picture is drawn --repeats times
// across and down, as a PNG.
#include <algorithm>
#include <cstdint>

#include "common/picture.h"
#include "common/sample.h"
#include "kernels/math/quantize.h"
#include "kernels/texture/texture_unit.h"
#include "texture/letter.h"
#ifdef __CUDACC__
#include "texture/objects.h"
#endif

using namespace cuimg;
using namespace cuimg::samples;

constexpr int texture_size = 64, panel_size = 256;

// The coordinate that pixel i of a panel reads. The panel is `repeats` pictures wide, and the
// texture itself is the middle one, or the one before the middle. A picture is 1 wide if
// normalised, otherwise texture_size, so a pixel is repeats * texture_size / panel_size texels.
CUIMG_HD float coordinate(int i, int repeats, bool normalized) {
  const float pictures = (static_cast<float>(i) + 0.5f) * static_cast<float>(repeats) / panel_size -
                         static_cast<float>((repeats - 1) / 2);
  return normalized ? pictures : pictures * texture_size;
}

CUIMG_HD Rgba quantized(const Pixel<4>& pixel) {
  Rgba result;
  for (int c = 0; c < 4; ++c) result.v[c] = float_to_unorm8(pixel.v[c]);
  return result;
}

std::vector<Rgba> draw_on_cpu(const std::vector<Rgba>& texels, const Sampler& sampler,
                              int repeats) {
  const Texture2D<std::uint8_t, 4> texture{texels.data(), texture_size * sizeof(Rgba), texture_size,
                                           texture_size};
  std::vector<Rgba> panel;
  for (int y = 0; y < panel_size; ++y)
    for (int x = 0; x < panel_size; ++x)
      panel.push_back(quantized(sample(texture, sampler, coordinate(x, repeats, sampler.normalized),
                                       coordinate(y, repeats, sampler.normalized))));
  return panel;
}

std::vector<Rgba> draw_on_card(const std::vector<Rgba>& texels, const Sampler&, int repeats);

#ifdef __CUDACC__
__global__ void draw(cudaTextureObject_t texture, int repeats, bool normalized, Rgba* panel) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= panel_size || y >= panel_size) return;
  const float4 read = tex2D<float4>(texture, coordinate(x, repeats, normalized),
                                    coordinate(y, repeats, normalized));
  panel[y * panel_size + x] = quantized({{read.x, read.y, read.z, read.w}});
}

std::vector<Rgba> draw_on_card(const std::vector<Rgba>& texels, const Sampler& sampler,
                               int repeats) {
  std::vector<uchar4> as_cuda_has_them;
  for (const auto& [v] : texels) as_cuda_has_them.push_back({v[0], v[1], v[2], v[3]});
  const ArrayHandle array = array_of(as_cuda_has_them, texture_size, texture_size);
  const TextureHandle texture = new_texture(in_array(array), sampler, cudaReadModeNormalizedFloat);
  const DeviceArray<Rgba> panel(static_cast<std::size_t>(panel_size) * panel_size);
  const dim3 block(32, 8), grid(panel_size / block.x, panel_size / block.y);
  draw<<<grid, block>>>(texture.get(), repeats, sampler.normalized, panel.get());
  check_launch("draw");
  return panel.to_host();
}
#endif

std::vector<Rgba> draw_panel(bool on_card, const std::vector<Rgba>& texels, const Sampler& sampler,
                             int repeats) {
  if constexpr (build::has_cuda)
    if (on_card) return draw_on_card(texels, sampler, repeats);
  return draw_on_cpu(texels, sampler, repeats);
}

// The index of the texel that a point read returns, computed in integers; -1 for the border.
int texel_at(int i, int repeats, Address address) {
  const int n = texture_size;
  int at = (2 * i + 1) * repeats * n / (2 * panel_size) - (repeats - 1) / 2 * n;
  if (address == Address::wrap) return (at % n + n) % n;
  if (address == Address::mirror) {
    at = (at % (2 * n) + 2 * n) % (2 * n);
    return at < n ? at : 2 * n - 1 - at;
  }
  if (address == Address::border) return at < 0 || at >= n ? -1 : at;
  return at < 0 ? 0 : at >= n ? n - 1 : at;
}

bool equal(const Rgba& a, const Rgba& b) { return std::equal(a.v, a.v + 4, b.v); }

int main(int argc, char** argv) {
  const std::vector<std::pair<std::string, Address>> modes = {{"wrap", Address::wrap},
                                                              {"mirror", Address::mirror},
                                                              {"clamp", Address::clamp},
                                                              {"border", Address::border}};
  const std::vector<std::string> words = {"wrap", "mirror", "clamp", "border", "all"};
  int repeats = 5;
  bool linear = false, texel_coordinates = false;
  std::string x_mode = "all", y_mode = "all", out = "tex2d_modes.png";
  Sample program("texture/tex2d_modes", "wrap, mirror, clamp and border, axis by axis: a picture",
                 Runs::on_card_or_cpu);
  program.option("repeats", repeats, "pictures across and down", 1, 9)
      .option("x", x_mode, "mode across", words)
      .option("y", y_mode, "mode down", words)
      .option("linear", linear, "filter, so that the seams show")
      .option("unnormalized", texel_coordinates, "texel coordinates: wrap and mirror mean clamp")
      .option("out", out, "the picture");
  return program.run(argc, argv, [&](Report& report) {
    const auto texels = letter(texture_size);
    const Rgba border = {{200, 140, 40, 255}};
    const bool normalized = !texel_coordinates;
    Sheet sheet(x_mode == "all" ? 4 : 1, panel_size, panel_size);
    int pixels = 0, differ = 0, miscounted = 0;
    for (const auto& [y_name, down] : modes)
      for (const auto& [x_name, along] : modes) {
        if ((x_mode != "all" && x_mode != x_name) || (y_mode != "all" && y_mode != y_name))
          continue;
        Sampler sampler{{along, down}, linear ? Filter::linear : Filter::point, normalized};
        for (int c = 0; c < 4; ++c) sampler.border[c] = unorm8_to_float(border.v[c]);
        const auto panel = draw_panel(report.on_card(), texels, sampler, repeats);
        sheet.add(panel.front().v);
        pixels += static_cast<int>(panel.size());
        const auto emulated = draw_on_cpu(texels, sampler, repeats);
        for (std::size_t i = 0; i < panel.size(); ++i) {
          differ += !equal(panel[i], emulated[i]);
          const int pixel = static_cast<int>(i);
          const int x = texel_at(pixel % panel_size, repeats, effective_address(along, normalized));
          const int y = texel_at(pixel / panel_size, repeats, effective_address(down, normalized));
          const auto texel = static_cast<std::size_t>(y * texture_size + x);
          miscounted += !equal(panel[i], x < 0 || y < 0 ? border : texels[texel]);
        }
      }
    sheet.write(out);
    report.wrote(out, "wrap, mirror, clamp, border: across in columns, down in rows");
    report.check_on_card(differ == 0, "every pixel equals the software unit's");
    if (!linear)
      report.check(miscounted == 0, "every pixel is the texel that whole numbers count to");
    report.headline(linear
                        ? text("%d pixels differ from the software unit's", differ)
                        : text("of %d pixels %d are not the texel counted to", pixels, miscounted));
  });
}
