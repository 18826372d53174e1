// SPDX-License-Identifier: Apache-2.0
// Replays samples of a real texture unit through the software unit.
#include "kernels/texture_replay.h"

#include <functional>
#include <iomanip>
#include <sstream>
#include <stdexcept>

#include "device/cpu/texture_rows.h"
#include "kernels/texture/texture_rows.h"
#include "kernels/texture/texture_unit.h"

namespace cuimg::test {
namespace {

// Properties that the names of blocks leave out, in one place.
constexpr Address modes[4] = {Address::wrap, Address::clamp, Address::mirror, Address::border};

Sampler sampler_of(Address x, Address y, Filter filter, bool normalized) {
  Sampler sampler;
  sampler.address[0] = x;
  sampler.address[1] = sampler.address[2] = y;
  sampler.filter = filter;
  sampler.normalized = normalized;
  return sampler;
}

Sampler linear_clamp(bool normalized = false) {
  return sampler_of(Address::clamp, Address::clamp, Filter::linear, normalized);
}

// One replay: the blocks of a capture, and the tally of differences.
struct Replay {
  const Capture& capture;
  Tally& tally;
  std::string name;
  bool first_reading = true;  // of these samples; repeated readings are not counted again

  const Block& block(const std::string& block_name) const {
    const auto found = capture.find(block_name);
    if (found == capture.end()) throw std::runtime_error("no block " + block_name);
    return found->second;
  }

  // Compares the result of `read(point)` with every sample of `name`.
  template <class Read>
  void each(Read&& read) const {
    const Block& points = block(name + "_p");
    const Block& outputs = block(name + "_o");
    if (points.count != outputs.count) throw std::runtime_error("unequal counts in " + name);
    for (std::size_t i = 0; i < points.count; ++i) {
      const float* point = points.as<float>() + i * points.components;
      const auto pixel = read(point);
      if (first_reading) ++tally.samples;
      tally.compare(name, i, point, points.components, outputs.as<float>() + i * outputs.components,
                    pixel.v, outputs.components);
    }
  }

  // Reads a 2D texture by the definition and by both row readers.
  template <class T, int N>
  void each_2d(const Texture2D<T, N>& texture, const Sampler& sampler) const {
    each([&](const float* p) { return sample(texture, sampler, p[0], p[1]); });

    const Block& points = block(name + "_p");
    std::vector<float> x, y;
    for (std::size_t i = 0; i < points.count; ++i) {
      x.push_back(points.as<float>()[i * points.components]);
      y.push_back(points.as<float>()[i * points.components + 1]);
    }
    const auto count = static_cast<std::ptrdiff_t>(points.count);
    std::vector<Pixel<N>> portable(points.count), best(points.count);
    sample_row(texture, sampler, x.data(), y.data(), count, portable[0].v);
    const TextureView2D view{texture.data,   texture.pitch_bytes, texture.width,
                             texture.height, texel_type(T{}),     N};
    sample_row(view, sampler, x.data(), y.data(), count, best[0].v);
    const Replay again{capture, tally, name, false};
    again.each([&, i = std::size_t{0}](const float*) mutable { return portable[i++]; });
    again.each([&, i = std::size_t{0}](const float*) mutable { return best[i++]; });
  }

  static TexelType texel_type(float) { return TexelType::f32; }
  static TexelType texel_type(Half) { return TexelType::half; }
  static TexelType texel_type(std::uint8_t) { return TexelType::u8; }
  static TexelType texel_type(std::uint16_t) { return TexelType::u16; }
  static TexelType texel_type(std::int8_t) { return TexelType::s8; }
  static TexelType texel_type(std::int16_t) { return TexelType::s16; }
  static TexelType texel_type(Srgb8) { return TexelType::srgb8; }

  template <class T>
  Texture2D<T, 4> texture_2d(const std::string& texels, int width) const {
    const Block& data = block(texels);
    return {data.bytes.data(), width * sizeof(Texel<T, 4>), width,
            static_cast<int>(data.count) / width};
  }

  // Calls use(T{}), where T is the texel type of `format` (f32, u8s, ...).
  template <class Use>
  static void with_format(const std::string& format, const Use& use) {
    if (format == "f32" || format == "f32r") return use(float{});
    if (format == "f16") return use(Half{});
    if (format == "u8") return use(std::uint8_t{});
    if (format == "u8s") return use(Srgb8{});
    if (format == "s8") return use(std::int8_t{});
    if (format == "u16") return use(std::uint16_t{});
    if (format == "s16") return use(std::int16_t{});
    throw std::runtime_error("unknown format " + format);
  }

  // b: the four weights, from one-hot texels.
  void weights() const {
    float texels[16] = {};
    for (int i = 0; i < 4; ++i) texels[i * 4 + i] = 1;
    each_2d(Texture2D<float, 4>{texels, 32, 2, 2}, linear_clamp());
  }

  // c: random texels of every format.
  void values() const {
    const std::string format = name.substr(1);
    with_format(format, [&](auto type) {
      using T = decltype(type);
      const std::string texels = format == "f32r" ? "Cf32_v" : name + "_v";
      each_2d(texture_2d<T>(texels, 64), linear_clamp());
    });
  }

  // e: E_width_mode_linear_normalised, texels that contain their index + 1.
  void addresses() const {
    int width, mode, linear, normalized;
    if (sscanf(name.c_str(), "E_%d_%d_%d_%d", &width, &mode, &linear, &normalized) != 4)
      throw std::runtime_error("unknown name " + name);
    Sampler sampler = sampler_of(modes[mode], modes[mode], linear ? Filter::linear : Filter::point,
                                 normalized != 0);
    sampler.border[0] = -5;
    ramp(width, 1, sampler);
  }

  // j: J_width_linear, texels that contain their index.
  void large_widths() const {
    int width, linear;
    if (sscanf(name.c_str(), "J_%d_%d", &width, &linear) != 2)
      throw std::runtime_error("unknown name " + name);
    Sampler sampler = linear_clamp(true);
    sampler.filter = linear ? Filter::linear : Filter::point;
    ramp(width, 0, sampler);
  }

  void ramp(int width, float first, const Sampler& sampler) const {
    // The card's texture had a second, equal row, because the border would otherwise be mixed in.
    std::vector<float> texels(static_cast<std::size_t>(width) * 2);
    for (int i = 0; i < width; ++i)
      texels[static_cast<std::size_t>(i)] = texels[static_cast<std::size_t>(width + i)] =
          first + static_cast<float>(i);
    each_2d(Texture2D<float, 1>{texels.data(), static_cast<std::size_t>(width) * 4, width, 2},
            sampler);
  }

  // g: the eight weights, from texels that are one-hot in one slice.
  void weights_3d() const {
    const int slice = name[1] - '0';
    float texels[32] = {};
    for (int i = 0; i < 4; ++i) texels[slice * 16 + i * 4 + i] = 1;
    const Texture3D<float, 4> texture{texels, 32, 64, 2, 2, 2};
    each([&](const float* p) { return sample(texture, linear_clamp(), p[0], p[1], p[2]); });
  }

  // h: every code, with point reads.
  template <class T, int N>
  void table(int first_code) const {
    const Block& outputs = block(name);
    for (std::size_t i = 0; i < outputs.count; ++i) {
      Texel<T, N> texel;
      const auto code = static_cast<T>(static_cast<int>(i) + first_code);
      for (T& channel : texel.v) channel = code;
      codes(texel, i, outputs);
    }
  }

  template <class T, int N>
  void codes(const Texel<T, N>& texel, std::size_t index, const Block& outputs) const {
    Sampler sampler = linear_clamp();
    sampler.filter = Filter::point;
    const auto pixel = sample(Texture2D<T, N>{&texel, sizeof texel, 1, 1}, sampler, 0.5f, 0.5f);
    // In a texture of one channel the other channels are 0.
    float padded[4] = {};
    for (int c = 0; c < N; ++c) padded[c] = pixel.v[c];
    const auto code = static_cast<float>(index);
    ++tally.samples;
    tally.compare(name, index, &code, 1, outputs.as<float>() + index * outputs.components, padded,
                  outputs.components);
  }

  void srgb_table() const {
    const Block& outputs = block(name);
    for (std::size_t i = 0; i < outputs.count; ++i) {
      const Srgb8 code{static_cast<std::uint8_t>(i)};
      codes(Texel<Srgb8, 4>{{code, code, code, code}}, i, outputs);
    }
  }

  // k: 12x12x12.
  template <class T>
  void volume(const std::string& texels, const Sampler& sampler) const {
    const Texture3D<T, 4> texture{block(texels).bytes.data(),
                                  12 * sizeof(Texel<T, 4>),
                                  144 * sizeof(Texel<T, 4>),
                                  12,
                                  12,
                                  12};
    each([&](const float* p) { return sample(texture, sampler, p[0], p[1], p[2]); });
  }

  void volumes() const {
    if (name == "Kwrap")
      return volume<float>("Kf32_v",
                           sampler_of(Address::wrap, Address::wrap, Filter::linear, true));
    if (name == "Kmir")
      return volume<float>("Kf32_v",
                           sampler_of(Address::mirror, Address::mirror, Filter::linear, true));
    with_format(name.substr(1),
                [&](auto type) { volume<decltype(type)>(name + "_v", linear_clamp()); });
  }

  // l: Lformat_xy in arrays, Lpitchformat_mode in pitched memory.
  void borders() const {
    const bool pitched = name.starts_with("Lpitch");
    const std::size_t underscore = name.find('_');
    const std::size_t start = pitched ? 6 : 1;
    const std::string format = name.substr(start, underscore - start);
    const int x = name.at(underscore + 1) - '0';
    const int y = pitched ? x : name.at(underscore + 2) - '0';
    const bool normalized = !pitched || x == 0 || x == 2;
    Sampler sampler = sampler_of(modes[x], modes[y], Filter::linear, normalized);
    const float colour[4] = {0.25f, -0.7f, 100.0f, 3.0f};
    for (int c = 0; c < 4; ++c) sampler.border[c] = colour[c];
    with_format(format, [&](auto type) {
      each_2d(texture_2d<decltype(type)>("L" + format + "_v", 24), sampler);
    });
  }

  // m: special values, unusual coordinates, 1D, mip levels, cubemaps.
  void specials() const {
    if (name.starts_with("Mf32") || name.starts_with("Mf16")) {
      Sampler sampler = linear_clamp();
      if (name.ends_with("pt")) sampler.filter = Filter::point;
      const std::string format = name.substr(1, 3);
      return with_format(format, [&](auto type) {
        each_2d(texture_2d<decltype(type)>("M" + format + "_v", 64), sampler);
      });
    }
    if (name.starts_with("Mco")) return coordinates();
    if (name == "M1d") {
      const Texture1D<float, 4> texture{block("M1d_v").bytes.data(), 64};
      return each([&](const float* p) { return sample(texture, linear_clamp(), p[0]); });
    }
    if (name.starts_with("Mmip")) return levels();
    cubemap();
  }

  void coordinates() const {
    const int mode = name[4] - '0';
    std::vector<Pixel<4>> texels;
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 64; ++x)
        texels.push_back({{static_cast<float>(x), static_cast<float>(y), 1, 0}});
    each_2d(Texture2D<float, 4>{texels.data(), 64 * 16, 64, 4},
            sampler_of(modes[mode], modes[mode], name[6] == '1' ? Filter::linear : Filter::point,
                       mode == 0 || mode == 2));
  }

  void levels() const {
    const char* data = block(name + "_v").bytes.data();
    Texture2D<float, 4> views[7];
    for (int l = 0, size = 64; l < 7; ++l, size /= 2) {
      const auto pitch = static_cast<std::size_t>(size) * 16;
      views[l] = {data, pitch, size, size};
      data += pitch * static_cast<std::size_t>(size);
    }
    each([&](const float* p) {
      return sample_level(MipTexture2D<float, 4>{views, 7}, linear_clamp(true), p[0], p[1], p[2]);
    });
  }

  void cubemap() const {
    std::vector<Pixel<4>> texels;
    for (int face = 0; face < 6; ++face)
      for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x)
          texels.push_back(
              {{static_cast<float>(face), static_cast<float>(x), static_cast<float>(y), 1}});
    Texture2D<float, 4> faces[6];
    for (int face = 0; face < 6; ++face)
      faces[face] = {&texels[static_cast<std::size_t>(face) * 256], 256, 16, 16};
    Sampler sampler = linear_clamp(true);
    if (name == "Mcube0") sampler.filter = Filter::point;
    each([&](const float* p) {
      return sample_cube(CubeTexture<float, 4>{faces}, sampler, p[0], p[1], p[2]);
    });
  }

  // n: NsizeFormat, seamless cubemaps with directions whose largest component is 1.
  void seamless() const {
    const int size = name.at(1) - '0';
    with_format(name.substr(2), [&](auto type) {
      using T = decltype(type);
      const char* texels = block(name + "_v").bytes.data();
      const std::size_t row = static_cast<std::size_t>(size) * sizeof(Texel<T, 4>);
      Texture2D<T, 4> faces[6];
      for (std::size_t face = 0; face < 6; ++face)
        faces[face] = {texels + face * row * static_cast<std::size_t>(size), row, size, size};
      each([&](const float* p) {
        return sample_cube(CubeTexture<T, 4>{faces}, linear_clamp(true), p[0], p[1], p[2], true);
      });
    });
  }

  void run() const {
    if (name == "H_u8") return table<std::uint8_t, 4>(0);
    if (name == "H_srgb") return srgb_table();
    if (name == "H_s8") return table<std::int8_t, 1>(-128);
    if (name == "H_u16") return table<std::uint16_t, 1>(0);
    if (name == "H_s16") return table<std::int16_t, 1>(-32768);
    switch (name[0]) {
      case 'B':
        return weights();
      case 'C':
        return values();
      case 'E':
        return addresses();
      case 'J':
        return large_widths();
      case 'G':
        return weights_3d();
      case 'I':
        return each_2d(texture_2d<float>("I_v", 2), linear_clamp());
      case 'K':
        return volumes();
      case 'L':
        return borders();
      case 'M':
        return specials();
      case 'N':
        return seamless();
      default:
        throw std::runtime_error("unknown name " + name);
    }
  }
};

std::string in_words(const float* values, std::size_t count) {
  std::ostringstream text;
  for (std::size_t i = 0; i < count; ++i)
    text << (i ? ", " : "") << std::setprecision(9) << values[i] << " [" << std::hex
         << bits_of(values[i]) << std::dec << "]";
  return text.str();
}

}  // namespace

void Tally::fail(const std::string& why) {
  if (different++ == 0) first_difference = why;
}

void Tally::compare(const std::string& name, std::size_t index, const float* point,
                    std::size_t coordinates, const float* expected, const float* got,
                    std::size_t components) {
  for (std::size_t c = 0; c < components; ++c) {
    if (bits_of(expected[c]) == bits_of(got[c])) continue;
    return fail(name + " sample " + std::to_string(index) + " at " + in_words(point, coordinates) +
                ": the card " + in_words(expected, components) + ", ours " +
                in_words(got, components));
  }
}

Tally replay(const Capture& capture) {
  Tally tally;
  for (const auto& [name, block] : capture) {
    if (name.starts_with("H_"))
      Replay{capture, tally, name}.run();
    else if (name.ends_with("_o"))
      Replay{capture, tally, name.substr(0, name.size() - 2)}.run();
  }
  return tally;
}

}  // namespace cuimg::test
