// SPDX-License-Identifier: Apache-2.0
// The card's texture unit compared with the software unit, bit for bit.
#include <bit>
#include <cmath>
#include <limits>

#include "card.h"
#include "device/cuda/cuda_copy.h"
#include "device/cuda/cuda_sample.h"
#include "kernels/texture/texture_unit.h"
#include "map_kernels.h"

namespace cuimg {
namespace {

constexpr int reads = 100000;
constexpr Address modes[] = {Address::wrap, Address::clamp, Address::mirror, Address::border};

class TextureUnit : public Card {};

std::vector<float2> coordinates(int width, int height, bool normalized) {
  std::mt19937 random(7);
  std::vector<float2> result;
  for (int i = 0; i < reads; ++i) {
    // Mostly around the picture, some far away, some exactly at texels' centres and edges.
    const auto one = [&](int size) {
      const double unit = random() * 0x1p-32;
      double x = (unit * 2.0 - 0.5) * size;
      if (i % 10 == 3) x = (unit * 40.0 - 20.0) * size;
      if (i % 10 == 7) x = std::floor(x * 2) / 2;
      return static_cast<float>(normalized ? x / size : x);
    };
    const float x = one(width);
    result.push_back({x, one(height)});
  }
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float strange[] = {nan, infinity, -infinity, -1e-30f, 1e30f, -1e30f, 0.0f, -0.0f};
  std::size_t i = 0;
  for (const float x : strange)
    for (const float y : strange) result[i++] = {x, y};
  return result;
}

// Either the card's texture unit filters, or a kernel with the software unit's arithmetic.
enum class Way { unit, weighed };

template <class T, int N>
void compare(const Queue& queue, const Image& image, Storage storage, const Sampler& sampler,
             const char* format, Way way) {
  const Rect window = image.spec().data_window;
  const Frame frame = upload(queue, image, storage);
  const std::vector<float2> at = coordinates(window.width, window.height, sampler.normalized);
  const DeviceTable<float2> device_at(queue.card(), std::span<const float2>(at));
  const DeviceTable<float4> device_out(queue.card(), at.size());
  if (way == Way::unit) {
    sample_texture(queue.card(), frame.card().texture(sampler), device_at.data(), device_out.data(),
                   reads);
  } else {
    sample_weighed(pitched_copy(queue.card(), frame).card(), sampler, device_at.data(),
                   device_out.data(), reads);
  }
  const std::vector<float4> out = device_out.to_host();
  const Texture2D<T, N> texture = {image.row(0, window.y), image.row_bytes(0), window.width,
                                   window.height};
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Pixel<N> expected = sample(texture, sampler, at[i].x, at[i].y);
    const float got[4] = {out[i].x, out[i].y, out[i].z, out[i].w};
    for (int c = 0; c < N; ++c)
      ASSERT_EQ(std::bit_cast<std::uint32_t>(got[c]), std::bit_cast<std::uint32_t>(expected.v[c]))
          << format << " x" << N << (storage == Storage::array ? " array" : " pitched")
          << (sampler.filter == Filter::linear ? " linear" : " point") << " mode "
          << static_cast<int>(sampler.address[0]) << " normalized " << sampler.normalized << " at ("
          << at[i].x << ", " << at[i].y << ") channel " << c << ": " << got[c] << " not "
          << expected.v[c];
  }
}

template <class T, int N>
void compare_all(const Queue& queue, PixelType type, const Rect& window, Way way = Way::unit) {
  const Image image = random_image(window, type, N);
  int k = 0;
  for (const Storage storage : {Storage::array, Storage::pitched})
    for (const bool normalized : {false, true})
      for (const Filter filter : {Filter::point, Filter::linear})
        for (const Address address : modes) {
          // Wrap and mirror exist only for normalised coordinates.
          if (!normalized && (address == Address::wrap || address == Address::mirror)) continue;
          Sampler sampler;
          sampler.filter = filter;
          sampler.normalized = normalized;
          sampler.address[0] = sampler.address[2] = address;
          // With any mode allowed, the axes may have different ones.
          sampler.address[1] = normalized && ++k % 2 ? modes[k / 2 % 4] : address;
          constexpr float border[4] = {0.3f, 1.0f, 0.0f, 0.77f};
          std::copy(border, border + 4, sampler.border);
          compare<T, N>(queue, image, storage, sampler, std::string(name_of(type)).c_str(), way);
        }
}

template <class T>
void compare_counts(const Queue& queue, PixelType type) {
  compare_all<T, 4>(queue, type, {0, 0, 61, 47});
  compare_all<T, 2>(queue, type, {3, -8, 20, 33});
  compare_all<T, 1>(queue, type, {0, 0, 129, 5});
}

TEST_F(TextureUnit, ReadsBytesAsTheSoftwareUnit) {
  compare_counts<std::uint8_t>(queue(), PixelType::u8);
}
TEST_F(TextureUnit, ReadsWordsAsTheSoftwareUnit) {
  compare_counts<std::uint16_t>(queue(), PixelType::u16);
}
TEST_F(TextureUnit, ReadsHalvesAsTheSoftwareUnit) {
  compare_counts<Half>(queue(), PixelType::half);
}
TEST_F(TextureUnit, ReadsFloatsAsTheSoftwareUnit) {
  compare_counts<float>(queue(), PixelType::f32);
}

// The longer side decides the number of bits of both coordinates.
TEST_F(TextureUnit, ReadsLongTexturesAsTheSoftwareUnit) {
  compare_all<float, 1>(queue(), PixelType::f32, {0, 0, 8193, 3});
  compare_all<float, 1>(queue(), PixelType::f32, {0, 0, 3, 8193});
  compare_all<float, 4>(queue(), PixelType::f32, {0, 0, 2, 16385});
  compare_all<std::uint8_t, 1>(queue(), PixelType::u8, {0, 0, 40000, 5});
}

TEST_F(TextureUnit, TexelsWeighedByAKernelGiveTheSame) {
  const Rect window{-4, 9, 61, 47};
  compare_all<std::uint8_t, 4>(queue(), PixelType::u8, window, Way::weighed);
  compare_all<std::uint16_t, 4>(queue(), PixelType::u16, window, Way::weighed);
  compare_all<Half, 4>(queue(), PixelType::half, window, Way::weighed);
  compare_all<float, 4>(queue(), PixelType::f32, window, Way::weighed);
}

TEST_F(TextureUnit, PassesItsOwnCheck) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32})
    EXPECT_TRUE(card().filters_exactly(type)) << name_of(type);
  EXPECT_FALSE(card().filters_exactly(PixelType::u32));
}

TEST_F(TextureUnit, ThreeWidenedChannelsReadAsThree) {
  const Image image = random_image({0, 0, 77, 51}, PixelType::u16, 3);
  Sampler sampler;
  const std::vector<float2> at = coordinates(77, 51, false);
  const DeviceTable<float2> device_at(card(), std::span<const float2>(at));
  const Texture2D<std::uint16_t, 3> texture = {image.row(0, 0), image.row_bytes(0), 77, 51};
  for (const Storage storage : {Storage::array, Storage::pitched}) {
    const Frame frame = upload(queue(), image, storage);
    const DeviceTable<float4> out(card(), at.size());
    sample_texture(card(), frame.card().texture(sampler), device_at.data(), out.data(), reads);
    const std::vector<float4> got = out.to_host();
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Pixel<3> expected = sample(texture, sampler, at[i].x, at[i].y);
      ASSERT_EQ(got[i].x, expected.v[0]);
      ASSERT_EQ(got[i].y, expected.v[1]);
      ASSERT_EQ(got[i].z, expected.v[2]);
    }
  }
}

TEST_F(TextureUnit, AKernelReadsATextureAndWritesASurfaceOrRows) {
  const Image image = random_image({0, 0, 45, 31}, PixelType::half, 4);
  const Frame source = upload(queue(), image, Storage::array);
  const Texture2D<Half, 4> texture = {image.row(0, 0), image.row_bytes(0), 45, 31};
  const Sampler sampler;
  for (const Storage storage : {Storage::array, Storage::pitched}) {
    const Frame target = queue().allocate({{-7, 100, 90, 62}, PixelType::f32, 4, storage});
    enlarge_twice(source.card(), target.card(), sampler);
    const Image result = download(queue(), target);
    for (int y = 0; y < 62; ++y)
      for (int x = 0; x < 90; ++x) {
        const Pixel<4> expected = sample(texture, sampler, (static_cast<float>(x) + 0.5f) * 0.5f,
                                         (static_cast<float>(y) + 0.5f) * 0.5f);
        ASSERT_EQ(std::memcmp(result.row(0, 100 + y) + x * 16, expected.v, 16), 0) << x << " " << y;
      }
  }
}

TEST_F(TextureUnit, ObjectsAreKeptWithTheirPixels) {
  const Frame frame = queue().allocate({{0, 0, 64, 64}, PixelType::u8, 4, Storage::array});
  Sampler linear, point;
  point.filter = Filter::point;
  const cudaTextureObject_t first = frame.card().texture(linear);
  EXPECT_EQ(frame.card().texture(linear), first);
  EXPECT_NE(frame.card().texture(point), first);
  EXPECT_NE(frame.card().texture(point, TextureRead::element), frame.card().texture(point));
  EXPECT_EQ(frame.card().surface(), frame.card().surface());
  // There are more samplers than the cache keeps, and each must still be the requested one.
  for (int i = 0; i < 40; ++i) {
    Sampler sampler;
    sampler.border[0] = static_cast<float>(i) / 40;
    EXPECT_NE(frame.card().texture(sampler), 0u);
  }
}

TEST_F(TextureUnit, AViewThatDoesNotFitIsRefused) {
  const Frame rows = queue().allocate({{0, 0, 8, 8}, PixelType::half, 4, Storage::pitched});
  EXPECT_THROW((rows.card().rows_view<float, 4>()), Error);
  EXPECT_THROW((rows.card().rows_view<Half, 2>()), Error);
  EXPECT_THROW((rows.card().surface_view<Half, 4>()), Error);
  EXPECT_NO_THROW((rows.card().rows_view<Half, 4>()));
}

}  // namespace
}  // namespace cuimg
