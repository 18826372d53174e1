// SPDX-License-Identifier: Apache-2.0
#include "stages/pass/code_table.h"

#include <algorithm>

#include "kernels/math/dispatch.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

constexpr int codes_of_channel = 256;

// The inputs on which an operation's values depend.
enum class Reads : std::uint8_t { each_itself, alpha_too, all };

template <class Op>
Reads reads(const Op& op) {
  if constexpr (ValueOp<Op>)
    return Reads::each_itself;
  else if constexpr (!ByChannelOp<Op>)
    return Reads::all;
  else if constexpr (std::is_same_v<Op, Limit>)
    return op.by_alpha < 0 ? Reads::each_itself : Reads::alpha_too;
  else if constexpr (std::is_same_v<Op, Premultiply> || std::is_same_v<Op, Unpremultiply>)
    return Reads::alpha_too;
  else
    return Reads::each_itself;
}

Reads reads(const PixelPass& pass) {
  const bool straight = pass.from.encoding.straight_alpha || pass.to.encoding.straight_alpha;
  Reads most = straight ? Reads::alpha_too : Reads::each_itself;
  for (std::size_t i = 0; i < pass.ops.size(); ++i)
    pass.ops[i].visit([&](const auto& op) {
      most = std::max(most, reads(op));
      // It marks pixels without light and alpha, for which a later operation may look.
      if constexpr (std::is_same_v<std::decay_t<decltype(op)>, Unpremultiply>)
        if (op.keeps_uncovered && i + 1 < pass.ops.size()) most = Reads::all;
    });
  return most;
}

bool same_shape(const PixelShape& a, const PixelShape& b) {
  return a.channels == b.channels && a.colors == b.colors && a.alpha == b.alpha;
}

bool is_u8(const PixelForm& form) { return static_cast<PixelType>(form.type) == PixelType::u8; }

template <int channels>
void look_up(const CodeTable& table, const std::uint8_t* from, std::uint8_t* to,
             std::size_t pixels) {
  const std::uint8_t* codes[channels];
  for (int c = 0; c < channels; ++c) codes[c] = table.codes().data() + table.first(c);
  const int alpha = table.alpha();
  for (const std::uint8_t* const end = from + channels * pixels; from != end;
       from += channels, to += channels) {
    const std::size_t row =
        alpha < 0 ? 0 : std::size_t{from[alpha]} * std::size_t{codes_of_channel};
    for (int c = 0; c < channels; ++c) to[c] = codes[c][(c == alpha ? 0 : row) + from[c]];
  }
}

}  // namespace

bool CodeTable::fits(const PixelPass& pass) {
  return !pass.moves_only && is_u8(pass.from) && is_u8(pass.to) &&
         same_shape(pass.from.shape, pass.to.shape) && reads(pass) != Reads::all;
}

std::int64_t CodeTable::cases(const PixelPass& pass) {
  return codes_of_channel * (reads(pass) == Reads::alpha_too ? codes_of_channel : 1);
}

CodeTable::CodeTable(const PixelPass& pass)
    : channels_(pass.from.shape.channels),
      alpha_(reads(pass) == Reads::alpha_too ? pass.from.shape.alpha : -1) {
  const bool by_alpha = alpha_ >= 0;
  FrameFormat format;
  format.region = {0, 0, codes_of_channel, by_alpha ? codes_of_channel : 1};
  format.type = PixelType::u8;
  format.channels = channels_;
  const Frame all = Frame::new_host(format), made = Frame::new_host(format);
  const auto at = [](const Frame& frame, int x, int y, int c) -> std::uint8_t& {
    return frame.pixel_as<std::uint8_t>(x, y)[c];
  };
  for (int y = 0; y < format.region.height; ++y)
    for (int x = 0; x < codes_of_channel; ++x)
      for (int c = 0; c < channels_; ++c)
        at(all, x, y, c) = static_cast<std::uint8_t>(c == alpha_ ? y : x);
  run_pass_on_cpu(pass, all, made);
  for (int c = 0; c < channels_; ++c) {
    std::vector<std::uint8_t> codes;
    if (c == alpha_)
      for (int y = 0; y < codes_of_channel; ++y) codes.push_back(at(made, 0, y, c));
    else
      for (int y = 0; y < format.region.height; ++y)
        for (int x = 0; x < codes_of_channel; ++x) codes.push_back(at(made, x, y, c));
    const auto found = std::search(codes_.begin(), codes_.end(), codes.begin(), codes.end());
    first_[static_cast<std::size_t>(c)] = static_cast<int>(found - codes_.begin());
    if (found == codes_.end()) codes_.insert(codes_.end(), codes.begin(), codes.end());
  }
}

void CodeTable::apply_on_cpu(const Frame& source, const Frame& target) const {
  const Rect& r = target.region();
  for (int y = r.y; y < r.bottom(); ++y) {
    const auto* from = source.pixel_as<std::uint8_t>(r.x, y);
    auto* to = target.pixel_as<std::uint8_t>(r.x, y);
    const auto pixels = static_cast<std::size_t>(r.width);
    with_channels(channels_, [&](auto n) { look_up<n()>(*this, from, to, pixels); });
  }
}

const CodeTable* KeptCodeTable::of(const PixelPass& pass, std::int64_t pixels) const {
  if (!CodeTable::fits(pass)) return nullptr;
  // Computing the table costs as much as this many pixels.
  if (state_->pixels.fetch_add(pixels) + pixels < 2 * CodeTable::cases(pass)) return nullptr;
  std::call_once(state_->once, [&] { state_->table = std::make_unique<CodeTable>(pass); });
  return state_->table.get();
}

}  // namespace cuimg
