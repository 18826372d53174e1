// SPDX-License-Identifier: Apache-2.0
// The launches of passes over pixels. Types and operations are chosen inside one kernel: memory,
// not the choice, takes its time.
#include <memory>

#include "image/row_convert.h"
#include "image/srgb_tables.h"
#include "stages/cuda_words.cuh"
#include "stages/pixel_pass.h"

namespace cuimg {
namespace {

// Pixels that one thread takes, so that enough loads are on their way at once and choosing an
// operation is paid for once.
constexpr int pixels_per_thread = 2;
constexpr int pass_threads = 256;

struct ApplyToAll {
  float (*v)[4];
  PixelShape* shape;

  template <class Op>
  __device__ void operator()(const Op& op) const {
    if constexpr (ValueOp<Op>)
      to_values(op);
    else
      to_pixels(op);
  }

  // Values are passed round rather than indexed: they stay in registers, although the loop's body,
  // which is long, stands there once.
  template <class Op>
  __device__ void to_values(const Op& op) const {
#pragma unroll 1
    for (int c = 0; c < 4; ++c) {
      const bool changes = has_channel(op.channels, c);
      float x[pixels_per_thread];
#pragma unroll
      for (int i = 0; i < pixels_per_thread; ++i) x[i] = v[i][0];
      if (changes) {
#pragma unroll
        for (int i = 0; i < pixels_per_thread; ++i) x[i] = op.value(x[i]);
      }
#pragma unroll
      for (int i = 0; i < pixels_per_thread; ++i) {
        v[i][0] = v[i][1];
        v[i][1] = v[i][2];
        v[i][2] = v[i][3];
        v[i][3] = x[i];
      }
    }
  }

  template <class Op>
  __device__ void to_pixels(const Op& op) const {
    PixelShape after = *shape;
#pragma unroll
    for (int i = 0; i < pixels_per_thread; ++i) {
      PixelShape each = *shape;
      op(v[i], each);
      after = each;
    }
    *shape = after;
  }
};

// The operations of a pass as one kernel argument.
struct OpList {
  PixelOp ops[most_pixel_ops + 4];  // a pass's own, and its decoding and encoding
  int count = 0;

  __device__ void operator()(float (*v)[4], PixelShape shape) const {
#pragma unroll 1
    for (int i = 0; i < count; ++i) ops[i].visit(ApplyToAll{v, &shape});
  }
};

// A channel of a texel in registers; c is a constant once loops are unrolled.
template <class Stored>
__device__ Stored channel_of(const TexelWords& texel, int c) {
  constexpr int per_word = 4 / sizeof(Stored);
  const std::uint32_t word = texel.word[c / per_word] >> (8 * sizeof(Stored) * (c % per_word));
  if constexpr (sizeof(Stored) == 4)
    return __builtin_bit_cast(Stored, word);
  else if constexpr (sizeof(Stored) == 2)
    return __builtin_bit_cast(Stored, static_cast<std::uint16_t>(word));
  else
    return static_cast<Stored>(word);
}

template <class Stored>
__device__ void set_channel(TexelWords& texel, int c, Stored value) {
  constexpr int per_word = 4 / sizeof(Stored);
  std::uint32_t word;
  if constexpr (sizeof(Stored) == 4)
    word = __builtin_bit_cast(std::uint32_t, value);
  else if constexpr (sizeof(Stored) == 2)
    word = __builtin_bit_cast(std::uint16_t, value);
  else
    word = value;
  texel.word[c / per_word] |= word << (8 * sizeof(Stored) * (c % per_word));
}

// Texels of any type as floats; integers in sRGB as light, by the exact tables. Other curves and
// alpha are operations.
struct TypedTexels {
  PixelForm form;
  ColorTables tables;
  Rect covered;
  ByteRows rows;

  template <class Stored>
  __device__ void load_as(const TexelWords& texel, float* v) const {
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      const Stored stored = channel_of<Stored>(texel, c);
      const bool is_light = c < form.shape.channels && c != form.encoding.alpha_index;
      v[c] = stored_to_float(stored);
      if constexpr (std::is_same_v<Stored, std::uint8_t>)
        if (tables.srgb8 && is_light) v[c] = srgb8_to_linear(*tables.srgb8, stored);
      if constexpr (std::is_same_v<Stored, std::uint16_t>)
        if (tables.srgb16 && is_light) v[c] = srgb16_to_linear(*tables.srgb16, stored);
    }
  }
  __device__ void load(int x, int y, float* v) const {
    if (!contains(covered, x, y)) return;
    const TexelWords texel = rows.words(x, y);
    switch (static_cast<PixelType>(form.type)) {
      case PixelType::u8:
        return load_as<std::uint8_t>(texel, v);
      case PixelType::u16:
        return load_as<std::uint16_t>(texel, v);
      case PixelType::half:
        return load_as<Half>(texel, v);
      case PixelType::f32:
        return load_as<float>(texel, v);
      case PixelType::u32:
        return load_as<std::uint32_t>(texel, v);
    }
  }
};

// Floats to texels of any type, likewise.
template <class Target>
struct TypedTarget {
  PixelForm form;
  ColorTables tables;
  Target target;

  template <class Stored>
  __device__ void encode(const float* v, TexelWords& texel) const {
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      if (c >= form.shape.channels) continue;
      const bool is_light = c != form.encoding.alpha_index;
      Stored stored = {};
      float_to_stored(v[c], stored);
      if constexpr (std::is_same_v<Stored, std::uint8_t>)
        if (tables.srgb8 && is_light) stored = linear_to_srgb8(*tables.srgb8, v[c]);
      if constexpr (std::is_same_v<Stored, std::uint16_t>)
        if (tables.srgb16 && is_light) stored = linear_to_srgb16(*tables.srgb16, v[c]);
      set_channel(texel, c, stored);
    }
  }
  __device__ void store(int x, int y, const float* v) const {
    TexelWords texel = {};
    switch (static_cast<PixelType>(form.type)) {
      case PixelType::u8:
        encode<std::uint8_t>(v, texel);
        break;
      case PixelType::u16:
        encode<std::uint16_t>(v, texel);
        break;
      case PixelType::half:
        encode<Half>(v, texel);
        break;
      case PixelType::f32:
        encode<float>(v, texel);
        break;
      case PixelType::u32:
        encode<std::uint32_t>(v, texel);
        break;
    }
    target.store(x, y, texel);
  }
};

// Four floats as they are: what most passes between stages read and write.
struct FloatTexels {
  Rect covered;
  ByteRows rows;

  __device__ void load(int x, int y, float* light) const {
    if (!contains(covered, x, y)) return;
    const float4 texel = __ldcs(reinterpret_cast<const float4*>(rows.texel(x, y)));
    light[0] = texel.x, light[1] = texel.y, light[2] = texel.z, light[3] = texel.w;
  }
  __device__ void store(int x, int y, const float* light) const {
    __stcs(reinterpret_cast<float4*>(rows.texel(x, y)),
           make_float4(light[0], light[1], light[2], light[3]));
  }
};

template <class Source, class Target>
__global__ void __launch_bounds__(pass_threads)
    pass_kernel(const __grid_constant__ OpList ops, PixelShape shape, Source source, Target target,
                Rect region) {
  const int y = region.y + static_cast<int>(blockIdx.y);
  const int first =
      region.x + static_cast<int>(blockIdx.x * pass_threads * pixels_per_thread + threadIdx.x);
  float v[pixels_per_thread][4] = {};
#pragma unroll
  for (int i = 0; i < pixels_per_thread; ++i)
    if (contains(region, first + i * pass_threads, y))
      source.load(first + i * pass_threads, y, v[i]);
  ops(v, shape);
#pragma unroll
  for (int i = 0; i < pixels_per_thread; ++i)
    if (contains(region, first + i * pass_threads, y))
      target.store(first + i * pass_threads, y, v[i]);
}

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

// What of a form's encoding the tables leave to an operation.
Encoding beyond_tables(const Encoding& encoding, const ColorTables& tables) {
  Encoding rest = encoding;
  if (tables.srgb8 || tables.srgb16) rest.transfer = {};
  return rest;
}

// The pass's operations between its decoding and its encoding, their tables in device memory for as
// long as the pass is queued.
class DeviceOps {
 public:
  DeviceOps(CudaQueue& queue, const PixelPass& pass, const ColorTables& from,
            const ColorTables& to) {
    for (const PixelOp& op : decoding(beyond_tables(pass.from.encoding, from), pass.from.shape))
      add(op);
    for (const PixelOp& op : pass.ops) {
      PixelOp placed = op;
      op.visit(Place{queue, placed, tables_});
      add(placed);
    }
    for (const PixelOp& op : encoding(beyond_tables(pass.to.encoding, to), pass.to.shape)) add(op);
  }
  const OpList& list() const { return list_; }

 private:
  using Tables = std::vector<std::unique_ptr<DeviceTable<float>>>;
  struct Place {
    CudaQueue& queue;
    PixelOp& placed;
    Tables& tables;
    template <class Op>
    void operator()(Op op) const {
      if constexpr (requires { op.table_size; }) {
        tables.push_back(std::make_unique<DeviceTable<float>>(
            queue, std::span(op.table, static_cast<std::size_t>(op.table_size))));
        op.table = tables.back()->data();
        placed = op;
      }
    }
  };
  void add(const PixelOp& op) { list_.ops[list_.count++] = op; }

  Tables tables_;
  OpList list_;
};

template <class Source, class Target>
void launch(CudaQueue& card, const OpList& ops, PixelShape shape, const Source& source,
            const Target& target, const Rect& region) {
  if (region.empty()) return;
  constexpr unsigned per_block = pass_threads * pixels_per_thread;
  // A grid has no more than 65,535 rows.
  constexpr int most_rows = 65535;
  for (int top = region.y; top < region.bottom(); top += most_rows) {
    Rect part = region;
    part.y = top;
    part.height = std::min(most_rows, region.bottom() - top);
    const dim3 blocks((static_cast<unsigned>(part.width) + per_block - 1) / per_block,
                      static_cast<unsigned>(part.height));
    pass_kernel<<<blocks, pass_threads, 0, card.stream()>>>(ops, shape, source, target, part);
    check_launch("pixel_pass");
  }
}

bool is_four_floats(const PixelForm& form, const Frame& frame) {
  return static_cast<PixelType>(form.type) == PixelType::f32 &&
         frame.format().stored_channels() == 4 && frame.format().storage == Storage::pitched;
}

}  // namespace

void run_pass_on_cuda(const Queue& queue, const PixelPass& pass, const Frame& source,
                      const Frame& target) {
  CudaQueue& card = queue.card();
  const Rect covered = intersection(source.region(), target.region());
  if (pass.moves_only)
    return make_texels(card, "move_pixels", MovePixel{covered, ByteRows(source)}, target);
  const DeviceColorTables from(card, source.format().type, pass.from.encoding.transfer);
  const DeviceColorTables to(card, target.format().type, pass.to.encoding.transfer);
  const DeviceOps ops(card, pass, from.get(), to.get());
  const auto run = [&](const auto& loads, const auto& stores) {
    launch(card, ops.list(), pass.from.shape, loads, stores, target.region());
  };
  if (is_four_floats(pass.from, source) && is_four_floats(pass.to, target))
    return run(FloatTexels{covered, ByteRows(source)},
               FloatTexels{target.region(), ByteRows(target)});
  const TypedTexels loads{pass.from, from.get(), covered, ByteRows(source)};
  if (target.format().storage == Storage::array)
    run(loads, TypedTarget<ByteSurface>{pass.to, to.get(), ByteSurface(target)});
  else
    run(loads, TypedTarget<ByteRows>{pass.to, to.get(), ByteRows(target)});
}

}  // namespace cuimg
