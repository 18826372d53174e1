// SPDX-License-Identifier: Apache-2.0
// Conversion's launches. Types are chosen inside one kernel: memory, not the choice, takes its
// time.
#include <memory>

#include "image/row_convert.h"
#include "image/srgb_tables.h"
#include "stages/conversion.h"
#include "stages/cuda_words.cuh"

namespace cuimg {
namespace {

struct ConvertPixel {
  PixelConversion c;
  ColorTables from_tables, to_tables;
  Rect covered;
  ByteRows source;

  template <class Stored>
  __device__ void load(const char* texel, float* light) const {
    pixel_to_working(reinterpret_cast<const Stored*>(texel), c.from.channels, c.from.encoding,
                     from_tables, light);
  }

  __device__ void decode_texel(int x, int y, float* light) const {
    const char* texel = source.texel(x, y);
    switch (static_cast<PixelType>(c.from.type)) {
      case PixelType::u8:
        return load<std::uint8_t>(texel, light);
      case PixelType::u16:
        return load<std::uint16_t>(texel, light);
      case PixelType::half:
        return load<Half>(texel, light);
      case PixelType::f32:
        return load<float>(texel, light);
      case PixelType::u32:
        return load<std::uint32_t>(texel, light);
    }
  }

  template <class Stored>
  __device__ void save(const float* light, void* texel) const {
    working_to_pixel(light, c.to.channels, c.to.encoding, to_tables, static_cast<Stored*>(texel));
  }

  __device__ TexelWords operator()(int x, int y) const {
    float light[4] = {0, 0, 0, 0}, mapped[4] = {0, 0, 0, 0};
    if (contains(covered, x, y)) decode_texel(x, y, light);
    if (c.maps_channels) convert_light(c, light, mapped);
    const float* result = c.maps_channels ? mapped : light;
    TexelWords texel = {};
    switch (static_cast<PixelType>(c.to.type)) {
      case PixelType::u8:
        save<std::uint8_t>(result, &texel);
        break;
      case PixelType::u16:
        save<std::uint16_t>(result, &texel);
        break;
      case PixelType::half:
        save<Half>(result, &texel);
        break;
      case PixelType::f32:
        save<float>(result, &texel);
        break;
      case PixelType::u32:
        save<std::uint32_t>(result, &texel);
        break;
    }
    return texel;
  }
};

// Texels of the same form, zero where the source has none.
struct MovePixel {
  Rect covered;
  ByteRows source;

  __device__ TexelWords operator()(int x, int y) const {
    return contains(covered, x, y) ? source.words(x, y) : TexelWords{};
  }
};

// The exact sRGB tables in device memory, for as long as one conversion is queued.
class DeviceColorTables {
 public:
  DeviceColorTables(CudaQueue& queue, PixelType type, const Transfer& transfer) {
    const ColorTables host = color_tables(type, transfer);
    if (host.srgb8) tables_.srgb8 = copy(queue, eight_, *host.srgb8);
    if (host.srgb16) tables_.srgb16 = copy(queue, sixteen_, *host.srgb16);
  }
  const ColorTables& get() const { return tables_; }

 private:
  template <class T>
  static const T* copy(CudaQueue& queue, std::unique_ptr<DeviceTable<T>>& slot, const T& table) {
    slot = std::make_unique<DeviceTable<T>>(queue, std::span<const T>(&table, 1));
    return slot->data();
  }
  std::unique_ptr<DeviceTable<Srgb8Tables>> eight_;
  std::unique_ptr<DeviceTable<Srgb16Tables>> sixteen_;
  ColorTables tables_;
};

}  // namespace

void convert_on_cuda(const Queue& queue, const LayerConversion& conversion, const Frame& source,
                     const Frame& target) {
  CudaQueue& card = queue.card();
  const Rect covered = intersection(source.region(), target.region());
  if (conversion.moves_only)
    return make_texels(card, "move_pixels", MovePixel{covered, ByteRows(source)}, target);
  const PixelConversion& c = conversion.pixel;
  const DeviceColorTables from_tables(card, source.format().type, c.from.encoding.transfer);
  const DeviceColorTables to_tables(card, target.format().type, c.to.encoding.transfer);
  make_texels(card, "convert_pixels",
              ConvertPixel{c, from_tables.get(), to_tables.get(), covered, ByteRows(source)},
              target);
}

}  // namespace cuimg
