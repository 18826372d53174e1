// SPDX-License-Identifier: Apache-2.0
// The data that a card keeps of a pass from picture to picture: its operations, and the tables that
// they and the texels' types read.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "device/cuda/cuda_queue.h"
#include "image/row_convert.h"
#include "image/srgb_tables.h"
#include "stages/pass/grey_fours.h"
#include "stages/pass/pass_ops.cuh"
#include "stages/pass/pass_texels.cuh"
#include "stages/pass/scaled_shorts.h"
#include "stages/pass/stored_form.h"

namespace cuimg {

/// The tables that every block of a pass keeps in shared memory: ByteCodes, then Srgb16Short.
struct SharedTables {
  const std::uint32_t* words = nullptr;
  int count = 0;
  bool has_bytes = false, has_shorts = false;
  const float* thresholds = nullptr;

  /// Copied by all threads of a block, which must synchronise before the first read.
  __device__ TexelTables copied_to(std::uint32_t* shared, int thread, int threads) const {
    for (int i = thread; i < count; i += threads) shared[i] = __ldg(words + i);
    TexelTables tables;
    if (has_bytes) tables.bytes = reinterpret_cast<const ByteCodes*>(shared);
    if (has_shorts)
      tables.shorts = reinterpret_cast<const Srgb16Short*>(
          shared + (has_bytes ? sizeof(ByteCodes) / sizeof(std::uint32_t) : 0));
    tables.thresholds = thresholds;
    return tables;
  }
};

// Operations with a hundred steps per pixel or more.
template <class Op>
constexpr bool is_long_op = false;
template <class Curve>
constexpr bool is_long_op<ToneMap<Curve>> = true;
template <TransferCurve curve>
constexpr bool is_long_op<DecodeCurve<curve>> = true;
template <TransferCurve curve>
constexpr bool is_long_op<EncodeCurve<curve>> = true;
template <>
inline constexpr bool is_long_op<LogDecode> = true;
template <>
inline constexpr bool is_long_op<LogEncode> = true;

inline bool has_long_op(const PixelPass& pass) {
  return std::ranges::any_of(pass.ops, [](const PixelOp& any) {
    bool is = false;
    any.visit([&](const auto& op) { is = is_long_op<std::decay_t<decltype(op)>>; });
    return is;
  });
}

struct PassOnCard {
  /// @param pixels that the pass processes the first time.
  PassOnCard(CudaQueue& queue, const PixelPass& pass, std::int64_t pixels)
      : from(typed(pass.from)),
        to(typed(pass.to)),
        is_long(has_long_op(pass)),
        scaled(ScaledShorts::of(queue, pass)),
        queue_(queue),
        pixels_(pixels) {
    keep_color_tables();
    for (const PixelOp& op : decoding(left_to_ops(pass.from, from), pass.from.shape)) add(op);
    choose(pass.ops);
    for (PixelOp op : pass.ops) {
      place(op);
      add(op);
    }
    for (const PixelOp& op : encoding(left_to_ops(pass.to, to), pass.to.shape)) add(op);
    if (is_grey(pass.from.shape) && is_grey(pass.to.shape)) fours = of_fours(ops);
  }

  TypedForm from, to;
  OpList ops;
  std::optional<OpList> fours;  ///< `ops` on grey_fours, if all have such a form.
  SharedTables shared;
  bool is_long;
  std::unique_ptr<const ScaledShorts> scaled;  ///< Null for most passes.

 private:
  using Table = DeviceTable<float>;

  static TypedForm typed(const PixelForm& form) {
    TypedForm typed;
    typed.form = form;
    const int alpha = form.encoding.alpha_index;
    typed.has_alpha = alpha == 3;
    typed.srgb = form.encoding.transfer.curve == TransferCurve::srgb;
    if (form.shape.channels < 3 || (alpha >= 0 && alpha != 3)) return typed;
    const bool by_texel = typed.srgb || form.encoding.transfer.curve == TransferCurve::linear;
    switch (static_cast<PixelType>(form.type)) {
      case PixelType::u8:
        typed.kind = TexelKind::bytes;
        break;
      case PixelType::u16:
        typed.kind = TexelKind::shorts;
        break;
      case PixelType::half:
        typed.kind = TexelKind::halves;
        return typed;
      case PixelType::f32:
        typed.kind = TexelKind::floats;
        return typed;
      case PixelType::u32:
        return typed;
    }
    typed.straight = by_texel && form.encoding.straight_alpha;
    return typed;
  }

  // The part of a form's encoding that its texels do not perform.
  static Encoding left_to_ops(const PixelForm& form, const TypedForm& typed) {
    Encoding rest = form.encoding;
    const bool is_whole = typed.kind == TexelKind::bytes || typed.kind == TexelKind::shorts;
    if (typed.tables.srgb8 != nullptr || typed.tables.srgb16 != nullptr || (is_whole && typed.srgb))
      rest.transfer = {};
    if (typed.straight) rest.straight_alpha = false;
    return rest;
  }

  void keep_color_tables() {
    const auto takes = [&](TexelKind kind, bool in_srgb) {
      return (from.kind == kind && (from.srgb || !in_srgb)) ||
             (to.kind == kind && (to.srgb || !in_srgb));
    };
    std::vector<std::uint32_t> words;
    const auto append = [&](const auto& table) {
      const std::size_t before = words.size();
      words.resize(before + sizeof table / sizeof(std::uint32_t));
      std::memcpy(words.data() + before, &table, sizeof table);
    };
    if (takes(TexelKind::bytes, false)) {
      ByteCodes codes = {};
      for (int i = 0; i < 256; ++i)
        codes.light[i] = from.kind == TexelKind::bytes && from.srgb
                             ? srgb8_tables().decode[i]
                             : unorm8_to_float(static_cast<std::uint8_t>(i));
      std::ranges::copy(codes_of_bits(), codes.srgb);
      append(codes);
      shared.has_bytes = true;
    }
    if (takes(TexelKind::shorts, true)) {
      append(srgb16_short());
      shared.has_shorts = true;
      thresholds_.emplace(queue_, std::span<const float>(srgb16_tables().thresholds));
      shared.thresholds = thresholds_->data();
    }
    if (!words.empty()) {
      shared_.emplace(queue_, std::span<const std::uint32_t>(words));
      shared.words = shared_->data();
      shared.count = static_cast<int>(words.size());
    }
    for (TypedForm* form : {&from, &to}) {
      if (form->kind != TexelKind::any) continue;
      const ColorTables host =
          color_tables(static_cast<PixelType>(form->form.type), form->form.encoding.transfer);
      if (host.srgb8 != nullptr) form->tables.srgb8 = kept(eight_, *host.srgb8);
      if (host.srgb16 != nullptr) form->tables.srgb16 = kept(sixteen_, *host.srgb16);
    }
  }
  template <class T>
  const T* kept(std::optional<DeviceTable<T>>& slot, const T& table) {
    if (!slot) slot.emplace(queue_, std::span<const T>(&table, 1));
    return slot->data();
  }

  void add(const PixelOp& op) { ops.ops[ops.count++] = op; }
  static std::optional<OpList> of_fours(OpList list) {
    for (int i = 0; i < list.count; ++i) {
      const std::optional<PixelOp> op = op_of_grey_fours(list.ops[i]);
      if (!op) return std::nullopt;
      list.ops[i] = *op;
    }
    return list;
  }
  const float* keep(Table&& table) { return tables_.emplace_back(std::move(table)).data(); }

  // Small tables go into one.
  void choose(const std::vector<PixelOp>& given) {
    std::vector<float> small;
    bool some = false, large = false, numbers = false, agx = false;
    for (const PixelOp& any : given)
      any.visit([&](const auto& op) {
        using Op = std::decay_t<decltype(op)>;
        numbers = numbers || has_many_numbers<Op>;
        agx = agx || is_agx<Op>;
        if constexpr (TableOp<Op>) {
          some = true;
          large = large || is_grid<Op> ||
                  small.size() + static_cast<std::size_t>(op.table_size) > most_small_floats;
          if (!large) small.insert(small.end(), op.table, op.table + op.table_size);
        }
      });
    const auto kernel_of = [&](bool has_many) {
      if (large || (some && has_many)) return PassTables::any;
      if (has_many) return PassTables::many_numbers;
      return some ? PassTables::small : PassTables::none;
    };
    ops.tables = kernel_of(numbers);
    ops.tables_of_four_floats = kernel_of(numbers || agx);
    if (ops.tables != PassTables::small) return;
    ops.small_floats = static_cast<int>(small.size());
    ops.small_tables = next_small_ = keep(Table(queue_, std::span<const float>(small)));
  }

  void place(PixelOp& any) {
    any.visit([&](auto op) {
      if constexpr (TableOp<decltype(op)>) {
        if (ops.tables == PassTables::small) {
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

  // Worth its time if there are many more pixels than cells.
  template <class Op>
  void lay_out_cells(Op& op) {
    // 64 MB, which is also the limit of packed positions
    constexpr std::int64_t most_cells = 1 << 19;
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

  CudaQueue& queue_;  // only while it is being made
  std::int64_t pixels_;
  std::optional<DeviceTable<std::uint32_t>> shared_;
  std::optional<DeviceTable<float>> thresholds_;
  std::optional<DeviceTable<Srgb8Tables>> eight_;
  std::optional<DeviceTable<Srgb16Tables>> sixteen_;
  std::vector<Table> tables_;
  const float* next_small_ = nullptr;
};

}  // namespace cuimg
