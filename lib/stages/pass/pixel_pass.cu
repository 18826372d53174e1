// SPDX-License-Identifier: Apache-2.0
// The launches of passes over pixels. Types and operations are chosen inside one kernel: memory,
// not the choice, takes its time.
#include <memory>

#include "image/row_convert.h"
#include "stages/pass/pass_ops.cuh"
#include "stages/pass/pass_texels.cuh"

namespace cuimg {
namespace {

constexpr int pass_threads = 256;

/// Blocks along rows; of an array 16 columns wide, for its sectors are two rows high.
template <class Target>
constexpr dim3 pass_block = Target::is_array ? dim3(16, pass_threads / 16) : dim3(pass_threads);

/// @tparam pixels that one thread takes, so that enough loads are in flight and an operation is
/// chosen once for all of them.
template <PassTables tables, int pixels, class Source, class Target>
__global__ void __launch_bounds__(pass_threads)
    pass_kernel(const __grid_constant__ OpList ops, PixelShape shape, Source source, Target target,
                Rect region) {
  __shared__ float table[tables == PassTables::small ? most_small_floats : 1];
  constexpr dim3 block = pass_block<Target>;
  constexpr int step = block.x;
  const int y =
      region.y + static_cast<int>(block.y == 1 ? blockIdx.y : blockIdx.y * block.y + threadIdx.y);
  const int first = region.x + static_cast<int>(blockIdx.x * block.x * pixels + threadIdx.x);
  float v[pixels][4] = {};
  source.row(y).template load<pixels>(first, step, v);
  if constexpr (tables == PassTables::small) {
    const auto thread =
        static_cast<int>(block.y == 1 ? threadIdx.x : threadIdx.y * block.x + threadIdx.x);
    for (int i = thread; i < ops.small_floats; i += pass_threads)
      table[i] = __ldg(ops.small_tables + i);
    __syncthreads();
  }
  ops.run<tables, pixels>(v, shape, table);
  target.row(y, region).template store<pixels>(first, step, v);
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
  /// @param pixels that the pass makes.
  DeviceOps(CudaQueue& queue, const PixelPass& pass, const ColorTables& from, const ColorTables& to,
            std::int64_t pixels)
      : queue_(queue), pixels_(pixels) {
    for (const PixelOp& op : decoding(beyond_tables(pass.from.encoding, from), pass.from.shape))
      add(op);
    choose(pass.ops);
    for (PixelOp op : pass.ops) {
      place(op);
      add(op);
    }
    for (const PixelOp& op : encoding(beyond_tables(pass.to.encoding, to), pass.to.shape)) add(op);
  }
  const OpList& list() const { return list_; }

 private:
  using Table = DeviceTable<float>;
  void add(const PixelOp& op) { list_.ops[list_.count++] = op; }
  const float* keep(Table&& table) { return tables_.emplace_back(std::move(table)).data(); }

  // Small tables go into one.
  void choose(const std::vector<PixelOp>& ops) {
    std::vector<float> small;
    bool some = false, large = false;
    for (const PixelOp& any : ops)
      any.visit([&](const auto& op) {
        if constexpr (TableOp<std::decay_t<decltype(op)>>) {
          some = true;
          large = large || is_grid<std::decay_t<decltype(op)>> ||
                  small.size() + static_cast<std::size_t>(op.table_size) > most_small_floats;
          if (!large) small.insert(small.end(), op.table, op.table + op.table_size);
        }
      });
    if (!some) return;
    list_.tables = large ? PassTables::any : PassTables::small;
    if (large) return;
    list_.small_floats = static_cast<int>(small.size());
    list_.small_tables = next_small_ = keep(Table(queue_, std::span<const float>(small)));
  }

  void place(PixelOp& any) {
    any.visit([&](auto op) {
      if constexpr (TableOp<decltype(op)>) {
        if (list_.tables == PassTables::small) {
          op.table = next_small_;
          next_small_ += op.table_size;
        } else {
          op.table =
              keep(Table(queue_, std::span(op.table, static_cast<std::size_t>(op.table_size))));
          if constexpr (is_grid<decltype(op)>) lay_out_cells(op);
        }
        any = op;
      }
    });
  }

  // Worth its time where there are many more pixels than cells.
  template <class Op>
  void lay_out_cells(Op& op) {
    constexpr std::int64_t most_cells = 1 << 19;  // 64 MB, and what packed places hold
    const std::int64_t side = op.size - 1, cells = side * side * side;
    if (cells > most_cells || 32 * cells > pixels_) return;
    Table lines(queue_, static_cast<std::size_t>(cells) * 4 * line_entries);
    constexpr unsigned threads = 128;
    make_cells_kernel<<<(static_cast<unsigned>(cells) + threads - 1) / threads, threads, 0,
                        queue_.stream()>>>(reinterpret_cast<const float4*>(op.table), op.size,
                                           reinterpret_cast<float4*>(lines.data()));
    check_launch("make_cells");
    op.table = keep(std::move(lines));
    op.in_cells = true;
  }

  CudaQueue& queue_;
  std::int64_t pixels_;
  std::vector<Table> tables_;
  const float* next_small_ = nullptr;
  OpList list_;
};

template <PassTables tables, int pixels, class Source, class Target>
void launch_kind(CudaQueue& card, const OpList& ops, PixelShape shape, const Source& source,
                 const Target& target, const Rect& region) {
  constexpr dim3 block = pass_block<Target>;
  for_parts(region, block, pixels, [&](const Rect& part, dim3 blocks) {
    pass_kernel<tables, pixels>
        <<<blocks, block, 0, card.stream()>>>(ops, shape, source, target, part);
    check_launch("pixel_pass");
  });
}

template <int pixels, class Source, class Target>
void launch(CudaQueue& card, const OpList& ops, PixelShape shape, const Source& source,
            const Target& target, const Rect& region) {
  if (region.empty()) return;
  switch (ops.tables) {
    case PassTables::none:
      return launch_kind<PassTables::none, pixels>(card, ops, shape, source, target, region);
    case PassTables::small:
      return launch_kind<PassTables::small, pixels>(card, ops, shape, source, target, region);
    case PassTables::any:
      return launch_kind<PassTables::any, pixels>(card, ops, shape, source, target, region);
  }
}

bool is_floats(const PixelForm& form) {
  return static_cast<PixelType>(form.type) == PixelType::f32;
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
  const DeviceOps ops(card, pass, from.get(), to.get(), target.region().pixels());
  const auto run = [&]<int pixels>(const auto& loads, const auto& stores,
                                   std::integral_constant<int, pixels>) {
    launch<pixels>(card, ops.list(), pass.from.shape, loads, stores, target.region());
  };
  const ByteRows rows(source);
  // Narrow texels want more of them under way.
  constexpr std::integral_constant<int, 2> two;
  constexpr std::integral_constant<int, 4> four;
  if (is_floats(pass.from) && is_floats(pass.to)) {
    if (target.card().is_array()) {
      const FloatArray array{ArrayMemory{target.card().surface()}, target.region(),
                             target.format().stored_channels()};
      if (rows.texel_bytes == 16) return run(FloatTexels<4>{covered, rows}, array, two);
      return run(FloatTexels<0>{covered, rows}, array, four);
    }
    const ByteRows made(target);
    if (rows.texel_bytes == 16 && made.texel_bytes == 16)
      return run(FloatTexels<4>{covered, rows}, FloatTexels<4>{target.region(), made}, two);
    return run(FloatTexels<0>{covered, rows}, FloatTexels<0>{target.region(), made}, four);
  }
  target.card().with_memory([&](const auto& memory) {
    run(TypedTexels{pass.from, from.get(), covered, rows},
        TypedTarget<std::decay_t<decltype(memory)>>{pass.to, to.get(), {target, memory}}, two);
  });
}

}  // namespace cuimg
